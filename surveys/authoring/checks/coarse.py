"""Questions that can find nothing: such a survey is launched only with a reason, which is kept."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.author_texts import reader_key
from surveys.authoring.checks.epsilon import Finding
from surveys.authoring.features import selection_of
from surveys.authoring.limits import COARSE_MARGIN, people_for
from surveys.authoring.planning.figures import margin_at_planned_n
from surveys.kinds import KINDS, kind_of
from surveys.models import Question, Survey

MOST_NAMED = 5


def coarse(survey: Survey, questions: list[Question]) -> Iterator[Finding]:
    """One finding for all of them, with what would help; none once there is a reason."""
    margins = coarse_margins(survey, questions)
    if not margins or reader_key(survey.precision_reason):
        return
    named = [
        f"{name} ({numbers.margin(margin)})" for name, margin in list(margins.items())[:MOST_NAMED]
    ]
    if len(margins) > MOST_NAMED:
        named.append(_("and %s more") % numbers.count(len(margins) - MOST_NAMED))
    message = _(
        "With %(n)s respondents these questions can find nothing that could not be guessed: "
        "%(questions)s. For ± 25 points the worst one takes about %(people)s respondents. Plan for "
        "more, raise an epsilon, use fewer options or leave them out; or give the reason why they "
        "are asked all the same, which researchers will read."
    )
    worst = max(margins.values())
    values = {
        "n": numbers.count(survey.planned_n),
        "questions": ", ".join(named),
        "people": numbers.count(people_for(worst, COARSE_MARGIN, survey.planned_n)),
    }
    yield Finding("coarse_without_reason", message % values, blocks=True)


def coarse_margins(survey: Survey, questions: list[Question]) -> dict[str, float]:
    """The margins above the limit by question, of a number as a part of its range.

    Who asks each person a part of the questions is not after shares; of short texts and ties other
    checks say what can be found.
    """
    if selection_of(survey):
        return {}
    margins = {
        question.name: margin_at_planned_n(question, survey.planned_n)
        for question in questions
        if question.randomized and question.kind in KINDS and kind_of(question).has_margin
    }
    return {
        name: margin
        for name, margin in margins.items()
        if margin is not None and margin > COARSE_MARGIN
    }
