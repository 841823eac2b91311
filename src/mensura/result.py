"""The base of every result: plain data with versioned keys, reading that back, and data frames.

A result is a frozen dataclass. ``to_dict()`` writes its fields under their own names, beside its class and a version.
``from_dict()`` reads them back. Arrays become lists, measures and fractions become text, NaN becomes ``null``.
"""

from __future__ import annotations

import dataclasses
import importlib
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

from mensura.errors import MensuraError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from mensura.render.charts.chart import Chart
    from mensura.render.tables import Table, View


class Shown:
    """Base of objects that show themselves: in a terminal, in a notebook, in a paper, as charts."""

    __slots__ = ()

    def view(self) -> View:
        """The object as people look at it: title, tables, remarks; rows or fields in one table, unless a class says otherwise."""
        from mensura.render.views import plain_view

        return plain_view(self)

    def __str__(self) -> str:
        from mensura.render.views import view_text

        return view_text(self.view())

    def _repr_html_(self) -> str:
        from mensura.render.notebook import view_html

        return view_html(self.view())

    def charts(self) -> Mapping[str, Callable[[], dict[str, Any]]]:
        """The charts of the result by name: functions that describe each in Vega-Lite; the first is the default."""
        return {}

    def chart(self, name: str | None = None) -> Chart:
        """Return a chart of the result, by default the first of :meth:`charts`."""
        from mensura.render.charts.chart import choose_chart

        return choose_chart(self.charts(), name, type(self).__name__)

    def paper_tables(self, *, digits: int | None = None) -> Sequence[Table]:
        """Tables for a paper: those of :meth:`view`; where a class allows it, with ``digits`` decimals."""
        if digits is not None:
            raise MensuraError(f"the tables of a {type(self).__name__} have decimals of their own; leave digits out")
        from mensura.render.views import every_table

        return every_table(self.view())

    def to_latex(self, **options: Any) -> str:
        """Return the tables in LaTeX with booktabs, as wide as a column where possible; options as for :meth:`paper_tables`."""
        from mensura.render.latex import as_latex

        return "\n".join(map(as_latex, self.paper_tables(**options)))

    def to_markdown(self, **options: Any) -> str:
        """Return the tables in Markdown; options as for :meth:`paper_tables`."""
        from mensura.render.tables import as_markdown

        return "\n".join(map(as_markdown, self.paper_tables(**options)))

    def to_typst(self, **options: Any) -> str:
        """Return the tables in Typst; options as for :meth:`paper_tables`."""
        from mensura.render.tables import as_typst

        return "\n".join(map(as_typst, self.paper_tables(**options)))


def freeze_arrays(result: Any) -> None:
    """Make the arrays of a result read-only; the arrays that it was made with stay as they are."""
    import numpy as np

    for name in result.__dataclass_fields__:
        value = getattr(result, name, None)
        if isinstance(value, np.ndarray):
            array = value.view()
            array.setflags(write=False)
            object.__setattr__(result, name, array)


class Result(Shown):
    """Base of frozen dataclasses that users get as results.

    Two results are equal if their fields are: arrays element by element, NaN equal to NaN. Fields in :attr:`unsaved` do not count.
    Arrays of a result are read-only; copy one to change it.
    """

    __slots__ = ()

    version: ClassVar[int] = 1
    """Version of the keys of :meth:`to_dict`; it grows when one changes its meaning or goes."""
    unsaved: ClassVar[frozenset[str]] = frozenset()
    """Fields that a saved result does without, such as the judged runs; each has a default."""
    readers: ClassVar[Mapping[str, Callable[[Any], Any]]] = {}
    """Functions that read fields back which are not text, numbers or tuples of them: ``{"mean": floats}``.

    ``null`` is NaN again in fields of floats, unless they can be ``None``.
    """

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        kinds = vars(cls).get("__annotations__", {}).values()
        if "__post_init__" not in vars(cls) and any("NDArray" in str(kind) for kind in kinds):
            # Others, such as pairs by the million, are not looked at.
            cls.__post_init__ = freeze_arrays  # type: ignore[attr-defined]
        for name in ("__eq__", "__hash__"):  # a dataclass leaves what a class has; its own would find NaN unequal to NaN
            if name not in vars(cls):
                setattr(cls, name, getattr(cls, name))

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self is other or all(same(getattr(self, name), getattr(other, name)) for name in self._compared())

    def __hash__(self) -> int:
        values = [getattr(self, name) for name in self._compared()]
        return hash((type(self), *(value for value in values if isinstance(value, str | int))))

    def _compared(self) -> list[str]:
        """Names of the fields that make results equal."""
        return [field.name for field in dataclasses.fields(cast("Any", self)) if field.name not in self.unsaved]

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain data, which JSON can hold."""
        fields = dataclasses.fields(cast("Any", self))
        return {"result": type(self).__name__, "version": self.version} | {
            field.name: encode(getattr(self, field.name)) for field in fields if field.init and field.name not in self.unsaved
        }

    def to_json(self) -> str:
        """Return the result as a JSON document."""
        import json

        return json.dumps(self.to_dict(), indent=1, ensure_ascii=False, allow_nan=False) + "\n"

    @classmethod
    def from_dict(cls, document: dict[str, Any]) -> Self:
        """Return the result that :meth:`to_dict` wrote."""
        cls.check(document)
        fields = {field.name: str(field.type) for field in dataclasses.fields(cast("Any", cls)) if field.name not in cls.unsaved}
        plain = {name: numbers if "float" in kind and "None" not in kind else tuples for name, kind in fields.items()}
        readers = plain | dict(cls.readers)
        try:
            return cls(**{key: readers[key](value) for key, value in document.items() if key in fields})
        except (TypeError, ValueError) as error:
            raise MensuraError(f"this {cls.__name__} is damaged: {error}") from error

    @classmethod
    def check(cls, document: dict[str, Any]) -> None:
        """Refuse a document that is not a saved result of this class, or one of a newer version."""
        if not isinstance(document, dict):
            raise MensuraError(f"expected a saved {cls.__name__}, got a {type(document).__name__}")
        name, version = document.get("result"), document.get("version")
        if name != cls.__name__ or not isinstance(version, int):
            raise MensuraError(f"expected a saved {cls.__name__}, got {name or 'a document without a result'}")
        if version > cls.version:
            raise MensuraError(f"this {name} was saved by a newer Mensura (version {version} of its keys); update Mensura")

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the result that :meth:`to_json` wrote."""
        import json

        try:
            document = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise MensuraError(f"expected a saved {cls.__name__}, got text that is not valid JSON: {error}") from error
        return cls.from_dict(document)

    def rows(self) -> Iterable[dict[str, Any]]:
        """Rows of the result as a table, one dict each, all with the same keys; a result that is not a table refuses."""
        raise MensuraError(f"a {type(self).__name__} has no rows for a data frame; use to_dict() or to_json()")

    def to_pandas(self) -> Any:
        """Return :meth:`rows` as a pandas data frame."""
        return optional("pandas").DataFrame(list(self.rows()))

    def to_polars(self) -> Any:
        """Return :meth:`rows` as a polars data frame."""
        return optional("polars").DataFrame(list(self.rows()), infer_schema_length=None)


def optional(package: str) -> Any:
    """Import a package that users install if they want it."""
    try:
        return importlib.import_module(package)
    except ImportError:
        raise MensuraError(f"this needs {package}: pip install 'mensura[{package}]'") from None


def encode(value: Any) -> Any:
    """Return ``value`` as plain data."""
    if isinstance(value, Result):
        return value.to_dict()
    if isinstance(value, dict):
        return {str(key): encode(each) for key, each in value.items()}
    if isinstance(value, tuple | list):
        return [encode(each) for each in value]
    if hasattr(value, "tolist"):  # NumPy's arrays and scalars
        return encode(value.tolist())
    if isinstance(value, float):
        return value if value - value == 0 else None  # JSON has no NaN and no infinity
    if value is None or isinstance(value, bool | int | str):
        return value
    if hasattr(value, "decompose") or hasattr(value, "denominator"):  # a measure, a fraction
        return str(value)
    raise TypeError(f"a result cannot hold a {type(value).__name__}")  # a field that should be a Result, or unsaved


def same(one: Any, other: Any) -> bool:
    """Return whether two fields are equal: arrays and tuples and dicts element by element, NaN equal to NaN."""
    if isinstance(one, tuple | list):
        return type(one) is type(other) and len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(each, other[key]) for key, each in one.items())
    if hasattr(one, "dtype") and hasattr(other, "dtype"):
        import numpy as np

        return bool(np.array_equal(one, other, equal_nan=one.dtype.kind == other.dtype.kind == "f"))
    if isinstance(one, float) and isinstance(other, float):
        return one == other or (one != one and other != other)  # noqa: PLR0124 - true of NaN alone
    return bool(one == other)


def tuples(value: Any) -> Any:
    """Return plain data with tuples for lists, as frozen results have them."""
    return tuple(map(tuples, value)) if isinstance(value, list) else value


def numbers(value: Any) -> Any:
    """Return plain data with tuples for lists and NaN for ``None``."""
    if isinstance(value, dict):
        return {key: numbers(each) for key, each in value.items()}
    return tuple(map(numbers, value)) if isinstance(value, list) else float("nan") if value is None else value


def floats(value: Any) -> NDArray[np.float64]:
    """Return nested lists as an array of floats, with NaN for ``None``."""
    import numpy as np

    return np.array(value, dtype=np.float64)


def bools(value: Any) -> NDArray[np.bool_]:
    """Return nested lists as an array of truth values."""
    import numpy as np

    return np.array(value, dtype=np.bool_)


def integers(value: Any) -> NDArray[np.int64]:
    """Return nested lists as an array of whole numbers."""
    import numpy as np

    return np.array(value, dtype=np.int64)
