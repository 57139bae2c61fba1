"""Webhooks of an account: made, listed with what they were told, told again, deleted."""

from typing import TYPE_CHECKING, Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from surveys.admin.pages.page import author_of
from surveys.admin.saves.error_summary import form_errors
from surveys.admin.saves.kept_posts import mark_of
from surveys.exceptions import SurveyError
from surveys.forms.webhooks import WebhookForm
from surveys.models import Survey, Webhook, WebhookDelivery
from surveys.models.webhook import Event
from surveys.moments import moment_text
from surveys.services.access import Access, may_open
from surveys.services.webhooks import BadWebhookError, enable, make_webhook

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin

# Messages of each that the page shows; the interface for programs has all that are kept.
MOST_SHOWN = 10
MOMENT = "SHORT_DATETIME_FORMAT"


def webhooks(model_admin: "SurveyAdmin", request: HttpRequest) -> HttpResponse:
    """List the webhooks of this account, and make a new one; its secret is shown once."""
    _check_access(request)
    if request.method not in ("GET", "HEAD", "POST"):
        return HttpResponseNotAllowed(["GET", "POST"])
    user, made = author_of(request), ""
    surveys = Survey.objects.texts_visible_to(user)
    form = WebhookForm(request.POST if request.method == "POST" else None, surveys=surveys)
    if form.is_bound and form.is_valid():
        try:
            _webhook, made = make_webhook(user=user, **form.cleaned_data)
        except BadWebhookError as error:
            form.add_error(error.field, error.message)
        except SurveyError as error:
            form.add_error(None, error.message)
        else:
            form = WebhookForm(None, surveys=surveys)
    context: dict[str, Any] = {
        **model_admin.admin_site.each_context(request),
        "title": _("Webhooks"),
        "opts": model_admin.opts,
        "media": model_admin.media,
        "form": form,
        "error_entries": form_errors(form),
        "made": made,
        "typed_by": mark_of(request),
        "webhooks": [_shown(each) for each in Webhook.objects.filter(user=user)],
    }
    response = TemplateResponse(request, "admin/surveys/survey/webhooks.html", context)
    response.headers["Cache-Control"] = "no-store"
    return response


def webhook_delete(
    model_admin: "SurveyAdmin", request: HttpRequest, webhook_id: int
) -> HttpResponse:
    webhook = _posted(request, webhook_id)
    if webhook is None:
        return HttpResponseNotAllowed(["POST"])
    webhook.delete()
    model_admin.message_user(request, _("The webhook is deleted."), "SUCCESS")
    return redirect("admin:survey_webhooks")


def webhook_enable(
    model_admin: "SurveyAdmin", request: HttpRequest, webhook_id: int
) -> HttpResponse:
    webhook = _posted(request, webhook_id)
    if webhook is None:
        return HttpResponseNotAllowed(["POST"])
    enable(webhook)
    model_admin.message_user(request, _("It is told again what happens from now on."), "SUCCESS")
    return redirect("admin:survey_webhooks")


def _posted(request: HttpRequest, webhook_id: int) -> Webhook | None:
    """The webhook that a form is about; None for what is no post."""
    _check_access(request)
    if request.method != "POST":
        return None
    webhook = Webhook.objects.filter(user=author_of(request), pk=webhook_id).first()
    if webhook is None:
        raise Http404
    return webhook


def _check_access(request: HttpRequest) -> None:
    if not may_open(author_of(request), Access.READ):
        raise PermissionDenied


def _shown(webhook: Webhook) -> dict[str, Any]:
    labels = dict(Event.choices)
    return {
        "pk": webhook.pk,
        "url": webhook.url,
        "survey": webhook.survey.title if webhook.survey else "",
        "events": [labels.get(event, event) for event in webhook.events],
        "disabled": moment_text(webhook.disabled_at, MOMENT) if webhook.disabled_at else "",
        "deliveries": [_told(each) for each in webhook.deliveries.all()[:MOST_SHOWN]],
    }


def _told(delivery: WebhookDelivery) -> dict[str, Any]:
    if delivery.delivered_at:
        end = _("taken")
    elif delivery.due_at:
        end = _("sent again after %s") % moment_text(delivery.due_at, MOMENT)
    else:
        end = _("given up")
    return {
        "event": delivery.get_event_display(),
        "made": moment_text(delivery.made_at, MOMENT),
        "end": end,
        "failure": _words_of(delivery) if delivery.failure else "",
    }


def _words_of(delivery: WebhookDelivery) -> str:
    words = {
        "unknown_host": _("no such host"),
        "private_network": _("an address that is not on the internet"),
        "bad_certificate": _("its certificate is not trusted"),
        "no_answer": _("no answer"),
        "redirected": _("it answers with another address"),
        "refused": _("it answers with %s") % delivery.status,
        "not_allowed": _("you may no longer see this survey"),
        "disabled": _("too many messages were given up before"),
    }
    return words.get(delivery.failure, delivery.failure)
