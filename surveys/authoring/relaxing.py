"""A device of the next wave, with the exact degradations to its tables of all earlier ones."""

from typing import cast

from msgspec.structs import replace

import rr_engine
from rr_engine.relaxation.composing import compose_degradations
from rr_engine.relaxation.degradation import (
    DenseDegradation,
    TableDegradation,
    UniformDegradation,
)
from surveys.parameters import Degradation, Device, Earlier, Listed, Mixed, Same, coded
from surveys.parameters.exact import design_of, table_of


def kept_device(device: Device, wave: int) -> Device:
    """The same device, asked again after this wave: its reports are sent again."""
    if device.direct:
        return device
    last = Earlier(wave=wave, table=coded(device.table), degradation=Same())
    return replace(device, earlier=(*device.earlier, last))


def relaxed_device(
    device: Device, following: rr_engine.DesignMatrix, epsilon: str, wave: int
) -> Device:
    """The device with the table of `following`, whose reports relax those of this wave and before.

    Raises EngineError where the table of `device` is no degraded copy of it.
    """
    now = design_of(coded(device.table))
    # Of tables whose reports are codes it is one as well.
    step = cast("TableDegradation", rr_engine.exact_degradation(now, following))
    last = Earlier(wave=wave, table=coded(device.table), degradation=_stored(step))
    before = [
        replace(earlier, degradation=_stored(_composed(earlier.degradation, step)))
        for earlier in device.earlier
    ]
    return replace(device, table=table_of(following), epsilon=epsilon, earlier=(*before, last))


def _composed(degradation: Degradation, step: TableDegradation) -> TableDegradation:
    match degradation:
        case Same():
            return step
        case Mixed(denominator=denominator, kept=kept, other=other):
            size = step.previous_size
            first = UniformDegradation(size, int(kept), int(other), int(denominator))
            return compose_degradations(first, step)
        case Listed(denominator=denominator, columns=columns):
            rows = tuple(tuple(map(int, row)) for row in zip(*columns, strict=True))
            return compose_degradations(DenseDegradation(rows, int(denominator)), step)


def _stored(degradation: TableDegradation) -> Degradation:
    """In the form of the parameters document: whole numbers as text."""
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
