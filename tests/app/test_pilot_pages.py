"""A launched pilot on all other pages of its author and its readers: each takes random pairs."""

import pytest

from surveys.features.pilots.settings import is_pilot
from surveys.models import Survey
from surveys.responses.tallies import audit
from tests.app.author_posts import page, sign_in
from tests.app.kept import kept_once
from tests.app.pilots import answered, pilot_launch
from tests.app.visible_text import visible_text

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

RESULTS = (
    "",
    "status.json",
    "figures.json",
    "results.json",
    "parameters.json",
    "codebook.csv",
    "combinations.csv",
    "combinations.codebook.json",
    "estimates.csv",
    "questions.csv",
    "reports.csv",
    "summary.html",
)


kept = kept_once(lambda: answered(pilot_launch(release_threshold=5), 300))


def test_every_page_of_results_and_every_download(client, launch):
    sign_in(client)
    for tail in RESULTS:
        response = client.get(f"/s/{launch.survey.slug}/results/{tail}")
        assert response.status_code == 200, tail
    assert audit(launch.pk)[1] == []


def test_the_pages_of_its_author(client, launch):
    sign_in(client)
    for name in ("change", "preview", "share", "clusters"):
        assert client.get(page(launch.survey, name)).status_code == 200, name
    assert client.post(page(launch.survey, "close"), {}).status_code in (200, 302)


def test_no_figures_of_a_device_of_its_own_are_shown(client, launch):
    text = visible_text(sign_in(client).get(page(launch.survey)).text)
    assert text.count("in random pairs") == 5
    assert "at most ε 4 about this answer; the question itself adds 2." in text
    assert "Compare mechanisms" not in text


def test_a_test_fill_recovers_the_truth_of_a_pilot(client, launch):
    address = page(launch.survey, "trial")
    form = sign_in(client).get(address).context["form"]
    shown = client.post(address, {field.html_name: field.value() for field in form})
    assert not shown.context["form"].errors
    assert len(shown.context["recovery"].blocks) == 6
    assert "There was time for" not in visible_text(shown.text)


def test_a_clone_of_a_pilot_is_a_pilot(client, launch):
    sign_in(client).post(page(launch.survey, "clone"))
    copy = Survey.objects.latest("pk")
    assert (is_pilot(copy), copy.is_draft) == (True, True)
    assert client.get(page(copy, "launch")).context["document"] is not None
    assert "one of 10 pairs" in visible_text(client.get(page(copy, "launch")).text)


def test_the_respondents_page_says_what_chance_does(client, launch):
    text = visible_text(client.get(launch.survey.get_absolute_url()).text)
    assert (
        "Chance picks 2 of the 5 sensitive questions for you, and one draw scrambles both answers."
        in text
    )
    german = pilot_launch(slug="deutsch", language="de").survey
    text = visible_text(client.get(german.get_absolute_url()).text)
    assert "Der Zufall wählt für Sie 2 der 5 heiklen Fragen" in text
