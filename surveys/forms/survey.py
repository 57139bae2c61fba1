"""The texts, schedule, budget and readers of a survey."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.authoring.addresses import (
    free_address,
    is_address,
    is_proposed,
    proposed_address,
)
from surveys.authoring.features import clash_words
from surveys.features import FEATURES
from surveys.features.parts import TypedSurvey
from surveys.forms.fields.author_texts import LineField, ParagraphsField
from surveys.forms.fields.moments import TIME_ZONE, MomentField
from surveys.forms.fields.survey_features import SurveyFeatureFields
from surveys.models import Survey
from surveys.parameters.budget import text_of
from surveys.people import person_label


class SurveyForm(SurveyFeatureFields, forms.ModelForm):
    language = forms.ChoiceField(
        label=gettext_lazy("Language"),
        choices=lambda: list(settings.RESPONDENT_LANGUAGES),
        help_text=gettext_lazy("The language that respondents read."),
    )
    opens_at = MomentField(
        label=gettext_lazy("Opens"),
        required=False,
        help_text=format_lazy(
            "{} {}", gettext_lazy("Leave it empty to open with the launch."), TIME_ZONE
        ),
    )
    closes_at = MomentField(
        label=gettext_lazy("Closes"),
        required=False,
        help_text=format_lazy("{} {}", gettext_lazy("Leave it empty to close by hand."), TIME_ZONE),
    )

    class Meta:
        model = Survey
        exclude = ["state", "simulated_truth"]  # noqa: DJ006
        field_classes = {
            "title": LineField,
            **dict.fromkeys(
                ("introduction", "consent", "contact", "budget_reason", "precision_reason"),
                ParagraphsField,
            ),
        }
        widgets = {
            "introduction": forms.Textarea(attrs={"rows": 4}),
            "consent": forms.Textarea(attrs={"rows": 4}),
            "contact": forms.Textarea(attrs={"rows": 2}),
            "budget_reason": forms.Textarea(attrs={"rows": 2}),
            "precision_reason": forms.Textarea(attrs={"rows": 2}),
            "population": forms.RadioSelect,
            "mode": forms.RadioSelect,
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.instance.is_draft:
            # Declared here, so that the page's own list of fields does not leave them out.
            self.fields.pop("language", None)
        self.initial["budget"] = text_of(self.instance.budget)
        if "slug" in self.fields:
            # In `clean_slug` a wrong or taken address gets another one proposed.
            self.fields["slug"].validators = []
        if "researchers" in self.fields:
            researchers: Any = self.fields["researchers"]
            researchers.label_from_instance = person_label
            researchers.help_text = _(
                "People who may see the results and download the reports. Search by the whole user "
                "name, mail address, or first and last name; a part of it finds nobody."
            )

    def clean_slug(self) -> str:
        """Refuse what is no address, so that no link is made from it, and what another one has."""
        slug: str = self.cleaned_data["slug"]
        if not is_address(slug):
            message = _(
                "An address has lower-case letters, digits and single hyphens, 64 at most, such as "
                "“%s”."
            )
            raise ValidationError(message % proposed_address(slug), code="invalid")
        if Survey.objects.filter(slug=slug).exclude(pk=self.instance.pk).exists():
            message = _("Another survey has this address already. “%s” is free.")
            raise ValidationError(message % free_address(slug), code="unique")
        return slug

    def clean_embed_origins(self) -> str:
        return " ".join(_origin(text) for text in self.cleaned_data["embed_origins"].split())

    def clean(self) -> dict[str, Any]:
        super().clean()
        cleaned = self.cleaned_data
        self._follow_title(cleaned)
        self._check_times(cleaned)
        self._check_features(cleaned)
        return cleaned

    def save(self, commit: bool = True) -> Any:
        """Store what features have in rows of their own too."""
        saved = super().save(commit=commit)
        if commit:
            self.store_features(in_rows=True)
        return saved

    def _follow_title(self, cleaned: dict[str, Any]) -> None:
        """Propose another address with another title, until its author writes one."""
        if "title" not in self.changed_data or "slug" in self.changed_data or self.errors:
            return
        before = self.initial.get("title", "")
        if self.instance.is_draft and is_proposed(self.initial.get("slug", ""), before):
            cleaned["slug"] = proposed_address(cleaned["title"])

    def _check_features(self, cleaned: dict[str, Any]) -> None:
        typed = TypedSurvey(cleaned, self.instance)
        for feature in FEATURES.values():
            for field, message in feature.desk.survey_problems(typed):
                self.add_error(field, message)
        for field, message in _clashes(typed):
            self.add_error(field, message)

    def _check_times(self, cleaned: dict[str, Any]) -> None:
        for name in {"opens_at", "closes_at"} & cleaned.keys() - set(self.changed_data):
            cleaned[name] = getattr(self.instance, name)
        opens = cleaned.get("opens_at")
        closes = cleaned.get("closes_at")
        if closes is None or "closes_at" not in self.changed_data:
            return
        if closes <= timezone.now():
            self.add_error("closes_at", _("This time has passed. Choose a later one, or none."))
        elif opens is not None and closes <= opens:
            self.add_error("closes_at", _("The survey must close after it opens."))


def _clashes(typed: TypedSurvey) -> Iterator[tuple[str, str]]:
    """Yield the fields of features that do not go with another one, once this is saved."""
    used = [feature for feature in FEATURES.values() if feature.is_typed(typed)]
    for one, other in combinations(used, 2):
        field = one.survey_field or other.survey_field
        if field and (words := clash_words(one, other)):
            yield field, words


def _origin(text: str) -> str:
    """A scheme and a host, as `frame-ancestors` takes it; this goes into a response header."""
    try:
        parts = urlsplit(text)
        port = f":{parts.port}" if parts.port else ""
        host = (parts.hostname or "").encode("idna").decode()
    except ValueError:
        parts, port, host = urlsplit(""), "", ""
    remainder = parts.path.rstrip("/") or parts.query or parts.fragment or parts.username
    plain = all(char.isalnum() or char in "-." for char in host)
    if parts.scheme not in ("https", "http") or not host or not plain:
        raise ValidationError(_("“%s” is not a full address. Write https://example.org.") % text)
    if remainder:
        raise ValidationError(
            _("“%s” is more than the address of a site. Write https://example.org, without a path.")
            % text
        )
    return f"{parts.scheme}://{host}{port}"
