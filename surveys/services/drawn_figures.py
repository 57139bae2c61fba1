"""The figures of a release in the languages of a page and of its texts: drawn once, and stored.

Of many requests at once, in any number of processes, one draws; the others wait for its figures.
A row for each launch, step and both languages is the cache and the claim at once.
"""

import json
import time
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db import IntegrityError, transaction
from django.utils import timezone, translation
from django.utils.crypto import salted_hmac

from surveys.languages import site_language
from surveys.models import DrawnFigures
from surveys.results.figures.questions import FORMAT, results_figures
from surveys.results.release import Release

# The age from which a claim is abandoned, and the seconds between two checks of those who wait.
GIVEN_UP = timedelta(seconds=20)
PAUSE = 0.05


class _FiguresKey(NamedTuple):
    launch_id: int
    step: int
    language: str
    texts: str
    version: str
    revision: int


def figures_of(release: Release, language: str) -> dict[str, Any]:
    """{key: Plotly figure} of the release, in `language` or else in the site's language."""
    return json.loads(figures_text(release, language))


def figures_text(release: Release, language: str) -> str:
    """The figures as JSON text, as they are stored and served."""
    language = site_language(language)
    launch, texts = release.launch, release.launch.language
    key = _FiguresKey(
        launch.pk, release.step, language, texts, figures_version(release), release.revision
    )
    kept = DrawnFigures.objects.filter(launch=launch, step=key.step, language=language, texts=texts)
    waited_until = timezone.now() + GIVEN_UP
    while timezone.now() < waited_until:
        row = kept.first()
        if row is not None and row.version == key.version and row.text:
            return row.text
        if row is not None and row.revision > key.revision:
            # A newer release was stored during this request.
            break
        claim = _claim(key, row)
        if claim is not None:
            return _draw_and_keep(release, key, claim)
        time.sleep(PAUSE)
    return _draw(release, language)


def figures_version(release: Release) -> str:
    """A version of the figures, which depends on the released numbers and on the drawing code.

    It is keyed, so that nobody can check a guess of numbers below the threshold.
    """
    truth = release.launch.survey.simulated_truth
    parts = json.dumps(
        [release.step, release.digest, release.threshold, truth, FORMAT], sort_keys=True
    )
    return salted_hmac("surveys.figures", parts, algorithm="sha256").hexdigest()


def _claim(key: _FiguresKey, row: DrawnFigures | None) -> datetime | None:
    """The time of a claim that this process obtained; None while another process draws."""
    now = timezone.now()
    if row is None:
        return _first_claim(key, now)
    if row.version == key.version and row.claimed_at > now - GIVEN_UP:
        return None
    same = DrawnFigures.objects.filter(pk=row.pk, version=row.version, claimed_at=row.claimed_at)
    changes = {"version": key.version, "revision": key.revision, "text": ""}
    return now if same.update(**changes, claimed_at=now) else None


def _first_claim(request: _FiguresKey, now: datetime) -> datetime | None:
    try:
        with transaction.atomic():
            DrawnFigures.objects.create(**request._asdict(), claimed_at=now)
    except IntegrityError:
        return None
    return now


def _draw_and_keep(release: Release, request: _FiguresKey, claim: datetime) -> str:
    claimed_row = DrawnFigures.objects.filter(**request._asdict(), claimed_at=claim)
    try:
        text = _draw(release, request.language)
    except BaseException:
        # Requests that wait need not wait for an abandoned claim.
        claimed_row.delete()
        raise
    claimed_row.update(text=text)
    return text


def _draw(release: Release, language: str) -> str:
    if release.content is None:
        raise ValueError("nothing is released that could be drawn")
    with translation.override(language):
        figures = results_figures(release.content, release.launch.survey.simulated_truth)
    return json.dumps(figures, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
