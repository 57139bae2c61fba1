"""Whoever reads one number in two places reads the same number, and what stands beside it fits.

The downloads are compared with the page (weighted and not), its summary as a file, what is printed,
the drawings and the figures to zoom into: each is read as a reader would, and marks are measured.
"""

import csv
import io
import json
import re
from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse

from surveys.exports.crowd import released_crowd
from surveys.exports.document import BETWEEN
from surveys.languages import END, FROM_RIGHT
from surveys.results.crowd.statistics import STATISTICS, compute
from surveys.results.findings.choice import choice_of
from surveys.results.printed.content import printed_content
from surveys.results.release import release_of
from surveys.results.weighted.presentation import computed_weighted, stored_weighted
from surveys.results_document.document import plain
from tests.app.consistency.pages import UNDRAWN, UNKNOWN, Marks, Reading, number_in, span_in
from tests.app.consistency.places import (
    block_sentences,
    in_analysis,
    in_crowd,
    in_page,
    in_print,
    in_zoomed,
    key_of_row,
    summary_rows,
)
from tests.app.consistency.quantities import (
    NORMAL_QUANTILE,
    Quantity,
    crowd_quantities,
    estimates_in,
    fitted_quantities,
    quantities,
    weighted_quantities,
)
from tests.app.consistency.sentences import about, untruths
from tests.app.consistency.surveys import LAUNCHES

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.slow]

# Rounding of the last of sixteen digits.
NOTHING = 1e-9
# What says of a block that estimates in it were not cut where shares end.
UNCUT = ("outside", "below 0 %", "beyond what can be", "outside the range")
# What the file of estimates has, and its columns.
IN_FILE = (
    *("share", "asked", "number", "score", "within", "cells", "degrees", "network"),
    *("mean rank", "rank", "before", "order"),
)
NUMBERS = ("estimate", "standard_error", "low", "high")
# Where statistics of the crowd are asked for, and which.
WITH_A_CROWD = ("few", "some with a die")
OF_CROWDS = {
    "share": {"answer1": "drug:1", "answer2": "size:1"},
    "table": {"outcome": "drug", "given": "size"},
    "mean": {"question": "stress"},
    "quantile": {"question": "age", "chance": "0.25"},
    "correlation": {"question": "drug", "second": "stress"},
}
UNITS = {"age": "years"}
# What the page has all of, but where weighted numbers take its place.
ON_PAGE = (
    *("share", "number", "within", "cells", "size", "total", "difference", "measure", "mean"),
    *("degrees", "network", "mixing", "joint", "mean rank", "rank", "before", "order"),
    *("asked", "asked of all"),
)
WORDS = ("Too few answers to say anything", "anything", "fixed by the margin", UNKNOWN)


def problems_of(reading, quantity):
    """Return what a place says that the downloads do not, or leaves out."""
    hidden = quantity.is_hidden
    yield from _problems_of_texts(reading, quantity, hidden=hidden)
    if reading.marks is not None:
        # Where an interval is a text it is a line, too.
        spanned = span_in(reading.interval) if reading.interval is not None else not hidden
        yield from _problems_of_marks(reading.marks, quantity, spanned=bool(spanned))
    if reading.block:
        yield from _problems_of_block(reading, quantity, hidden=hidden)


def _problems_of_block(reading, quantity, *, hidden):
    words = f"{reading.row} {reading.block}"
    people = rf"\bn = {quantity.n:,}(?![\d,.]*\d)|members have answered"
    if not re.search(people, words):
        yield f"no n = {quantity.n} in its block"
    if quantity.is_outside and not hidden and not any(word in words for word in UNCUT):
        yield "outside what can be, and nothing says so"


def _problems_of_texts(reading, quantity, *, hidden):
    for name, text, value in (
        ("estimate", reading.estimate, quantity.value),
        ("error", reading.error, quantity.error),
        ("likeliest", reading.likeliest, quantity.likeliest),
    ):
        if text is None:
            continue
        shown = number_in(text)
        if (shown is None) != (hidden or value is None):
            yield f"{name} {text} of {value}"
        elif shown and abs(shown.value - quantity.scale * value) > shown.half + NOTHING:
            yield f"{name} {text} is not {value}"
    if reading.interval is not None:
        yield from _problems_of_interval(reading.interval, quantity)
    if reading.estimate is not None and number_in(reading.estimate):
        yield from _problems_of_unit(reading, quantity)


def _problems_of_interval(text, quantity):
    ends, span = quantity.interval, span_in(text)
    if span is None:
        unknown = None in ends or (quantity.value is None and ends == (0, 1))
        told = unknown or quantity.tells_nothing or quantity.fixed
        if not told or not text.startswith(WORDS):
            yield f"interval {text} of {ends}"
        return
    if quantity.tells_nothing:
        yield f"interval {text} tells nothing"
    for shown, end in zip(span, ends, strict=True):
        if end is None or abs(shown.value - quantity.scale * end) > shown.half + NOTHING:
            yield f"interval {text} is not {ends}"


def _problems_of_unit(reading, quantity):
    if quantity.unit not in reading.estimate + reading.row + reading.unit:
        yield f"estimate {reading.estimate} without {quantity.unit}"


def _problems_of_marks(marks, quantity, *, spanned):
    ends = quantity.interval if spanned and None not in quantity.interval else None
    value = None if quantity.is_hidden else quantity.value
    if marks.interval == UNDRAWN:
        ends = UNDRAWN
    if (marks.estimate is None) != (value is None) or (marks.interval is None) != (ends is None):
        yield f"marks {marks} of {value}, {ends}"
        return
    if value is not None and abs(marks.estimate - value) > marks.close:
        yield f"a dot at {marks.estimate} for {value}"
    for place, end in zip(marks.interval or (), ends or (), strict=True):
        if abs(place - end) > marks.close:
            yield f"a line to {place} for {end}"


def all_problems(found, known):
    checked = [(key, reading, list(problems_of(reading, known[key]))) for key, reading in found]
    assert checked
    return [(reading.where, key, each) for key, reading, each in checked if each]


@pytest.mark.parametrize(
    ("part", "value", "error", "interval"),
    [
        # Of the demo's page on 8ffc785a: a share that was raked, and a mean.
        ("share", 0.3, 0.0, (0.276, 0.326)),
        ("number", 2.37, 0.01, (2.37, 2.37)),
        ("share", 0.5, 0.01, (0.51, 0.53)),
        ("share", 0.5, 0.1, (0.45, 0.55)),
        ("share", 0.5, 0.01, (0.3, 0.7)),
        ("share", 0.5, 0.1, (None, None)),
    ],
)
def test_numbers_that_cannot_belong_together_are_seen(part, value, error, interval):
    assert [*doubts_of((part, "q1"), Quantity(value, error, interval, "%", 100, (0, 1)))]
    assert not [*doubts_of((part, "q1"), Quantity(-0.1, 0.1, (-0.3, 0.1), "%", 100, (0, 1)))]


@pytest.mark.parametrize(
    "shown",
    [
        {"estimate": "31 %"},
        {"interval": "20 … 41"},
        {"interval": "anything"},
        {"error": "6"},
        {"estimate": "30", "unit": ""},
        {"block": "n = 99"},
        {"block": "n = 1,000"},
        {"block": "n = 1000"},
        {"marks": Marks(0.3, (0.2, 0.41), 0.0001)},
        {"marks": Marks(0.3, None, 0.0001)},
    ],
)
def test_a_place_that_shows_something_else_is_seen(shown):
    own = Quantity(0.3, 0.05, (0.2, 0.4), "%", 100, (0.0, 1.0))
    marks = Marks(0.3, (0.2, 0.4), 0.0001)
    good = Reading("here", "30 %", "20 … 40", "5", unit="", block="n = 100", marks=marks)
    assert [*problems_of(good, own)] == []
    assert [*problems_of(replace(good, **shown), own)]


# --- places -------------------------------------------------------------------------------------


# --- one number -----------------------------------------------------------------------------------

# Intervals of shares and of means are as long as their errors say, but for those that follow counts
# where few reports are expected, and for those that end where shares do.
SHORTEST, LONGEST = 0.8, 1.4
OF_SHARES = (
    *("share", "number", "score", "within", "cells", "size", "total", "mean", "joint", "arm"),
)
# Notes that say of a measure of association that its error means little beside its interval.
LITTLE = {
    *("near_independence", "too_thin", "near_zero", "mostly_noise", "half_added"),
    "open_odds_ratio",
}


def doubts_of(key, quantity):
    """Return what cannot both be true of an estimate, its error and its interval."""
    (low, high), value, error = quantity.interval, quantity.value, quantity.error
    if low is None or high is None:
        if error and not LITTLE & {*quantity.notes}:
            yield f"an error of {error} and no interval"
        return
    if not low <= high:
        yield f"an interval from {low} to {high}"
    width, reach = high - low, 2 * NORMAL_QUANTILE * (error or 0)
    if error is not None and (error <= NOTHING) != (width <= NOTHING):
        yield f"an error of {error} beside {low} to {high}"
    elif error and key[0] in OF_SHARES:
        is_cut = quantity.possible and (low in quantity.possible or high in quantity.possible)
        # Fieller's interval is as long as the share of the group is uncertain.
        is_told = quantity.tells_nothing or "uncertain_group" in quantity.notes
        is_long = width > LONGEST * reach and not is_told
        if is_long or (width < SHORTEST * reach and not is_cut):
            yield f"an error of {error} and {low} to {high}, {width / reach:.2f} of it"
    inside = value is None or low - NOTHING <= value <= high + NOTHING
    if not inside and not quantity.is_outside:
        yield f"{value} is not within {low} to {high}"
    if quantity.exact and not quantity.possible[0] <= low <= high <= quantity.possible[1]:
        yield f"{low} to {high} of what was asked directly"


# --- places -------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", LAUNCHES)
def test_every_place_shows_the_same_numbers(case):
    launch = LAUNCHES[case]()
    client = Client()
    client.force_login(launch.survey.owner)
    # Each tier has files and pages of its own.
    for step in range(max(1, len(launch.parameters.tiers))):
        query = {"tier": str(step + 1)} if launch.parameters.tiers else {}
        assert problems_at(client, launch, step, query) == []
    for language in launch.translations:
        told, query = launch.in_language(language), {"language": language}
        assert problems_at(client, told, 0, query) == []
    if launch.parameters.analyses:
        assert problems_of_an_analysis(client, launch) == []
    if case in WITH_A_CROWD:
        for statistic, chosen in OF_CROWDS.items():
            assert problems_of_a_crowd(client, launch, statistic, chosen) == []


def problems_at(client, launch, step, query):
    release = release_of(launch, step)
    file = json.loads(get(client, launch, "results-json", query))
    # The pages of a translation have its words, and the files those of the survey.
    content = plain(release.content) if launch.language else file
    in_file, known = quantities(file), quantities(content)
    stored = computed_weighted(stored_weighted(release))
    figures = json.loads(get(client, launch, "results-figures", query))["figures"]
    problems = [("document", key, [*doubts_of(key, each)]) for key, each in known.items()]
    problems += [("document", key, [*doubts_of(key, each)]) for key, each in estimates_in(content)]
    problems += problems_of_file(get(client, launch, "estimates-csv", query), in_file)
    if content["groups"]:
        problems += problems_of_combinations(get(client, launch, "combinations-csv", query), known)
    problems += all_problems(in_zoomed(figures, known), known)
    choices = [({"weights": "off"}, known)] if stored else [({}, known)]
    if stored:
        own = weighted_quantities(plain(stored), content)
        own_in_file = weighted_quantities(plain(stored), file)
        problems += [("weighted", key, [*doubts_of(key, each)]) for key, each in own.items()]
        problems += problems_of_file(get(client, launch, "weighted-csv", query), own_in_file)
        choices.append(({}, known | own))
    for chosen, numbers in choices:
        page = [*in_page(get(client, launch, "results", query | chosen), numbers)]
        if numbers is known:
            missing = {key for key in known if key[0] in ON_PAGE} - {key for key, _ in page}
            problems += [("page", key, ["is not on the page"]) for key in sorted(missing)]
        drawn = [key for key, reading in page if reading.marks]
        pairs = [key for key, reading in page if reading.where.startswith("pairs-")]
        problems += all_problems(page, numbers)
        problems += problems_at_a_glance(get(client, launch, "results", query | chosen), numbers)
        summary = get(client, launch, "summary-html", query | chosen)
        problems += all_problems(in_page(summary, numbers), numbers)
        printed = printed_content(release, choice_of(chosen, has_weights=stored is not None))
        printed = json.loads(as_read(json.dumps(printed, ensure_ascii=False)))
        problems += all_problems(in_print(printed, drawn, pairs, numbers), numbers)
    return [each for each in problems if each[2]]


def problems_at_a_glance(html, known):
    """Return where the summary says or draws another number than the block of a question."""
    blocks, problems = dict(block_sentences(html)), []
    for name, sentence, marks in summary_rows(html):
        wrong = [*untruths(sentence, known, name)]
        quantity = about(known, name, sentence)
        if sentence not in blocks.pop(name):
            wrong.append(f"{sentence} is not in its block")
        if marks is not None:
            wrong += _problems_of_marks(marks, quantity, spanned=not quantity.is_hidden)
        problems.append(("at a glance", name, [f"{each}: {sentence}" for each in wrong]))
    return [*problems, *(("at a glance", name, ["is not there"]) for name in blocks)]


def problems_of_file(text, known):
    """Return where a file has other numbers than the document, to the last digit, or lacks some."""
    left = {key for key in known if key[0] in IN_FILE}
    degrees = iter([key for key in known if key[0] == "degrees"])
    problems = []
    for row in csv.DictReader(io.StringIO(text, newline="")):
        key = next(degrees) if row["share_of"] == "members" else key_of_row(row, known)
        quantity = known[key]
        cells = [float(row[name]) if row[name] else None for name in NUMBERS]
        own = quantity.numbers
        if cells != own or int(row["n"]) != quantity.n:
            problems.append(("file", key, [f"{cells} of {row['n']} is not {own} of {quantity.n}"]))
        left.discard(key)
    return [*problems, *(("file", key, ["is not in the file"]) for key in left)]


def problems_of_combinations(text, known):
    """Return where the file of all combinations has other numbers than the document."""
    rows = {
        row["answers"].replace(BETWEEN, " · "): row
        for row in csv.DictReader(io.StringIO(text, newline=""))
    }
    return [
        ("combinations", key, ["is not the same"])
        for key, quantity in of_part(known, "joint")
        for row in [rows[key[2]]]
        if [float(row[name]) if row[name] else None for name in NUMBERS] != quantity.numbers
    ]


def get(client, launch, name, query):
    return text_of(client.get(reverse(name, args=[launch.survey.slug]), query))


def text_of(answer):
    assert answer.status_code == 200, answer
    return as_read((answer.getvalue() if answer.streaming else answer.content).decode())


def as_read(text):
    """Return a text without the signs that nobody sees, which keep words and numbers in order."""
    return text.replace(FROM_RIGHT, "").replace(END, "")


def problems_of_an_analysis(client, launch):
    address = [launch.survey.slug, 1]
    page, file, rows = (
        text_of(client.get(reverse(name, args=address)))
        for name in ("results-analysis", "analysis-json", "analysis-csv")
    )
    known = fitted_quantities(json.loads(file)["fit"])
    problems = [("fit", key, [*doubts_of(key, each)]) for key, each in known.items()]
    problems += all_problems(in_analysis(page, known), known)
    written = csv.DictReader(io.StringIO(rows, newline=""))
    for (key, quantity), row in zip(of_part(known, "coefficient"), written, strict=True):
        own = quantity.numbers
        if [float(row[name]) for name in NUMBERS] != own:
            problems.append(("file", key, [f"{row} is not {own}"]))
    return [each for each in problems if each[2]]


def of_part(known, part):
    return [(key, quantity) for key, quantity in known.items() if key[0] == part]


def problems_of_a_crowd(client, launch, statistic, chosen):
    asked = {"statistic": statistic, **chosen}
    html = get(client, launch, "results-crowd", asked)
    crowd = released_crowd(launch)
    is_table, in_percent = statistic == "table", STATISTICS[statistic].in_percent
    known = crowd_quantities(
        compute(crowd, statistic, chosen),
        "%" if in_percent else UNITS.get(chosen.get("question"), ""),
        len(crowd.labels(chosen["outcome"])) if is_table else 1,
    )
    problems = [("crowd", key, [*doubts_of(key, each)]) for key, each in known.items()]
    return [each for each in [*problems, *all_problems(in_crowd(html, known), known)] if each[2]]
