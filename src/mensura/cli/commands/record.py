"""``mensura record``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from mensura.cli.shared.options import add_file
from mensura.errors import InputError, RecordError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def configure(parser: ArgumentParser) -> None:
    """The options."""
    parser.description = (
        "Provenance of a file. show prints the record of a result, or the ir_metadata in the header of a run;\n"
        "add writes a run with such a header."
    )
    parser.epilog = (
        "examples: mensura record show leaderboard.csv\n"
        "          mensura record add bm25.run --metadata bm25.yaml -o annotated/bm25.run"
    )
    actions = parser.add_subparsers(title="actions", metavar="ACTION", dest="action", required=True)
    show = actions.add_parser("show", help="the record of a result, or the ir_metadata of a run, as JSON")
    show.add_argument("file", type=Path, metavar="FILE", help="result, its record, or run")
    add_file(show)
    add = actions.add_parser("add", help="a run with an ir_metadata header; parts that it has already are replaced")
    add.add_argument("file", type=Path, metavar="RUN", help="run, which stays as it is")
    add.add_argument(
        "--metadata",
        type=Path,
        metavar="FILE",
        required=True,
        help="parts of the header, in YAML, JSON or TOML: platform, research goal, implementation, method, actor, data",
    )
    add_file(add)


def run(arguments: Namespace) -> int:
    """Show or add metadata."""
    from mensura.cli.shared.output import write

    write(_show(arguments.file) if arguments.action == "show" else _add(arguments), arguments.output)
    return 0


def _show(file: Path) -> str:
    import json

    from mensura.io.metadata import read_metadata
    from mensura.record.files import read_record, sidecar

    try:
        document: Any = read_record(file)
    except RecordError:
        document = read_metadata(file)
        if document is None and sidecar(file).is_file():
            raise
        if document is None:
            raise RecordError(f"{file}: has no record, in it or beside it, and no ir_metadata header") from None
    return json.dumps(document, indent=1, ensure_ascii=False, default=str) + "\n"


def _add(arguments: Namespace) -> bytes:
    from mensura.io.metadata import read_metadata, with_metadata
    from mensura.io.read import read_run

    name = arguments.output.name if arguments.output is not None else ""
    if name.endswith((".gz", ".zst")):
        raise InputError("a header is written into a plain file: leave the ending out, and pack it later", source=str(name))
    metadata = _metadata(arguments.metadata)
    tag = read_run(arguments.file).name
    return with_metadata(arguments.file, {"schema-version": 0.1, "tag": tag} | (read_metadata(arguments.file) or {}) | metadata)


def _metadata(file: Path) -> dict[str, Any]:
    """Metadata from a file of YAML, JSON or TOML."""
    import json
    import tomllib

    from mensura.io.metadata import check_metadata, parse_yaml

    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"could not be read: {error.strerror}", source=str(file)) from error
    except UnicodeDecodeError as error:
        raise InputError("is not valid UTF-8", source=str(file)) from error
    try:
        if file.suffix == ".json":
            return check_metadata(json.loads(text), str(file))
        if file.suffix == ".toml":
            return check_metadata(tomllib.loads(text), str(file))
    except ValueError as error:
        raise InputError(f"is not valid {file.suffix[1:].upper()}: {error}", source=str(file)) from error
    return parse_yaml(text, str(file))
