"""Outputs of programs: the numbers of topics and the values of measures in them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from mensura.lint.sizes import CUES, EVALUATED, PURPOSE, TOLD, TRAINED, Size, sizes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mensura.lint.readers.document import Output

TOPICS = (
    r"(?:quer(?:y|ies)|topics?|questions?|qids?|users?|tweets?|claims?|eval\w*|test\w*|dev\w*|examples?|samples?|dataset|gold\w*)"
)
QUERIES = re.compile(r"(?<![a-z])(?:queries|topics|qids?|questions)(?![a-z])", re.IGNORECASE)
COUNTING = re.compile("|".join(map(re.escape, CUES)), re.IGNORECASE)
NAMED = re.compile(rf"(?<![a-z]){TOPICS}(?![a-z])", re.IGNORECASE)
BAR = re.compile(r"(?P<what>[^\n\r|%]{0,60}?)\b100%\|[^|\n]{1,80}\|\s{0,4}(?P<count>\d{1,7})/(?P=count)\b")  # of tqdm
LOOP = re.compile(r"\btqdm\w*\((?P<what>[^\n]{1,100})")
FRAME = re.compile(r"(?:^\[|<p>|\bRangeIndex: )(?P<count>\d{1,7}) (?:rows|entries)\b", re.MULTILINE)
SHAPE = re.compile(r"\A\s*\(?(?P<count>\d{1,7})(?:, \d{1,6}\))?\s*\Z")  # len(queries), queries.shape
LAST = re.compile(r"(?:\A|\n)(?P<what>[^\n]+)\s*\Z")
NAME_ONLY = re.compile(r"(?:display\(|print\()?[\w.]{1,80}(?:\(\)|\[[^\]]{0,60}\])?(?:\.info\(\))?\)?")  # of a frame that is shown
LENGTH = re.compile(r"\blen\((?P<what>[^()\n]{1,60})\)|(?P<frame>[\w.\[\]'\"]{1,60})\.shape\b")
COUNTS = re.compile(r"(?P<what>[^\n\d]{3,60}?)[ :=-]\s{0,2}(?P<count>\d{2,7})\s*$", re.MULTILINE)
LENGTHS = re.compile(r"\b(?:length|size|number|count|total|loaded|evaluat\w+)\b", re.IGNORECASE)

NAME = (
    r"(?:n?dcg|g?map(?:gp)?|ma[gi]p|mrr|recip_?rank|(?:avg|average|mean)[_ ](?:precision|recall|reciprocal[_ ]rank)|precision|recall|hit(?:s|[_ -]?(?:rate|ratio))?|hr|success|bpref|r-?prec"
    r"|rbp|err|(?:ap|rr)(?=[ _@]\w)|[pr](?=\s?@))"
)
VALUE = re.compile(
    rf"(?<![a-z])(?<!context[_ ])(?P<name>{NAME}(?:\s?@\s?|_cut_|_at_|_|\()?(?:\d{{1,4}}|k\b)?\)?)(?:[ _](?:score|mean|avg|average|value|all|test|dev))?['\"\]`)]{{0,3}}"
    r"\s{0,12}(?P<sign>[:=|]|(?<=['\")]),|-{1,2}>?|\ball\b|\bis\b|\bof\b)?\s{0,12}(?:np\.float\d{0,2}\(|tensor\(|\*{2})?(?P<value>[01]?\.\d{3,20}|\d{1,2}\.\d{2,18}\s?%)(?![\w.]|\s?[/*×·+]\s?\d)(?(sign)|(?!\s+[-−]?\d*\.\d))",
    re.IGNORECASE,
)
RAW = re.compile(r"(?<![\w.])[01]?\.\d{10,20}(?![\w.])")  # floats as they are
KEYED = re.compile(r"\b\d{1,4}: (?:np\.float\d{0,2}\()?$")  # of a dict by cut-off
DEEPEST = 3  # calls from a function to one that computes a measure
MOST_RAW = 3  # in a line without names; more are a vector
EVALUATES = re.compile(
    r"n?dcg|mrr|recip|average_?precision|(?<![a-z])map(?=@|_at|_score|_cut|_k\b)|mean_?ap(?![a-z])|hit_?rate|hits?_?at|recall_?(?:at|@)|precision_?(?:at|@)|p_?found|bpref|trec_?eval|reciprocal",
    re.IGNORECASE,
)
DEFINED = re.compile(r"^(?:async )?def (?P<name>\w+)\((?P<body>[^\n]*\n(?:(?:[ \t)][^\n]*)?\n)*)", re.MULTILINE)
OTHER = re.compile(
    r"loss|\btime|second|elapsed|latency|\bscores?\b|similar|distan|prob|weight|\btau\b|\brho\b|corr|p-?_?val|statistic|\blr\b|learning|rmse|\bmae\b|entropy|perplex|\bauc\b"
    r"|\bstd|var|embed|alpha|lambda|threshold|\bparam|idf|\btf\b|cosine|rank\b|improve|gain|delta|diff",
    re.IGNORECASE,
)
PROMPT = re.compile(r"^\s{0,8}(?:\$|>>>|In \[\d*\]:) ", re.MULTILINE)  # of a session that shows how a tool is used
LOG = re.compile(r"\bloss\b|\bepoch\b|\bsteps?\b|it/s|/step", re.IGNORECASE)
ONE = re.compile(
    r"\W{0,4}(?:query|topic|question|qid|user|q|doc|document|rank)\b\W{0,3}#?\w{0,12}\d", re.IGNORECASE
)  # of a line about one


class PrintedMean(NamedTuple):
    """A mean of a measure that a program printed: where, the number, and the name; nothing for a float as it is, in a cell that evaluates."""

    start: int
    text: str
    name: str
    line: str = ""


def sizes_in(output: Output) -> Iterator[Size]:
    """Yield the numbers of topics that an output states: in words, by a progress bar, or as the length of what its cell names."""
    if COUNTING.search(output.text):
        for line in output.text.split("\n"):
            yield from sizes(line)
    if not output.code:
        return
    last = LAST.search(output.code.rstrip())
    shown = last["what"] if last is not None else ""
    looped = LOOP.search(output.code)
    for bar in BAR.finditer(output.text) if "100%|" in output.text else ():
        what = bar["what"] if NAMED.search(bar["what"]) else looped["what"] if looped is not None else ""
        yield from _size(what, bar["count"])
    frame = FRAME.search(output.text)
    if frame is not None and NAME_ONLY.fullmatch(shown.strip()):
        yield from _size(shown, frame["count"])
    whole, length = SHAPE.match(output.text), LENGTH.search(shown)
    if whole is not None and length is not None:
        yield from _size(length["what"] or length["frame"], whole["count"])
    if LENGTH.search(output.code):
        for told in COUNTS.finditer(output.text):
            if LENGTHS.search(told["what"]):
                yield from _size(told["what"], told["count"])


def _size(what: str, count: str) -> Iterator[Size]:
    """Yield the number of what a program names, if these may be topics."""
    names = what.replace("_", " ")
    if NAMED.search(what) and int(count) > 1:
        purpose = PURPOSE.search(names)
        use = TOLD if purpose is None and QUERIES.search(what) is None else EVALUATED
        yield Size(int(count), TRAINED if purpose is not None and purpose["train"] else use)


def evaluating(blocks: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern for what evaluates: names of measures, and those of functions that compute one, or call such a function."""
    bodies = {match["name"]: match["body"] for block in blocks for match in DEFINED.finditer(block + "\n")}
    pattern = EVALUATES
    for _ in range(DEEPEST):
        names = "|".join(name for name, body in bodies.items() if pattern.search(body))
        if not names:
            break
        pattern = re.compile(rf"{EVALUATES.pattern}|\b(?:{names})\(", re.IGNORECASE)
    return pattern


def values_in(output: Output, measures: re.Pattern[str] = EVALUATES) -> Iterator[PrintedMean]:
    """Yield the values of measures in an output; those of single topics and of training are none."""
    if not output.code and PROMPT.search(output.text):
        return
    evaluates = measures.search(output.code) is not None
    at = output.start
    for line in output.text.split("\n"):
        if "." in line and not ONE.match(line):
            named = [PrintedMean(at + match.start("value"), match["value"], match["name"], line) for match in VALUE.finditer(line)]
            if not LOG.search(line):
                yield from named
            if evaluates and not named:
                yield from _raw(line, at)
        at += len(line) + 1


def _raw(line: str, at: int) -> Iterator[PrintedMean]:
    """Yield the floats that a line has as they are."""
    floats = list(RAW.finditer(line))
    keyed = bool(floats) and all(KEYED.search(line, max(0, match.start() - 24), match.start()) for match in floats[1:])
    if floats and (len(floats) <= MOST_RAW or keyed) and not OTHER.search(line):
        yield from (PrintedMean(at + match.start(), match[0], "") for match in floats)
