"""A program as its syntax tree: calls with their places, loops and functions, and whether it evaluates retrieval at all."""

from __future__ import annotations

import ast
import re
import warnings
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mensura.lint.code.flow import Flow
    from mensura.lint.readers.document import Code
    from mensura.lint.topics import StatedTopics

LOOPS = (ast.For, ast.While, ast.AsyncFor, ast.ListComp, ast.DictComp, ast.SetComp, ast.GeneratorExp)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
APPLIED = {
    "apply",
    "applymap",
    "map",
    "starmap",
    "parallel_apply",
    "progress_apply",
}  # calls that repeat a function that they are given
LIBRARIES = {
    "pyterrier", "ranx", "ir_measures", "pytrec_eval", "beir", "mteb", "recbole", "elliot", "ir_datasets", "trectools", "pyserini",
    "repro_eval", "cornac", "recpack", "lenskit", "rankeval", "mensura",
}  # fmt: skip
MEASURES = re.compile(
    r"n?dcg(?:_?(?:at|cut)?_?[@._]?\d+|@\w+)?|mrr(?:_?(?:at)?_?@?\d+|@\w+)?|m?rr@\d+|recip(?:rocal)?_?rank|map(?:_?(?:at|cut)_?\d+|@\d+)|p_?@\d+|bpref|qrels?"
    r"|mean_?(?:average_?precision|reciprocal_?rank)|trec_?eval",
    re.IGNORECASE,
)
RETRIEVAL = re.compile(r"topics?|quer(?:y|ies)|qids?|runs|retriev\w+|rerank\w*|bm25\w*|trec|splade|colbert|recommend\w*|recsys")
MAGIC = re.compile(r"^([ \t]*)(%%?|!|\?|>>> |\.\.\. )[^\n]*", re.MULTILINE)
TIMED = re.compile(  # %time evaluate(run)
    r"^(?P<lead>[ \t]*(?P<taken>[\w, \t]{1,80}=[ \t]*)?)(?P<magic>%%?(?:time|timeit|prun|memit|lprun)(?:[ \t]+-\w+(?:[ \t]*\d+)?){0,6}[ \t]+)(?=[^\s-])",
    re.MULTILINE,
)
TAKEN = re.compile(r"^([ \t]*[\w, \t]*=[ \t]*)([%!])[^\n]*", re.MULTILINE)  # files = !ls
FOREIGN = re.compile(r"\A\s*%%(?!time|capture|timeit|prun|wandb)\w+")  # a cell of another language
PRINT = re.compile(
    r"^([ \t]*)print(?:[ \t]+|(?=['\"]))(?![ \t]*[=(][^\n]*\)[ \t]*$)([^\n]*?)(?=[ \t]*(?:#[^\n'\"]*)?$)[^\n]*$", re.MULTILINE
)
EXCEPT = re.compile(r"^([ \t]*except[ \t]+[\w.]+),[ \t]*(\w+)(?=[ \t]*:)", re.MULTILINE)
PROMPT = re.compile(r"^([ \t]*)(?:>>>|\.\.\.)[ ]?", re.MULTILINE)


@dataclass(eq=False, slots=True)
class ProgramNode:
    """A node of a program: its span in the file, its innermost function, and whether a loop repeats it there."""

    node: ast.AST
    start: int
    end: int
    looped: bool
    function: str


@dataclass(eq=False)
class Call(ProgramNode):
    """A call, with the last part of the name of its function."""

    node: ast.Call
    name: str = ""

    @property
    def receiver(self) -> str:
        """The expression before the last dot."""
        return ast.unparse(self.node.func.value) if isinstance(self.node.func, ast.Attribute) else ""

    def argument(self, name: str, position: int = -1) -> ast.expr | None:
        """Return an argument by its keyword, or by its position."""
        for keyword in self.node.keywords:
            if keyword.arg == name:
                return keyword.value
        return self.node.args[position] if 0 <= position < len(self.node.args) else None


@dataclass(eq=False)
class Program:
    """Blocks of Python that belong together, as one program."""

    blocks: list[Code]
    settings: Callable[[str], str | None] | None = None  # the text of a file of settings that a program names
    topics: Callable[[], StatedTopics] | None = None  # what the document around it states
    places: list[ProgramNode] = field(default_factory=list)
    flow: Flow | None = None  # where values go; flow_of computes it when a rule asks

    def __post_init__(self) -> None:
        self.places = _places(tuple(self.blocks))

    @cached_property
    def calls(self) -> list[Call]:
        """All calls, in the order of the text."""
        return [place for place in self.places if isinstance(place, Call)]

    @cached_property
    def place(self) -> dict[int, ProgramNode]:
        """The place of each node, by its identity."""
        return {id(place.node): place for place in self.places}

    @cached_property
    def imports(self) -> dict[str, str]:
        """Name in the program of each imported module or name, with its origin: ``{"pt": "pyterrier"}``."""
        names: dict[str, str] = {}
        for place in self.places:
            node = place.node
            if isinstance(node, ast.Import):
                for alias in node.names:
                    names[alias.asname or alias.name.partition(".")[0]] = (
                        alias.name if alias.asname else alias.name.partition(".")[0]
                    )
            elif isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    names[alias.asname or alias.name] = f"{node.module}.{alias.name}"
        return names

    @cached_property
    def libraries(self) -> set[str]:
        """Libraries for retrieval and recommendation that the program imports."""
        return self.roots & LIBRARIES

    @cached_property
    def roots(self) -> set[str]:
        """Packages that the program imports, or imports something of."""
        starred = {
            place.node.module.partition(".")[0]
            for place in self.places
            if isinstance(place.node, ast.ImportFrom) and place.node.module
        }
        return {origin.partition(".")[0] for origin in self.imports.values()} | starred

    @cached_property
    def words(self) -> set[str]:
        """Names, attributes and short strings."""
        words: set[str] = set()
        for place in self.places:
            node = place.node
            if isinstance(node, ast.Name):
                words.add(node.id)
            elif isinstance(node, ast.Attribute):
                words.add(node.attr)
            elif isinstance(node, FUNCTIONS):
                words.add(node.name)
            elif isinstance(node, ast.arg):
                words.add(node.arg)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) <= SHORT:
                words |= set(re.split(r"[^\w@.]+", node.value))
        return words

    @cached_property
    def evaluates(self) -> bool:
        """Whether the program evaluates rankings: by a library for it, or by names of measures and judgments."""
        return bool(self.libraries) or any(MEASURES.fullmatch(part) for word in self.words for part in (word, *_parts(word)))

    @cached_property
    def retrieves(self) -> bool:
        """Whether the program is about retrieval: it evaluates, or it speaks of topics, queries and runs."""
        return self.evaluates or any(RETRIEVAL.fullmatch(part) for word in self.words for part in pieces_of(word))

    @cached_property
    def compares(self) -> bool:
        """Whether the program compares systems: it is about retrieval, or it speaks of baselines and measures."""
        return self.retrieves or bool(self.pieces & COMPARED)

    @cached_property
    def searches(self) -> bool:
        """Whether the program is about rankings by more than the name of average precision, which classifiers have too."""
        named = {word for word in self.words if not PRECISION.search(word)} - {"item"}  # which is how PyTorch reads a number
        return bool(self.libraries) or (
            self.retrieves
            and any(
                MEASURES.fullmatch(part) or RETRIEVAL.fullmatch(part) or RECOMMENDED.fullmatch(part)
                for word in named
                for part in (word, *_parts(word), *pieces_of(word))
            )
        )

    @cached_property
    def ranks(self) -> bool:
        """Whether it names measures of rankings as trec_eval does, or uses it: ``map`` is one of them then."""
        return bool(self.roots & {"pytrec_eval", "trectools", "ir_measures", "pyterrier"}) or any(
            TREC_EVAL.fullmatch(word) for word in self.words
        )

    @cached_property
    def functions(self) -> set[str]:
        """Names that stand for functions: those that the program defines or imports."""
        return {*self.defined, *self.imports}

    @cached_property
    def defined(self) -> dict[str, ProgramNode]:
        """The functions and methods of the program, by their names."""
        return {place.node.name: place for place in self.places if isinstance(place.node, FUNCTIONS)}

    @cached_property
    def detects(self) -> bool:
        """Whether the program detects objects in images, where MAP is another measure."""
        return any(DETECTION.fullmatch(word) for word in self.words)

    @cached_property
    def pieces(self) -> set[str]:
        """The parts of all names and short strings, in small letters."""
        return {part for word in self.words for part in pieces_of(word)}

    @cached_property
    def documentation(self) -> set[int]:
        """The identities of strings that are statements: documentation, or text that is commented out."""
        return {id(place.node.value) for place in self.places if isinstance(place.node, ast.Expr)}

    @cached_property
    def offered(self) -> list[tuple[int, int]]:
        """Spans of classes that offer measures to others: those that derive from an evaluator, a metric or a measure."""
        return [
            (place.start, place.end)
            for place in self.places
            if isinstance(place.node, ast.ClassDef) and any(OFFERED.search(name_of(base)) for base in place.node.bases)
        ]

    @cached_property
    def tests(self) -> bool:
        """Whether the program tests software: it reports nothing about retrieval."""
        cases = [place.node for place in self.places if isinstance(place.node, (*FUNCTIONS, ast.ClassDef)) and not place.function]
        return (
            bool({origin.partition(".")[0] for origin in self.imports.values()} & {"pytest", "unittest"})
            or any(isinstance(case, ast.ClassDef) and any(name_of(base) == "TestCase" for base in case.bases) for case in cases)
            or (bool(cases) and all(case.name.lower().startswith("test") for case in cases))
        )

    @cached_property
    def assigned(self) -> dict[str, ast.expr]:
        """The last expression that each name was assigned to."""
        return {
            target.id: place.node.value
            for place in self.places
            if isinstance(place.node, ast.Assign)
            for target in place.node.targets
            if isinstance(target, ast.Name)
        }

    @cached_property
    def assignments(self) -> dict[tuple[str, str], list[ast.expr]]:
        """All expressions that each name was assigned to in each function, in their order."""
        assignments: dict[tuple[str, str], list[ast.expr]] = {}
        for place in self.places:
            if isinstance(place.node, ast.Assign):
                for target in place.node.targets:
                    if isinstance(target, ast.Name):
                        assignments.setdefault((place.function, target.id), []).append(place.node.value)
        return assignments

    def assigned_in(self, function: str, node: ast.expr) -> ast.expr:
        """Follow a name to the last expression that it was assigned to in a function."""
        return self.assignments.get((function, node.id), [node])[-1] if isinstance(node, ast.Name) else node

    @cached_property
    def opened(self) -> dict[str, ast.expr]:
        """The expression that each name of a ``with`` stands for."""
        return {
            item.optional_vars.id: item.context_expr
            for place in self.places
            if isinstance(place.node, (ast.With, ast.AsyncWith))
            for item in place.node.items
            if isinstance(item.optional_vars, ast.Name)
        }

    def resolved(self, node: ast.expr | None) -> ast.expr | None:
        """Follow a name to the expression that it was assigned to."""
        return self.assigned.get(node.id, node) if isinstance(node, ast.Name) else node


TREC_EVAL = re.compile(
    r"ndcg(?:_cut)?(?:_\d+)?|(?:p|recall)_\d+|recip_rank|bpref|map_cut_\d+|(?:ndcg|p|recall|precision)@\d+", re.IGNORECASE
)
COMPARED = {"baseline", "baselines", "benchmark", "metric", "metrics", "accuracy", "f1", "bleu", "rouge"}
OFFERED = re.compile(r"Evaluator|Metric|Measure")
PRECISION = re.compile(r"average_?precision|^map$", re.IGNORECASE)
RECOMMENDED = re.compile(r"users?|items?|playlists?|sessions?")
DETECTION = re.compile(r"iou|bbox|bounding_?box|detections?|mask_?rcnn|coco|yolo\w*", re.IGNORECASE)
MOST_MENDED = 20  # lines
SHORT = 60  # characters; a longer string is prose


def pieces_of(word: str) -> list[str]:
    """Words of a name, in small letters: ``test_topics`` and ``TestTopics`` have two."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", word).lower().split("_")


def _parts(word: str) -> list[str]:
    """Pieces of a name that may be a measure: ``mean_ndcg_cut_10`` has ndcg_cut_10."""
    pieces = word.split("_")
    return ["_".join(pieces[at:]) for at in range(1, len(pieces))] + ["_".join(pieces[:at]) for at in range(1, len(pieces))]


def name_of(node: ast.AST) -> str:
    """Return the last part of a dotted name, or nothing."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def strings(node: ast.AST | None) -> Iterator[str]:
    """Yield the string constants of an expression."""
    for each in ast.walk(node) if node is not None else ():
        if isinstance(each, ast.Constant) and isinstance(each.value, str):
            yield each.value


def rendered(node: ast.expr | None) -> str:
    """Return the text that an expression makes, with ``{}`` for each value that is not known; nothing if it is not a text."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=values):
            return "".join(rendered(each) for each in values)
        case ast.FormattedValue(value=ast.Constant(value=str(text))):
            return text
        case ast.FormattedValue():
            return "{}"
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            first, second = rendered(left), rendered(right)
            return (first or "{}") + (second or "{}") if first or second else ""
        case ast.BinOp(left=left, op=ast.Mod()):
            return rendered(left)
        case ast.Call(func=ast.Attribute(attr="format", value=text)):
            return rendered(text)
    return ""


def parse(source: str) -> ast.Module | None:
    """Return the tree, or ``None`` if this is not Python. Lines of IPython's own are blanked, prompts of a console are taken away."""
    if FOREIGN.match(source):
        return None
    if source.lstrip().startswith(">>> "):
        lines = [
            PROMPT.sub(lambda match: " " * len(match[0]), line).rstrip() if PROMPT.match(line) else ""
            for line in source.split("\n")
        ]
        margin = min((len(line) - len(line.lstrip()) for line in lines if line), default=0)
        plain = "if 1:\n" + "\n".join(line or "" for line in lines) if margin else "\n".join(lines)
        tree = _tree(plain)
        if tree is not None and margin:
            ast.increment_lineno(tree, -1)
        return tree
    source = TIMED.sub(_timed, source)
    plain = MAGIC.sub(lambda match: match[1] + "pass".ljust(len(match[0]) - len(match[1]))[: len(match[0]) - len(match[1])], source)
    plain = TAKEN.sub(lambda match: match[1] + "0".ljust(len(match[0]) - len(match[1])), plain)
    return _tree(plain) or _tree(MAGIC.sub(lambda match: " " * len(match[0]), source)) or _mended(_of_python_2(plain))


def _timed(match: re.Match[str]) -> str:
    """A measured statement as one of Python's, at its column."""
    return match["lead"] + ("" if match["taken"] else "if 1:").ljust(len(match["magic"]))


def fault(source: str) -> SyntaxError | None:
    """Return the fault of a program that is not Python 3, nor a page of a console, nor one for Python 2; lines of others are read."""
    if FOREIGN.match(source) or source.lstrip().startswith(">>> ") or PRINT.search(source) or EXCEPT.search(source):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(source)
    except SyntaxError as error:
        return None if MAGIC.search(source) and parse(source) is not None else error
    except (ValueError, RecursionError, MemoryError) as error:
        return SyntaxError(str(error))
    return None


def _of_python_2(source: str) -> str:
    """Return a program for Python 2 as one for Python 3, with every character of a ``print`` at its column."""
    source = PRINT.sub(_printed, source)
    return EXCEPT.sub(r"\1 as \2", source.expandtabs(8) if "\t" in source and re.search(r"^ +\S", source, re.MULTILINE) else source)


def _printed(match: re.Match[str]) -> str:
    """A ``print`` as a call or, where the next line continues it, as an assignment."""
    printed = match[2].lstrip(">") if match[2].startswith(">>") else match[2]
    whole = not printed.endswith(("\\", ",", "(")) and all(
        printed.count(one) == printed.count(two) for one, two in ("()", "[]", "{}")
    )
    return f"{match[1]}print({printed})" if whole else f"{match[1]}print={printed}"


def _mended(source: str) -> ast.Module | None:
    """Return the tree of a program of which some lines are not Python: such a line says nothing."""
    lines = source.split("\n")
    for _ in range(MOST_MENDED):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return ast.parse("\n".join(lines))
        except SyntaxError as error:
            header = re.search(r"expected an indented block after .*line (\d+)", str(error.msg))
            if header is not None and not lines[int(header[1]) - 1].rstrip().endswith("pass"):
                lines[int(header[1]) - 1] += " pass"  # a loop of which all is commented out
                continue
            at = (error.lineno or 0) - 1
            if not 0 <= at < len(lines) or lines[at].strip() in {"", "pass"}:
                return None
            lines[at] = lines[at][: len(lines[at]) - len(lines[at].lstrip())] + "pass"
        except (ValueError, RecursionError, MemoryError):
            return None
    return None


def _tree(source: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


@lru_cache(1)
def _places(blocks: tuple[Code, ...]) -> list[ProgramNode]:
    """Return the nodes of blocks; a notebook asks for those of its cells twice."""
    return [place for block in blocks for place in _walk(block)]


def _walk(block: Code) -> Iterator[ProgramNode]:
    """Yield all nodes that have a place, parents first."""
    tree = parse(block.text)
    if tree is None:
        return
    lines = _Lines(block.text)
    stack: list[tuple[ast.AST, bool, str]] = [(tree, False, "")]
    while stack:
        node, looped, function = stack.pop()
        if isinstance(node, (ast.expr, ast.stmt, ast.arg)):
            start = block.start + lines.offset(node.lineno, node.col_offset)
            end = block.start + lines.offset(node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)
            if isinstance(node, ast.Call):
                yield Call(node, start, end, looped, function, name_of(node.func))
            else:
                yield ProgramNode(node, start, end, looped, function)
        inner = node.name if isinstance(node, FUNCTIONS) else function
        repeated = (
            (looped and not isinstance(node, FUNCTIONS))
            or isinstance(node, LOOPS)
            or (isinstance(node, ast.Call) and name_of(node.func) in APPLIED)
        )
        children = list(ast.iter_child_nodes(node))
        if isinstance(node, (ast.For, ast.AsyncFor)):  # what is looped over is evaluated once
            once = {id(node.iter), id(node.target), *map(id, node.orelse)}
            stack += [(child, looped if id(child) in once else True, inner) for child in reversed(children)]
        else:
            stack += [(child, repeated, inner) for child in reversed(children)]


class _Lines:
    """Offsets in characters; the parser counts columns in bytes."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self.plain = text.isascii()

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a line and column of the parser's."""
        if line > len(self.starts):
            return len(self.text)
        start = self.starts[max(line, 1) - 1]
        if self.plain:
            return min(start + column, len(self.text))
        stop = self.starts[line] if line < len(self.starts) else len(self.text)
        encoded = self.text[start:stop].encode("utf-8", "surrogatepass")[:column]
        return start + len(encoded.decode("utf-8", "ignore"))
