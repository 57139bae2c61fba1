"""The field of tiers in the form of a survey, and who reads which of them."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from surveys.admin.overview import Tool, tool_of
from surveys.features.parts import DeskPart, Facts, OwnField, Place, TypedSurvey
from surveys.features.tiers.forms import save_tiers, tiers_field
from surveys.features.tiers.pages import tier_readers
from surveys.features.tiers.reading import tiers_of, tiers_text
from surveys.models import Question, Survey

FIELD = "tiers"


class TiersAtDesk(DeskPart):
    pages = {"tier_readers": ("readers/", tier_readers)}
    survey_field = OwnField(
        FIELD, tiers_field, read=tiers_of, store=save_tiers, text=tiers_text, rows="tiers"
    )

    def tools(self, survey: Survey) -> list[Tool]:
        """Return the page of readers, which may change at any time."""
        place = Place.LOOKING if survey.is_draft else Place.CHANGING
        label = _("Readers of tiers")
        return [tool_of(survey, "tier_readers", label, place=place)] if tiers_of(survey) else []

    def survey_problems(self, typed: TypedSurvey) -> Iterator[tuple[str, str]]:
        cleaned = typed.cleaned
        tiers = cleaned[FIELD] if FIELD in cleaned else tiers_of(typed.survey)
        if tiers and cleaned.get("researchers"):
            message = _(
                "This survey has tiers, and each sees its own numbers. Name these people as "
                "readers of a tier, and nobody here."
            )
            yield "researchers", message

    def launch_facts(self, survey: Survey, questions: Sequence[Question]) -> Facts:
        lines = tiers_text(tiers_of(survey)).splitlines()
        return [(_("Tiers"), lines)] if lines else []
