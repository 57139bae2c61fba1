"""Pages in German: whole, with German numbers, and in the language that their readers asked for."""

import json

import pytest
from django.urls import reverse
from django.utils import timezone, translation

from surveys.features.roster.reading import RosterRow
from surveys.models import CoAuthor, Comment, Survey
from surveys.results.release import release_of
from surveys.services.drawn_figures import figures_of
from surveys.services.transitions import close_survey
from tests.analyses import ANALYSIS, QUESTIONS
from tests.app.visible_text import visible_text
from tests.builders import make_survey, make_user, shared
from tests.german import SURVEY, english_in
from tests.released import released
from tests.rosters import launched_network, network_survey

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
GERMAN = {"Accept-Language": "de-DE,de;q=0.9,en;q=0.5"}
OPEN_TO_ALL = ("home", "login", "check")
ROWS = [{"q1": n % 3, "q2": n * 7 % 3, "q3": n % 2} for n in range(40)]


@pytest.fixture(autouse=True)
def no_german_afterwards():
    """A request leaves its language behind in the thread; other tests expect English."""
    with translation.override("en"):
        yield


@pytest.fixture
def author(client):
    user = make_user("chefin", superuser=True)
    client.force_login(user)
    return user


@pytest.fixture
def launch(author):
    return released(ROWS, owned_by=author, **SURVEY)


def german(client, address, status=200):
    """The page, read as somebody does whose browser asks for German; checked for English."""
    response = client.get(address, headers=GERMAN)
    assert response.status_code == status
    html = response.text
    assert '<html lang="de"' in html
    text = visible_text(html)
    assert english_in(text) == []
    # German has „…“.
    assert "”" not in text
    return html


@pytest.mark.parametrize("name", OPEN_TO_ALL)
def test_pages_for_everybody(client, name):
    german(client, reverse(name))


def test_pages_that_are_missing(client):
    german(client, "/nowhere/", status=404)
    german(client, reverse("respond", args=["none"]), status=404)


def test_a_refused_sign_in(client):
    credentials = {"username": "nobody", "password": "wrong"}
    html = client.post(reverse("login"), credentials, headers=GERMAN).text
    assert "passen nicht zusammen" in html
    assert english_in(visible_text(html)) == []


@pytest.mark.parametrize("state", ["open", "closed"])
def test_the_respondents_page(client, launch, state):
    Survey.objects.update(state=state)
    html = client.get(launch.survey.get_absolute_url()).text
    assert '<html lang="de"' in html
    assert english_in(visible_text(html)) == []


def test_the_respondents_page_keeps_its_survey_s_language(client, author):
    english = released(ROWS, owned_by=author, **{**SURVEY, "language": "en", "slug": "english"})
    html = client.get(english.survey.get_absolute_url(), headers=GERMAN).text
    assert '<html lang="en"' in html
    assert "I agree" in html
    assert "Ich stimme zu" not in html


def test_other_pages_follow_the_reader(client):
    assert "Anmelden" in client.get(reverse("login"), headers=GERMAN).text
    english = client.get(reverse("login"), headers={"Accept-Language": "en"}).text
    assert "Sign in" in english
    assert '<html lang="en"' in english


def test_results_with_german_numbers(client, launch):
    html = german(client, reverse("results", args=[launch.survey.slug]))
    assert "ε = 1,1" in html
    assert "ε = 2,6 von 6" in html
    # 14 of 40 people sent the first code.
    assert "<span data-value>35,0\u00a0%</span> (<span data-value>14</span>)" in html


def test_results_that_are_not_there_yet(client, author):
    launch = released(ROWS[:2], owned_by=author, **SURVEY)
    german(client, reverse("results", args=[launch.survey.slug]))


def test_the_summary_as_a_file(client, launch):
    german(client, reverse("summary-html", args=[launch.survey.slug]))


def test_figures_with_german_numbers(launch):
    figure = figures_of(release_of(launch), "de")["q1"]
    assert figure["layout"]["separators"] == ",."
    texts = [note["text"] for note in figure["layout"]["annotations"]]
    assert "Rohmeldungen" in texts
    assert figure["layout"]["meta"]["source"] == "40 Meldungen · ε = 1,1"
    assert english_in(json.dumps(figure, ensure_ascii=False)) == []


def test_the_list_of_results(client, launch):
    german(client, reverse("account"))


def test_the_list_of_surveys(client, author):
    german(client, reverse("admin:surveys_survey_changelist"))
    make_survey(owned_by=author, **SURVEY)
    german(client, reverse("admin:surveys_survey_changelist"))
    german(client, reverse("admin:index"))
    german(client, reverse("admin:survey_start"))
    german(client, reverse("admin:survey_template", args=["network-of-trust"]))


@pytest.mark.parametrize("page", ["launch", "trial"])
def test_pages_about_a_draft(client, author, page):
    survey = make_survey(owned_by=author, **SURVEY)
    html = german(client, reverse(f"admin:survey_{page}", args=[survey.pk]))
    assert "1.1" not in visible_text(html)


@pytest.mark.parametrize("page", ["change", "delete", "history"])
def test_pages_of_the_admin_about_a_draft(client, author, page):
    survey = make_survey(owned_by=author, **SURVEY)
    german(client, reverse(f"admin:surveys_survey_{page}", args=[survey.pk]))


@pytest.mark.parametrize("role", ["edit", "comment", "read"])
@pytest.mark.slow
def test_pages_of_co_authors(client, author, role):
    survey = make_survey(owned_by=author, **SURVEY)
    for row in ("edit", "comment"):
        CoAuthor.objects.create(survey=survey, user=make_user(row), role=row)
    texts = {"gone": "Und nun?", "q1": "Zu lang?"}
    for name, text in texts.items():
        question = survey.questions.filter(name=name).first()
        Comment.objects.create(survey=survey, question=question, question_name=name, text=text)
    Comment.objects.filter(text="Zu lang?").update(resolved_at=timezone.now())
    german(client, reverse("admin:survey_people", args=[survey.pk]))
    client.force_login(shared(survey, role))
    for name in ("read", "comments", "people"):
        html = german(client, reverse(f"admin:survey_{name}", args=[survey.pk]))
    german(client, reverse("admin:surveys_survey_changelist"))
    german(client, reverse("admin:surveys_survey_delete", args=[survey.pk]), status=403)
    assert "Diese Umfrage verlassen" in html


def test_a_draft_with_everything_to_complain_about(client, author):
    questions = [
        {"text": "Kaffee? Oder Tee?", "epsilon": "8.5"},
        {"text": " ", "kind": "single_choice", "options": ["a", "a", ""], "epsilon": "0.01"},
    ]
    values = {**SURVEY, "questions": questions, "consent": "", "contact": "", "budget": "2.5"}
    values |= {"release_threshold": 900, "precision_reason": ""}
    survey = make_survey(owned_by=author, **values)
    html = german(client, reverse("admin:survey_launch", args=[survey.pk]))
    assert "ein Epsilon von 8,51, mehr als das Budget von 2,5" in visible_text(html)
    assert "finden diese Fragen nichts, was man nicht auch raten könnte: q2" in visible_text(html)


@pytest.mark.parametrize("page", ["share", "close", "preview"])
def test_pages_about_an_open_survey(client, launch, page):
    german(client, reverse(f"admin:survey_{page}", args=[launch.survey.pk]))


@pytest.mark.slow
def test_pages_about_a_roster(client, author):
    texts = {name: SURVEY[name] for name in ("title", "introduction", "consent", "contact")}
    texts |= {"language": "de", "budget_reason": "Ein Test."}
    rows = [RosterRow(f"m{n}", f"Mitglied {n // 2}", f"{'gG'[n % 2]}ruppe") for n in range(4)]
    draft = network_survey(rows, owned_by=author, **texts)
    answer = client.post(
        reverse("admin:survey_roster", args=[draft.pk]), {"rows": "x"}, headers=GERMAN
    )
    assert english_in(visible_text(answer.text)) == []
    survey = launched_network(rows, owned_by=author, slug="offen", **texts).survey
    done = launched_network(rows, owned_by=author, slug="zu", **texts).survey
    close_survey(survey=done, actor=None)
    for each, names in (
        (draft, ["roster"]),
        (survey, ["roster", "links", "links_make", "share"]),
        (done, ["roster", "links", "roster_names"]),
    ):
        for name in names:
            german(client, reverse(f"admin:survey_{name}", args=[each.pk]))


@pytest.mark.slow
def test_pages_about_analyses(client, author):
    texts = {name: SURVEY[name] for name in ("title", "introduction", "consent", "contact")}
    questions = [{**each, "text": "Worum geht es?"} for each in QUESTIONS]
    for question in questions:
        if question.get("options"):
            question["options"] = ["Ja, schon", "Nein"]
    declared = {"linkage": "together", "language": "de", "budget": 9, "questions": questions}
    wrong = [ANALYSIS | {"name": "Falsch", "outcome": "weg"}, ANALYSIS | {"name": "Wer"}]
    weighting = {"margins": [{"question": "region", "shares": ["0.7", "0.3"]}]}
    draft = make_survey(owned_by=author, **texts, **declared, analyses=wrong, weighting=weighting)
    for address in ("analyses", "analysis_new", "margin", "launch"):
        asked = {"outcome": "drug", "question": "region"}
        page = reverse(f"admin:survey_{address}", args=[draft.pk])
        answer = client.get(page, asked, headers=GERMAN)
        assert english_in(visible_text(answer.text)) == []
    for address, posted in (
        ("analyses/", {"rows": "frage,antwort,anteil\nregion,weg,x"}),
        ("analyses/new/?outcome=drug", {"name": "Wer", "link": "logit"}),
        ("analyses/margin/?question=region", {"share_0": "1", "share_1": "2"}),
    ):
        page = reverse("admin:survey_analyses", args=[draft.pk]).replace("analyses/", address)
        answer = client.post(page, posted, headers=GERMAN)
        assert answer.status_code == 200
        assert english_in(visible_text(answer.text)) == []
        assert "entry--bad" in answer.text or 'id="errors"' in answer.text


@pytest.mark.slow
def test_a_test_fill(client, author):
    survey = make_survey(owned_by=author, **SURVEY)
    address = reverse("admin:survey_trial", args=[survey.pk])
    page = client.get(address, headers=GERMAN).context["form"]
    filled = {name: field.initial for name, field in page.fields.items()}
    html = client.post(address, filled, headers=GERMAN).text
    assert "Wiedergefunden aus 1.000 simulierten Befragten" in html
    assert english_in(visible_text(html)) == []


def test_english_would_be_noticed():
    html = 'Willkommen. Wait 5 seconds, then try again. <b title="Whom to ask">x</b>'
    assert english_in(visible_text(html)) == [", then try again."]
