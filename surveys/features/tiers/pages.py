"""The page of the readers of the results of each tier, before launch and after."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from surveys.admin.pages.page import log_and_say, render_page, survey_page, to_change_page
from surveys.admin.people import PeopleField, PeopleSelect, people_of
from surveys.admin.saves.draft_conflicts import (
    conflict_context,
    refusal_words,
    seen_text,
    settle,
)
from surveys.features.tiers.models import Tier
from surveys.models import Survey
from surveys.people import person_label

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin


class ReadersForm(forms.Form):
    """A field for each tier, the lowest first. `refusal`: why nothing is stored."""

    refusal = ""

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if self.refusal:
            self.add_error(None, self.refusal)
        return cleaned


@survey_page("GET", "POST")
def tier_readers(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    tiers = list(Tier.objects.filter(survey=survey).order_by("position", "pk"))
    if not tiers:
        return to_change_page(survey)
    stored = _form(model_admin, request, survey, tiers, None)
    conflicts = settle(request, stored).conflicts if request.method == "POST" else []
    posted = request.POST if request.method == "POST" else None
    form = _form(model_admin, request, survey, tiers, posted)
    form.refusal = refusal_words() if conflicts else ""
    if form.is_valid():
        with transaction.atomic():
            for tier in tiers:
                tier.readers.set(form.cleaned_data[_name(tier)])
        log_and_say(model_admin, request, survey, _("The readers of the tiers are stored."))
        return redirect("admin:survey_tier_readers", survey.pk)
    return render_page(
        model_admin,
        request,
        survey,
        "features/tiers/readers.html",
        title=_("Readers of tiers"),
        form=form,
        media=model_admin.media + form.media,
        seen=seen_text(stored),
        **conflict_context(conflicts),
    )


def _form(
    model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey, tiers: list[Tier], data: Any
) -> ReadersForm:
    form = ReadersForm(data)
    for tier in tiers:
        readers: Any = Tier._meta.get_field("readers")
        field: Any = PeopleField(
            queryset=people_of(request, survey.pk),
            label=tier.name,
            required=False,
            widget=PeopleSelect(readers, model_admin.admin_site),
            initial=list(User.objects.filter(readable_tiers=tier)),
        )
        field.label_from_instance = person_label
        form.fields[_name(tier)] = field
    return form


def _name(tier: Tier) -> str:
    return f"readers_{tier.pk}"
