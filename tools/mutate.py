"""Change a module in small ways, one at a time, and see whether its tests notice.

    python -m tools.mutate src/mensura/stats/families.py
    python -m tools.mutate src/mensura/stats/digits.py --tests tests/stats/test_digits.py tests/cli/test_evaluate.py

A change that no test notices is a survivor: add a test, or, if the program does the same with it, list it with the reason in
``tests/mutants.json``. What was noticed, and by which test, is kept in ``.mutants/``: such a change is not tried again until the
module changes, and the tests that noticed most are run first.

The tests are collected once, with the module as it is. Each change inside a function is then tried in a fork: the function gets the
code of the changed one, and those tests run that reached the changed statement. What no test noticed there, and what runs when the
module is imported, is tried in forks that import the changed module from the beginning, with all tests.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import gc
import hashlib
import importlib.abc
import importlib.util
import json
import os
import shutil
import signal
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from pathlib import Path
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

import pytest
from tools.mutants import changed, difference, mutants

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from importlib.machinery import ModuleSpec
    from types import FrameType

    from tools.mutants import Mutant

SOURCE = Path("src")
EQUIVALENT = Path("tests", "mutants.json")
KEPT = Path(".mutants")
SURVIVED, TOO_LONG, NOT_IMPORTED = "survived", "the limit of time", "its import"


class Finder(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Imports one module from a text instead of its file."""

    def __init__(self, name: str, path: Path, text: str) -> None:
        self.name, self.path, self.text = name, path, text

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:  # noqa: ARG002 - importlib's
        if fullname != self.name:
            return None
        spec = importlib.util.spec_from_file_location(fullname, self.path, loader=self)
        assert spec is not None  # noqa: S101 - a loader was given
        return spec

    def get_source(self, fullname: str) -> str:  # noqa: ARG002 - importlib's
        return self.text


class Session:
    """A session of pytest that hands the collected tests to a function instead of running them."""

    def __init__(self, work: Callable[[Session, list[pytest.Item]], None]) -> None:
        self.work = work
        self.failed = ""

    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        if session.testsfailed:  # while they were collected
            return None
        self.work(self, session.items)
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed = report.nodeid

    def first_failure(self, items: Sequence[pytest.Item]) -> str:
        """Run tests until one fails, and return its name."""
        for item, following in zip(items, [*items[1:], None], strict=False):  # there may be none
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self.failed:
                return self.failed
        return SURVIVED

    def reached(self, items: Sequence[pytest.Item], path: Path) -> str:
        """Run tests until one fails; return its name, or the seconds that each took and the lines of a file that it reached."""
        lines: set[int] = set()

        def trace(frame: FrameType, event: str, _: object) -> Any:
            if frame.f_code.co_filename != str(path):
                return None
            if event == "line":
                lines.add(frame.f_lineno)
            return trace

        reached = {}
        for item, following in zip(items, [*items[1:], None], strict=True):
            lines.clear()
            started = time.perf_counter()
            threading.settrace(trace)
            sys.settrace(trace)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            sys.settrace(None)
            reached[item.nodeid] = time.perf_counter() - started, sorted(lines)
            if self.failed:
                return self.failed
        return json.dumps(reached)


def collect(tests: Sequence[str], work: Callable[[Session, list[pytest.Item]], None]) -> int:
    """Collect tests and hand them to a function."""
    options = ["-qq", "-s", "-p", "no:cacheprovider", "-m", "not slow", "--hypothesis-seed=0"]
    # Hypothesis is imported before pytest could rewrite its assertions, which pytest warns of
    options += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
    return int(pytest.main([*options, *tests], plugins=[Session(work)]))


class Fork:
    """Work in a process of its own, which writes its answer to a file."""

    def __init__(self, work: Callable[[], str], seconds: int) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="mutant-"))
        self.process = os.fork()
        if self.process:
            return
        try:
            os.setsid()  # so that what it starts can be ended with it
            signal.setitimer(signal.ITIMER_PROF, seconds)  # of processor: load does not end a trial
            signal.alarm(20 * seconds)  # a change may wait for ever
            sink = os.open(os.devnull, os.O_RDWR)
            for stream in range(3):
                os.dup2(sink, stream)
            tempfile.tempdir = str(self.folder)
            os.environ |= {"TMPDIR": str(self.folder), "HYPOTHESIS_STORAGE_DIRECTORY": str(self.folder)}
            try:
                answer = work()
            except BaseException:  # noqa: BLE001 - whatever it is, it is not an answer
                answer = f"Traceback of the tool\n{traceback.format_exc()}"
            (self.folder / "answer").write_text(answer)
        finally:
            os._exit(0)

    def answer(self) -> str:
        """The answer of a process that has ended."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process, signal.SIGKILL)
        file = self.folder / "answer"
        answer = file.read_text() if file.exists() else TOO_LONG
        shutil.rmtree(self.folder, ignore_errors=True)
        if answer.startswith("Traceback"):
            raise RuntimeError(answer)
        return answer


def asked(work: Callable[[], str]) -> str:
    """The answer of one piece of work."""
    fork = Fork(work, 3600)
    os.waitpid(fork.process, 0)
    return fork.answer()


class Trials:
    """Trials of a module's mutants, and what came of those of earlier runs."""

    def __init__(self, path: Path, tests: Sequence[str], processes: int, seconds: int) -> None:
        self.path, self.tests, self.processes, self.seconds = path.resolve(), tests, processes, seconds
        self.text = path.read_text(encoding="utf-8")
        self.digest = hashlib.sha256(self.text.encode()).hexdigest()
        self.name = ".".join(path.relative_to(SOURCE).with_suffix("").parts)
        self.file = KEPT / f"{self.name}.json"
        self.read()

    def read(self) -> None:
        """Read what was noticed in earlier runs; of another version of the module only which tests noticed much."""
        kept: dict[str, Any] = json.loads(self.file.read_text()) if self.file.exists() else {"module": "", "noticed": {}}
        self.kills: Counter[str] = Counter(kept["noticed"].values())
        self.noticed: dict[str, str] = kept["noticed"] if kept["module"] == self.digest else {}

    def survivors(self, listed: Sequence[Mutant]) -> list[Mutant]:
        """Try mutants and return those that no test noticed."""
        started = time.monotonic()
        child = os.fork()
        if not child:
            status = 1
            try:
                status = self.in_functions([mutant for mutant in listed if mutant.called])
            finally:
                os._exit(status)
        if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
            sys.exit(f"collecting the tests or running them failed: {' '.join(self.tests)}")
        seconds = self.seconds + int(5 * (time.monotonic() - started))
        self.read()
        if (answer := asked(lambda: self.imported(self.text, lambda item: item.nodeid in self.kills))) != SURVIVED:
            sys.exit(f"{answer} notices nothing: it fails with the module as it is if those tests that noticed most are run first")
        self.tried(listed, lambda mutant: Fork(lambda: self.imported(changed(self.text, mutant)), seconds))
        return [mutant for mutant in listed if mutant.key not in self.noticed]

    def in_functions(self, listed: Sequence[Mutant]) -> int:
        """Collect the tests once, and try mutants in forks with the functions' code swapped."""

        def work(session: Session, items: list[pytest.Item]) -> None:
            answer = asked(lambda: session.reached(items, self.path))
            if not answer.startswith("{"):
                print(f"fails with the module as it is: {answer}", file=sys.stderr)
                os._exit(1)
            reached = json.loads(answer)

            def trial(mutant: Mutant) -> Fork:
                nearest = [item for item in items if not set(mutant.lines).isdisjoint(reached[item.nodeid][1])]
                nearest.sort(key=lambda item: (-self.kills[item.nodeid], reached[item.nodeid][0]))
                seconds = self.seconds + int(5 * sum(reached[item.nodeid][0] for item in nearest))
                return Fork(functools.partial(self.swapped, session, nearest, changed(self.text, mutant)), seconds)

            self.tried(listed, trial)

        return collect(self.tests, work)

    def swapped(self, session: Session, items: Sequence[pytest.Item], text: str) -> str:
        """Give the module's functions their code in a changed text, and run tests until one fails."""
        codes: dict[tuple[str, int], CodeType] = {}

        def visit(code: CodeType) -> None:
            codes[code.co_qualname, code.co_firstlineno] = code
            for part in code.co_consts:
                if isinstance(part, CodeType):
                    visit(part)

        visit(compile(text, str(self.path), "exec", dont_inherit=True))
        for function in gc.get_objects():
            if isinstance(function, FunctionType) and function.__code__.co_filename == str(self.path):
                code = codes[function.__code__.co_qualname, function.__code__.co_firstlineno]
                if len(code.co_freevars) != len(function.__code__.co_freevars):
                    return SURVIVED  # here: the function cannot have this code, so the module must be imported with it
                function.__code__ = code
        return session.first_failure(items)

    def imported(self, text: str, chosen: Callable[[pytest.Item], bool] = lambda _: True) -> str:
        """Import the module from a text, collect the tests, and run the chosen ones until one fails."""
        sys.dont_write_bytecode = True
        sys.meta_path.insert(0, Finder(self.name, self.path, text))
        answer = NOT_IMPORTED

        def work(session: Session, items: list[pytest.Item]) -> None:
            nonlocal answer
            answer = session.first_failure(sorted(filter(chosen, items), key=lambda item: -self.kills[item.nodeid]))

        collect(self.tests, work)
        return answer

    def tried(self, listed: Sequence[Mutant], trial: Callable[[Mutant], Fork]) -> None:
        """Try those mutants that no test has noticed yet, some at a time; write down what was noticed."""
        waiting = [mutant for mutant in listed if mutant.key not in self.noticed]
        running: dict[int, tuple[Mutant, Fork]] = {}
        started, number = time.monotonic(), len(waiting)
        try:
            while waiting or running:
                while waiting and len(running) < self.processes:
                    fork = trial(waiting[0])
                    running[fork.process] = waiting.pop(0), fork
                mutant, fork = running.pop(os.wait()[0])
                answer = fork.answer()
                if answer != SURVIVED:
                    self.noticed[mutant.key] = answer
                    self.kills[answer] += 1
                    KEPT.mkdir(exist_ok=True)
                    self.file.write_text(json.dumps({"module": self.digest, "noticed": self.noticed}, ensure_ascii=False, indent=1))
                done = number - len(waiting) - len(running)
                left = (time.monotonic() - started) / done * (number - done)
                if sys.stderr.isatty():
                    print(f"\r{done} of {number} tried, {left:.0f} s left ", end="\n" * (done == number), file=sys.stderr)
        finally:
            for _, fork in running.values():
                fork.answer()


def preload() -> None:
    """Import what tests import that is not Mensura's: forks need not do it again."""
    for module in ("numpy", "scipy.stats", "scipy.special", "hypothesis", "hypothesis.extra.numpy", "argparse", "csv"):
        importlib.import_module(module)


def default_tests(path: Path) -> list[str]:
    """Tests of a module: those of its package."""
    return [str(Path("tests", *path.relative_to(SOURCE).parts[1:-1]))]


def main() -> int:
    """Mutate a module; exit 1 if a change survives that is not listed as equivalent."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, metavar="FILE", help="a module below src")
    parser.add_argument("--tests", nargs="+", metavar="PATH", help="tests to run (default: those of the module's package)")
    parser.add_argument("--processes", type=int, default=2, metavar="N", help="trials at the same time (default: %(default)s)")
    parser.add_argument(
        "--seconds", type=int, default=30, metavar="N", help="limit of a trial, on top of its tests' time (default: %(default)s)"
    )
    parser.add_argument("--list", action="store_true", help="print the changes without trying them")
    arguments = parser.parse_args()
    path: Path = arguments.file
    known = json.loads(EQUIVALENT.read_text(encoding="utf-8")) if EQUIVALENT.exists() else {}
    equivalent: dict[str, str] = known.get(path.as_posix(), {})
    trials = Trials(path, arguments.tests or default_tests(path), arguments.processes, arguments.seconds)
    listed = mutants(trials.text)
    gone = equivalent.keys() - {mutant.key for mutant in listed}
    if gone:
        print(f"{EQUIVALENT} lists changes that the module no longer has:", *sorted(gone), sep="\n  ")
    listed = [mutant for mutant in listed if mutant.key not in equivalent]
    if arguments.list:
        print(*(f"{mutant.lines[0]}: {mutant.key}" for mutant in listed), sep="\n")
        return 0
    started = time.monotonic()
    preload()
    survivors = trials.survivors(listed)
    for mutant in survivors:
        print(f"survived, {path}:{mutant.lines[0]}: {mutant.key}", difference(trials.text, mutant), "", sep="\n")
    late = sum(trials.noticed.get(mutant.key) == TOO_LONG for mutant in listed)
    print(
        f"{path}: {len(listed)} changes, {len(survivors)} survived, {late} ran into the limit of time, "
        f"{len(equivalent)} more are equivalent; {time.monotonic() - started:.0f} s"
    )
    return 1 if survivors or gone else 0


if __name__ == "__main__":
    sys.exit(main())
