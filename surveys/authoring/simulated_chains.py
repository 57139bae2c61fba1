"""Chains of simulated respondents: one report for each tier, the lowest first."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from surveys.kinds import KINDS
from surveys.parameters import Chain, Degradation, Device, Listed, Mixed, Question, Same
from surveys.parameters.rungs import device_at_rung


def chain_reports(
    question: Question, device: Device, answers: np.ndarray, words: Sequence[str]
) -> list[list[int]]:
    """A list of codes for each answer: the last one is drawn from it, each other from the next."""
    chain, generator = device.table, np.random.default_rng()
    if not isinstance(chain, Chain):
        raise TypeError(f"{device.id} has a report for each tier only where it has a chain")
    highest = device_at_rung(device, len(chain.steps) - 1)
    drawn = KINDS[question.kind].draw_reports(question, highest, answers, words)
    codes = [np.asarray(drawn, dtype=np.int64)]
    links = zip(chain.steps[:-1], chain.degradations, strict=True)
    for step, degradation in reversed(list(links)):
        codes.insert(0, _degrade(codes[0], degradation, len(step.reports), generator))
    return np.stack(codes, axis=1).tolist()


def _degrade(
    codes: np.ndarray, degradation: Degradation, size: int, generator: np.random.Generator
) -> np.ndarray:
    """The reports of a lower tier, one of `size` codes each, drawn from those of the tier above."""
    if isinstance(degradation, Same):
        return codes
    degraded = np.zeros_like(codes)
    for code in np.unique(codes):
        members = codes == code
        chances = _chances(degradation, int(code), size)
        degraded[members] = generator.choice(size, int(members.sum()), p=chances)
    return degraded


def _chances(degradation: Mixed | Listed, code: int, size: int) -> list[float]:
    """The chance of each lower report given one above; their integers may exceed a float."""
    if isinstance(degradation, Listed):
        entries = list(map(int, degradation.columns[code]))
    else:
        entries = [int(degradation.other)] * size
        entries[code] = int(degradation.kept)
    return [float(Fraction(entry, int(degradation.denominator))) for entry in entries]
