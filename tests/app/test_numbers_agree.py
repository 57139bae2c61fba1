"""Numbers that have to agree: an interval and its error, groups and pairs, margins, sums.

That every place shows the same is in `tests/app/consistency`.
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
from tests.app.test_analysis_fits import people, survey_of
from tests.app.test_weighted_results import WEIGHTING, compute
from tests.app.visible_text import visible_text
from tests.builders import launched
from tests.plain import content_of
from tests.released import with_groups

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.slow]

SPAN = re.compile("(?P<low>[−0-9.,]+)\u00a0…\u00a0(?P<high>[−0-9.,]+)")
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


def test_a_question_of_a_group_has_the_same_shares_in_all_of_its_pairs():
    content = content_of(with_groups(150))
    shares = {each["id"]: each["categories"] for each in content["questions"]}
    for pair in content["groups"][0]["pairs"]:
        for side in ("outcome", "group"):
            own = [row["estimate"] for row in shares[pair[side]]]
            assert [row["estimate"] for row in pair["margins"][side]] == pytest.approx(own)


# --- the files ----------------------------------------------------------------------------------


def rows_of(table):
    return list(csv.DictReader(io.StringIO("".join(csv_format.pieces(table)))))


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
    (export,) = (each for each in all_exports() if each.name == "weighted")
    rows = [row for row in rows_of(export.table(launch, 0)) if row["question"] == "region"]
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
