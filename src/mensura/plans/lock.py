"""Locks: what a plan and its data were when the plan was made."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from glob import glob
from typing import TYPE_CHECKING, ClassVar, Literal

from mensura.errors import PlanError
from mensura.io.columns import Run
from mensura.io.digests import collection_digest, content_digest, content_digests, digest, source_digest
from mensura.io.read import read_qrels
from mensura.io.writing import write_whole
from mensura.plans.reading import read_plan
from mensura.record.commit import commit_of
from mensura.result import Result

if TYPE_CHECKING:
    from pathlib import Path

    from mensura.io.columns import Qrels
    from mensura.judged.runs import JudgedRuns
    from mensura.plans.plan import Plan

FORMAT = "mensura plan lock 1"


@dataclass(frozen=True, slots=True)
class LockedRun(Result):
    """A run that was there when the plan was locked."""

    system: str
    path: str
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Lock(Result):
    """A locked plan: digests of the plan, the judgments and the runs that were there, the time and the commit.

    ``plan`` is the SHA-256 of the plan's bytes, ``collection`` that of the sorted judgments, whatever their file looks like, and
    those of runs are of their inflated bytes.
    """

    plan: str
    locked: str
    commit: str | None
    mensura: str
    qrels: str
    collection: str
    runs: tuple[LockedRun, ...]

    readers: ClassVar = {"runs": lambda documents: tuple(map(LockedRun.from_dict, documents))}

    @property
    def seal(self) -> str:
        """The digest of all of it."""
        return digest([json.dumps(asdict(self), sort_keys=True, ensure_ascii=False).encode("utf-8", "surrogateescape")])


@dataclass(frozen=True, slots=True)
class FileState(Result):
    """State of a file since the plan was locked."""

    file: str
    what: Literal["plan", "judgments", "run"]
    state: Literal["unchanged", "changed", "missing", "new"]

    @property
    def wrong(self) -> bool:
        """Whether the file is not as it was locked."""
        return self.state in {"changed", "missing"}


def lock_path(plan: Path) -> Path:
    """Path of the lock beside its plan: ``plan.toml`` has ``plan.toml.lock``."""
    return plan.with_name(f"{plan.name}.lock")


def lock_plan(path: Path) -> tuple[Plan, Lock]:
    """Check a plan and lock it, its judgments and the runs that are there."""
    from mensura import __version__

    place = lock_path(path)
    if place.exists():
        raise PlanError(f"is locked since {read_lock(path).locked}; write a changed plan into another file", source=str(path))
    before = content_digest(path)
    plan = read_plan(path)
    qrels = read_qrels(_from(plan, plan.qrels))
    lock = Lock(
        plan=before,
        locked=datetime.now(UTC).isoformat(timespec="seconds"),
        commit=commit_of(path.absolute().parent),
        mensura=__version__,
        qrels=plan.qrels,
        collection=collection_digest(qrels),
        runs=_runs(plan, qrels),
    )
    document = {"format": FORMAT, **asdict(lock), "seal": lock.seal}
    write_whole((json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode("utf-8", "surrogateescape"), place)
    return plan, lock


def read_lock(plan: Path) -> Lock:
    """Read the lock of a plan; one that was edited is an error."""
    place = lock_path(plan)
    try:
        document = json.loads(place.read_text(encoding="utf-8", errors="surrogateescape"))
    except FileNotFoundError:
        raise PlanError(f"is not locked; run mensura plan lock {plan}, before the tests and not after", source=str(plan)) from None
    except OSError as error:
        raise PlanError(f"could not be read: {error.strerror}", source=str(place)) from error
    except ValueError as error:
        raise PlanError(f"is not a lock of a plan: {error}", source=str(place)) from error
    try:
        if document.pop("format") != FORMAT:
            raise PlanError(f"is not a lock that this Mensura reads; expected {FORMAT!r}", source=str(place))
        seal = document.pop("seal")
        lock = Lock(**document | {"runs": tuple(LockedRun(**run) for run in document["runs"])})
    except (AttributeError, KeyError, TypeError) as error:
        raise PlanError(f"is not a lock of a plan{_wrong_keys(document)}", source=str(place)) from error
    if lock.seal != seal:
        raise PlanError("was changed after it was made; its seal does not fit", source=str(place))
    return lock


def _wrong_keys(document: object) -> str:
    """Keys that a lock lacks, and those that it should not have, as the end of a sentence."""
    names = {field.name for field in fields(Lock)}
    keys = set(document) - {"format", "seal"} if isinstance(document, dict) else set()
    parts = (("keys missing", names - keys), ("unknown keys", keys - names))
    return "".join(f"; {what}: {', '.join(sorted(which))}" for what, which in parts if which)


def check_plan(path: Path) -> tuple[Lock, list[FileState]]:
    """Compare a plan and its data with its lock."""
    lock = read_lock(path)
    findings = [FileState(str(path), "plan", "unchanged" if content_digest(path) == lock.plan else "changed")]
    folder = path.parent
    qrels = folder / lock.qrels
    if qrels.is_file():
        same = collection_digest(read_qrels(qrels)) == lock.collection
        findings.append(FileState(lock.qrels, "judgments", "unchanged" if same else "changed"))
    else:
        findings.append(FileState(lock.qrels, "judgments", "missing"))
    there = [run for run in lock.runs if (folder / run.path).is_file()]
    now = dict(zip((run.path for run in there), content_digests([folder / run.path for run in there]), strict=True))
    others = _others(path, lock) if findings[0].state == "unchanged" else {}
    for run in lock.runs:
        if run.path in now:
            findings.append(FileState(run.path, "run", "unchanged" if now[run.path] == run.sha256 else "changed"))
        elif moved := next((name for name, sha256 in others.items() if sha256 == run.sha256), None):
            findings.append(FileState(f"{run.path}, now {moved}", "run", "unchanged"))
            del others[moved]
        else:
            findings.append(FileState(run.path, "run", "missing"))
    return lock, findings + [FileState(name, "run", "new") for name in others]


def deviations(lock: Lock, judged: JudgedRuns) -> list[str]:
    """Return sentences about inputs that are not as they were locked, each naming a file."""
    if judged.origin is None:
        return []
    qrels, runs = judged.origin
    sentences = []
    if collection_digest(qrels) != lock.collection:
        sentences.append(f"{qrels.table.source}: these are not the judgments that the plan was locked with ({lock.qrels})")
    locked = {run.system: run for run in lock.runs}
    for system, run in zip(judged.systems, runs, strict=True):
        if system not in locked:
            continue
        now = content_digest(run.table.source) if isinstance(run, Run) else source_digest(run)
        if now != locked[system].sha256:
            name = run.table.source if isinstance(run, Run) else run.name
            sentences.append(f"{name}: this is not the run of {system} that the plan was locked with ({locked[system].path})")
    return sentences


def _others(path: Path, lock: Lock) -> dict[str, str]:
    """Files of runs that the lock does not know, with their digests: new runs, or locked ones that were packed or renamed."""
    known = {run.path for run in lock.runs}
    names = [name for name in _files(read_plan(path)) if name not in known]
    return {name: content_digest(path.parent / name) for name in names}


def _from(plan: Plan, name: str) -> Path:
    """A file that the plan names."""
    return plan.path.parent / name


def _files(plan: Plan) -> list[str]:
    """The run files that are there, by the names that they have for the plan."""
    files: dict[str, None] = {}
    for pattern in plan.runs:
        names = [pattern] if _from(plan, pattern).exists() else sorted(glob(pattern, root_dir=plan.path.parent))
        files |= dict.fromkeys(name for name in names if _from(plan, name).is_file())
    return list(files)


def _runs(plan: Plan, qrels: Qrels) -> tuple[LockedRun, ...]:
    """The runs that are there: read in full, so that a damaged one is found now and not later."""
    from mensura.judged.entrance import Needs, begin, name_systems

    files = _files(plan)
    if not files:
        return ()
    paths = [_from(plan, name) for name in files]
    results = begin(qrels, [str(path) for path in paths], Needs(ranks=1), compat=plan.compat).results()
    return tuple(map(LockedRun, name_systems(results), files, content_digests(paths)))
