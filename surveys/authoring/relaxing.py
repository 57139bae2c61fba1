"""A device that is asked again, with the exact degradations to its tables of all earlier waves."""

from fractions import Fraction
from typing import cast

from msgspec.structs import replace

import rr_engine
from rr_engine.relaxation.composing import compose_degradations
from rr_engine.relaxation.degradation import DenseDegradation, TableDegradation, UniformDegradation
from surveys.parameters import (
    Degradation,
    Device,
    Earlier,
    Linear,
    Listed,
    Mixed,
    Same,
    Table,
    coded,
)
from surveys.parameters.earlier import SentAgain
from surveys.parameters.exact import design_of
from surveys.parameters.tables import Coded


def kept_device(device: Device, wave: int) -> Device:
    """Return the same device, asked again after this wave: its reports are sent again."""
    if device.direct:
        return device
    table = device.table if isinstance(device.table, SentAgain) else coded(device.table)
    last = Earlier(wave=wave, table=table, degradation=Same())
    return replace(device, earlier=(*device.earlier, last))


def relaxed_device(device: Device, table: Table, epsilon: str, wave: int) -> Device:
    """The device with another table, whose reports relax those of this wave and before.

    Raises EngineError where its own table is no degraded copy of the other one.
    """
    step, now = _step(device.table, table), coded(device.table)
    last = Earlier(wave=wave, table=now, degradation=_stored(step))
    before = [
        replace(earlier, degradation=_stored(_composed(earlier, now, step)))
        for earlier in device.earlier
    ]
    return replace(device, table=table, epsilon=epsilon, earlier=(*before, last))


def degradation_between(now: Table, later: Table) -> Degradation:
    """How reports of one table come from those of a later one, exactly.

    Raises EngineError where it is no degraded copy of the later one.
    """
    return _stored(_step(now, later))


def _step(now: Table, later: Table) -> TableDegradation:
    if isinstance(now, Linear) and isinstance(later, Linear):
        return _flip(now, later)
    step = rr_engine.relaxation.exact_degradation(design_of(coded(now)), design_of(coded(later)))
    # The degradation between tables whose reports are codes is a table as well.
    return cast("TableDegradation", step)


def _flip(now: Linear, later: Linear) -> UniformDegradation:
    """How one bit on a number comes from a later one over the same steps: by a change of the bit.

    Both tables are symmetric about one half, and the change shrinks the rise of the later one to
    that of this one. docs/methods/numbers.md
    """
    ratio = Fraction(now.rise * later.denominator, later.rise * now.denominator)
    kept, other = (ratio.denominator + sign * ratio.numerator for sign in (1, -1))
    return UniformDegradation(2, kept, other, 2 * ratio.denominator)


def degradation_of(degradation: Degradation, later: Coded) -> TableDegradation:
    """How an earlier report comes from one of the table `later`, as the engine has it."""
    match degradation:
        case Same():
            return UniformDegradation(len(later.reports), 1, 0, 1)
        case Mixed(denominator=denominator, kept=kept, other=other):
            size = len(later.reports)
            return UniformDegradation(size, int(kept), int(other), int(denominator))
        case Listed(denominator=denominator, columns=columns):
            rows = tuple(tuple(map(int, row)) for row in zip(*columns, strict=True))
            return DenseDegradation(rows, int(denominator))


def _composed(earlier: Earlier, now: Coded, step: TableDegradation) -> TableDegradation:
    if isinstance(earlier.degradation, Same):
        return step
    return compose_degradations(degradation_of(earlier.degradation, now), step)


def _stored(degradation: TableDegradation) -> Degradation:
    """Return a degradation in the form of the parameters document: whole numbers as text."""
    if isinstance(degradation, UniformDegradation):
        return Mixed(
            denominator=str(degradation.denominator),
            kept=str(degradation.kept),
            other=str(degradation.other),
        )
    columns = tuple(
        tuple(map(str, degradation.column(later))) for later in range(degradation.next_size)
    )
    return Listed(denominator=str(degradation.denominator), columns=columns)
