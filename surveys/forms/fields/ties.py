"""The field of a question about members: whether its ties have a direction."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.kinds import KINDS

DIRECTIONS = (
    (
        True,
        gettext_lazy(
            "One way: if Ana names Bo, Bo need not name Ana, as in “Whom do you ask for advice?”"
        ),
    ),
    (
        False,
        gettext_lazy(
            "Both ways: if Ana and Bo are tied, both would name the other, as in “With whom do "
            "you share a room?”"
        ),
    ),
)


class TieFields(forms.Form):
    """The direction of ties, which is forgotten for any question that is not about members."""

    directed = forms.TypedChoiceField(
        label=gettext_lazy("Ties go"),
        choices=DIRECTIONS,
        # A value that is not posted, as by another page, is that of a new question.
        coerce=lambda value: str(value) != "False",
        initial=True,
        required=False,
        widget=forms.RadioSelect,
    )

    def fit_ties(self, cleaned: dict[str, Any]) -> None:
        kind = KINDS.get(cleaned.get("kind") or "")
        if kind is None or not kind.about_members:
            self.errors.pop("directed", None)
            cleaned["directed"] = True
            return
        cleaned["directed"] = cleaned.get("directed") is not False
        if cleaned.get("randomized") is False:
            message = _(
                "It is known who answers, so ties are never stored as they are: choose “Sensitive”."
            )
            self.add_error("randomized", message)
