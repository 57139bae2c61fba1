"""Simulated surveys of strings through RAPPOR: python -m tests.engine.string_surveys [SURVEYS]

Writes the table of docs/methods/rappor.md. Every survey has words of its own, and so new hashes.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np

from rr_engine.rappor import Rappor, StringEstimates, decode_strings, simulate_string_tallies

SEED = 20260514


@dataclass(frozen=True)
class Case:
    """A list of candidates of which some occur, by Zipf's law, and strings that are not on it."""

    epsilon: str
    n: int
    bits: int = 128
    hashes: int = 1
    cohorts: int = 8
    candidates: int = 100
    occurring: int = 20
    unlisted: int = 0
    unlisted_share: float = 0.0

    @property
    def device(self) -> Rappor:
        return Rappor.for_epsilon(self.epsilon, self.bits, self.hashes, self.cohorts)

    @property
    def shares(self) -> np.ndarray:
        weights = 1 / np.arange(1, self.occurring + 1)
        listed = weights / weights.sum() * (1 - self.unlisted_share)
        return np.append(listed, np.full(self.unlisted, self.unlisted_share / (self.unlisted or 1)))


@dataclass(frozen=True)
class Outcome:
    """Means over surveys; the false-discovery proportion with its standard error."""

    false_discoveries: float
    standard_error: float
    found: float
    coverage: float
    lowest_coverage: float
    bounded_coverage: float
    warned: float


def survey(
    case: Case, shares: Sequence[float], rng: np.random.Generator, number: int, **options: object
) -> StringEstimates:
    """Simulate and decode one survey."""
    words = [f"survey {number} word {index}" for index in range(case.candidates)]
    others = [f"survey {number} other {index}" for index in range(case.unlisted)]
    strings = words[: case.occurring] + others
    tallies = simulate_string_tallies(case.device, strings, shares, case.n, rng)
    return decode_strings(case.device, tallies, words, **options)


def run(case: Case, surveys: int, seed: int = SEED) -> Outcome:
    rng, numbers = np.random.default_rng(seed), count()
    results = [survey(case, case.shares, rng, next(numbers)) for _ in range(surveys)]
    truth, present = case.shares[: case.occurring], slice(case.occurring)
    found = np.array([result.found for result in results])
    wrong = found[:, case.occurring :].sum(axis=1) / np.maximum(found.sum(axis=1), 1)
    ends = np.array([result.interval()[present] for result in results])
    covered = ((ends[..., 0] <= truth) & (truth <= ends[..., 1])).mean(axis=0)
    bounded = np.array([result.shares[present] for result in results])
    errors = np.array([result.standard_errors[present] for result in results])
    warned = [any(note.code == "unlisted_strings" for note in result.notes) for result in results]
    return Outcome(
        false_discoveries=float(wrong.mean()),
        standard_error=float(wrong.std(ddof=1) / surveys**0.5),
        found=float(found[:, present].mean()),
        coverage=float(covered.mean()),
        lowest_coverage=float(covered.min()),
        bounded_coverage=float((np.abs(bounded - truth) <= 1.96 * errors).mean()),
        warned=float(np.mean(warned)),
    )


CASES = (
    Case("1", 20_000), Case("2", 20_000), Case("4", 20_000), Case("4", 20_000, hashes=2),
    Case("4", 20_000, bits=32), Case("1", 200), Case("2", 200), Case("4", 200), Case("8", 200),
    Case("4", 200, occurring=5), Case("2", 1000), Case("4", 1000),
    Case("4", 20_000, unlisted=1, unlisted_share=0.1),
    Case("4", 20_000, unlisted=3, unlisted_share=0.3),
    Case("4", 20_000, unlisted=10, unlisted_share=0.3),
    Case("4", 20_000, unlisted=100, unlisted_share=0.3),
)  # fmt: skip


def row(case: Case, outcome: Outcome) -> str:
    unlisted = f"{case.unlisted}, {case.unlisted_share:.0%}" if case.unlisted else ""
    cells = [
        case.epsilon,
        f"{case.n:,}",
        f"{case.bits}, {case.hashes}, {case.cohorts}",
        f"{case.occurring} of {case.candidates}",
        unlisted,
        f"{outcome.false_discoveries:.3f} ({outcome.standard_error:.3f})",
        f"{outcome.found:.3f}",
        f"{outcome.coverage:.4f}",
        f"{outcome.lowest_coverage:.3f}",
        f"{outcome.bounded_coverage:.3f}",
        f"{outcome.warned:.2f}",
    ]
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    for each in CASES:
        print(row(each, run(each, repetitions)), flush=True)  # noqa: T201
