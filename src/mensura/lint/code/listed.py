"""Measures that a program lists: in lists and dictionaries of names, and in command lines of evaluation tools."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from mensura.lint.code.program import Program, ProgramNode, name_of, rendered
from mensura.lint.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

# Names of measures whose means the rules speak of, as libraries write them: trec_eval's, ranx', ir_measures', BEIR's, RecBole's.
NAMED = {
    "M101": re.compile(r"(?:m?rr|recip_?rank|mean_?reciprocal_?rank)(?:[@._]\w+|(?:_at|_cut)?[@._][\d,]*)?", re.IGNORECASE),
    "M102": re.compile(r"err(?:[@.]\w+|_at_\w+|_cut_\w+|-ia(?:@\d+)?)?", re.IGNORECASE),
    "M201": re.compile(r"(?:map|ap|m_ap|mean_?average_?precision)(?:[@._]\w+|(?:_at|_cut)?[@._][\d,]*)?", re.IGNORECASE),
}
ANY = re.compile(  # a name of some measure, with a cut-off or without
    r"(?:n?dcg|m?rr|m?ap|gm_map|err|recall|precision|prec|p|r|recip_rank|bpref|r-?prec|hit(?:_?rate)?s?|hr|success|s|f1|rbp|infap|judged|mean_average_precision)"
    r"(?:@\w+|[._]\d+(?:,\d+)*|_cut_\w+|_at_\w+|\d+)?",
    re.IGNORECASE,
)
RANKED = re.compile(  # a name that no classifier's measure has
    r"n?dcg.*|mrr.*|recip_?rank|m?ap@.*|map_(?:cut|at).*|(?:p|r|recall|precision|hit|hits|hr|success|s|hitrate)(?:@.+|[._]\d.*|_at_.+)|bpref|infap|rbp.*",
    re.IGNORECASE,
)
CUT = re.compile(r"[@._]\d")  # a measure with its cut-off was chosen
SHORT = 25  # characters of a name for readers
LISTED = 3  # names that make a list of measures
MOST = 0.5  # of the names in a list that has others too: columns of a table of results
PAIR = 2
OFFERS = re.compile(
    r"__all__|support|valid|avail|allow|known|choice|possible|accept|lower|higher|ascending|minimi[sz]e|maximi[sz]e|exclude|skip|ignore",
    re.IGNORECASE,
)
TOOL = re.compile(r"trec_?eval|ir_measures\b|pyserini\.eval", re.IGNORECASE)
CHOSEN = re.compile(r"(?:^|\s)-m[ =]?\s*(?P<name>[A-Za-z][\w.@,]*)")
WANTED = re.compile(r"(?<!\S)(?P<name>(?:AP|RR|MRR|MAP|ERR)(?:\([^()]*\))?(?:@\d+)?)(?!\S)")  # for ir_measures
SHELL = re.compile(r"^[ \t]*(?:!|%%?(?:bash|sh|script)\b)[^\n]*", re.MULTILINE)
CELL = re.compile(r"\A\s*%%(?:bash|sh|script)\b")


def listed(program: Program) -> Iterator[Hit]:
    """Yield the measures in lists of nothing but measures, or of mostly measures, whichever function they are for."""
    if not program.retrieves or "mensura" in program.libraries or program.detects:  # our own program says so itself
        return
    offered = _offered(program)
    for place in program.places:
        if place.function.startswith("test_") or id(place.node) in offered:
            continue
        for node, name in _names(place.node, objects=bool(program.libraries & {"ir_measures", "pyterrier"})):
            for code, pattern in NAMED.items():
                if pattern.fullmatch(name):
                    where = program.place.get(id(node), place)
                    yield Hit(code, where.start, where.end, name)


def _names(node: ast.AST, *, objects: bool = False) -> Iterator[tuple[ast.expr, str]]:
    """Yield the names in a list of measures, in a column of a list of rows, or in a dictionary that gives each another name."""
    match node:
        case ast.List(elts=elements, ctx=ast.Load()) | ast.Set(elts=elements) | ast.Tuple(elts=elements, ctx=ast.Load()):
            rows = [each.elts for each in elements if isinstance(each, ast.Tuple | ast.List)]
            if len(rows) == len(elements) and len(rows) >= PAIR and len({len(row) for row in rows}) == 1:
                for column in zip(*rows, strict=True):
                    yield from _known(list(column), objects=objects)
                return
        case ast.Dict(keys=keys, values=values) if all(0 < len(rendered(value)) <= SHORT for value in values):
            if not any(CUT.search(rendered(key)) for key in keys):
                return  # names of all measures of a library
            elements = [key for key in keys if key is not None]
        case _:
            return
    yield from _known(elements, objects=objects)


def _known(elements: list[ast.expr], *, objects: bool) -> Iterator[tuple[ast.expr, str]]:
    """Yield the names of measures, if elements are nothing else, or mostly."""
    names = [(each, _name(each, objects=objects)) for each in elements]
    known = [(each, name) for each, name in names if ANY.fullmatch(name)]
    ranked = [name for _, name in known if RANKED.fullmatch(name)]
    whole = len(known) == len(elements)
    if (
        (len(known) >= LISTED and whole)
        or (len(known) == PAIR and whole and ranked)
        or (len(known) >= LISTED and len(ranked) >= PAIR and len(known) >= MOST * len(elements))
    ):
        yield from known


def _name(node: ast.expr, *, objects: bool) -> str:
    """Return the name that an element of a list is: a string, or an object of ir_measures such as ``RR @ 10``."""
    match node:
        case ast.Constant() | ast.JoinedStr():
            return rendered(node).replace("{}", "10").rpartition("/")[2]
        case ast.BinOp(left=left, op=ast.MatMult()):
            return f"{_name(left, objects=True)}@10"
        case ast.Call(func=func) if objects:
            return name_of(func)
        case ast.Name() | ast.Attribute() if objects:
            return name_of(node)
    return ""


def _offered(program: Program) -> set[int]:
    """The identities of lists that say what a program accepts, not what it computes."""
    offered = set()
    for place in program.places:
        match place.node:
            case ast.Compare(comparators=comparators, ops=[ast.In() | ast.NotIn(), *_]):
                offered |= {id(each) for each in comparators}
            case ast.keyword(arg="choices", value=value):
                offered.add(id(value))
            case ast.Call(keywords=keywords):
                offered |= {id(keyword.value) for keyword in keywords if keyword.arg == "choices"}
            case ast.Assign(targets=[target], value=value) if OFFERS.search(name_of(target)):
                offered.add(id(value))
            case ast.Subscript(slice=ast.Constant(value=str()), value=value):
                offered.add(id(value))
    return offered


def commanded(program: Program) -> Iterator[Hit]:
    """Yield the measures that a program asks trec_eval or ir_measures for: ``trec_eval -m map qrels run``, in one text or a list of words."""
    if any(TOOL.search(block.text) for block in program.blocks):
        for place in program.places:
            if id(place.node) not in program.documentation:
                yield from _commands(place)
    for block in program.blocks:
        lines = [(0, block.text)] if CELL.match(block.text) else [(match.start(), match[0]) for match in SHELL.finditer(block.text)]
        for start, line in lines:
            for code, match in _asked(line):
                yield Hit(code, block.start + start + match.start("name"), block.start + start + match.end("name"), match["name"])


def _commands(place: ProgramNode) -> Iterator[Hit]:
    node = place.node
    if isinstance(node, ast.List | ast.Tuple):
        words = [rendered(each) or "{}" for each in node.elts]
        text = " ".join(words)
        if "-m" not in words and not TOOL.search(text):
            return
        text = text if TOOL.search(text) else f"trec_eval {text}"
    elif isinstance(node, ast.Constant | ast.JoinedStr | ast.BinOp):
        text = rendered(node)
        if "-m" in text and (text.startswith("-") or (not TOOL.search(text) and TOOL.search(ast.unparse(node)))):
            text = f"trec_eval {text}"  # its options on their own, or after a name for it
    elif isinstance(node, ast.Call) and name_of(node.func) == "startswith" and node.args:
        text = f"trec_eval -m {rendered(node.args[0]).strip()}"  # the line of its output that is read
    else:
        return
    for code, match in _asked(text):
        yield Hit(code, place.start, place.end, f"-m {match['name']}")


def _asked(text: str) -> Iterator[tuple[str, re.Match[str]]]:
    """Yield the measures that a command line asks for."""
    tool = TOOL.search(text)
    if tool is None:
        return
    for match in CHOSEN.finditer(text, tool.end()):
        for code, pattern in NAMED.items():
            if pattern.fullmatch(match["name"]):
                yield code, match
    if tool[0].lower() == "ir_measures":
        for match in WANTED.finditer(text, tool.end()):
            for code, pattern in NAMED.items():
                if pattern.fullmatch(match["name"].partition("(")[0]):
                    yield code, match
