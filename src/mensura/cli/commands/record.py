"""``mensura record``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from mensura.errors import InputError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def configure(parser: ArgumentParser) -> None:
    """The options."""
    parser.description = (
        "What is known about how a file was made. show prints the record of a result, or the ir_metadata in the header of a run;\n"
        "add writes a run with such a header."
    )
    parser.epilog = (
        "examples: mensura record show leaderboard.csv\n"
        "          mensura record add bm25.run --metadata bm25.yaml -o annotated/bm25.run"
    )
    actions = parser.add_subparsers(title="actions", metavar="ACTION", dest="action", required=True)
    show = actions.add_parser("show", help="print the record of a result, or the ir_metadata of a run, as JSON")
    show.add_argument("file", type=Path, metavar="FILE", help="a result, its record, or a run")
    show.add_argument("-o", "--output", type=Path, metavar="FILE", help="write to this file instead of standard output")
    add = actions.add_parser("add", help="write a run with an ir_metadata header; parts that it has already are replaced")
    add.add_argument("file", type=Path, metavar="RUN", help="the run, which stays as it is")
    add.add_argument(
        "--metadata",
        type=Path,
        metavar="FILE",
        required=True,
        help="the parts, in YAML, JSON or TOML: platform, research goal, implementation, method, actor, data",
    )
    add.add_argument("-o", "--output", type=Path, metavar="FILE", help="write to this file instead of standard output")


def run(arguments: Namespace) -> int:
    """Shows or adds."""
    from mensura.cli.shared.output import write

    write(_show(arguments.file) if arguments.action == "show" else _add(arguments), arguments.output)
    return 0


def _show(file: Path) -> str:
    import json

    from mensura.errors import RecordError
    from mensura.io.metadata import read_metadata
    from mensura.record.files import read_record

    try:
        made: Any = read_record(file)
    except RecordError:
        made = read_metadata(file)
        if made is None:
            raise RecordError(f"{file}: has no record, in it or beside it, and no ir_metadata header") from None
    return json.dumps(made, indent=1, ensure_ascii=False, default=str) + "\n"


def _add(arguments: Namespace) -> bytes:
    from mensura.io.metadata import read_metadata, with_metadata
    from mensura.io.read import read_run

    name = arguments.output.name if arguments.output is not None else ""
    if name.endswith((".gz", ".zst")):
        raise InputError("a header is written into a plain file: leave the ending out, and pack it later", source=str(name))
    given = _given(arguments.metadata)
    tag = read_run(arguments.file).name
    return with_metadata(arguments.file, {"schema-version": 0.1, "tag": tag} | (read_metadata(arguments.file) or {}) | given)


def _given(file: Path) -> dict[str, Any]:
    """Metadata from a file of YAML, JSON or TOML."""
    import json
    import tomllib

    from mensura.io.metadata import check_metadata, parse_yaml

    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"could not be read: {error.strerror}", source=str(file)) from error
    except UnicodeDecodeError as error:
        raise InputError("is no text in UTF-8", source=str(file)) from error
    try:
        if file.suffix == ".json":
            return check_metadata(json.loads(text), str(file))
        if file.suffix == ".toml":
            return check_metadata(tomllib.loads(text), str(file))
    except ValueError as error:
        raise InputError(f"is no {file.suffix[1:].upper()}: {error}", source=str(file)) from error
    return parse_yaml(text, str(file))
