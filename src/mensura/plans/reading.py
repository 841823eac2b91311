"""Plans as files: TOML, read strictly."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mensura.errors import MensuraError, PlanError
from mensura.plans.plan import Hypothesis, Plan

if TYPE_CHECKING:
    from pathlib import Path

VERSION = 1
# table: its keys, each with the type of its value
KEYS: dict[str, dict[str, type | tuple[type, ...]]] = {
    "": {"version": int, "goal": str, "actor": str, "data": dict, "compare": dict, "analysis": dict, "hypotheses": list},
    "data": {"qrels": str, "runs": list, "folds": int},
    "compare": {"systems": list, "baseline": str, "primary": list, "secondary": list},
    "analysis": {
        "test": str,
        "correction": str,
        "scale": str,
        "alpha": (float, int),
        "smallest_effect": (float, int),
        "samples": int,
        "seed": int,
        "topics": str,
        "compat": str,
    },
    "hypotheses": {"better": str, "worse": str, "measure": str, "because": str},
}
REQUIRED = {
    "": ("version", "goal", "data", "compare", "analysis"),
    "data": ("qrels", "runs"),
    "compare": ("systems", "primary"),
    "analysis": ("test", "alpha"),
    "hypotheses": ("better", "worse"),
}
CHOICES = {"scale": ("original", "interval"), "topics": ("judged", "both"), "compat": ("trec_eval-10", "trec_eval-9")}
TYPES = {int: "a whole number", str: "a text", list: "a list", dict: "a table", (float, int): "a number"}


def read_plan(path: Path) -> Plan:
    """Read a plan and check it: unknown keys, measures, tests and corrections are errors."""
    try:
        return parse_plan(path.read_bytes().decode("utf-8-sig"), path)
    except OSError as error:
        raise PlanError(f"could not be read: {error.strerror}", source=str(path)) from error
    except UnicodeDecodeError as error:
        raise PlanError("is not valid UTF-8", source=str(path)) from error


def parse_plan(text: str, path: Path) -> Plan:
    """The plan that a text describes; ``path`` is the file that it is, or will be, in."""
    try:
        return _PlanReader(path, text).plan(tomllib.loads(text))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        at = re.search(r"line (\d+)", str(error))
        raise PlanError(f"is not valid TOML: {error}", source=str(path), line=int(at[1]) if at else None) from error


class _PlanReader:
    """Checks a document and says where its text is wrong."""

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self.lines = text.splitlines()

    def fail(self, problem: str, table: str = "", key: str | None = None) -> PlanError:
        line = self.line(table, key)
        shown = None if line is None else self.lines[line - 1].strip()[:100]
        return PlanError(problem, source=str(self.path), line=line, text=shown)

    def line(self, table: str, key: str | None) -> int | None:
        """The line of a key, or of its table; ``None`` if it is written in a way that is not looked for."""
        within, header = "", None
        for number, line in enumerate(self.lines, start=1):
            if heading := re.match(r"\s*\[\[?\s*([^\[\]]+?)\s*\]\]?\s*(?:#.*)?$", line):
                within = heading[1]
                header = header or (number if within == table else None)
                if key is not None and table == "" and within == key:
                    return number
            elif key is not None and within == table and re.match(rf"""\s*["']?{re.escape(key)}["']?\s*=""", line):
                return number
        return header

    def table(self, document: dict[str, Any], name: str) -> dict[str, Any]:
        """A table whose keys are known, all there, and of the right types."""
        known = KEYS[name]
        where = f"[{name}]" if name else "a plan"
        for key, value in document.items():
            if key not in known:
                raise self.fail(f"unknown key {key!r} in {where}; the keys are {', '.join(known)}", name, key)
            kind = known[key]
            if not isinstance(value, kind) or isinstance(value, bool):
                raise self.fail(f"{key} must be {TYPES[kind]}", name, key)
        for key in REQUIRED[name]:
            if key not in document:
                raise self.fail(f"{where} must say {key!r}", name)
        return document

    def texts(self, document: dict[str, Any], table: str, key: str, least: int = 0) -> tuple[str, ...]:
        """A list of different texts that are not empty."""
        values = document.get(key, [])
        if not all(isinstance(value, str) and value.strip() for value in values):
            raise self.fail(f"{key} must be a list of texts that are not empty", table, key)
        if len(set(values)) < len(values):
            raise self.fail(f"{key} names something twice", table, key)
        if len(values) < least:
            raise self.fail(f"{key} must name at least {least}", table, key)
        return tuple(values)

    def plan(self, document: dict[str, Any]) -> Plan:
        """The plan that a document describes."""
        whole = self.table(document, "")
        if whole["version"] != VERSION:
            raise self.fail(f"a plan of version {whole['version']}: this Mensura reads version {VERSION}", "", "version")
        if not whole["goal"].strip():
            raise self.fail("goal is empty; write in a sentence what the experiment is to find out", "", "goal")
        data, what, analysis = (self.table(whole[name], name) for name in ("data", "compare", "analysis"))
        systems = self.texts(what, "compare", "systems", least=2)
        baseline = what.get("baseline")
        if baseline is not None and baseline not in systems:
            raise self.fail(f"the baseline {baseline!r} is none of the systems {', '.join(systems)}", "compare", "baseline")
        primary = self.measures(what, "primary", least=1)
        secondary = self.measures(what, "secondary")
        if both := set(primary) & set(secondary):
            raise self.fail(f"{', '.join(sorted(both))} cannot be primary and secondary", "compare", "secondary")
        self.ranges(data, analysis)
        self.method(analysis, baseline)
        plan = Plan(
            path=self.path,
            goal=whole["goal"].strip(),
            actor=whole.get("actor", "").strip() or None,
            qrels=data["qrels"],
            runs=self.texts(data, "data", "runs", least=1),
            folds=data.get("folds"),
            systems=systems,
            baseline=baseline,
            primary=primary,
            secondary=secondary,
            hypotheses=(),
            test=analysis["test"],
            correction=analysis.get("correction", "auto"),
            scale=analysis.get("scale", "original"),
            alpha=float(analysis["alpha"]),
            smallest_effect=analysis.get("smallest_effect"),
            samples=analysis.get("samples"),
            seed=analysis.get("seed", 0),
            topics=analysis.get("topics", "judged"),
            compat=analysis.get("compat", "trec_eval-10"),
        )
        return self.with_hypotheses(plan, whole.get("hypotheses", []))

    def ranges(self, data: dict[str, Any], analysis: dict[str, Any]) -> None:
        """Check that values are within their ranges."""
        for key, known in CHOICES.items():
            if analysis.get(key, known[0]) not in known:
                raise self.fail(f"{key} must be {' or '.join(known)}", "analysis", key)
        for key, least in (("samples", 1), ("seed", 0)):
            if analysis.get(key, least) < least:
                raise self.fail(f"{key} must be at least {least}", "analysis", key)
        if not 0 < analysis["alpha"] < 1:
            raise self.fail("alpha must lie between 0 and 1", "analysis", "alpha")
        if analysis.get("smallest_effect", 1) <= 0:
            raise self.fail(
                "smallest_effect must be larger than 0; it is the smallest difference of means that matters",
                "analysis",
                "smallest_effect",
            )
        if data.get("folds", 2) < 2:  # noqa: PLR2004 - to train and test
            raise self.fail("folds must be at least 2; leave it out if nothing is trained or tuned", "data", "folds")

    def measures(self, what: dict[str, Any], key: str, least: int = 0) -> tuple[str, ...]:
        """Names of measures, as Mensura writes them."""
        from mensura.measures.names import parse_measure

        measures = []
        for name in self.texts(what, "compare", key, least):
            try:
                measures.append(str(parse_measure(name)))
            except MensuraError as error:
                raise self.fail(str(error), "compare", key) from error
        if len(set(measures)) < len(measures):
            raise self.fail(f"{key} names a measure twice", "compare", key)
        return tuple(measures)

    def method(self, analysis: dict[str, Any], baseline: str | None) -> None:
        """Check that the test exists and that the correction fits it."""
        from mensura.stats.methods import choose_correction, find_method

        try:
            method = find_method(analysis["test"])
        except MensuraError as error:
            raise self.fail(str(error), "analysis", "test") from error
        try:
            choose_correction(method, analysis.get("correction", "auto"))
        except MensuraError as error:
            raise self.fail(str(error), "analysis", "correction") from error
        if method.needs_baseline and baseline is None:
            raise self.fail(f"{method.title} compares with a baseline; name one in [compare]", "analysis", "test")

    def with_hypotheses(self, plan: Plan, rows: list[Any]) -> Plan:
        """The plan with its hypotheses, which must be about planned pairs and measures."""
        from mensura.measures.names import parse_measure

        hypotheses = []
        for row in rows:
            if not isinstance(row, dict):
                raise self.fail("hypotheses are tables: write [[hypotheses]] above each", "", "hypotheses")
            self.table(row, "hypotheses")
            try:
                measure = str(parse_measure(row["measure"])) if "measure" in row else plan.primary[0]
            except MensuraError as error:
                raise self.fail(str(error), "hypotheses", "measure") from error
            if frozenset((row["better"], row["worse"])) not in plan.pairs() or measure not in plan.primary + plan.secondary:
                raise self.fail(
                    f"the hypothesis that {row['better']} is better than {row['worse']} by {measure} is about a comparison that is "
                    "not planned: name systems and measures of [compare]",
                    "hypotheses",
                )
            hypotheses.append(Hypothesis(row["better"], row["worse"], measure, row.get("because", "")))
        return replace(plan, hypotheses=tuple(hypotheses))
