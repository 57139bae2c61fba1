"""Batteries: what is set, frozen, refused and proposed, and what results and files say of them."""

import time
from fractions import Fraction
from itertools import product
from math import isclose, prod, sqrt

import pytest
from django.urls import reverse

from surveys.authoring.checks.survey import lint_survey
from surveys.authoring.draft_parameters import draft_parameters
from surveys.definitions import definition_of, read_definition
from surveys.definitions.writing import written
from surveys.exports.tables import questions as questions_table
from surveys.features.batteries.changes import draw_at_once, end_battery
from surveys.features.batteries.figures import ONE, OWN, battery_panels, errors_of
from surveys.parameters import check, digest_of, read, to_json
from surveys.services.definitions import import_definition
from tests.app.author_posts import page, saved, sign_in
from tests.app.visible_text import visible_text
from tests.builders import launched, make_survey, owner
from tests.unchanged.people import fill
from tests.vectors.broken_batteries import in_battery
from tests.vectors.broken_documents import signed

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

STEM = "In the last year, have you taken from work"
ITEMS = [
    {"text": "pens or paper?", "battery": 1, "battery_text": STEM},
    {"text": "food?", "battery": 1},
    {"text": "money?", "battery": 1},
]
FROZEN = [{"text": STEM, "questions": ["q1", "q2", "q3"], "random": False}]


def of_items(*items, **values):
    return make_survey(**{"questions": items or ITEMS, "budget": 9, **values})


def batteries(survey):
    return to_json(draft_parameters(survey=survey)).get("batteries")


def blocking(survey):
    return {(finding.code, finding.question) for finding in lint_survey(survey) if finding.blocks}


def panel(survey, planned_n=500):
    (found,) = battery_panels(list(survey.questions.all()), planned_n, time.monotonic() + 60)
    return found


# --- the document ---------------------------------------------------------------------------------


def test_what_is_frozen_is_read_back_under_the_same_digest():
    launch = launched(questions=[*ITEMS, {"text": "Anything else?"}], budget=9)
    assert launch.document["batteries"] == FROZEN
    assert digest_of(check(read(launch.document))) == launch.digest
    assert "batteries" not in launched(slug="none").document
    # What the broken documents are made from is not broken.
    assert check(read(signed(in_battery())))


def test_chance_may_order_the_items_and_then_none_is_named_in_a_later_one():
    first, second, *others = ITEMS
    direct = {"randomized": False, "epsilon": None, "required": False}
    items = [
        {**first, **direct, "name": "pens", "battery_random": True},
        {**second, **direct, "text": "as many as {pens|pens}?"},
        *({**each, **direct} for each in others),
    ]
    survey = of_items(*items)
    (frozen,) = batteries(survey)
    assert frozen["random"] is True
    assert ("pipe", "q2") in blocking(survey)
    ordered = {**items[0], "battery_random": False}
    assert not blocking(of_items(ordered, *items[1:], slug="in-order"))


def test_a_definition_has_all_of_it():
    definition = read_definition(written(definition_of(of_items())))
    assert batteries(import_definition(definition=definition, owner=owner()).survey) == FROZEN


@pytest.mark.parametrize(
    ("changes", "code", "question"),
    [
        ([{"battery_text": ""}, {}, {}], "battery_without_text", "q1"),
        ([{}, {"battery": 0}, {"battery": 0}], "battery_of_one", "q1"),
        ([{}, {"battery": 0}, {}], "battery_apart", "q3"),
        ([{}, {}, {"kind": "short_text", "design": "rappor"}], "battery_kind", "q3"),
        ([{}, {"required": False}, {}], "battery_mixed", "q2"),
        ([{}, {}, {"epsilon": "0.5"}], "battery_devices", "q3"),
        ([{}, {"group": 1}, {"group": 1}], "battery_devices", "q2"),
        ([{"group": 1}, {"group": 1}, {"group": 2}], "battery_draw", "q1"),
        (
            [
                {"features": {"filters": {"only_if": f"age = {age}"}}}
                for age in ("Young", "Old", "Young")
            ],
            "battery_mixed",
            "q2",
        ),
    ],
)
def test_what_would_make_no_battery_stands_in_the_way_and_is_asked_one_by_one(
    changes, code, question
):
    items = [{**item, **change} for item, change in zip(ITEMS, changes, strict=True)]
    survey = of_items(*items)
    assert (code, question) in blocking(survey)
    assert batteries(survey) is None


def test_a_battery_is_not_divided_by_sections():
    items = [ITEMS[0], {**ITEMS[1], "section_title": "Food"}, ITEMS[2]]
    assert blocking(of_items(*items)) == {("battery_in_two_sections", "q2")}


# --- the better way -------------------------------------------------------------------------------


def law(survey):
    """The chance of each report for each truth of three items, from what is frozen alone."""
    devices = to_json(draft_parameters(survey=survey))["devices"]
    cases = list(product((0, 1), repeat=3))
    if len(devices) == 1:
        table = devices[0]["table"]
        chances = [Fraction(weight, table["denominator"]) for weight in table["weights"]]
        return {
            (true, told): chances[sum(a != b for a, b in zip(true, told, strict=True))]
            for true in cases
            for told in cases
        }
    tables = [device["table"] for device in devices]
    return {
        (true, told): prod(
            Fraction(table["kept"] if a == b else table["other"], table["denominator"])
            for table, a, b in zip(tables, true, told, strict=True)
        )
        for true in cases
        for told in cases
    }


def exact_error(survey, n):
    """The standard error of the share of the first item, by enumeration, at equal shares."""
    chances, cases = law(survey), list(product((0, 1), repeat=3))
    kept = sum(chance for (true, told), chance in chances.items() if true[0] == told[0] == 1) / 4
    other = sum(chance for (true, told), chance in chances.items() if true[0] < told[0]) / 4
    score = {told: (told[0] - other) / (kept - other) for told in cases}
    mean = sum(chance * score[told] for (_, told), chance in chances.items()) / 8
    square = sum(chance * score[told] ** 2 for (_, told), chance in chances.items()) / 8
    assert mean == Fraction(1, 2), "without bias"
    return sqrt((square - mean**2) / n)


@pytest.mark.parametrize(("epsilon", "best"), [("0.1", OWN), ("1.2", ONE)])
def test_the_proposed_way_has_the_smaller_error_by_enumeration(epsilon, best):
    survey = of_items(*({**item, "epsilon": epsilon} for item in ITEMS))
    found = {}
    for way in (OWN, ONE):
        draw_at_once(survey=survey, number=1, is_one=way == ONE)
        found[way] = exact_error(survey, 500)
    told = errors_of((2, 2, 2), survey.questions.first().epsilon, 500)
    assert all(isclose(found[way], told[way], rel_tol=1e-6) for way in found)
    assert min(found, key=found.__getitem__) == best
    # The draft has one draw now.
    assert panel(survey).change == ("" if best == ONE else OWN)
    assert blocking(survey) == set()
    draw_at_once(survey=survey, number=1, is_one=False)
    assert panel(survey).change == ("" if best == OWN else ONE)


def test_one_draw_is_not_proposed_where_it_could_not_be_launched():
    items = [{**ITEMS[i > 0], "epsilon": "0.8", "prefer_not": True} for i in range(10)]
    found = panel(of_items(*items, budget=20))
    assert [row.used for row in found.rows] == [True]
    assert not found.change


# --- the author's pages ---------------------------------------------------------------------------


ADDED = {
    "text": STEM,
    "kind": "scale",
    "answers": "Never\n\nOnce\nOften",
    "items": "pens or paper?\nfood?\n\nmoney?",
    "randomized": "on",
}


@pytest.mark.slow
def test_an_author_adds_a_battery_and_takes_it_apart(client):
    survey = saved(client)
    url = page(survey, "batteries")
    assert "Add a battery" in visible_text(client.get(url).text)
    answer = client.post(url, ADDED, follow=True)
    assert answer.redirect_chain[-1][0] == page(survey)
    own = [question.name for question in survey.questions.all()][-3:]
    assert batteries(survey) == [{"text": STEM, "questions": own, "random": False}]
    shown = visible_text(answer.content.decode())
    assert STEM in shown
    assert "Each item has a device of its own" in shown
    assert [question.options for question in survey.questions.all()][-3:] == [
        ["Never", "Once", "Often"]
    ] * 3
    change = page(survey, "battery_change", 1)
    client.post(change, {"battery": "text", "battery-1-text": "Have you ever taken"})
    assert batteries(survey)[0]["text"] == "Have you ever taken"
    client.post(change, {"battery": "one"})
    assert [len(x["questions"]) for x in to_json(draft_parameters(survey=survey))["devices"]][
        -1:
    ] == [3]
    client.post(change, {"battery": "end"})
    assert batteries(survey) is None
    assert end_battery(survey=survey, number=1) == 0


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"items": "food?"}, "A battery has 2 to 20 items; this list has 1."),
        ({"items": "\n".join(map(str, range(21)))}, "this list has 21."),
        ({"answers": "Never"}, "A choice has 2 to"),
        ({"text": " "}, "This field is required."),
    ],
)
def test_what_makes_no_battery_is_said_on_its_page(client, changes, said):
    survey = saved(client)
    answer = client.post(page(survey, "batteries"), {**ADDED, **changes})
    assert said in visible_text(answer.content.decode())
    assert not survey.questions.exists()


def test_an_author_types_a_battery_into_its_questions(client):
    first = {"battery": "1", "battery_text": STEM, "text": "pens?", "name": "pens"}
    survey = saved(client, first, {"battery": "1", "text": "food?", "name": "food"})
    assert batteries(survey) == [{"text": STEM, "questions": ["pens", "food"], "random": False}]
    launch_page = visible_text(client.get(page(survey, "launch")).text)
    assert f"Battery 1: questions 1 and 2: {STEM}" in launch_page


# --- results and files ----------------------------------------------------------------------------


def test_results_and_files_have_the_whole_text_of_an_item(client):
    launch = launched(questions=[*ITEMS, {"text": "Anything else?"}], budget=9)
    fill(launch, 30)
    sign_in(client, launch.survey.owner)
    shown = client.get(reverse("results", args=[launch.survey.slug])).content.decode()
    assert visible_text(shown).count(f"{STEM} food?") >= 1
    assert shown.count("data-common") == 1
    assert shown.count("data-item") == 3
    texts = {row[0]: row[1] for row in questions_table.table(launch).rows}
    assert texts["q2"] == f"{STEM} food?"
    assert texts["q4"] == "Anything else?"
