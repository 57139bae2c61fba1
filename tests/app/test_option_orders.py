"""Orders of answers: what is set, frozen and refused, and what is kept with a response."""

from copy import deepcopy

import pytest

from surveys.authoring.checks.survey import lint_survey
from surveys.authoring.disclosure_risk import LEAST_PER_COMBINATION
from surveys.authoring.draft_parameters import draft_parameters
from surveys.authoring.features import feature_notices
from surveys.definitions import definition_of, read_definition
from surveys.definitions.writing import written
from surveys.exceptions import NotReadyError
from surveys.exports.tables import reports
from surveys.features.option_orders.settings import order_of
from surveys.models import Submission
from surveys.parameters import check, digest_of, read, to_json
from surveys.responses.envelope import is_content, response_schema
from surveys.services.definitions import import_definition
from surveys.services.results import refresh_results
from tests.app.author_posts import saved, write_question
from tests.app.contract.combined import BATCH
from tests.builders import launched, make_survey, owner, response, sent

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

LEAVE = {
    "name": "leave",
    "kind": "single_choice",
    "text": "What would make you leave?",
    "options": ["Pay", "Hours", "People", "Other, such as the way to work"],
    "option_order": "rotated",
}
TAKEN = {
    "name": "taken",
    "kind": "multiple_choice",
    "text": "What did you take?",
    "options": ["Tools", "Food", "Time"],
    "option_order": "shuffled",
    "prefer_not": True,
    "design": "per_option",
}
MOOD = {"name": "mood", "kind": "scale", "text": "How are you?", "options": ["Low", "Fair", "High"]}
REGION = {
    "name": "region",
    "kind": "single_choice",
    "text": "Where?",
    "options": ["North", "South"],
}
KEPT = {"option_order_kept": True}


def section(survey):
    return to_json(draft_parameters(survey=survey)).get("option_orders")


def findings(survey):
    return {(x.question, x.code, x.blocks) for x in lint_survey(survey) if "order" in x.code}


def kept(**values):
    questions = [{**LEAVE, **KEPT}, {**MOOD, "option_order": "reversed", **KEPT}]
    together = {"linkage": "together", "planned_n": 1000, "budget": 9}
    return {"questions": questions, **together, **values}


# --- the document ---------------------------------------------------------------------------------


def test_what_reads_like_other_stays_at_the_end_unless_the_author_says_how_many_do():
    fewer = {**LEAVE, "name": "again", "option_order_last": 0}
    questions = [LEAVE, TAKEN, {**MOOD, "option_order": "reversed"}, fewer]
    launch = launched(questions=questions, budget=9)
    assert launch.document["option_orders"] == [
        {"question": "leave", "by": "rotated", "last": 1, "kept": False},
        {"question": "taken", "by": "shuffled", "last": 0, "kept": False},
        {"question": "mood", "by": "reversed", "last": 0, "kept": False},
        {"question": "again", "by": "rotated", "last": 0, "kept": False},
    ]
    assert digest_of(check(read(launch.document))) == launch.digest
    assert "option_orders" not in launched(slug="plain", questions=[MOOD]).document


def test_a_definition_has_all_of_it():
    survey = make_survey(**kept())
    definition = read_definition(written(definition_of(survey)))
    copied = import_definition(definition=definition, owner=owner()).survey
    assert section(copied) == section(survey) is not None


# --- the launch -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "question",
    [
        {"option_order": "reversed"},
        {**MOOD, "option_order": "shuffled"},
        {**LEAVE, "option_order_last": 3},
        {
            "kind": "calendar_date",
            "options": ["2000", "2010", "2020"],
            "option_order": "reversed",
        },
        {
            "kind": "ranked_items",
            "design": "near_orders",
            "options": ["Pay", "Hours", "People"],
            "option_order": "shuffled",
        },
    ],
)
def test_what_cannot_be_ordered_is_refused_with_why(question):
    survey = make_survey(questions=[{**question, "name": "q1"}])
    assert ("q1", "option_order", True) in findings(survey)
    assert section(survey) is None


def test_items_of_a_battery_have_their_answers_in_one_order():
    item = {**MOOD, "battery": 1, "option_order": "reversed"}
    items = [{**item, "battery_text": "At work:"}, {**item, "name": "sleep", "text": "Sleep?"}]
    survey = make_survey(questions=items)
    assert findings(survey) == {(x["name"], "option_order", True) for x in items}
    assert section(survey) is None


def test_a_question_that_nobody_is_asked_has_no_order_of_answers():
    from_link = {**deepcopy(BATCH), "option_order": "reversed", **KEPT}
    survey = make_survey(**kept(questions=[from_link, LEAVE]))
    assert findings(survey) == {("batch", "option_order", True)}
    assert [each["question"] for each in section(survey)] == ["leave"]
    (words,) = feature_notices([*survey.questions.all()], survey.questions.get(name="batch"))
    assert "Nobody is asked" in words


@pytest.mark.parametrize(
    "values",
    [
        {"linkage": "apart"},
        {"mode": "pseudonymous"},
        {"tiers": (("The public", "0.25"), ("Staff", "1"))},
        {"questions": [{**TAKEN, **KEPT}]},
        {"questions": [{**LEAVE, **KEPT}, {"physical_device": "die"}]},
    ],
)
def test_an_order_is_not_kept_where_it_would_join_what_is_told_apart(values):
    survey = make_survey(**kept(**values))
    refused = {code for _name, code, blocks in findings(survey) if blocks}
    assert refused == {"order_kept"}
    assert section(make_survey(**kept(slug="kept")))[0]["kept"]


def test_orders_and_direct_answers_together_leave_ten_planned_people_to_each_combination():
    """Three orders, two directions, two regions."""
    questions = [*kept()["questions"], {**REGION, "randomized": False}]
    least = LEAST_PER_COMBINATION * 3 * 2 * 2
    enough = make_survey(**kept(questions=questions, planned_n=least))
    assert findings(enough) == set()
    too_few = make_survey(slug="few", **kept(questions=questions, planned_n=least - 1))
    assert findings(too_few) == {("leave", "order_kept", True), ("mood", "order_kept", True)}
    with pytest.raises(NotReadyError, match="12 combinations, for 119 planned"):
        launched(slug="fewer", **kept(questions=questions, planned_n=least - 1))


# --- the author's page ----------------------------------------------------------------------------


@pytest.mark.slow
def test_an_author_reads_at_the_field_what_cannot_be_ordered(client):
    survey = saved(client, {"kind": "scale", "options": "Low\nHigh", "option_order": "reversed"})
    question = survey.questions.get()
    assert section(survey)[0]["by"] == "reversed"
    write_question(client, question, option_order="shuffled")
    question.refresh_from_db()
    (words,) = feature_notices([question], question)
    assert "two directions only" in words
    write_question(client, question, option_order="reversed", option_order_kept="on")
    assert section(survey)[0]["kept"]
    write_question(client, question, option_order="")
    assert section(survey) is None
    question.refresh_from_db()
    assert not order_of(question).kept


# --- a response -----------------------------------------------------------------------------------


def answered(client, launch, orders=None):
    values = {} if orders is None else {"orders": orders}
    return sent(client, launch, {**response(launch), **values})


@pytest.mark.parametrize(
    ("orders", "code"),
    [
        (None, "missing"),
        ([0, 0], "not_the_orders"),
        ({"leave": 0}, "not_the_orders"),
        ({"leave": 0, "mood": 0, "q1": 0}, "not_the_orders"),
        ({"leave": 3, "mood": 0}, "out_of_range"),
        ({"leave": 0, "mood": -1}, "out_of_range"),
        ({"leave": True, "mood": 0}, "out_of_range"),
        ({"leave": "0", "mood": 0}, "out_of_range"),
        ({"leave": 0.0, "mood": 0}, "out_of_range"),
    ],
)
def test_a_response_says_every_order_that_is_kept_and_nothing_else(client, orders, code):
    answer = answered(client, launched(**kept()), orders)
    assert (answer.status_code, answer.json()["errors"][0]["code"]) == (422, code)
    assert not Submission.objects.exists()


def test_orders_of_a_survey_that_keeps_none_are_refused(client):
    launch = launched(questions=[MOOD | {"option_order": "reversed"}])
    assert answered(client, launch, {"mood": 0}).json()["errors"][0]["code"] == "unknown_key"
    assert answered(client, launch).status_code == 201


def test_an_order_is_stored_and_stands_in_the_file_of_reports_with_what_it_means(client):
    launch = launched(**kept())
    for leave in range(3):
        assert answered(client, launch, {"leave": leave, "mood": leave % 2}).status_code == 201
    stored = Submission.objects.first().content
    schema = response_schema(launch.parameters)
    assert is_content(stored, schema)
    assert not is_content({**stored, "orders": {"leave": 9, "mood": 0}}, schema)
    without = {key: value for key, value in stored.items() if key != "orders"}
    assert not is_content(without, schema)
    refresh_results(launch_id=launch.pk)
    launch.refresh_from_db()
    table = reports.table(launch)
    names = [column.name for column in table.columns]
    assert names == ["leave", "mood", "leave.order", "mood.order", "in.tables"]
    rows = [dict(zip(names, row, strict=True)) for row in table.rows]
    assert sorted((x["leave.order"], x["mood.order"]) for x in rows) == [(0, 0), (1, 1), (2, 0)]
    order = {column.name: column for column in table.columns}
    assert [value.label for value in order["leave.order"].values] == [
        "first: Pay",
        "first: Hours",
        "first: People",
    ]
    assert [value.label for value in order["mood.order"].values] == ["as written", "reversed"]
