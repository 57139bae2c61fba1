"""The author's page of the next wave."""

import pytest
from django.urls import reverse

from surveys.authoring.checks.survey import lint_survey
from surveys.models import Launch
from tests.app.visible_text import visible_text
from tests.builders import launched, make_survey, owner
from tests.waves import coded_launch

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture
def author(client):
    client.force_login(owner())
    return client


def page(launch):
    return reverse("admin:survey_next_wave", args=[launch.survey_id])


def test_a_wave_is_looked_at_and_then_launched(author):
    launch = coded_launch()
    change_page = author.get(reverse("admin:surveys_survey_change", args=[launch.survey_id]))
    assert page(launch) in change_page.content.decode()
    form = author.get(page(launch))
    assert form.context["form"].initial == {"epsilon_drug": 1, "epsilon_absence": 0.5}
    values = {"epsilon_drug": "2", "epsilon_absence": "0.5"}
    review = author.post(page(launch), values)
    text = visible_text(review.text)
    assert "ε = 2.5 of 3; so far it is 1.5" in text
    assert "1 → 2" in text
    assert not Launch.objects.filter(wave=2).exists()
    done = author.post(page(launch), values | {"digest": review.context["digest"]}, follow=True)
    assert done.status_code == 200
    assert Launch.objects.get(wave=2).digest == review.context["digest"]
    assert "Wave 2 was launched" in visible_text(done.text)


def test_what_was_changed_since_is_looked_at_again(author):
    launch = coded_launch()
    values = {"epsilon_drug": "2", "epsilon_absence": "0.5"}
    digest = author.post(page(launch), values).context["digest"]
    answer = author.post(page(launch), values | {"epsilon_drug": "1.5", "digest": digest})
    assert "has changed since" in visible_text(answer.text)
    assert answer.context["digest"] != digest
    assert not Launch.objects.filter(wave=2).exists()


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"epsilon_drug": "0.5"}, "Not below 1"),
        ({"epsilon_drug": "9"}, "less than or equal to 8"),
        ({"epsilon_drug": ""}, "required"),
        ({"epsilon_drug": "much"}, "number"),
        ({"epsilon_drug": "2.6"}, "add up to 3.1"),
        ({}, "No question would be asked more exactly"),
    ],
)
@pytest.mark.slow
def test_what_cannot_be_is_said_beside_it(author, values, words):
    launch = coded_launch()
    answer = author.post(page(launch), {"epsilon_drug": "1", "epsilon_absence": "0.5", **values})
    assert answer.status_code == 200
    assert words in visible_text(answer.text)
    assert not Launch.objects.filter(wave=2).exists()


def test_an_open_survey_has_no_next_wave(author):
    launch = launched()
    change_page = author.get(reverse("admin:surveys_survey_change", args=[launch.survey_id]))
    assert page(launch) not in change_page.content.decode()
    answer = author.get(page(launch), follow=True)
    assert "Only a launched survey with return codes" in visible_text(answer.text)


def test_its_button_stands_before_what_changes_a_launched_survey(author):
    launch = coded_launch()
    page = author.get(reverse("admin:surveys_survey_change", args=[launch.survey_id]))
    in_sight = [str(tool.label) for tool in page.context["tools"] if not tool.folded]
    assert in_sight[-2:] == ["Next wave", "Close"]


def test_nobody_else_launches_a_wave(client):
    launch = coded_launch()
    assert client.get(page(launch)).status_code == 302


def test_in_a_later_wave_the_author_reads_its_epsilon(author):
    launch = coded_launch()
    author.post(page(launch), values := {"epsilon_drug": "2", "epsilon_absence": "0.5"})
    digest = author.post(page(launch), values).context["digest"]
    author.post(page(launch), values | {"digest": digest})
    change_page = author.get(reverse("admin:surveys_survey_change", args=[launch.survey_id]))
    shown = visible_text(change_page.text)
    assert "sensitive · ε 2" in shown
    assert author.get(page(launch)).context["form"].initial["epsilon_drug"] == 2


@pytest.mark.parametrize(
    ("values", "code"),
    [({"linkage": "apart"}, "codes_apart"), ({"physical": True}, "clash")],
)
def test_what_a_survey_with_codes_cannot_have_stops_its_launch(values, code):
    question = {"physical_device": "die"} if values.pop("physical", False) else {}
    survey = make_survey(
        **{"mode": "pseudonymous", "linkage": "together", **values},
        questions=[{"epsilon": "1.4", **question}],
    )
    assert code in {finding.code for finding in lint_survey(survey) if finding.blocks}
