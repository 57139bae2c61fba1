"""An author adds a split sample or, after reading what it means, a direct arm; both go again."""

from decimal import Decimal

import pytest

from surveys.exceptions import UnfitDeclarationError, WrongStateError
from surveys.features.arms.changes import (
    add_direct_arm,
    add_split_sample,
    remove_direct_arm,
    remove_split_sample,
)
from surveys.features.arms.settings import arms_of_question, shares_of_survey
from surveys.services.definitions import clone_survey
from surveys.services.launches import launch_survey
from tests.app.author_posts import page, sign_in
from tests.app.visible_text import visible_text
from tests.arms import change_arms, change_shares
from tests.builders import launched, make_survey, owner

pytestmark = pytest.mark.django_db
REGION = {"kind": "single_choice", "options": ["North", "South", "East"], "epsilon": Decimal("1.5")}
SCALE = {"kind": "scale", "options": ["never", "often", "always"], "epsilon": Decimal("0.0501")}
TICKS = {"kind": "multiple_choice", "options": ["a", "b", "c"], "design": "per_option"}
DIRECT = {"randomized": False}
CONTROL = {"known_share": Decimal(0)}
GROUPED = {"group": 1, "design": "joint"}
ADDS = (add_split_sample, add_direct_arm)


def column(survey, name):
    return [getattr(arms_of_question(each), name) for each in survey.questions.all()]


def shares(survey):
    survey.refresh_from_db()
    stored = shares_of_survey(survey)
    return stored.split, stored.direct


def test_a_split_sample_halves_the_epsilon_of_what_can_have_it():
    questions = [{}, REGION, SCALE, TICKS, CONTROL, DIRECT, GROUPED, GROUPED]
    survey = make_survey(questions=questions, budget=9)
    added = add_split_sample(survey=survey)
    assert [question.name for question in added.questions] == ["q1", "q2", "q3"]
    assert set(added.left_out) == {"q4", "q5", "q7", "q8"}
    halves = [Decimal("0.5"), Decimal("0.75"), Decimal("0.05")]
    assert column(survey, "split_epsilon") == [*halves, None, None, None, None, None]


def test_no_direct_arm_is_added_where_results_are_public():
    survey = make_survey(questions=[{}], results_public=True)
    with pytest.raises(UnfitDeclarationError) as refused:
        add_direct_arm(survey=survey)
    assert "Untick “anyone with the link may see the results”" in str(refused.value)
    assert column(survey, "asked_directly") == [False]
    assert add_split_sample(survey=survey).questions


def test_both_arms_leave_a_third_of_the_people_to_the_page():
    survey = make_survey(questions=[{}, REGION], budget=9)
    add_split_sample(survey=survey)
    assert shares(survey) == (50, 30)
    add_direct_arm(survey=survey)
    assert shares(survey) == (35, 30)
    frozen = launch_survey(survey=survey, actor=None).parameters
    assert [(arm.stratum, arm.share) for arm in frozen.arms] == [
        ("page", 35),
        ("split", 35),
        ("direct", 30),
    ]
    assert [device.key for device in frozen.devices if device.epsilon is None] == [
        ("q1", "direct"),
        ("q2", "direct"),
    ]


def test_a_split_sample_beside_a_direct_arm_is_smaller_than_one_alone():
    survey = make_survey(questions=[{}], budget=9)
    add_direct_arm(survey=survey)
    add_split_sample(survey=survey)
    assert shares(survey) == (35, 30)
    assert remove_direct_arm(survey=survey) == 1
    assert shares(survey) == (50, 30)


def test_a_share_that_was_chosen_stays_while_there_is_room():
    survey = make_survey(questions=[{}], budget=9, direct_share=20)
    change_arms(survey.questions.get(), asked_directly=True).save()
    add_split_sample(survey=survey)
    assert shares(survey) == (35, 20)
    change_shares(survey, direct=60)
    add_split_sample(survey=survey)
    assert shares(survey) == (35, 30)


def test_undone_nothing_is_left():
    survey = make_survey(questions=[{}, REGION], budget=9)
    for add in ADDS:
        add(survey=survey)
    assert (remove_split_sample(survey=survey), remove_direct_arm(survey=survey)) == (2, 2)
    assert column(survey, "split_epsilon") == [None, None]
    assert column(survey, "asked_directly") == [False, False]
    assert launch_survey(survey=survey, actor=None).parameters.arms == ()


def test_a_question_that_is_added_later_joins_with_another_click():
    survey = make_survey(questions=[{}, REGION], budget=9)
    change_arms(survey.questions.get(name="q1"), split_epsilon=Decimal("0.2")).save()
    add_split_sample(survey=survey)
    assert column(survey, "split_epsilon") == [Decimal("0.2"), Decimal("0.75")]


@pytest.mark.parametrize("add", ADDS)
@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"questions": [DIRECT]}, "No question can have arms"),
        ({"questions": [CONTROL]}, "control item"),
        ({"questions": [{}, {}, {}], "pilot": True}, "A pilot"),
        ({"mode": "pseudonymous"}, "divide everybody as before"),
        ({"mode": "personal"}, "a name would lead to the answers"),
        ({"questions": [{}, {"physical_device": "die"}]}, "physical randomizer"),
    ],
)
def test_what_has_no_place_for_arms_is_told_why(add, values, reason):
    survey = make_survey(**values, budget=9)
    with pytest.raises(UnfitDeclarationError, match=reason):
        add(survey=survey)


@pytest.mark.parametrize("add", ADDS)
def test_tiers_stand_against_arms(add):
    survey = make_survey(budget=9)
    survey.tiers.create(name="All", share=1, position=0)
    with pytest.raises(UnfitDeclarationError, match="tiers"):
        add(survey=survey)


def test_an_epsilon_that_cannot_be_halved_is_left_out():
    survey = make_survey(questions=[{"epsilon": Decimal("0.05")}, {}], budget=9)
    added = add_split_sample(survey=survey)
    assert added.left_out == {"q1": "its epsilon leaves no room for a smaller one"}


@pytest.mark.parametrize("change", [*ADDS, remove_split_sample, remove_direct_arm])
def test_after_the_launch_nothing_changes(change):
    launch = launched(budget=9)
    with pytest.raises(WrongStateError):
        change(survey=launch.survey)


@pytest.mark.slow
def test_the_buttons_add_and_undo_and_say_so(client):
    survey = make_survey(questions=[{}, {"epsilon": Decimal("1.5")}, CONTROL], budget=9)
    sign_in(client)
    assert page(survey, "split_remove") not in client.get(page(survey)).text
    shown = visible_text(client.post(page(survey, "split_add"), follow=True).text)
    assert "chance puts 50 of 100 people into it" in shown
    assert "q1 with 0.5 instead of 1, q2 with 0.75 instead of 1.5." in shown
    assert "still use 3.5 of the budget of 9. Left out: q3 (it is a control item)." in shown
    confirmed = {"understood": "on"}
    shown = visible_text(client.post(page(survey, "direct_add"), confirmed, follow=True).text)
    assert "chance puts 30 of 100 people into it" in shown
    assert "spend no epsilon on them: q1, q2." in shown
    addresses = client.get(page(survey)).text
    assert page(survey, "split_remove") in addresses
    assert page(survey, "direct_remove") in addresses
    shown = visible_text(client.post(page(survey, "split_remove"), follow=True).text)
    assert "The split sample is removed from 2 questions." in shown
    shown = visible_text(client.post(page(survey, "direct_remove"), follow=True).text)
    assert "2 questions had a direct arm" in shown
    assert client.get(page(survey, "split_add")).status_code == 405


def test_a_copy_of_a_survey_has_its_arms():
    survey = make_survey(questions=[{}], budget=9)
    for add in ADDS:
        add(survey=survey)
    change_shares(survey, direct=25)
    copy = clone_survey(survey=survey, owner=owner())
    assert column(copy, "split_epsilon") == [Decimal("0.5")]
    assert column(copy, "asked_directly") == [True]
    assert shares(copy) == (35, 25)
