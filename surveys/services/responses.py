"""Storing a response: acknowledged means stored, once."""

import base64
import functools
import secrets
import uuid
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError
from django.utils.crypto import salted_hmac

from surveys import jobs
from surveys.exceptions import (
    AlreadyAnsweredError,
    FieldError,
    InvalidSubmissionError,
    NotAcceptingError,
    StaleDigestError,
    UnknownSenderError,
)
from surveys.features import Mode, mode_of
from surveys.models import Launch, Receipt, Submission
from surveys.models.insert import insert_response, insert_rows
from surveys.models.launch import InForce, parameters_of
from surveys.parameters.chance_strata import feature_of_strata
from surveys.responses.envelope import (
    ParsedSubmission,
    ResponseSchema,
    checked_content,
    parse_submission,
    response_schema,
)
from surveys.services.results import RECOMPUTE


@dataclass(frozen=True, slots=True)
class Acknowledgement:
    receipt: str
    created: bool


def record_at(*, slug: str, body: bytes) -> Acknowledgement | None:
    """Record a response to the survey at this address, as `record_response`; None without a survey.

    A valid response is stored by the statement that checks that the survey is open, so
    that closing takes effect at once. All other cases take the full check.
    """
    acknowledgement = _store_directly(slug, body)
    if acknowledgement is not None:
        return acknowledgement
    launch = Launch.objects.in_force(slug)
    return None if launch is None else record_response(launch=launch, body=body)


def _store_directly(slug: str, body: bytes) -> Acknowledgement | None:
    try:
        parsed = parse_submission(body)
        schema = _schema(parsed.digest)
        if schema.own_key:
            return None
        content = _checked(parsed, schema)
        launch_id = insert_response(slug, parsed.digest, parsed.submission, content)
    except (InvalidSubmissionError, Launch.DoesNotExist, IntegrityError):
        return None
    if launch_id is None:
        return None
    jobs.request(RECOMPUTE, launch_id)
    receipt = receipt_of(launch_id=launch_id, submission=parsed.submission)
    return Acknowledgement(receipt, created=True)


def record_response(*, launch: InForce | Launch, body: bytes) -> Acknowledgement:
    """Check a response against the frozen parameters and put it into the inbox.

    A repeated submission id gets the same receipt, whatever has changed since.
    """
    return record_parsed(launch=launch, parsed=parse_submission(body))


def record_parsed(*, launch: InForce | Launch, parsed: ParsedSubmission) -> Acknowledgement:
    """Record a parsed response; all ways of submission end here."""
    receipt = receipt_of(launch_id=launch.pk, submission=parsed.submission)
    if not launch.accepting or parsed.digest != launch.digest:
        return _repeat_or_refuse(launch, parsed, receipt)
    schema = _schema(launch.digest)
    if schema.by_stratum and _is_known(launch.pk, parsed.submission):
        # Under other keys of the server chance may put the id elsewhere than when it was stored.
        checked_content(parsed, schema)
        return Acknowledgement(receipt, created=False)
    content = _checked(parsed, schema)
    created = _store_once(launch.pk, parsed, content)
    return Acknowledgement(receipt, created)


def receipt_of(*, launch_id: int, submission: uuid.UUID) -> str:
    """A short code that only this server can recompute from the submission id."""
    mac = salted_hmac("candor.receipt", f"{launch_id}:{submission}", algorithm="sha256").digest()
    code = base64.b32encode(mac[:10]).decode("ascii")
    return "-".join(code[start : start + 4] for start in range(0, 16, 4))


def _checked(parsed: ParsedSubmission, schema: ResponseSchema) -> dict[str, Any]:
    """The reports of a response to the parameters of `schema`, which are those that it names."""
    if not schema.by_stratum:
        return checked_content(parsed, schema)
    parameters = parameters_of(parsed.digest)
    feature = feature_of_strata(parameters)
    strata = (
        feature.answers.strata_of(parameters, parsed.digest, parsed.submission) if feature else ()
    )
    return checked_content(parsed, schema, strata)


def _store_once(launch_id: int, parsed: ParsedSubmission, content: dict[str, Any]) -> bool:
    receipt = Receipt(pk=secrets.randbits(63), submission=parsed.submission, launch_id=launch_id)
    try:
        mode = mode_of(parameters_of(parsed.digest).mode)
        if mode:
            return _store_of_sender(mode, launch_id, parsed, receipt, content)
        insert_rows(receipt, Submission(pk=parsed.submission, launch_id=launch_id, content=content))
    except IntegrityError:
        # The id exists already: a retry, perhaps concurrent with the first attempt.
        return _explain_refusal(launch_id, parsed.submission)
    jobs.request(RECOMPUTE, launch_id)
    return True


def _store_of_sender(
    mode: Mode,
    launch_id: int,
    parsed: ParsedSubmission,
    receipt: Receipt,
    content: dict[str, Any],
) -> bool:
    """Store a response whose sender a mode tells from others; False where it was stored."""
    try:
        mode.store(launch_id=launch_id, parsed=parsed, receipt=receipt, content=content)
    except (AlreadyAnsweredError, UnknownSenderError):
        # The sender may have become unknown since the first attempt.
        if _is_known(launch_id, parsed.submission):
            return False
        raise
    jobs.request(RECOMPUTE, launch_id)
    return True


def _earlier_receipt(launch: InForce | Launch, parsed: ParsedSubmission) -> str | None:
    """The receipt of a response to an earlier wave that is sent again."""
    receipts = Receipt.objects.filter(
        submission=parsed.submission,
        launch__digest=parsed.digest,
        launch__survey__launches=launch.pk,
    )
    launch_id = receipts.values_list("launch", flat=True).first()
    if launch_id is None:
        return None
    return receipt_of(launch_id=launch_id, submission=parsed.submission)


def _is_known(launch_id: int, submission: uuid.UUID) -> bool:
    return Receipt.objects.filter(submission=submission, launch_id=launch_id).exists()


def _explain_refusal(launch_id: int, submission: uuid.UUID) -> bool:
    holder = (
        Receipt.objects.filter(submission=submission).values_list("launch_id", flat=True).first()
    )
    if holder == launch_id:
        return False
    if holder is None:
        raise NotAcceptingError("This survey was deleted meanwhile.")
    rule = "This id belongs to a response to another survey; draw a new one."
    raise InvalidSubmissionError([FieldError("submission", "already_used", rule)])


def _repeat_or_refuse(
    launch: InForce | Launch, parsed: ParsedSubmission, receipt: str
) -> Acknowledgement:
    if _is_known(launch.pk, parsed.submission):
        return Acknowledgement(receipt, created=False)
    earlier = _earlier_receipt(launch, parsed)
    if earlier is not None:
        return Acknowledgement(earlier, created=False)
    if parsed.digest != launch.digest:
        raise StaleDigestError("The survey's parameters are not those of this response.")
    raise NotAcceptingError("This survey does not accept responses now.")


@functools.lru_cache(maxsize=256)
def _schema(digest: str) -> ResponseSchema:
    """The response schema, cached per process: the parameters under a digest never change."""
    return response_schema(parameters_of(digest))
