"""The main survey that follows a pilot: the same questions, sent together by clusters."""

from decimal import Decimal

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from surveys.exceptions import NotReadyError, WrongStateError
from surveys.features.pilots.clusters import Plan
from surveys.features.pilots.settings import is_pilot, set_made_from, set_pilot
from surveys.models import Question, Survey
from surveys.services.clones import blank_copy, free_slug


@transaction.atomic
def make_main_survey(
    *, pilot: Survey, plan: Plan, total: Decimal, planned_n: int, owner: User
) -> Survey:
    """A new draft with the planned questions; nothing of the pilot changes.

    Raises NotReadyError with what stands against its clusters.
    """
    if pilot.is_draft or not is_pilot(pilot):
        raise WrongStateError(_("Only a launched pilot has a main survey."))
    if plan.problems:
        raise NotReadyError(plan.problems)
    survey = blank_copy(pilot, owner)
    survey.title = _("%s: main survey") % pilot.title[:140]
    survey.slug = _address(pilot.slug)
    set_pilot(survey, False)
    set_made_from(survey, pilot.pk)
    survey.budget, survey.planned_n = total, planned_n
    survey.save()
    for question in plan.questions:
        question.survey = survey
    Question.objects.bulk_create(plan.questions)
    return survey


def _address(slug: str) -> str:
    stem = f"{slug[:50].rstrip('-')}-main"
    return free_slug(stem) if Survey.objects.filter(slug=stem).exists() else stem
