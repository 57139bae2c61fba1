"""Two waves of one survey: the second as an author would draft it, the first a degraded copy of it."""

import math
from decimal import Decimal
from typing import Any

import msgspec

from surveys.models import Launch, Survey
from surveys.parameters import Device, Parameters, digest_of, to_freeze
from surveys.parameters.earlier import Earlier, Mixed, Same
from surveys.parameters.tables import Dense, Uniform, columns_of
from surveys.services.launches import draft_parameters
from surveys.services.transitions import move_survey
from tests.builders import make_survey

# Devices whose table is the same in both waves.
Kept = frozenset[str]


def first_wave(*, kept: Kept = frozenset(), **values: Any) -> Launch:
    """An open survey with return codes, whose devices can be relaxed by `second_wave`."""
    defaults = {"slug": "work", "budget": Decimal("9"), "mode": "pseudonymous"}
    survey = make_survey(**{**defaults, "linkage": "together", **values})
    drafted = to_freeze(draft_parameters(survey=survey))
    devices = tuple(_earlier_device(device, kept) for device in drafted.devices)
    launch = _launched(survey, msgspec.structs.replace(drafted, devices=devices))
    states = Survey.State
    move_survey(survey=survey, source=states.DRAFT, target=states.OPEN, actor=None)
    return launch


def second_wave(first: Launch, *, kept: Kept = frozenset()) -> Launch:
    """The next wave of a survey of `first_wave`, which is in force from now on."""
    drafted = to_freeze(draft_parameters(survey=first.survey))
    devices = tuple(_later_device(device, kept) for device in drafted.devices)
    changes = {"wave": 2, "previous": first.digest, "devices": devices}
    return _launched(first.survey, msgspec.structs.replace(drafted, **changes))


def _launched(survey: Survey, parameters: Parameters) -> Launch:
    parameters = to_freeze(parameters)
    return Launch.objects.create(
        survey=survey, wave=parameters.wave, parameters=parameters, digest=digest_of(parameters)
    )


def _earlier_device(device: Device, kept: Kept) -> Device:
    if device.direct or device.id in kept:
        return device
    table = _degraded_table(device.table)
    return msgspec.structs.replace(device, table=table, epsilon=_epsilon_of(table))


def _later_device(device: Device, kept: Kept) -> Device:
    if device.direct:
        return device
    if device.id in kept:
        entry = Earlier(wave=1, table=device.table, degradation=Same())
    else:
        entry = Earlier(wave=1, table=_degraded_table(device.table), degradation=_mixing(device))
    return msgspec.structs.replace(device, earlier=(entry,))


def _scale(table: Dense | Uniform) -> int:
    """The smallest power of two that is twice the number of reports or more."""
    return 1 << (2 * len(table.reports) - 1).bit_length()


def _mixing(device: Device) -> Mixed:
    """One of all reports at random in as many of `scale` cases as there are reports."""
    scale, size = _scale(device.table), len(device.table.reports)
    return Mixed(denominator=str(scale), kept=str(scale - size + 1), other="1")


def _degraded_table(table: Dense | Uniform) -> Dense | Uniform:
    scale, size, whole = _scale(table), len(table.reports), table.denominator
    mixed = [[(scale - size) * x + whole for x in column] for column in columns_of(table)]
    if isinstance(table, Uniform):
        kept, other = mixed[0][0], mixed[0][1]
        return msgspec.structs.replace(table, denominator=scale * whole, kept=kept, other=other)
    columns = tuple(map(tuple, mixed))
    return msgspec.structs.replace(table, denominator=scale * whole, columns=columns)


def _epsilon_of(table: Dense | Uniform) -> str:
    rows = zip(*columns_of(table), strict=True)
    loss = max(math.log(max(row) / min(row)) for row in rows)
    return f"{math.ceil(loss * 1000 + 1) / 1000:.3f}".rstrip("0")
