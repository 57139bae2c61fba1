"""People who come back: their return codes, the chain of their reports, and their ledger."""

import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Count, Exists, OuterRef

from surveys.exceptions import (
    AlreadyAnsweredError,
    FieldError,
    InvalidSubmissionError,
    OverBudgetError,
    UnknownSenderError,
)
from surveys.features.parts import AnswersPart
from surveys.features.return_codes.answered_waves import (
    AnsweredWave,
    answered_waves,
    stored_reports,
    withdraw_waiting,
)
from surveys.features.return_codes.models import Participation, Respondent
from surveys.features.return_codes.section import KEY
from surveys.models import Launch, Receipt, ReportSet, Submission, Survey
from surveys.models.insert import insert_rows
from surveys.models.launch import parameters_of
from surveys.parameters import Same
from surveys.parameters.budget import Answered, spent_over, text_of
from surveys.responses.body_length import reports_length
from surveys.responses.envelope import ParsedSubmission
from surveys.services.keyed_hashes import keyed_hashes


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the ledger: a wave, and what all waves up to it may reveal together."""

    wave: int
    epsilon: str


@dataclass(frozen=True, slots=True)
class Chain:
    """The reports of the last wave that somebody answered, with their ledger.

    `answered`: that wave is the one in force. `padding`: how many bytes more the longest reports
    have, as compact JSON; without it the length of an answer would tell the digits of codes.
    """

    answered: bool
    reports: dict[str, Any]
    ledger: Sequence[Entry]
    padding: int

    def as_json(self) -> dict[str, Any]:
        return {
            "wave": self.ledger[-1].wave,
            "answered": self.answered,
            "reports": self.reports,
            "ledger": [{"wave": entry.wave, "epsilon": entry.epsilon} for entry in self.ledger],
            "total": self.ledger[-1].epsilon,
        }


def chain_of(*, launch_id: int, code: str) -> Chain:
    """Return what was sent under a return code, to a survey whose wave in force this is.

    Only what was scrambled is shown again: whoever finds a code must not find direct answers.
    Raises UnknownSenderError.
    """
    survey_id = _survey_of(launch_id)
    rows = Respondent.objects.filter(survey_id=survey_id, code_hash__in=_hashes(survey_id, code))
    respondent = rows.first()
    entries = _entries(respondent) if respondent else []
    content = _content_of(respondent) if respondent and entries else None
    if content is None:
        raise UnknownSenderError(
            "No answers to this survey are stored under this code.", code="unknown_code"
        )
    last = parameters_of(entries[-1].launch.digest)
    scrambled = [device for device in last.devices if device.epsilon is not None]
    names = {device.id for device in scrambled}
    reports = {name: sent for name, sent in content["reports"].items() if name in names}
    length = len(json.dumps(reports, separators=(",", ":")))
    return Chain(
        answered=entries[-1].launch_id == launch_id,
        reports=reports,
        ledger=[Entry(entry.launch.wave, text_of(entry.epsilon)) for entry in entries],
        padding=reports_length(scrambled) + len("{}") - length,
    )


class AnswersUnderCodes(AnswersPart):
    def people_lost(self) -> dict[int, int]:
        owner = OuterRef("respondent")
        stored = [
            Exists(model.objects.filter(respondent=owner)) for model in (Submission, ReportSet)
        ]
        lost = Participation.objects.exclude(stored[0]).exclude(stored[1])
        lost = lost.exclude(launch__survey__state=Survey.State.DELETED)
        counts = lost.values("launch").annotate(number=Count("*"))
        return dict(counts.values_list("launch", "number"))

    def cut_off(self, before: datetime) -> Iterator[tuple[str, str]]:
        states = (Survey.State.OPEN, Survey.State.CLOSED)
        surveys = Survey.objects.filter(state__in=states, launches__launched_at__lt=before)
        counts = surveys.annotate(number=Count("respondents", distinct=True)).filter(number__gt=0)
        for slug, number in counts.values_list("slug", "number"):
            yield slug, f"up to {number} people with a return code cannot come back"


def store_under_code(
    *, launch_id: int, parsed: ParsedSubmission, receipt: Receipt, content: dict[str, Any]
) -> None:
    """Store a response, as `surveys.features.modes.Store` says; also raises OverBudgetError."""
    try:
        _store(launch_id, parsed, receipt, content)
    except IntegrityError:
        # Another request was faster; what it has stored decides about this one.
        _store(launch_id, parsed, receipt, content)


@transaction.atomic
def _store(
    launch_id: int, parsed: ParsedSubmission, receipt: Receipt, content: dict[str, Any]
) -> None:
    """Store a response whose reports take the place of those that came under this code before.

    Raises AlreadyAnsweredError, OverBudgetError, and IntegrityError where another request with
    the same code or the same submission was faster.
    """
    survey_id, devices = _survey_of(launch_id), sorted(content["reports"])
    code = parsed.own[KEY.name]
    known = _known_respondent(survey_id, code)
    # Whoever comes for the first time has nothing that could be looked for.
    waves = answered_waves(known.pk) if known else []
    epsilon = _ledger_total(waves, launch_id, parsed.digest, devices)
    if known and waves:
        _check_kept(content["reports"], stored_reports(known.pk), waves[-1], parsed.digest)
    respondent = known or _new_respondent(survey_id, code)
    Participation.objects.create(
        pk=secrets.randbits(63),
        respondent=respondent,
        launch_id=launch_id,
        epsilon=epsilon,
        devices=devices,
    )
    row = Submission(
        pk=parsed.submission,
        launch_id=launch_id,
        content=content,
        respondent=respondent,
        replaces_id=withdraw_waiting(known.pk) if known else None,
    )
    insert_rows(receipt, row)


def _known_respondent(survey_id: int, code: str) -> Respondent | None:
    """The row of this code, locked, so that two requests under it come one after the other."""
    # Not its key: a worker that moves reports of this person refers to the row.
    rows = Respondent.objects.select_for_update(no_key=True)
    return rows.filter(survey_id=survey_id, code_hash__in=_hashes(survey_id, code)).first()


def _new_respondent(survey_id: int, code: str) -> Respondent:
    """A row for a new code; IntegrityError where another request with it was faster."""
    return Respondent.objects.create(
        pk=secrets.randbits(63), survey_id=survey_id, code_hash=_hashes(survey_id, code)[0]
    )


def _ledger_total(
    waves: Sequence[AnsweredWave], launch_id: int, digest: str, devices: Sequence[str]
) -> Decimal:
    """Return what somebody may reveal who answers this wave after `waves`; raise if forbidden."""
    if any(wave.launch_id == launch_id for wave in waves):
        raise AlreadyAnsweredError("This wave has been answered under this return code.")
    parameters = parameters_of(digest)
    before = [Answered(parameters_of(wave.digest), wave.devices) for wave in waves]
    if any(answered.parameters.wave > parameters.wave for answered in before):
        raise AlreadyAnsweredError("A later wave has been answered under this return code.")
    total = spent_over([*before, Answered(parameters, devices)])
    if total > Decimal(parameters.epsilon):
        rule = f"All waves would add up to {total}, above the budget of {parameters.epsilon}."
        raise OverBudgetError(rule)
    return total


def _check_kept(
    reports: Mapping[str, Any], before: Mapping[str, Any], last: AnsweredWave, digest: str
) -> None:
    """Check that reports to unchanged devices are sent again as they were; raise for others.

    Another draw of the same device would reveal as much once more, and the ledger counts it once.
    """
    wave = parameters_of(last.digest).wave
    kept = {
        device.id
        for device in parameters_of(digest).devices
        for earlier in device.earlier
        if earlier.wave == wave and isinstance(earlier.degradation, Same)
    }
    rule = f"This device has not changed since wave {wave}, so its report is sent again as it was."
    errors = [
        FieldError(f"reports.{name}", "not_kept", rule)
        for name in sorted(kept.intersection(reports, before))
        if reports[name] != before[name]
    ]
    if errors:
        raise InvalidSubmissionError(errors)


def _entries(respondent: Respondent) -> list[Participation]:
    entries = respondent.participations.select_related("launch").defer("launch__parameters")
    return list(entries.order_by("launch__version", "launch__wave"))


def _content_of(respondent: Respondent) -> dict[str, Any] | None:
    """Return the reports that count for somebody now; None where a database has lost them.

    A worker moves them from the inbox to the counted ones, so that order finds them.
    """
    for rows in (respondent.waiting, respondent.report_sets):
        content = rows.values_list("content", flat=True).first()
        if content is not None:
            return content
    return None


def _hashes(survey_id: int, code: str) -> list[str]:
    """The keyed hashes under which a code may be stored, the newest key first."""
    return keyed_hashes("candor.return_code", f"{survey_id}:{code}")


def _survey_of(launch_id: int) -> int:
    return Launch.objects.values_list("survey_id", flat=True).get(pk=launch_id)
