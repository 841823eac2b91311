"""``mensura rankings``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mensura.cli.shared.options import add_chart, add_output, positive
from mensura.errors import InputError, MensuraError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from mensura.rankings.comparison import RankingComparison
    from mensura.rankings.matrices import Matrix
    from mensura.rankings.positions import Ranking
    from mensura.rankings.weighting import Weights

MATRIX = "a_corr"
PAIR = 2


def configure(parser: ArgumentParser) -> None:
    """The options."""
    parser.description = (
        "Compare two rankings: how far apart they are (footrule, Kendall, point and area), how they correlate, what they share.\n"
        "With three rankings or more, compare every one with every other; with --reference, each with the reference.\n"
        "With runs, judgments and --topic, compare each run with the ideal ranking of the judgments."
    )
    parser.epilog = (
        "examples: mensura rankings mine.txt theirs.txt --chart curves.svg\n"
        "          mensura rankings bm25.run bert.run --topic 401 --depth 100\n"
        "          mensura rankings ap.csv ndcg.csv --format json\n"
        "          mensura rankings runs/*.gz --topic all --depth 100 --format csv\n"
        "          mensura rankings bm25.run qrels.txt --topic 401 --chart ideal.svg\n"
        "          mensura rankings b,a,c,d c,a,b,d d,c,b,a --reference a,b,c,d"
    )
    parser.add_argument(
        "rankings",
        metavar="RANKING",
        nargs="+",
        help="files with one item per line (tied items on one line, tabs between them); leaderboards, as mensura evaluate -f csv "
        "writes them; lists such as a,b=c,d (= between tied items); or, with --topic, runs; .gz and .zst too",
    )
    parser.add_argument("--topic", help="topic of runs to compare, or all for means over topics; the files are runs then")
    parser.add_argument(
        "--qrels",
        metavar="QRELS",
        help="judgments, to compare each run with its ideal ranking; needed only if they are not recognised among the runs by "
        "their columns",
    )
    parser.add_argument(
        "--reference", metavar="RANKING", help="ranking to compare each of the others with: a file, a list, or a run"
    )
    parser.add_argument("--depth", type=positive, metavar="N", help="number of documents of each run, from the top (default: all)")
    parser.add_argument(
        "--ties",
        choices=("kept", "broken"),
        help="treatment of equal scores: tied, or in trec_eval's order (default: kept; against judgments: broken)",
    )
    parser.add_argument("-m", "--measure", metavar="MEASURE", help="measure to take from leaderboards with several")
    parser.add_argument(
        "--h",
        metavar="H",
        default="1",
        help="weight of rank i in the area: a constant of at least 1, 1/i, or p from 0 to 1 for (1-p)p^(i-1) (default: 1)",
    )
    parser.add_argument(
        "--p", type=float, metavar="P", default=0.9, help="persistence of rank-biased overlap (default: %(default)s)"
    )
    parser.add_argument(
        "--rbo-ties", choices=("a", "b", "w"), default="a", help="variant of rank-biased overlap for ties (default: %(default)s)"
    )
    parser.add_argument("-k", type=positive, metavar="K", default=10, help="depth of the top-k overlap (default: %(default)s)")
    parser.add_argument(
        "--curves",
        action="store_true",
        help="csv with a line for each rank instead of one for each number; against judgments, a table of all ranks too",
    )
    parser.add_argument(
        "--by", metavar="NUMBER", default=MATRIX, help="number that a table of several rankings shows (default: %(default)s)"
    )
    parser.add_argument("--disjoint", action="store_true", help="comparison of rankings even if they share no item")
    add_output(parser)
    add_chart(parser, "the curves of two rankings, or of all against judgments or a reference")


def run(arguments: Namespace) -> int:
    """Compare rankings and write the result."""
    from mensura.cli.shared.output import write
    from mensura.rankings.comparison import compare
    from mensura.rankings.files import contains_judgments
    from mensura.render.charts.draw import draw

    paths = _expanded(arguments.rankings)
    if [*paths, arguments.reference, arguments.qrels].count("-") > 1:
        raise InputError("standard input can be read only once: give the other rankings as files", source="-")
    judgments = [path for path in paths if contains_judgments(path)] if arguments.topic is not None else []
    if arguments.qrels is not None or judgments:
        return _against_ideal(paths, judgments, arguments)
    if arguments.reference is not None:
        return _against_reference(paths, arguments)
    if len(paths) < PAIR:
        raise MensuraError("a comparison needs at least 2 rankings, got 1; name another file")
    names = _names(paths)
    if len(paths) > PAIR or arguments.topic == "all":
        if arguments.chart is not None:
            raise MensuraError("--chart draws two rankings, or several with --reference: name two files, and for runs one topic")
        write(_matrix(paths, names, arguments), arguments.output)
        return 0
    from mensura.rankings.files import check_same_kind

    first, second = _read(paths, arguments)
    if not arguments.disjoint:
        check_same_kind(first, second, (names[0], names[1]))
    comparison = compare(first, second, h=_weights(arguments.h), p=arguments.p, rbo_ties=arguments.rbo_ties, k=arguments.k)
    layout = {"table": _table, "csv": _curves_csv if arguments.curves else _csv, "json": _json}[arguments.format]
    write(layout(comparison, names, arguments), arguments.output)
    if arguments.chart is not None:
        from mensura.render.charts.rankings import rankings_chart

        draw(rankings_chart(comparison, (names[0], names[1])), arguments.chart)
    return 0


def _expanded(words: list[str]) -> list[str]:
    """Return files, patterns replaced by what they match, and lists as they are."""
    from mensura.io.files import expand
    from mensura.rankings.files import is_list

    return [path for word in words for path in ([word] if is_list(word) else expand([word]))]


def _names(paths: list[str]) -> list[str]:
    """Return names of rankings: those of files without endings, unless two are the same."""
    from mensura.io.files import Source
    from mensura.rankings.files import is_list

    names = [path if is_list(path) else Source(path).stem for path in paths]
    return names if len(set(names)) == len(names) else paths


def _against_ideal(paths: list[str], judgments: list[str], arguments: Namespace) -> int:
    """Compare runs with the ideal rankings of judgments."""
    from mensura.cli.shared.output import write
    from mensura.judged.entrance import judge
    from mensura.rankings.ideal import against_ideal
    from mensura.render import against

    if arguments.topic is None:
        raise MensuraError("which topic? Choose one with --topic, or the mean over all with --topic all")
    if arguments.reference is not None:
        raise MensuraError("with judgments, the reference is their ideal ranking; leave --reference or the judgments out")
    if arguments.ties == "kept":
        raise MensuraError("against judgments, documents with equal scores are in trec_eval's order; leave --ties kept out")
    sets = [*judgments, *([arguments.qrels] if arguments.qrels is not None else [])]
    runs = [path for path in paths if path not in judgments]
    if len(sets) != 1 or not runs:
        raise MensuraError(f"a comparison with the ideal needs runs and one file of judgments, got {len(runs)} and {len(sets)}")
    judged = judge(sets[0], runs, depth=arguments.depth)
    curves = against_ideal(judged, depth=arguments.depth, h=_weights(arguments.h))
    every, topic = arguments.topic == "all", arguments.topic
    about = f"the ideal ranking, mean over {len(judged.topics)} topics" if every else f"the ideal ranking of topic {topic}"
    curves = curves.mean() if every else curves.only(topic)
    missing = judged.missing.sum(axis=1) if every else judged.missing[:, judged.topics.index(topic)]
    lacking = [
        f"{system} ({count})" if every else system for system, count in zip(judged.systems, missing.tolist(), strict=True) if count
    ]
    if lacking and not every:
        raise MensuraError(f"the run {lacking[0]} has no topic {topic!r}; compare it on another topic")
    match arguments.format:
        case "table":
            text = against.ideal_table(curves, f"against {about}, {curves.point.shape[2]} ranks", every_rank=arguments.curves)
            text += f"Topics that are missing count as lists without relevant documents: {', '.join(lacking)}.\n" if lacking else ""
        case "csv":
            text = against.ideal_csv(curves, every_rank=arguments.curves)
        case _:
            text = against.ideal_json(curves, {"qrels": sets[0], "topic": topic, "topics": len(judged.topics), "h": arguments.h})
    write(text, arguments.output)
    if arguments.chart is not None:
        from mensura.render.charts.against import ideal_chart
        from mensura.render.charts.draw import draw

        draw(ideal_chart(curves, about), arguments.chart)
    return 0


def _against_reference(paths: list[str], arguments: Namespace) -> int:
    """Compare rankings with one reference."""
    from mensura.cli.shared.output import write
    from mensura.rankings.files import check_same_kind
    from mensura.rankings.reference import against_reference
    from mensura.render import against

    if arguments.topic == "all":
        raise MensuraError("--reference compares rankings of one topic; for means over topics, name the reference among the runs")
    names, (reference,) = _names(paths), _names([arguments.reference])
    if len(set(names)) < len(names):
        raise MensuraError(f"{next(name for name in names if names.count(name) > 1)} is named twice; name each ranking once")
    *rankings, ideal = _read([*paths, arguments.reference], arguments)
    if not arguments.disjoint:
        for name, ranking in zip(names, rankings, strict=True):
            check_same_kind(ranking, ideal, (name, reference))
    options = {"h": _weights(arguments.h), "p": arguments.p, "rbo_ties": arguments.rbo_ties, "k": arguments.k}
    comparison = against_reference(dict(zip(names, rankings, strict=True)), ideal, name=reference, **options)
    match arguments.format:
        case "table":
            text = against.reference_table(comparison)
        case "csv":
            text = against.reference_csv(comparison, every_rank=arguments.curves)
        case _:
            text = against.reference_json(comparison, {"h": arguments.h, "p": arguments.p, "k": arguments.k})
    write(text, arguments.output)
    if arguments.chart is not None:
        from mensura.render.charts.against import reference_chart
        from mensura.render.charts.draw import draw

        draw(reference_chart(comparison), arguments.chart)
    return 0


def _weights(text: str) -> Weights:
    if text == "1/i":
        return text
    try:
        return float(text)
    except ValueError:
        raise MensuraError(f"--h {text}: write 1, 1/i, or a number, between 0 and 1 for geometric weights") from None


def _read(paths: list[str], arguments: Namespace) -> list[Ranking]:
    if arguments.topic is None:
        from mensura.rankings.files import is_list, parse_list, read_ranking

        if arguments.depth is not None:
            raise MensuraError("--depth is for runs: say which topic with --topic, or cut the files yourself")
        return [parse_list(path) if is_list(path) else read_ranking(path, measure=arguments.measure) for path in paths]
    from mensura.rankings.runs import run_rankings

    topic = arguments.topic
    return [run_rankings(path, depth=arguments.depth, ties=arguments.ties or "kept", topics=[topic])[topic] for path in paths]


def _matrix(paths: list[str], names: list[str], arguments: Namespace) -> str:
    from mensura.cli.shared.output import progress
    from mensura.rankings.matrices import matrix, over_topics
    from mensura.rankings.runs import run_rankings

    options: dict[str, Any] = {"h": _weights(arguments.h), "p": arguments.p}
    if arguments.topic == "all":
        runs = {
            name: run_rankings(path, depth=arguments.depth, ties=arguments.ties or "kept")
            for name, path in zip(names, paths, strict=True)
        }
        with progress("comparing topics") as tell:
            matrices = over_topics(runs, **options, progress=tell)
    else:
        matrices = matrix(dict(zip(names, _read(paths, arguments), strict=True)), **options)
    return {"table": _matrix_table, "csv": _matrix_csv, "json": _matrix_json}[arguments.format](matrices, arguments.by)


def _matrix_table(matrix: Matrix, by: str) -> str:
    from mensura.render.numbers import fixed
    from mensura.render.tables import Table, as_text

    rows = [(name, *row) for name, row in zip(matrix.names, matrix[by].tolist(), strict=True)]
    return f"{by}\n\n{as_text(Table(['', *matrix.names], rows, formats=[None, *[fixed] * len(matrix.names)]))}"


def _matrix_csv(matrix: Matrix, _: str) -> str:
    from mensura.render.tables import csv_text

    columns = [matrix[measure].tolist() for measure in matrix.measures]
    rows = [
        (first, second, *(column[i][j] for column in columns))
        for i, first in enumerate(matrix.names)
        for j, second in enumerate(matrix.names)
    ]
    return csv_text(["first", "second", *matrix.measures], rows)


def _matrix_json(matrix: Matrix, _: str) -> str:
    from mensura.render.tables import json_text

    return json_text({"rankings": matrix.names, **{measure: matrix[measure] for measure in matrix.measures}})


def _json(comparison: RankingComparison, names: list[str], arguments: Namespace) -> str:
    from mensura.render.tables import json_text

    document: dict[str, Any] = {"first": names[0], "second": names[1], "h": arguments.h, "p": arguments.p, "k": arguments.k}
    return json_text(document | comparison.to_dict() | {"ranked": [str(item) for item in comparison.pair.items]})


def _csv(comparison: RankingComparison, names: list[str], _: Namespace) -> str:
    from mensura.render.tables import csv_text

    return csv_text(["first", "second", "measure", "value"], [(*names, *row) for row in comparison.numbers().items()])


def _curves_csv(comparison: RankingComparison, _: list[str], __: Namespace) -> str:
    from mensura.render.tables import csv_text

    curves = comparison.curves()
    del curves["agreement"]  # over depths, not over ranks
    pair = comparison.pair
    columns = [pair.items, pair.x / 2, pair.y / 2, *curves.values()]
    rows = [(rank, str(item), *map(float, cells)) for rank, (item, *cells) in enumerate(zip(*columns, strict=True), start=1)]
    return csv_text(["rank", "item", "first", "second", *(name.removesuffix("_curve") for name in curves)], rows)


def _table(comparison: RankingComparison, names: list[str], arguments: Namespace) -> str:
    from mensura.render.numbers import general
    from mensura.render.rankings import number_rows
    from mensura.render.tables import Table, as_text

    pair = comparison.pair
    both = f"{len(pair.left)} and {len(pair.right)} items, {pair.shared} in both"
    rows = [
        (row["label"], row["text"], "" if row["most"] is None else general(row["most"]))
        for row in number_rows(comparison, arguments.k)
    ]
    ties = [name for name, ranking in zip(names, (pair.left, pair.right), strict=True) if ranking.tied]
    notes = [f"\nTies in {' and '.join(ties)}."] if ties else []
    if not comparison.same_items:
        notes.append("\nItems that one ranking does not contain are tied after its last item.")
    head = f"{names[0]} and {names[1]}: {f'{len(pair.left)} items' if comparison.same_items else both}"
    return f"{head}\n\n{as_text(Table(['', 'value', 'of at most'], rows))}" + "".join(notes) + ("\n" if notes else "")
