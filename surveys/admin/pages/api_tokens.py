"""Tokens for programs: made and shown once, listed, revoked; each account has its own."""

from typing import TYPE_CHECKING, Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from surveys.admin.pages.page import attempt, author_of
from surveys.admin.saves.error_summary import form_errors
from surveys.admin.saves.kept_posts import mark_of
from surveys.forms.api_tokens import ApiTokenForm
from surveys.models import ApiToken
from surveys.models.api_token import Scope
from surveys.services.access import Access, may_open
from surveys.services.api_tokens import make_token, revoke_token

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin


def tokens(model_admin: "SurveyAdmin", request: HttpRequest) -> HttpResponse:
    """List the tokens of this account, and make a new one; its secret is shown once."""
    _check_access(request)
    if request.method not in ("GET", "HEAD", "POST"):
        return HttpResponseNotAllowed(["GET", "POST"])
    form, made = ApiTokenForm(request.POST if request.method == "POST" else None), ""
    if form.is_bound and form.is_valid():
        with attempt(request) as outcome:
            _token, made = make_token(user=author_of(request), **form.cleaned_data)
        if outcome.succeeded:
            form = ApiTokenForm()
    context: dict[str, Any] = {
        **model_admin.admin_site.each_context(request),
        "title": _("Tokens for programs"),
        "opts": model_admin.opts,
        "media": model_admin.media,
        "form": form,
        "error_entries": form_errors(form),
        "made": made,
        "typed_by": mark_of(request),
        "tokens": [_shown(token) for token in ApiToken.objects.filter(user=author_of(request))],
    }
    response = TemplateResponse(request, "admin/surveys/survey/tokens.html", context)
    response.headers["Cache-Control"] = "no-store"
    return response


def token_revoke(model_admin: "SurveyAdmin", request: HttpRequest, token_id: int) -> HttpResponse:
    _check_access(request)
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    token = ApiToken.objects.filter(user=author_of(request), pk=token_id).first()
    if token is None:
        raise Http404
    revoke_token(token=token)
    model_admin.message_user(request, _("The token “%s” is void.") % token.name, "SUCCESS")
    return redirect("admin:survey_tokens")


def _check_access(request: HttpRequest) -> None:
    if not may_open(author_of(request), Access.READ):
        raise PermissionDenied


def _shown(token: ApiToken) -> dict[str, Any]:
    scopes = [str(label) for scope, label in Scope.choices if scope in token.scopes]
    if len(scopes) == len(Scope.choices):
        scopes = [_("Everything that a token can be for")]
    is_over = token.expires_at <= timezone.now()
    return {
        "pk": token.pk,
        "name": token.name,
        "tail": token.tail,
        "scopes": scopes,
        "made": _day(token.made_at.date()),
        "used": _day(token.last_used_on) if token.last_used_on else "",
        "expires": _day(token.expires_at.date()),
        "is_over": is_over,
        "revoked": _day(token.revoked_at.date()) if token.revoked_at else "",
        "in_use": not is_over and token.revoked_at is None,
    }


def _day(day: Any) -> str:
    return date_format(day, "SHORT_DATE_FORMAT")
