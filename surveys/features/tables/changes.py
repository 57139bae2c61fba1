"""Adding a cross-table to a draft, and taking one away."""

from django.db import transaction
from django.utils.translation import gettext as _

from surveys.features.settings import write_settings
from surveys.features.tables.section import NAME
from surveys.features.tables.settings import DeclaredTables, tables_of
from surveys.models import Survey
from surveys.services.transitions import lock_draft


@transaction.atomic
def add_table(*, survey: Survey, pair: tuple[str, str]) -> bool:
    """Declare a table; return whether the answers of one person had to be put together for it."""
    survey = _locked(survey)
    pairs = tables_of(survey)
    if pair not in pairs:
        write_settings(survey, NAME, DeclaredTables((*pairs, pair)))
    was_apart = survey.linkage == Survey.Linkage.APART
    survey.linkage = Survey.Linkage.TOGETHER
    survey.save(update_fields=["features", "linkage"])
    return was_apart


@transaction.atomic
def remove_table(*, survey: Survey, pair: tuple[str, str]) -> bool:
    """Take a table away; return whether it was there."""
    survey = _locked(survey)
    pairs = tables_of(survey)
    if pair not in pairs:
        return False
    write_settings(survey, NAME, DeclaredTables(tuple(each for each in pairs if each != pair)))
    survey.save(update_fields=["features"])
    return True


def _locked(survey: Survey) -> Survey:
    return lock_draft(survey, _("The survey has been launched already."))
