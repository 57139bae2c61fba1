"""A pilot before its launch: the field, the budget bar, what it takes, and what stands against."""

from decimal import Decimal

import pytest

from surveys.authoring.checks.survey import lint_survey
from surveys.drafts import Draft
from surveys.features.pilots.figures import noise_bound, pilot_words
from surveys.features.pilots.settings import is_pilot, set_pilot
from surveys.models import Survey
from surveys.services.launches import launch_survey
from tests.app.author_posts import page, saved, sign_in, write_settings
from tests.app.posted_fields import Fields
from tests.app.visible_text import visible_text
from tests.builders import make_survey

pytestmark = pytest.mark.django_db

CHOICE = {"kind": "single_choice", "options": ["Tea", "Wine", "Pills"], "text": "Which?"}
FORTY = {**CHOICE, "options": [str(option) for option in range(40)]}
THREE = [{"text": "First?"}, {"text": "Second?", "epsilon": Decimal("1.5")}, CHOICE]


def blocking(survey):
    return {finding.code for finding in lint_survey(survey) if finding.blocks}


@pytest.mark.slow
def test_the_checkbox_is_saved_and_shown(client):
    survey = saved(client, {}, {}, {}, pilot="on")
    assert is_pilot(survey)
    box = Fields(client.get(page(survey, "settings")).text, "survey_form").posted
    assert box["pilot"] == ["on"]
    write_settings(client, survey, pilot=None)
    survey.refresh_from_db()
    assert not is_pilot(survey)


def test_a_pilot_of_three_questions_can_be_launched():
    launch = launch_survey(survey=make_survey(questions=THREE, pilot=True), actor=None)
    assert launch.parameters.devices[0].stratum == "pair_1_2"


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"questions": THREE[:2]}, "pilot_questions"),
        ({"questions": [{} for _ in range(21)]}, "pilot_questions"),
        ({"mode": "pseudonymous"}, "clash"),
        ({"tiers": [("All", "0.5"), ("Staff", "1")]}, "clash"),
        ({"linkage": "together", "cross_tables": [["q1", "q2"]]}, "paired_tables"),
        ({"questions": [*THREE, {"required": False}]}, "pilot_required"),
        ({"questions": [*THREE, {"epsilon": Decimal("2.6")}]}, "pilot_epsilon"),
        ({"questions": [*THREE, {**CHOICE, "kind": "multiple_choice"}]}, "pilot_kind"),
        ({"questions": [*THREE, {"physical_device": "die"}]}, "clash"),
        ({"questions": [*THREE, {"group": 1}]}, "clash"),
        ({"questions": [FORTY] * 5}, "pilot_combinations"),
    ],
)
def test_what_a_pilot_does_not_take_is_said_before_the_launch(values, code):
    survey = make_survey(**{"questions": THREE, "pilot": True, "budget": Decimal(9), **values})
    assert code in blocking(survey)
    set_pilot(survey, False)
    survey.save()
    assert code not in blocking(Survey.objects.get())


def test_a_few_long_lists_are_taken():
    assert not blocking(make_survey(questions=[FORTY, *THREE], pilot=True))


def test_a_report_of_a_pair_is_as_strong_a_hint_as_both_answers():
    """One report can reveal as much about one of its answers as about both."""
    epsilons = [Decimal(2), Decimal("1.5"), Decimal("0.5")]
    questions = [{"text": f"Q{n}?", "epsilon": each} for n, each in enumerate(epsilons)]
    survey = make_survey(questions=questions, budget=Decimal(4), pilot=True)
    warnings = [f for f in lint_survey(survey) if f.code in ("weak_pair", "weak_question")]
    (warning,) = warnings
    assert warning.code == "weak_pair"
    assert "add up to 3.5." in warning.message
    # 1 / (1 + exp(-3.5)) = 0.9707
    assert "98 times in 100" in warning.message


def test_direct_questions_may_be_in_a_table_of_a_pilot():
    direct = [{"randomized": False}, {"randomized": False}]
    values = {"linkage": "together", "cross_tables": [["q4", "q5"]]}
    assert not blocking(make_survey(questions=[*THREE, *direct], pilot=True, **values))


def test_the_budget_counts_the_two_largest_epsilons():
    questions = [{"epsilon": Decimal(epsilon)} for epsilon in ("1", "1.2", "1.4")]
    survey = make_survey(questions=questions, pilot=True, budget=Decimal("2.6"))
    assert not blocking(survey)
    Survey.objects.update(budget=Decimal("2.5"))
    assert blocking(Survey.objects.get()) == {"over_budget"}


def overview(client, **values):
    questions = [{"epsilon": Decimal("1.5")}] * 3
    survey = make_survey(questions=questions, planned_n=600, **values)
    return sign_in(client).get(page(survey)).context["overview"]


def test_the_list_says_what_a_pilot_spends_and_can_tell(client):
    shown = overview(client, pilot=True)
    assert (shown.budget["total"], shown.budget["over"]) == ("3", False)
    assert "the largest two count" in shown.budget["text"]
    assert "one of 3 pairs for each person: about 200 of 600 each" in shown.plan


def test_without_the_field_all_questions_count(client):
    shown = overview(client)
    assert (shown.budget["total"], shown.plan) == ("4.5", "")


def test_the_words_follow_the_people(client):
    yes_no = Draft(kind="yes_no", epsilon=Decimal(1))
    assert pilot_words([yes_no], 500) == ""
    assert "cannot tell any dependence" in pilot_words([yes_no] * 3, 9)
    assert "at least 0.02." in pilot_words([yes_no] * 3, 50_000)
    weak = Draft(kind="yes_no", epsilon=Decimal("0.05"))
    assert "in the worst" in pilot_words([yes_no, yes_no, weak], 3_000)
    assert "not at all in others" in pilot_words([yes_no, weak, weak], 1_500)


def test_noise_exceeds_the_bound_in_one_of_twenty_pilots():
    pair = [Draft(kind="yes_no", epsilon=Decimal(1))] * 2
    survey = make_survey(questions=[{}, {}, {}], pilot=True)
    device = launch_survey(survey=survey, actor=None).parameters.devices[0]
    neither, one, both = (weight / device.table.denominator for weight in device.table.weights)
    factor = neither - 2 * one + both
    people = 1_000
    # The normal quantile of a two-sided test; Wilson and Hilferty are within two percent of it.
    assert noise_bound(pair, people) == pytest.approx(1.96 / (factor * people**0.5), rel=0.02)


def test_the_launch_page_says_what_a_pilot_can_tell(client):
    survey = make_survey(questions=THREE, pilot=True)
    text = visible_text(sign_in(client).get(page(survey, "launch")).text)
    assert "one of 3 pairs for each person" in text
