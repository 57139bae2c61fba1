"""The findings on a survey with a roster before its launch: whether its members can hide."""

from decimal import Decimal

import pytest

from surveys.authoring.checks.survey import lint_survey
from surveys.features.tiers.models import Tier
from surveys.models import Survey
from tests.app.author_posts import opened, sign_in
from tests.builders import make_survey
from tests.rosters import SMOKES, TIES, network_survey, roster_rows

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def network(members=60, *, groups=("Early", "Late"), **values):
    ties = {**TIES[1], "required": True, "design_parameters": {"expected_ties": "5"}}
    given = {
        "questions": [{**ties, **values.pop("ties", {})}],
        "planned_n": members,
        "release_threshold": 20,
        "release_batch": 5,
        **values,
    }
    return network_survey(roster_rows(members, groups), **given)


def found(survey):
    survey = Survey.objects.get(pk=survey.pk)
    return {finding.code: finding for finding in lint_survey(survey)}


def test_a_large_roster_is_told_only_what_a_person_reveals():
    findings = found(network())
    assert list(findings) == ["person_level"]
    assert findings["person_level"].message.startswith(
        "lends: One tie has an epsilon of 1, the ties of one member with all 59 others together 59."
    )
    assert not findings["person_level"].blocks


def test_a_small_epsilon_for_few_names_is_told_nothing_of_persons():
    codes = found(network(12, ties={"epsilon": Decimal("0.5")}, release_threshold=6)).keys()
    assert "person_level" not in codes


@pytest.mark.parametrize(
    ("members", "values", "code", "blocks", "says"),
    [
        (9, {}, "small_roster", False, "9 members. With fewer than 10"),
        (60, {"planned_n": 500}, "planned_above_roster", False, "500 respondents are planned"),
        (60, {"release_threshold": 61}, "threshold_above_roster", True, "Lower it to 55 or less"),
        (60, {"release_threshold": 56}, "threshold_near_roster", False, "at most 4 are missing"),
        (60, {"release_threshold": 60}, "threshold_near_roster", False, "at most 0 are missing"),
        (60, {"pilot": True}, "clash", True, "or make it no pilot"),
        (
            60,
            {"embed_origins": "https://other.example"},
            "links_embedded",
            False,
            "https://other.example",
        ),
        (
            60,
            {"ties": {"design_parameters": {"expected_ties": "60"}}},
            "more_ties_than_others",
            True,
            "60 ties are expected of each member, and there are only 59 others",
        ),
        (
            60,
            {"ties": {"epsilon": Decimal("0.1")}},
            "density_unknown",
            False,
            "An epsilon of 0.76 would tell it to ± 4.2 points",
        ),
        (
            60,
            {"ties": {"directed": False, "epsilon": Decimal("2.5")}},
            "reported_twice",
            False,
            "an epsilon of 5 about it, not 2.5",
        ),
        (60, {"ties": {"required": False}}, "optional_sensitive", False, "Make it required"),
    ],
)
def test_each_rule_names_the_value_and_what_to_do(members, values, code, blocks, says):
    finding = found(network(members, **values))[code]
    assert says in finding.message
    assert finding.blocks is blocks
    sound = found(network(slug="sound"))
    assert code not in sound


@pytest.mark.parametrize("threshold", [5, 55])
def test_a_threshold_that_leaves_five_missing_is_fine(threshold):
    codes = found(network(60, release_threshold=threshold)).keys()
    assert not {"threshold_near_roster", "threshold_above_roster"} & codes


def test_ten_members_are_enough_to_say_nothing_and_three_are_not():
    assert "small_roster" not in found(network(10, release_threshold=5))
    few = found(network(3, slug="few", release_threshold=3))
    assert "fewer than 5 others" in few["small_roster"].message


def test_small_groups_are_named():
    groups = [*("Early",) * 30, *("Late",) * 26, *("Night",) * 4]
    rows = [row._replace(group=groups[place]) for place, row in enumerate(roster_rows(60))]
    survey = network_survey(rows, questions=[TIES[1]], planned_n=60, release_threshold=20)
    message = found(survey)["small_groups"].message
    assert "fewer than 5 members: Night." in message
    assert "Early" not in message


def test_tiers_and_links_do_not_go_together():
    survey = network()
    Tier.objects.create(survey=survey, position=0, name="Public", share=Decimal("0.5"))
    assert found(survey)["clash"].blocks


def test_without_ties_or_without_links_nothing_is_said_here():
    plain = make_survey(slug="plain", release_threshold=20, release_batch=5)
    assert found(plain) == {}


def test_the_total_is_that_of_one_tie_and_says_so(client):
    survey = network(ties={"epsilon": Decimal("3")}, questions=[TIES[0], TIES[1], SMOKES])
    survey.questions.filter(kind="roster_ties").update(epsilon=Decimal("2"))
    message = found(survey)["weak_total"].message
    assert message.startswith("One tie of a person and all their other answers together can make")
    assert "the question about the members says what they reveal" in message
    html = opened(sign_in(client), survey.questions.filter(kind="roster_ties").first()).text
    assert "Upload a roster" not in html
    assert "Replace the roster" in html


def test_a_weak_question_is_about_one_tie():
    message = found(network(ties={"epsilon": Decimal("3")}))["weak_question"].message
    assert message.startswith("lends: A report can make an even guess at one tie (50 of 100) right")


def test_a_roster_question_cannot_be_crossed():
    survey = network(questions=[TIES[1], SMOKES], cross_tables=[["smokes", "lends"]])
    message = found(survey)["bad_table"].message
    assert "“lends” is about the members, so it cannot be crossed" in message
