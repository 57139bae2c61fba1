"""Numbers of respondents for a list experiment."""

from dataclasses import dataclass

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray
from rr_engine.design import DesignMatrix
from rr_engine.distributions import normal_isf
from rr_engine.estimation.difference import ALTERNATIVES
from rr_engine.library.item_count.tables import check_count_device, count_items
from rr_engine.planning.proportion import people
from rr_engine.planning.rejection import normal_power
from rr_engine.planning.solving import check_gap, settle_sample_size
from rr_engine.precision import left_inverse

VARIANCES = ("separate", "null")


@dataclass(frozen=True, slots=True)
class _ListPlan:
    """The gap to detect, and the deviations of the estimate for one respondent of both groups."""

    gap: float
    null_deviation: float
    deviation: float
    alternative: str


def power_list_experiment(
    control: ArrayLike,
    prevalence: float,
    n: int,
    null: float = 0.0,
    treated: float = 0.5,
    alpha: float = 0.05,
    alternative: str = "two-sided",
    design: DesignMatrix | None = None,
    variance: str = "separate",
) -> float:
    """Probability that the difference in means of a list experiment rejects a prevalence.

    Parameters
    ----------
    control : array_like of float, shape (items + 1,)
        Expected proportions of people by how many of the other items are true of them.
    prevalence : float
        The true one, the same whatever the count.
    n : int
        Respondents of both groups together.
    null : float, default 0
    treated : float, default 0.5
        Share of the respondents who get the long list, strictly between 0 and 1.
    alpha : float, default 0.05
    alternative : {"two-sided", "greater", "less"}
    design : DesignMatrix, optional
        A device for the count, as in :func:`rr_engine.list_experiment`.
    variance : {"separate", "null"}
        Which test: with the variance estimated in each group, as the interval of
        :func:`rr_engine.list_experiment`, or with the one under the null hypothesis.

    Returns
    -------
    float

    Raises
    ------
    ArgumentError, DistributionError, DesignError, NotIdentifiableError

    Notes
    -----
    By the normal limit. docs/methods/item-count.md.

    References
    ----------
    .. [1] R. Ulrich, H. Schroter, H. Striegel and P. Simon, "Asking Sensitive Questions: A
       Statistical Power Analysis of Randomized Response Models", Psychological Methods 17 (2012),
       623-641 (one-sided, the variance of the null hypothesis).

    Examples
    --------
    Four items that are true of every second person, a fifth with the trait:

    >>> control = [1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16]
    >>> round(power_list_experiment(control, 0.2, 500), 3)
    0.576
    """
    plan = _plan(control, (prevalence, null, treated), design, alternative, variance)
    return _power(plan, check.size(n), check.open_unit(alpha, "alpha"))


def solve_sample_size_list_experiment(
    control: ArrayLike,
    prevalence: float,
    power: float = 0.8,
    null: float = 0.0,
    treated: float = 0.5,
    alpha: float = 0.05,
    alternative: str = "two-sided",
    design: DesignMatrix | None = None,
    variance: str = "separate",
) -> int:
    """Smallest number of respondents of a list experiment that rejects a prevalence.

    Parameters
    ----------
    control, prevalence, null, treated, alpha, alternative, design, variance
        As in :func:`power_list_experiment`.
    power : float, default 0.8

    Returns
    -------
    int
        Respondents of both groups together; one fewer misses the power.

    Raises
    ------
    DistributionError, DesignError, NotIdentifiableError
    ArgumentError
        Also for a prevalence that the test does not look for ("no_effect").

    References
    ----------
    .. [1] R. Ulrich, H. Schroter, H. Striegel and P. Simon, "Asking Sensitive Questions: A
       Statistical Power Analysis of Randomized Response Models", Psychological Methods 17 (2012),
       623-641.

    Examples
    --------
    Told as it is, and through a device of epsilon 3:

    >>> from rr_engine import k_rr
    >>> control = [1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16]
    >>> solve_sample_size_list_experiment(control, 0.2)
    848
    >>> solve_sample_size_list_experiment(control, 0.2, design=k_rr(6, 3))
    1869
    """
    plan = _plan(control, (prevalence, null, treated), design, alternative, variance)
    target, level = check.open_unit(power, "power"), check.open_unit(alpha, "alpha")
    check_gap(plan.gap, plan.alternative, prevalence)
    tail = level / 2 if plan.alternative == "two-sided" else level
    reach = float(normal_isf(tail)) * plan.null_deviation
    reach -= float(normal_isf(target)) * plan.deviation
    start = people((max(reach, 0.0) / plan.gap) ** 2, "power", power)
    return settle_sample_size(lambda n: _power(plan, n, level), start, target)


def _plan(
    control: ArrayLike,
    shares: tuple[float, float, float],
    design: DesignMatrix | None,
    alternative: str,
    variance: str,
) -> _ListPlan:
    items = count_items(control) if design is None else check_count_device(design).truth_size - 2
    counts = check.distribution(control, items + 1, "control")
    matrix = np.eye(items + 2) if design is None else np.asarray(design.matrix)
    true, null = check.probability(shares[0], "prevalence"), check.probability(shares[1], "null")
    treated = check.open_unit(shares[2], "treated")
    kind = check.choice(variance, "variance", VARIANCES)
    deviation = _deviation(matrix, counts, true, treated)
    under = deviation if kind == "separate" else _deviation(matrix, counts, null, treated)
    side = check.choice(alternative, "alternative", ALTERNATIVES)
    return _ListPlan(true - null, under, deviation, side)


def _deviation(matrix: FloatArray, counts: FloatArray, prevalence: float, treated: float) -> float:
    """Return the deviation of the difference in means, times the root of all respondents."""
    short = matrix[:, :-1] @ counts
    long = (1 - prevalence) * short + prevalence * (matrix[:, 1:] @ counts)
    total = 0.0
    groups = ((matrix[:, :-1], short, 1 - treated), (matrix, long, treated))
    for columns, reported, share in groups:
        scores = np.arange(columns.shape[1]) @ left_inverse(columns)
        mean = float(scores @ reported)
        total += max(float(scores**2 @ reported) - mean**2, 0.0) / share
    return float(np.sqrt(total))


def _power(plan: _ListPlan, n: int, alpha: float) -> float:
    return normal_power(n, plan.gap, plan.null_deviation, plan.deviation, alpha, plan.alternative)
