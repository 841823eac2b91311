"""``mensura cache``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mensura.cli.shared.options import add_output

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def configure(parser: ArgumentParser) -> None:
    """The options."""
    parser.description = (
        "Show or delete the files that Mensura keeps to be faster the next time: sweeps of long interval scales, and the\n"
        "script that draws charts on the web page. Results never depend on them. MENSURA_CACHE names another folder;\n"
        "MENSURA_CACHE=off keeps nothing."
    )
    parser.epilog = "examples: mensura cache info, mensura cache clear"
    parser.add_argument(
        "action", choices=("info", "clear"), nargs="?", default="info", help="show or delete (default: %(default)s)"
    )
    add_output(parser, ("table", "json"))


def run(arguments: Namespace) -> int:
    """Show or delete the cached files."""
    from mensura.cli.shared.output import write
    from mensura.io.caches import cache_folder, cached_files, clear_cache
    from mensura.render.tables import json_text

    folder = cache_folder()
    files = cached_files()
    size = sum(bytes_ for _, bytes_ in files)
    if arguments.action == "clear":
        clear_cache()
    if arguments.format == "json":
        facts = {"folder": None if folder is None else str(folder), "files": len(files), "bytes": size}
        write(json_text(facts | {"deleted": arguments.action == "clear"}), arguments.output)
        return 0
    if folder is None:
        write("Nothing is kept: MENSURA_CACHE is off, or there is no home folder.\n", arguments.output)
        return 0
    what = f"{len(files)} file{'' if len(files) == 1 else 's'}, {size:,} bytes"
    write(f"{folder}\n{what}{' deleted' if arguments.action == 'clear' else ''}\n", arguments.output)
    return 0
