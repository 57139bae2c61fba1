"""The field of tiers in the form of a survey, and who reads which of them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.contrib.admin.options import InlineModelAdmin
from django.forms import Field
from django.utils.translation import gettext as _

from surveys.features.parts import DeskPart
from surveys.features.tiers.forms import save_tiers, tiers_field
from surveys.features.tiers.inline import ReadersInline
from surveys.features.tiers.reading import tiers_of, tiers_text, usual_tiers
from surveys.models import Question, Survey

FIELD = "tiers"


class TiersAtDesk(DeskPart):
    survey_field = FIELD
    rows = ("tiers",)

    def survey_fields(self) -> dict[str, Field]:
        field = tiers_field()
        field.widget.attrs["placeholder"] = usual_tiers()
        return {FIELD: field}

    def survey_initial(self, survey: Survey) -> dict[str, Any]:
        return {FIELD: tiers_of(survey)}

    def declared(self, survey: Survey) -> str:
        return tiers_text(tiers_of(survey))

    def save_survey(self, survey: Survey, cleaned: Mapping[str, Any]) -> None:
        save_tiers(survey=survey, tiers=cleaned[FIELD])

    def inlines(self, survey: Survey) -> list[type[InlineModelAdmin]]:
        """Return the readers, which may change at any time."""
        return [ReadersInline] if tiers_of(survey) else []

    def survey_problems(
        self, cleaned: Mapping[str, Any], posted: Mapping[str, Any], survey: Survey
    ) -> Iterator[tuple[str, str]]:
        has_tiers = bool(cleaned[FIELD]) if FIELD in cleaned else bool(tiers_of(survey))
        if has_tiers and cleaned.get("researchers"):
            message = _(
                "This survey has tiers, and each sees its own numbers. Name these people as "
                "readers of a tier, and nobody here."
            )
            yield "researchers", message

    def launch_facts(
        self, survey: Survey, questions: Sequence[Question]
    ) -> list[tuple[str, list[str]]]:
        lines = tiers_text(tiers_of(survey)).splitlines()
        return [(_("Tiers"), lines)] if lines else []
