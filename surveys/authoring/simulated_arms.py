"""Which arm simulated people are in, and so which devices they use."""

from collections.abc import Mapping, Sequence

import numpy as np

from surveys.parameters import Device, Parameters, strata_in_arm
from surveys.parameters.arms import EVERYBODY


def draw_arms(document: Parameters, n: int, generator: np.random.Generator) -> tuple[str, ...]:
    """The arm of each of `n` people, as chance puts them; none where everybody is asked alike."""
    if not document.arms:
        return ()
    strata = [arm.stratum for arm in document.arms]
    return tuple(np.array(strata)[generator.choice(len(strata), size=n, p=_shares(document))])


def people_by_arm(document: Parameters, n: int, generator: np.random.Generator) -> dict[str, int]:
    """Of `n` people how many chance puts into each arm, by its stratum."""
    if not document.arms:
        return {}
    people = generator.multinomial(n, _shares(document))
    return {arm.stratum: int(n) for arm, n in zip(document.arms, people, strict=True)}


def people_of_device(
    document: Parameters, device: Device, people: Mapping[str, int], n: int
) -> int:
    """How many of them report to a device: all of them, where there are no arms."""
    if not document.arms:
        return n
    return sum(people[arm] for arm in arms_of_device(document, device))


def expected_people(document: Parameters, device: Device, n: int) -> int:
    """How many of `n` people are expected to report to a device."""
    if not document.arms:
        return n
    using = arms_of_device(document, device)
    share = sum(arm.share for arm in document.arms if arm.stratum in using)
    return round(n * share / EVERYBODY)


def users_of_device(document: Parameters, device: Device, arms: Sequence[str]) -> np.ndarray:
    """Which of the people in these arms report to a device, one truth value for each."""
    return np.isin(np.array(arms), arms_of_device(document, device))


def arms_of_device(document: Parameters, device: Device) -> list[str]:
    """The arms whose people report to a device."""
    strata = [arm.stratum for arm in document.arms]
    return [arm for arm in strata if strata_in_arm(document, arm)[device.id] == device.stratum]


def _shares(document: Parameters) -> list[float]:
    return [arm.share / EVERYBODY for arm in document.arms]
