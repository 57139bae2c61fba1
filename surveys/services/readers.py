"""Readers of a survey's results whom its authors name, beside those that features name."""

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from surveys.exceptions import CollaborationError
from surveys.features import FEATURES
from surveys.features.parts import TypedSurvey
from surveys.models import Survey
from surveys.people import person_label


@transaction.atomic
def add_reader(*, survey: Survey, user: User) -> None:
    """Let somebody see the results and have the reports; raises CollaborationError."""
    survey = Survey.objects.select_for_update().get(pk=survey.pk)
    if survey.researchers.filter(pk=user.pk).exists():
        raise CollaborationError(_("%s reads the results already.") % person_label(user))
    # What the form of the survey says of such a change.
    typed = TypedSurvey({"researchers": [*survey.researchers.all(), user]}, survey)
    for feature in FEATURES.values():
        for field, message in feature.desk.survey_problems(typed):
            if field == "researchers":
                raise CollaborationError(str(message))
    survey.researchers.add(user)


def remove_reader(*, survey: Survey, user_id: int) -> User:
    """Take somebody off those who read the results; raises CollaborationError."""
    user = survey.researchers.filter(pk=user_id).first()
    if user is None:
        raise CollaborationError(_("This person is no reader of the results any more."))
    survey.researchers.remove(user)
    return user
