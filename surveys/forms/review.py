"""The form of a new link for review."""

from django import forms
from django.utils.translation import gettext_lazy as _

from surveys.forms.fields.author_texts import LineField
from surveys.models.review_link import MOST_IN_A_NAME


class ReviewLinkForm(forms.Form):
    name = LineField(
        label=_("For whom"),
        max_length=MOST_IN_A_NAME,
        help_text=_("Such as “Ethics committee”; only you read it."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
