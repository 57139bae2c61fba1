"""Tiers, one per line; saved as rows, of which those that keep their name keep their readers."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from surveys.features.tiers.models import Tier as TierRow
from surveys.features.tiers.reading import parse_tiers, tier_problems, tiers_text, usual_tiers
from surveys.features.tiers.section import Tier
from surveys.models import Survey


class TiersField(forms.CharField):
    """Shows tiers as lines and reads lines as tiers, the lowest first."""

    def __init__(self, **kwargs: Any) -> None:
        # Leading blank lines are kept, so that errors have the line numbers of the field.
        widget = forms.Textarea(attrs={"rows": 3, "cols": 40})
        super().__init__(widget=widget, strip=False, **kwargs)

    def prepare_value(self, value: Any) -> Any:
        return tiers_text(value) if isinstance(value, tuple) else value

    def clean(self, value: Any) -> tuple[Tier, ...]:
        tiers, problems = parse_tiers(super().clean(value))
        problems = problems or [*tier_problems(tiers)]
        if problems:
            raise forms.ValidationError(problems)
        return tiers

    def has_changed(self, initial: Any, data: Any) -> bool:
        tiers, problems = parse_tiers(data or "")
        return bool(problems) or tiers != (initial or ())


def tiers_field() -> TiersField:
    field = TiersField(
        label=gettext_lazy("Tiers"),
        required=False,
        help_text=gettext_lazy(
            "Only if some may see more than others: one group of readers per line, the lowest "
            "first, with its share of every epsilon, such as “The public: 0.25”. Each respondent "
            "then sends a version for each of them, and all versions together reveal no more than "
            "the last one. The last share is 1. It cannot be changed after launch."
        ),
    )
    field.widget.attrs["placeholder"] = usual_tiers()
    return field


def save_tiers(survey: Survey, tiers: tuple[Tier, ...]) -> None:
    """Make the rows of a draft what its author has written."""
    TierRow.objects.filter(survey=survey).exclude(name__in=[tier.name for tier in tiers]).delete()
    for position, tier in enumerate(tiers):
        values = {"position": position, "share": tier.share}
        TierRow.objects.update_or_create(survey=survey, name=tier.name, defaults=values)
