"""Results as notebooks show them: HTML that takes its colours from the notebook, so that it fits light and dark ones."""

from __future__ import annotations

from markupsafe import Markup

from mensura.render.html import html, subscript, tag
from mensura.render.tables import Marked, Table, View, alignment, written

MOST_ROWS = 25  # of a table in a notebook
LONG_CELL = 48  # characters of a cell that may be broken into lines
LONG_CAPTION = 80  # characters; a longer one is a paragraph below the table
STYLE = (
    ".mensura{font-size:13px;line-height:1.45;max-width:100%;overflow-x:auto}"
    ".mensura table{border-collapse:collapse;margin:.4em 0;color:inherit;font-size:inherit}"
    ".mensura caption{text-align:left;font-style:italic;padding:.2em 0}"
    ".mensura th,.mensura td{padding:.15em .7em;border:0;background:none;color:inherit;white-space:nowrap;"
    "text-align:left!important}.mensura td.w{white-space:normal;min-width:18em}"
    ".mensura th.n,.mensura td.n{text-align:right!important;font-variant-numeric:tabular-nums}"
    ".mensura thead th{border-bottom:1px solid rgba(128,128,128,.6);font-weight:600}"
    ".mensura tbody tr{background:none;border-bottom:1px solid rgba(128,128,128,.18)}"
    ".mensura tbody th{font-weight:400}"
    ".mensura p{margin:.3em 0}.mensura .title{font-weight:600}.mensura .rest{opacity:.75}"
    ".mensura sup{font-size:75%;line-height:0;opacity:.8}.mensura summary{cursor:pointer;margin:.3em 0}"
    ".mensura details{border-left:2px solid rgba(128,128,128,.3);padding-left:.7em;margin:.3em 0}"
    ".mensura .remark{border-left:3px solid #d97706;padding-left:.6em}"
)


def view_html(view: View) -> str:
    """A view for a cell of a notebook: escaped, with some rows of long tables and the number of the others."""
    style = tag("style", Markup(STYLE))  # noqa: S704 - our own style sheet
    return str(tag("div", style, *_elements(view), class_="mensura"))


def _elements(view: View) -> list[Markup]:
    """The elements of a view; below a table of its own, its parts are folded."""
    parts = [tag("p", subscript(view.title), class_="title")] if view.title else []
    parts += [tag("p", subscript(line)) for line in view.lines]
    for table in view.tables:
        parts += _table(table._replace(caption="") if table.caption == view.title else table)
    parts += [tag("p", subscript(sentence)) for sentence in view.sentences]
    for part in view.parts:
        inside = _elements(part if not view.tables else part._replace(title=""))
        folded = view.tables and part.title
        parts += [tag("details", tag("summary", subscript(part.title)), *inside)] if folded else inside
    return parts + [tag("p", subscript(remark), class_="remark") for remark in view.remarks]


def _table(table: Table) -> list[Markup]:
    """The table, and a line about the rows that it leaves out."""
    align = alignment(table)
    body = []
    for at, cells in enumerate(written(table._replace(rows=table.rows[:MOST_ROWS]))):
        row = []
        for column, (cell, letter) in enumerate(zip(cells, align, strict=True)):
            shown = tag("b", cell) if (at, column) in table.strong else html(cell)
            if isinstance(cell, Marked) and cell.marks:
                shown = Markup("").join([shown, tag("sup", cell.marks)])
            kind: dict[str, str | bool] = {"class": "n"} if letter not in "lm" else {"class": "w"} if len(cell) > LONG_CELL else {}
            row.append(tag("th", shown, scope="row", **kind) if column == table.names else tag("td", shown, **kind))
        body.append(tag("tr", *row))
    head = [tag("tr", *(tag("th", subscript(text), colspan=str(span), scope="colgroup") for text, span in table.above))]
    columns = [
        tag("th", subscript(text), scope="col", **({} if letter in "lm" else {"class": "n"}))
        for text, letter in zip(table.header, align, strict=True)
    ]
    brief = len(table.caption) <= LONG_CAPTION
    caption = [tag("caption", subscript(table.caption))] if table.caption and brief else []
    shown = tag("table", *caption, tag("thead", *(head if table.above else []), tag("tr", *columns)), tag("tbody", *body))
    left = len(table.rows) - len(body)
    rest = [tag("p", f"… and {left} more rows", class_="rest")] if left > 0 else []
    return [shown, *rest, *([] if brief else [tag("p", subscript(table.caption), class_="rest")])]
