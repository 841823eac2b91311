"""Numbers of topics in a program: those that it names, lists or tells of, and those of the collections that it loads."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from mensura.lint.code.program import SHORT, Call, Program, ProgramNode, name_of, strings
from mensura.lint.known_collections import Mention, mentioned
from mensura.lint.sizes import EVALUATED, TOLD, TRAINED, Size, sizes

if TYPE_CHECKING:
    from collections.abc import Iterator

TOPICS = r"(?:topics?|quer(?:y|ies)|questions?)"
TESTED = r"(?:eval(?:uation)?|test|dev|max)"
SAMPLES = r"(?:examples|cases|samples|size|instances)"
NUMBERED = re.compile(  # num_queries, MAX_EXAMPLES, eval_size, n_test_questions
    rf"(?:n|num|nb|number_of|max|limit|total|sample|subset|n_sample)s?_(?:\w+_)?{TOPICS}|(?:\w+_)?{TOPICS}_(?:count|limit|n|num|size|samples?|subset)(?:_size)?"
    rf"|(?:n_|num_|max_)?(?!test_size){TESTED}_(?:\w+_)?{SAMPLES}|n_(?:eval|test)",
    re.IGNORECASE,
)
ASIDE = re.compile(  # numbers of other things
    r"latency|warm|smoke|debug|demo|show|print|log|top|batch|per|chunk|neg|shots?|token|new|calib|worker|length|len|vocab|every|steps?|interval|expan|generat|variant"
    r"|rewrit|boot|iter|split|width|depth|negatives?|docs?|doc|documents?|passages?|candidates?|beams?",
    re.IGNORECASE,
)
LISTED = re.compile(  # names of what is listed in a program: EVAL_QUERIES, test_cases, GOLD
    r"(?:\w+_)?(?:queries|questions|topics|qrels|test_cases|eval_cases|(?:eval|test|gold(?:en)?|benchmark|qa)_?(?:set|data|dataset|pairs|cases|items)?|ground_truth)",
    re.IGNORECASE,
)
OFFERS = {"add_argument", "Option", "Argument", "Field", "option", "argument", "field"}  # calls that give a default
COMMENT = re.compile(r"#[^\n]*")
SPOKEN = re.compile(
    r"\d.{0,80}(?:quer(?:y|ies)|topics?|questions?|cases|examples|users|sessions|pairs)\b|\bquer(?:y|ies)\b.{0,100}\d",
    re.IGNORECASE,
)
LONGEST = 400  # characters of a string that tells a number of topics
FEWEST = 3  # topics
LEAST, MANY = 10, 20  # topics of an evaluation, and others, that words in a program tell of; fewer are those of an example
MODELLED = {"lda", "gensim", "latentdirichletallocation"}  # topics of another kind
TOY = re.compile(r"(?<![a-z])(?:sample|toy|example|dummy|demo|mock|fake|smoke|debug|warmup|train)(?![a-z])", re.IGNORECASE)


def counted(program: Program) -> list[tuple[int, Size]]:
    """Return the numbers of topics that a program states, and where: as constants and defaults, as lists of queries, or in words."""
    return [*_numbered(program), *_listed(program), *_told(program)]


def _numbered(program: Program) -> Iterator[tuple[int, Size]]:
    for place in program.places:
        for name, value in _named(place):
            topics = _number(value)
            if topics < FEWEST or not NUMBERED.fullmatch(name) or any(ASIDE.fullmatch(part) for part in name.split("_")):
                continue
            if "topic" not in name.lower() or not program.pieces & MODELLED:
                yield place.start, Size(topics, TRAINED if "train" in name.lower() else EVALUATED)


def _named(place: ProgramNode) -> Iterator[tuple[str, ast.expr | None]]:
    """Yield the names to which a place gives a value, with the values: variables, arguments, and options of a command line."""
    match place.node:
        case ast.Assign(targets=targets, value=value):
            yield from ((name_of(target), value) for target in targets)
        case ast.AnnAssign(target=target, value=value):
            yield name_of(target), value
        case ast.FunctionDef(args=arguments) | ast.AsyncFunctionDef(args=arguments):
            last = [*arguments.posonlyargs, *arguments.args]
            yield from ((each.arg, value) for each, value in zip(last[::-1], arguments.defaults[::-1], strict=False))
            yield from ((each.arg, value) for each, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True))
        case ast.Call(keywords=keywords):
            if isinstance(place, Call) and place.name in OFFERS:
                flags = [flag for argument in place.node.args for flag in strings(argument) if flag.startswith("-")]
                yield from ((flag.lstrip("-").replace("-", "_"), place.argument("default")) for flag in flags)
            else:
                yield from ((keyword.arg or "", keyword.value) for keyword in keywords)


def _number(node: ast.expr | None) -> int:
    """The number that an expression is if nobody says otherwise: ``100``, ``int(argv[1]) if argv[1:] else 100``, ``int(environ.get("N", "100"))``."""
    match node:
        case ast.Constant(value=int(number)) if type(number) is int:
            return number
        case ast.Constant(value=str(text)) if text.isdigit():
            return int(text[:9])
        case ast.IfExp(body=body, orelse=other):
            return _number(other) or _number(body)
        case ast.BoolOp(op=ast.Or(), values=values):
            return _number(values[-1])
        case ast.Call(func=function, args=[*_, last]) if name_of(function) in {"int", "get", "getenv", "Option", "Argument", "min"}:
            return _number(last) or max(map(_number, node.args))
        case ast.Call(args=[first, *_]):
            return _number(first) if name_of(node.func) in OFFERS else 0
    return 0


def _listed(program: Program) -> Iterator[tuple[int, Size]]:
    for place in program.places:
        if not isinstance(place.node, ast.Assign | ast.AnnAssign):
            continue
        name = name_of(place.node.targets[0] if isinstance(place.node, ast.Assign) else place.node.target)
        match place.node.value:
            case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items) if len(items) >= FEWEST and LISTED.fullmatch(
                name
            ):
                whole = all(
                    isinstance(item, ast.Constant | ast.Dict | ast.Tuple | ast.List | ast.Call | ast.JoinedStr) for item in items
                )
                texts = any(" " in text for item in items for text in strings(item))
            case ast.Dict(keys=items) if len(items) >= FEWEST and LISTED.fullmatch(name):
                whole = all(isinstance(item, ast.Constant) for item in items)
                texts = any(re.search(r"[ \d]", text) for item in items for text in strings(item))
            case _:
                continue
        if whole and texts and not TOY.search(name):
            yield place.start, Size(len(items), EVALUATED)


def _told(program: Program) -> Iterator[tuple[int, Size]]:
    lines = [
        (place.start, line)
        for place in program.places
        if isinstance(place.node, ast.Constant) and isinstance(place.node.value, str)
        for line in place.node.value.split("\n")
    ]
    lines += [(block.start + comment.start(), comment[0]) for block in program.blocks for comment in COMMENT.finditer(block.text)]
    for start, line in lines:
        if SPOKEN.search(line):
            yield from ((start, size) for size in sizes(line[:LONGEST]) if size.topics >= (MANY if size.use == TOLD else LEAST))


def collections(program: Program) -> list[Mention]:
    """Return the collections that a program names: in short strings, and in the names of what it loads them by."""
    short = {
        place.node.value
        for place in program.places
        if isinstance(place.node, ast.Constant) and isinstance(place.node.value, str) and len(place.node.value) <= SHORT
    }
    return mentioned(" ; ".join(sorted(program.words | short | set(program.imports) | set(program.imports.values()))))
