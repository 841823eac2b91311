"""The doors through which a user asks about a measure, each as a function from measures to the numbers that it shows.

A door takes several measures at once where the command does; it raises :class:`Refusal` with the message that a user gets.
"""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import math
import re
import shutil
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import mensura
from mensura.errors import MeasureError
from mensura.measures import REGISTRY
from mensura.measures.geometric import Aggregated
from mensura.measures.trec_eval import label_of
from mensura.scales.meaning.dominance import leaderboard
from tests.cli.running import call
from tests.report.reading import read, rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import httpx

LENGTH = 5
# A value for every parameter of every measure; a new parameter needs one here before its measure can be tried.
PARAMETERS = {
    "T": ["2"],
    "a": ["2"],
    "at": ["(0.25, 0.5)"],
    "b": ["-0.5"],
    "base": ["2"],
    "beta": ["2.0"],
    "c": ["-1"],
    "capped": ["True"],
    "collection": ["100, d=0.1"],
    "d": ["0.1, collection=100"],
    "dcg": ["'exp-log2'"],
    "expected": ["'total-utility'"],
    "documents": ["'pool'", "'retrieved-assessed'", "'assessed'"],
    "floor": ["0.01"],
    "gains": ["{1: 0.2, 2: 0.3, 3: 1}"],
    "h": ["'1/i'"],
    "levels": ["2"],
    "max_grade": ["3"],
    "multiple": ["0.5"],
    "normalize": ["False"],
    "p": ["0.5"],
    "per": ["'run'"],
    "recall": ["0.2"],
    "rel": ["2"],
    "retrieved": ["10, srs='rank'"],
    "srs": ["'rank'", "'logistic'"],
    "step": ["'nearest'"],
    "stop": ["{1: 1/4, 2: 1/2, 3: 1}"],
    "strict": ["'rigid', levels=2"],
    "tail": ["'unjudged'"],
    "thresholds": ["{1: 0.5, 2: 0.25, 3: 0.25}"],
    "trim": ["1"],
    "urs": ["'ends'"],
}
INCOMPLETE = {"ADM(documents='pool')"}  # the pool of the first k documents needs a k: no door computes it


def measures() -> list[str]:
    """Every registered measure: plain, cut, at 1, and with each of its parameters."""
    names: list[str] = []
    for name, cls in sorted(REGISTRY.items()):
        if issubclass(cls, Aggregated):
            of = cls.example[len(name) + 1 : -1]
            names += [cls.example, f"{name}({of}@{LENGTH})", f"{name}({of}(rel=2)@{LENGTH})"]
            names += (
                ["GM(AP, floor=0.01)", "GM(P)", f"GM(P@{LENGTH})"]
                if name == "GM"
                else [f"{name}(MFR@{LENGTH})", f"{name}(NumRelRet)"]
            )
            continue
        cut = "@0.2" if name == "IPrec" else f"@{LENGTH}"
        names += [name, f"{name}{cut}", f"{name}@1"]
        for field in dataclasses.fields(cls):
            if field.name != "cutoff":
                names += [f"{name}({field.name}={value})" for value in PARAMETERS[field.name]]
                if field.name != "recall":
                    names += [f"{name}({field.name}={value}){cut}" for value in PARAMETERS[field.name]]
    return list(dict.fromkeys(name for each in names for name in canonical(each)))


def canonical(name: str) -> list[str]:
    """The measure's own spelling of its name; nothing for a measure that cannot be cut."""
    try:
        return [str(mensura.parse_measure(name))]
    except MeasureError as error:
        if "has no cut-off" in str(error):
            return []
        raise


class Refusal(Exception):
    """A door says no, in one sentence."""


@dataclass(frozen=True)
class Campaign:
    """Files of a simulated campaign: nine systems, of which eight choose the decimals, tied scores, and missing topics."""

    folder: Path
    grades: tuple[int, ...]

    @classmethod
    def simulate(cls, folder: Path, highest: int) -> Campaign:
        """Write one."""
        options = (
            f"--systems 9 --topics 8 --documents 60 --relevant 6 --depth 20 --pool 10 --missing 0.05 --seed 5 --grades {highest}"
        )
        done = call(["simulate", "-o", str(folder), *options.split()])
        assert done.returncode == 0, done.stderr
        assert "4 missing topics" in done.stdout, done.stdout
        return cls(folder, tuple(range(highest + 1)))

    @property
    def qrels(self) -> Path:
        """The judgments."""
        return self.folder / "qrels.txt"

    @property
    def runs(self) -> list[Path]:
        """The runs."""
        return sorted((self.folder / "runs").iterdir(), key=lambda path: int(path.stem.removeprefix("sys")))

    @cached_property
    def evaluation(self) -> mensura.Evaluation:
        """All measures, as Python gives them."""
        return mensura.evaluate(self.qrels, self.runs, [name for name in measures() if name not in INCOMPLETE])

    @cached_property
    def means(self) -> dict[str, dict[str, float]]:
        """{measure: {system: mean}}: what every door must show."""
        return {
            str(scores.measure): dict(zip(scores.systems, scores.mean().tolist(), strict=True)) for scores in self.evaluation.scores
        }

    def command(self, command: str, names: list[str], *options: str) -> str:
        """The output of a command about the campaign."""
        return run(command, str(self.qrels), *map(str, self.runs), *(word for name in names for word in ("-m", name)), *options)


Numbers = dict[Any, Any]


def run(*words: str) -> str:
    """The output of a command; exit 2 is a refusal."""
    done = call(list(words))
    if done.returncode == 2:
        raise Refusal(done.stderr)
    assert done.returncode == 0, done.stderr
    return done.stdout


def table(text: str) -> list[dict[str, str]]:
    """Rows of a csv file."""
    return list(csv.DictReader(io.StringIO(text)))


def by_measure(cells: Any) -> dict[str, Numbers]:
    """{measure: {key: number}} of (measure, key, number)."""
    grouped: dict[str, Numbers] = {}
    for measure, key, number in cells:
        grouped.setdefault(measure, {})[key] = number
    return grouped


def number(cell: str | float | None) -> float:
    """A mean; an empty cell is that of no topic at all."""
    return math.nan if cell in {None, ""} else float(cell)


def evaluate_csv(campaign: Campaign, names: list[str]) -> dict[str, Numbers]:
    text = campaign.command("evaluate", names, "-f", "csv")
    return by_measure((row["measure"], row["system"], number(row["mean"])) for row in table(text))


def evaluate_csv_topics(campaign: Campaign, names: list[str]) -> dict[str, Numbers]:
    text = campaign.command("evaluate", names, "-f", "csv", "-q")
    return by_measure((row["measure"], (row["system"], row["topic"]), float(row["value"])) for row in table(text))


def evaluate_json(campaign: Campaign, names: list[str]) -> dict[str, Numbers]:
    document = json.loads(campaign.command("evaluate", names, "-f", "json"))
    return by_measure((row["measure"], row["system"], number(row["mean"])) for row in document["means"])


def evaluate_json_topics(campaign: Campaign, names: list[str]) -> dict[str, Numbers]:
    document = json.loads(campaign.command("evaluate", names, "-f", "json", "-q"))
    return by_measure((row["measure"], (row["system"], row["topic"]), row["value"]) for row in document["values"])


def cells_of(line: str) -> list[str]:
    """Cells of a line of a text table."""
    return re.split(r" {2,}", line.strip())


def evaluate_table(campaign: Campaign, names: list[str]) -> dict[str, Numbers]:
    lines = [cells_of(line) for line in campaign.command("evaluate", names).splitlines()]
    body = [line for line in lines if len(line) == 2 + len(names) and line[1].startswith("sys") and line[1] != "system"]
    return {name: {line[1]: line[2 + column] for line in body} for column, name in enumerate(names)}


def evaluate_table_topics(campaign: Campaign, names: list[str]) -> dict[str, Numbers]:
    lines = [cells_of(line) for line in campaign.command("evaluate", names, "-q").splitlines()]
    body = [line for line in lines if len(line) == 2 + len(names) and line[1] == "mean"]
    return {name: {line[0]: line[2 + column] for line in body} for column, name in enumerate(names)}


def evaluate_trec_eval(campaign: Campaign, names: list[str]) -> dict[str, Numbers]:
    """Aggregates: means, and sums of counts; with all four decimals of trec_eval, where ``P`` is a series of cut-offs."""
    lines = [
        line.split("\t")
        for line in campaign.command(
            "evaluate", ["set_P" if name == "P" else name for name in names], "-f", "trec_eval"
        ).splitlines()
    ]
    boards: dict[str, dict[str, str]] = {}
    for label, _, shown in lines:
        if label.strip() == "runid":
            board = boards[shown] = {}
        else:
            board[label.strip()] = shown
    return {name: {run: board[label_of(mensura.parse_measure(name))] for run, board in boards.items()} for name in names}


def evaluate_interval(campaign: Campaign, names: list[str]) -> dict[str, Numbers]:
    """Means, beside ranks on the interval scale."""
    text = campaign.command("evaluate", names, "-f", "csv", "--interval")
    return by_measure((row["measure"], row["system"], float(row["mean"])) for row in table(text))


def compare_csv(campaign: Campaign, names: list[str]) -> dict[str, Numbers]:
    text = campaign.command("compare", names, "-f", "csv", "--rows", "systems", "--test", "t")
    return by_measure((row["measure"], row["system"], float(row["mean"])) for row in table(text))


def compare_json(campaign: Campaign, names: list[str]) -> dict[str, Numbers]:
    document = json.loads(campaign.command("compare", names, "-f", "json", "--test", "sign"))
    return by_measure(
        (found["measure"], row["system"], row["mean"]) for found in document["comparisons"] for row in found["systems"]
    )


def compare_table(campaign: Campaign, names: list[str]) -> dict[str, Numbers]:
    text = campaign.command("compare", names, "--test", "t", "--pairs", "0")
    numbers: dict[str, Numbers] = {}
    for name, part in zip(names, re.split(r"^(?=\S.*: 9 systems, 8 topics$)", text, flags=re.MULTILINE)[1:], strict=True):
        assert part.startswith(f"{name}: "), part
        body = [cells_of(line) for line in part.splitlines()]
        numbers[name] = {line[1]: line[2] for line in body if len(line) > 3 and re.fullmatch(r"sys\d+", line[1])}
    return numbers


def compare_interval(campaign: Campaign, names: list[str]) -> dict[str, Numbers]:
    """Mean ranks."""
    text = campaign.command("compare", names, "-f", "csv", "--rows", "systems", "--test", "t", "--scale", "interval")
    return by_measure((row["measure"], row["system"], float(row["mean"])) for row in table(text))


def mean_ranks(campaign: Campaign, names: list[str]) -> dict[str, Numbers]:
    """The mean ranks that :func:`compare_interval` must show; of rank / steps, if topics have scales of their own."""
    text = campaign.command("evaluate", names, "-f", "csv", "--interval")
    own = {name for name in names if mensura.parse_measure(name).on_topics.scale_per_topic}
    shown = ((row, row["mean_low" if row["measure"] in own else "mean_rank"]) for row in table(text))
    return by_measure((row["measure"], row["system"], float(mean)) for row, mean in shown if mean)


def meaning(campaign: Campaign, names: list[str]) -> dict[str, Numbers]:
    document = json.loads(campaign.command("meaning", names, "-f", "json", "--pairs"))
    return by_measure((row["measure"], row[side], row[f"mean_{side}"]) for row in document for side in ("better", "worse"))


def meaning_counts(campaign: Campaign, names: list[str]) -> dict[str, Numbers]:
    """The order of systems by their means."""
    document = json.loads(campaign.command("meaning", names, "-f", "json"))
    return {found["measure"]: dict.fromkeys(found["ranking"]) for found in document}


def report(campaign: Campaign, names: list[str]) -> dict[str, Numbers]:
    """The leaderboard of a report: several tables, in each for each measure place, mean, interval and group."""
    with drawn_by_nobody():
        page = read(campaign.command("report", names, "--test", "t"))
    boards = (table for table in page.all("table") if table.one("caption").text.startswith("Leaderboard"))
    numbers: dict[str, Numbers] = {name: {} for name in names}
    left = list(names)
    while left:
        board = next(boards)
        for place, system, *cells in rows(board):
            columns = [place, *cells] if len(cells) % 4 == 3 else cells  # further tables repeat the first measure's place
            shown = left[: len(columns) // 4]
            assert len(columns) == 4 * len(shown), cells
            numbers |= {name: numbers[name] | {system: columns[4 * at + 1]} for at, name in enumerate(shown)}
        left = left[len(shown) :]
    return numbers


@contextmanager
def drawn_by_nobody() -> Iterator[None]:
    """Charts are described but not drawn, which takes a second for each measure and shows no further number."""
    import vl_convert

    drawing = vl_convert.vegalite_to_svg
    vl_convert.vegalite_to_svg = lambda *_, **__: (
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" viewBox="0 0 9 9"></svg>'
    )
    try:
        yield
    finally:
        vl_convert.vegalite_to_svg = drawing


def study(campaign: Campaign, names: list[str]) -> dict[str, Numbers]:
    """Measures without cut-offs; a study cuts them itself. Runs."""
    folder = tempfile.mkdtemp(dir=campaign.folder.parent)
    try:
        with drawn_by_nobody():
            campaign.command("study", names, "-o", folder, "--lengths", str(LENGTH), "--tests", "t", "--ties", "unq")
        found = json.loads((Path(folder) / "study.json").read_bytes())
        known = {str(mensura.parse_measure(name)) for name in found["parameters"]["measures"]}
    finally:
        shutil.rmtree(folder)
    return {name: {} for name in names if str(mensura.parse_measure(name)) in known}


def scale(campaign: Campaign, names: list[str]) -> dict[str, Numbers]:
    """The number of steps of each interval scale."""
    grades = ",".join(map(str, campaign.grades))
    return {
        name: {"steps": json.loads(run("scale", name, "--grades", grades, "--run", "0", "-f", "json"))["steps"]} for name in names
    }


def properties(campaign: Campaign, names: list[str]) -> dict[str, Numbers]:
    """The type of scale."""
    grades = ",".join(map(str, campaign.grades))
    length = () if all(mensura.parse_measure(name).cutoff for name in names) else ("--length", str(LENGTH))
    document = json.loads(run("properties", *names, "--grades", grades, *length, "-f", "json"))
    return {row["measure"]: {"scale": row["scale"]} for row in document}


def facts(campaign: Campaign, names: list[str]) -> dict[str, Numbers]:
    """``mensura measures``."""
    return {row["measure"]: {"better": row["better"]} for row in json.loads(run("measures", *names, "-f", "json"))}


def facts_table(campaign: Campaign, names: list[str]) -> dict[str, Numbers]:
    text = run("measures", *names)
    return {name: {} for name in names if name in text}


def adm(campaign: Campaign, names: list[str]) -> dict[str, Numbers]:
    rows = table(campaign.command("adm", names, "-f", "csv"))
    own = [(row["measure"], row["system"], float(row["adm"])) for row in rows]
    return by_measure([*own, *((name, row["system"], number(row[name])) for row in rows for name in names if name in row)])


def python_score(campaign: Campaign, names: list[str]) -> dict[str, Numbers]:
    from mensura.judged.entrance import EVERYTHING, begin, collect

    judged = collect(begin(campaign.qrels, campaign.runs, EVERYTHING))
    means = mensura.score(judged, names).means()
    return by_measure((name, system, mean) for system, board in means.items() for name, mean in board.items())


def python_compare(campaign: Campaign, names: list[str]) -> dict[str, Numbers]:
    comparisons = mensura.compare(mensura.evaluate(campaign.qrels, campaign.runs, names), test="t", correction="holm")
    return by_measure(
        (str(found.measure), system, mean)
        for found in comparisons
        for system, mean in zip(found.systems, found.mean.tolist(), strict=True)
    )


def python_leaderboard(campaign: Campaign, names: list[str]) -> dict[str, Numbers]:
    judged = campaign.evaluation.judged
    boards = {name: leaderboard(mensura.parse_measure(name), judged, interval=False) for name in names}
    return {name: dict(zip(board.systems, np.asarray(board.means).tolist(), strict=True)) for name, board in boards.items()}


def python_interval(campaign: Campaign, names: list[str]) -> dict[str, Numbers]:
    length = {name: None if mensura.parse_measure(name).cutoff else LENGTH for name in names}
    return {
        name: {"steps": mensura.interval_scale(name, length[name], campaign.grades, recall_base=topic_of(campaign, name)).steps}
        for name in names
    }


def scale_doors(campaign: Campaign, name: str) -> dict[str, str]:
    """The refusal of mean ranks of a measure by each door that shows some; empty where there are means."""
    evaluation = mensura.score(campaign.evaluation.judged, [name])
    doors: dict[str, Callable[[], Any]] = {
        "evaluate --interval": lambda: evaluate_interval(campaign, [name]),
        "compare --scale interval": lambda: compare_interval(campaign, [name]),
        "Python compare": lambda: mensura.compare(evaluation, scale="interval", test="t", correction="holm"),
    }
    if isinstance(evaluation.scores[0].measure, Aggregated) or evaluation.scores[0].measure.cutoff is not None:
        doors["Python ranks"] = evaluation.scores[0].on_interval_scale
    answers = {}
    for door, ask in doors.items():
        try:
            ask()
            answers[door] = ""
        except (Refusal, mensura.MensuraError) as refusal:
            answers[door] = str(refusal).removeprefix("mensura: ").removesuffix("\n")
    return answers


def topic_of(campaign: Campaign, name: str) -> dict[int, int] | None:
    """The topic that the page takes for a measure with a scale for each topic: as many documents of each grade as ranks."""
    measure = mensura.parse_measure(name).on_topics
    if not measure.scale_per_topic:
        return None
    return dict.fromkeys(campaign.grades if measure.graded else (0, 1), measure.cutoff or LENGTH)


class Site:
    """The web page, in this process: one client with a campaign uploaded."""

    def __init__(self, request: Callable[..., httpx.Response]) -> None:
        self.request = request
        self.held: Path | None = None

    def upload(self, campaign: Campaign) -> None:
        """Put the files of a campaign into the session."""
        if self.held != campaign.folder:
            self.request("DELETE", "/api/session")
            for kind, path in [("qrels", campaign.qrels), *(("run", path) for path in campaign.runs)]:
                answer = self.request("POST", "/api/files", params={"kind": kind, "name": path.name}, content=path.read_bytes())
                assert answer.status_code == 201, answer.text
            self.held = campaign.folder

    def get(self, path: str, **query: str) -> Any:
        """Ask; a refusal is one sentence."""
        answer = self.request("GET", path, params=query)
        if answer.status_code == 422:
            raise Refusal(f"mensura: {answer.json()['detail']}\n")
        assert answer.status_code == 200, answer.text
        return answer.json()

    def evaluate(self, campaign: Campaign, names: list[str], compare: dict[str, str] | None) -> dict[str, Any]:
        """The result of an evaluation."""
        self.upload(campaign)
        answer = self.request("POST", "/api/evaluations", json={"measures": names, "compare": compare})
        assert answer.status_code == 202, answer.text
        job = answer.json()
        while job["state"] in {"waiting", "running"}:
            time.sleep(0.02)  # each question takes milliseconds of processor from the answer
            job = self.request("GET", f"/api/evaluations/{job['id']}").json()
        if job["state"] == "failed":
            assert "internal error" not in job["error"], job["error"]
            assert "fault of Mensura" not in job["error"], job["error"]
            raise Refusal(f"mensura: {job['error']}\n")
        assert job["state"] == "done", job
        return job["result"]

    def leaderboard(self, campaign: Campaign, names: list[str]) -> dict[str, Numbers]:
        """Means."""
        numbers: dict[str, Numbers] = {}
        for start in range(0, len(names), 20):
            part = names[start : start + 20]
            board = self.evaluate(campaign, part, None)["rows"]
            numbers |= {name: {row["system"]: row["means"][column] for row in board} for column, name in enumerate(part)}
        return numbers

    def comparison(self, campaign: Campaign, names: list[str]) -> dict[str, Numbers]:
        """Means of the comparison, which is by the first measure."""
        options = {"test": "t", "correction": "holm"}
        results = {name: self.evaluate(campaign, [name], options)["comparison"] for name in names}
        return {name: {row["system"]: row["mean"] for row in found["systems"]} for name, found in results.items()}

    def scale(self, campaign: Campaign, names: list[str]) -> dict[str, Numbers]:
        """Steps of scales."""
        grades = ",".join(map(str, campaign.grades))
        return {name: {"steps": int(self.get("/api/scale", measure=name, grades=grades)["steps"])} for name in names}

    def properties(self, campaign: Campaign, names: list[str]) -> dict[str, Numbers]:
        """Types of scales."""
        grades = ",".join(map(str, campaign.grades))
        return {name: {"scale": self.get("/api/properties", measure=name, grades=grades)["scale"]} for name in names}

    def adm(self, campaign: Campaign, names: list[str]) -> dict[str, Numbers]:
        """Means of one system."""
        self.upload(campaign)
        first = campaign.runs[0].stem
        return {name: {first: self.get("/api/adm", measure=name, system=first)["mean"]} for name in names}
