"""Checks of rankings: that they are scrambled."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from surveys.authoring.checks.epsilon import Finding
from surveys.kinds import KINDS
from surveys.models import Question, Survey
from surveys.parameters import RANKING


def ranking(survey: Survey, question: Question) -> Iterator[Finding]:
    kind = KINDS.get(question.kind)
    if kind is None or kind.control != RANKING or question.randomized:
        return
    message = _("A ranking must be sensitive: an order is never stored as it is.")
    yield Finding.of(question, "no_device", message, blocks=True)
