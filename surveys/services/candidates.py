"""The candidates of a launched question: who looked for which texts, and when."""

from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from surveys import jobs, spreadsheets
from surveys.exceptions import NotReadyError, WrongStateError
from surveys.kinds import KINDS
from surveys.kinds.normal_texts import normal_form
from surveys.models import Candidates, Launch, Survey
from surveys.services.results import RECOMPUTE

MOST_CANDIDATES = 2_000
# Lists that are kept of one question: a change beyond is refused, as none may be lost.
MOST_LISTS = 200


def record_first_candidates(*, launch: Launch, actor: User | None) -> None:
    """Begin with the lists that the draft of a survey has, when it is launched."""
    if not (names := text_questions(launch)):
        return
    listed = dict(launch.survey.questions.values_list("name", "candidates"))
    Candidates.objects.bulk_create(
        Candidates(survey=launch.survey, question=name, number=1, texts=listed[name], actor=actor)
        for name in names
        if listed.get(name)
    )


def text_questions(launch: Launch) -> list[str]:
    """The questions of a launch that take a text, in their order."""
    questions = launch.parameters.questions
    return [question.id for question in questions if KINDS[question.kind].free_text]


@transaction.atomic
def change_candidates(
    *, survey: Survey, question: str, texts: Sequence[str], actor: User | None
) -> Candidates | None:
    """Look for these texts from now on, and have the results computed again; None for no change.

    Raises NotReadyError for a list that cannot be looked for, WrongStateError for a survey or a
    question that has none.
    """
    survey = Survey.objects.select_for_update().get(pk=survey.pk)
    launch = survey.current_launch()
    if launch is None or question not in text_questions(launch):
        raise WrongStateError(_("Only a short text of a launched survey has candidates."))
    _check(texts)
    last = survey.candidates.filter(question=question).last()
    if list(texts) == (last.texts if last else []):
        return None
    number = last.number + 1 if last else 1
    if number > MOST_LISTS:
        raise NotReadyError([_("This question has had too many lists already.")])
    changed = Candidates.objects.create(
        survey=survey, question=question, number=number, texts=list(texts), actor=actor
    )
    # The revision names the state of what results follow from, which this list is a part of.
    survey.launches.filter(revision__gt=0).update(revision=F("revision") + 1)
    jobs.request(RECOMPUTE, launch.pk)
    return changed


def _check(texts: Sequence[str]) -> None:
    if len(texts) > MOST_CANDIDATES:
        raise NotReadyError([_("A list has up to %s candidates.") % MOST_CANDIDATES])
    words = [normal_form(text) for text in texts]
    if not all(words):
        raise NotReadyError([_("A candidate has no character that can be seen.")])
    for text in filter(spreadsheets.is_formula, texts):
        message = _("“%s” begins like a formula, which a spreadsheet would compute.")
        raise NotReadyError([message % text[:60]])
    if len(set(words)) < len(words):
        raise NotReadyError([_("Two candidates are the same text.")])
