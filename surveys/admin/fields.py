"""The fields that the change page shows, and those that stay editable after launch."""

from collections.abc import Callable
from functools import cache
from itertools import starmap
from typing import Any

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from surveys import numbers
from surveys.features.parts import OwnField
from surveys.forms.fields.survey_features import survey_field_names, survey_fields
from surveys.models import Survey

# None of these shapes an answer. All other fields are frozen, here and by database triggers.
EDITABLE_AFTER_LAUNCH = frozenset(
    {
        "opens_at",
        "closes_at",
        "planned_n",
        "results_public",
        "embed_origins",
        "researchers",
        "owner",
    }
)


def fieldsets_of(survey: Survey | None, *, superuser: bool) -> list[tuple[Any, dict[str, Any]]]:
    draft = survey is None or survey.is_draft
    language = "language" if draft else "language_name"
    budget = "budget" if draft else "total_budget"
    texts = ("title", "slug", language, "layout", "introduction", "consent", "contact")
    readers = ("results_public", "researchers", "embed_origins")
    launched = survey_fields().items()
    return [
        (_("Texts"), {"fields": texts}),
        (_("Schedule"), {"fields": ("opens_at", "closes_at")}),
        (
            _("Privacy and plan"),
            {
                "fields": (
                    budget,
                    "budget_reason",
                    "planned_n",
                    "precision_reason",
                    "population",
                    "mode",
                    "linkage",
                    *(survey_field_names() if draft else starmap(_display, launched)),
                    "release_threshold",
                    "release_batch",
                )
            },
        ),
        (_("Access"), {"fields": (*readers, "owner") if superuser else readers}),
    ]


@cache
def _display(feature_name: str, field: OwnField) -> Callable[[Survey], str]:
    """Return what stands in place of the field of a feature once a survey is launched.

    It is one function for each: Django asks whether a field is among the others.
    """

    def declared(survey: Survey) -> str:
        return field.text(field.read(survey)) or numbers.UNKNOWN

    declared.__name__ = f"declared_{feature_name}"
    return admin.display(description=field.make().label)(declared)
