"""Compare mechanisms: the numbers are the paper's, the page works without a script."""

import csv
import io
import math
import re
from decimal import Decimal
from html import unescape

import numpy as np
import pytest
from django.urls import reverse
from django.utils import translation

import rr_engine
from surveys.admin.figures.mechanisms import log_ticks
from surveys.authoring.planning import mechanism_accuracy as compare
from surveys.authoring.planning.mechanism_curves import Plan, compare_mechanisms
from surveys.devices.cards import deck_of
from surveys.models import Launch, Question
from tests.app.author_posts import sign_in
from tests.app.visible_text import visible_text
from tests.builders import launched, make_survey, make_user
from tests.german import english_in

pytestmark = [pytest.mark.slow, pytest.mark.django_db, pytest.mark.any_database]
SIX = {"kind": "scale", "options": [f"Level {index}" for index in range(6)]}
# REFERENCE.md section 3: Wang, Wu & Hu 2016, six categories, n = 248.
PI = (0.25, 0.30, 0.22, 0.12, 0.07, 0.04)
PAPER = [
    ("0.5", 5.9028e-2, 19.281, 326.6),
    ("1", 1.1308e-2, 2.1373, 189.0),
    ("2", 2.0771e-3, 0.22113, 106.5),
    ("5", 5.7181e-4, 1.1317e-2, 19.79),
]


def of(**values):
    return Question(**{"name": "q1", "randomized": True, "epsilon": Decimal(1), **values})


def by_name(question):
    return {mechanism.name: mechanism for mechanism in compare.mechanisms_for(question)}


@pytest.mark.parametrize(("epsilon", "randomized", "laplace", "ratio"), PAPER)
def test_errors_equal_the_papers(epsilon, randomized, laplace, ratio):
    """Eq. 18 divides by n - 1: it is the estimate's dispersion, ours is the estimate's variance."""
    mechanisms = by_name(of(**SIX))
    k_rr, noise = (
        compare.accuracy(mechanisms[name].build(Decimal(epsilon)), [PI], 247, Decimal(epsilon)).mse
        for name in ("k_rr", "laplace")
    )
    assert k_rr == pytest.approx(randomized, rel=1e-4)
    assert noise == pytest.approx(laplace, rel=1e-4)
    assert noise / k_rr == pytest.approx(ratio, rel=1e-3)


def test_randomized_response_is_never_worse_over_the_whole_range():
    """Wang, Wu & Hu 2016, Theorem 4."""
    mechanisms = by_name(of(**SIX))
    names = ("k_rr", "laplace")
    curves = [compare.curve(mechanisms[name], [PI], 248, compare.epsilons()) for name in names]
    assert all(first.mse < other.mse for first, other in zip(*curves, strict=True))


def test_the_entropys_error_is_the_delta_methods():
    """Wang, Wu & Hu 2016, section 5.2: grad' disp grad, grad = -(log2 pi + 1 / ln 2)."""
    design = rr_engine.k_rr(6, "1")
    pi = np.array(PI)
    reported = design.matrix @ pi
    inverse = np.linalg.inv(design.matrix)
    spread = inverse @ (np.diag(reported) - np.outer(reported, reported)) @ inverse.T / 248
    slope = -(np.log2(pi) + 1 / math.log(2))
    expected = math.sqrt(slope @ spread @ slope)
    assert compare.entropy_error(design, PI, 248) == pytest.approx(expected, rel=1e-6)
    assert compare.true_entropy(PI) == pytest.approx(-(pi * np.log2(pi)).sum())


def test_an_answer_that_nobody_gives_has_no_part_in_the_entropy():
    assert compare.true_entropy([0.5, 0.5, 0]) == 1
    assert math.isfinite(compare.entropy_error(rr_engine.k_rr(3, "1"), [0.5, 0.5, 0], 500))


def test_recovery_is_the_sum_of_equation_14_over_the_guess():
    (point,) = compare.curve(by_name(of(kind="yes_no"))["k_rr"], [[0.9, 0.1]], 500, [Decimal(1)])
    retention = math.e / (1 + math.e)
    lam = [0.9 * retention + 0.1 * (1 - retention), 0.9 * (1 - retention) + 0.1 * retention]
    no = retention * retention * 0.9 / lam[0] + (1 - retention) ** 2 * 0.9 / lam[1]
    yes = retention * retention * 0.1 / lam[1] + (1 - retention) ** 2 * 0.1 / lam[0]
    assert point.recovery == pytest.approx(0.9 * no + 0.1 * yes, abs=1e-12)


def test_several_answers_share_the_epsilon_or_keep_it_whole():
    question = of(kind="multiple_choice", options=["A", "B", "C"])
    mechanisms = by_name(question)
    assert set(mechanisms) == {"per_option", "whole_set", "laplace"}
    assert mechanisms["per_option"].build(Decimal(3)).epsilon == pytest.approx(1)
    # In 4 of the 8 subsets an option is ticked: Pr(ticked | ticked) = (E + 3) / (E + 7), E = e^3.
    matrix = mechanisms["whole_set"].build(Decimal(3)).matrix
    assert matrix[1, 1] == pytest.approx((math.exp(3) + 3) / (math.exp(3) + 7))
    assert "whole_set" not in by_name(of(kind="multiple_choice", options=list("ABCDEF")))


TEN = {"kind": "single_choice", "options": [f"Company {index}" for index in range(10)]}


def subset_variance(epsilon, card_size, count=10):
    """OPTIMAL.md, section 2.7: N times the average variance at equal shares, (n - 1) / (n L)."""
    weight = math.exp(epsilon)
    q2 = (card_size * weight**2 + count - card_size) / (card_size * weight + count - card_size) ** 2
    return (count - 1) ** 2 / (count**2 * (count * q2 - 1))


@pytest.mark.parametrize(("epsilon", "card_size"), [("0.5", 4), ("1", 3)])
def test_cards_have_the_error_of_subset_selection(epsilon, card_size):
    mechanisms, uniform = by_name(of(**TEN)), [[0.1] * 10]
    assert list(mechanisms) == ["k_rr", "cards", "laplace"]
    points = {
        name: compare.accuracy(
            mechanisms[name].build(Decimal(epsilon)), uniform, 700, Decimal(epsilon)
        )
        for name in ("k_rr", "cards")
    }
    for name, size in (("k_rr", 1), ("cards", card_size)):
        variance = subset_variance(float(epsilon), size) / 700
        assert points[name].mse == pytest.approx(variance, rel=1e-6)
        assert points[name].margin == pytest.approx(1.959964 * math.sqrt(variance), rel=1e-6)


def test_the_error_of_cards_is_that_of_the_estimate_that_is_made():
    """Weighed as for equal shares, whatever the guess: G = (P' W P)^-1 P' W with W = 1 / mean P."""
    card_design, prior = deck_of(10, Decimal(3)), np.array([0.5, 0.2, *[0.0375] * 8])
    weight = np.diag(1 / card_design.matrix.mean(axis=1))
    inverse = (
        np.linalg.inv(card_design.matrix.T @ weight @ card_design.matrix)
        @ card_design.matrix.T
        @ weight
    )
    spread = inverse @ np.diag(card_design.matrix @ prior) @ inverse.T - np.outer(prior, prior)
    mse = compare.accuracy(card_design, [prior], 500, Decimal(3)).mse
    assert mse == pytest.approx(np.trace(spread) / 10 / 500, rel=1e-6)


def test_cards_are_a_curve_of_their_own(client):
    survey = make_survey(questions=[TEN])
    response = get_comparison(client, survey)
    assert [curve.label for curve in response.context["comparison"].curves] == [
        "Randomized response",
        "Cards",
        "Laplace noise",
    ]
    for name in ("error", "margin", "recovery", "shares"):
        assert [line["name"] for line in response.context["figures"][name]["data"]][1] == "Cards"
    # All shares are equal at the start: the entropy has no first-order error to draw.
    assert "entropy" not in response.context["figures"]
    query = {**{f"share-{index}": "10" for index in range(10)}, "axis": "log"}
    response = get_comparison(client, survey, **query, n="500", epsilon="1", csv="1")
    rows = list(csv.DictReader(io.StringIO(response.text)))
    assert {row["entropy_standard_deviation"] for row in rows} == {""}
    errors = {(row["mechanism"], row["epsilon"]): float(row["mse"]) for row in rows}
    assert errors["cards", "1"] == pytest.approx(subset_variance(1, 3) / 500, rel=1e-6)
    assert errors["cards", "0.5"] == pytest.approx(subset_variance(0.5, 4) / 500, rel=1e-6)


def test_three_answers_have_no_cards():
    assert "cards" not in by_name(of(kind="single_choice", options=["A", "B", "C"]))


def test_a_refusal_is_one_answer_more_of_the_whole_set():
    question = of(kind="multiple_choice", options=["A", "B"], prefer_not=True)
    matrix = by_name(question)["whole_set"].build(Decimal(1)).matrix
    # 4 subsets and the refusal: Pr(ticked | ticked) = (E + 1) / (E + 4).
    assert matrix[1, 1] == pytest.approx((math.e + 1) / (math.e + 4))
    assert matrix[1, 0] == pytest.approx(2 / (math.e + 4))


def test_the_figures_epsilons_span_the_range_in_rising_order():
    steps = compare.epsilons()
    assert (steps[0], steps[-1], len(steps)) == (Decimal("0.1"), Decimal("8"), compare.POINTS)
    assert steps == sorted(set(steps))


def test_each_device_is_computed_once_for_figure_and_table(monkeypatch):
    asked = []
    error = compare.entropy_error
    monkeypatch.setattr(compare, "entropy_error", lambda *of: asked.append(of) or error(*of))
    plan = Plan(248, Decimal(1), "", list("abcdef"), list(PI), [PI])
    curves = compare_mechanisms(of(**SIX), plan).curves
    points = [point for curve in curves for point in curve.points]
    assert len(asked) == len(points)
    assert [point.epsilon for point in curves[0].table] == sorted(compare.TABLE_EPSILONS)


# --- the page -------------------------------------------------------------------------------------


def address(survey, number=1):
    return reverse(
        "admin:survey_compare", args=[survey.pk, survey.questions.get(name=f"q{number}").pk]
    )


def get_comparison(client, survey, **values):
    return sign_in(client).get(address(survey), values)


def test_the_page_starts_from_the_plan_and_a_plain_guess(client):
    survey = make_survey(planned_n=700, questions=[{**SIX, "epsilon": Decimal(2)}])
    response = get_comparison(client, survey)
    comparison = response.context["comparison"]
    assert (comparison.n, comparison.epsilon) == (700, 2)
    assert sum(comparison.shares) == pytest.approx(1)
    html = response.text
    assert '<tr class="numbers__own"><th scope="row">2 <span class="chip">here</span></th>' in html
    assert html.count("<tr") >= len(compare.TABLE_EPSILONS)
    assert {device.family.name for device in comparison.devices} == {"k_rr", "cards", "laplace"}


def paper_query(epsilon):
    shares = {f"share-{index}": str(round(100 * share)) for index, share in enumerate(PI)}
    return {"n": "247", "epsilon": epsilon, "axis": "linear", **shares}


def test_the_table_and_the_file_have_the_papers_numbers(client):
    survey = make_survey(questions=[SIX])
    cells = {
        row["epsilon"]: row["cells"]
        for row in get_comparison(client, survey, **paper_query("1")).context["comparison"].rows()
    }
    assert (cells["0.5"][0], cells["0.5"][-3]) == ("0.059", "19.3")
    assert (cells["1"][0], cells["1"][-3]) == ("0.0113", "2.14")
    response = get_comparison(client, survey, **paper_query("1"), csv="1")
    assert response["Content-Type"].startswith("text/csv")
    assert 'filename="health-q1-mechanisms.csv"' in response["Content-Disposition"]
    rows = list(csv.DictReader(io.StringIO(response.text)))
    errors = {(row["mechanism"], row["epsilon"]): float(row["mse"]) for row in rows}
    for epsilon, randomized, laplace, _ratio in PAPER:
        assert errors["k_rr", epsilon] == pytest.approx(randomized, rel=1e-4)
        assert errors["laplace", epsilon] == pytest.approx(laplace, rel=1e-4)


@pytest.mark.parametrize("query", [{}, paper_query("2")])
def test_the_pages_own_link_gives_the_same_numbers_as_a_file(client, query):
    survey = make_survey(questions=[SIX])
    page = get_comparison(client, survey, **query)
    link = unescape(re.search(r'href="(\?[^"]*csv=1)"', page.text)[1])
    response = client.get(address(survey) + link)
    assert response["Content-Type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(response.text)))
    points = [point for curve in page.context["comparison"].curves for point in curve.points]
    assert [float(row["mse"]) for row in rows] == [point.mse for point in points]


def test_of_several_answers_the_options_are_compared_and_not_the_refusal(client):
    several = {"kind": "multiple_choice", "options": ["A", "B"], "design": "whole_set"}
    survey = make_survey(questions=[{**several, "prefer_not": True}])
    comparison = get_comparison(client, survey).context["comparison"]
    assert comparison.labels == ["A", "B"]
    assert all(len(curve.share_margins) == 2 for curve in comparison.curves)
    # The refusal still takes its part of epsilon, and its place among the combinations.
    design = rr_engine.k_rr(2, str(Decimal(1) / 3)[:8])
    curve, epsilon = comparison.curves[0], comparison.epsilon
    (point,) = (point for point in curve.table if point.epsilon == epsilon)
    assert point.mse == pytest.approx(design.mse([0.8, 0.2], 500), 1e-5)


def test_devices_are_judged_by_the_guess(client):
    query = {"n": "500", "epsilon": "1", "axis": "log", "share-0": "90", "share-1": "10"}
    comparison = get_comparison(client, make_survey(), **query).context["comparison"]
    device = comparison.devices[0]
    design = rr_engine.k_rr(["No", "Yes"], "1").quantized()
    assert device.privacy == pytest.approx(design.privacy([0.9, 0.1]))
    assert device.worst_posterior == pytest.approx(design.worst_posterior([0.9, 0.1]))


@pytest.mark.parametrize(
    ("changes", "field", "says"),
    [
        ({"share-1": "20"}, "share-0", "add up to 110\u00a0%"),
        ({"share-1": "-1"}, "share-1", "greater than or equal to 0"),
        ({"share-0": "most"}, "share-0", "Enter a number"),
        ({"n": "1"}, "n", "greater than or equal to 2"),
        ({"n": "99999999999"}, "n", "less than or equal"),
        ({"epsilon": "0.01"}, "epsilon", "greater than or equal to 0.1"),
        ({"epsilon": "9"}, "epsilon", "8 at most"),
        ({"axis": "round"}, "axis", "Select a valid choice"),
    ],
)
def test_a_guess_that_cannot_be_is_refused_at_its_field(client, changes, field, says):
    query = {"n": "500", "epsilon": "1", "axis": "log", "share-0": "90", "share-1": "10"}
    response = get_comparison(client, make_survey(), **{**query, **changes})
    assert response.status_code == 200
    assert says in " ".join(response.context["form"].errors[field])
    assert response.context["comparison"] is None


@pytest.mark.parametrize(
    "question",
    [
        {"randomized": False},
        {"prefer_not": True},
        {"kind": "multiple_choice", "options": ["A", "B"], "design": "whole_set"},
        {"kind": "multiple_choice", "options": list("ABCDEF"), "design": "per_option"},
        {"kind": "single_choice", "options": [str(index) for index in range(50)]},
        {
            "design": "optimal_binary",
            "design_parameters": {"delta": "0.01", "prevalence": "0.002"},
        },
    ],
)
def test_every_kind_of_question_has_its_page(client, question):
    response = get_comparison(client, make_survey(questions=[question]))
    assert response.status_code == 200
    assert response.context["comparison"].rows()


def test_the_page_and_its_figures_speak_german(client):
    several = {"kind": "multiple_choice", "options": ["A", "B"], "design": "whole_set"}
    survey = make_survey(language="de", questions=[several, {}])
    for number in (1, 2):
        with translation.override("en"):
            response = sign_in(client).get(
                address(survey, number), headers={"Accept-Language": "de"}
            )
            assert english_in(visible_text(response.text)) == []
        figures = response.context["figures"]
        assert figures["error"]["layout"]["yaxis"]["title"]["text"] == (
            "mittlerer quadratischer Fehler"
        )
        assert figures["error"]["layout"]["separators"] == ",."
        assert ("entropy" in figures) == (number == 2)


def test_it_stores_nothing_and_stays_after_launch(client):
    survey = launched().survey
    before = Question.objects.values().get()
    assert get_comparison(client, survey).status_code == 200
    assert Question.objects.values().get() == before
    assert Launch.objects.count() == 1


def test_only_its_author_sees_it_and_only_its_questions_are_there(client):
    survey, other = make_survey(), make_survey(slug="other", owned_by=make_user("b", author=True))
    assert get_comparison(client, other).status_code == 404
    foreign = other.questions.get().pk
    assert client.get(reverse("admin:survey_compare", args=[survey.pk, foreign])).status_code == 404
    empty = make_survey(slug="empty", questions=[{"kind": "scale"}])
    assert get_comparison(client, empty).status_code == 404


@pytest.mark.parametrize(
    "values",
    [(3.2, 4.6), (1.1, 9.5), (0.9, 1.2), (30, 95), (2, 2000), (1e-4, 1), (4.01, 4.02), (5, 5)],
)
def test_a_logarithmic_axis_has_enough_labels_and_not_too_many(values):
    axis = log_ticks(values)
    low, high = values
    labels = [
        text
        for tick, text in zip(axis["tickvals"], axis["ticktext"], strict=True)
        if low <= tick <= high
    ]
    assert 3 <= len(labels) <= 10
    if low < high * 0.99:
        assert len(set(labels)) == len(labels)


@pytest.mark.parametrize("axis", ["log", "linear"])
def test_the_margins_axis_has_ticks_where_the_curves_are(client, axis):
    """With two answers all margins may lie within one decade."""
    survey = make_survey(planned_n=500)
    response = get_comparison(client, survey, axis=axis)
    figures = response.context["figures"]
    for name in ("error", "margin", "entropy"):
        heights = [y for line in figures[name]["data"] for y in line["y"] if y is not None]
        ticks = figures[name]["layout"]["yaxis"]["tickvals"]
        assert sum(min(heights) <= tick <= max(heights) for tick in ticks) >= 3, name
