"""Builds the compiled core. Everything else about the package is in pyproject.toml."""

import os
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CCompilerError, CompileError, ExecError, PlatformError

CORE = Path("src/mensura/_core")
# MENSURA_BUILD=checked: indices are checked. MENSURA_BUILD=asan: AddressSanitizer too (see ./dev sanitize).
BUILD = os.environ.get("MENSURA_BUILD", "release")
CHECKED = BUILD in {"checked", "asan"}
FLAGS = {"release": ["-O3"], "checked": ["-O1"], "asan": ["-O1", "-g", "-fsanitize=address", "-fno-omit-frame-pointer"]}[BUILD]
if sys.platform == "win32":
    FLAGS = ["/O2"]


class BuildCore(build_ext):
    """Says what is missing when there is no C compiler."""

    def run(self) -> None:
        try:
            super().run()
        except (CCompilerError, CompileError, ExecError, PlatformError, FileNotFoundError) as error:
            sys.exit(
                "Mensura's core could not be compiled: install a C compiler and Python's headers "
                "(Debian, Ubuntu: apt-get install gcc python3-dev; macOS: xcode-select --install; "
                f"Windows: Visual Studio Build Tools), then install again. [{error}]"
            )


setup(
    cmdclass={"build_ext": BuildCore},
    ext_modules=cythonize(
        [
            Extension(
                f"mensura._core.{source.stem}",
                [str(source)],
                include_dirs=[str(CORE)],
                depends=[str(header) for header in sorted(CORE.glob("*.h"))],
                extra_compile_args=FLAGS,
                extra_link_args=["-fsanitize=address"] if BUILD == "asan" else [],
            )
            for source in sorted(CORE.glob("*.pyx"))
        ],
        include_path=["src"],
        build_dir="build/cython",
        compiler_directives={
            "language_level": 3,
            "boundscheck": CHECKED,
            "wraparound": False,
            "initializedcheck": CHECKED,
            "cdivision": True,
            "freethreading_compatible": True,
        },
    ),
)
