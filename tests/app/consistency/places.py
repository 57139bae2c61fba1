"""The estimates of each place of a release, as pairs of what they are about and what is shown."""

import re
from collections.abc import Iterator, Mapping, Sequence

from tests.app.consistency.pages import (
    UNDRAWN,
    Axis,
    Marks,
    Node,
    Reading,
    axis_of,
    drawn_axis,
    drawn_marks,
    figure_rows,
    grid_cells,
    mean_lines,
    page_of,
    table_rows,
)
from tests.app.consistency.quantities import Key, Plain, Quantity

Quantities = Mapping[Key, Quantity]
Found = Iterator[tuple[Key, Reading]]

MEASURES = {
    "Cramér's V": "cramers_v",
    "Mutual information (bits)": "mutual_information",
    "Odds ratio": "odds_ratio",
    "Correlation": "pearson_correlation",
    "Entropy of both together (bits)": "entropy",
    "Chi-square of the estimated table": "chi_square",
    "G² of the estimated table": "g_squared",
}


def keys_like(known: Quantities, *start: str) -> list[Key]:
    """The keys that begin like this, in the order of the document."""
    return [key for key in known if key[: len(start)] == start]


def in_page(html: str, known: Quantities) -> Found:
    """Every estimate in a figure or a table of the results page, or of its summary as a file."""
    for section in page_of(html).all("section", class_="question"):
        block = section.text + "".join(_people_of_arms(section))
        for figure in section.all("div", class_="figure"):
            name, rows = figure.id.removeprefix("figure-"), figure_rows(figure, block)
            for place, (title, label, reading) in enumerate(rows):
                yield drawn_key(known, name, title, label, place), reading
        for table in section.all("table", class_="estimates"):
            yield from _in_table(table, block, known)
        question = section.id.removeprefix("question-")
        for paragraph in section.all("div", class_="asked"):
            yield ("asked of all", question), _asked_of_all(paragraph.all("p")[0].text, block)
        score = ("score", question)
        for reading in mean_lines(section):
            yield score if score in known else ("number", question, "0"), reading


def _asked_of_all(text: str, block: str) -> Reading:
    told = re.search(r"an estimated (.*?) of .*interval: (.*?)\)", text)
    estimate, interval = told.groups() if told else ("–", "Too few answers to say anything")
    return Reading("asked", estimate=estimate, interval=interval, block=block)


def _people_of_arms(section: Node) -> Iterator[str]:
    """The people of each arm, who are in a column of their own."""
    for table in section.all("table", class_="estimates"):
        if [each.text for each in table.all("thead")[0].all("th")][-1] == "n":
            yield from (f" n = {row.all('td')[-1].text}" for row in table.all("tr")[1:])


def drawn_key(known: Quantities, name: str, title: str, label: str, place: int) -> Key:
    """Return what a row of a figure is about, by the figure's name and its words."""
    question, _dash, kind = name.rpartition("-")
    if ("degrees", question, kind, str(place)) in known:
        return "degrees", question, kind, str(place)
    if kind == "mixing":
        return "mixing", question, title, label
    if ("mean rank", name, label) in known:
        return "mean rank", name, label
    if ("number", name, "0") in known:
        return "number", name, str(place)
    if keys_like(known, "within", name):
        outcomes = list(dict.fromkeys(key[3] for key in keys_like(known, "within", name)))
        return "within", name, label, title or outcomes[1]
    if ("joint", name, label) in known:
        return "joint", name, label
    return "share", name, label


def _in_table(table: Node, block: str, known: Quantities) -> Found:
    part, _dash, name = table.id.partition("-")
    if part == "within" or part == "cells" or (part == "weighted" and "-by-" in name):
        for group, outcome, reading in grid_cells(table, block):
            yield _cell_key(part, name, group, outcome), reading
    elif part == "mixing":
        for first, second, reading in grid_cells(table, block):
            yield ("mixing", name, first, second), reading
    elif part in ("ranks", "before"):
        for first, second, reading in grid_cells(table, block):
            yield ("rank" if part == "ranks" else part, name, first, second), reading
    elif part in ("ranking", "orders"):
        for label, reading in table_rows(table, block):
            yield ("order" if part == "orders" else "mean rank", name, label), reading
    elif part in ("differences", "number", "network"):
        part = "difference" if part == "differences" else part
        keys = keys_like(known, part, name)
        yield from zip(keys, [each for _label, each in table_rows(table, block)], strict=True)
    elif part == "degrees":
        question, _dash, kind = name.rpartition("-")
        for place, (_label, reading) in enumerate(table_rows(table, block)):
            yield ("degrees", question, kind, str(place)), reading
    elif part == "association":
        for label, reading in table_rows(table, block):
            yield ("measure", name, MEASURES[label]), reading
    elif part == "pairs":
        for label, reading in table_rows(table, block):
            yield ("measure", label.replace(" × ", "-by-"), "cramers_v"), reading
    elif part == "combinations":
        for label, reading in table_rows(table, block):
            yield ("joint", name.removeprefix("together-"), label), reading
    elif part == "arms":
        yield from _of_arms(table, name, block, known)
    elif part == "asked":
        for label, reading in table_rows(table, block):
            yield ("asked", name, label), reading
    elif part in ("table", "others", "weighted"):
        for label, reading in table_rows(table, block):
            yield ("share", name, label), reading
    else:
        assert part in ("more", "control"), table.id


def _cell_key(part: str, name: str, group: str, outcome: str) -> Key:
    if outcome == "Mean score":
        return "mean", name, group
    if outcome in ("Share of everybody", "Together"):
        return "size", name, group
    if group == "Together":
        return "total", name, outcome
    return ("within" if part == "weighted" else part), name, group, outcome


def _of_arms(table: Node, name: str, block: str, known: Quantities) -> Found:
    """The shares in each arm; of two answers the second is shown."""
    if name[-1].isdigit() and ("arm difference", name[:-2]) in {key[:2] for key in known}:
        keys = keys_like(known, "arm difference", name[:-2])
        yield from zip(keys, [each for _label, each in table_rows(table, block)], strict=True)
        return
    keys = keys_like(known, "arm", name)
    answers = list(dict.fromkeys(key[3] for key in keys))
    shown = [key for key in keys if len(answers) > 2 or key[3] == answers[1]]
    yield from zip(shown, [reading for _label, reading in table_rows(table, block)], strict=True)


# --- analyses and the crowd ---------------------------------------------------------------------


def in_analysis(html: str, known: Quantities) -> Found:
    """Every estimate in a figure or a table of the page of an analysis."""
    for card in [*page_of(html).all(class_="card")]:
        for figure in card.all("div", class_="figure"):
            readings = [reading for *_words, reading in figure_rows(figure, card.text)]
            keys = _drawn_of_analysis(known, figure.id.removeprefix("figure-"))
            yield from zip(keys, readings, strict=True)
        for table in card.all("table", class_="estimates"):
            part = table.id.rpartition("-")[0]
            if part == "coefficients":
                readings = [reading for _label, reading in table_rows(table, card.text)]
                yield from zip(keys_like(known, "coefficient"), readings, strict=True)
            elif part in ("predictions", "effects"):
                cells = [reading for *_words, reading in grid_cells(table, card.text)]
                yield from zip(keys_like(known, part.removesuffix("s")), cells, strict=True)


def _drawn_of_analysis(known: Quantities, name: str) -> list[Key]:
    if name == "coefficients":
        return [key for key in keys_like(known, "coefficient") if key[1]]
    questions = list(dict.fromkeys(key[1] for key in keys_like(known, "prediction")))
    return keys_like(known, "prediction", questions[int(name.rpartition("-")[2])])


def in_crowd(html: str, known: Quantities) -> Found:
    """Every value of a statistic of the crowd, in its figure and in its table."""
    (section,) = page_of(html).all("section", id="found")
    (figure,) = section.all("div", class_="figure")
    (table,) = section.all("table", id="crowd-numbers")
    drawn = [reading for *_words, reading in figure_rows(figure, section.text)]
    # Of a table the figure has a panel for each column.
    across = sorted(known, key=lambda key: key[::-1])
    yield from zip(across, drawn, strict=True)
    is_grid = "Group" in table.all("thead")[0].text
    rows = (grid_cells if is_grid else table_rows)(table, section.text)
    yield from zip(known, [reading for *_words, reading in rows], strict=True)


# --- the printed summary ------------------------------------------------------------------------


def in_print(
    content: Plain, drawn: Sequence[Key], strengths: Sequence[Key], known: Quantities
) -> Found:
    """Every estimate of the printed summary, from what is passed to the typesetter.

    `drawn`, `strengths`: what the rows of the page's figures are about, and those of its table of
    pairs, which are in the same order.
    """
    yield from zip(drawn, _printed_rows(content), strict=True)
    networks = list(dict.fromkeys(key[1] for key in keys_like(known, "network")))
    for title, readings in _printed_tables(content):
        if title == "Statistics of the network":
            yield from zip(keys_like(known, "network", networks.pop(0)), readings, strict=True)
        else:
            yield from zip(strengths, readings, strict=True)


def _printed_rows(content: Plain) -> Iterator[Reading]:
    for block, words in _blocks(content):
        for figure in block["figures"]:
            ticks = figure["axis"]["ticks"]
            axis = axis_of(ticks, 100 if figure["unit"] == "%" else 1)
            for row in [row for panel in figure["panels"] for row in panel["rows"]]:
                estimate, ends = row["marks"]["estimate"], row["marks"]["thin"]
                yield Reading(
                    where=f"print, {block['title']}",
                    estimate=row["estimate"] or None,
                    interval=row["interval"],
                    row=f"{row['label']} {row['estimate']} {row['interval']}",
                    unit=" ".join(text for _place, text in ticks),
                    block=words,
                    marks=Marks(
                        None if estimate is None else axis.value(estimate),
                        None if ends is None else (axis.value(ends[0]), axis.value(ends[1])),
                        axis.close,
                    ),
                )


def _printed_tables(content: Plain) -> Iterator[tuple[str, list[Reading]]]:
    for block, words in _blocks(content):
        for table in block["tables"]:
            yield (
                table["title"],
                [
                    Reading(
                        where=f"print, {table['title']}",
                        estimate=estimate,
                        interval=interval,
                        row=f"{label} {estimate}",
                        block=words,
                    )
                    for label, estimate, interval in table["rows"]
                ],
            )


def _blocks(content: Plain) -> Iterator[tuple[Plain, str]]:
    for part in content["parts"]:
        for block in part["blocks"]:
            yield block, " ".join([block["facts"], *block["sentences"], *block["notes"]])


# --- figures to zoom into -----------------------------------------------------------------------


def in_zoomed(figures: Plain, known: Quantities) -> Found:
    """The dots and the ends of the lines of Plotly's figures, in their rows' order."""
    for name, figure in figures.items():
        keys = _zoomed_keys(name, known)
        traces = [trace for trace in figure["data"] if trace["type"] != "bar"]
        if traces[0]["type"] == "heatmap":
            values = [value for row in traces[0]["z"][1::2] for value in row]
            for key, value in zip(keys, values, strict=True):
                yield key, _zoomed(name, value, UNDRAWN, known[key].scale)
            continue
        drawn = [trace for trace in traces if trace["mode"] == "lines"]
        lines = [trace for trace in drawn if trace["line"]["width"] == 5]
        (line,), dots = lines, traces[-1]
        assert "estimate" in dots["hovertemplate"]
        at = dict(zip(dots["y"], dots["x"], strict=True))
        heights = line["y"][::3]
        if len(heights) < len(keys) and keys[0][0] in ("share", "joint"):
            # The largest of many are drawn, in that order.
            keys = sorted(keys, key=lambda key: -(known[key].value or 0))[: len(heights)]
        elif len(heights) < len(keys):
            keys = [key for key in keys if not known[key].is_hidden]
        for key, height, low, high in zip(
            keys, heights, line["x"][::3], line["x"][1::3], strict=True
        ):
            ends = None if low is None or high is None else (low, high)
            yield key, _zoomed(name, at.get(height), ends, known[key].scale)


def _zoomed(name: str, value: float | None, ends: Sequence[float] | None, scale: int) -> Reading:
    """Shares are rounded to thousandths of a point."""
    places = None if ends is None else tuple(end / scale for end in ends)
    marks = Marks(None if value is None else value / scale, places, 0.00051 / scale)
    return Reading(f"zoomed, {name}", None, None, marks=marks)


def _zoomed_keys(name: str, known: Quantities) -> list[Key]:
    about, _colon, kind = name.partition(":")
    table = about.replace(",", "-by-")
    if kind == "heat":
        return keys_like(known, "cells", table)
    if kind == "groups":
        outcomes = list(dict.fromkeys(key[3] for key in keys_like(known, "within", table)))
        groups = list(dict.fromkeys(key[2] for key in keys_like(known, "within", table)))
        shown = outcomes[1:] if len(outcomes) == 2 else outcomes
        return [("within", table, group, outcome) for outcome in shown for group in groups]
    if kind == "mixing":
        return keys_like(known, "mixing", about)
    if kind in ("undirected", "in", "out"):
        return keys_like(known, "degrees", about, kind)
    if kind == "joint":
        return keys_like(known, "joint", about)
    if ranks := keys_like(known, "mean rank", about):
        return ranks
    shares = keys_like(known, "share", about)
    return keys_like(known, "number", about) if kind == "number" or not shares else shares


# --- files --------------------------------------------------------------------------------------

# What the file of estimates calls the quantities of its rows.
PARTS = {"everybody": "cells", "group": "within"}


def key_of_row(row: Mapping[str, str], known: Quantities) -> Key:
    """Return what a row of the file of estimates is about."""
    name, answer = row["question"], row["answer"]
    if row["group_by"]:
        return PARTS[row["share_of"]], f"{name}-by-{row['group_by']}", row["group"], answer
    if row["share_of"] == "network":
        return "network", name, answer
    if row["share_of"] == "pairs":
        return "mixing", name, row["group"], answer
    if row["share_of"] == "ranking":
        return "before", name, row["group"], answer.removeprefix("before ")
    if row["group"]:
        mean = ("mean rank", name, row["group"])
        return mean if answer == "mean rank" else ("rank", name, row["group"], answer.title())
    if " > " in answer:
        return "order", name, answer.replace(" > ", " › ")
    if row["share_of"] == "number":
        if ("score", name) in known:
            return "score", name
        return "number", name, str(["mean", "p25", "p50", "p75"].index(answer))
    if row["share_of"] == "asked":
        return "asked", name, answer
    if row["share_of"] == "members":
        kind, _space, _classes = answer.partition(" ")
        return "degrees", name, kind, answer
    return "share", name, answer


# --- sentences, and the summary that they stand in ------------------------------------------------


def summary_rows(html: str) -> Iterator[tuple[str, str, Marks | None]]:
    """Yield of each row at a glance its question, its sentence, and what its strip shows."""
    (section,) = page_of(html).all("section", class_="summary")
    head, *rows = section.all("table", class_="summary__rows")[0].all("tr")
    shares = [drawn_axis(svg, 100) for svg in head.all("svg")]
    for row in rows:
        (link,) = row.all("a")
        (sentence,) = row.all("span", class_="summary__finding")
        ends = [each.text for each in row.all("span", class_="summary__ends")]
        strips = row.all("svg")
        axis = _ends_of(row.all("span", class_="summary__ends")[0]) if ends else None
        yield (
            link.attributes["href"].removeprefix("#question-"),
            sentence.text,
            drawn_marks(strips[0], axis or shares[0]) if strips else None,
        )


def _ends_of(ends: Node) -> Axis:
    low, high = (each.text for each in ends.all("span"))
    return axis_of([(0, low), (100, high)], 1)


def block_sentences(html: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the first sentences of each question's block."""
    for section in page_of(html).all("section", class_="question"):
        if section.id.startswith("question-"):
            findings = section.all("p", class_="finding")
            yield section.id.removeprefix("question-"), [each.text for each in findings]
