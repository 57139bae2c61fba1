"""The second step of a draft: its settings. After launch it is the survey's own page."""

from typing import TYPE_CHECKING, Any

from django.contrib.admin.utils import flatten_fieldsets
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from surveys.admin.editor.posts import (
    is_script,
    posted_texts,
    refused_answer,
    saved_answer,
    seen_of,
    taken_words,
)
from surveys.admin.editor.steps import SETTINGS, steps_of
from surveys.admin.fields import EDITABLE_AFTER_LAUNCH, fieldsets_of
from surveys.admin.pages.page import author_of, render_page, survey_page
from surveys.admin.saves.error_summary import form_errors
from surveys.admin.saves.kept_posts import mark_of
from surveys.admin.saves.posted_seen import read_seen
from surveys.forms.fields.shown_values import posted_values, readable
from surveys.forms.fields.survey_features import unused_field_names
from surveys.forms.sheets import Sheet
from surveys.forms.survey import SurveyForm
from surveys.models import Survey
from surveys.people import person_label
from surveys.services.editing import choose_setting, save_settings
from surveys.views.frozen import feature_facts, frozen_questions

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin


def settings_sheet(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> Sheet:
    """Return the settings as this account may change them now."""
    form_class = model_admin.get_form(request, survey, change=True)

    def make(data: QueryDict | None, instance: Survey) -> Any:
        return form_class(data, instance=instance)

    return Sheet(survey, make)


@survey_page("GET", "POST")
def settings(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    if request.method == "POST":
        return _save(model_admin, request, survey)
    return settings_page(model_admin, request, survey)


def settings_page(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    """Return the page of the settings, with what was frozen once the survey is launched."""
    sheet, kept = settings_sheet(model_admin, request, survey), request.__dict__.get("kept_post")
    seen = seen_of(sheet)
    if kept is not None:
        form: Any = sheet.bound({**sheet.texts(), **posted_values(kept, sheet.plain())})
        seen = kept.get("seen", seen)
    else:
        form = sheet.form()
    fieldsets: Any = fieldsets_of(survey, superuser=request.user.is_superuser)
    context: dict[str, Any] = {
        "title": _("Settings") if survey.is_draft else survey.title,
        "steps": steps_of(survey, SETTINGS),
        "typed_form": form,
        "sections": [_section(model_admin, survey, form, *each) for each in fieldsets],
        "hidden": form.hidden_fields(),
        "media": model_admin.media + form.media,
        "seen": seen,
        "is_right_by_now": sheet.is_unfinished and not form.errors,
        "saves": survey.is_draft,
        "is_kept": kept is not None,
        "kept": None,
        "typed_by": mark_of(request, reverse("admin:survey_settings", args=[survey.pk])),
        "disagreements": sheet.disagreements(),
        "error_entries": form_errors(form, order=flatten_fieldsets(fieldsets)),
    }
    if not survey.is_draft:
        launch = survey.current_launch()
        questions = list(survey.questions.all())
        context["feature_facts"] = feature_facts(survey, questions, without_fields=True)
        context["frozen_questions"] = frozen_questions(survey, launch.parameters)
    template = "admin/surveys/editor/settings.html"
    return render_page(model_admin, request, survey, template, **context)


def _section(
    model_admin: "SurveyAdmin", survey: Survey, form: Any, label: Any, options: dict[str, Any]
) -> dict[str, Any]:
    """Return a part of the settings: its fields, and as texts those that are frozen."""
    names = options["fields"]
    fields = [form[name] for name in names if isinstance(name, str) and name in form.fields]
    unused = unused_field_names(survey) if survey.is_draft else set()
    # What is typed there and not right yet is in sight.
    wrong = {field.name for field in fields if field.errors}
    folded = [field for field in fields if field.name in unused - wrong]
    frozen = [] if survey.is_draft else [*_frozen(model_admin, survey, names)]
    shown = [field for field in fields if field not in folded]
    return {"label": label, "fields": shown, "folded": folded, "frozen": frozen}


def _frozen(model_admin: "SurveyAdmin", survey: Survey, names: Any) -> Any:
    """Yield the label and the text of each field that is frozen."""
    for name in names:
        if callable(name):
            yield name.short_description, name(survey)
        elif name in EDITABLE_AFTER_LAUNCH:
            continue
        elif hasattr(model_admin, name):
            shown = getattr(model_admin, name)
            yield shown.short_description, shown(survey)
        else:
            field: Any = Survey._meta.get_field(name)
            text = getattr(survey, f"get_{name}_display", lambda name=name: getattr(survey, name))
            yield field.verbose_name, text()


def _save(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    loaded, form = read_seen(request), settings_sheet(model_admin, request, survey).plain()
    if not survey.is_draft and loaded.keys() - form.fields.keys():
        # The page showed what is frozen by now.
        words = _(
            "The survey was launched meanwhile: what shapes the answers is frozen. What you had "
            "typed stands below, to be copied; it is not saved."
        )
        if is_script(request):
            return refused_answer("launched", words, 409)
        texts = [
            (str(form.fields[name].label), readable(form.fields[name], texts))
            for name, texts in posted_values(request.POST, form).items()
        ]
        known = SurveyForm.base_fields
        texts += [
            (str(known[name].label or name), readable(known[name], request.POST.getlist(name)))
            for name in known
            if name in loaded and name not in form.fields
        ]
        template = "admin/surveys/editor/in_vain.html"
        return render_page(
            model_admin, request, survey, template, title=_("Not saved"), words=words, texts=texts
        )
    saved, sheet = save_settings(
        survey=survey,
        sheet_of=lambda locked: settings_sheet(model_admin, request, locked),
        posted=posted_texts(request, form, loaded),
        loaded=loaded,
        by=person_label(author_of(request)),
    )
    if is_script(request):
        return saved_answer(saved, sheet, _disagreement_words(request, sheet))
    if saved.taken:
        model_admin.message_user(request, taken_words(saved.taken), "WARNING")
    if not sheet.is_unfinished:
        model_admin.message_user(request, _("Saved."), "SUCCESS")
    return _back(request, survey)


def _disagreement_words(request: HttpRequest, sheet: Sheet) -> str:
    """Return where a version is chosen, for a form that does not show them itself."""
    labels = [each.label for each in sheet.disagreements()]
    if "questions" not in request.POST or not labels:
        return ""
    return _("Changed on both sides: %s. Choose in the settings which version stays.") % ", ".join(
        labels
    )


@survey_page("POST")
def setting_choose(
    model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey
) -> HttpResponse:
    field, _colon, choice = request.POST.get("version", "").partition(":")
    choose_setting(
        survey=survey,
        sheet_of=lambda locked: settings_sheet(model_admin, request, locked),
        field=field,
        choice=choice,
    )
    return _back(request, survey)


def _back(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Redirect to the step whose form was sent."""
    if "questions" in request.POST:
        return redirect("admin:surveys_survey_change", survey.pk)
    return redirect("admin:survey_settings", survey.pk)
