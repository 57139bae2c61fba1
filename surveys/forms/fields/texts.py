"""The fields of a short text: how long it may be, and the candidates that are looked for."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.forms.candidates import CandidatesField
from surveys.kinds import KINDS

USUAL_CHARACTERS, MOST_CHARACTERS = 64, 200
TEXT_FIELDS = ("characters", "candidates")


class TextFields(forms.Form):
    """They count for a short text only; of any other kind what was typed is forgotten."""

    characters = forms.IntegerField(
        label=gettext_lazy("Longest answer, in characters"),
        required=False,
        min_value=1,
        max_value=MOST_CHARACTERS,
        initial=USUAL_CHARACTERS,
    )
    candidates = CandidatesField(
        label=gettext_lazy("Candidates"),
        help_text=gettext_lazy(
            "The texts that results will look for, one per line. The list is not shown to "
            "respondents; it may stay empty, and be written or changed after the answers came in."
        ),
    )

    def fit_text(self, cleaned: dict[str, Any]) -> None:
        kind = KINDS.get(cleaned.get("kind") or "")
        if kind is None or not kind.free_text:
            for name in TEXT_FIELDS:
                self.errors.pop(name, None)
            cleaned |= {"characters": USUAL_CHARACTERS, "candidates": []}
            return
        cleaned["characters"] = cleaned.get("characters") or USUAL_CHARACTERS
        if kind.always_scrambled and cleaned.get("randomized") is False:
            message = _(
                "A text can give away who wrote it, so it is never stored as it is: choose "
                "“Sensitive”."
            )
            self.add_error("randomized", message)
