"""Builds the compiled core. Everything else about the package is in pyproject.toml."""

import os
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CCompilerError, CompileError, ExecError, PlatformError

CORE = Path("src/mensura/_core")
# MENSURA_BUILD=checked: indices are checked. asan: AddressSanitizer too. fuzz: every block of code also tells that it was reached.
# tsan: ThreadSanitizer.
# See ./dev sanitize and ./dev fuzz.
BUILD = os.environ.get("MENSURA_BUILD", "release")
CHECKED = BUILD in {"checked", "asan", "fuzz"}
SANITIZERS = {"asan": "address,undefined", "fuzz": "address,undefined", "tsan": "thread"}
# Debug information, which Python's own flags ask for, would be four fifths of a module and a quarter of the time to compile it.
FLAGS = {
    # No value depends on the last two. Comparisons and square roots in loops are vectorised only without traps and errno.
    "release": ["-O3", "-g0", "-ffp-contract=off", "-fno-trapping-math", "-fno-math-errno"],
    "checked": ["-O1", "-g0", "-DMENSURA_PLAIN"],  # without instructions that only some processors have
    "asan": ["-O1", "-g", "-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer"],
    "fuzz": ["-O1", "-g", "-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer", "-fsanitize-coverage=trace-pc"],
    "tsan": ["-O1", "-g", "-fno-omit-frame-pointer"],
}[BUILD]
INSTRUMENTED = [f"-fsanitize={SANITIZERS[BUILD]}"] if BUILD in SANITIZERS else []
if sys.platform == "win32":
    FLAGS = ["/O2"]
# Cython's code for memory views is 23,000 lines of C, the same in every module that has a typed array. It is compiled once, as a
# module that the others import, and not for speed: it runs when an array is handed over, not in the loops.
SHARED = "mensura._core.memoryviews"


class BuildCore(build_ext):
    """Compiles the modules side by side, and says what is missing when there is no C compiler."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count()

    def run(self) -> None:
        # Only here, not when setup() is called: a source distribution needs the .pyx files as they are, and nothing translated.
        from Cython.Build import cythonize

        translated = cythonize(
            self.extensions,
            include_path=["src"],
            build_dir=f"build/cython-{BUILD}",
            shared_utility_qualified_name=SHARED,
            force=self.force,
            compiler_directives={
                "language_level": 3,
                "boundscheck": CHECKED,
                "wraparound": False,
                "initializedcheck": CHECKED,
                "cdivision": True,
                "freethreading_compatible": True,
            },
        )
        sources = {extension.name: extension.sources for extension in translated}
        for extension in self.extensions:
            extension.sources = sources[extension.name]
        try:
            super().run()
        except (CCompilerError, CompileError, ExecError, PlatformError, FileNotFoundError) as error:
            sys.exit(
                "Mensura's core could not be compiled: install a C compiler and Python's headers "
                "(Debian, Ubuntu: apt-get install gcc python3-dev; macOS: xcode-select --install; "
                f"Windows: Visual Studio Build Tools), then install again. [{error}]"
            )


def extension(name: str, sources: list[str], flags: list[str]) -> Extension:
    """A module of the core; what it depends on belongs to the source distribution too."""
    return Extension(
        name,
        sources,
        include_dirs=[str(CORE)],
        depends=[str(header) for header in sorted([*CORE.glob("*.pxd"), *CORE.glob("*.h")])],
        extra_compile_args=[*flags, *INSTRUMENTED],
        extra_link_args=INSTRUMENTED,
    )


KERNELS = sorted(CORE.glob("*.pyx"))
if not KERNELS:
    sys.exit(f"{CORE} has no .pyx file; a package without its compiled core cannot work")

setup(
    cmdclass={"build_ext": BuildCore},
    ext_modules=[
        extension(SHARED, [], [flag.replace("-O3", "-O1") for flag in FLAGS]),  # the longest first
        *(extension(f"mensura._core.{source.stem}", [str(source)], FLAGS) for source in KERNELS),
    ],
)
