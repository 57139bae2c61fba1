"""Simulated reports to joint devices, with true answers that are independent of each other."""

from collections.abc import Mapping, Sequence

import numpy as np

import rr_engine
from rr_engine.device import RandomBytes
from surveys.parameters import Device, Joint, Parameters, parts_of, picked_of
from surveys.parameters.joint import channel_of_joint
from surveys.responses.spaces import Counts, Numbered, space_of


def joint_reports(
    device: Device, answers: Sequence[np.ndarray], random_bytes: RandomBytes
) -> list[list[int]]:
    """The reports of people with these answers to each question, one tuple each."""
    table = _table(device)
    truths = np.ravel_multi_index(tuple(answers), table.shape)
    reports = rr_engine.randomize(channel_of_joint(table), truths, random_bytes)
    codes = np.array(np.unravel_index(reports, table.shape)).T
    return [[int(code) for code in row] for row in codes]


def joint_tallies(
    device: Device, truth: Mapping[str, Sequence[float]], n: int, generator: np.random.Generator
) -> dict[tuple[str, str], Counts]:
    """The tallies of a joint device, and of each of its questions, of `n` people."""
    table = _table(device)
    shares = np.ones(1)
    for question in device.questions:
        shares = np.multiply.outer(shares, np.asarray(truth[question], dtype=float)).ravel()
    counts = rr_engine.simulate_counts(channel_of_joint(table), shares, n, generator)
    cells = counts.reshape(table.shape)
    axes = range(len(table.shape))
    space = space_of(device)
    if not isinstance(space, Numbered):
        raise TypeError("joint reports are numbered")
    sent = np.flatnonzero(counts)
    stored = space.stored({int(number): int(counts[number]) for number in sent})
    tallies: dict[tuple[str, str], Counts] = {device.key: stored}
    for axis, part in enumerate(parts_of(device)):
        margin = cells.sum(axis=tuple(other for other in axes if other != axis))
        tallies[part.key] = [int(count) for count in margin]
    return tallies


def people_by_pick(document: Parameters, n: int, generator: np.random.Generator) -> dict[str, int]:
    """Return for how many of `n` people the page picks each device, by its stratum."""
    strata = [device.stratum for device in picked_of(document)]
    if not strata:
        return {}
    people = generator.multinomial(n, np.full(len(strata), 1 / len(strata)))
    return dict(zip(strata, people.tolist(), strict=True))


def _table(device: Device) -> Joint:
    if not isinstance(device.table, Joint):
        raise TypeError(f"device {device.id} covers one question")
    return device.table
