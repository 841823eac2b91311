"""The source distribution and the wheel contain the whole package. `./dev dist` builds, installs and runs them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
COMPILED = {".c", ".so", ".pyd", ".pyc"}
SOURCES_OF_THE_CORE = {".pyx", ".pxd", ".h"}
# What a wheel built in the current folder would contain, without compiling anything.
PLAN = """
import json
from distutils.core import run_setup
distribution = run_setup("setup.py", script_args=["--quiet"], stop_after="commandline")
build = distribution.get_command_obj("build_py")
build.ensure_finalized()
modules = [path for _, _, path in build.find_all_modules()]
data = [f"{folder}/{name}" for _, folder, _, names in build.data_files for name in names]
print(json.dumps({
    "pure": distribution.is_pure(),
    "files": sorted(modules + data),
    "extensions": sorted(extension.name for extension in distribution.ext_modules),
    "version": distribution.get_version(),
}))
"""


def files(folder: Path) -> set[str]:
    """The files of the package in a folder, but for what a build leaves there."""
    return {
        path.relative_to(folder).as_posix()
        for path in (folder / "src" / "mensura").rglob("*")
        if path.is_file() and path.suffix not in COMPILED and "__pycache__" not in path.parts
    }


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory) -> Path:
    """The source distribution, unpacked."""
    folder = tmp_path_factory.mktemp("sdist")
    copy = tmp_path_factory.mktemp("checkout") / "mensura"  # setuptools works in the checkout; two workers would meet there
    left = shutil.ignore_patterns(".*_cache", ".venv*", ".git", ".hypothesis", "build", "dist", "*.egg-info", "__pycache__", "*.so")
    shutil.copytree(ROOT, copy, ignore=left)
    build = f"from setuptools import build_meta; build_meta.build_sdist({str(folder)!r})"
    subprocess.run([sys.executable, "-c", build], cwd=copy, check=True, capture_output=True)
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
    return folder / archive.name.removesuffix(".tar.gz")


@pytest.fixture(scope="module")
def wheel(unpacked) -> dict:
    """The contents of a wheel built from the source distribution."""
    plan = subprocess.run([sys.executable, "-c", PLAN], cwd=unpacked, check=True, capture_output=True, text=True)
    return json.loads(plan.stdout)


def test_a_source_distribution_has_every_file_of_the_package(unpacked):
    assert files(unpacked) == files(ROOT)
    assert any(name.endswith(".pyx") for name in files(unpacked))


def test_a_source_distribution_has_what_testing_it_takes(unpacked):
    for name in ("pyproject.toml", "setup.py", "LICENSE", "README.md", "CHANGELOG.md", "tests/core/test_judge.py", "docs/index.md"):
        assert (unpacked / name).is_file(), name


def test_a_wheel_has_the_compiled_modules(wheel):
    kernels = {f"mensura._core.{path.stem}" for path in (ROOT / "src/mensura/_core").glob("*.pyx")}
    assert set(wheel["extensions"]) == kernels | {"mensura._core.memoryviews"}
    assert not wheel["pure"]


def test_a_wheel_has_every_file_of_the_package_but_the_core_s_sources(wheel):
    assert set(wheel["files"]) == {name for name in files(ROOT) if Path(name).suffix not in SOURCES_OF_THE_CORE}


def test_there_is_one_version(wheel):
    import mensura

    assert wheel["version"] == mensura.__version__


def test_the_oldest_dependencies_are_those_that_are_declared():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    needs = [*project["dependencies"], *(need for extra in extras.keys() - {"dev", "docs", "bench"} for need in extras[extra])]
    locked = dict(line.split(" ")[0].split("==") for line in (ROOT / "requirements-oldest.lock").read_text().splitlines())
    for need in needs:
        name, version = re.match(r"([\w.-]+)>=([\d.]+)", need).groups()
        oldest = locked[re.sub(r"[-_.]+", "-", name).lower()]
        assert re.fullmatch(re.escape(version) + r"(\.0)*", oldest), need
