"""Figures are drawn once for each language and each state of the results, when somebody asks."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from surveys.models import DrawnFigures
from surveys.results.release import _apply_threshold, release_of
from surveys.services import drawn_figures
from surveys.services.results import refresh_results
from tests.released import QUESTIONS, answer, released, varied

pytestmark = pytest.mark.django_db


@pytest.fixture
def launch():
    return released(varied(30), questions=QUESTIONS, results_public=True)


@pytest.fixture
def drawings(monkeypatch):
    """The list of drawings, in order."""
    drawings_done, draw = [], drawn_figures.results_figures

    def note_drawing(*args):
        drawings_done.append(args)
        return draw(*args)

    monkeypatch.setattr(drawn_figures, "results_figures", note_drawing)
    return drawings_done


def get(client, launch, language="en", **headers):
    address = reverse("results-figures", args=[launch.survey.slug])
    return client.get(address, headers={"Accept-Language": language, **headers})


def test_a_recompute_draws_nothing(launch):
    assert not DrawnFigures.objects.exists()
    assert launch.results.get().digest


def test_the_first_reader_of_a_language_has_them_drawn(client, launch, drawings):
    first, second = get(client, launch), get(client, launch)
    assert first.content == second.content
    assert set(first.json()["figures"]) == {"drug", "absence", "permanent", "bribe"}
    assert len(drawings) == 1
    german = get(client, launch, "de").json()["figures"]["drug"]
    assert "Rohmeldungen" in json.dumps(german)
    assert (len(drawings), DrawnFigures.objects.count()) == (2, 2)
    assert get(client, launch).content == first.content


def test_a_reader_of_another_language_shares_those_of_the_site(client, launch, drawings):
    assert get(client, launch, "fr").content == get(client, launch).content
    assert drawn_figures.figures_text(release_of(launch), "fr") == (
        DrawnFigures.objects.get(language="en").text
    )
    assert len(drawings) == 1


def test_whoever_has_them_is_sent_nothing(client, launch, drawings):
    first = get(client, launch)
    etag = first["ETag"]
    response = get(client, launch, **{"If-None-Match": etag})
    assert (response.status_code, response.content, response["ETag"]) == (304, b"", etag)
    assert get(client, launch, "de", **{"If-None-Match": etag}).status_code == 200


def test_newer_results_are_drawn_anew_in_the_same_row(client, launch, drawings):
    first = get(client, launch)
    answer(launch, varied(12))
    refresh_results(launch_id=launch.pk)
    second = get(client, launch, **{"If-None-Match": first["ETag"]})
    assert second.status_code == 200
    assert second.json()["figures"] != first.json()["figures"]
    assert len(drawings) == 2
    row = DrawnFigures.objects.get()
    assert row.revision == release_of(launch).revision > 20


def test_results_computed_again_from_the_same_counts_are_not_drawn_again(client, launch, drawings):
    first = get(client, launch)
    launch.results.get().delete()
    refresh_results(launch_id=launch.pk)
    assert get(client, launch).json()["figures"] == first.json()["figures"]
    assert len(drawings) == 1


def test_a_threshold_that_is_higher_shows_other_figures(launch):
    """20 of 30 people answered about bribes."""
    low = release_of(launch)
    high = replace(low, threshold=25, content=_apply_threshold(low.content, 25))
    assert set(drawn_figures.figures_of(low, "en")) == {"drug", "absence", "permanent", "bribe"}
    assert set(drawn_figures.figures_of(high, "en")) == {"drug", "absence", "permanent"}


# --- several processes --------------------------------------------------------------------------


def figures_key(launch):
    release = release_of(launch)
    version = drawn_figures.figures_version(release)
    return drawn_figures._FiguresKey(launch.pk, 0, "en", "", version, release.responses)


def test_of_two_first_claims_one_holds(launch):
    claims = [drawn_figures._claim(figures_key(launch), None) for _ in range(2)]
    assert [claim is None for claim in claims] == [False, True]


def test_of_two_claims_on_an_older_row_one_holds(launch):
    drawn_figures.figures_text(release_of(launch), "en")
    DrawnFigures.objects.update(version="older", revision=1)
    row = DrawnFigures.objects.get()
    claims = [drawn_figures._claim(figures_key(launch), row) for _ in range(2)]
    assert [claim is None for claim in claims] == [False, True]


def test_whoever_comes_while_another_draws_waits_for_that(launch, drawings, monkeypatch):
    drawn_figures._claim(figures_key(launch), None)
    monkeypatch.setattr(
        drawn_figures.time, "sleep", lambda _seconds: DrawnFigures.objects.update(text='{"q": 1}')
    )
    assert drawn_figures.figures_of(release_of(launch), "en") == {"q": 1}
    assert drawings == []


@pytest.mark.django_db(transaction=True)
def test_many_readers_at_once_cost_one_drawing(drawings):
    """Each over a connection of its own; SQLite in memory has one at a time."""
    release = release_of(released(varied(30), questions=QUESTIONS))

    def read(_number):
        try:
            return drawn_figures.figures_text(release, "en")
        finally:
            connection.close()

    if connection.vendor == "postgresql":
        with ThreadPoolExecutor(8) as readers:
            texts = list(readers.map(read, range(16)))
    else:
        texts = [drawn_figures.figures_text(release, "en") for _ in range(16)]
    assert len(set(texts)) == len(drawings) == 1


def test_a_claim_whose_process_ended_is_taken_over(launch, drawings):
    drawn_figures._claim(figures_key(launch), None)
    long_ago = timezone.now() - drawn_figures.GIVEN_UP - timedelta(seconds=1)
    DrawnFigures.objects.update(claimed_at=long_ago)
    assert drawn_figures.figures_of(release_of(launch), "en")
    assert len(drawings) == 1
    assert DrawnFigures.objects.get().text


def test_a_drawing_that_fails_leaves_no_claim(launch, monkeypatch):
    def failing(*_args):
        raise ZeroDivisionError

    with monkeypatch.context() as patched:
        patched.setattr(drawn_figures, "results_figures", failing)
        with pytest.raises(ZeroDivisionError):
            drawn_figures.figures_text(release_of(launch), "en")
    assert not DrawnFigures.objects.exists()
    assert drawn_figures.figures_of(release_of(launch), "en")


def test_a_request_that_began_before_newer_results_replaces_nothing(launch, drawings):
    older = release_of(launch)
    answer(launch, varied(12))
    refresh_results(launch_id=launch.pk)
    newer = drawn_figures.figures_text(release_of(launch), "en")
    assert drawn_figures.figures_text(older, "en") != newer
    assert DrawnFigures.objects.get().text == newer
    assert len(drawings) == 2


def test_a_version_tells_nothing_to_who_guesses_the_numbers(launch, settings):
    version = drawn_figures.figures_version(release_of(launch))
    settings.SECRET_KEY = "another"
    assert drawn_figures.figures_version(release_of(launch)) != version
