"""Columns of tables: topics, documents, grades and scores, recognised by their names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mensura.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

TOPIC = ("query_id", "query-id", "qid", "q_id", "topic", "topic_id", "query")
DOCUMENT = ("docno", "doc_id", "docid", "document_id", "document", "doc", "corpus-id", "corpus_id", "pid", "did")
GRADE = ("relevance", "rel", "grade", "label", "score")
SCORE = ("score", "sim", "similarity")
RANK = ("rank",)
# A column that means something else beside another one: PyTerrier's docid is an internal number, query and doc are texts.
WEAK = {"docid": {"docno"}, "query": set(TOPIC), "doc": set(DOCUMENT), "document": set(DOCUMENT), "score": set(GRADE)}


@dataclass(frozen=True, slots=True)
class Roles:
    """The names of the columns of one table. ``by_rank``: the values are ranks, 1 for the first document."""

    topic: Any
    document: Any
    value: Any
    by_rank: bool = False


def fold(names: Iterable[object]) -> list[str]:
    """Return names without case, blanks and quotes."""
    return [str(name).strip().strip('"').lower() for name in names]


def choose(
    names: Sequence[Any],
    source: str,
    *,
    graded: bool,
    columns: Mapping[str, Any] | None = None,
    values: Callable[[Any], list[object]] | None = None,
) -> Roles:
    """Choose columns by their names.

    ``columns`` names some of them outright: {"topic": …, "document": …, "grade" or "score" or "rank": …}. ``values`` gives the
    content of a column, to see whether two candidates say the same.
    """
    what = "grade" if graded else "score"
    chosen = dict(columns or {})
    unknown = chosen.keys() - {"topic", "document", what, *(() if graded else ("rank",))}
    if unknown:
        raise InputError(
            f"columns= names the role {min(unknown)!r}; the roles are topic, document and {what}{'' if graded else ' or rank'}",
            source=source,
        )
    for role, name in chosen.items():
        if name not in names:
            raise InputError(f"columns= says {role}={name!r}, but there is no such column among {_list(names)}", source=source)
    topic = chosen["topic"] if "topic" in chosen else _find("topic", TOPIC, names, source, values)
    document = chosen["document"] if "document" in chosen else _find("document", DOCUMENT, names, source, values)
    if "rank" in chosen:
        return Roles(topic, document, chosen["rank"], by_rank=True)
    if what in chosen:
        return Roles(topic, document, chosen[what])
    folded = fold(names)
    if not graded and not any(name in folded for name in SCORE) and RANK[0] in folded:
        return Roles(topic, document, _find("rank", RANK, names, source, values), by_rank=True)
    return Roles(topic, document, _find("value", GRADE if graded else SCORE, names, source, values))


def _find(
    role: str, known: tuple[str, ...], names: Sequence[Any], source: str, values: Callable[[Any], list[object]] | None
) -> Any:
    folded = fold(names)
    present = [name for name in known if name in folded]
    strong = [name for name in present if not (WEAK.get(name, set()) - {name}) & set(present)]
    if not strong:
        among = f"among {_list(names)}" if names else "because there are no columns"
        raise InputError(f"there is no {role} column {among}; known names are {', '.join(known)}", source=source)
    if folded.count(strong[0]) > 1:
        raise InputError(f"two columns are called {strong[0]}; rename one of them", source=source)
    one, *others = [names[folded.index(name)] for name in strong]
    for other in others:
        if values is None or values(one) != values(other):
            raise InputError(
                f"the columns {one} and {other} could both be the {role}, and they differ; "
                f"name the right one, e.g. columns={{{'score' if role == 'value' else role!r}: {str(one)!r}}}",
                source=source,
            )
    return one


def _list(names: Sequence[Any]) -> str:
    return ", ".join(map(str, names))
