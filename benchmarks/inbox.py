"""Filling a database as many respondents would have, without their requests."""

import secrets
import uuid
from collections import Counter

from django.db.models import F

from surveys import tallies
from surveys.models import Launch, Receipt, ReportSet, Submission

CHUNK = 10_000


def content(number: int) -> dict[str, dict[str, object]]:
    reports = {"q1": number % 2, "q2": number % 3}
    return {"reports": reports, "strata": dict.fromkeys(reports, "page")}


def fill_inbox(launch: Launch, count: int) -> None:
    """Responses that wait, as `record_response` leaves them."""
    keys = [uuid.uuid4() for _ in range(count)]
    Receipt.objects.bulk_create(
        [Receipt(pk=secrets.randbits(63), submission=key, launch=launch) for key in keys]
    )
    Submission.objects.bulk_create(
        [
            Submission(pk=key, launch=launch, content=content(number))
            for number, key in enumerate(keys)
        ]
    )


def fill_folded(launch: Launch, count: int) -> None:
    """Responses that were folded before, with their receipts."""
    for start in range(0, count, CHUNK):
        size = min(CHUNK, count - start)
        Receipt.objects.bulk_create(
            [
                Receipt(pk=secrets.randbits(63), submission=uuid.uuid4(), launch=launch)
                for _ in range(size)
            ]
        )
        ReportSet.objects.bulk_create(
            [
                ReportSet(pk=secrets.randbits(63), launch=launch, content=content(number))
                for number in range(size)
            ]
        )
    totals = {
        ("q1", "page"): Counter(number % 2 for number in range(count)),
        ("q2", "page"): Counter(number % 3 for number in range(count)),
    }
    tallies._add_to_tallies(launch, totals)
    Launch.objects.filter(pk=launch.pk).update(folded=F("folded") + count)
