"""An author puts questions together: on their page and each by itself, and the launch checks."""

from decimal import Decimal

import pytest
from django.urls import reverse

from surveys import numbers
from surveys.authoring.checks.survey import lint_survey
from surveys.authoring.draft_parameters import questions_of
from surveys.authoring.features import feature_notices
from surveys.authoring.planning import coverage as coverage_of_surveys
from surveys.exceptions import NotReadyError
from surveys.features.groups.allowed import fitting_run
from surveys.features.tables.settings import tables_of
from surveys.parameters import joint_of_all
from surveys.services.definitions import clone_survey
from surveys.services.launches import launch_survey
from tests.app.author_posts import (
    errors_of_new,
    opened,
    page,
    question_page,
    saved,
    sign_in,
    write_question,
    write_settings,
)
from tests.app.visible_text import visible_text
from tests.builders import launched, make_survey, owner
from tests.tiers import TIERS

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
PAIR = [{"group": 1}, {"group": 1, "kind": "single_choice", "options": "Tea\nWine\nPills"}]
GROUP = {"group": 1}


def errors(client, *questions, **changes):
    found = errors_of_new(client, *questions, **changes)
    return {name: " ".join(texts) for name, texts in found.items()}


def notices(survey):
    """What stands on the page of each question, by its place."""
    asked = questions_of(survey)
    return [" ".join(feature_notices(asked, each)) for each in asked]


# --- the form -------------------------------------------------------------------------------------


def test_a_group_is_saved_and_launched(client):
    survey = saved(client, *PAIR, {})
    assert list(survey.questions.values_list("group", flat=True)) == [1, 1, None]
    (group,) = joint_of_all(launch_survey(survey=survey, actor=None).parameters)
    assert (group.id, group.questions, group.epsilon) == ("group_1", ("q1", "q2"), "2")


NUMBER = {
    "kind": "bounded_number",
    "scale": {"lower": "0", "upper": "10", "step": "1", "unit": "", "bins": []},
    "design": "one_bit",
}
SEVERAL = {"kind": "multiple_choice", "options": ["A", "B"]}
# The changes to two questions of one group, the place of the wrong one, and what is said there.
BROKEN = [
    ([{}, {"group": None}], 0, "one question only"),
    ([{}, {"group": 2}], 1, "one question only"),
    ([{}, SEVERAL], 1, "one answer out of a list"),
    ([{}, {"kind": "short_text"}], 1, "one answer out of a list"),
    ([{}, NUMBER], 1, "one answer out of a list"),
    ([{"randomized": False}, {}], 0, "sensitive questions only"),
    ([{}, {"required": False}], 1, "either all of its questions are required"),
    ([{}, {"physical_device": "die"}], 1, "the page makes"),
    ([{"epsilon": Decimal(5)}, {"epsilon": Decimal("3.5")}], 0, "add up to 8.5"),
]


@pytest.mark.parametrize(("changes", "place", "says"), BROKEN)
def test_what_cannot_be_sent_together_is_said_with_its_question(changes, place, says):
    survey = make_survey(questions=[{"group": 1, **change} for change in changes])
    assert says in notices(survey)[place]
    found = [each for each in lint_survey(survey) if each.blocks]
    name = f"q{place + 1}"
    assert any(says in each.message for each in found if each.question == name)


def test_the_page_shows_it_and_saves_all_the_same(client):
    survey = saved(client, {"group": "1"}, {"group": "", "text": "Which?"})
    first, second = survey.questions.all()
    assert "one question only" in visible_text(opened(client, first).text)
    assert write_question(client, second, group="1")["errors"] == {}
    assert "one question only" not in visible_text(opened(client, first).text)


@pytest.mark.parametrize(
    ("group", "says"),
    [
        ("x", "whole number"),
        ("0", "greater than or equal to 1"),
        ("999", "less than or equal to"),
    ],
)
def test_what_is_no_group_is_an_error_at_its_field(client, group, says):
    assert says in errors(client, {"group": group})["0.group"]


def test_questions_that_lie_apart_are_no_group():
    survey = make_survey(questions=[{"group": 1}, {}, {"group": 1}])
    assert "must follow one another" in notices(survey)[2]
    # The order is that of the places, and not that in which they were written.
    survey.questions.filter(name="q2").update(position=9)
    assert notices(survey) == ["", "", ""]


def test_a_removed_question_leaves_the_rest_of_its_group(client):
    survey = make_survey(questions=[{"group": 4}, {"group": 4}, {"group": 4}], budget=Decimal(5))
    first, second, _third = survey.questions.all()
    client = sign_in(client)
    client.post(question_page(second, "question_remove"))
    assert list(survey.questions.values_list("name", "group")) == [("q1", 4), ("q3", 4)]
    assert notices(survey) == ["", ""]
    client.post(question_page(first, "question_remove"))
    assert "one question only" in notices(survey)[0]


def test_more_combinations_than_a_table_may_have_are_refused():
    many = {"group": 1, "kind": "single_choice", "options": [*map(str, range(50))]}
    survey = make_survey(questions=[many] * 4, budget=8)
    assert "has more than 1,048,576 combinations" in notices(survey)[0]


def test_the_sums_of_an_unfinished_group_are_not_checked(client):
    entry = {"group": 1, "kind": "single_choice", "options": "A"}
    assert set(errors(client, {"group": 1}, entry)) == {"1.options"}


def test_a_group_has_no_place_in_a_survey_with_tiers(client):
    codes = {"mode": "pseudonymous", "linkage": "together"}
    survey = saved(client, *PAIR, **codes)
    assert "clash" not in {each.code for each in lint_survey(survey)}
    answer = write_settings(client, survey, mode="open", tiers="The public: 0.5\nUs: 1")
    assert "no chain of versions" in " ".join(answer["errors"]["tiers"])


def test_a_table_of_two_questions_of_one_group_is_refused(client):
    survey = make_survey(questions=[GROUP, GROUP, {}], linkage="together", planned_n=2000)
    client = sign_in(client)
    pair = {"outcome": "q1", "group": "q2"}
    assert "show this table already" in client.post(page(survey, "tables"), pair).text
    assert client.post(page(survey, "tables"), {**pair, "group": "q3"}).status_code == 302
    survey.refresh_from_db()
    assert tables_of(survey) == (("q1", "q3"),)


def test_a_device_of_its_own_is_not_stored_in_a_group(client):
    own = {"design": "cards", "kind": "single_choice", "options": "A\nB\nC\nD"}
    survey = saved(client, {**own, "group": 1}, {**own, "group": 1}, own)
    assert list(survey.questions.values_list("design", flat=True)) == ["k_rr", "k_rr", "cards"]


def test_each_question_offers_the_groups_in_use_and_one_more(client):
    survey = make_survey(questions=[{"group": 2}, {"group": 2}])
    form = opened(sign_in(client), survey.questions.first()).context["form"]
    assert [value for value, _label in form.fields["group"].widget.choices] == ["", 1, 2]
    assert form["group"].value() == 2


# --- the page of groups ---------------------------------------------------------------------------


def test_questions_are_put_together_and_stand_together(client):
    survey = make_survey(questions=[{}, {"randomized": False}, {}, SEVERAL])
    client = sign_in(client)
    address = page(survey, "groups")
    offered = [
        name for name, _label in client.get(address).context["form"].fields["questions"].choices
    ]
    assert offered == ["q1", "q3"]
    answer = client.post(address, {"questions": ["q3", "q1"]}, follow=True)
    assert "These questions are sent together now, as group 1." in visible_text(answer.text)
    rows = list(survey.questions.values_list("name", "group"))
    assert rows == [("q1", 1), ("q3", 1), ("q2", None), ("q4", None)]
    shown = visible_text(client.get(address).text)
    assert "Group 1: questions 1 and 2" in shown
    client.post(page(survey, "group_end"), {"group": "1"})
    assert {group for (group,) in survey.questions.values_list("group")} == {None}
    assert "There is none yet." in visible_text(client.get(address).text)


def test_a_second_group_has_another_number(client):
    survey = make_survey(questions=[GROUP, GROUP, {}, {}])
    sign_in(client).post(page(survey, "groups"), {"questions": ["q3", "q4"]})
    assert list(survey.questions.values_list("group", flat=True)) == [1, 1, 2, 2]
    # Of a group that is not there nothing ends.
    client.post(page(survey, "group_end"), {"group": "3"})
    client.post(page(survey, "group_end"), {"group": "x"})
    assert survey.questions.filter(group__isnull=False).count() == 4


@pytest.mark.parametrize("names", [[], ["q1"], ["q1", "q9"], ["q1", "q2"]])
def test_what_cannot_be_put_together_stays_apart(client, names):
    survey = make_survey(questions=[{}, {"randomized": False}, {}])
    answer = sign_in(client).post(page(survey, "groups"), {"questions": names})
    assert answer.status_code == 200
    assert answer.context["form"].errors["questions"]
    assert not survey.questions.filter(group__isnull=False).exists()


def test_the_page_of_groups_says_what_stands_in_the_way(client):
    survey = make_survey(questions=[{}, {}], pilot=True)
    shown = visible_text(sign_in(client).get(page(survey, "groups")).text)
    assert "“A pilot”" in shown
    assert "do not go together" in shown


def test_a_launched_survey_has_no_page_of_groups(client, pair):
    launch_survey(survey=pair, actor=None)
    client = sign_in(client)
    assert client.get(page(pair, "groups")).url == page(pair)
    client.post(page(pair, "group_end"), {"group": "1"})
    assert pair.questions.filter(group=1).count() == 2


def test_direct_questions_that_are_marked_as_a_group_are_shown(client):
    direct = {"group": 1, "randomized": False}
    survey = make_survey(questions=[direct, direct])
    assert sign_in(client).get(page(survey)).status_code == 200
    assert "sensitive questions only" in notices(survey)[0]


# --- launch checks --------------------------------------------------------------------------------


def findings(**values):
    survey = make_survey(**{"budget": Decimal(20), **values})
    return survey, {finding.code: finding for finding in lint_survey(survey)}


def blocks(code, **values):
    survey, found = findings(**values)
    assert found[code].blocks
    with pytest.raises(NotReadyError):
        launch_survey(survey=survey, actor=None)
    return found[code].message


CHECKED = [
    ("group_of_one", [GROUP, {}]),
    ("group_apart", [GROUP, {}, GROUP]),
    ("group_kind", [GROUP, {**GROUP, "kind": "multiple_choice", "options": ["A", "B"]}]),
    ("group_direct", [GROUP, {**GROUP, "randomized": False}]),
    ("group_physical", [GROUP, {**GROUP, "physical_device": "die"}]),
    ("group_required", [GROUP, {**GROUP, "required": False}]),
    ("group_over_cap", [{**GROUP, "epsilon": Decimal(5)}] * 2),
    ("same_id", [{**GROUP, "name": "group_1"}, GROUP]),
    ("question_without_reason", [{**GROUP, "epsilon": Decimal(3)}] * 2),
]


@pytest.mark.parametrize(("code", "questions"), CHECKED)
def test_the_launch_checks_say_the_same(code, questions):
    assert blocks(code, questions=questions)


def test_a_reason_is_needed_for_each_question_of_a_strong_report():
    message = blocks("question_without_reason", questions=[{**GROUP, "epsilon": Decimal(3)}] * 2)
    assert "Its group has an epsilon of 6" in message
    given = {**GROUP, "epsilon": Decimal(3), "epsilon_reason": "A pilot among ourselves."}
    launch = launched(slug="given", questions=[given, given], budget=Decimal(8))
    assert [question.reason for question in launch.parameters.questions] == [
        "A pilot among ourselves."
    ] * 2


def test_one_report_is_warned_of_once():
    survey = make_survey(questions=[{**GROUP, "epsilon": Decimal(1)}] * 2 + [{}])
    weak = [finding for finding in lint_survey(survey) if finding.code == "weak_question"]
    assert [finding.question for finding in weak] == ["q1"]


@pytest.mark.parametrize("values", [{"tiers": TIERS}, {"pilot": True}])
def test_surveys_without_groups(values):
    assert "(q1, q2)" in blocks("clash", questions=[GROUP, GROUP], **values)


def test_an_author_reads_before_the_launch_that_a_group_keeps_its_epsilon():
    survey = make_survey(
        questions=[GROUP, GROUP], mode="pseudonymous", linkage="together", budget=Decimal(20)
    )
    (finding,) = [each for each in lint_survey(survey) if each.code == "groups_sent_again"]
    assert not finding.blocks
    assert "keep their epsilon in all waves" in finding.message


CHOICE = {**GROUP, "kind": "single_choice", "options": ["A", "B", "C", "D", "E"]}


def test_more_combinations_than_respondents_are_refused_with_what_fits():
    message = blocks("group_above_planned", questions=[CHOICE] * 3, planned_n=124)
    assert "125 combinations of answers for 124 planned respondents" in message
    assert "send questions 1 and 2 together (25 combinations)" in message
    assert "or ask 125 people" in message
    message = blocks("group_above_planned", slug="none", questions=[CHOICE] * 2, planned_n=24)
    assert "fewer than two of its questions have" in message


@pytest.mark.parametrize(
    ("planned_n", "code"), [(125, "group_thin"), (1249, "group_thin"), (1250, None)]
)
def test_few_respondents_for_each_combination_are_a_warning(planned_n, code):
    _survey, found = findings(questions=[CHOICE] * 3, planned_n=planned_n)
    assert {name for name in found if name.startswith("group")} == ({code} if code else set())
    assert not any(found[name].blocks for name in found)


def test_a_table_of_a_group_is_refused_at_launch():
    tables = {"cross_tables": [["q1", "q2"]], "linkage": "together"}
    assert "already" in blocks("bad_table", questions=[GROUP, GROUP], **tables)


@pytest.mark.parametrize(
    ("sizes", "most", "run"),
    [
        ((5, 5, 5), 124, (0, 2)),
        ((5, 2, 3, 2), 12, (1, 4)),
        ((2, 9, 2, 3), 18, (0, 2)),
        ((5, 5), 24, None),
        ((2,) * 20, 2**10, (0, 10)),
    ],
)
def test_the_longest_run_that_fits(sizes, most, run):
    assert fitting_run(sizes, most) == run


def test_places_in_words():
    assert [numbers.places(places) for places in ((1,), (0, 2), (1, 2, 3), (0, 2, 3))] == [
        "2",
        "1 and 3",
        "2 to 4",
        "1, 3, 4",
    ]


# --- copies and other pages -----------------------------------------------------------------------


def test_a_copy_keeps_its_groups():
    copy = clone_survey(survey=make_survey(questions=[GROUP, GROUP, {}]), owner=owner())
    assert list(copy.questions.values_list("group", flat=True)) == [1, 1, None]


@pytest.fixture
def pair():
    return make_survey(
        questions=[GROUP, {**GROUP, "options": ["A", "B", "C"], "kind": "scale"}, {}]
    )


def test_the_launch_page_and_the_frozen_page_show_the_group(client, pair):
    client = sign_in(client)
    label = "Group 1: questions 1 and 2, ε 2 together, 6 combinations of answers"
    assert label in visible_text(client.get(page(pair, "launch")).content.decode())
    launch_survey(survey=pair, actor=None)
    html = client.get(page(pair)).text
    assert html.count('<span class="chip">Group 1</span>') == 2
    text = visible_text(html)
    assert label in text
    assert "One report answers for all 2 questions of the group" in text
    assert client.get(page(pair, "share")).status_code == 200


def test_a_test_fill_recovers_the_questions_of_a_group(client, pair, monkeypatch):
    # All of them, however long it takes.
    monkeypatch.setattr(coverage_of_surveys, "SECONDS", 600)
    shares = {"q1-0": "80", "q1-1": "20", "q2-0": "50", "q2-1": "30", "q2-2": "20"}
    data = {"respondents": "5000", **shares, "q3-0": "90", "q3-1": "10"}
    response = sign_in(client).post(page(pair, "trial"), data)
    assert response.status_code == 200
    blocks = {block.name: block.rows for block in response.context["recovery"].blocks}
    assert [len(blocks[name]) for name in ("q1", "q2", "q3")] == [2, 3, 2]
    # Coverage of the intervals, of seven shares in 571 surveys each.
    coverage = response.context["coverage"]
    assert [len(block.rows) for block in coverage.blocks] == [2, 3, 2]


def test_a_question_of_a_group_is_compared_and_searched_with_its_group_only(client, pair):
    client, first = sign_in(client), pair.questions.first()
    compare = reverse("admin:survey_compare", args=[pair.pk, first.pk])
    assert client.get(compare).status_code == 404
    workbench = client.get(reverse("admin:survey_workbench", args=[pair.pk, first.pk]))
    assert "the group has one device" in visible_text(workbench.content.decode())
    alone = pair.questions.last()
    assert client.get(reverse("admin:survey_compare", args=[pair.pk, alone.pk])).status_code == 200


def test_a_table_with_a_question_outside_of_the_group_is_launched(client):
    tables = {"cross_tables": [["q1", "q3"]], "linkage": "together", "planned_n": 2000}
    launch = launched(questions=[GROUP, GROUP, {}], **tables)
    assert launch.parameters.tables == (("q1", "q3"),)
    response = sign_in(client).get(page(launch.survey))
    assert response.status_code == 200


def test_the_length_of_a_response_counts_one_report_for_a_group(settings):
    settings.SUBMISSION_MAX_BYTES = 1
    _survey, found = findings(questions=[CHOICE] * 3 + [{}], planned_n=2000)
    size = int(found["response_too_large"].message.split("up to ")[1].split()[0])
    reports = '{"group_1":[4,4,4],"q4":1}'
    # Besides the reports there are some 200 bytes, and room for longer codes and names.
    assert len(reports) < size - 200 < 4 * len(reports)
