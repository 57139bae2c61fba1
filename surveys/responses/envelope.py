"""The envelope of a response and its check against a launch; docs/protocol.md describes both."""

import json
import re
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from surveys.exceptions import FieldError, InvalidSubmissionError
from surveys.features import FEATURES, OwnKey, mode_of, modes_of_features
from surveys.features.parts import Beside, Condition
from surveys.parameters import PAGE, Parameters
from surveys.responses.beside import beside_errors, beside_of, keys_beside
from surveys.responses.chance_schemas import (
    ChanceSchema,
    chance_schemas,
    first_fitting,
    required_devices,
)
from surveys.responses.spaces import Space, space_of

# The keys of every response; a mode adds one of its own.
COMMON_KEYS = frozenset({"digest", "submission", "reports", "strata", "wave"})
# A database takes all characters of JSON but U+0000 and lone surrogates.
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
_ABSENT = object()
_NO_ID = uuid.UUID(int=0)


@dataclass(frozen=True, slots=True)
class ResponseSchema:
    """The schema of a response to one launch: what it may contain."""

    spaces: Mapping[tuple[str, str], Space]  # (device, stratum) -> report space
    devices: frozenset[str]
    required: frozenset[str]  # devices with a required report
    together: tuple[frozenset[str], ...]  # devices of one question, which report all or none
    wave: int
    own_key: OwnKey | None = None  # by which its sender is told from others
    members: frozenset[str] | None = None  # those who answer, by their codes
    by_stratum: Mapping[str, ChanceSchema] = field(default_factory=dict)  # of chance; may be empty
    conditions: tuple[Condition, ...] = ()  # of questions that not everybody is asked
    beside: Mapping[str, Beside] = field(default_factory=dict)  # by keys of features


@dataclass(frozen=True, slots=True)
class ParsedSubmission:
    """A well-formed response, not checked against the parameters yet."""

    submission: uuid.UUID
    digest: str
    reports: Mapping[str, Any]
    strata: Mapping[str, Any]
    wave: Any = _ABSENT
    own: Mapping[str, Any] = field(default_factory=dict)  # keys of modes and features that it has


@dataclass(frozen=True, slots=True)
class Draw:
    """A response that is to be made: its parameters and its id say where chance puts it."""

    digest: str
    submission: uuid.UUID


def response_schema(parameters: Parameters) -> ResponseSchema:
    """The schema of a launch's responses; a question's devices of all strata share their ids."""
    of_question = {
        question.id: frozenset(device.id for device in parameters.devices_of(question))
        for question in parameters.questions
    }
    mode = mode_of(parameters.mode)
    return ResponseSchema(
        spaces={device.key: space_of(device) for device in parameters.devices},
        devices=frozenset(device.id for device in parameters.devices),
        required=required_devices(parameters),
        together=tuple(ids for ids in of_question.values() if len(ids) > 1),
        wave=parameters.wave,
        own_key=mode.key if mode else None,
        members=frozenset(parameters.members.codes) if parameters.members else None,
        by_stratum=chance_schemas(parameters),
        conditions=tuple(
            each for feature in FEATURES.values() for each in feature.answers.conditions(parameters)
        ),
        beside=beside_of(parameters),
    )


def parse_submission(body: bytes) -> ParsedSubmission:
    """Read a response's envelope; raises with one error for each invalid field."""
    payload = _load(body)
    if not isinstance(payload, dict):
        raise _invalid("", "not_an_object", "The body must be a JSON object.")
    errors = [
        FieldError(key, "unknown_key", f"{key!r} is not a field of a response.")
        for key in payload
        if key not in submission_keys()
    ]
    submission = _uuid(payload.get("submission"), errors)
    for name in ("reports", "strata"):
        if not isinstance(payload.get(name, {} if name == "strata" else None), dict):
            errors.append(FieldError(name, "not_an_object", f"{name!r} must be a JSON object."))
    errors += _digest_errors(payload.get("digest"))
    if errors or submission is None:
        raise InvalidSubmissionError(errors)
    return ParsedSubmission(
        submission=submission,
        digest=payload["digest"],
        reports=payload["reports"],
        strata=payload.get("strata", {}),
        wave=payload.get("wave", _ABSENT),
        own={key: payload[key] for key in payload.keys() - COMMON_KEYS},
    )


def submission_keys() -> frozenset[str]:
    """Return the keys that responses may have, in some survey or other."""
    return COMMON_KEYS.union((key.name for key in _own_keys()), keys_beside())


def _own_keys() -> tuple[OwnKey, ...]:
    return _keys_of_modes(FEATURES.revision)


@lru_cache(maxsize=8)
def _keys_of_modes(_revision: int) -> tuple[OwnKey, ...]:
    return tuple(mode.key for mode in modes_of_features())


def parse_own_key(body: bytes, key: OwnKey, problem: str) -> str:
    """The value of a mode's key, the only one in the body of a request about its sender.

    `problem`: what is wrong with one that has not the form of such a value.
    """
    payload = _load(body)
    if not isinstance(payload, dict) or set(payload) != {key.name}:
        raise _invalid("", "not_an_object", f"The body must be a JSON object with a {key.name}.")
    value = payload[key.name]
    if not key.fits(value):
        raise _invalid(key.name, f"not_a_{key.name}", f"This is no {key.words}: {problem}")
    return value


def parse_draw(body: bytes) -> Draw:
    """The response in the body of a request for the stratum that chance puts it into."""
    payload = _load(body)
    if not isinstance(payload, dict) or set(payload) != {"digest", "submission"}:
        rule = "The body must be a JSON object with a digest and a submission."
        raise _invalid("", "not_an_object", rule)
    errors: list[FieldError] = []
    submission = _uuid(payload["submission"], errors)
    errors += _digest_errors(payload["digest"])
    if errors or submission is None:
        raise InvalidSubmissionError(errors)
    return Draw(payload["digest"], submission)


def checked_content(
    parsed: ParsedSubmission, schema: ResponseSchema, strata: Sequence[str] = ()
) -> dict[str, Any]:
    """The reports of a response that fits `schema`; raises with one error per bad field.

    `strata`: those that chance may have put it into, the likeliest first; any one if empty.
    Where members answer, whose it is is not in there yet: see `with_member`.
    """
    errors = [*_wave_errors(parsed.wave, schema), *_own_key_errors(parsed.own, schema)]
    errors += beside_errors(parsed.own, schema.beside)
    errors += _reports_errors(parsed, schema, strata)
    if not parsed.reports and not errors:
        errors.append(FieldError("reports", "empty", "A response needs at least one report."))
    if errors:
        raise InvalidSubmissionError(errors)
    return _content(parsed, schema)


def _content(parsed: ParsedSubmission, schema: ResponseSchema) -> dict[str, Any]:
    strata = {name: parsed.strata.get(name, PAGE) for name in parsed.reports}
    beside = {key: parsed.own[key] for key in schema.beside if key in parsed.own}
    return {"reports": dict(parsed.reports), "strata": strata, **beside}


def _reports_errors(
    parsed: ParsedSubmission, schema: ResponseSchema, strata: Sequence[str] = ()
) -> list[FieldError]:
    required, errors = schema.required, _unknown_strata(parsed)
    for name, report in parsed.reports.items():
        errors += _report_errors(name, report, parsed.strata.get(name, PAGE), schema)
    if schema.by_stratum:
        candidates = [schema.by_stratum[name] for name in strata or schema.by_stratum]
        fitting = first_fitting(candidates, parsed.reports, parsed.strata)
        required, bad = fitting.required, {error.field for error in errors}
        wrong = fitting.errors(parsed.reports, parsed.strata)
        errors += [error for error in wrong if error.field not in bad]
    unasked = frozenset[str]().union(
        *(each.devices for each in schema.conditions if not each.holds(parsed.reports))
    )
    errors += [
        FieldError(f"reports.{name}", "not_asked", "The other answers say that it is not asked.")
        for name in sorted(unasked.intersection(parsed.reports))
    ]
    return errors + _left_out(parsed, schema, required - unasked)


def _wave_errors(wave: Any, schema: ResponseSchema) -> list[FieldError]:
    if wave is _ABSENT or (type(wave) is int and wave == schema.wave):
        return []
    return [FieldError("wave", "wrong_wave", f"The wave in force is {schema.wave}.")]


def _own_key_errors(own: Mapping[str, Any], schema: ResponseSchema) -> list[FieldError]:
    errors = []
    for key in _own_keys():
        if key != schema.own_key:
            rule = f"This survey knows no {key.words}s."
            errors += [FieldError(key.name, "unknown_key", rule)] if key.name in own else []
        elif not key.fits(own.get(key.name)):
            rule = f"needs a {key.words}, such as docs/protocol.md describes."
            code = f"not_a_{key.name}" if key.name in own else "missing"
            errors.append(FieldError(key.name, code, f"A response to this survey {rule}"))
    return errors


def with_member(content: dict[str, Any], code: str) -> dict[str, Any]:
    """Return the same response as that of the member with this code."""
    return {**content, "member": code}


def is_content(stored: Any, schema: ResponseSchema) -> bool:
    """Whether something stored is what `checked_content` makes of a response that fits.

    Of a member it says whose response it is.
    """
    if not isinstance(stored, dict):
        return False
    if schema.members is not None:
        stored = dict(stored)
        member = stored.pop("member", None)
        if not isinstance(member, str) or member not in schema.members:
            return False
    reports, strata = stored.get("reports"), stored.get("strata")
    if not isinstance(reports, dict) or not isinstance(strata, dict):
        return False
    own = {key: stored[key] for key in schema.beside if key in stored}
    parsed = ParsedSubmission(_NO_ID, "", reports, strata, own=own)
    errors = [*beside_errors(own, schema.beside), *_reports_errors(parsed, schema)]
    return bool(reports) and not errors and _content(parsed, schema) == stored


def _left_out(
    parsed: ParsedSubmission, schema: ResponseSchema, required: frozenset[str]
) -> list[FieldError]:
    partly = {
        name
        for devices in schema.together
        if not devices.isdisjoint(parsed.reports)
        for name in devices.difference(parsed.reports)
    }
    missing_devices = required.difference(parsed.reports, partly)
    return [
        FieldError(f"reports.{name}", "missing", "This question is required.")
        for name in sorted(missing_devices)
    ] + [
        FieldError(f"reports.{name}", "incomplete", "Its question has reports for other options.")
        for name in sorted(partly)
    ]


def _unknown_strata(parsed: ParsedSubmission) -> list[FieldError]:
    return [
        FieldError(f"strata.{_shorten(name)}", "no_report", "A stratum needs a report beside it.")
        for name in parsed.strata
        if name not in parsed.reports
    ]


def _report_errors(
    name: str, report: Any, stratum: Any, schema: ResponseSchema
) -> list[FieldError]:
    field = f"reports.{_shorten(name)}"
    if name not in schema.devices:
        return [FieldError(field, "unknown_question", "There is no such question.")]
    space = schema.spaces.get((name, stratum)) if isinstance(stratum, str) else None
    if space is None:
        return [FieldError(f"strata.{name}", "unknown_stratum", "There is no such device here.")]
    problem = space.check(report)
    return [FieldError(field, *problem)] if problem else []


def _shorten(name: str) -> str:
    """A key of the sender, shortened to be repeated in an error message."""
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
    fields = dict(pairs)
    if len(fields) != len(pairs):
        repeated_name = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise _invalid(_shorten(repeated_name), "duplicate_key", "A key may appear once only.")
    return fields


def _refuse(constant: str) -> None:
    raise _invalid("", "not_json", f"{constant} is not JSON.")


def _uuid(value: Any, errors: list[FieldError]) -> uuid.UUID | None:
    try:
        parsed = uuid.UUID(value) if isinstance(value, str) else None
    except ValueError:
        parsed = None
    # Version 4 only: other versions reveal a time and a network address.
    if parsed is None or str(parsed) != value or parsed.version != 4:
        rule = "'submission' must be a random (version 4) UUID in lower case with hyphens."
        errors.append(FieldError("submission", "not_a_uuid", rule))
        return None
    return parsed


def _digest_errors(value: Any) -> list[FieldError]:
    if isinstance(value, str) and _DIGEST.fullmatch(value):
        return []
    rule = "'digest' must be sha256: and 64 lower-case hexadecimal digits."
    return [FieldError("digest", "not_a_digest", rule)]


def _invalid(field: str, code: str, message: str) -> InvalidSubmissionError:
    return InvalidSubmissionError([FieldError(field, code, message)])
