"""Whatever is typed into a form or an address of the admin gets a clear answer, never a 500."""

import random
from decimal import Decimal
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client
from django.urls import reverse

from surveys.models import DesignSearch, Survey
from tests.analyses import ANALYSIS, QUESTIONS, regional, stored_weighting
from tests.app.author_posts import PLAIN, QUESTION, SCRIPT, page, question_page
from tests.app.searching import REQUEST
from tests.builders import PASSWORD, launched, make_survey, make_user
from tests.rosters import launched_network, network_survey
from tests.thorough import examples

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

VALUES = (
    *("inf", "-inf", "Infinity", "nan", "NaN", "sNaN", "1e400", "-1e400", "1e-400", "9" * 40),
    *("-" + "9" * 40, "9223372036854775808", "2147483648", "0x10", "1_000", "٣", "１２", "²", "½"),
    *("\x00", "a\x00b", "\u2028", "\ufffe", "🐟", "\u202e", "é" * 3000, "x" * 20_000, " ", ""),
    *("{}", "[]", "null", "true", '{"a": NaN}', "[" * 2000, "0", "-0", "-1", "1.5", "1,5", "%s"),
    *("{{ 7 }}", "<b>", "../..", "9999-99-99T99:99", "0001-01-01T00:00", "9999-12-31T23:59"),
)
# No request in JSON that says anything.
NO_REQUESTS = (b"null", b"[]", b"{}", b"0", b'"x"', b"{", b"\xff\xfe", b"\x00", b"NaN")
SEED = 20261122
# Of each field of an author's page, alone and beside another error.
OF_EACH_FIELD = examples(1, 2)


@pytest.fixture
def browser() -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(make_user("root", superuser=True))
    return client


def server_errors(answers: list[tuple[Any, Any]]) -> list[Any]:
    return [sentence for sentence, answer in answers if answer.status_code >= 500]


SETTINGS = [*PLAIN, *("introduction", "consent", "contact", "opens_at", "closes_at", "pilot")]
SETTINGS += ["embed_origins", "tiers", "researchers", "owner", "results_public", "seen", "version"]
OF_QUESTION = [*QUESTION, *("help_text", "options", "lower", "upper", "step", "unit", "bins")]
OF_QUESTION += ["lowest_alone", "characters", "candidates", "expected_candidates", "directed"]
OF_QUESTION += ["expected_ties", "design", "delta", "prevalence", "delta_understood", "group"]
OF_QUESTION += ["physical_device", "known_share", "epsilon_reason", "name", "seen", "version"]
KINDS_WRITTEN = {
    **dict.fromkeys(("lower", "upper", "step", "unit", "bins", "lowest_alone"), "bounded_number"),
    **dict.fromkeys(("characters", "candidates", "expected_candidates"), "short_text"),
    **dict.fromkeys(("directed", "expected_ties"), "roster_ties"),
    "options": "single_choice",
}


def some_values(name: str, count: int) -> list[str]:
    return random.Random(f"{SEED}{name}").sample(VALUES, count)


@pytest.mark.parametrize(
    "other_values",
    [
        pytest.param({}, id="alone"),
        pytest.param({"budget": "much"}, id="beside another error", marks=pytest.mark.any_database),
    ],
)
@pytest.mark.parametrize("name", SETTINGS)
def test_every_field_of_the_settings_takes_anything(browser, name, other_values):
    """What was typed before stays typed, so that each value meets those before it."""
    survey, answers = make_survey(), []
    for value in some_values(f"{name}{sorted(other_values)}", OF_EACH_FIELD):
        data = {**PLAIN, **other_values, name: value}
        for address in (page(survey, "settings"), page(survey, "setting_choose")):
            answers.append(((name, value), browser.post(address, data)))
        answers += shown_pages(browser, survey, (name, value))
        Survey.objects.filter(pk=survey.pk).update(slug="health")
    assert server_errors(answers) == []


@pytest.mark.parametrize(
    "other_values",
    [
        pytest.param({}, id="alone"),
        pytest.param({"text": ""}, id="beside another error", marks=pytest.mark.any_database),
    ],
)
@pytest.mark.parametrize("name", OF_QUESTION)
def test_every_field_of_a_question_takes_anything(browser, name, other_values):
    survey, answers = make_survey(questions=[{}, {}]), []
    question = survey.questions.first()
    kind = KINDS_WRITTEN.get(name, "yes_no")
    for value in some_values(f"{name}{sorted(other_values)}", OF_EACH_FIELD):
        data = {**QUESTION, "kind": kind, "name": "q1", **other_values, name: value}
        for page_name in ("question", "question_choose"):
            address = question_page(question, page_name)
            answers.append(((name, value), browser.post(address, data)))
        for page_name in ("question", "question_preview"):
            address = question_page(question, page_name)
            answers.append(((name, value), browser.get(address)))
        answers.append(((name, value), browser.get(page(survey, "launch"))))
    assert server_errors(answers) == []


def shown_pages(browser: Client, survey: Survey, sentence: Any) -> list[tuple[Any, Any]]:
    """The pages that show what is stored, and what it means."""
    return [
        (sentence, browser.get(page(survey, name))) for name in ("change", "settings", "launch")
    ]


OF_ACTS = ("after", "way", "kind", "version", "feature", "questions", "outcome", "group", "open")


@pytest.mark.parametrize("name", OF_ACTS)
def test_every_act_on_a_question_takes_anything(browser, name):
    survey = make_survey(questions=[{}, {}, {}])
    question, answers = survey.questions.first(), []
    acts = [question_page(question, act) for act in ("question_move", "question_choose")]
    places = ("question_add", "add_feature", "tables", "table_remove", "groups", "group_end")
    acts += [page(survey, place) for place in places]
    for value in some_values(f"acts {name}", examples(3, 8)):
        answers.append(((name, value), browser.get(page(survey, "questions"), {name: value})))
        answers += [((name, value), browser.post(address, {name: value})) for address in acts]
    assert server_errors(answers) == []
    assert [each.name for each in survey.questions.order_by("name")] == ["q1", "q2", "q3"]


@pytest.mark.parametrize(
    "seen",
    ["", "{", "[]", "null", '{"text": 1}', '{"text": {"a": 1}}', "[" * 3000, '{"x": "\x00"}'],
)
def test_fingerprints_may_be_anything(browser, seen):
    survey = make_survey()
    question = survey.questions.get()
    answers = [
        (seen, browser.post(question_page(question), {**QUESTION, "name": "q1", "seen": seen})),
        (seen, browser.post(page(survey, "settings"), {**PLAIN, "seen": seen})),
    ]
    assert server_errors(answers) == []
    # Nothing is lost by it: what is stored is there, or what was posted.
    question.refresh_from_db()
    assert question.text == QUESTION["text"]


@pytest.mark.parametrize("value", VALUES[::2], ids=ascii)
def test_researchers_beside_another_error(browser, value):
    data = {**PLAIN, "researchers": [value, value], "budget": "much"}
    answer = browser.post(page(make_survey(), "settings"), data, headers=SCRIPT)
    assert answer.status_code == 200
    assert "budget" in answer.json()["errors"]


def addresses(survey: Survey) -> list[str]:
    question = survey.questions.get()
    search = DesignSearch.objects.create(question=question, request=REQUEST)
    pages = ("preview", "trial", "launch", "share", "close", "reopen", "change", "delete")
    about = [survey.pk, question.pk, search.pk]
    return [
        *(page(survey, name) for name in pages),
        reverse("admin:survey_compare", args=about[:2]),
        reverse("admin:survey_workbench", args=about[:2]),
        *(
            reverse(f"admin:survey_search{name}", args=about)
            for name in ("", "_status", "_point", "_adopt", "_record", "_table", "_stop")
        ),
        reverse("admin:surveys_survey_changelist"),
        reverse("admin:surveys_survey_add"),
        reverse("admin:autocomplete"),
        reverse("admin:auth_user_changelist"),
        reverse("login"),
        "/s/health/results/",
        "/s/health/results/status.json",
        "/s/health/",
    ]


QUERIES = ("p", "o", "q", "e", "all", "state", "state__exact", "page", "term", "next", "browser")
QUERIES += ("point", "front", "index", "epsilon", "n", "shares", "prior", "_changelist_filters")
QUERIES += ("title", "slug", "budget", "id", "_popup", "_to_field", "field_name", "model_name")
FORMS = ("shares", "epsilon", "planned_n", "n", "delta", "prior", "seed", "generations", "levels")
FORMS += ("origin", "methods", "respondents", "point", "front", "index", "confirm", "slug", "name")
FORMS += ("closes_at", "guess", "weights", "privacy", "language", "username", "password", "next")


@pytest.mark.parametrize("state", ["draft", "open"])
def test_every_query_of_an_address_takes_anything(browser, state):
    choice = {"kind": "single_choice", "options": REQUEST["labels"]}
    survey = (
        launched(questions=[choice]).survey if state == "open" else make_survey(questions=[choice])
    )
    chance, answers = random.Random(f"{SEED}{state}"), []
    for address in addresses(survey):
        for name in chance.sample(QUERIES, 3):
            query = {"field_name": "researchers", "app_label": "surveys", "model_name": "survey"}
            query |= {name: [chance.choice(VALUES), chance.choice(VALUES)]}
            answers.append(((address, query), browser.get(address, query)))
    assert server_errors(answers) == []


def test_every_form_of_an_author_takes_anything(browser):
    choice = {"kind": "single_choice", "options": REQUEST["labels"]}
    chance, answers = random.Random(SEED), []
    for address in addresses(make_survey(questions=[choice])):
        if address.endswith(("delete/", "launch/", "close/")):
            continue
        for _ in range(2):
            data = {name: chance.choice(VALUES) for name in chance.sample(FORMS, 12)}
            answers.append(((address, data), browser.post(address, data)))
    assert server_errors(answers) == []


def test_every_field_about_a_roster_takes_anything(browser):
    draft, survey = network_survey(), launched_network(slug="open").survey
    links, make = page(survey, "links"), page(survey, "links_make")
    answers = [
        ((address, data), browser.post(address, data))
        for value in random.Random(SEED).sample(VALUES, 14)
        for address, data in (
            (page(draft, "roster"), {"rows": f"code,name,group\n{value},{value},{value}"}),
            (links, {"looked_for": value, "page": value}),
            (make, {"seen": value}),
        )
    ]
    for place in ("9" * 5, "9" * 19, "9" * 40):
        answers.append((place, browser.post(f"{links}{place}/new/")))
    assert server_errors(answers) == []
    assert not survey.members.exclude(link_hash="").exists()
    assert draft.members.count() == survey.members.count()


def test_every_field_about_analyses_takes_anything(browser):
    draft = make_survey(
        linkage="together", questions=QUESTIONS, budget=9, analyses=[ANALYSIS], weighting=regional()
    )
    new, margin = f"{page(draft, 'analysis_new')}?outcome=", f"{page(draft, 'margin')}?question="
    posted = {"name": "A", "event": ["1"], "link": "logit", "predictor_region": "categories"}
    answers = []
    for value in random.Random(SEED).sample(VALUES, 6):
        name = random.Random(value).choice([*posted, "weighted", "predictor_mood"])
        for address, data in (
            (f"{new}drug", {**posted, name: value}),
            (f"{new}{quote(value)[:2000]}", posted),
            (f"{margin}region", {"share_0": value, "share_1": "100"}),
            (page(draft, "analyses"), {"rows": f"question,answer,share\nregion,North,{value}"}),
            (page(draft, "margin_remove"), {"question": value}),
            (page(draft, "analysis_remove"), {"name": value}),
        ):
            answers.append(((address, data), browser.post(address, data)))
    answers.append(("shown", browser.get(page(draft, "analyses"))))
    answers.append(("launch", browser.get(page(draft, "launch"))))
    assert server_errors(answers) == []
    draft.refresh_from_db()
    (row,) = stored_weighting(draft)["margins"]
    assert sum(map(Decimal, row["shares"])) == 1


@pytest.mark.parametrize(
    "number",
    ["9" * 19, "9" * 40, "inf", "-1", "1e3", "%00", "%F0%9F%90%9F", "1.0", "_5F", "٣", "a/b"],
)
def test_every_number_in_an_address_may_be_anything(browser, number):
    make_survey()
    answers = []
    for tail in ("change/", "delete/", "history/", "launch/", "share/qr.svg", "clone/", ""):
        address = f"/admin/surveys/survey/{number}/{tail}"
        answers += [(address, browser.get(address)), (address, browser.post(address))]
    pk = Survey.objects.get().pk
    tails = [f"compare/{number}/", f"workbench/{number}/", f"workbench/1/{number}/status.json"]
    acts = ("", "duplicate/", "move/", "remove/", "choose/", "preview/")
    tails += [f"questions/{number}/{act}" for act in acts] + [f"questions/put-back/{number}/"]
    for tail in tails:
        address = f"/admin/surveys/survey/{pk}/{tail}"
        answers += [(address, browser.get(address)), (address, browser.post(address))]
    for address in (f"/admin/auth/user/{number}/change/", f"/admin/auth/user/{number}/password/"):
        answers.append((address, browser.get(address)))
    assert server_errors(answers) == []


NUMBERS = (float("inf"), float("nan"), 10**40, -1, 1e308, "inf", "9" * 40, "٣", "\x00", "\ud800")
JSON_VALUES = (*NUMBERS, None, True, [], {}, [[]], {"a": []}, "x" * 20_000)


@pytest.mark.parametrize("value", ["٣", "１２", "²", "a b", "/", "é", "x" * 65])
def test_an_address_that_is_none_beside_another_error(browser, value):
    data = {**PLAIN, "slug": value, "budget": "much"}
    answer = browser.post(page(make_survey(), "settings"), data, headers=SCRIPT)
    assert set(answer.json()["errors"]) == {"slug", "budget"}


TYPED = "Arbeit & Leben ü"


@pytest.mark.any_database
@pytest.mark.parametrize(
    "other_values", [{}, {"budget": "much"}], ids=["alone", "beside another error"]
)
@pytest.mark.parametrize("name", ["slug", "embed_origins"])
def test_a_title_typed_as_an_address_is_wrong_in_one_sentence(browser, name, other_values):
    survey = make_survey()
    data = {**PLAIN, name: TYPED, **other_values}
    answer = browser.post(page(survey, "settings"), data, headers=SCRIPT)
    assert len(answer.json()["errors"][name]) == 1
    survey.refresh_from_db()
    # It is kept as it was typed; no link of the page is made from it.
    assert survey.typed["texts"][name] == [TYPED]
    assert TYPED not in (getattr(survey, name), survey.slug)
    html = browser.get(page(survey, "settings")).text
    assert quote(TYPED) not in html


@pytest.mark.any_database
@pytest.mark.parametrize("value", [quote(TYPED), "%FC", "%00", "%5B", "%2F%2F%5B"])
def test_a_title_in_an_address_is_a_page_that_is_not_there(client, browser, value):
    places = [
        "/s/{}/",
        "/s/{}/physical/",
        "/s/{}/parameters.json",
        "/s/{}/responses/",
        "/{}",
        "//{}",
    ]
    places += ["/s/{}/results/", "/s/{}/results/reports.csv", "/jsi18n/{}/", "/account/{}/"]
    places += ["/admin/surveys/survey/{}/share/", "/admin/surveys/survey/{}/change/", "/admin/{}/"]
    queries = ["/account/login/?next=/s/{}/", "/account/login/?browser={}", "/admin/login/?next={}"]
    for address in [*places, *queries]:
        for person in (client, browser):
            answers = person.get(address.format(value)), person.post(address.format(value))
            assert server_errors([(address, answer) for answer in answers]) == []


@pytest.mark.any_database
@pytest.mark.parametrize("target", [TYPED, "[", "//[", "/s/" + TYPED])
def test_where_to_go_after_signing_in_may_be_no_address(client, browser, target):
    answer = browser.get(reverse("admin:login"), {"next": target})
    assert answer.status_code == 302
    make_user("reader")
    typed = {"username": "reader", "password": PASSWORD, "next": target}
    assert client.post(reverse("login"), typed).status_code == 302


def test_a_title_typed_to_delete_a_survey_is_not_its_address(browser):
    answer = browser.post(page(make_survey(), "delete"), {"typed": TYPED})
    assert answer.status_code == 200
    assert Survey.objects.exists()
