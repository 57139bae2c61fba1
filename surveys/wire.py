"""The format between browser and server; its twin is static/js/rr/wire.js, its description
docs/protocol.md. Both sides run the cases of tests/vectors/.
"""

import hashlib
import json
import uuid
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import rfc8785

from surveys.exceptions import FieldError, InvalidSubmissionError

FORMAT = 4
DEFAULT_STRATUM = "page"
OUTSIDE_DIGEST = frozenset({"digest", "translations"})
SUBMISSION_KEYS = frozenset({"digest", "submission", "reports", "strata", "wave"})


def canonical_json(document: Any) -> bytes:
    """RFC 8785. Numbers must be integers below 2**53; anything fractional is a decimal string."""
    return rfc8785.dumps(document)


def digest(document: Mapping[str, Any]) -> str:
    covered = {key: value for key, value in document.items() if key not in OUTSIDE_DIGEST}
    return "sha256:" + hashlib.sha256(canonical_json(covered)).hexdigest()


_ABSENT = object()


# --- responses ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ResponseSchema:
    """What a response to one launch may contain."""

    sizes: Mapping[tuple[str, str], int]  # (device, stratum) -> number of possible reports
    devices: frozenset[str]
    required: frozenset[str]  # devices that must report
    together: tuple[frozenset[str], ...]  # devices of one question, which report all or none
    wave: int


@dataclass(frozen=True, slots=True)
class ParsedSubmission:
    """A well-formed response, not yet held against the parameters."""

    submission: uuid.UUID
    digest: str
    reports: Mapping[str, Any]
    strata: Mapping[str, Any]
    wave: Any


def response_schema(parameters: Mapping[str, Any]) -> ResponseSchema:
    """A question's devices of all strata share their ids."""
    sizes = {
        (device["id"], device["stratum"]): len(device["reports"])
        for device in parameters["devices"]
    }
    of_question: dict[str, set[str]] = {
        question["id"]: set() for question in parameters["questions"]
    }
    for device in parameters["devices"]:
        for question in device["questions"]:
            of_question[question].add(device["id"])
    required = [of_question[each["id"]] for each in parameters["questions"] if each["required"]]
    return ResponseSchema(
        sizes=sizes,
        devices=frozenset(device for device, _ in sizes),
        required=frozenset().union(*required),
        together=tuple(frozenset(ids) for ids in of_question.values() if len(ids) > 1),
        wave=parameters["wave"],
    )


def parse_submission(body: bytes) -> ParsedSubmission:
    """Read a response's envelope, or say what is wrong with each of its fields."""
    payload = _load(body)
    if not isinstance(payload, dict):
        raise _invalid("", "not_an_object", "The body must be a JSON object.")
    errors = [
        FieldError(key, "unknown_key", f"{key!r} is not a field of a response.")
        for key in payload
        if key not in SUBMISSION_KEYS
    ]
    submission = _uuid(payload.get("submission"), errors)
    for name in ("reports", "strata"):
        if not isinstance(payload.get(name, {} if name == "strata" else None), dict):
            errors.append(FieldError(name, "not_an_object", f"{name!r} must be a JSON object."))
    if not isinstance(payload.get("digest"), str):
        errors.append(FieldError("digest", "not_a_string", "'digest' must be a string."))
    if errors or submission is None:
        raise InvalidSubmissionError(errors)
    return ParsedSubmission(
        submission=submission,
        digest=payload["digest"],
        reports=payload["reports"],
        strata=payload.get("strata", {}),
        wave=payload.get("wave", _ABSENT),
    )


def checked_content(parsed: ParsedSubmission, schema: ResponseSchema) -> dict[str, Any]:
    """The reports of a response that fits `schema`; raises with one error per bad field."""
    errors: list[FieldError] = []
    if parsed.wave is not _ABSENT and (type(parsed.wave) is not int or parsed.wave != schema.wave):
        errors.append(FieldError("wave", "wrong_wave", f"The wave in force is {schema.wave}."))
    strata = {name: parsed.strata.get(name, DEFAULT_STRATUM) for name in parsed.reports}
    errors += _unknown_strata(parsed, schema)
    for name, code in parsed.reports.items():
        errors += _report_errors(name, code, strata[name], schema)
    errors += _left_out(parsed, schema)
    if not parsed.reports and not errors:
        errors.append(FieldError("reports", "empty", "A response needs at least one report."))
    if errors:
        raise InvalidSubmissionError(errors)
    return {"reports": dict(parsed.reports), "strata": strata}


def _left_out(parsed: ParsedSubmission, schema: ResponseSchema) -> list[FieldError]:
    partly = {
        name
        for devices in schema.together
        if not devices.isdisjoint(parsed.reports)
        for name in devices.difference(parsed.reports)
    }
    missing = schema.required.difference(parsed.reports, partly)
    return [
        FieldError(f"reports.{name}", "missing", "This question is required.")
        for name in sorted(missing)
    ] + [
        FieldError(f"reports.{name}", "incomplete", "Its question has reports for other options.")
        for name in sorted(partly)
    ]


def _unknown_strata(parsed: ParsedSubmission, schema: ResponseSchema) -> list[FieldError]:
    return [
        FieldError(f"strata.{_shown(name)}", "no_report", "A stratum needs a report beside it.")
        for name in parsed.strata
        if name not in parsed.reports
    ]


def _report_errors(name: str, code: Any, stratum: Any, schema: ResponseSchema) -> list[FieldError]:
    field = f"reports.{_shown(name)}"
    if name not in schema.devices:
        return [FieldError(field, "unknown_question", "There is no such question.")]
    size = schema.sizes.get((name, stratum)) if isinstance(stratum, str) else None
    if size is None:
        return [FieldError(f"strata.{name}", "unknown_stratum", "There is no such device here.")]
    if isinstance(code, bool) or not isinstance(code, int):
        return [FieldError(field, "not_an_integer", "A report must be a JSON integer.")]
    if not 0 <= code < size:
        rule = f"A report to this question is a whole number from 0 to {size - 1}."
        return [FieldError(field, "out_of_range", rule)]
    return []


def _shown(name: str) -> str:
    """A key of the sender's, short enough to be sent back."""
    return name if len(name) <= 64 else name[:64] + "…"


def _load(body: bytes) -> Any:
    try:
        return json.loads(
            body.decode("utf-8"), object_pairs_hook=_without_duplicates, parse_constant=_refuse
        )
    except RecursionError as error:
        raise _invalid("", "too_deep", "The body is nested too deeply.") from error
    except ValueError as error:
        raise _invalid("", "not_json", "The body must be JSON in UTF-8.") from error


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    seen = dict(pairs)
    if len(seen) != len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise _invalid(_shown(twice), "duplicate_key", "A key may appear once only.")
    return seen


def _refuse(constant: str) -> None:
    raise _invalid("", "not_json", f"{constant} is not JSON.")


def _uuid(value: Any, errors: list[FieldError]) -> uuid.UUID | None:
    try:
        parsed = uuid.UUID(value) if isinstance(value, str) else None
    except ValueError:
        parsed = None
    # Version 4 only: others tell a time and a network card.
    if parsed is None or str(parsed) != value or parsed.version != 4:
        rule = "'submission' must be a random (version 4) UUID in lower case with hyphens."
        errors.append(FieldError("submission", "not_a_uuid", rule))
        return None
    return parsed


def _invalid(field: str, code: str, message: str) -> InvalidSubmissionError:
    return InvalidSubmissionError([FieldError(field, code, message)])
