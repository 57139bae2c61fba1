"""Access to each tier: one table over every address of results and downloads."""

import json

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from surveys.admin.pages.workbench.guess import sources_for
from surveys.exports.offers import OFFERS
from surveys.models import Result, Survey
from tests.app.kept import kept_once
from tests.builders import PASSWORD, make_user
from tests.plain import content_of
from tests.tiers import NAMES, address, fetch, filled, read_by

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.slow]

# Without searched devices there is nothing to prove, without groups there are no combinations,
# without margins there is nothing weighted, and a survey with tiers has no arms and no texts in
# people's own words.
ABSENT = ("results-certificate", "combinations-", "weighted-", "arms-", "free_texts-")
# One view has every format of every table: all are tried of the reports, of others these two.
FORMATS = tuple(
    f"-{offer.address}" for offer in OFFERS if offer.address not in ("csv", "codebook-json")
)
OFFERED = [
    name
    for name in NAMES
    if not name.startswith(ABSENT) and (name.startswith("reports-") or not name.endswith(FORMATS))
]
# The tier that somebody sees, from 1, or the status of a refusal.
VISITORS = {
    "owner": (3, 3),
    "superuser": (3, 3),
    "reader of 1": (1, 1),
    "reader of 2": (2, 2),
    "reader of 3": (3, 3),
    "reader of 1 and 2": (2, 2),
    "researcher": (1, 1),
    "other author": (404, 1),
    "outsider": (404, 1),
    "anonymous": (302, 1),
}
AUTHORS = {"owner", "superuser"}
# Public results are no rows: those are for whom somebody named.
STRANGERS = {"other author", "outsider", "anonymous"}
ROWS = {name for name in NAMES if name.startswith("reports-")}


def sign_in(client, launch, visitor):
    client.logout()
    if visitor == "anonymous":
        return
    if visitor == "owner":
        person = launch.survey.owner
    else:
        kind = {"superuser": {"superuser": True}, "other author": {"author": True}}
        person = make_user(visitor.replace(" ", "-"), **kind.get(visitor, {}))
    if visitor == "researcher":
        launch.survey.researchers.add(person)
    if visitor.startswith("reader"):
        read_by(launch, person, *(int(word) for word in visitor.split() if word.isdigit()))
    assert client.login(username=person.username, password=PASSWORD)


def tier_of(launch, name, answer):
    """The tier of an answer, by what only its file can have; each tier's epsilon is its own."""
    text = answer.text_read
    results = [content_of(launch, step) for step in launch.steps]
    disposition = answer.get("Content-Disposition", "")
    found = {
        number
        for number, content in enumerate(results, start=1)
        if content["digest"] in text or f"-tier-{number}-" in disposition
    }
    if name in ("results-status", "results-figures"):
        revisions = REVISIONS[launch.pk]
        found = {number for number, revision in revisions.items() if revision in text}
    assert len(found) == 1, (name, found)
    return found.pop()


REVISIONS = {}


@kept_once
def kept():
    launch, client = filled(40), Client()
    client.force_login(launch.survey.owner)
    REVISIONS[launch.pk] = {
        number: json.loads(fetch(client, address(launch, "results-status", number)).text_read)[
            "revision"
        ]
        for number in (1, 2, 3)
    }
    assert len(set(REVISIONS[launch.pk].values())) == 3
    return launch


def outcomes(client, launch, *, query=None):
    """{address: the tier that is seen there, or the status of a refusal}"""
    seen = {}
    for name in OFFERED:
        answer = fetch(client, address(launch, name, query))
        status = answer.status_code
        seen[name] = tier_of(launch, name, answer) if status == 200 else status
    return seen


@pytest.mark.slow
@pytest.mark.parametrize("public", [False, True])
def test_everybody_sees_one_tier_at_every_address(client, launch, public):
    """All visitors in one test: a survey with three tiers takes longer to make than to look at."""
    Survey.objects.filter(pk=launch.survey_id).update(results_public=public)
    for visitor, wanted in VISITORS.items():
        sign_in(client, launch, visitor)
        expected = dict.fromkeys(OFFERED, wanted[public])
        if public and visitor in STRANGERS:
            expected |= dict.fromkeys(ROWS, 404)
        assert outcomes(client, launch) == expected, visitor


@pytest.mark.slow
@pytest.mark.parametrize("public", [False, True])
def test_only_authors_choose_a_tier_by_its_number(client, launch, public):
    """Some try every number and the others one, whichever it is: they are refused all alike."""
    Survey.objects.filter(pk=launch.survey_id).update(results_public=public)
    patient = {"superuser", "researcher"} if public else {"owner", "reader of 1 and 2"}
    for place, (visitor, (unseen, _seen)) in enumerate(VISITORS.items()):
        sign_in(client, launch, visitor)
        for number in (1, 2, 3) if visitor in patient else (1 + place % 3,):
            wanted = number if visitor in AUTHORS else 403
            if not public and unseen in (302, 404):
                wanted = unseen
            expected = dict.fromkeys(OFFERED, wanted)
            assert outcomes(client, launch, query=number) == expected, (visitor, number)


def test_what_is_no_tier_is_not_here(client, launch):
    client.force_login(launch.survey.owner)
    for query in ("0", "4", "-1", "1.0", "", "two", "٢", "1&tier=2", "01"):
        assert set(outcomes(client, launch, query=query).values()) == {404}, query
        answer = client.get(address(launch, "results-json", query))
        (error,) = answer.json()["errors"]
        assert error["field"] == "tier"
        assert error["code"] == "unknown_tier"
        assert "from 1 to 3" in error["message"]


def test_a_refusal_says_why_on_the_page_and_in_files(client, launch):
    reader = make_user("reader")
    read_by(launch, reader, 2)
    client.force_login(reader)
    assert (
        "Only the author of the survey chooses a tier"
        in fetch(client, address(launch, "results", 3)).text_read
    )
    (error,) = client.get(address(launch, "results-json", 3)).json()["errors"]
    assert (error["field"], error["code"]) == ("tier", "tier_refused")


def test_a_survey_without_tiers_has_none_to_choose(client):
    from tests.released import released

    rows = [{"q1": number % 2} for number in range(6)]
    launch = released(rows, slug="plain", results_public=True)
    assert fetch(client, address(launch, "results")).status_code == 200
    assert fetch(client, address(launch, "results", 1)).status_code == 404
    client.force_login(launch.survey.owner)
    answer = client.get(address(launch, "reports-csv", 1))
    assert answer.status_code == 404
    assert answer.json()["errors"][0]["message"] == "This survey has no tiers."


def test_readers_come_and_go_after_the_launch(client, launch):
    reader = make_user("reader")
    client.force_login(reader)
    url = address(launch, "results-json")
    assert fetch(client, url).status_code == 404
    read_by(launch, reader, 3)
    assert tier_of(launch, "results-json", fetch(client, url)) == 3
    launch.survey.tiers.get(name="Our own team").readers.clear()
    assert fetch(client, url).status_code == 404
    read_by(launch, reader, 1)
    assert tier_of(launch, "results-json", fetch(client, url)) == 1


@pytest.mark.parametrize("name", ["results-status", "results-figures"])
def test_no_tier_gets_the_copy_of_another(client, launch, name):
    """One browser, one address, two readers in turn: what was kept of one is never the other's."""
    # Even if all were stored in the same microsecond and nothing but the tier told them apart.
    Result.objects.update(computed_at=timezone.now(), digest="0" * 64)
    people = {}
    for number in (1, 2, 3):
        people[number] = make_user(f"reader{number}")
        read_by(launch, people[number], number)
    answers = {}
    for number, person in people.items():
        client.force_login(person)
        answers[number] = fetch(client, address(launch, name))
        assert "private" in answers[number]["Cache-Control"]
        assert "no-cache" in answers[number]["Cache-Control"]
    assert len({answer["ETag"] for answer in answers.values()}) == 3
    assert len({answer.text_read for answer in answers.values()}) == 3
    for number, person in people.items():
        client.force_login(person)
        for kept, answer in answers.items():
            asked_again = fetch(client, address(launch, name), **{"If-None-Match": answer["ETag"]})
            assert asked_again.status_code == (304 if kept == number else 200)
            if kept != number:
                assert asked_again.text_read == answers[number].text_read
        everything = ", ".join(answer["ETag"] for kept, answer in answers.items() if kept != number)
        asked_again = fetch(client, address(launch, name), **{"If-None-Match": everything})
        assert asked_again.status_code == 200


def test_the_page_says_which_tier_it_is_and_names_the_others(client, launch):
    reader = make_user("reader")
    read_by(launch, reader, 2)
    client.force_login(reader)
    html = fetch(client, address(launch, "results")).text_read
    assert "Tier 2 of 3: Partners" in html
    assert "The public, <strong>Partners</strong>, Our own team" in html
    assert "at most ε = 3.3 in all" in html
    assert "?tier=" not in html
    own, highest = (content_of(launch, step) for step in (1, 2))
    assert own["digest"] in html
    assert highest["digest"] not in html
    assert launch.digest in html


def test_the_author_s_page_stays_at_the_tier_that_was_chosen(client, launch):
    client.force_login(launch.survey.owner)
    html = fetch(client, address(launch, "results", 2)).text_read
    assert '<a href="?tier=2" aria-current="true">Partners</a>' in html
    assert '<a href="?tier=3">Our own team</a>' in html
    for name in OFFERED:
        if name not in ("results",):
            assert f'"{address(launch, name, 2)}"' in html, name
    highest = fetch(client, address(launch, "results")).text_read
    assert '<a href="?tier=3" aria-current="true">Our own team</a>' in highest
    assert f'"{address(launch, "reports-csv")}"' in highest


def test_the_summary_is_of_one_tier_and_offers_no_choice(client, launch):
    client.force_login(launch.survey.owner)
    text = fetch(client, address(launch, "summary-html", 2)).text_read
    assert "Tier 2 of 3: Partners" in text
    assert "?tier=" not in text


def test_a_reader_finds_the_survey_among_the_results(client, launch):
    reader = make_user("reader")
    read_by(launch, reader, 1, 2)
    client.force_login(reader)
    html = client.get(reverse("account")).content.decode()
    assert html.count(address(launch, "results")) == 1


def test_a_guess_for_another_survey_comes_from_the_author_s_own_tier(launch):
    """An author who reads a low tier must not take the shares of a higher one as a guess."""
    Survey.objects.filter(pk=launch.survey_id).update(state="closed")
    other = make_user("other", author=True)
    read_by(launch, other, 1)
    (own,) = [source for source in sources_for(other, 6) if source.key.endswith(":reason")]
    (whole,) = [
        source for source in sources_for(launch.survey.owner, 6) if source.key.endswith(":reason")
    ]
    assert own.shares != whole.shares
