"""Every rule that a service has, once on a page and once by a program, with the same data.

The rules are read from the code of the services (`tests.app.doors.rules`): a new one fails here
until it is walked, or until it is said why only one of the doors leads to it.
"""

from collections.abc import Iterator

import pytest
from django.urls import reverse

from surveys.throttle import throttle
from tests.app import walks_of_results, walks_of_surveys
from tests.app.calling import Program
from tests.app.doors import door_of, rules
from tests.app.walked import WALKED, is_said
from tests.builders import owner

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.slow]
# Where what is walked stands.
WALKS = (walks_of_surveys, walks_of_results)

_OF_A_PAGE = {
    "the proposal of a wish for precision": ("services/advice:",),
    "tokens are made on a page only, since a token must not make others": ("services/api_tokens:",),
    "the candidates of a short text": ("services/candidates:",),
    "links for review": ("services/review_links:",),
    "an earlier version of a draft; programs replace it by the definition of that": (
        "services/revisions:bring_back",
    ),
    "single questions and settings; programs replace the whole definition": (
        *("services/editing:", "services/launches:parameters_of_some", "features/tables/"),
        *("features/analyses/", "features/arms/", "features/control_items/"),
        "features/sections/",
    ),
}
_OF_PROGRAMS = {
    "the form of a survey sets all readers at once": ("services/readers:",),
    "two people who save one draft on pages are brought together field by field": (
        "services/revisions:replace_definition",
    ),
}
# Sentences that neither door comes to by itself.
_BEHIND = {
    "A declared analysis cannot be deleted.": "`may_delete` says no first, at both doors",
    "A survey cannot go from “%s” to “%s”.": "a page and a program name steps that there are",
    "The question has been deleted.": "between two requests at once",
    "This table cannot be made exact: %s": "of tables that no search of this version finds",
    "This table cannot be launched: its “%(field)s” breaks a rule (%(rule)s).": (
        "of tables that no search of this version finds"
    ),
    "A question of this kind has no searched device. Choose another kind first.": (
        "of kinds whose pages of searches are not there, at both doors"
    ),
    "Choose some of: %s.": "the page has a box for each event, and no other",
    "Only a launched pilot has a main survey.": "no other survey has an estimate to make one of",
}


@pytest.fixture(autouse=True)
def limits_of_their_own() -> Iterator[None]:
    throttle.cache_clear()
    yield
    throttle.cache_clear()


# --- limits of tries ------------------------------------------------------------------------------


def test_guesses_of_a_password_and_of_a_token_are_limited(settings, client):
    settings.LOGIN_RATE, settings.API_REFUSED_RATE = "3/day", "3/day"
    settings.THROTTLE_EXEMPT = []
    guesses = [
        client.post(reverse("login"), {"username": "owner", "password": "wrong"})
        for _number in range(4)
    ]
    program = Program()
    program.secret = "candor_" + "a" * 43
    refused = [program.get("token") for _number in range(4)]
    assert [each.status_code for each in refused] == [401, 401, 401, 429]
    assert [each.status_code for each in guesses][-1] == 429
    assert 429 not in [each.status_code for each in guesses][:-1]
    assert int(refused[-1]["Retry-After"]) > 0 < int(guesses[-1]["Retry-After"])


def test_what_a_program_sends_is_counted_beside_its_limit_for_all_its_tokens_requests(settings):
    settings.API_RATE = "3/day"
    program = door_of(owner()).program
    assert [program.get("token").status_code for _number in range(4)] == [200, 200, 200, 429]
    other = Program(owner())
    assert other.get("token").status_code == 200


# --- all of them ----------------------------------------------------------------------------------


@pytest.mark.parametrize("sentence", sorted(WALKED))
def test_what_is_refused_at_one_door_is_refused_at_the_other_in_the_same_words(sentence):
    said, detail = WALKED[sentence]()
    assert is_said(sentence, said)
    assert is_said(sentence, detail)
    assert detail in said


def test_every_rule_of_a_service_is_walked_or_belongs_to_one_door():
    assert {walk.__module__ for walk in WALKED.values()} == {each.__name__ for each in WALKS}
    found = rules()
    assert len(found) > 60
    one_door = tuple(
        place
        for reasons in (_OF_A_PAGE, _OF_PROGRAMS)
        for each in reasons.values()
        for place in each
    )
    alone = {sentence for sentence, place in found.items() if place.startswith(one_door)}
    assert found.keys() - alone - WALKED.keys() - _BEHIND.keys() == set()
    # No reason outlives its rule, and none is given for what is walked all the same.
    assert (WALKED.keys() | _BEHIND.keys()) - found.keys() == set()
    assert not WALKED.keys() & _BEHIND.keys()
    assert not alone & (WALKED.keys() | _BEHIND.keys())
    assert [each for each in one_door if not any(p.startswith(each) for p in found.values())] == []
