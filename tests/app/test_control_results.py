"""The findings of a control item, in the results document and on the page."""

from decimal import Decimal

import pytest
from django.urls import reverse

import rr_engine
from surveys.parameters.exact import channel_of
from tests.app.visible_text import visible_text
from tests.released import released

pytestmark = pytest.mark.django_db
ITEM = {"name": "born", "text": "Were you born on 30 February?", "known_share": Decimal(0)}
DRUG = {"name": "drug"}
WEAKER = {"name": "theft", "epsilon": Decimal("0.5")}
QUESTIONS = (DRUG, ITEM, WEAKER)


def rows(yes_to_item, yes_to_drug, count):
    return [
        {"born": int(i < yes_to_item), "drug": int(i < yes_to_drug), "theft": i % 2}
        for i in range(count)
    ]


def survey(found, **values):
    values = {"questions": QUESTIONS, "budget": 9, "results_public": True, **values}
    return released(found, **values)


def entry(launch, name="born"):
    content = launch.results.get().content
    return next(question for question in content["questions"] if question["id"] == name)


def page(client, launch, language="en"):
    address = reverse("results", args=[launch.survey.slug])
    return client.get(address, headers={"Accept-Language": language}).text


def test_it_is_the_anchor_check_of_the_engine():
    launch = survey(rows(90, 120, 250))
    found = entry(launch)["control"]
    parameters = launch.parameters
    device = parameters.devices_of(parameters.question("born"))[0]
    design = channel_of(device, parameters.question("born"))
    check = rr_engine.compliance.anchor_check(design, [160, 90], 0)
    assert found["n"] == 250
    assert found["known"] == 0
    for name in ("share", "standard_error", "maximum_likelihood", "statistic", "p_value"):
        assert found[name] == pytest.approx(getattr(check, name)), name
    assert found["interval"] == pytest.approx(list(check.interval))
    (corrected,) = found["corrected"]
    # Only the question with the same table; its share p solves the mixture by hand.
    assert corrected["question"] == "drug"
    truthful = design.matrix[1, 1]
    astray = check.maximum_likelihood
    by_hand = ((120 / 250 - astray / 2) / (1 - astray) - (1 - truthful)) / (2 * truthful - 1)
    assert corrected["estimate"] == pytest.approx(by_hand)
    low, high = corrected["interval"]
    assert low < by_hand < high


@pytest.mark.slow
def test_a_share_above_zero_counts_as_known():
    questions = (DRUG, {**ITEM, "known_share": Decimal("0.25")}, WEAKER)
    found = entry(survey(rows(90, 120, 250), questions=questions))["control"]
    assert found["known"] == 0.25
    assert found["share"] < entry(survey(rows(90, 120, 250), slug="other"))["control"]["share"]


@pytest.mark.slow
def test_only_control_items_have_it():
    launch = survey(rows(90, 120, 250))
    assert "control" not in entry(launch, "drug")
    assert "control" not in entry(launch, "theft")


def test_nothing_is_said_of_fewer_people_than_the_threshold():
    launch = survey(rows(2, 2, 4), release_threshold=5)
    content = launch.results.get().content
    assert all("control" not in question for question in content["questions"])


def test_a_question_of_too_few_people_is_not_corrected():
    few = [row if i < 4 else {"born": row["born"]} for i, row in enumerate(rows(3, 3, 20))]
    optional = tuple({**each, "required": False} for each in QUESTIONS)
    assert entry(survey(few, questions=optional))["control"]["corrected"] == []


def test_where_nearly_all_may_answer_at_random_nothing_is_corrected():
    found = entry(survey(rows(125, 120, 250)))["control"]
    assert found["interval"][1] > 0.9
    assert found["corrected"] == []


def test_the_card_says_it_in_words(client):
    html = visible_text(page(client, survey(rows(100, 120, 250))))
    assert "“Yes” is true of 0 % of all people" in html.replace("\u00a0", " ")
    assert "do not follow the device, if their reports are random." in html
    assert "some respondents do not." in html
    assert "If as many did not follow the device there" in html


def test_where_all_follow_the_device_it_says_so(client):
    # At an epsilon of 1 the device says yes for 27 in 100 of those of whom no is true.
    html = visible_text(page(client, survey(rows(67, 120, 250))))
    assert "The reports give no reason to doubt that everybody follows it." in html
    assert "some respondents do not." not in html


def test_the_card_is_there_in_german(client):
    html = visible_text(page(client, survey(rows(100, 120, 250)), "de"))
    assert "Kontrollfrage" in html
    assert "Einige Befragte folgen ihm nicht." in html


def test_a_survey_without_one_has_no_such_card(client):
    launch = survey([{"q1": i % 2} for i in range(20)], questions=[{}])
    assert "Control item" not in page(client, launch)
