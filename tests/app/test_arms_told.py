"""The statements of a respondent's page on arms before anybody agrees to anything."""

import pytest
from django.test import RequestFactory
from django.urls import reverse

from surveys.features.arms.feature import ARMS
from surveys.features.arms.views import ToldArm
from surveys.models import Survey
from surveys.parameters import ServedParameters, check, read
from surveys.views.respond import render_form
from tests.app.visible_text import visible_text
from tests.arms import BOTH, PLAIN, SPLIT_ONLY, arms_launch
from tests.builders import launched
from tests.german import english_in
from tests.vectors.make_wire_vectors import declared, in_arms, plainly_asked

pytestmark = pytest.mark.django_db

DIRECTLY_ONLY = {**BOTH, "split_epsilon": None}
NO_ARM = {**BOTH, "split_epsilon": None, "asked_directly": False}


@pytest.fixture
def page_of(client):
    def page(**values):
        launch = arms_launch(**values)
        return client.get(reverse("respond", args=[launch.survey.slug])).content.decode()

    return page


def test_says_that_chance_decides_and_what_it_may_decide(page_of):
    html = page_of()
    assert 'data-arms="/s/health/arm/"' in html
    assert "data-arm=" not in html
    text = visible_text(html)
    assert "Chance decides how each person is asked." in text
    assert "About 35 of 100 people are asked 2 questions with another strength" in text
    assert "About 30 of 100 people are asked one sensitive question directly" in text
    assert "is only counted, 20 of them or more at a time" in text
    assert "can work out what you said" in text
    assert "you may leave it out" in text
    assert "about the way of asking that shows most" in text
    # The label says it first, and nothing there says otherwise.
    label = text[text.index("Who sees your real answer") :]
    assert label.startswith(
        "Who sees your real answer Only you, except of 30 in 100 people whom chance picks: we see "
        "one sensitive answer of theirs."
    )
    assert "Of 30 in 100 people the real answer to one sensitive question;" in label
    assert "The same, without names" not in text
    assert "except what your page marks “Not scrambled”" in text
    assert "With each answer we store in which way it was asked." in text
    assert "Only the page can ask you in the way that chance decides." in text


def test_a_split_sample_alone_says_nothing_of_direct_questions(page_of):
    text = visible_text(page_of(questions=[SPLIT_ONLY], split_share=50))
    assert "About 50 of 100 people are asked one question with another strength" in text
    assert "directly" not in text
    assert "Not scrambled" not in text


def test_a_direct_arm_alone_says_nothing_of_another_strength(page_of):
    text = visible_text(page_of(questions=[DIRECTLY_ONLY, PLAIN]))
    assert "About 30 of 100 people are asked one sensitive question directly" in text
    assert "another strength" not in text


def test_says_what_an_answer_kept_beside_others_would_show(page_of):
    many = {**PLAIN, "options": [f"Place {number}" for number in range(40)]}
    values = {"questions": [DIRECTLY_ONLY, many], "planned_n": 100}
    kept = "your real answer is among those that are not scrambled"
    assert kept in visible_text(page_of(linkage="together", **values))
    assert kept not in visible_text(page_of(linkage="apart", slug="apart", **values))


def test_a_survey_without_arms_says_nothing_of_them(client):
    launch = launched(questions=[NO_ARM])
    html = client.get(reverse("respond", args=[launch.survey.slug])).content.decode()
    assert "data-arm" not in html
    assert "way of asking" not in html
    assert "Chance decides how" not in html


def test_a_preview_shows_one_arm_and_asks_no_server():
    launch = arms_launch()
    served = ServedParameters(launch.parameters, launch.digest)
    for arm in ("page", "direct"):
        request = RequestFactory().get("/", {"arm": arm})
        response = render_form(
            request, survey=launch.survey, served_parameters=served, preview=True
        )
        html = response.content.decode()
        assert f'data-arm="{arm}"' in html
        assert "data-arms=" not in html


def test_the_german_page_is_german(page_of):
    html = page_of(language="de", questions=[BOTH, {**BOTH, "name": "theft"}, PLAIN])
    text = visible_text(html)
    assert "Etwa 30 von 100 Befragten bekommen 2 heikle Fragen direkt gestellt" in text
    assert "Etwa 35 von 100 Befragten werden 2 Fragen mit anders starker" in text
    assert "Wie gefragt wird, entscheidet jedes Mal der Zufall." in text
    assert english_in(html) == []


def test_there_is_no_form_without_javascript(client):
    arms_launch(questions=[DIRECTLY_ONLY, PLAIN])
    answer = client.get(reverse("physical", args=["health"]))
    assert answer.status_code == 404
    text = visible_text(answer.content.decode())
    assert "This survey needs its page" in text
    form = "application/x-www-form-urlencoded"
    posted = client.post(reverse("physical", args=["health"]), "report-drug=A", content_type=form)
    assert posted.status_code == 404


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("document", "split", "directly"),
    [(in_arms, ToldArm(2, 35), ToldArm(2, 30)), (plainly_asked, None, ToldArm(1, 1))],
)
def test_counts_what_is_asked_otherwise(document, split, directly):
    told = ARMS.page.shown(check(read(document())), Survey(slug="x"), None).values
    assert (told.split, told.directly) == (split, directly)


@pytest.mark.any_database
def test_a_document_without_arms_has_one_way():
    assert ARMS.page.shown(check(read(declared())), Survey(slug="x"), None) is None
