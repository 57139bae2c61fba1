"""The form of a new token for programs."""

from django import forms
from django.utils.functional import lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from surveys.forms.fields.author_texts import LineField
from surveys.models.api_token import LIFETIMES, MOST_IN_A_NAME, Scope


def _in_days(days: int) -> str:
    return ngettext("%s day", "%s days", days) % days


class ApiTokenForm(forms.Form):
    name = LineField(
        label=_("What it is for"),
        max_length=MOST_IN_A_NAME,
        help_text=_("Such as “Nightly download on the institute's server”; only you read it."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    scopes = forms.MultipleChoiceField(
        label=_("What it may do"),
        choices=Scope.choices,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Never more than your account may do at that moment."),
    )
    days = forms.TypedChoiceField(
        label=_("Void after"),
        coerce=int,
        initial=90,
        choices=[(days, lazy(_in_days, str)(days)) for days in LIFETIMES],
    )
