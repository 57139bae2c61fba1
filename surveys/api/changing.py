"""Changes of a draft by programs: each is a version in its history, as that of a page is."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction
from django.http import HttpRequest

from surveys.api.keys import user_of
from surveys.models import Survey
from surveys.services.histories import note_change
from surveys.services.revisions import note_revision


@contextmanager
def changing(request: HttpRequest, survey: Survey, message: str) -> Iterator[None]:
    """Keep what a survey was and what it becomes; nothing of it where the change is refused."""
    with transaction.atomic():
        note_revision(survey=survey, actor=None)
        yield
        note_revision(survey=survey, actor=user_of(request))
        note_change(survey, user_of(request), message)
