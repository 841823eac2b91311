"""The leaderboard for a paper: a booktabs table, or a longtable where it is too long for a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mensura.render.escapes import latex
from mensura.render.numbers import group_names, shown

if TYPE_CHECKING:
    from mensura.report.build import Report
    from mensura.stats.compared import Comparison

LONGEST = 45  # rows that fit on a page


def leaderboard_table(report: Report) -> str:
    """All systems, best by the first measure first: per measure mean, interval, and groups that do not differ."""
    comparisons = report.comparisons
    level = f"{100 * (1 - comparisons[0].alpha):g}\\,\\%"
    columns = "rl" + "rcl" * len(comparisons)
    names = " & ".join(f"\\multicolumn{{3}}{{c}}{{{_name(made)}}}" for made in comparisons)
    rules = "".join(f"\\cmidrule(lr){{{3 * at + 3}-{3 * at + 5}}}" for at in range(len(comparisons)))
    inner = " & ".join(f"mean & {level} interval & group" for _ in comparisons)
    head = f"\\toprule\n & & {names} \\\\\n{rules}\n & system & {inner} \\\\\n\\midrule"
    groups = [group_names(made.groups) for made in comparisons]
    rows = []
    for place, system in enumerate(comparisons[0].ranking, start=1):
        cells = [str(place), latex(comparisons[0].systems[system])]
        for made, named in zip(comparisons, groups, strict=True):
            low, high = (_number(float(bound[system]), made.decimals) for bound in (made.low, made.high))
            cells += [_number(float(made.mean[system]), made.decimals), f"[{low}, {high}]", latex(named[system])]
        rows.append(" & ".join(cells) + r" \\")
    first = comparisons[0]
    caption = (
        f"Means over {len(first.topics)} topics with {level} confidence intervals; within a measure, systems that share a group "
        f"letter do not differ significantly ({latex(first.method.title)}, corrected for {first.family.size} tests, "
        f"$\\alpha = {first.alpha:g}$)."
    )
    needs = "% needs \\usepackage{booktabs}"
    body = "\n".join(rows)
    if len(rows) <= LONGEST:
        return (
            f"{needs}\n\\begin{{table}}\n\\centering\n\\caption{{{caption}}}\n\\label{{tab:leaderboard}}\n"
            f"\\begin{{tabular}}{{{columns}}}\n{head}\n{body}\n\\bottomrule\n\\end{{tabular}}\n\\end{{table}}\n"
        )
    return (
        f"{needs} and \\usepackage{{longtable}}\n\\begin{{longtable}}{{{columns}}}\n"
        f"\\caption{{{caption}}}\\label{{tab:leaderboard}}\\\\\n{head}\n\\endfirsthead\n{head}\n\\endhead\n"
        f"\\bottomrule\n\\endfoot\n{body}\n\\end{{longtable}}\n"
    )


def _name(made: Comparison) -> str:
    return latex(f"{made.measure} ↓" if made.measure.direction == "lower" else str(made.measure))


def _number(value: float, decimals: int) -> str:
    return shown(value, decimals).replace("−", "$-$").replace("–", "--")
