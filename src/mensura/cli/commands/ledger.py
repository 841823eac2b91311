"""``mensura ledger``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mensura.cli.shared.options import add_file, add_output
from mensura.errors import InputError, LedgerError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from mensura.ledger.store import Ledger

SHOWN = ("made", "measure", "scale", "test", "first", "second")


def configure(parser: ArgumentParser) -> None:
    """The options."""
    parser.description = (
        "The ledger counts every test that is made on a collection, so that later ones can be corrected for them.\n"
        "mensura compare --prior-tests auto begins one; from then on every comparison is counted.\n"
        "The environment variable MENSURA_LEDGER names its file, or is off."
    )
    parser.epilog = (
        "examples: mensura ledger list\n"
        "          mensura ledger list qrels.txt -f csv\n"
        "          mensura ledger export -o mine.json\n"
        "          mensura ledger import theirs.json"
    )
    actions = parser.add_subparsers(title="actions", metavar="ACTION", dest="action", required=True)
    listing = actions.add_parser("list", help="collections with the number of tests on each, or the tests on one")
    listing.add_argument(
        "collection", metavar="QRELS", nargs="?", help="judgments, or the first digits of the digest of a collection"
    )
    add_output(listing)
    exporting = actions.add_parser("export", help="the whole ledger as JSON, for others to import")
    add_file(exporting)
    importing = actions.add_parser("import", help="exports of others, to be added; known tests are not counted again")
    importing.add_argument("exports", type=Path, metavar="FILE", nargs="+", help="file that mensura ledger export wrote")


def run(arguments: Namespace) -> int:
    """List, export or import tests."""
    from mensura.ledger.counting import ledger_path
    from mensura.ledger.store import Ledger

    path = ledger_path()
    if path is None:
        raise LedgerError("MENSURA_LEDGER turns the ledger off; set it to a file, or unset it")
    if arguments.action != "import" and not path.exists():
        raise LedgerError(f"there is no ledger at {path}; mensura compare --prior-tests auto begins one")
    with Ledger(path) as ledger:
        return {"list": _list, "export": _export, "import": _import}[arguments.action](arguments, ledger)


def _list(arguments: Namespace, ledger: Ledger) -> int:
    from mensura.cli.shared.output import write

    if arguments.collection is None:
        rows = [
            {
                "collection": one.name,
                "digest": one.digest,
                "topics": one.topics,
                "judgments": one.judgments,
                "tests": tests,
                "first": first,
                "last": last,
            }
            for one, tests, first, last in ledger.collections()
        ]
        columns: tuple[str, ...] = ("collection", "digest", "topics", "judgments", "tests", "first", "last")
        title = f"{ledger.path}\n"
    else:
        digest, name = _collection(arguments.collection, ledger)
        entries = ledger.entries(digest)
        rows = [{key: entry.texts()[key] for key in SHOWN} for entry in entries]
        title, columns = f"{name}  {digest[:12]}: {sum(entry.tests for entry in entries)} tests\n", SHOWN
    write(_text(rows, columns, title, arguments.format), arguments.output)
    return 0


def _collection(text: str, ledger: Ledger) -> tuple[str, str]:
    """Digest and name of the collection with these judgments, or with a digest that begins so."""
    known = {one.digest: one.name for one, *_ in ledger.collections()}
    if Path(text).exists():
        from mensura.io.digests import collection_digest
        from mensura.io.read import read_qrels

        digests = [digest for digest in [collection_digest(read_qrels(text))] if digest in known]
    else:
        digests = [digest for digest in known if digest.startswith(text.lower())]
    if len(digests) != 1:
        problem = "no test was made on this collection" if not digests else "several collections begin so"
        raise LedgerError(f"{text}: {problem}; mensura ledger list shows all collections")
    return digests[0], known[digests[0]]


def _text(rows: list[dict[str, Any]], columns: tuple[str, ...], title: str, form: str) -> str:
    from mensura.render.tables import Table, as_text, csv_text, json_text

    if form == "json":
        return json_text(rows)
    if form == "csv":
        return csv_text(columns, [[row[column] for column in columns] for row in rows])
    cells = [[_cell(column, row[column]) for column in columns] for row in rows]
    return f"{title}\n{as_text(Table(columns, cells, 'll' if 'digest' in columns else 'l' * len(columns)))}"


def _cell(column: str, value: Any) -> str:
    """Times to the second, digests to twelve digits."""
    text = str(value)
    if column in {"made", "first", "last"} and text[10:11] == "T":
        return text[:19].replace("T", " ") + " UTC"
    return text[:12] if column == "digest" else text


def _export(arguments: Namespace, ledger: Ledger) -> int:
    from mensura.cli.shared.output import write
    from mensura.ledger.exchange import export

    write(export(ledger), arguments.output)
    return 0


def _import(arguments: Namespace, ledger: Ledger) -> int:
    from mensura.ledger.exchange import merge

    exports = []
    for file in arguments.exports:
        try:
            exports.append((str(file), file.read_text(encoding="utf-8")))
        except OSError as error:
            raise InputError(f"could not be read: {error.strerror}", source=str(file)) from error
        except UnicodeDecodeError as error:
            raise InputError("is not valid UTF-8", source=str(file)) from error
    tests, new = merge(ledger, exports)
    sys.stdout.write(f"{tests} tests read, {new} of them new\n")
    return 0
