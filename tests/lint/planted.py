"""Sentences and tables with numbers that fit, and the same with one number changed so that nothing explains it.

The arithmetic is done here with Decimal and with scipy.stats, not with the checker's intervals.
A wrong number is changed by several times more than rounding can explain.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal

from scipy import stats

SYSTEMS = ("BM25", "QL", "RM3", "DPR", "ColBERT", "SPLADE", "monoT5", "DirichletLM", "PL2", "ANCE")
MEASURES = ("MAP", "P@10", "nDCG@10", "MRR@10", "nDCG@20", "Rprec", "R@100", "RBP", "bpref", "ERR@20")


@dataclass
class Table:
    """A table in no format: header, rows of texts, the cells that are bold, and a caption."""

    header: list[str]
    rows: list[list[str]]
    caption: str = ""
    bold: set[tuple[int, int]] = field(default_factory=set)


@dataclass
class Case:
    """A planted error, or the correct text that it was made from."""

    code: str
    sentence: str = ""
    table: Table | None = None


def text(value, decimals):
    return str(Decimal(value).quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP))


def value(draw, low=0.15, high=0.6, decimals=3):
    return Decimal(text(Decimal(draw.uniform(low, high)), decimals))


def relative(draw, wrong):
    decimals = draw.choice((3, 4))
    base = value(draw, decimals=decimals)
    other = base + value(draw, 0.02, 0.2, decimals)
    if draw.random() < 0.3:
        base, other = other, base
    percent = (other - base) / base * 100
    percent += draw.choice((-1, 1)) * Decimal(draw.choice((4, 7, 11))) if wrong else 0
    if wrong and abs(percent - (other - base) * 100) < 2:
        percent += 9
    shown = text(abs(percent), 1)
    verb = draw.choice(("improves", "increases")) if other > base else "drops"
    sign = "+" if other > base else "−"
    name, system = draw.choice(MEASURES), draw.choice(SYSTEMS)
    return draw.choice(
        (
            f"With {system}, {name} {verb} from {base} to {other}, a relative change of {shown}%.",
            f"{name} {verb} from {base} to {other} ({sign}{shown}%) with {system}.",
            f"{system} {verb} {name} by {shown}% (from {base} to {other}).",
            f"The {name} of {system} changed from {base} to {other} ({sign}{shown} %).",
        )
    )


def points(draw, wrong):
    base = value(draw, 20, 50, 1)
    gain = value(draw, 2, 9, 1)
    shown = gain + draw.choice((-1, 1, 2)) * Decimal("0.9") if wrong else gain
    if wrong and abs(shown - gain / base * 100) < 1:
        shown += 3
    name = draw.choice(MEASURES)
    return f"{name} improves from {base}% to {base + gain}%, an absolute gain of {text(shown, 1)} points."


def statistic(draw, wrong):
    kind = draw.choice("tFχzr")
    if kind == "t":
        df, size = draw.choice((24, 49, 99, 248)), draw.uniform(1.5, 4)
        shown = f"t({df}) = {size:.2f}"
        p = 2 * stats.t.sf(float(f"{size:.2f}"), df)
    elif kind == "F":
        one, two, size = draw.choice((1, 2, 4)), draw.choice((98, 147, 196)), draw.uniform(2.5, 6)
        shown = f"F({one}, {two}) = {size:.2f}"
        p = stats.f.sf(float(f"{size:.2f}"), one, two)
    elif kind == "χ":
        df, size = draw.choice((1, 2, 3, 5)), draw.uniform(5, 12)
        shown = f"χ²({df}) = {size:.2f}"
        p = stats.chi2.sf(float(f"{size:.2f}"), df)
    elif kind == "z":
        size = draw.uniform(1.5, 3)
        shown = f"z = {size:.2f}"
        p = 2 * stats.norm.sf(float(f"{size:.2f}"))
    else:
        df, size = draw.choice((28, 48, 98)), draw.uniform(0.25, 0.5)
        shown = f"r({df}) = {size:.2f}"
        rounded = float(f"{size:.2f}")
        p = 2 * stats.t.sf(rounded * (df / (1 - rounded * rounded)) ** 0.5, df)
    if draw.random() < 0.4:
        level = draw.choice((0.05, 0.01, 0.001))
        if not wrong:
            level = next(each for each in (0.001, 0.01, 0.05, 0.5) if p < 0.8 * each)
            return f"The systems differ ({shown}, p < {level})."
        return (
            f"The systems differ ({shown}, p < {level / 1000:.6f})."
            if p / 2 > level / 1000
            else f"The systems differ ({shown}, p > 0.2)."
        )
    wrong_p = p * 5 if p < 0.15 else p / 9
    return f"The systems differ ({shown}, p = {wrong_p if wrong else p:.4f})."


def interval(draw, wrong):
    estimate, half = value(draw, 0.02, 0.09), value(draw, 0.01, 0.05)
    low, high = estimate - half, estimate + half
    kind = draw.randrange(3)
    if kind == 0:
        shown = high + Decimal("0.02") if wrong else estimate
        return f"The difference of {shown} (95% CI: {low} to {high}) is what we expected."
    if kind == 1:
        first, last = (high + Decimal("0.03"), low) if wrong else (low, high)
        return f"The 95% confidence interval of the difference is [{first}, {last}]."
    low, high = (abs(low) + Decimal("0.004"), high + Decimal("0.1"))
    negative = -low
    if wrong:
        return f"The difference is significant (95% CI of the difference: {negative} to {high})."
    return f"The difference is significant (95% CI of the difference: {low} to {high})."


def significance(draw, wrong):
    small, large = value(draw, 0.001, 0.03), value(draw, 0.12, 0.8)
    system = draw.choice(SYSTEMS)
    if draw.random() < 0.5:
        return f"The improvement over {system} is statistically significant (p = {large if wrong else small})."
    return f"The difference to {system} is not significant (p = {small if wrong else large})."


def grim(draw, wrong):
    topics, depth = draw.choice((25, 50, 49, 43)), draw.choice((5, 10))
    parts = topics * depth
    if wrong:
        while True:
            shown = text(Decimal(draw.uniform(0.2, 0.6)), 4)
            possible = {text(Decimal(number) / parts, 4) for number in range(parts + 1)}
            cut = {str(Decimal(number) / parts)[:6].ljust(6, "0") for number in range(parts + 1)}
            if shown not in possible | cut:
                break
    else:
        shown = text(Decimal(draw.randrange(parts // 5, parts // 2)) / parts, 4)
    return f"Over {topics} topics, {draw.choice(SYSTEMS)} reaches P@{depth} = {shown}."


def out_of_range(draw, wrong):
    shown = value(draw, 101, 180, 1) if wrong else value(draw, 20, 70, 1)
    return f"{draw.choice(SYSTEMS)} reaches a {draw.choice(('Recall@100', 'P@10', 'nDCG@10', 'MAP'))} of {shown}%."


def arrow(draw, wrong):
    base = value(draw)
    other = base + value(draw, 0.02, 0.2)
    percent = (other - base) / base * 100 + (draw.choice((-1, 1)) * Decimal("2.5") if wrong else 0)
    if wrong and abs(percent - (other - base) * 100) < 2:
        percent += 5
    return f"{draw.choice(MEASURES)} of {draw.choice(SYSTEMS)}: {base} → {other} (+{text(percent, 1)}%)."


def factor(draw, wrong):
    fast = draw.randrange(20, 90)
    slow = fast * draw.randrange(2, 6) + draw.randrange(1, 15)
    ratio = Decimal(slow) / fast
    shown = text(ratio * (Decimal("1.3") if wrong else 1), 1)
    return f"The time per query drops from {slow} ms to {fast} ms ({shown}x faster)."


def proportion(draw, wrong):
    whole = draw.choice((50, 49, 150, 249))
    part = draw.randrange(whole // 5, whole // 2)
    percent = Decimal(100 * part) / whole + (draw.choice((-3, 3, 5)) if wrong else 0)
    shown = text(percent, draw.choice((0, 1)))
    return draw.choice((f"RM3 helps in {part} of {whole} topics ({shown}%).", f"RM3 helps in {shown}% ({part}/{whole}) of them."))


def split(draw, wrong):
    parts = [draw.randrange(700, 900), draw.randrange(60, 120), draw.randrange(60, 120)]
    total = sum(parts) + (draw.choice((-10, 10, 25)) if wrong else 0)
    return f"The {total} queries are split into {parts[0]} for training, {parts[1]} for validation and {parts[2]} for testing."


def share(draw, wrong):
    large = value(draw, 0.4, 0.7)
    small = large - value(draw, 0.02, 0.1)
    shown = text(small / large * 100 + (draw.choice((-6, 5)) if wrong else 0), 1)
    name, system = draw.choice(MEASURES), draw.choice(SYSTEMS)
    return draw.choice(
        (
            f"With a {name} of {small} against {large}, the small model retains {shown}% of the {name} of {system}.",
            f"The small model has a {name} of {small}, which is {shown}% of the {large} of {system}.",
        )
    )


def fold(draw, wrong):
    slow, fast = draw.randrange(200, 900), draw.randrange(20, 90)
    ratio = text(Decimal(slow) / fast * (Decimal("1.3") if wrong else 1), 1)
    return draw.choice(
        (
            f"Latency falls from {slow} ms to {fast} ms, a {ratio}x speed-up over {draw.choice(SYSTEMS)}.",
            f"Caching cuts the time from {slow} s to {fast} s, which is {ratio} times faster.",
        )
    )


def listed_mean(draw, wrong):
    values = sorted(distinct(draw, 4))
    mean = sum(values) / 4 + (Decimal("0.004") if wrong else 0)
    names = (f"{number} on {name}" for number, name in zip(values, ("Robust", "Gov", "News"), strict=False))
    name = draw.choice(MEASURES)
    if draw.random() < 0.5:
        shown = ", ".join(map(str, values[:3]))
        return f"On the four collections, {name} is {shown} and {values[3]}, on average {text(mean, 3)}."
    mean = sum(values[:3]) / 3 + (Decimal("0.004") if wrong else 0)
    first, second, third = names
    return f"The {name} is {first}, {second} and {third}, {text(mean, 3)} on average."


def plain_difference(draw, wrong):
    base, change = value(draw), value(draw, 0.02, 0.1)
    shown = change + (Decimal("0.013") if wrong else 0)
    verb = draw.choice(("rises", "grows"))
    return f"{draw.choice(MEASURES)} {verb} from {base} to {base + change}, a difference of {shown}."


def middle(draw, wrong):
    estimate, half = value(draw, 0.03, 0.09), value(draw, 0.011, 0.02)
    off = Decimal("0.006") if wrong else 0
    low, high = estimate - half + off, estimate + half + off
    return f"By a paired t-test, the mean difference is {estimate} (95% CI: [{low}, {high}])."


SENTENCES = {
    "N001s": share,
    "N001t": fold,
    "N012": listed_mean,
    "N002d": plain_difference,
    "N005m": middle,
    "N001a": arrow,
    "N001f": factor,
    "N013": proportion,
    "N015": split,
    "N001": relative,
    "N002": points,
    "N003": statistic,
    "N005": interval,
    "N006": significance,
    "N009": out_of_range,
    "N011": grim,
}


def distinct(draw, count, decimals=3):
    values = []
    while len(values) < count:
        number = value(draw, decimals=decimals)
        if number not in values:
            values.append(number)
    return values


def best_table(draw, wrong):
    systems, measures = draw.sample(SYSTEMS, 5), draw.sample(MEASURES, 3)
    columns = [distinct(draw, 5) for _ in measures]
    bold = {(column.index(max(column)), number + 1) for number, column in enumerate(columns)}
    if wrong:
        number = draw.randrange(3)
        order = sorted(range(5), key=lambda row: columns[number][row])
        bold = {(row, column) for row, column in bold if column != number + 1} | {(order[draw.randrange(4)], number + 1)}
    rows = [[system, *(str(column[row]) for column in columns)] for row, system in enumerate(systems)]
    return Table(["System", *measures], rows, "Results of all systems; the best values are bold.", bold)


def change_table(draw, wrong):
    systems, name = draw.sample(SYSTEMS, 5), draw.choice(MEASURES)
    percent = draw.random() < 0.5
    rows, bad = [], draw.randrange(5)
    for number, system in enumerate(systems):
        base = value(draw)
        other = base + value(draw, 0.01, 0.15)
        change = (other - base) / base * 100 if percent else other - base
        if wrong and number == bad:
            change += Decimal(17) if percent else Decimal("0.313")
        rows.append([system, str(base), str(other), f"+{text(change, 1)}%" if percent else f"+{text(change, 3)}"])
    return Table(["System", f"{name} before", f"{name} after", "Δ%" if percent else "Δ"], rows, "Effect of stemming.")


def baseline_table(draw, wrong):
    systems, measures = draw.sample(SYSTEMS, 5), draw.sample(MEASURES, 2)
    columns = [distinct(draw, 5) for _ in measures]
    rows = [[systems[0], *(str(column[0]) for column in columns)]]
    bad = draw.randrange(1, 5), draw.randrange(2)
    for row in range(1, 5):
        cells = []
        for number, column in enumerate(columns):
            change = (column[row] - column[0]) / column[0] * 100
            change += 23 if wrong and (row, number) == bad else 0
            cells.append(f"{column[row]} ({'+' if change > 0 else '−'}{text(abs(change), 1)}%)")
        rows.append([systems[row], *cells])
    return Table(["System", *measures], rows, f"Changes against {systems[0]}.")


def mean_table(draw, wrong):
    systems = draw.sample(SYSTEMS, 5)
    rows, bad = [], draw.randrange(5)
    for number, system in enumerate(systems):
        values = [value(draw) for _ in range(4)]
        mean = sum(values) / 4 + (Decimal("0.041") if wrong and number == bad else 0)
        rows.append([system, *map(str, values), text(mean, 3)])
    return Table(["System", "Robust", "Gov", "WT", "News", "Average"], rows, "nDCG on four collections.")


def range_table(draw, wrong):
    systems, measures = draw.sample(SYSTEMS, 6), draw.sample(MEASURES, 2)
    columns = [[str(each) for each in distinct(draw, 6)] for _ in measures]
    if wrong:
        column, row = draw.choice(columns), draw.randrange(6)
        column[row] = draw.choice((f"1.{column[row][2:]}", text(Decimal(column[row]) * 100, 1)))
    return Table(
        ["System", *measures], [[system, *(column[row] for column in columns)] for row, system in enumerate(systems)], "Runs."
    )


def anova_table(draw, wrong):
    systems, topics = draw.choice((3, 4, 5)), draw.choice((25, 50))
    df = [systems - 1, topics - 1, (systems - 1) * (topics - 1)]
    squares = [value(draw, 0.2, 0.9, 4), value(draw, 5, 20, 4), value(draw, 2, 6, 4)]
    means = [square / count for square, count in zip(squares, df, strict=True)]
    ratios = [text(means[0] / means[2], 3), text(means[1] / means[2], 3), ""]
    shown = [text(mean, 5) for mean in means]
    if wrong:
        number = draw.randrange(2)
        if draw.random() < 0.5:
            shown[number] = text(means[number] * Decimal("1.7"), 5)
        else:
            ratios[number] = text(means[number] / means[2] * Decimal("1.9"), 3)
    names = ("System", "Topic", "Error")
    rows = [[name, str(squares[row]), str(df[row]), shown[row], ratios[row]] for row, name in enumerate(names)]
    return Table(["Source", "SS", "df", "MS", "F"], rows, "Analysis of variance.")


def repeated_case(draw, wrong):
    table = best_table(draw, wrong=False)
    row, column = draw.randrange(5), draw.randrange(1, 4)
    shown = table.rows[row][column]
    if wrong:
        present = {Decimal(cell) for each in table.rows for cell in each[1:]}
        other = Decimal(shown)
        while any(abs(other - each) < Decimal("0.003") for each in present):
            other += Decimal("0.004")
        shown = str(other)
    sentence = f"In this setting, {table.rows[row][0]} has a {table.header[column]} of {shown}."
    return sentence, table


def claimed_case(draw, wrong):
    """A sentence in per cent about two rows of a table."""
    table = best_table(draw, wrong=False)
    (one, two), column = draw.sample(range(5), 2), draw.randrange(1, 4)
    low, high = sorted((one, two), key=lambda row: Decimal(table.rows[row][column]))
    small, large = (Decimal(table.rows[row][column]) for row in (low, high))
    percent = (large - small) / small * 100
    percent += Decimal("4.3") if wrong else 0
    name = table.header[column]
    return f"{table.rows[high][0]} outperforms {table.rows[low][0]} by {text(percent, 1)}% in terms of {name}.", table


def best_row_table(draw, wrong):
    """Systems are columns: the best of each row is bold."""
    systems, collections = draw.sample(SYSTEMS, 4), ("Robust", "Gov", "WT", "News")
    lines = [distinct(draw, 4) for _ in collections]
    bold = {(row, line.index(max(line)) + 1) for row, line in enumerate(lines)}
    while len({column for _, column in bold}) == 1:  # a column that is bold as a whole is something else
        draw.shuffle(lines[0])
        bold = {(row, line.index(max(line)) + 1) for row, line in enumerate(lines)}
    if wrong:
        highest = [max(range(4), key=lambda each: lines[each][column]) for column in range(4)]
        row = next(each for each in range(4) if highest.count(each) < 2)
        order = sorted(range(4), key=lambda column: lines[row][column])
        column = next(each for each in order[:3] if highest[each] != row)  # one that is the best of its column may mean that
        bold = {(each, at) for each, at in bold if each != row} | {(row, column + 1)}
    rows = [[name, *map(str, line)] for name, line in zip(collections, lines, strict=True)]
    return Table(["Collection", *systems], rows, "nDCG; the best values are bold.", bold)


def f_table(draw, wrong):
    rows, bad = [], draw.randrange(5)
    for number, system in enumerate(draw.sample(SYSTEMS, 5)):
        precision, recall = value(draw), value(draw)
        mean = 2 * precision * recall / (precision + recall) + (Decimal("0.052") if wrong and number == bad else 0)
        rows.append([system, str(precision), str(recall), text(mean, 3)])
    return Table(["System", "Precision", "Recall", "F1"], rows, "Classification of the documents.")


def interval_table(draw, wrong):
    rows, bad = [], draw.randrange(4)
    for number, system in enumerate(draw.sample(SYSTEMS, 4)):
        mean, half = value(draw), value(draw, 0.02, 0.05)
        shown = mean + (half + Decimal("0.013") if wrong and number == bad else 0)
        rows.append([system, str(shown), f"[{mean - half}, {mean + half}]"])
    return Table(["System", "nDCG@10", "95% CI"], rows, "Means with intervals.")


def total_table(draw, wrong):
    rows, bad = [], draw.randrange(4)
    for number, name in enumerate(("Robust", "Gov", "WT", "News")):
        parts = [draw.randrange(60, 900) for _ in range(3)]
        rows.append([name, *map(str, parts), str(sum(parts) + (100 if wrong and number == bad else 0))])
    return Table(["Collection", "train", "dev", "test", "Total"], rows, "Queries of each collection.")


TABLES = {
    "N007r": best_row_table,
    "N014": f_table,
    "N005": interval_table,
    "N015": total_table,
    "N007": best_table,
    "N002": change_table,
    "N001": baseline_table,
    "N012": mean_table,
    "N009": range_table,
    "N004": anova_table,
}


def cases(count, seed, *, wrong):
    """Return so many cases, half of them sentences; one in ten is a sentence about a table."""
    draw = random.Random(seed)  # noqa: S311 - test data
    made = []
    for number in range(count):
        if number % 10 == 9:
            code, make = draw.choice((("N001", claimed_case), ("N008", repeated_case)))
            made.append(Case(code, *make(draw, wrong)))
        elif number % 2:
            code = draw.choice(sorted(SENTENCES))
            made.append(Case(code, SENTENCES[code](draw, wrong)))
        else:
            code = draw.choice(sorted(TABLES))
            made.append(Case(code, table=TABLES[code](draw, wrong)))
    return made
