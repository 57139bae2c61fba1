"""`python -m tests.system.ledger`: make surveys in a stack's database, and audit what it holds."""

import secrets
import uuid
from datetime import timedelta
from typing import Any

from tests.system.answering_process import answer_by


def launch(slug: str, closes_in: str = "0") -> dict[str, Any]:
    """A launched survey with public results; the document that respondents get."""
    from django.contrib.auth.models import User
    from django.utils import timezone

    from tests.builders import launched

    owner, _ = User.objects.get_or_create(username="owner")
    seconds = float(closes_in)
    made = launched(
        owned_by=owner,
        slug=slug,
        linkage="together",
        results_public=True,
        closes_at=timezone.now() + timedelta(seconds=seconds) if seconds else None,
        questions=[
            {},
            {"kind": "single_choice", "options": ["a", "b", "c"]},
            {"randomized": False, "required": False},
        ],
    )
    return made.document


def coded(slug: str) -> dict[str, Any]:
    """The first wave of a survey with return codes."""
    from django.contrib.auth.models import User

    from tests.waves import coded_launch

    owner, _ = User.objects.get_or_create(username="owner")
    return coded_launch(owned_by=owner, slug=slug, questions=[{}, {"epsilon": "0.5"}]).document


def next_wave(slug: str, question: str, epsilon: str) -> dict[str, Any]:
    """Its next one, in which a question is asked at a higher epsilon."""
    from surveys.models import Survey
    from tests.waves import next_wave

    launch = Survey.objects.get(slug=slug).current_launch()
    return next_wave(launch, **{question: epsilon}).document


def texts(slug: str, author_name: str, planned: str) -> dict[str, Any]:
    """A survey of one short text without a list of candidates; the document."""
    from django.contrib.auth.models import User

    from tests.builders import launched

    question = {
        "name": "drug",
        "kind": "short_text",
        "design": "rappor",
        "design_parameters": {"expected_candidates": 100},
        "epsilon": "4",
        "text": "Which drug did you take last?",
    }
    return launched(
        owned_by=User.objects.get(username=author_name),
        slug=slug,
        budget="4",
        planned_n=int(planned),
        results_public=True,
        questions=[question],
    ).document


def author(name: str) -> dict[str, Any]:
    """An author who can sign in."""
    from tests.builders import PASSWORD, make_user

    make_user(name, author=True)
    return {"name": name, "password": PASSWORD}


def preload(slug: str, reports: list[dict[str, Any]]) -> dict[str, Any]:
    """Put responses into the inbox as they are once acknowledged, without waking a worker."""
    from surveys.models import Receipt, Submission
    from surveys.responses.envelope import ParsedSubmission, checked_content, response_schema

    target = _launch(slug)
    schema = response_schema(target.parameters)
    inbox = []
    for sent in reports:
        parsed = ParsedSubmission(uuid.uuid4(), target.digest, sent, {})
        content = checked_content(parsed, schema)
        inbox.append(Submission(pk=parsed.submission, launch=target, content=content))
    receipts = [
        Receipt(pk=secrets.randbits(63), submission=each.pk, launch=target) for each in inbox
    ]
    Receipt.objects.bulk_create(receipts, batch_size=5000)
    Submission.objects.bulk_create(inbox, batch_size=5000)
    return {"preloaded": len(inbox)}


def audit(slug: str) -> dict[str, Any]:
    """All counts of a survey's stored responses."""
    from surveys.responses import tallies

    target = _launch(slug)
    stored_counts = {
        f"{tally.table}/{tally.stratum}": tally.counts for tally in target.tallies.all()
    }
    recount = {"/".join(key): counts for key, counts in tallies.recount(target).items()}
    return {
        "receipts": sorted(
            str(key) for key in target.receipts.values_list("submission", flat=True)
        ),
        "inbox": target.inbox.count(),
        "aggregated": target.aggregated,
        "report_sets": target.report_sets.count(),
        "tallies": stored_counts,
        "recount": recount,
        "state": target.survey.state,
    }


def _launch(slug: str) -> Any:
    from surveys.models import Launch

    return Launch.objects.select_related("survey").get(survey__slug=slug)


COMMANDS = {
    "author": author,
    "launch": launch,
    "coded": coded,
    "texts": texts,
    "next_wave": next_wave,
    "preload": preload,
    "audit": audit,
}


if __name__ == "__main__":
    answer_by(COMMANDS)
