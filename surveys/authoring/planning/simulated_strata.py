"""Into which stratum chance puts simulated people, and so which devices they use."""

from collections.abc import Mapping, Sequence

import numpy as np

from surveys.parameters import EVERYBODY, Device, Parameters, strata_of_chance, strata_of_devices


def draw_strata(document: Parameters, n: int, generator: np.random.Generator) -> tuple[str, ...]:
    """Return the stratum of each of `n` people; none where everybody is asked alike."""
    strata = strata_of_chance(document)
    if not strata:
        return ()
    return tuple(np.array(list(strata))[generator.choice(len(strata), size=n, p=_shares(strata))])


def people_by_stratum(
    document: Parameters, n: int, generator: np.random.Generator
) -> dict[str, int]:
    """Return of `n` people how many chance puts into each stratum."""
    strata = strata_of_chance(document)
    if not strata:
        return {}
    people = generator.multinomial(n, _shares(strata))
    return {stratum: int(n) for stratum, n in zip(strata, people, strict=True)}


def people_of_device(
    document: Parameters, device: Device, people: Mapping[str, int], n: int
) -> int:
    """Return how many of them report to a device: all of them, where all are asked alike."""
    return sum(people[name] for name in _strata_of(document, device)) if people else n


def expected_people(document: Parameters, device: Device, n: int) -> int:
    """Return how many of `n` people are expected to report to a device."""
    strata = strata_of_chance(document)
    if not strata:
        return n
    share = sum(strata[name] for name in _strata_of(document, device))
    return round(n * share / EVERYBODY)


def users_of_device(document: Parameters, device: Device, strata: Sequence[str]) -> np.ndarray:
    """Return which of the people in these strata report to a device, one truth value for each."""
    return np.isin(np.array(strata), _strata_of(document, device))


def _strata_of(document: Parameters, device: Device) -> list[str]:
    """The strata of chance whose people report to a device."""
    return [
        name
        for name in strata_of_chance(document)
        if strata_of_devices(document, name)[device.id] == device.stratum
    ]


def _shares(strata: Mapping[str, int]) -> list[float]:
    return [share / EVERYBODY for share in strata.values()]
