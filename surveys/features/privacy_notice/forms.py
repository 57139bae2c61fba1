"""The fields about the site in the form of a survey, and the form of the site's own texts."""

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy

from surveys.features.privacy_notice.models import MOST_CHARACTERS, SiteNotice
from surveys.features.privacy_notice.section import KEYS
from surveys.features.privacy_notice.settings import LABELS

AS_THE_SITE = gettext_lazy(
    "Respondents read it under “Who asks”. Leave it empty to say what the site says."
)


def field_name(key: str) -> str:
    """Return the name of a field in the form of a survey."""
    return f"notice_{key}"


def text_field(key: str) -> forms.CharField:
    return forms.CharField(
        label=LABELS[key],
        required=False,
        max_length=MOST_CHARACTERS,
        widget=forms.Textarea(attrs={"rows": 2, "cols": 40}),
        help_text=AS_THE_SITE,
    )


class SiteNoticeForm(forms.ModelForm):
    class Meta:
        model = SiteNotice
        fields = ["language", *KEYS]
        widgets = dict.fromkeys(KEYS, forms.Textarea(attrs={"rows": 4, "cols": 60}))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "language" in self.fields:
            self.fields["language"] = forms.ChoiceField(
                label=gettext_lazy("Language"), choices=settings.RESPONDENT_LANGUAGES
            )
