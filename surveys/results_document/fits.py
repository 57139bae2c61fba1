"""The document of a fitted analysis, which a worker stores beside that of the results."""

from collections.abc import Mapping
from typing import Any, Final, Literal

import msgspec

from surveys.features.settings import stored
from surveys.results_document.document import Recoding
from surveys.results_document.parts import Interval, Notes, Part

FORMAT: Final = 2


class Outcome(Part, frozen=True, kw_only=True):
    id: str
    text: str
    randomized: bool
    categories: tuple[str, ...]
    multinomial: bool


class PredictorResults(Part, frozen=True, kw_only=True):
    """`levels`: none of a number; the others are compared with the `reference`."""

    id: str
    text: str
    randomized: bool
    scored: bool
    levels: tuple[str, ...]
    reference: str | None


class Coefficient(Part, frozen=True, kw_only=True):
    """`category`: None with two outcomes; `question`, `label`: None of the intercept."""

    category: str | None
    question: str | None
    label: str | None
    name: str
    estimate: float | None
    standard_error: float | None
    z: float | None
    p_value: float | None
    interval: Interval


class Effect(Part, frozen=True, kw_only=True):
    """An average marginal effect; `discrete`: of a level, and not of a point more."""

    category: str
    question: str
    label: str
    name: str
    discrete: bool
    estimate: float | None
    standard_error: float | None
    interval: Interval


class Prediction(Part, frozen=True, kw_only=True):
    """A probability at a level of a predictor, or at a place of its range."""

    question: str
    label: str | float
    category: str
    probability: float | None
    standard_error: float | None
    interval: Interval

    @property
    def estimate(self) -> float | None:
        """Return the probability as what every share has."""
        return self.probability


class Criteria(Part, frozen=True, kw_only=True):
    aic: float
    bic: float
    mcfadden: float


class WaldTest(Part, frozen=True, kw_only=True):
    question: str
    statistic: float | None
    degrees: int
    p_value: float | None


class Calibration(Part, frozen=True, kw_only=True):
    statistic: float | None
    degrees: int
    p_value: float | None
    fitted: tuple[float | None, ...]
    observed: tuple[float | None, ...]


class FitWeights(Part, frozen=True, kw_only=True):
    design_effect: float
    effective_n: float


class Reading(Part, frozen=True, kw_only=True):
    """How a program reads the same from the reports: what stands in it as literals.

    `direct`: names, the answers of each level, and their scores; `randomized`: names and scores;
    `margins`: questions, the answers that count together, and their shares.
    """

    categories: Recoding
    direct: list[list[Any]]
    randomized: list[list[Any]]
    margins: list[list[Any]]


@stored
class FitResults(Part, frozen=True, kw_only=True):
    """`recoded`: by question which answers were put together."""

    format: Literal[2]
    engine: str
    n: int
    level: float
    outcome: Outcome
    predictors: tuple[PredictorResults, ...]
    recoded: dict[str, tuple[str, ...]]
    coefficients: tuple[Coefficient, ...]
    effects: tuple[Effect, ...]
    predictions: tuple[Prediction, ...]
    standard_errors: str
    link: str
    log_likelihood: float | None
    null_log_likelihood: float | None
    comparison: Criteria | None
    tests: tuple[WaldTest, ...]
    calibration: Calibration | None
    converged: bool
    iterations: int
    weights: FitWeights | None
    notes: Notes
    left_out: int
    reading: Reading


def read_fit(content: Mapping[str, Any]) -> FitResults | None:
    """Read a stored fit; None where there is none of this format."""
    return msgspec.convert(content, FitResults) if content.get("format") == FORMAT else None
