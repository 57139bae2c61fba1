"""Rankings from launch to results: what is asked, frozen, counted, estimated and shown."""

import csv
import io
from decimal import Decimal
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest
from django.urls import reverse

from surveys.authoring.checks.survey import lint_survey
from surveys.authoring.planning.simulation import (
    simulated_respondents,
    simulated_responses,
    simulated_survey,
)
from surveys.devices.registry import default_family
from surveys.drafts import Draft
from surveys.exports.formats import csv as csv_format
from surveys.exports.tables import codes, estimates
from surveys.kinds.ranking import true_mean_ranks
from surveys.parameters import ORDERS, Ranking, check
from surveys.parameters.reading import read_back
from surveys.responses.spaces import space_of
from tests.app.author_posts import page, sign_in
from tests.app.contract.wording import problems_in
from tests.app.visible_text import visible_text
from tests.builders import launched, make_survey
from tests.plain import checked, results_document
from tests.released import released
from tests.waves import coded_launch, next_wave

pytestmark = pytest.mark.django_db

ITEMS = ["Pay", "Hours", "People", "The work", "The way", "Food"]
RANKED: dict[str, Any] = {
    "kind": "ranked_items",
    "name": "q1",
    "text": "What matters most to you?",
    "options": ITEMS[:4],
    "epsilon": Decimal("2"),
    "design": "all_orders",
}


def draft_of(items: int, epsilon: str, *, refusal: bool = False) -> Draft:
    return Draft(
        name="q1",
        kind="ranked_items",
        options=tuple(ITEMS[:items]),
        prefer_not=refusal,
        randomized=True,
        epsilon=Decimal(epsilon),
    )


def ranked(items: int, **values: Any) -> Any:
    """A launched survey with one ranking of so many items, by its usual device."""
    usual = default_family(draft_of(items, "2")).name
    return launched(questions=[{**RANKED, "options": ITEMS[:items], "design": usual, **values}])


# --- before launch -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("items", "epsilon", "family"),
    [
        (3, "0.5", "all_orders"),
        (3, "4", "all_orders"),
        (4, "1", "near_orders"),
        (4, "3", "all_orders"),
        (5, "2", "near_orders"),
        (5, "4", "all_orders"),
        (6, "2", "near_orders"),
        (6, "6", "near_orders"),
        (6, "8", "all_orders"),
    ],
)
def test_the_usual_device_is_the_more_accurate_one(items, epsilon, family):
    assert default_family(draft_of(items, epsilon)).name == family


@pytest.mark.parametrize("options", [ITEMS[:2], [*ITEMS, "Else"]])
def test_two_and_seven_items_are_refused_before_launch(options):
    survey = make_survey(questions=[{**RANKED, "options": options}])
    found = [finding for finding in lint_survey(survey) if finding.blocks]
    assert "option_count" in {finding.code for finding in found}
    assert any("3 to 6 items" in finding.message for finding in found)


def test_a_ranking_is_never_asked_directly():
    survey = make_survey(questions=[{**RANKED, "randomized": False, "epsilon": None}])
    (found,) = [finding for finding in lint_survey(survey) if finding.blocks]
    assert (found.code, "never stored as it is" in found.message) == ("no_device", True)


@pytest.mark.slow
def test_the_panel_and_the_test_fill_speak_of_ranks(client):
    survey = make_survey(questions=[RANKED])
    author = sign_in(client)
    fields = author.get(page(survey, "trial")).context["form"]
    data = {field.html_name: field.value() for field in fields} | {"respondents": "500"}
    text = visible_text(author.post(page(survey, "trial"), data).text)
    # The mean rank where all orders are equally frequent.
    assert "2.50" in text or "2.5" in text


# --- the document --------------------------------------------------------------------------------


@pytest.mark.parametrize("items", [3, 4, 5, 6])
@pytest.mark.parametrize("refusal", [False, True])
@pytest.mark.slow
def test_a_few_integers_are_frozen_and_reports_are_spelled(items, refusal):
    parameters = ranked(items, prefer_not=refusal).parameters
    (device,) = check(read_back(parameters)).devices
    assert isinstance(device.table, Ranking)
    assert (device.look, device.table.items) == (ORDERS, items)
    assert len(device.table.weights) == items * (items - 1) // 2 + 1
    space, letters = space_of(device), "ABCDEF"[:items]
    spelled = [" ".join(order) for order in permutations(letters)]
    labels = [space.label(report) for report in range(len(spelled) + refusal)]
    assert labels == [*spelled, *["–"] * refusal]
    assert space.check(len(labels)) is not None
    assert space.check(True) is not None


def test_a_later_wave_sends_the_order_again():
    launch = coded_launch(questions=[RANKED, {"name": "drug"}], budget=6)
    following = next_wave(launch, drug="1.5")
    device = check(read_back(following.parameters)).devices[0]
    assert device.earlier[0].table == device.table == launch.parameters.devices[0].table


# --- results -------------------------------------------------------------------------------------


def test_estimates_of_ranks_and_pairs_are_those_of_the_whole_table():
    """Independent of the engine: the inverse of the table over all orders, written down here."""
    parameters = ranked(4, prefer_not=True).parameters
    table = parameters.devices[0].table
    orders = list(permutations(range(4)))
    pairs = list(combinations(range(4), 2))

    def distance(first, second):
        return sum(
            (first.index(a) < first.index(b)) != (second.index(a) < second.index(b))
            for a, b in pairs
        )

    matrix = np.zeros((25, 25))
    for v, truth in enumerate(orders):
        for u, report in enumerate(orders):
            matrix[u, v] = table.weights[distance(truth, report)]
    reported, kept, each = table.refusal
    matrix[24, :24], matrix[24, 24], matrix[:24, 24] = reported, kept, each
    matrix /= table.denominator
    counts = np.random.default_rng(7).integers(5, 60, 25)
    n = int(counts.sum())
    results = results_document(parameters, "", {("q1", "page"): counts.tolist()}, n)
    ranking = results["questions"][0]["ranking"]
    inverse = np.linalg.inv(matrix)
    shares = counts / n
    truth, spread = inverse @ shares, np.diag(shares) - np.outer(shares, shares)
    covariance = inverse @ spread @ inverse.T / (n - 1)
    for row in ranking["shares"]:
        chosen = np.array([*(order.index(row["item"]) + 1 == row["rank"] for order in orders), 0])
        assert row["estimate"] == pytest.approx(chosen @ truth, abs=1e-6)
        error = float(chosen @ covariance @ chosen) ** 0.5
        assert row["standard_error"] == pytest.approx(error, rel=1e-5)
    answered = 1 - truth[24]
    for row in ranking["pairs"]:
        before = [order.index(row["first"]) < order.index(row["second"]) for order in orders]
        _is_ratio(row, np.array([*before, 0.0]), truth, covariance, answered)
    for item, row in enumerate(ranking["means"]):
        ranks = np.array([*(order.index(item) + 1.0 for order in orders), 0.0])
        _is_ratio(row, ranks, truth, covariance, answered)
    for row, order in zip(ranking["orders"], orders, strict=True):
        assert tuple(row["order"]) == order
        assert row["estimate"] == pytest.approx(truth[orders.index(order)], abs=1e-6)
    assert ranking["refusal"]["estimate"] == pytest.approx(truth[24], abs=1e-6)


def _is_ratio(row, scores, truth, covariance, answered):
    """A mean of those who rank: a ratio, with its error by the delta method."""
    value = scores @ truth / answered
    gradient = (scores - value * np.array([*[1.0] * 24, 0.0])) / answered
    error = float(gradient @ covariance @ gradient) ** 0.5
    assert row["estimate"] == pytest.approx(value, abs=1e-6)
    assert row["standard_error"] == pytest.approx(error, rel=1e-4)
    low, high = row["interval"]
    assert low < row["estimate"] < high


@pytest.mark.parametrize("items", [3, 5, 6])
def test_simulated_people_give_back_the_mean_ranks_of_the_truth(items):
    parameters = ranked(items).parameters
    shares = np.arange(items, 0, -1) / np.arange(items, 0, -1).sum()
    truth = {"q1": shares.tolist()}
    results = checked(simulated_survey(parameters, "", truth, 20_000, seed=3).results)
    means = results["questions"][0]["ranking"]["means"]
    for row, expected in zip(means, true_mean_ranks(shares.tolist()), strict=True):
        assert abs(row["estimate"] - expected) < 4 * row["standard_error"]
    assert ("orders" in results["questions"][0]["ranking"]) is True
    assert bool(results["questions"][0]["ranking"]["orders"]) == (items <= 4)


@pytest.mark.slow
def test_95_of_100_intervals_of_mean_ranks_and_of_pairs_cover_the_truth():
    """Of 300 surveys of 300 people: 4 standard errors below 0.95 is 0.9.

    98 of 100 put the first item before the last, so that intervals go beyond 100 %, uncut.
    """
    parameters = ranked(4, design="near_orders").parameters
    firsts = [0.7, 0.2, 0.085, 0.015]
    means = true_mean_ranks(firsts)
    pairs = [first / (first + second) for first, second in combinations(firsts, 2)]
    covered, beyond = np.zeros(len(means) + len(pairs)), 0
    for seed in range(300):
        results = simulated_survey(parameters, "", {"q1": firsts}, 300, seed=seed).results
        ranking = results.questions[0].ranking
        rows = [*ranking.means, *ranking.pairs]
        covered += [
            row.interval[0] <= true <= row.interval[1]
            for row, true in zip(rows, [*means, *pairs], strict=True)
        ]
        beyond += ranking.pairs[2].interval[1] > 1
    assert beyond > 200
    assert (covered > 0.92 * 300).all()
    assert (covered < 0.98 * 300).all()


@pytest.mark.parametrize(("first", "is_noted"), [(10, False), (200, True)])
def test_an_estimate_beyond_what_can_be_is_explained(first, is_noted):
    """All orders alike often, or one so often as its device reports nobody's."""
    parameters = launched(questions=[{**RANKED, "epsilon": Decimal(1)}]).parameters
    counts = [first] + [10] * 23
    (found,) = results_document(parameters, "", {("q1", "page"): counts}, sum(counts))["questions"]
    pairs = [row["estimate"] for row in found["ranking"]["pairs"]]
    assert any(not 0 <= estimate <= 1 for estimate in pairs) == is_noted
    assert ("ranking_outside" in found["notes"]) == is_noted
    assert "outside_range" not in found["notes"]


def test_the_results_page_the_figure_and_the_downloads_tell_ranks(client):
    reports = [{"q1": report} for report in [*range(24), *[0] * 60, *[6] * 20]]
    asked = {**RANKED, "epsilon": Decimal(4)}
    launch = released(reports, questions=[asked], budget=4, results_public=True)
    text = visible_text(client.get(reverse("results", args=[launch.survey.slug])).text)
    assert problems_in(text, "en") == []
    for words in ("has the best estimated mean rank", "Rank 4", "Which item comes before which"):
        assert words in text
    rows = list(csv.DictReader(io.StringIO("".join(csv_format.pieces(estimates.table(launch))))))
    answers = [(row["group"], row["answer"]) for row in rows]
    assert answers[:4] == [(item, "mean rank") for item in ITEMS[:4]]
    assert ("Pay", "rank 1") in answers
    assert ("Pay", "before Hours") in answers
    assert ("", "Pay > Hours > People > The work") in answers
    assert len(rows) == 4 + 16 + 6 + 24
    book = list(csv.DictReader(io.StringIO("".join(csv_format.pieces(codes.table(launch))))))
    of_ranking = [row["report"] for row in book if row["variable"] == "q1"]
    assert of_ranking[:2] == ["A B C D", "A B D C"]


def test_simulated_people_report_numbers_of_orders():
    parameters = ranked(4, prefer_not=True).parameters
    people = simulated_respondents(parameters, {"q1": [0.4, 0.2, 0.2, 0.1, 0.1]}, 50, 1)
    rows = simulated_responses(parameters, people, random_bytes=np.random.default_rng(8).bytes)
    assert {type(row["reports"]["q1"]) for row in rows} == {int}
    assert all(0 <= row["reports"]["q1"] <= 24 for row in rows)
