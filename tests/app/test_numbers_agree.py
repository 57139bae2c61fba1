"""Two statements about one number can both be true: on every page, in every file, weighted or not.

An estimate lies within its interval, an error of zero stands beside an interval without a width
only, what was sent as it is has ends within 0 and 1, and a number that occurs twice is one number.
"""

import csv
import io
import re
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from surveys import numbers
from surveys.exports.formats import csv as csv_format
from surveys.exports.registry import all_exports
from surveys.kinds.estimates import error_beside
from surveys.results.release import release_of
from surveys.results.weighted.presentation import stored_weighted
from tests.app.test_analysis_fits import people, survey_of
from tests.app.test_network_results import answered_network
from tests.app.test_waves import answered_twice
from tests.app.test_weighted_results import WEIGHTING, compute
from tests.app.visible_text import visible_text
from tests.arm_reports import arms_survey, everybody, store
from tests.builders import launched
from tests.plain import content_of
from tests.released import rich, with_groups

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.slow]

# Rounding of the last of sixteen digits, and of one decimal on a page.
NOTHING = 1e-9
SPAN = re.compile("(?P<low>[−0-9.,]+)\u00a0…\u00a0(?P<high>[−0-9.,]+)")
NUMBER = re.compile("−?[0-9][0-9.,]*")
MARGINS = {
    "margins": [*WEIGHTING["margins"], {"question": "stress", "shares": ["0.5", "0.3", "0.2"]}]
}
TABLES = [["drug", "region"], ["stress", "region"], ["region", "stress"]]


def weighted():
    """Scrambled and direct answers, raked to a choice and a scale; in the West little stress."""
    rows = [{**row, "stress": row["stress"] % (1 + 2 * (row["region"] < 2))} for row in people(150)]
    launch = survey_of(rows, weighting=MARGINS, cross_tables=TABLES, results_public=True)
    compute(launch)
    return launch


LAUNCHES = {
    "few and a die": lambda: rich(40, 12),
    "groups": lambda: with_groups(150),
    "arms": lambda: store(arms_survey(), everybody()),
    "a network": answered_network,
    "waves": lambda: answered_twice(Client())[1],
    "weighted": weighted,
}


@pytest.mark.parametrize("case", LAUNCHES)
def test_an_interval_and_its_error_belong_together_in_documents_files_and_page(case):
    launch = LAUNCHES[case]()
    check_documents(launch)
    check_files(launch)
    check_page(launch)


# --- one estimate -------------------------------------------------------------------------------


def problems_of(name, estimate, error, interval, *, direct=False):
    """Return what cannot both be true of one estimate."""
    low, high = interval
    if low is None or high is None:
        return [f"{name}: an error without an interval"] if error else []
    found = []
    if error is not None and abs(error) <= NOTHING * max(1, high - low) and high - low > NOTHING:
        found.append(f"{name}: no error, and an interval from {low} to {high}")
    if error is not None and error > NOTHING and high - low <= NOTHING:
        found.append(f"{name}: an error of {error}, and no interval")
    if estimate is not None and not low - NOTHING <= estimate <= high + NOTHING:
        found.append(f"{name}: {estimate} outside {low} to {high}")
    if direct and (low < 0 or high > 1):
        found.append(f"{name}: shares of direct answers from {low} to {high}")
    return found


def test_the_check_sees_what_it_is_for():
    """The numbers of the demo's page on 8ffc785a: a share that was raked, and a mean."""
    assert problems_of("size", 0.3, 0.0, [0.276, 0.326])
    assert problems_of("age", 2.37, 0.01, [2.37, 2.37])
    assert problems_of("few", 0.01, 0.01, [-0.01, 0.03], direct=True)
    assert problems_of("far", 0.5, 0.01, [0.51, 0.53])
    assert not problems_of("fine", -0.1, 0.1, [-0.3, 0.1])


@pytest.mark.parametrize(
    ("interval", "error", "shown"),
    [
        ([0.0, 0.03], 0.0, None),
        ([0.2, 0.4], 1e-12, None),
        ([0.3, 0.3], 0.0, 0.0),
        ([0, 1], 0.2, 0.2),
    ],
)
def test_an_error_that_vanishes_beside_an_interval_is_unknown(interval, error, shown):
    assert error_beside(interval, error) == shown


# --- the documents ------------------------------------------------------------------------------


def estimates_in(content, path=""):
    """Every estimate with an interval; a test of a model has one of another estimate."""
    if isinstance(content, dict):
        if {"interval", "standard_error"} <= content.keys():
            yield path, content
        for name, value in content.items():
            if name not in ("control", "cheating"):
                yield from estimates_in(value, f"{path}.{name}")
    elif isinstance(content, list):
        for place, value in enumerate(content):
            yield from estimates_in(value, f"{path}.{place}")


def value_of(row):
    return next((row[name] for name in ("estimate", "value", "difference") if name in row), None)


def documents_of(launch):
    release = release_of(launch)
    stored = stored_weighted(release)
    return [content_of(launch), *([stored.content] if stored else [])]


def check_documents(launch):
    count = 0
    for content in documents_of(launch):
        for path, row in estimates_in(content):
            count += 1
            found = problems_of(path, value_of(row), row["standard_error"], row["interval"])
            assert found == []
    assert count > 8


def test_a_question_of_a_group_has_the_same_shares_in_all_of_its_pairs():
    content = content_of(with_groups(150))
    shares = {each["id"]: each["categories"] for each in content["questions"]}
    for pair in content["groups"][0]["pairs"]:
        for side in ("outcome", "group"):
            own = [row["estimate"] for row in shares[pair[side]]]
            assert [row["estimate"] for row in pair["margins"][side]] == pytest.approx(own)


# --- the files ----------------------------------------------------------------------------------

ENDS = {
    "standard_error": ("estimate", "low", "high"),
    "difference_error": ("difference", "difference_low", "difference_high"),
}


def rows_of(table):
    return list(csv.DictReader(io.StringIO("".join(csv_format.write(table)))))


def cell(row, name):
    return float(row[name]) if row[name] else None


def check_files(launch):
    """And what was sent as it is ends at nobody and at everybody."""
    direct = {each.id for each in launch.parameters.questions if not each.randomized} | {""}
    for export in all_exports():
        if not (export.released and export.exists(launch.parameters)):
            continue
        table = export.table(launch, 0)
        names = {column.name for column in table.columns}
        for row in rows_of(table) if "standard_error" in names else ():
            about = {row.get("question", "-"), row.get("group_by", "")}
            as_sent = about <= direct and row.get("share_of") in ("everybody", "group")
            for error, (estimate, low, high) in ENDS.items():
                if error in names:
                    interval = [cell(row, low), cell(row, high)]
                    numbers_of = (cell(row, estimate), cell(row, error), interval)
                    assert problems_of(export.name, *numbers_of, direct=as_sent) == [], row


# --- the pages ----------------------------------------------------------------------------------


def number_of(text):
    return float(text.replace("−", "-").replace(",", ""))


def cells_of(html):
    """For each row of each table the cells by their heads, as plain text."""
    for table in re.findall(r"<table.*?</table>", html, re.S):
        heads = [
            visible_text(head) for head in re.findall(r"<th scope=\"col\".*?</th>", table, re.S)
        ]
        for row in re.findall(r"<tr>(.*?)</tr>", table.split("</thead>")[-1], re.S):
            yield heads, re.findall(r"<t[hd][^>]*>.*?</t[hd]>", row, re.S)


def check_page(launch):
    reader = Client()
    reader.force_login(launch.survey.owner)
    html = reader.get(reverse("results", args=[launch.survey.slug])).text
    count = 0
    for heads, row in cells_of(html):
        texts = [visible_text(each).strip() for each in row]
        estimates = [texts[place] for place, each in enumerate(row) if "estimate" in each]
        errors = [text for head, text in zip(heads, texts, strict=False) if "error" in head]
        for text in texts:
            span = SPAN.search(text)
            if span is None:
                continue
            count += 1
            low, high = number_of(span["low"]), number_of(span["high"])
            own = NUMBER.search(text[: span.start()]) or NUMBER.search(" ".join(estimates[:1]))
            if own:
                step = 10.0 ** -len(own[0].partition(".")[2])
                assert low - step <= number_of(own[0]) <= high + step, texts
            wide = high > low
            assert not [each for each in errors if wide and each.strip("0.") == "" and each], texts
    assert count or "network" in html


def test_a_number_that_the_margins_fix_says_so_and_has_no_interval():
    launch = weighted()
    html = Client().get(reverse("results", args=[launch.survey.slug])).text
    (table,) = re.findall(r'<table[^>]*id="weighted-region".*?</table>', html, re.S)
    text = " ".join(visible_text(table).split())
    for share in ("60.0", "30.0", "10.0"):
        assert f"{share}\u00a0% fixed by the margin –".replace("\u00a0", " ") in text.replace(
            "\u00a0", " "
        )
    assert not SPAN.search(table)
    rows = [
        row for row in rows_of(all_exports()[3].table(launch, 0)) if row["question"] == "region"
    ]
    assert "Weighted mean 1.70, fixed by the margin" in html
    shares = [row for row in rows if row["group_by"] == ""]
    assert {(row["fixed"], row["standard_error"], row["low"]) for row in shares} == {("1", "", "")}


# --- sums of epsilons ---------------------------------------------------------------------------


@pytest.mark.parametrize(("language", "budget"), [("en", "3"), ("de", "3")])
def test_devices_of_single_options_add_up_to_what_the_author_asked_for(client, language, budget):
    """Three options at a third of 1 each are six digits of it, and no page says 0.999999."""
    options = {"kind": "multiple_choice", "design": "per_option", "options": ["A", "B", "C"]}
    asked = [{**options, "epsilon": Decimal(1), "text": f"Which {place}?"} for place in range(3)]
    launch = launched(questions=asked, language=language, results_public=True)
    assert sum(Decimal(device.epsilon) for device in launch.parameters.devices) == Decimal(
        "2.999997"
    )
    client.force_login(launch.survey.owner)
    pages = ["respond", "results"]
    addresses = [reverse(name, args=[launch.survey.slug]) for name in pages]
    addresses.append(reverse("admin:surveys_survey_change", args=[launch.survey.pk]))
    for address in addresses:
        text = visible_text(client.get(address, headers={"Accept-Language": language}).text)
        assert not re.search("9{4}", text), address
    text = visible_text(client.get(addresses[0], headers={"Accept-Language": language}).text)
    assert re.search(f"\\b{budget} (of a privacy budget|eines Datenschutzbudgets)", text)
    assert numbers.epsilon("2.999997") == budget
