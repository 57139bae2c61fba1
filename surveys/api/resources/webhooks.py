"""Webhooks: addresses that are told what happens, and what they were told."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from ninja import Body, Router

from surveys.api.documents import Bridge, answer, document, no_content
from surveys.api.finding import LARGEST_KEY, Key
from surveys.api.keys import user_of
from surveys.api.paging import Before, Limit, page_of
from surveys.api.problems import Broken, Refusal, not_found, shown_value
from surveys.api.serving import serves
from surveys.models import Survey, Webhook, WebhookDelivery
from surveys.models.api_token import Scope
from surveys.services.webhooks import enable, make_webhook, survey_to_hear_of

router = Router(tags=["webhooks"])


class WebhookFacts(msgspec.Struct, frozen=True, kw_only=True):
    """`survey`: the one that it is about; null: all that its account may see.

    `failures`: how many messages in a row were given up. `disabled_at`: since when nothing is sent
    any more, because of them.
    """

    id: int
    url: str
    events: tuple[str, ...]
    survey: int | None
    failures: int
    made_at: datetime
    disabled_at: datetime | None


class WebhookList(msgspec.Struct, frozen=True, kw_only=True):
    items: tuple[WebhookFacts, ...]
    next: str | None


class WebhookMade(msgspec.Struct, frozen=True, kw_only=True):
    """`secret`: the key of the signatures, which is told once."""

    webhook: WebhookFacts
    secret: str


class WebhookOrder(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    url: str
    events: tuple[str, ...]
    survey: Annotated[int, msgspec.Meta(ge=1, le=LARGEST_KEY)] | None = None


class DeliveryFacts(msgspec.Struct, frozen=True, kw_only=True):
    """`event_id`: the same at every attempt. `due_at`: when it is sent next; null once it is over.

    `failure`: why the last attempt failed, as a code; empty where it did not.
    """

    event_id: UUID
    event: str
    made_at: datetime
    attempts: int
    status: int
    failure: str
    due_at: datetime | None
    delivered_at: datetime | None


class DeliveryList(msgspec.Struct, frozen=True, kw_only=True):
    items: tuple[DeliveryFacts, ...]
    next: str | None


def _facts(webhook: Webhook) -> WebhookFacts:
    return WebhookFacts(
        id=webhook.pk,
        url=webhook.url,
        events=tuple(webhook.events),
        survey=webhook.survey_id,
        failures=webhook.failures,
        made_at=webhook.made_at,
        disabled_at=webhook.disabled_at,
    )


def _delivery(row: WebhookDelivery) -> DeliveryFacts:
    return DeliveryFacts(
        event_id=row.event_id,
        event=row.event,
        made_at=row.made_at,
        attempts=row.attempts,
        status=row.status,
        failure=row.failure,
        due_at=row.due_at,
        delivered_at=row.delivered_at,
    )


def _own(request: HttpRequest, webhook_id: int) -> Webhook:
    webhook = Webhook.objects.filter(user=user_of(request), pk=webhook_id).first()
    if webhook is None:
        raise not_found()
    return webhook


@serves(
    router,
    "GET",
    "",
    scope=Scope.WEBHOOKS,
    answers={200: document(WebhookList)},
    title="List your webhooks",
)
def list_webhooks(request: HttpRequest, limit: Limit, before: Before) -> HttpResponse:
    rows = Webhook.objects.filter(user=user_of(request))
    return page_of(request, rows, _facts, WebhookList, limit=limit, before=before)


@serves(
    router,
    "POST",
    "",
    scope=Scope.WEBHOOKS,
    answers={201: document(WebhookMade)},
    title="Have an address told what happens",
    secret=True,
)
def create_webhook(
    request: HttpRequest, order: Annotated[WebhookOrder, Bridge(WebhookOrder), Body(...)]
) -> HttpResponse:
    webhook, secret = make_webhook(
        user=user_of(request),
        url=order.url,
        events=order.events,
        survey=_survey(request, order.survey),
    )
    headers = {"Location": f"{request.path}/{webhook.pk}"}
    return answer(WebhookMade(webhook=_facts(webhook), secret=secret), 201, headers)


def _survey(request: HttpRequest, number: int | None) -> Survey | None:
    if number is None:
        return None
    survey = survey_to_hear_of(user_of(request), number)
    if survey is None:
        rule = _("a survey that you may see")
        broken = Broken(field="survey", value=shown_value(number), rule=rule)
        raise Refusal(422, "invalid", _("The body breaks a rule."), errors=[broken])
    return survey


@serves(
    router,
    "GET",
    "/{webhook_id}",
    scope=Scope.WEBHOOKS,
    answers={200: document(WebhookFacts)},
    title="Read a webhook",
)
def get_webhook(request: HttpRequest, webhook_id: Key) -> HttpResponse:
    return answer(_facts(_own(request, webhook_id)))


@serves(
    router,
    "DELETE",
    "/{webhook_id}",
    scope=Scope.WEBHOOKS,
    answers={204: None},
    title="Delete a webhook, with what it was told",
)
def delete_webhook(request: HttpRequest, webhook_id: Key) -> HttpResponse:
    _own(request, webhook_id).delete()
    return no_content()


@serves(
    router,
    "POST",
    "/{webhook_id}/enable",
    scope=Scope.WEBHOOKS,
    answers={200: document(WebhookFacts)},
    title="Tell a webhook again what happens from now on",
)
def enable_webhook(request: HttpRequest, webhook_id: Key) -> HttpResponse:
    enable(_own(request, webhook_id))
    return answer(_facts(_own(request, webhook_id)))


@serves(
    router,
    "GET",
    "/{webhook_id}/deliveries",
    scope=Scope.WEBHOOKS,
    answers={200: document(DeliveryList)},
    title="List what a webhook was told, and how that ended",
)
def list_deliveries(
    request: HttpRequest, webhook_id: Key, limit: Limit, before: Before
) -> HttpResponse:
    rows = WebhookDelivery.objects.filter(webhook=_own(request, webhook_id))
    return page_of(request, rows, _delivery, DeliveryList, limit=limit, before=before)
