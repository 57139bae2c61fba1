"""What stops to work once a former secret is left out: who has something that was made under it.

Keyed hashes do not say under which secret they were made, and nothing is stored of when respondents
came. So what was made before a moment counts as made under a former secret, and where there is no
moment of a thing, that of its launch decides: it is never less than what is really cut off.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db.models import Count
from django.utils import timezone

from surveys.features import FEATURES
from surveys.known_browsers import COOKIE_SECONDS
from surveys.models import ReviewLink, Survey, Webhook


@dataclass(frozen=True, slots=True)
class CutOff:
    """`lost`: what nobody can make up for without somebody's doing, each with whose it is.

    `again`: what people do once more by themselves, such as signing in.
    """

    lost: list[str]
    again: list[str]


def cut_off(before: datetime) -> CutOff:
    """Return what would be cut off of all that was made under secrets of before a moment."""
    lost = [
        f"{slug}: {words}"
        for feature in FEATURES.values()
        for slug, words in feature.answers.cut_off(before)
    ]
    return CutOff([*sorted(lost), *_review_links(before), *_webhooks(before)], [*_accounts(before)])


def _review_links(before: datetime) -> Iterator[str]:
    links = ReviewLink.objects.filter(revoked_at=None, made_at__lt=before)
    links = links.exclude(survey__state=Survey.State.DELETED)
    counts = links.order_by("survey__slug").values("survey__slug").annotate(number=Count("*"))
    for slug, number in counts.values_list("survey__slug", "number"):
        yield f"{slug}: {number} links for review, in place of which new ones are to be made"


def _webhooks(before: datetime) -> Iterator[str]:
    hooks = Webhook.objects.filter(disabled_at=None, made_at__lt=before)
    counts = hooks.order_by("user__username").values("user__username")
    for name, number in counts.annotate(number=Count("*")).values_list("user__username", "number"):
        yield f"account {name}: {number} webhooks, whose receivers need the new secret of each"


def _accounts(before: datetime) -> Iterator[str]:
    now = timezone.now()
    if before > now - timedelta(seconds=settings.SESSION_LONGEST_AGE):
        number = Session.objects.filter(expire_date__gt=now).count()
        if number:
            yield f"up to {number} sessions end, and their owners sign in again"
    known = now - timedelta(seconds=COOKIE_SECONDS)
    if before > known:
        number = User.objects.filter(is_active=True, last_login__gt=known).count()
        if number:
            yield f"browsers of up to {number} accounts are known no more, until the next sign-in"
