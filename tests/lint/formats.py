"""Cases as files of every format that lint reads."""

from __future__ import annotations

import html
import io
import json
import zipfile
from functools import cache

LEAD = "We evaluate our systems."
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def latex(case):
    def clean(words):
        return (
            words.replace("%", "\\%").replace("χ²", "$\\chi^2$").replace("Δ", "$\\Delta$").replace("−", "$-$").replace("_", "\\_")
        )

    parts = ["\\documentclass{article}\\begin{document}", LEAD, ""]
    if case.table is not None:
        table = case.table
        parts += [
            f"\\begin{{table}}\\caption{{{clean(table.caption)}}}",
            f"\\begin{{tabular}}{{l{'r' * (len(table.header) - 1)}}}\\toprule",
        ]
        parts += [" & ".join(map(clean, table.header)) + " \\\\ \\midrule"]
        for row, cells in enumerate(table.rows):
            shown = [
                f"\\textbf{{{clean(cell)}}}" if (row, column) in table.bold else clean(cell) for column, cell in enumerate(cells)
            ]
            parts.append(" & ".join(shown) + " \\\\")
        parts += ["\\bottomrule\\end{tabular}\\end{table}", ""]
    return "\n".join([*parts, clean(case.sentence), "\\end{document}"])


def rows_of(table, bold):
    return [
        [bold(cell) if (row, column) in table.bold else cell for column, cell in enumerate(cells)]
        for row, cells in enumerate(table.rows)
    ]


def markdown(case):
    parts = [LEAD, ""]
    if case.table is not None:
        parts += [case.table.caption, "", " | ".join(["", *case.table.header, ""]).strip(), "|---" * len(case.table.header) + "|"]
        parts += ["| " + " | ".join(row) + " |" for row in rows_of(case.table, "**{}**".format)]
        parts.append("")
    return "\n".join([*parts, case.sentence, ""])


def page(case):
    parts = ["<!doctype html><html><body>", f"<p>{LEAD}</p>"]
    if case.table is not None:
        parts += [f"<table><caption>{html.escape(case.table.caption)}</caption>", "<tr>"]
        parts += [*(f"<th>{html.escape(cell)}</th>" for cell in case.table.header), "</tr>"]
        for row in rows_of(case.table, "<b>{}</b>".format):
            parts += ["<tr>", *(f"<td>{cell}</td>" for cell in row), "</tr>"]
        parts.append("</table>")
    return "\n".join([*parts, f"<p>{html.escape(case.sentence)}</p></body></html>"])


def rst(case):
    parts = [LEAD, ""]
    if case.table is not None:
        rows = [case.table.header, *rows_of(case.table, "**{}**".format)]
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        border = " ".join("=" * width for width in widths)
        lines = [" ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
        parts += [
            f".. table:: {case.table.caption}",
            "",
            *(f"   {line}" for line in (border, lines[0], border, *lines[1:], border)),
            "",
        ]
    return "\n".join([*parts, case.sentence, ""])


def typst(case):
    def clean(words):
        return words.replace("@", "\\@").replace("#", "\\#")

    parts = [LEAD, ""]
    if case.table is not None:
        cells = [f"[{clean(cell)}]" for cell in case.table.header]
        cells += [f"[{clean(cell)}]" for row in rows_of(case.table, "*{}*".format) for cell in row]
        parts += [f"#figure(table(columns: {len(case.table.header)}, {', '.join(cells)}), caption: [{case.table.caption}])", ""]
    return "\n".join([*parts, clean(case.sentence), ""])


def notebook(case):
    cells = [{"cell_type": "markdown", "source": [f"{LEAD}\n", "\n", f"{case.sentence}\n"]}]
    if case.table is not None:
        shown = page(type(case)(case.code, "", case.table))
        output = {"output_type": "execute_result", "data": {"text/html": shown.splitlines(keepends=True), "text/plain": ["..."]}}
        cells.append({"cell_type": "code", "source": ["table"], "outputs": [output]})
    return json.dumps({"cells": cells, "nbformat": 4}, indent=1, ensure_ascii=False)


def docx(case):
    def run(words, *, bold=False):
        return f"<w:r>{'<w:rPr><w:b/></w:rPr>' if bold else ''}<w:t>{html.escape(words)}</w:t></w:r>"

    body = f"<w:p>{run(LEAD)}</w:p>"
    if case.table is not None:
        body += f"<w:p>{run('Table 1: ' + case.table.caption)}</w:p><w:tbl>"
        for number, row in enumerate([case.table.header, *case.table.rows]):
            cells = "".join(
                f"<w:tc><w:p>{run(cell, bold=(number - 1, column) in case.table.bold)}</w:p></w:tc>"
                for column, cell in enumerate(row)
            )
            body += f"<w:tr>{cells}</w:tr>"
        body += "</w:tbl>"
    body += f"<w:p>{run(case.sentence)}</w:p>"
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(
            "word/document.xml", f'<?xml version="1.0"?><w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>'
        )
    return stream.getvalue()


@cache
def compiler():
    """One for all papers: a tenth of the time, because it reads the fonts once."""
    import typst

    return typst.Compiler()


def pdf(case, *, columns=1):
    head = f"#set page(width: 18cm, height: auto, columns: {columns})\n#set text(size: 10pt)\n#set par(justify: true)\n"
    return compiler().compile(input=(head + typst(case)).encode())


TEXTS = {"latex": latex, "markdown": markdown, "html": page, "rst": rst, "typst": typst, "notebook": notebook}
BINARIES = {"docx": docx, "pdf": pdf}
