"""Access to every route of the resolver, by every role, in every state of a survey.

A route that is not on the list below fails the test until somebody has thought about it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from http.cookies import SimpleCookie
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.db import transaction
from django.test import Client
from django.urls import URLResolver, get_resolver, reverse

from surveys.features.privacy_notice.models import SiteNotice
from surveys.models import CoAuthor, DesignSearch, ReviewLink, Survey
from surveys.services.editing import remove_question
from surveys.services.keyed_hashes import keyed_hashes
from surveys.services.launches import launch_survey
from surveys.services.revisions import note_revision
from surveys.services.transitions import close_survey
from tests.app.searching import REQUEST
from tests.builders import make_question, make_survey, make_user
from tests.thorough import THOROUGH

TITLE = "Nobody else reads this title"
STATES = ("draft", "open", "closed")
LAUNCHED = ("open", "closed")

# Co-authors of the survey, each with the role of that name, who have the rights of authors.
CO_AUTHORS = frozenset({"edit", "comment", "read"})
EVERYBODY = CO_AUTHORS | {
    *("anonymous", "member", "clerk", "author", "colleague", "researcher", "superuser")
}
SIGNED_IN = EVERYBODY - {"anonymous"}
STAFF = CO_AUTHORS | {"clerk", "author", "colleague", "superuser"}
AUTHORS = CO_AUTHORS | {"author", "colleague", "superuser"}
OWN = frozenset({"author", "superuser"})
EDITORS = OWN | {"edit"}
SEES_TEXTS = OWN | CO_AUTHORS
READERS = EDITORS | {"researcher"}
ROOT = frozenset({"superuser"})
# Who may not open a page of the admin is told so before the survey is looked at: in a draft all of
# them ask, of a launched survey those who differ in what they are to it.
ASK_ADMIN_AFTER_LAUNCH = frozenset({"author", "edit", "comment", "read", "colleague", "researcher"})


@dataclass(frozen=True)
class Rule:
    """The roles that pass, why, and in which states of the survey; everybody else is refused.

    `tells_drafts`: whether they may read a draft, too. `get_only`: who of them may not post.
    """

    roles: frozenset[str]
    reason: str
    states: tuple[str, ...] = STATES
    tells_drafts: bool = False
    get_only: frozenset[str] = frozenset()


FRONT = Rule(EVERYBODY, "says what the site is, or signs in and out; names no survey")
FORM = Rule(EVERYBODY, "the respondents' form, for whoever has its address", LAUNCHED)
RESULTS = Rule(READERS, "results for the author and those whom the author names", LAUNCHED)
DESK = Rule(STAFF, "the admin's frame for any staff account; names no survey of others")
COMPOSE = Rule(AUTHORS, "composing needs the group of authors; lists one's own")
OWN_TOKENS = Rule(AUTHORS, "tokens and webhooks of one's own, which name no survey of others")
PAGE = Rule(EDITORS, "a page about one survey, for its author and who edits it with them")
OWNERS = Rule(OWN, "what no co-author may do")
READ = Rule(SEES_TEXTS, "what a survey asks, for all co-authors", get_only=SEES_TEXTS)
COMMENTS = Rule(SEES_TEXTS, "comments, which not all may write", get_only=frozenset({"read"}))
PEOPLE = Rule(SEES_TEXTS, "the co-authors, whom the owner chooses", get_only=CO_AUTHORS)
LEADS_ON = Rule(STAFF, "only adds change/ to any number, there or not; that page refuses")
ACCOUNTS = Rule(ROOT, "accounts and groups are the superuser's")
ABOUT_THE_SITE = Rule(ROOT, "what the site says about itself, unless somebody is given permission")
# Every table, and why a survey that nobody has answered has none.
NOTHING = "nothing has been released"
TABLES = {
    "arms": "everybody is asked alike",
    "chances": "",
    "codebook": "",
    "combinations": "no questions are sent together",
    "estimates": NOTHING,
    "free_texts": "nobody is asked for a text",
    "questions": "",
    "reports": NOTHING,
    "synthetic": NOTHING,
    "weighted": "nothing is weighted",
}
ENDINGS = (
    *("csv", "semicolon.csv", "semicolon-comma.csv", "bom.csv", "semicolon-bom.csv"),
    *("semicolon-comma-bom.csv", "codebook.json", "xlsx", "sav", "dta", "rds", "R", "parquet"),
)
FILES_OF_TABLES = {
    f"s/<slug:slug>/results/{table}.{ending}": why
    for table, why in TABLES.items()
    for ending in ENDINGS
}
# All are one view, behind one rule: each table and each ending is asked for, or every pair.
ASKED_FILES = {
    f"s/<slug:slug>/results/{table}.{ending}"
    for row, table in enumerate(TABLES)
    for column, ending in enumerate(ENDINGS)
    if THOROUGH or column % len(TABLES) == row
}
# What Django's own pages are for, by model.
OF_DJANGO = {"auth/group": ACCOUNTS, "auth/user": ACCOUNTS, "surveys/sitenotice": ABOUT_THE_SITE}
# What has nothing of any survey is asked for in one of its states.
OF_THE_SITE = (FRONT, DESK, OWN_TOKENS, ACCOUNTS, ABOUT_THE_SITE)

SURVEY = "admin/surveys/survey/<path:object_id>/"
QUESTION = f"{SURVEY}questions/<int:question_id>/"
SEARCH = f"{SURVEY}workbench/<int:question_id>/<int:search_id>/"
ANALYSIS = "s/<slug:slug>/results/analyses/<int:number>"
RULES = {
    "": FRONT,
    "healthz": FRONT,
    "livez": FRONT,
    "readyz": FRONT,
    "check/": FRONT,
    "review/<str:secret>/": Rule(
        EVERYBODY, "what a survey asks, for whoever has a link for review", tells_drafts=True
    ),
    "jsi18n/<str:language>/": FRONT,
    "api/v1/": FRONT,
    "api/v1/<whole:path>": Rule(frozenset(), "takes tokens and no cookie: test_api_routes.py"),
    "account/": Rule(SIGNED_IN, "one's own list of results"),
    "account/login/": FRONT,
    "account/logout/": FRONT,
    "s/<slug:slug>/": FORM,
    "s/<slug:slug>/physical/": FORM,
    "s/<slug:slug>/parameters.json": FORM,
    "s/<slug:slug>/waves/<int:wave>/parameters.json": FORM,
    "s/<slug:slug>/responses/": FORM,
    "s/<slug:slug>/return/": FORM,
    "s/<slug:slug>/person/": FORM,
    "s/<slug:slug>/arm/": FORM,
    "s/<slug:slug>/quotas.json": FORM,
    "s/<slug:slug>/results/": RESULTS,
    **dict.fromkeys(FILES_OF_TABLES, RESULTS),
    "s/<slug:slug>/results/status.json": RESULTS,
    "s/<slug:slug>/results/figures.json": RESULTS,
    "s/<slug:slug>/results/results.json": RESULTS,
    "s/<slug:slug>/results/parameters.json": RESULTS,
    "s/<slug:slug>/results/certificate.json": RESULTS,
    "s/<slug:slug>/results/crowd/": RESULTS,
    "s/<slug:slug>/results/weights/again/": RESULTS,
    "s/<slug:slug>/results/analyses/": RESULTS,
    f"{ANALYSIS}/": RESULTS,
    **{f"{ANALYSIS}/analysis.{ending}": RESULTS for ending in ("csv", "tex", "json", "py")},
    f"{ANALYSIS}/again/": RESULTS,
    f"{ANALYSIS}/delete/": Rule(
        READERS, "an analysis asked for, by its asker or the author", LAUNCHED
    ),
    "s/<slug:slug>/results/bundle.zip": RESULTS,
    "s/<slug:slug>/results/summary.html": RESULTS,
    "s/<slug:slug>/results/summary.pdf": RESULTS,
    "s/<slug:slug>/results/files/<str:name>/": RESULTS,
    "s/<slug:slug>/results/files/<str:name>/again/": RESULTS,
    "admin/": DESK,
    "admin/login/": Rule(SIGNED_IN, "leads on to the desk, or to one's own account"),
    "admin/logout/": DESK,
    "admin/password_change/": DESK,
    "admin/password_change/done/": DESK,
    "admin/jsi18n/": DESK,
    "admin/autocomplete/": COMPOSE,
    "admin/^(?P<app_label>surveys|auth)/$": COMPOSE,
    "admin/(?P<url>.*)$": Rule(frozenset(), "whatever the admin does not know"),
    "admin/surveys/survey/": COMPOSE,
    "admin/surveys/survey/add/": COMPOSE,
    "admin/surveys/survey/import/": COMPOSE,
    "admin/surveys/survey/start/": COMPOSE,
    "admin/surveys/survey/start/<slug:name>/": COMPOSE,
    "admin/surveys/survey/tokens/": OWN_TOKENS,
    "admin/surveys/survey/tokens/<int:token_id>/revoke/": OWN_TOKENS,
    "admin/surveys/survey/webhooks/": OWN_TOKENS,
    "admin/surveys/survey/webhooks/<int:webhook_id>/delete/": OWN_TOKENS,
    "admin/surveys/survey/webhooks/<int:webhook_id>/enable/": OWN_TOKENS,
    SURVEY: LEADS_ON,
    f"{SURVEY}change/": PAGE,
    f"{SURVEY}history/": PAGE,
    f"{SURVEY}history/<int:revision_id>/": PAGE,
    f"{SURVEY}definition.json": PAGE,
    f"{SURVEY}delete/": OWNERS,
    f"{SURVEY}preview/": PAGE,
    f"{SURVEY}advice/": PAGE,
    f"{SURVEY}settings/": PAGE,
    f"{SURVEY}settings/choose/": PAGE,
    f"{SURVEY}add/": PAGE,
    f"{SURVEY}questions/": PAGE,
    f"{SURVEY}questions/add/": PAGE,
    f"{SURVEY}questions/put-back/<int:removed_id>/": PAGE,
    QUESTION: PAGE,
    f"{QUESTION}preview/": Rule(EDITORS, "a question as it is typed, for its authors", ("draft",)),
    f"{QUESTION}duplicate/": PAGE,
    f"{QUESTION}move/": PAGE,
    f"{QUESTION}remove/": PAGE,
    f"{QUESTION}choose/": PAGE,
    f"{SURVEY}languages/": PAGE,
    f"{SURVEY}languages/<slug:language>/": PAGE,
    f"{SURVEY}languages/<slug:language>/read/": PAGE,
    f"{SURVEY}languages/<slug:language>/remove/": PAGE,
    f"{SURVEY}languages/<slug:language>/texts.<slug:ending>": PAGE,
    f"{SURVEY}quotas/": PAGE,
    f"{SURVEY}tables/": PAGE,
    f"{SURVEY}tables/remove/": PAGE,
    f"{SURVEY}groups/": PAGE,
    f"{SURVEY}groups/end/": PAGE,
    f"{SURVEY}sections/<int:question_id>/": PAGE,
    f"{SURVEY}batteries/": PAGE,
    f"{SURVEY}batteries/<int:number>/": PAGE,
    f"{SURVEY}readers/": PAGE,
    f"{SURVEY}test-fill/": PAGE,
    f"{SURVEY}launch/": PAGE,
    f"{SURVEY}share/": PAGE,
    f"{SURVEY}share/qr.svg": PAGE,
    f"{SURVEY}close/": PAGE,
    f"{SURVEY}reopen/": PAGE,
    f"{SURVEY}next-wave/": PAGE,
    f"{SURVEY}candidates/": PAGE,
    f"{SURVEY}candidates/<slug:question>/": PAGE,
    f"{SURVEY}control-item/": PAGE,
    f"{SURVEY}arms/": PAGE,
    f"{SURVEY}arms/split-sample/": PAGE,
    f"{SURVEY}arms/split-sample/remove/": PAGE,
    f"{SURVEY}arms/asked-directly/": PAGE,
    f"{SURVEY}arms/asked-directly/remove/": PAGE,
    f"{SURVEY}analyses/": PAGE,
    f"{SURVEY}analyses/new/": PAGE,
    f"{SURVEY}analyses/remove/": PAGE,
    f"{SURVEY}analyses/margin/": PAGE,
    f"{SURVEY}analyses/margin/remove/": PAGE,
    f"{SURVEY}analyses/margins.csv": PAGE,
    f"{SURVEY}roster/": PAGE,
    f"{SURVEY}roster/remove/": PAGE,
    f"{SURVEY}roster/template.csv": PAGE,
    f"{SURVEY}roster/delete-names/": PAGE,
    f"{SURVEY}personal-links/": PAGE,
    f"{SURVEY}personal-links/make/": PAGE,
    f"{SURVEY}personal-links/<int:place>/new/": PAGE,
    f"{SURVEY}personal-links/<int:place>/revoke/": PAGE,
    f"{SURVEY}people/": PEOPLE,
    f"{SURVEY}comments/": COMMENTS,
    f"{SURVEY}read/": READ,
    f"{SURVEY}clone/": PAGE,
    f"{SURVEY}archive/": PAGE,
    f"{SURVEY}review/": PAGE,
    f"{SURVEY}review/<int:link_id>/revoke/": PAGE,
    f"{SURVEY}clusters/": PAGE,
    f"{SURVEY}clusters/start/": PAGE,
    f"{SURVEY}clusters/<int:run_id>/status.json": PAGE,
    f"{SURVEY}clusters/<int:run_id>/stop/": PAGE,
    f"{SURVEY}clusters/main-survey/": PAGE,
    f"{SURVEY}compare/<int:question_id>/": PAGE,
    f"{SURVEY}workbench/<int:question_id>/": PAGE,
    SEARCH: PAGE,
    f"{SEARCH}status.json": PAGE,
    f"{SEARCH}point.json": PAGE,
    f"{SEARCH}stop/": PAGE,
    f"{SEARCH}delete/": PAGE,
    f"{SEARCH}adopt/": PAGE,
    f"{SEARCH}search.json": PAGE,
    f"{SEARCH}search.csv": PAGE,
    "admin/auth/user/<id>/password/": ACCOUNTS,
    **{
        f"admin/{model}/{tail}": rule
        for model, rule in OF_DJANGO.items()
        for tail in (
            "",
            "add/",
            "<path:object_id>/change/",
            "<path:object_id>/history/",
            "<path:object_id>/delete/",
        )
    },
    **{f"admin/{model}/<path:object_id>/": LEADS_ON for model in OF_DJANGO},
}
# The secret of a link for review.
REVIEWED = "a" * 32
# Listed, and yet nobody passes with what the test sends: each for a reason of its own.
EMPTY_HANDED = {
    "s/<slug:slug>/responses/": "takes JSON and nothing else",
    "s/<slug:slug>/return/": "takes JSON and nothing else",
    "s/<slug:slug>/person/": "takes JSON and nothing else",
    "s/<slug:slug>/arm/": "takes JSON and nothing else",
    "s/<slug:slug>/quotas.json": "the survey has no quotas",
    "s/<slug:slug>/physical/": "offered where the survey has physical randomizers",
    **{address: why for address, why in FILES_OF_TABLES.items() if why},
    "s/<slug:slug>/results/figures.json": "nothing has been released",
    "s/<slug:slug>/results/results.json": "nothing has been released",
    "s/<slug:slug>/results/bundle.zip": "nothing has been released",
    "s/<slug:slug>/results/summary.html": "nothing has been released",
    "s/<slug:slug>/results/summary.pdf": "nothing has been released",
    "s/<slug:slug>/results/weights/again/": "nothing is weighted",
    "s/<slug:slug>/results/certificate.json": "no device of the survey has a certificate",
    f"{ANALYSIS}/": "no analysis was declared or asked for",
    **{
        f"{ANALYSIS}/analysis.{ending}": "no analysis was declared or asked for"
        for ending in ("csv", "tex", "json", "py")
    },
    f"{ANALYSIS}/again/": "no analysis was declared or asked for",
    f"{ANALYSIS}/delete/": "no analysis was declared or asked for",
    f"{SURVEY}clusters/main-survey/": "the survey is no pilot",
    "admin/surveys/survey/tokens/<int:token_id>/revoke/": "the token is another's",
    "admin/surveys/survey/webhooks/<int:webhook_id>/delete/": "the webhook is another's",
    "admin/surveys/survey/webhooks/<int:webhook_id>/enable/": "the webhook is another's",
    f"{SURVEY}questions/add/": "takes the kind of a question",
    f"{SURVEY}clusters/<int:run_id>/status.json": "nothing was estimated",
    f"{SURVEY}clusters/<int:run_id>/stop/": "nothing was estimated",
    f"{SEARCH}point.json": "the search has found nothing",
    f"{SEARCH}search.json": "the search has found nothing",
    f"{SEARCH}search.csv": "the search has found nothing",
    f"{SEARCH}adopt/": "the search has found nothing",
}


def routes(resolver: URLResolver | None = None, before: str = "") -> Iterator[tuple[str, Any]]:
    for entry in (resolver or get_resolver()).url_patterns:
        route = before + str(entry.pattern)
        if isinstance(entry, URLResolver):
            yield from routes(entry, route)
        else:
            yield route, entry


def test_every_route_is_on_the_list_and_the_list_has_no_other():
    assert {route for route, _ in routes()} == set(RULES)


def test_each_table_and_each_ending_is_among_the_files_that_are_asked_for():
    asked = [name.rpartition("/")[2].partition(".") for name in ASKED_FILES]
    assert {table for table, _, _ in asked} == set(TABLES)
    assert {ending for _, _, ending in asked} == set(ENDINGS)


def test_every_name_on_the_list_of_the_empty_handed_is_a_route():
    assert set(EMPTY_HANDED) <= set(RULES)
    assert all(rule.reason for rule in RULES.values())


@pytest.fixture
def cast(db) -> dict[str, User | None]:
    users = {name: make_user(name) for name in ("member", "clerk", "researcher")}
    users["clerk"].is_staff = True
    users["clerk"].save()
    users |= {name: make_user(name, author=True) for name in ("author", "colleague", *CO_AUTHORS)}
    return {**users, "superuser": make_user("superuser", superuser=True), "anonymous": None}


@pytest.fixture(params=STATES)
def survey(request, cast) -> Survey:
    choice = {"kind": "single_choice", "options": REQUEST["labels"]}
    made = make_survey(
        owned_by=cast["author"],
        title=TITLE,
        slug="secret",
        questions=[choice],
        release_threshold=20,
        features={"languages": {"texts": {"he": {}}}},
    )
    made.researchers.add(cast["researcher"])
    for role in CO_AUTHORS:
        CoAuthor.objects.create(survey=made, user=cast[role], role=role)
    spare = make_question(made, text="Spare?")
    remove_question(survey=made, question_id=spare.pk)
    DesignSearch.objects.create(question=made.questions.get(), request=REQUEST)
    note_revision(survey=made, actor=None)
    key_hash = keyed_hashes("candor.review_link", REVIEWED)[0]
    ReviewLink.objects.create(survey=made, name="Committee", key_hash=key_hash)
    if request.param != "draft":
        launch_survey(survey=made, actor=None)
    if request.param == "closed":
        close_survey(survey=Survey.objects.get(), actor=None)
    return Survey.objects.get()


def address_of(route: str, survey: Survey) -> str:
    question = survey.questions.get()
    other = User.objects.get(username="member").pk
    values = {
        "<slug:slug>": survey.slug,
        "<str:language>": "de",
        "<str:domain>": "return_codes",
        "<int:wave>": 1,
        "auth/user/<path:object_id>": f"auth/user/{other}",
        "auth/group/<path:object_id>": f"auth/group/{Group.objects.get().pk}",
        "sitenotice/<path:object_id>": f"sitenotice/{SiteNotice.objects.get_or_create()[0].pk}",
        "<path:object_id>": survey.pk,
        "<slug:question>": question.name,
        "<slug:name>": "corruption",
        "<int:question_id>": question.pk,
        "<int:search_id>": question.searches.get().pk,
        "<int:run_id>": 1,
        "<str:secret>": REVIEWED,
        "<int:link_id>": survey.review_links.get().pk,
        "<int:revision_id>": survey.revisions.get().pk,
        "<slug:language>": "he",
        "<slug:ending>": "csv",
        "<int:place>": 0,
        "<int:token_id>": 1,
        "<int:webhook_id>": 1,
        "<whole:path>": "surveys",
        "<int:removed_id>": survey.removed_questions.get().pk,
        "<int:number>": 1,
        "<str:name>": "summary.pdf",
        "<id>": other,
        "^(?P<app_label>surveys|auth)/$": "surveys/",
        "(?P<url>.*)$": "nothing/of/this/kind/",
    }
    for pattern, value in values.items():
        route = route.replace(pattern, str(value))
    assert not set(route) & set("<>(?"), f"no value for a part of {route}"
    return f"/{route}"


QUERY = {"app_label": "surveys", "model_name": "survey", "field_name": "researchers", "term": "zz"}


def signed_in_client(user: User | None) -> Client:
    browser = Client()
    if user is not None:
        browser.force_login(user)
    return browser


# The answering handler is the same for all; the middleware takes a tenth of the time to load.
HANDLER = Client().handler


def answers(address: str, cookies: SimpleCookie) -> Iterator[Any]:
    """The answers to a GET and a POST with these cookies, each rolled back."""
    for method in ("get", "post"):
        browser = Client()
        browser.handler = HANDLER
        browser.cookies.load(cookies)
        point = transaction.savepoint()
        query = QUERY if "autocomplete" in address and method == "get" else {}
        yield getattr(browser, method)(address, query)
        transaction.savepoint_rollback(point)


def is_refused(answer: Any) -> bool:
    """Whether a request was denied, not found, not accepted, or redirected to sign-in or start."""
    if answer.status_code in (401, 403, 404, 405, 415):
        return True
    doors = (reverse("login"), reverse("admin:login"))
    return answer.status_code == 302 and (
        answer.url.split("?")[0] in doors or answer.url == reverse("admin:index")
    )


@pytest.mark.slow
@pytest.mark.any_database
def test_only_who_is_on_the_list_passes(survey, cast):
    """All routes in one test, because the cast takes longer to make than a route to ask."""
    is_draft = survey.state == "draft"
    cookies = {role: signed_in_client(user).cookies for role, user in cast.items()}
    asked = [
        route
        for route, rule in RULES.items()
        if (is_draft or rule not in OF_THE_SITE)
        and (route in ASKED_FILES or route not in FILES_OF_TABLES)
    ]
    addresses = {route: address_of(route, survey) for route in asked}
    mistakes = [
        mistake
        for route, address in addresses.items()
        for role in cast
        if is_draft or role in ASK_ADMIN_AFTER_LAUNCH or not route.startswith("admin/")
        for mistake in mistakes_of(route, address, role, cookies[role], survey)
    ]
    assert mistakes == []


def mistakes_of(
    route: str, address: str, role: str, cookies: SimpleCookie, survey: Survey
) -> Iterator[str]:
    rule = RULES[route]
    expected = role in rule.roles and survey.state in rule.states
    passed = False
    for answer in answers(address, cookies):
        # The door itself leads to the desk.
        through = not is_refused(answer) or (route == "admin/login/" and answer.url == "/admin/")
        passed |= through
        method = answer.request["REQUEST_METHOD"]
        sentence = f"{role} {method} {address}: {answer.status_code}"
        welcome = expected and not (method == "POST" and role in rule.get_only)
        if answer.status_code >= 500 or (through and not welcome):
            yield sentence
        is_draft = survey.state == "draft" and not rule.tells_drafts
        if role not in SEES_TEXTS and is_draft and TITLE in _text(answer):
            yield f"{sentence}, with the title of a draft"
    if expected and not passed and route not in EMPTY_HANDED:
        yield f"{role} {address}: never passes"


def _text(answer: Any) -> str:
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return content.decode(errors="replace") + answer.get("Location", "")


@pytest.mark.django_db
def test_no_staff_account_learns_the_address_of_a_survey_by_its_number(cast):
    from django.contrib.contenttypes.models import ContentType

    survey = make_survey(owned_by=cast["author"], slug="secret")
    number = ContentType.objects.get_for_model(Survey).pk
    for user in filter(None, cast.values()):
        answer = signed_in_client(user).get(f"/admin/r/{number}/{survey.pk}/")
        assert answer.status_code in (302, 404)
        assert "secret" not in answer.get("Location", "")


@pytest.mark.django_db
def test_pages_have_no_link_to_it(cast):
    survey = make_survey(owned_by=cast["author"])
    page = signed_in_client(cast["author"]).get(f"/admin/surveys/survey/{survey.pk}/change/")
    assert "viewsitelink" not in page.text
