"""The main survey that follows a pilot: the same questions, sent together by clusters."""

from decimal import Decimal

import msgspec
from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from surveys.authoring.addresses import free_address
from surveys.definitions import definition_of
from surveys.exceptions import NotReadyError, WrongStateError
from surveys.features.pilots.clusters import Plan
from surveys.features.pilots.settings import is_pilot, set_made_from, set_pilot
from surveys.models import Question, Survey
from surveys.services.definitions import store_features, unsaved_draft
from surveys.services.histories import note_addition


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
    definition = msgspec.structs.replace(
        definition_of(pilot),
        title=_("%s: main survey") % pilot.title[:140],
        address=free_address(f"{pilot.slug[:50].rstrip('-')}-main"),
        opens_at=None,
        closes_at=None,
        results_public=False,
        budget=total,
        planned_n=planned_n,
    )
    survey = unsaved_draft(definition, owner)
    survey.save()
    store_features(definition, survey)
    set_pilot(survey, False)
    set_made_from(survey, pilot.pk)
    survey.save()
    for question in plan.questions:
        question.survey = survey
    Question.objects.bulk_create(plan.questions)
    note_addition(survey, owner, _("Made from the pilot %s.") % pilot.slug)
    return survey
