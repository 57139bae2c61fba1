"""Webhooks: who is told what, in which words, when again, and when no more.

Nothing that is told is finer than a release: a message names a survey and what happened to it, and
its receiver asks for the rest with a token of its own.
"""

import json
import secrets as random
import time
from base64 import b64decode
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from surveys import jobs
from surveys.exceptions import SurveyError, WrongStateError
from surveys.models import AnalysisFit, Launch, Survey, Webhook, WebhookDelivery
from surveys.models.webhook import LONGEST_ADDRESS, Event
from surveys.results.release import release_of
from surveys.results.status import status_of
from surveys.services.access import Access, may_open, survey_for
from surveys.services.audiences import audience_of, launch_shown_to
from surveys.services.keyed_hashes import keyed_hashes
from surveys.services.webhook_sending import UnsentError, send, signature, url_problem

MOST_WEBHOOKS = 20
# Seconds after which a message is sent again; after the last it is given up.
RETRIES = (5, 30, 120, 600, 3600, 6 * 3600, 24 * 3600)
# Messages given up in a row after which a webhook is told nothing more.
MOST_FAILURES = 5
# Messages that are kept to be looked at.
MOST_KEPT = 100
# Messages that one run sends.
MOST_AT_ONCE = 10
PREFIX = "whsec_"
_SALT = "candor.webhook"


class BadWebhookError(SurveyError):
    """An address that can be told nothing; `field` and `value` say what is wrong."""

    code = "bad_webhook"

    def __init__(self, message: str, *, field: str, value: str) -> None:
        super().__init__(message)
        self.field, self.value = field, value


@transaction.atomic
def make_webhook(
    *, user: User, url: str, events: Sequence[str], survey: Survey | None
) -> tuple[Webhook, str]:
    """Return a new webhook and its secret, which is shown once; raises BadWebhookError."""
    User.objects.select_for_update().get(pk=user.pk)
    _check(url, events)
    if Webhook.objects.filter(user=user).count() >= MOST_WEBHOOKS:
        message = _("There are %s webhooks already. Delete one first.")
        raise WrongStateError(message % MOST_WEBHOOKS)
    chosen = [event for event in Event.values if event in events]
    alike = Webhook.objects.filter(user=user, survey=survey, url=url)
    # A form or a request that is sent twice makes one.
    if any(each.events == chosen for each in alike):
        message = _("This address is told the same already.")
        raise BadWebhookError(message, field="url", value=url)
    webhook = Webhook.objects.create(
        user=user,
        survey=survey,
        url=url,
        events=chosen,
        nonce=random.token_urlsafe(32),
    )
    return webhook, secrets_of(webhook)[0]


def _check(url: str, events: Sequence[str]) -> None:
    problems = {
        "bad_address": _("This is no address of a program, such as https://example.org/hook."),
        "not_https": _("Messages go to https addresses only."),
        "private_network": _("Messages go to addresses on the internet only."),
    }
    problem = "bad_address" if len(url) > LONGEST_ADDRESS else url_problem(url)
    if problem:
        raise BadWebhookError(problems[problem], field="url", value=url)
    unknown = [event for event in events if event not in Event.values]
    if unknown or not events:
        message = _("Choose some of: %s.") % ", ".join(Event.values)
        raise BadWebhookError(message, field="events", value=", ".join(unknown))


def secrets_of(webhook: Webhook) -> list[str]:
    """The secret under the newest key of the site, then those under former ones.

    As Standard Webhooks has them: the key of signatures is what its digits mean as base64.
    """
    return [PREFIX + each for each in keyed_hashes(_SALT, webhook.nonce)]


def survey_to_hear_of(user: User, number: int) -> Survey | None:
    """Return a survey that somebody may read, or whose results; None for every other."""
    survey = survey_for(user, number, Access.READ)
    launch = launch_shown_to(user, pk=number) if survey is None else None
    return launch.survey if launch is not None else survey


def enable(webhook: Webhook) -> None:
    """Tell a webhook again what happens from now on."""
    Webhook.objects.filter(pk=webhook.pk).update(disabled_at=None, failures=0)


def switch_off_webhooks() -> int:
    """Tell no webhook anything more, until its owner switches it on; returns how many were on."""
    WebhookDelivery.objects.waiting().update(due_at=None, failure="disabled")
    return Webhook.objects.filter(disabled_at=None).update(disabled_at=timezone.now())


# --- what happened -------------------------------------------------------------------------------


def somebody_listens() -> bool:
    """Whether there is any webhook that is told anything."""
    return Webhook.objects.filter(disabled_at=None).exists()


def note_launched(launch: Launch) -> None:
    _note(launch.survey, Event.LAUNCHED, {"digest": launch.digest, "wave": launch.wave})


def note_closed(launch: Launch) -> None:
    _note(launch.survey, Event.CLOSED, {"digest": launch.digest})


def note_released(launch: Launch) -> None:
    """Tell who may see them that the released results have changed."""
    _note(launch.survey, Event.RELEASED, {"digest": launch.digest})


def note_fit(fit: AnalysisFit) -> None:
    """Tell who may see it that an analysis was fitted, or cannot be."""
    _note(fit.launch.survey, Event.FIT_READY, {"analysis": fit.number}, fit.step)


@transaction.atomic
def _note(survey: Survey, event: Event, facts: dict[str, Any], step: int | None = None) -> None:
    hooks = Webhook.objects.filter(Q(survey=survey) | Q(survey=None), disabled_at=None)
    for webhook in hooks.select_related("user"):
        if event not in webhook.events or not _may_hear(webhook.user, survey, event, step):
            continue
        now = timezone.now()
        data = {"survey": survey.pk, "address": survey.slug, **facts}
        data |= _release_facts(webhook.user, survey) if event == Event.RELEASED else {}
        body = {"type": event.value, "timestamp": now.isoformat(), "data": data}
        WebhookDelivery.objects.create(
            webhook=webhook, event=event, body=json.dumps(body), due_at=now
        )
        _forget_oldest(webhook)
        jobs.request(WEBHOOK, webhook.pk)


def _may_hear(user: User, survey: Survey, event: Event, step: int | None = None) -> bool:
    """Whether somebody could read it on a page now."""
    if not user.is_active:
        return False
    if event in (Event.LAUNCHED, Event.CLOSED):
        return may_open(user, Access.READ) and survey_for(user, survey.pk, Access.READ) is not None
    launch = launch_shown_to(user, pk=survey.pk)
    if launch is None:
        return False
    audience = audience_of(launch, user)
    is_own_step = step is None or audience.step == step
    return is_own_step and release_of(launch, audience.step).content is not None


def _release_facts(user: User, survey: Survey) -> dict[str, Any]:
    """What names the release that this person sees."""
    launch = launch_shown_to(user, pk=survey.pk)
    if launch is None:
        return {}
    release = release_of(launch, audience_of(launch, user).step)
    return {"revision": status_of(release, for_author=False).revision}


def _forget_oldest(webhook: Webhook) -> None:
    kept = webhook.deliveries.order_by("-pk").values_list("pk", flat=True)[:MOST_KEPT]
    webhook.deliveries.filter(pk__lt=min(kept)).delete()


# --- sending -------------------------------------------------------------------------------------


def _due(webhooks: QuerySet[Webhook]) -> QuerySet[Webhook]:
    now = timezone.now()
    return webhooks.filter(disabled_at=None, deliveries__due_at__lte=now).distinct()


def _lagging() -> list[int]:
    return list(_due(Webhook.objects.all()).values_list("pk", flat=True))


def _is_lagging(key: int) -> bool:
    return _due(Webhook.objects.filter(pk=key)).exists()


def _deliver(run: jobs.Run) -> jobs.Outcome:
    """Send what is due, the oldest first; whoever does not answer is not asked for the rest."""
    webhook = Webhook.objects.select_related("user").get(pk=run.subject)
    due = webhook.deliveries.filter(due_at__lte=timezone.now()).order_by("pk")
    for delivery in due[:MOST_AT_ONCE]:
        if not run.report(0) or not _sent(run, webhook, delivery):
            break
    return jobs.Outcome(more=_is_lagging(webhook.pk))


def _sent(run: jobs.Run, webhook: Webhook, delivery: WebhookDelivery) -> bool:
    """Send one message and store how that ended; returns whether it was taken."""
    body, timestamp = delivery.body.encode(), int(time.time())
    keys = [b64decode(secret.removeprefix(PREFIX)) for secret in secrets_of(webhook)]
    message_id = f"msg_{delivery.event_id.hex}"
    headers = {
        "Content-Type": "application/json",
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": signature(keys, message_id, timestamp, body),
    }
    try:
        _check_still_heard(webhook, delivery)
        status, failure = send(webhook.url, headers, body), ""
    except UnsentError as error:
        status, failure = error.status, error.code
    with run.holding():
        _store(webhook, delivery, status, failure)
    return not failure


def _check_still_heard(webhook: Webhook, delivery: WebhookDelivery) -> None:
    """Raise UnsentError for an account that may no longer hear of the survey."""
    number = json.loads(delivery.body)["data"]["survey"]
    survey = Survey.objects.filter(pk=number).first()
    if survey is None or not _may_hear(webhook.user, survey, Event(delivery.event)):
        raise UnsentError("not_allowed")


def _store(webhook: Webhook, delivery: WebhookDelivery, status: int, failure: str) -> None:
    now, attempts = timezone.now(), delivery.attempts + 1
    ends = not failure or failure == "not_allowed" or attempts > len(RETRIES)
    again = None if ends else now + timedelta(seconds=RETRIES[attempts - 1])
    WebhookDelivery.objects.filter(pk=delivery.pk).update(
        attempts=attempts,
        status=status,
        failure=failure,
        due_at=again,
        delivered_at=None if failure else now,
    )
    if not failure:
        Webhook.objects.filter(pk=webhook.pk).update(failures=0)
    elif ends and failure != "not_allowed":
        _count_failure(webhook)


def _count_failure(webhook: Webhook) -> None:
    webhook.refresh_from_db()
    webhook.failures += 1
    if webhook.failures >= MOST_FAILURES:
        webhook.disabled_at = timezone.now()
        webhook.deliveries.waiting().update(due_at=None, failure="disabled")
    webhook.save(update_fields=["failures", "disabled_at"])


WEBHOOK = jobs.register(
    jobs.JobKind(
        name="webhook",
        run=_deliver,
        queue=settings.QUEUE,
        lagging=_lagging,
        is_lagging=_is_lagging,
        about=Webhook,
        without_broker="webhooks will wait",
    )
)
