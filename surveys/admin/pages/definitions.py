"""A survey as a file: its definition is downloaded, and a draft is made from one."""

from typing import TYPE_CHECKING, Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from surveys.admin.pages.page import author_of, survey_page, to_change_page
from surveys.admin.saves.error_summary import form_errors
from surveys.admin.saves.kept_posts import again_words, mark_of, take_kept
from surveys.definitions import BadDefinitionError, definition_of, written
from surveys.forms.definitions import DefinitionForm
from surveys.models import Survey
from surveys.services.definitions import import_definition

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin


@survey_page("GET")
def definition(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    """Download what the author of a survey has decided."""
    content = written(definition_of(survey))
    response = HttpResponse(content, content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="{survey.slug}.candor.json"'
    return response


def import_page(model_admin: "SurveyAdmin", request: HttpRequest) -> HttpResponse:
    """Make a draft from a definition, or say what stands against it."""
    if not model_admin.has_add_permission(request):
        raise PermissionDenied
    if request.method not in ("GET", "HEAD", "POST"):
        return HttpResponseNotAllowed(["GET", "POST"])
    kept = take_kept(request) if request.method != "POST" else None
    form = DefinitionForm(*((request.POST, request.FILES) if request.method == "POST" else ()))
    if form.is_bound and form.is_valid():
        try:
            imported = import_definition(definition=form.definition, owner=author_of(request))
        except BadDefinitionError as error:
            form.refuse(error)
        else:
            model_admin.log_addition(request, imported.survey, _("Made from a definition."))
            message = _("This draft is made from the definition. Read it before you launch it.")
            model_admin.message_user(request, message, "SUCCESS")
            for words in imported.changed:
                model_admin.message_user(request, words, "WARNING")
            return to_change_page(imported.survey)
    context: dict[str, Any] = {
        **model_admin.admin_site.each_context(request),
        "title": _("Import a survey"),
        "opts": model_admin.opts,
        "form": form,
        "media": model_admin.media,
        "error_entries": form_errors(form),
        "typed_by": mark_of(request),
        "kept_words": again_words(),
        "kept": None if kept is None else dict(kept.lists()),
    }
    return TemplateResponse(request, "admin/surveys/survey/import.html", context)
