"""The figures of the open question, and the budget above all of them."""

import math

import pytest

from surveys.models import Question, Survey
from tests.app.author_posts import (
    opened,
    page,
    sign_in,
    stored_question,
    typed_figures,
    typed_form,
    write_question,
    write_settings,
)
from tests.builders import make_survey

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def panel(**values):
    typed = {"epsilon": "1", **values}
    return typed_figures(stored_question(**typed), **typed)


# PRODUCT.md, section 3: binary, true share 10 %, 95 %. Its n were made with z = 1.96, ours with
# 1.959964, so one respondent of difference is rounding.
TABLE = [
    ("0.5", 62, 1.6, 6159, 17.5, 15.5),
    ("1", 73, 2.7, 1554, 8.8, 23),
    (f"{math.log(3):.4f}", 75, 3.0, 1291, 8.0, 25),
    ("2", 88, 7.4, 417, 4.6, 45),
    ("3", 95, 20, 224, 3.3, 69),
]


@pytest.mark.parametrize(
    ("epsilon", "retention", "ratio", "respondents", "margin", "belief"), TABLE
)
def test_figures_equal_the_published_table(epsilon, retention, ratio, respondents, margin, belief):
    figures = panel(epsilon=epsilon).panel.figures
    assert 100 * figures["least_retained"] == pytest.approx(retention, abs=0.5)
    assert figures["likelihood_ratio"] == pytest.approx(ratio, abs=0.1)
    assert abs(figures["n_for_margin"] - respondents) <= 1
    assert 100 * figures["margin_at_planned_n"] == pytest.approx(margin, abs=0.05)
    assert 100 * figures["posterior"] == pytest.approx(belief, abs=0.5)


def test_texts_say_the_same_as_the_figures():
    assert panel().panel.texts == {
        "frequencies": "Of 100 people whose real answer is “No”: 73 send A, 27 send B. "
        "Of 100 people whose real answer is “Yes”: 27 send A, 73 send B.",
        "retention_label": "Answers kept as they are",
        "retained": "73\u00a0%",
        "strength": "Suppose a guess at a real answer is right 50 times in 100. With what is sent, "
        "it is right at most 74 times in 100.",
        "factor": "2.7",
        "needed": "1,553",
        "margin": "± 8.8 points",
        # 0.09 / (0.09 * 1 + p(1-p)/(2p-1)^2) with p = e/(1+e): the variance of a direct answer
        # over that of a scrambled one.
        "effective": "8.9\u00a0%",
        "belief_label": "Belief in “Yes” after its code, from 10\u00a0%",
        "belief": "23\u00a0%",
        "assumption": "For a true share of 10\u00a0%, at 95 % confidence.",
        "planned": "500",
        "number": "",
        "tiers": "",
        "groups": "",
        "arms": "",
        "filters": "",
    }


def test_the_frequencies_are_in_the_respondents_language():
    make_survey(language="de")
    texts = panel().panel.texts
    assert "„Ja“" in texts["frequencies"]
    assert texts["belief_label"].startswith("Belief in “Ja”")


def test_a_choice_says_how_many_codes_there_are():
    figures = panel(kind="single_choice", options="A\nB\nC", prefer_not="on")
    retention = math.e / (math.e + 3)
    assert figures.panel.figures["least_retained"] == pytest.approx(retention, abs=1e-9)
    assert f"{100 * retention:.0f} send its own code" in figures.panel.texts["frequencies"]
    assert "other 3 codes" in figures.panel.texts["frequencies"]


@pytest.mark.parametrize(("epsilon", "crowd"), [("1", "100"), ("6", "1000"), ("8", "10000")])
def test_the_crowd_is_large_enough_for_somebody_to_be_randomized(epsilon, crowd):
    frequencies = panel(epsilon=epsilon).panel.texts["frequencies"]
    assert frequencies.startswith(f"Of {int(crowd):,} people")
    assert " 0 send" not in frequencies


@pytest.mark.parametrize("epsilon", ["0.0001", "0.01", "8"])
def test_extreme_epsilons_have_readable_texts(epsilon):
    assert all(len(text) < 250 for text in panel(epsilon=epsilon).panel.texts.values())


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"epsilon": ""}, "above 0"),
        ({"epsilon": "0"}, "above 0"),
        ({"epsilon": "x"}, "number"),
        ({"epsilon": "1.23456"}, "decimal places"),
        ({"epsilon": "9"}, "8 at most"),
        ({"kind": "single_choice"}, "this list has 0"),
        ({"kind": "single_choice", "options": "A\nA"}, "Line 2 repeats line 1"),
    ],
)
def test_what_is_wrong_is_said_in_place(values, says):
    figures = panel(**values)
    assert says in figures.panel.error
    assert figures.panel.figures == {}


# --- devices --------------------------------------------------------------------------------------


def names(rows):
    return [row.name for row in rows]


def test_the_devices_that_fit_are_compared_at_the_same_epsilon():
    """Wang, Wu & Hu 2016, Eq. 11: p = 1 - exp(-1/2)/2 = 0.6967, var = 0.0945 * 4.36 at 10 %.

    Respondents for 5 points: (1.96 / 0.05)^2 * 0.3427 * 0.6573 / (0.6967 - 0.3033)^2 = 2,236.
    """
    figures = panel(design="laplace")
    k_rr, laplace = figures.comparison.rows
    assert (k_rr.margin, laplace.margin) == ("± 8.8 points", "± 10.6 points")
    assert (k_rr.chosen, laplace.chosen) == (False, True)
    assert (k_rr.belief, laplace.belief) == ("23\u00a0%", "20\u00a0%")
    assert k_rr.epsilon == "1"
    # Its own loss is ln(0.6967 / 0.3033) = 0.8318.
    assert laplace.epsilon == "0.83 of 1"
    assert figures.comparison.best == (
        "“Randomized response” needs 31\u00a0% fewer respondents for the same margin: 1,553 "
        "instead of 2,236."
    )
    assert figures.comparison.proposal == "k_rr"
    assert "at most 2.7 times likelier" in k_rr.identifying_reports


def test_the_best_device_is_told_when_it_is_chosen():
    figures = panel(design="k_rr")
    assert figures.comparison.best == (
        "The chosen device is the most accurate here: ± 8.8 points instead of ± 10.6 points."
    )
    assert figures.comparison.proposal == ""


def option_margin(p, q, n=500, share=0.1):
    """Half width for one option: tick sent with p when ticked, with q when not."""
    lam = share * p + (1 - share) * q
    return 196 * math.sqrt(lam * (1 - lam) / n) / (p - q)


@pytest.mark.parametrize(("epsilon", "count"), [("2", 3), ("1", 2), ("3", 5), ("6", 5)])
def test_one_device_or_many_for_multiple_choice(epsilon, count):
    """Binary k-RR at epsilon / count against the tick margin of k-RR over 2^count subsets."""
    options = "\n".join(map(str, range(count)))
    figures = panel(kind="multiple_choice", options=options, epsilon=epsilon)
    part = math.exp(float(epsilon) / count)
    factor, half = math.exp(float(epsilon)), 2 ** (count - 1)
    size = factor + 2 * half - 1
    margins = {
        "per_option": option_margin(part / (1 + part), 1 / (1 + part)),
        "whole_set": option_margin((factor + half - 1) / size, half / size),
    }
    margins_by_name = {row.name: row.margin for row in figures.comparison.rows}
    assert margins_by_name == {
        name: f"± {margin:.1f} points" if margin < 100 else "over 100 points"
        for name, margin in margins.items()
    }
    best = min(margins, key=margins.get)
    assert ("The chosen device is" in figures.comparison.best) == (best == "per_option")


def test_what_each_option_gets_of_the_epsilon_is_shown():
    """A refusal takes its share too."""
    figures = panel(kind="multiple_choice", options="A\nB", epsilon="1.5", prefer_not="on")
    assert [row.epsilon for row in figures.comparison.rows] == ["1.5, for each option 0.500", "1.5"]


def test_a_large_set_has_one_device_only_and_nothing_to_compare():
    figures = panel(kind="multiple_choice", options="\n".join("ABCDEF"), epsilon="6")
    assert (names(figures.comparison.rows), figures.comparison.best) == (["per_option"], "")


def test_a_device_that_no_longer_fits_gives_way_to_the_usual_one():
    question = stored_question(design="laplace")
    typed = {"kind": "multiple_choice", "options": "A\nB"}
    figures, form = typed_figures(question, **typed), typed_form(question, **typed)
    assert figures.panel.error == ""
    assert figures.fitting == ["per_option", "whole_set"]
    assert form.cleaned_data["design"] == "per_option"
    assert "“Laplace noise, rounded to an answer” does not fit any more" in form.replaced


def test_the_devices_that_fit_are_known_before_the_options_are():
    figures = panel(kind="multiple_choice", options="")
    assert figures.fitting == ["per_option", "whole_set"]
    assert figures.comparison.rows == []
    assert "this list has 0" in figures.panel.error


RARE = {
    "design": "optimal_binary",
    "delta": "0.01",
    "prevalence": "0.005",
    "delta_understood": "on",
}


def test_a_rare_trait_is_compared_at_the_share_that_was_guessed():
    """One-sided device (1, 0.01): var = 0.005 * 0.01 * (1 - 0.00005) / (500 * 0.01^2)."""
    figures = panel(**RARE)
    row = figures.comparison.rows[-1]
    margin = 196 * math.sqrt(0.00005 * (1 - 0.00005) / 500) / 0.01
    assert row.margin == f"± {margin:.1f} points"
    assert row.belief == "100\u00a0%"
    assert row.epsilon == "1; delta 0.01"
    assert row.identifying_reports == "A report B can only come from “Yes”."
    assert (
        figures.panel.texts["assumption"] == "For a true share of 0.5\u00a0%, at 95 % confidence."
    )
    assert figures.panel.texts["factor"] == "no limit"


def test_only_the_chosen_device_is_spoken_of():
    assert panel(**{**RARE, "design": "k_rr"}).notes == {}


def test_delta_is_not_compared_before_it_is_chosen():
    assert "optimal_binary" not in names(panel().comparison.rows)
    assert "optimal_binary" in panel().fitting


@pytest.mark.parametrize(
    ("delta", "says"),
    [
        ("0.01", "Of 1,000 people with the trait, up to 10 are revealed outright."),
        ("0.001", "Of 1,000 people with the trait, up to 1 is revealed outright."),
        ("0.0002", "Of 10,000 people with the trait, up to 2 are revealed outright."),
        ("", ""),
    ],
)
def test_delta_is_said_in_people(delta, says):
    notes = panel(**{**RARE, "delta": delta}).notes
    assert notes == ({"optimal_binary": says} if says else {})


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ({}, "“Laplace noise, rounded to an answer” and “Rare trait: (epsilon, delta)” fit only"),
        (
            {"kind": "scale", "options": "A\nB\nC"},
            "“Laplace noise, rounded to an answer” fits only",
        ),
        ({"kind": "single_choice", "options": "A\nB\nC"}, ""),
        ({"kind": "multiple_choice", "options": "A\nB"}, ""),
        ({"randomized": "False"}, ""),
    ],
)
def test_devices_that_a_refusal_leaves_out_are_named(question, says):
    refusal = panel(prefer_not="on", **question).refusal
    assert refusal.startswith(f"{says} without “prefer not to say”:" if says else says)
    assert bool(refusal) == bool(says)
    assert panel(**question).refusal == ""


def test_a_physical_randomizer_is_shown_in_the_respondents_words():
    """Forced choice with a die: 1 of 6 each way, so Pr(A|No) = 5/6 and ln 5 = 1.6095 rounded up."""
    preview = panel(physical_device="die", epsilon="2").physical
    assert preview["epsilon"] == "Its epsilon is 1.6095, from exact fractions of 6."
    assert "If it shows 1: choose A." in preview["sentences"]
    Survey.objects.update(language="de")
    german = panel(physical_device="die", epsilon="2").physical
    assert "A" in " ".join(german["sentences"])
    assert german["sentences"] != preview["sentences"]


def test_a_physical_randomizer_that_is_too_weak_says_so_and_is_not_offered():
    figures = panel(physical_device="die", epsilon="0.5")
    assert "cannot keep an epsilon of 0.5" in figures.panel.error
    assert figures.physical == {}
    figures = panel(epsilon="0.5")
    assert "die" not in figures.offered
    assert any("cannot keep an epsilon of 0.5" in reason for reason in figures.unreachable)
    assert figures.panel.figures


def test_a_direct_question_has_no_devices():
    figures = panel(randomized="False", physical_device="die")
    assert (figures.comparison.rows, figures.offered, figures.unreachable) == ([], (), ())
    assert figures.panel.error == ""


# --- all questions together -----------------------------------------------------------------------


def budget(client, *questions, **values):
    return overview(client, make_survey(questions=questions, **values)).budget


def overview(client, survey):
    return sign_in(client).get(page(survey)).context["overview"]


def test_the_budget_counts_what_is_sensitive(client):
    questions = [{"epsilon": "1.5"}, {"epsilon": "1"}, {"randomized": False}]
    assert budget(client, *questions) == {
        "total": "2.5",
        "budget": "3",
        "over": False,
        "text": "2.5 of 3 used, 0.5 left.",
        # e**2.5 / (e**2.5 + 1) = 0.924
        "strength": "Suppose a guess about a person is right 50 times in 100. With all their "
        "scrambled answers, it is right at most 93 times in 100.",
    }


def test_the_budget_counts_a_question_whose_options_are_missing_yet(client):
    assert budget(client, {"kind": "single_choice", "epsilon": "2"})["total"] == "2"


@pytest.mark.slow
def test_the_budget_is_that_of_the_last_save(client):
    survey = make_survey(questions=[{}, {}])
    sign_in(client)
    write_question(client, survey.questions.first(), epsilon="1.5")
    assert overview(client, survey).budget["total"] == "2.5"
    write_settings(client, survey, budget="2")
    assert overview(client, survey).budget["over"]


def test_over_the_budget_is_said(client):
    shown = budget(client, {"epsilon": "2"}, {"epsilon": "1.25"})
    assert shown["over"]
    assert shown["text"] == "3.25 of 3 used, 0.25 over the budget: it cannot be launched."
    assert shown["text"] in client.get(page(Survey.objects.get())).text


def test_the_open_question_shows_its_figures(client):
    survey = make_survey()
    html = opened(sign_in(client), survey.questions.get()).text
    assert "“About 10 of 100, give or take 9”, at 500 respondents" in html
    assert "73 send A, 27 send B" in html
    assert "± 8.8 points" in html
    row = html[html.index('data-row="laplace"') :]
    assert "± 10.6 points" in row[: row.index("</tr>")]


def test_looking_at_figures_stores_nothing():
    question = stored_question()
    before = Question.objects.values().get()
    typed_figures(question, epsilon="2", options="A\nB", kind="single_choice")
    assert Question.objects.values().get() == before
