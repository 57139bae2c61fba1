"""The arms of a survey in numbers, as its respondents are told of them."""

from dataclasses import dataclass

from surveys.parameters.arm_rules import arm_strata
from surveys.parameters.arms import LEAST_DIRECT_BATCH
from surveys.parameters.document import Parameters


@dataclass(frozen=True, slots=True)
class Way:
    """How many questions some people are asked in this way, and of how many in a hundred."""

    questions: int
    share: int


@dataclass(frozen=True, slots=True)
class Ways:
    """What is asked otherwise than on the page: scrambled by another device, or not at all."""

    split: Way | None
    directly: Way | None
    # Counts of the people who are asked directly change by so many of them, or not at all.
    direct_batch: int


def ways_of_asking(parameters: Parameters) -> Ways | None:
    """The ways besides that of the page; None where everybody is asked alike."""
    if not parameters.arms:
        return None
    batch = max(parameters.release_batch, LEAST_DIRECT_BATCH)
    return Ways(_way(parameters, directly=False), _way(parameters, directly=True), batch)


def _way(parameters: Parameters, *, directly: bool) -> Way | None:
    devices = [
        device
        for device in parameters.devices
        if device.stratum in arm_strata(parameters) and device.direct == directly
    ]
    strata = {device.stratum for device in devices}
    share = sum(arm.share for arm in parameters.arms if arm.stratum in strata)
    return Way(len({device.id for device in devices}), share) if devices else None
