"""Every rule that a service has, once on a page and once by a program, with the same data.

The rules are read from the code of the services (`tests.app.doors.rules`): a new one fails here
until it is walked, or until it is said why only one of the doors leads to it.
"""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.test import override_settings
from django.urls import reverse
from django.utils import timezone

from surveys.features.return_codes.changes import launchable_wave
from surveys.features.roster.changes import delete_names
from surveys.models import AnalysisFit, CoAuthor, Comment, DesignSearch, Launch, Survey
from surveys.parameters import digest_of, texts_by_path
from surveys.services.analysis_fits import MOST_EXPLORATORY
from surveys.services.co_authors import MOST_CO_AUTHORS
from surveys.services.comments import MOST_COMMENTS, add_comment
from surveys.services.transitions import close_survey
from surveys.services.webhooks import MOST_WEBHOOKS, make_webhook
from surveys.throttle import throttle
from tests import rosters
from tests.app.calling import Program
from tests.app.doors import door_of, rules
from tests.app.pilots import pilot_launch
from tests.app.search_cases import made
from tests.app.test_admin_search import CHOICE, SETTINGS
from tests.builders import launched, make_survey, make_user, owner, shared
from tests.released import QUESTIONS, released, varied
from tests.tiers import tiered
from tests.translations import HEBREW, launched_in
from tests.waves import coded_launch

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.slow]
# What a page says, and what a program is told.
Told = tuple[str, str]
WALKED: dict[str, Callable[[], Told]] = {}
DIGEST = "sha256:" + "0" * 64

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


def walks(*sentences: str) -> Callable[[Callable[[], Told]], Callable[[], Told]]:
    """Note that a function is refused with these sentences, on a page and as a program."""

    def decorate(walk: Callable[[], Told]) -> Callable[[], Told]:
        WALKED.update(dict.fromkeys(sentences, walk))
        return walk

    return decorate


def is_said(sentence: str, text: str) -> bool:
    """Whether a text has a sentence, with whatever it names."""
    parts = re.split(r"%\(\w+\)s|%s|%d|%\(\w+\)d", sentence)
    return re.search(".+?".join(map(re.escape, parts)), text, re.DOTALL) is not None


def both(user: Any, survey: Survey, page: tuple[Any, ...], request: tuple[Any, ...]) -> Told:
    """The page and the request of one refusal, as somebody's."""
    door = door_of(user)
    name, parts, posted = page
    _status, said = door.page(name, survey, *parts, **posted)
    status, detail = door.call(*request[:2], survey, *request[2:])
    assert status in (403, 409, 422, 429), (status, detail)
    return said, detail


# --- people ---------------------------------------------------------------------------------------


def _added(person: str, survey: Survey) -> Told:
    order = {"person": person, "role": "read"}
    return both(survey.owner, survey, ("survey_people", (), order), ("POST", "co-authors", order))


@walks("Nobody is found. Type the whole user name, mail address, or first and last name.")
def unknown_person() -> Told:
    return _added("nobody of this name", make_survey())


@walks("Several people have this name. Type a user name instead.")
def two_people() -> Told:
    for number in range(2):
        person = make_user(f"twin-{number}")
        person.first_name, person.last_name = "Kim", "Berg"
        person.save()
    return _added("Kim Berg", make_survey())


@walks("%s owns the survey.")
def the_owner() -> Told:
    return _added("owner", make_survey())


@walks("%s is a co-author already.")
def twice() -> Told:
    survey = make_survey()
    return _added(shared(survey, "read").get_username(), survey)


@walks("There are %s co-authors already. Remove one first.")
def too_many_people() -> Told:
    survey = make_survey()
    people = [make_user(f"person-{number}") for number in range(MOST_CO_AUTHORS + 1)]
    CoAuthor.objects.bulk_create(
        CoAuthor(survey=survey, user=person, role="read") for person in people[1:]
    )
    return _added(people[0].get_username(), survey)


@walks("This person is no co-author any more.")
def gone_person() -> Told:
    survey = make_survey()
    page = ("survey_people", (), {"co_author": "999999", "role": "edit", "change": "yes"})
    return both(survey.owner, survey, page, ("PUT", "co-authors/999999", {"role": "edit"}))


@walks("There are %s comments already.")
def too_many_comments() -> Told:
    survey = make_survey()
    Comment.objects.bulk_create(
        Comment(survey=survey, author=survey.owner, text="a") for _number in range(MOST_COMMENTS)
    )
    page = ("survey_comments", (), {"add": "yes", "comment--text": "one more"})
    return both(survey.owner, survey, page, ("POST", "comments", {"text": "one more"}))


@walks("The question has been removed meanwhile. Comment on the survey instead.")
def gone_question() -> Told:
    survey = make_survey()
    page = ("survey_comments", (), {"add": "yes", "question": "999999", "comment-999999-text": "a"})
    return both(
        survey.owner, survey, page, ("POST", "comments", {"text": "a", "question": "nothing"})
    )


@walks("The comment has been removed meanwhile.")
def gone_comment() -> Told:
    survey = make_survey()
    page = ("survey_comments", (), {"resolve": "999999"})
    return both(survey.owner, survey, page, ("POST", "comments/999999/resolve"))


@walks("Only who wrote a comment can remove it.")
def comment_of_another() -> Told:
    survey = make_survey()
    other = shared(survey, "comment")
    comment = add_comment(survey=survey, question_id=None, author=other, text="mine")
    page = ("survey_comments", (), {"remove": comment.pk})
    return both(survey.owner, survey, page, ("DELETE", f"comments/{comment.pk}"))


# --- launch, close, reopen, waves, pilots ---------------------------------------------------------


@walks("The survey was edited after you opened this page. Read it again, then launch.")
def unread() -> Told:
    survey, order = make_survey(), {"digest": DIGEST}
    return both(survey.owner, survey, ("survey_launch", (), order), ("POST", "launch", order))


@walks("The survey has changed meanwhile. Reload the page.")
def closed_twice() -> Told:
    launch = launched()
    close_survey(survey=launch.survey, actor=None)
    survey = Survey.objects.get()
    return both(survey.owner, survey, ("survey_close", (), {}), ("POST", "close"))


WAVE = {"epsilon_drug": "2", "epsilon_absence": "0.5"}


@walks("Only a launched survey with return codes has a next wave.")
def no_waves() -> Told:
    survey = launched().survey
    order = {"epsilons": {"drug": "2"}, "digest": DIGEST}
    page = ("survey_next_wave", (), {**WAVE, "digest": DIGEST})
    return both(survey.owner, survey, page, ("POST", "waves", order))


@walks("What would freeze has changed since. Look at it again, then launch.")
def unread_wave() -> Told:
    survey = coded_launch().survey
    order = {"epsilons": {"drug": "2"}, "digest": DIGEST}
    page = ("survey_next_wave", (), {**WAVE, "digest": DIGEST})
    return both(survey.owner, survey, page, ("POST", "waves", order))


@walks("No question would be asked more exactly than before.")
def same_wave() -> Told:
    survey = coded_launch().survey
    same = {"epsilon_drug": "1", "epsilon_absence": "0.5"}
    door = door_of(survey.owner)
    _status, said = door.page("survey_next_wave", survey, **same)
    checks = door.program.post(f"surveys/{survey.pk}/waves/checks", {"epsilons": {"drug": "1"}})
    assert not checks.json()["ready"]
    return said, checks.json()["problems"][0]


@walks("The closing time has passed. Set a later one, or none, first.")
def late_wave() -> Told:
    launch = coded_launch()
    close_survey(survey=launch.survey, actor=None)
    Survey.objects.update(closes_at=timezone.now() - timedelta(days=1))
    survey = Survey.objects.get()
    digest = digest_of(launchable_wave(launch=launch, epsilons={"drug": Decimal(2)}))
    order = {"epsilons": {"drug": "2"}, "digest": digest}
    page = ("survey_next_wave", (), {**WAVE, "digest": digest})
    return both(survey.owner, survey, page, ("POST", "waves", order))


@walks("Only a launched pilot has pairs to estimate from.")
def no_pilot() -> Told:
    survey = launched().survey
    return both(survey.owner, survey, ("survey_clusters_start", (), {}), ("POST", "dependence"))


@walks("An estimate is under way. Wait for it, or stop it first.")
def estimate_under_way() -> Told:
    survey = pilot_launch().survey
    door = door_of(survey.owner)
    assert door.program.post(f"surveys/{survey.pk}/dependence").status_code == 201
    return both(survey.owner, survey, ("survey_clusters_start", (), {}), ("POST", "dependence"))


# --- members and texts ----------------------------------------------------------------------------


@walks("The survey is launched, so its roster can no longer change.")
def frozen_roster() -> Told:
    survey = rosters.rostered()
    page = ("survey_roster_remove", (), {})
    return both(survey.owner, survey, page, ("PUT", "members", {"members": []}))


@walks("Names can be deleted once the survey is closed.")
def open_names() -> Told:
    survey = rosters.rostered()
    return both(survey.owner, survey, ("survey_roster_names", (), {}), ("DELETE", "members/names"))


@walks("This survey has no names to delete.")
def deleted_names() -> Told:
    survey = rosters.rostered()
    rosters.shut(survey)
    delete_names(survey=Survey.objects.get(), actor=survey.owner)
    survey = Survey.objects.get()
    return both(survey.owner, survey, ("survey_roster_names", (), {}), ("DELETE", "members/names"))


@walks("Only an open survey with personal links can have new ones.")
def closed_links() -> Told:
    survey = rosters.rostered()
    rosters.shut(survey)
    survey = Survey.objects.get()
    return both(survey.owner, survey, ("survey_links_make", (), {}), ("POST", "links", {}))


def _published(**changes: str) -> Told:
    """A language of a launched survey with these changes of its texts; in a path, __ for a dot."""
    return _published_of(launched(questions=[CHOICE]), changes)


def _published_of(launch: Launch, changes: dict[str, str]) -> Told:
    sources = texts_by_path(launch.parameters)
    texts = {path: f"{source}!" for path, source in sources.items()}
    texts |= {path.replace("__", "."): text for path, text in changes.items()}
    order = [{"path": path, "source": sources[path], "text": text} for path, text in texts.items()]
    page = ("survey_language", (HEBREW,), texts)
    request = ("PUT", f"languages/{HEBREW}", {"texts": order})
    return both(launch.survey.owner, launch.survey, page, request)


@walks("Not published: these texts are missing or stale: %s.")
def missing_text() -> Told:
    return _published(questions__q1__text="")


@walks("Not published: two answers of a question read the same: %s.")
def equal_answers() -> Told:
    return _published(questions__q1__categories__0="Same", questions__q1__categories__1="Same")


@walks("Not published: a spreadsheet would compute something from a text: %s.")
def formula() -> Told:
    return _published(questions__q1__categories__0="=1+1")


@walks("This language is published already, and stays as it is.")
def published_twice() -> Told:
    return _published_of(launched_in(HEBREW, questions=[CHOICE]), {})


# --- searches -------------------------------------------------------------------------------------


def _question(**values: Any) -> Any:
    return make_survey(questions=[{**CHOICE, **values}]).questions.get()


def _searched(question: Any) -> Told:
    path = f"questions/{question.name}/searches"
    page = ("survey_workbench", (question.pk,), SETTINGS)
    return both(question.survey.owner, question.survey, page, ("POST", path, {}))


@walks("A search for this question is under way. Stop it first.")
def search_under_way() -> Told:
    question = _question()
    made(question, state="queued", content={})
    return _searched(question)


@walks(
    "The survey has been launched: its devices are frozen. Earlier searches can be read; to search "
    "anew, clone the survey."
)
def search_of_a_launched_survey() -> Told:
    return _searched(launched(questions=[CHOICE]).survey.questions.get())


@walks("A design is searched for one answer; here any number may be ticked.")
def search_of_several() -> Told:
    return _searched(_question(kind="multiple_choice"))


@walks("This question is asked directly. Mark it as sensitive first.")
def search_of_a_direct_question() -> Told:
    return _searched(_question(randomized=False))


@walks(
    "This question is sent together with others, and the group has one device for all of them. Ask "
    "it on its own first."
)
def search_of_a_group() -> Told:
    survey = make_survey(questions=[{**CHOICE, "group": 1}, {**CHOICE, "group": 1}])
    return _searched(survey.questions.first())


@walks("A search takes 2 to %(most)s answers; this question has %(count)s.")
def search_of_many_answers() -> Told:
    return _searched(_question(options=[f"Answer {number}" for number in range(13)]))


def _of_search(search: DesignSearch, act: str, body: Any = None, **posted: Any) -> Told:
    question = search.question
    path = f"questions/{question.name}/searches/{search.pk}"
    request = ("DELETE", path) if act == "delete" else ("POST", f"{path}/{act}", body)
    page = (f"survey_search_{act}", (question.pk, search.pk), posted)
    return both(question.survey.owner, question.survey, page, request)


@walks("This search is not finished. Stop it first.")
def deleted_search() -> Told:
    return _of_search(made(_question(), state="queued", content={}), "delete")


def _adopted(search: DesignSearch) -> Told:
    order = {"method": "certified", "index": 0}
    return _of_search(search, "adopt", order, point="certified:0")


@walks("Wait until the search has ended, or stop it.")
def adopted_early() -> Told:
    return _adopted(made(_question(), state="queued"))


@walks("The survey has been launched: its devices are frozen.")
def adopted_late() -> Told:
    search = made(_question())
    Survey.objects.update(state=Survey.State.OPEN)
    return _adopted(DesignSearch.objects.get(pk=search.pk))


@walks("The question is sent together with others. Take it out first.")
def adopted_in_a_group() -> Told:
    survey = make_survey(questions=[{**CHOICE, "group": 1}, {**CHOICE, "group": 1}])
    return _adopted(made(survey.questions.first()))


@walks("The question has %(now)s answers now, the search was for %(then)s. Search again.")
def adopted_for_other_answers() -> Told:
    return _adopted(made(_question(options=["A", "B", "C"])))


# --- results --------------------------------------------------------------------------------------


@walks("Nothing is shown before a response is in the results.")
def nothing_released() -> Told:
    launch = launched(release_threshold=1, release_batch=1)
    door = door_of(launch.survey.owner)
    page = door.browser.get(f"/s/{launch.survey.slug}/results/results.json")
    status, detail = door.call("GET", "results", launch.survey)
    assert status == 403
    return page.json()["errors"][0]["message"], detail


@walks("A survey keeps at most %(most)s analyses. Delete one first.")
def too_many_analyses() -> Told:
    launch = released(varied(40), questions=QUESTIONS, linkage="together")
    facts = {"outcome": "drug", "name": "Mine", "event": [1], "link": "logit", "weighted": False}
    facts["predictors"] = [{"question": "absence", "scored": False}]
    AnalysisFit.objects.bulk_create(
        AnalysisFit(launch=launch, number=place + 1, specification=facts, key=str(place))
        for place in range(MOST_EXPLORATORY)
    )
    door = door_of(launch.survey.owner)
    address = reverse("results-analyses", args=[launch.survey.slug]) + "?outcome=drug"
    posted = {"name": "Mine", "event": ["1"], "link": "logit", "predictor_absence": "categories"}
    _status, said = door.post(address, posted)
    status, detail = door.call("POST", "analyses", launch.survey, facts)
    assert status == 409, detail
    return said, detail


@walks("Only the author of the survey chooses a tier. Leave “tier” out of the address.")
def tier_of_others() -> Told:
    survey = tiered().survey
    Survey.objects.update(results_public=True)
    door = door_of(make_user("reader", author=True))
    page = door.browser.get(f"/s/{survey.slug}/results/results.json?tier=1")
    status, detail = door.call("GET", "results?tier=1", survey)
    assert status == 403
    return page.json()["errors"][0]["message"], detail


# --- webhooks -------------------------------------------------------------------------------------


def _hook(**changes: Any) -> Told:
    order = {"url": "https://example.org/hook", "events": ["survey.closed"], **changes}
    door = door_of(owner())
    _status, said = door.post(reverse("admin:survey_webhooks"), order)
    answer = door.program.post("webhooks", order)
    assert answer.status_code in (409, 422)
    return said, answer.json()["detail"]


@walks("There are %s webhooks already. Delete one first.")
def too_many_webhooks() -> Told:
    for _number in range(MOST_WEBHOOKS):
        make_webhook(
            user=owner(), url="https://example.org/", events=["survey.closed"], survey=None
        )
    return _hook()


@walks("This is no address of a program, such as https://example.org/hook.")
def no_address() -> Told:
    return _hook(url="https://example.org:0/")


@walks("Messages go to https addresses only.")
def no_https() -> Told:
    return _hook(url="http://example.org/")


@walks("Messages go to addresses on the internet only.")
def private_address() -> Told:
    return _hook(url="https://2130706433/")


# --- throttles ------------------------------------------------------------------------------------


@walks("That was a lot of searching. Wait a moment.")
@override_settings(PEOPLE_RATE="2/day")
def too_much_searching() -> Told:
    """Both doors count for one account: who has searched on a page has less left as a program."""
    survey = make_survey()
    door, order = door_of(survey.owner), {"person": "nobody of this name", "role": "read"}
    path = f"surveys/{survey.pk}/co-authors"
    door.page("survey_people", survey, **order)
    assert door.program.post(path, order).status_code == 409
    _status, said = door.page("survey_people", survey, **order)
    refused = door.program.post(path, order)
    assert refused.status_code == 429
    assert int(refused["Retry-After"]) > 0
    reader = door.program.post(f"surveys/{survey.pk}/readers", {"person": "nobody"})
    assert (reader.status_code, reader.json()["detail"]) == (429, refused.json()["detail"])
    return said, refused.json()["detail"]


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
