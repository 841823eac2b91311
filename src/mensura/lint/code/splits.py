"""Splits of a program: topics, users or pairs that are divided once into those for training and those for the test."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from mensura.lint.code.program import Program, ProgramNode, name_of, pieces_of, strings
from mensura.lint.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDS = re.compile(
    r"K_?Fold|cross_val|Stratified(?!_?train|_?test|_?split)|ShuffleSplit|LeaveOne|n_splits|n_folds|num_folds|^k?_?folds?$|_folds?$",
    re.IGNORECASE,
)
DIVIDES = re.compile(  # functions that divide data, by their names; not those that cut texts or divide by time
    r"(?:\w*_)?(?:train_?(?:(?:val(?:id(?:ation)?)?|dev)_?)?(?:(?:and_)?test_?)?split(?:_by_\w+)?|(?:random|ratio|query|queries|topics?|users?|holdout|hold_out|stratified|dataset|data)_?split(?:ter)?"
    r"|(?:\w*_)?split_(?:by_(?:query|queries|topic|qid|user|users|question|group)s?|data(?:set)?|queries|topics|qids|users|questions|ratings|interactions|sessions|train\w*|pairs)(?:_\w+)?|randomSplit)|RatioSplit|RandomSplit",
    re.IGNORECASE,
)
TOPICS = {"topic", "topics", "query", "queries", "qid", "qids", "qrels", "question", "questions", "user", "users"}
TIMED = {"temporal", "chrono", "chronological", "time", "timestamp", "date", "leave", "last"}
TRAINING = {"train", "training", "trainset", "trn"}
TESTING = {"test", "testing", "testset", "tst", "heldout", "holdout", "eval", "evaluation"}
NESTED = 2  # calls: set(sample(…))
DRAWS = {"sample", "choice", "choices", "permutation"}
FIRST_FOLD = re.compile(r"(?<![a-z])fold[_-]?1(?!\d)", re.IGNORECASE)
OTHER_FOLD = re.compile(r"(?<![a-z])fold[_-]?[2-9]", re.IGNORECASE)


def check_splits(program: Program) -> Iterator[Hit]:
    """Yield the first split into training and test data, if rankings are evaluated and nothing is repeated."""
    if not program.retrieves or program.detects or any(FOLDS.search(word) for word in program.words):
        return
    ranks = program.searches and program.evaluates
    parts = _Parts(program)
    for place in program.places:
        if _is_repeated(program, place) or not (
            isinstance(place.node, ast.If) or (isinstance(place.node, ast.Assign) and not place.looped)
        ):
            continue
        if isinstance(place.node, ast.If):
            divided = ranks and _flips(place.node)
        else:
            divided = _divides(program, place.node, ranks=ranks) or (
                ranks and (parts.cuts(place, place.node) or _draws(place.node))
            )
        if divided:
            yield Hit("M501", place.start, place.end, " ".join(ast.unparse(place.node).split())[:60])
            return
    if ranks:
        yield from _first_fold(program)


def _is_repeated(program: Program, place: ProgramNode) -> bool:
    """Return whether the function that a place is in is called in a loop."""
    return place.function != "" and any(call.looped for call in program.calls if call.name == place.function)


def _divides(program: Program, node: ast.Assign, *, ranks: bool) -> bool:
    """Return whether a call divides data, one part of which is for the test, and is looked at later or is of topics."""
    call = node.value
    if not (isinstance(call, ast.Call) and DIVIDES.fullmatch(name_of(call.func))) or TIMED & {*pieces_of(name_of(call.func))}:
        return False
    if any(
        TOPICS & {*pieces_of(name)}
        for argument in call.args
        for each in ast.walk(argument)
        for name in (name_of(each), *_text(each))
    ):
        return True
    names = {name_of(each) for each in ast.walk(node.targets[0])} - {""}
    parts = {name for name in names if TESTING & {*pieces_of(name)}}
    if not parts and not program.pieces & TESTING - {"eval", "evaluation"}:
        parts = names
    return ranks and any(
        isinstance(place.node, ast.Name) and place.node.id in parts and isinstance(place.node.ctx, ast.Load)
        for place in program.places
    )


def _text(node: ast.AST) -> tuple[str, ...]:
    return (node.value,) if isinstance(node, ast.Constant) and isinstance(node.value, str) else ()


class _Parts:
    """The parts that a program cuts data into: ``train = users[:n]`` and ``test = users[n:]``, or by a mask."""

    def __init__(self, program: Program) -> None:
        self.beginnings = {  # by function, data, and the place or the mask
            (place.function, ast.unparse(place.node.value), ast.unparse(bound))
            for place in program.places
            if isinstance(place.node, ast.Subscript)
            and (bound := place.node.slice.upper if isinstance(place.node.slice, ast.Slice) else place.node.slice) is not None
        }
        self.endings = {  # for training, by function and data
            (function, ast.unparse(value.value))
            for (function, name), values in program.assignments.items()
            if TRAINING & {*pieces_of(name)}
            for value in values
            if isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Slice) and value.slice.lower is not None
        }

    def cuts(self, place: ProgramNode, node: ast.Assign) -> bool:
        """Return whether an assignment has the part for the test."""
        names = {piece for target in node.targets for each in ast.walk(target) for piece in pieces_of(name_of(each))}
        for part in ast.walk(node.value):
            match part:
                case ast.Subscript(
                    value=whole,
                    slice=ast.Slice(lower=ast.expr() as bound, upper=None) | ast.UnaryOp(op=ast.Invert(), operand=bound),
                ):
                    split = names & TESTING or (TESTING | {"split"}) & {*pieces_of(name_of(bound))}
                    if split and (place.function, ast.unparse(whole), ast.unparse(bound)) in self.beginnings:
                        return True
                case ast.Subscript(value=whole, slice=ast.Slice(lower=None, upper=ast.expr())):
                    if names & TESTING and (place.function, ast.unparse(whole)) in self.endings:
                        return True
                case ast.Call(func=ast.Attribute(attr="drop"), args=[ast.Attribute(attr="index", value=rest)]):
                    if names & TESTING and TRAINING & {*pieces_of(name_of(rest))}:
                        return True
        return False


def _flips(node: ast.AST) -> bool:
    """Return whether chance decides where something goes: ``if random.random() < test_size:``."""
    match node:
        case ast.If(test=ast.Compare(left=ast.Call(func=function), comparators=[bound])):
            pieces = {*pieces_of(name_of(bound))}
            return name_of(function) in {"random", "rand", "uniform"} and bool(pieces & (TESTING | TRAINING | {"split", "holdout"}))
    return False


def _draws(node: ast.Assign) -> bool:
    """Return whether what is tested on is drawn: ``test_ids = random.sample(ids, 100)``."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if TESTING - {"eval", "evaluation"} & {*pieces_of(name)}:
            called = [node for node in ast.walk(value) if isinstance(node, ast.Call)]
            return len(called) <= NESTED and any(name_of(call.func) in DRAWS and call.args for call in called)
    return False


def _first_fold(program: Program) -> Iterator[Hit]:
    """The first of several folds of a collection, where no other is used."""
    texts = [(place, text) for place in program.places if isinstance(place.node, ast.Constant) for text in strings(place.node)]
    first = [place for place, text in texts if FIRST_FOLD.search(text) and "/" in text + "/" and len(text) < LONGEST]
    if first and not any(OTHER_FOLD.search(text) for _, text in texts) and not any(place.looped for place in first):
        yield Hit("M501", first[0].start, first[0].end, "the first of several folds")


LONGEST = 200  # characters of a path
