"""``mensura plan``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from mensura.cli.shared.options import add_output
from mensura.errors import PlanError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from mensura.plans.lock import FileState, Lock


def configure(parser: ArgumentParser) -> None:
    """The options."""
    parser.description = (
        "Write down what will be tested before it is: goal, systems, measures, hypotheses, test, correction.\n"
        "new writes a plan to fill in, lock records it and its data, check reports changes since."
    )
    parser.epilog = (
        "examples: mensura plan new plan.toml --goal 'Does stemming help?' --system bm25 --system stemmed --baseline bm25\n"
        "          mensura plan lock plan.toml\n"
        "          mensura compare qrels.txt 'runs/*.txt' --plan plan.toml"
    )
    actions = parser.add_subparsers(title="actions", metavar="ACTION", dest="action", required=True)
    new = actions.add_parser("new", help="a plan to fill in")
    new.add_argument(
        "plan", type=Path, metavar="PLAN", nargs="?", default=Path("plan.toml"), help="file to write (default: %(default)s)"
    )
    new.add_argument("--goal", help="question that the experiment answers")
    new.add_argument("--qrels", metavar="FILE", help="file of the judgments, relative to the folder of the plan")
    new.add_argument("--run", dest="runs", action="append", metavar="FILE", help="file of a run, or a pattern (repeat)")
    new.add_argument(
        "--system", dest="systems", action="append", metavar="NAME", help="name of a system, i.e. the tag of its run (repeat)"
    )
    new.add_argument("--baseline", metavar="NAME", help="system that all others are compared with")
    new.add_argument("--primary", action="append", metavar="MEASURE", help="measure that the conclusion rests on (repeat)")
    new.add_argument("--secondary", action="append", metavar="MEASURE", help="further measure (repeat)")
    new.add_argument("--test", metavar="TEST", help="test, as of mensura compare")
    lock = actions.add_parser("lock", help="digests of a plan, its judgments and its runs, so that changes show")
    lock.add_argument("plan", type=Path, metavar="PLAN", help="plan that is filled in")
    check = actions.add_parser("check", help="changes since a plan was locked; exit 1 if there are any")
    check.add_argument("plan", type=Path, metavar="PLAN", help="locked plan")
    add_output(check, ("table", "json"))


def run(arguments: Namespace) -> int:
    """Write, lock or check a plan."""
    return {"new": _new, "lock": _lock, "check": _check}[arguments.action](arguments)


def _new(arguments: Namespace) -> int:
    from mensura.plans.reading import parse_plan
    from mensura.plans.templates import template

    names = ("goal", "qrels", "runs", "systems", "baseline", "primary", "secondary", "test")
    options = {name: getattr(arguments, name) for name in names if getattr(arguments, name) is not None}
    path: Path = arguments.plan
    text = template(path.name, **options)
    parse_plan(text, path)
    try:
        with path.open("x", encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)
    except FileExistsError:
        raise PlanError("exists already, and a plan is not overwritten; choose another name", source=str(path)) from None
    except OSError as error:
        raise PlanError(f"cannot be written: {error.strerror}", source=str(path)) from error
    sys.stdout.write(f"{path}: fill it in, then: mensura plan lock {path}\n")
    return 0


def _lock(arguments: Namespace) -> int:
    from mensura.plans.lock import lock_path, lock_plan

    plan, lock = lock_plan(arguments.plan)
    lines = [
        f"Locked at {lock.locked}" + (f", commit {lock.commit[:12]}" if lock.commit else ", outside of any git repository"),
        f"  plan       {arguments.plan}  {lock.plan[:12]}",
        f"  judgments  {lock.qrels}  {lock.collection[:12]}",
        *(f"  run        {run.path}  {run.sha256[:12]}  ({run.system})" for run in lock.runs),
        f"Keep {lock_path(arguments.plan)} with the plan, and commit both.",
    ]
    missing = [system for system in plan.systems if system not in {run.system for run in lock.runs}]
    if missing:
        lines.insert(-1, f"  still to be made: {', '.join(missing)}")
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


def _check(arguments: Namespace) -> int:
    from mensura.cli.shared.output import write
    from mensura.plans.lock import check_plan

    lock, findings = check_plan(arguments.plan)
    write((_json if arguments.format == "json" else _table)(lock, findings), arguments.output)
    return int(any(finding.wrong for finding in findings))


def _table(lock: Lock, findings: list[FileState]) -> str:
    from mensura.render.tables import Table, as_text, strong_rows

    rows = [(finding.what, finding.file, finding.state) for finding in findings]
    wrong = [at for at, finding in enumerate(findings) if finding.wrong]
    table = Table(["what", "file", "since the lock"], rows, "lll", strong=strong_rows(wrong, 3))
    verdict = (
        f"{len(wrong)} of {len(findings)} files are not as they were locked." if wrong else "All that was locked is as it was."
    )
    return f"Locked at {lock.locked}\n\n{as_text(table)}\n{verdict}\n"


def _json(lock: Lock, findings: list[FileState]) -> str:
    from mensura.render.tables import json_text

    document = {
        "locked": lock.locked,
        "commit": lock.commit,
        "unchanged": not any(finding.wrong for finding in findings),
        "files": [{"what": finding.what, "file": finding.file, "state": finding.state} for finding in findings],
    }
    return json_text(document)
