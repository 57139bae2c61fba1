"""The fields that the change page shows, and those that stay editable after launch."""

from typing import Any

from django.utils.translation import gettext_lazy as _

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
    tables = "cross_tables" if draft else "declared_tables"
    tiers = "tiers" if draft else "declared_tiers"
    texts = ("title", "slug", language, "layout", "introduction", "consent", "contact")
    readers = ("results_public", "researchers", "embed_origins")
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
                    "pilot",
                    "population",
                    "mode",
                    "linkage",
                    tables,
                    tiers,
                    "release_threshold",
                    "release_batch",
                )
            },
        ),
        (_("Access"), {"fields": (*readers, "owner") if superuser else readers}),
    ]
