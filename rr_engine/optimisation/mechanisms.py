"""From optimal weights of rays to devices with few reports, and exact tables within bounds."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import numpy.typing as npt
import scipy

from rr_engine import check
from rr_engine.arguments import check_design
from rr_engine.arrays import ArrayLike, Epsilon, FloatArray, IntArray
from rr_engine.design import DesignMatrix
from rr_engine.errors import ArgumentError
from rr_engine.optimisation.bounds import optimum_on, posterior_rays, ratio_rays
from rr_engine.optimisation.front import evaluate, mix_within_bounds
from rr_engine.optimisation.nearest_mechanism import Limits, merge_last_report, nearest_mechanism
from rr_engine.optimisation.proving import BoundSolution, Certificate
from rr_engine.privacy.loss import likelihood_ratio_bound, ratio_at_most
from rr_engine.quantizing import closest

NEGLIGIBLE = 1e-9
# Reports whose loss is tried before one is dropped.
CANDIDATES = 6


def optimal_mechanism(solution: BoundSolution, reports: int | None = None) -> DesignMatrix:
    """Return the device that attains the bound, or nearly, with few reports.

    Parameters
    ----------
    solution : BoundSolution
        From :func:`rr_engine.optimisation.bounds.solve_bound`.
    reports : int, optional
        At most this many, at least the number of truths. Left out: as many as the optimum needs,
        never more than n (n - 1) / 2 + n + 1 for n truths. Some two seconds for 10 truths and ten
        for 14, as reports are dropped one by one.

    Returns
    -------
    DesignMatrix
        It keeps the constraints to the rounding of its floats; `quantized_within` returns a table
        that keeps them exactly.

    Raises
    ------
    ArgumentError
        When no device with so few reports was found, or none that keeps the constraints.

    Notes
    -----
    Error and constraints depend on n (n - 1) / 2 + n + 1 sums over the reports at most, so a basic
    solution of the linear program with the same sums has no more reports (Caratheodory). Fewer
    still: of the six least used reports the one that is missed least is dropped, and the weights
    are made optimal anew.

    References
    ----------
    Ours: a linear programme over the rays of the device's rows, and its dual;
    docs/methods/optimal.md.

    Examples
    --------
    >>> from rr_engine.optimisation import optimal_mechanism, solve_bound
    >>> best = optimal_mechanism(solve_bound([0.4, 0.3, 0.2, 0.1], 1000, epsilon=2))
    >>> best.truth_size, round(best.epsilon, 3)
    (4, 2.0)
    """
    check.instance(
        solution, "solution", BoundSolution, "be what solve_bound returns", "not_a_solution"
    )
    prior = solution.certificate.prior
    indices, basic = _basic_solution(solution)
    rays = solution.rays[indices]
    weights = optimum_on(rays, solution.certificate)
    # The basic solution has the optimum's sums, with fewer digits.
    weights = basic if weights is None else weights
    if reports is not None:
        limit = check.whole(reports, "reports", minimum=len(prior))
        rays, weights = _reduce_reports(rays, weights, solution, limit)
    used = weights > NEGLIGIBLE
    certificate = solution.certificate
    limits = Limits.of(certificate.privacy, certificate.delta, certificate.epsilon)
    # The exact mechanism satisfies constraints that the program violates by rounding.
    mechanism = nearest_mechanism((weights[:, None] * rays)[used], prior, limits)
    if mechanism is None:
        rule = "leave room for a device that keeps its constraints"
        raise ArgumentError("solution", solution, rule, "no_feasible_device")
    matrix = merge_last_report(mechanism).joint / prior
    return DesignMatrix(matrix / matrix.sum(axis=0), reports=check.number_labels(len(matrix)))


def _basic_solution(solution: BoundSolution) -> tuple[IntArray, FloatArray]:
    """Choose rays, and weights, for a basic solution with the optimum's information and totals."""
    prior, rays, weights = solution.certificate.prior, solution.rays, solution.weights
    scaled = rays / prior
    rows, columns = np.triu_indices(len(prior))
    sums = np.vstack([(scaled[:, rows] * scaled[:, columns]).T, rays.T, rays.max(axis=1)])
    support = np.flatnonzero(weights > weights.max() * 1e-6)
    totals = sums[:, support] @ weights[support]
    # In units of each sum: a rare category makes some of them very large.
    scale = np.maximum(np.abs(sums[:, support]).max(axis=1), np.finfo(float).tiny)
    equations, values = sums[:, support] / scale[:, None], totals / scale
    program = scipy.optimize.linprog(
        np.zeros(len(support)), A_eq=equations, b_eq=values, method="highs-ds"
    )
    if program.x is None:
        return support, weights[support]
    used = program.x > NEGLIGIBLE * program.x.max()
    return support[used], program.x[used]


def _reduce_reports(
    rays: FloatArray, weights: FloatArray, solution: BoundSolution, limit: int
) -> tuple[FloatArray, FloatArray]:
    """Drop reports one at a time, of the rarest the one with the smallest loss."""
    while (weights > NEGLIGIBLE).sum() > limit:
        trials = _without_one(rays, weights, solution)
        best = min(trials, key=lambda trial: trial[0], default=None)
        if best is None:
            count = int((weights > NEGLIGIBLE).sum())
            rule = f"be at least {count}: none can be spared"
            raise ArgumentError("reports", limit, rule, "too_few_reports")
        _, rays, weights = best
    return rays, weights


def _without_one(
    rays: FloatArray, weights: FloatArray, solution: BoundSolution
) -> list[tuple[float, FloatArray, FloatArray]]:
    """Return the error, rays and best weights without each of the rarest reports."""
    trials = []
    for index in np.argsort(weights):
        fewer = np.delete(rays, index, axis=0)
        weights_left = optimum_on(fewer, solution.certificate)
        if weights_left is not None:
            matrix = weights_left[:, None] * fewer / solution.certificate.prior
            _, error, _ = evaluate(matrix[None], solution.certificate.prior)
            trials.append((float(error[0]), fewer, weights_left))
        if len(trials) == CANDIDATES:
            break
    return trials


def best_within(certificate: Certificate, epsilon: float) -> FloatArray | None:
    """Return the best device on capped ratio rays at one privacy; None when none keeps it.

    Parameters
    ----------
    certificate : Certificate
        With `delta` and `privacy`.
    epsilon : float

    Returns
    -------
    ndarray, shape (reports, truths), or None
    """
    # Without a delta no posterior is excluded.
    delta = 1.0 if certificate.delta is None else certificate.delta
    rays = capped_rays(certificate.prior, delta, epsilon)
    weights = optimum_on(rays, certificate)
    if weights is None:
        return None
    return optimal_mechanism(BoundSolution(rays, weights, certificate)).matrix


def capped_rays(prior: FloatArray, delta: float, epsilon: float) -> FloatArray:
    """Return the rays of either bound, mixed with the prior until they satisfy the other too.

    The prior is the posterior of a report that tells nothing: mixing with it brings the ratio of
    a report's chances nearer to 1 and its largest posterior nearer to the largest share.

    Returns
    -------
    ndarray, shape (rays, truths)
    """
    ratio, posterior = ratio_rays(prior, epsilon), posterior_rays(prior, delta)
    over = ratio - delta
    above = over > 0
    share = np.where(above, over, 0.0) / np.where(above, ratio - prior, 1.0)
    capped = _mix(ratio, share.max(axis=1), prior)
    chances = posterior / prior
    factor = np.exp(epsilon)
    excess = np.maximum(chances.max(axis=1) - factor * chances.min(axis=1), 0.0)
    mixed = _mix(posterior, excess / (excess + factor - 1), prior)
    return np.vstack([capped, mixed, prior])


def _mix(rays: FloatArray, share: FloatArray, prior: FloatArray) -> FloatArray:
    return (1 - share[:, None]) * rays + share[:, None] * prior


# Mean probability below which rounding a report costs more than the report tells.
RARE = 1e-5


def quantized_within(
    design: DesignMatrix,
    prior: ArrayLike,
    privacy: float | None = None,
    delta: float | None = None,
    epsilon: Epsilon | None = None,
    bits: int = 32,
) -> DesignMatrix:
    """Return the exact integer version of a design that keeps every bound given.

    Parameters
    ----------
    design : DesignMatrix
    prior : array_like, shape (truths,)
        The distribution that privacy and worst posterior are about, as the fractions that its
        floats are over their sum.
    privacy : float, optional
        The best guess is wrong at least this often (OptRR Eq. 8); below 1 less the largest share.
    delta : float, optional
        The worst posterior is at most this (OptRR Eq. 9); above the largest share.
    epsilon : Decimal, str or float, optional
        The privacy loss is at most this.
    bits : int, default 32
        Columns of the table sum to 2**bits; at most 52.

    Returns
    -------
    DesignMatrix
        With `integers`. Each bound holds in rational arithmetic, without rounding. Where the
        nearest table breaks one, just enough of the row means is mixed in: a device that reports
        alike whatever the truth keeps them all. Reports rarer than RARE are left out where more
        are left than there are truths and the device is more accurate without them.

    Raises
    ------
    ArgumentError
        When no device keeps the bounds.
    DesignError
        When `bits` are too few.

    References
    ----------
    Ours: rounding that is checked in exact arithmetic; docs/methods/devices.md.

    Examples
    --------
    >>> design = DesignMatrix([[2 / 3, 1 / 3], [1 / 3, 2 / 3]])
    >>> exact = quantized_within(design, [0.5, 0.5], delta=0.6667, bits=8)
    >>> exact.integers.tolist()
    [[170, 86], [86, 170]]
    """
    categories = check_design(design).categories
    shares = _fractions(check.distribution(prior, len(categories), "prior", categories))
    width = check.whole(bits, "bits", minimum=1, maximum=check.MAX_BITS)
    least, most, budget = _bounds(shares, privacy, delta, epsilon)

    def keeps(table: IntArray) -> bool:
        denominator = int(table[:, 0].sum())
        rows = [
            [int(entry) * share for entry, share in zip(row, shares, strict=True)] for row in table
        ]
        guessed = sum((max(row) for row in rows), Fraction(0)) / denominator
        if least is not None and 1 - guessed < least:
            return False
        if most is not None and any(max(row) > most * sum(row) for row in rows):
            return False
        return budget is None or ratio_at_most(likelihood_ratio_bound(table), budget)

    # Bounds are met in floats first; doubling steps of mixing then remove the rounding.
    weights = np.array([float(share) for share in shares])
    limit, loss = (None if bound is None else float(bound) for bound in (most, budget))
    start = mix_within_bounds(design.matrix[None], weights, 1.0 if limit is None else limit, loss)[
        0
    ]
    candidates = []
    for matrix, rows in ((start, range(len(start))), *_without_rare(start)):
        table = closest(matrix, keeps, width, mixing=True)
        reports = [design.reports[index] for index in rows]
        candidates.append(DesignMatrix.from_integers(table, 2**width, design.categories, reports))
    errors = [exact.mse(weights, 1) for exact in candidates]
    return candidates[int(np.argmin(errors))]


def _without_rare(matrix: FloatArray) -> list[tuple[FloatArray, list[int]]]:
    """Return the matrix with its rare reports sent as the commonest one, and what is left; or none.

    A few units of a table cannot keep the ratio of a rare report, so that all of the device would
    have to be mixed. Merging reports keeps every bound, and these say next to nothing.
    """
    means = matrix.mean(axis=1)
    reports = np.flatnonzero(means >= RARE).tolist()
    if len(reports) == len(matrix) or len(reports) < matrix.shape[1]:
        return []
    fewer = matrix[reports]
    fewer[int(np.argmax(means[reports]))] += matrix[means < RARE].sum(axis=0)
    return [(fewer, reports)]


def _fractions(prior: npt.NDArray) -> list[Fraction]:
    shares = [Fraction(share) for share in prior.tolist()]
    return [share / sum(shares) for share in shares]


def _bounds(
    shares: list[Fraction], privacy: object, delta: object, epsilon: object
) -> tuple[Fraction | None, Fraction | None, Decimal | None]:
    largest = max(shares)
    least = None if privacy is None else Fraction(check.probability(privacy, "privacy"))
    most = None if delta is None else Fraction(check.probability(delta, "delta"))
    if least is not None and least >= 1 - largest:
        rule = f"be below 1 less the largest proportion ({float(1 - largest):.6g})"
        raise ArgumentError("privacy", privacy, rule, "above_largest_rest", float(1 - largest))
    if most is not None and most <= largest:
        rule = f"be above the largest proportion ({float(largest):.6g})"
        raise ArgumentError("delta", delta, rule, "below_largest_share", float(largest))
    return least, most, None if epsilon is None else check.epsilon(epsilon)
