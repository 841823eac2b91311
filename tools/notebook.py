"""Run a notebook in a kernel of its own, and write what its cells give into it.

python tools/notebook.py docs/python.ipynb            # run it and keep the output
python tools/notebook.py docs/python.ipynb page.html  # and render it as a page of its own
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import nbclient
import nbformat as _nbformat

nbformat: Any = _nbformat  # without types


def run(notebook: Any) -> Any:
    """Run all cells in an empty folder, with warnings off and without a trace of when it was; return the notebook."""
    with tempfile.TemporaryDirectory() as folder:
        client = nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": folder}})
        client.execute(env={"PYTHONWARNINGS": "ignore", "JPY_PARENT_PID": ""} | _environment())
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
    return notebook


def _environment() -> dict[str, str]:
    """The environment that the kernel is started in, with lines of 100 columns and no colours."""
    import os

    return dict(os.environ) | {"COLUMNS": "100", "NO_COLOR": "1", "PYTHONWARNINGS": "ignore", "PYDEVD_DISABLE_FILE_VALIDATION": "1"}


def page(notebook: Any) -> str:
    """The notebook as an HTML page, as nbconvert renders it."""
    import nbconvert

    exporter: Any = nbconvert.HTMLExporter
    html: str = exporter(template_name="lab").from_notebook_node(notebook)[0]
    return html


def main() -> None:
    """Run the notebook that is named."""
    path = Path(sys.argv[1])
    notebook = run(nbformat.read(path, as_version=4))
    nbformat.write(notebook, path)
    if len(sys.argv) > 2:  # noqa: PLR2004 - a second file
        Path(sys.argv[2]).write_text(page(notebook), encoding="utf-8")


if __name__ == "__main__":
    main()
