"""Quotas on direct questions: what is written, frozen, refused, counted and shown."""

import json
import threading
from decimal import Decimal

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from surveys.authoring.checks.survey import lint_survey
from surveys.definitions import definition_of, read_definition
from surveys.definitions.writing import written
from surveys.features.quotas.pages import rows_of
from surveys.features.quotas.progress import full_quotas, released_counts
from surveys.features.quotas.reading import UnreadableQuotaError, read_quotas
from surveys.features.quotas.settings import lines_of
from surveys.parameters import check, digest_of, read
from surveys.responses.batches import batch_of
from surveys.services.definitions import import_definition
from surveys.services.results import refresh_results
from surveys.services.transitions import close_survey
from tests.app.author_posts import page, sign_in
from tests.app.visible_text import visible_text
from tests.builders import launched, make_survey, owner, response, sent
from tests.released import answer

pytestmark = pytest.mark.django_db

REGION = {
    "name": "region",
    "kind": "single_choice",
    "options": ["North", "South", "Black and white"],
    "randomized": False,
    "text": "Where do you live?",
}
OWNS = {"name": "owns", "randomized": False, "text": "Do you own a car?"}
DRUG = {"name": "drug", "epsilon": Decimal(1)}
ASKED = [REGION, OWNS, DRUG]
SMALL = {"questions": ASKED, "release_threshold": 5, "release_batch": 5}


def read_of(text, questions=ASKED):
    return read_quotas(text, list(make_survey(questions=questions).questions.all()))


def told(quotas):
    return [([(x.question, x.answers) for x in each.given], each.wanted) for each in quotas]


def test_what_is_written_becomes_quotas():
    text = """
      region = South | “North”: 1,200
      owns = Yes and region = Black and white: 40
      owns=no : 0
    """
    assert told(read_of(text)) == [
        ([("region", (0, 1))], 1200),
        ([("region", (2,)), ("owns", (1,))], 40),
        ([("owns", (0,))], 0),
    ]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("region = North", "is no quota. Write answers, a colon and how many"),
        ("region = North: many", "is no quota"),
        ("area = North: 5", "“area” names no question"),
        ("region: 5", "“region” names no question"),
        ("region = East: 5", "“East” is no answer to “region”. Its answers are: North | South"),
        ("drug = Yes: 5", "“drug” is no such question"),
        ("region = North and region = South: 5", "has one question twice"),
        ("region = North and owns = Yes and owns = No: 5", "one question or two"),
        ("owns = Yes: 5\n" * 61, "60 quotas at most"),
    ],
)
def test_what_cannot_be_read_is_refused_in_words(text, says):
    with pytest.raises(UnreadableQuotaError, match=says.split(".")[0].replace("|", r"\|")):
        read_of(text)
    codes = {x.code for x in lint_survey(make_survey(slug="b", questions=ASKED, quotas=text))}
    assert "unreadable_quota" in codes


CHANCE = {"section_title": "A part", "section_random": True}


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"questions": [{**REGION, "required": False}, DRUG]}, "quota_optional"),
        ({"questions": [DRUG, REGION]}, "quota_too_late"),
        ({"questions": [{**REGION, **CHANCE}, DRUG]}, "quota_too_late"),
        ({"quotas": "region = North and owns = Yes: 50"}, "quotas_apart"),
        ({"quotas": "region = North: 3"}, "quota_too_small"),
        ({"mode": "pseudonymous", "linkage": "together"}, "clash"),
        ({"questions": [REGION, {**DRUG, "physical_device": "die"}]}, "clash"),
    ],
)
def test_what_stands_against_quotas_is_said_before_the_launch(values, code):
    draft = {**SMALL, "quotas": "region = North: 50", "linkage": "apart", **values}
    assert code in {x.code for x in lint_survey(make_survey(**draft)) if x.blocks}


def test_what_is_frozen_is_read_back_under_the_same_digest():
    assert "quotas" not in launched(slug="plain").document
    launch = launched(**SMALL, quotas="region = South: 50\nregion = North: 0")
    assert launch.document["quotas"][0] == {
        "given": [{"question": "region", "answers": [1]}],
        "wanted": 50,
    }
    assert digest_of(check(read(launch.document))) == launch.digest


def test_a_definition_has_them():
    survey = make_survey(questions=ASKED, quotas="region = North: 50")
    definition = read_definition(written(definition_of(survey)))
    again = import_definition(definition=definition, owner=owner()).survey
    assert lines_of(again) == "region = North: 50"


# --- what is counted, and what of it everybody may know ------------------------------------------


def come(launch, region, owns=0):
    answer(launch, [{"region": region, "owns": owns, "drug": 0}])
    refresh_results(launch_id=launch.pk)
    launch.refresh_from_db()


def asked_for(launch):
    answered = Client().get(reverse("quotas", args=[launch.survey.slug]))
    return answered.json()


def test_what_is_full_changes_with_the_releases_and_never_with_one_response():
    # No number of whole batches: a live count would reach it between two releases.
    launch = launched(**SMALL, quotas="region = North: 12\nregion = South: 12")
    batch, before, stored = batch_of(launch), (0, []), 0
    while not before[1]:
        come(launch, 0)
        stored += 1
        now = (launch.aggregated, full_quotas(launch))
        # Whoever looks at both cannot tell what the response that came between them says.
        assert now == before or now[0] - before[0] >= batch
        before = now
    assert before[1] == [0]
    assert asked_for(launch) == {"digest": launch.digest, "full": [0]}
    # No more than what the author is told: a batch that waits, and the one after it.
    assert 12 <= stored <= 12 + 2 * batch - 1


def test_whoever_had_begun_is_taken_although_the_quota_is_full(client):
    launch = launched(**SMALL, quotas="region = North: 5")
    for _ in range(10):
        come(launch, 0)
    assert full_quotas(launch) == [0]
    body = response(launch, reports={"region": 0, "owns": 0, "drug": 1})
    first = sent(client, launch, body)
    assert first.status_code == 201
    assert sent(client, launch, body).json()["receipt"] == first.json()["receipt"]


def test_quotas_on_two_questions_count_the_people_who_gave_both_answers():
    lines = "region = North | South and owns = Yes: 5\nowns = Yes: 5\nregion = South: 0"
    launch = launched(**SMALL, linkage="together", quotas=lines)
    people = [(0, 1)] * 6 + [(1, 1)] * 3 + [(2, 1)] * 2 + [(0, 0)] * 9
    answer(launch, [{"region": r, "owns": o, "drug": 0} for r, o in people])
    # After the close all of them enter the results.
    close_survey(survey=launch.survey, actor=None)
    refresh_results(launch_id=launch.pk)
    assert released_counts(launch) == [9, 11, 3]
    # Nobody of the last is wanted: the document says it, and no count.
    assert full_quotas(launch) == [0, 1]


def test_a_quota_costs_one_question_to_the_database(django_assert_num_queries):
    launch = launched(**SMALL, linkage="together", quotas="region = North and owns = Yes: 5")
    for _ in range(12):
        come(launch, 0, 1)
    with django_assert_num_queries(1):
        assert full_quotas(launch) == [0]


# --- what is shown --------------------------------------------------------------------------------


def test_the_page_of_respondents_says_which_are_full_and_no_number():
    launch = launched(**SMALL, quotas="region = North: 7\nregion = South: 0")
    address = reverse("respond", args=[launch.survey.slug])
    assert 'data-full=""' in Client().get(address).text
    for _ in range(15):
        come(launch, 0)
    html = Client().get(address).text
    assert 'data-full="0"' in html
    assert "Of some groups only so many people are asked" in visible_text(html)


def test_surveys_without_quotas_have_no_such_address():
    launch = launched()
    assert Client().get(reverse("quotas", args=[launch.survey.slug])).status_code == 404


def test_an_author_sees_how_far_they_are_and_nothing_of_a_few(client):
    launch = launched(
        **SMALL, quotas="region = North: 8\nregion = South: 30\nregion = Black and white: 0"
    )
    for _ in range(20):
        come(launch, 0)
    come(launch, 1)
    shown = visible_text(sign_in(client).get(page(launch.survey, "quotas")).text)
    assert "North 8" in shown
    assert "full" in shown
    assert "fewer than 5" in shown
    assert "up to 9 more may be stored than are wanted" in shown
    assert "1 of 2 quotas are full." in visible_text(client.get(page(launch.survey)).text)
    assert [row.state for row in rows_of(launch)] == ["full", "open", "not asked"]


def test_the_launch_page_says_what_freezes_and_how_many_more_may_come(client):
    survey = make_survey(**SMALL, quotas="region = North: 50")
    shown = visible_text(sign_in(client).get(page(survey, "launch")).text)
    assert "region = North: 50" in shown
    assert "up to 9 more may be stored" in shown


@pytest.mark.django_db(transaction=True)
def test_responses_that_come_at_once_are_each_taken_and_counted_once():
    launch = launched(**SMALL, quotas="region = North: 20\nregion = South: 20")
    taken: list[int] = []

    def send(region):
        try:
            client = Client()
            for _ in range(15):
                body = response(launch, reports={"region": region, "owns": 0, "drug": 0})
                address = reverse("responses", args=[launch.survey.slug])
                answered = client.post(address, json.dumps(body), content_type="application/json")
                taken.append(answered.status_code)
        finally:
            connection.close()

    def count():
        try:
            for _ in range(10):
                refresh_results(launch_id=launch.pk)
        finally:
            connection.close()

    parallel = connection.vendor == "postgresql"
    threads = [threading.Thread(target=send, args=(x,)) for x in (0, 0, 1, 1)]
    threads.append(threading.Thread(target=count))
    for thread in threads:
        thread.start()
        if not parallel:
            # SQLite has one writer at a time.
            thread.join()
    for thread in threads:
        thread.join()
    assert taken == [201] * 60
    refresh_results(launch_id=launch.pk)
    launch.refresh_from_db()
    counts = released_counts(launch)
    assert sum(counts) == launch.aggregated >= 60 - 9
    assert full_quotas(launch) == [x for x in (0, 1) if counts[x] >= 20]
