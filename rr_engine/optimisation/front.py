"""Fronts of privacy and error: the figures of many matrices at once, and those none surpasses."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np

from rr_engine.arrays import FloatArray, freeze
from rr_engine.design import DesignMatrix
from rr_engine.display.figures import Drawn, Lines
from rr_engine.display.shown import Shown
from rr_engine.optimisation.proving import Certificate
from rr_engine.optimisation.rounding import exact_shares, fractions, product_error, round_up


def evaluate(matrices: FloatArray, prior: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return privacy, error and worst posterior of each matrix.

    Parameters
    ----------
    matrices : ndarray, shape (many, reports, truths)
    prior : ndarray, shape (truths,)

    Returns
    -------
    privacy : ndarray, shape (many,)
        OptRR Eq. 8.
    error : ndarray, shape (many,)
        OptRR Eq. 10 for one respondent: ``(tr J^-1 - |pi|^2) / t`` for t truths; infinite where
        reports do not determine the proportions.
    worst : ndarray, shape (many,)
        OptRR Eq. 9.
    """
    joint = matrices * prior
    reported = joint.sum(axis=2)
    guessed = joint.max(axis=2)
    privacy = 1 - guessed.sum(axis=1)
    possible = np.maximum(reported, np.finfo(float).tiny)
    worst = (guessed / possible).max(axis=1)
    return privacy, _errors(matrices, possible, prior), worst


def _errors(matrices: FloatArray, reported: FloatArray, prior: FloatArray) -> FloatArray:
    """Return ``(tr J^-1 - |pi|^2) / t``, J = P' diag(1/lam) P, by the eigenvalues of J."""
    information = np.swapaxes(matrices / reported[:, :, None], 1, 2) @ matrices
    values = np.linalg.eigvalsh(information)
    solvable = values[:, 0] > 1e-10 * values[:, -1]
    traces = (1 / np.where(solvable[:, None], values, 1.0)).sum(axis=1)
    return np.where(solvable, (traces - prior @ prior) / len(prior), np.inf)


def efficiency(error: FloatArray, prior: FloatArray) -> FloatArray:
    """Return the error of direct answers, ``(1 - |pi|^2) / t``, over each error: 0 to 1."""
    return (1 - prior @ prior) / len(prior) / error


def losses(matrices: FloatArray) -> FloatArray:
    """Return the epsilon of each matrix; infinite where a report rules a truth out.

    Reports that never occur say nothing.
    """
    highest, lowest = matrices.max(axis=2), matrices.min(axis=2)
    used = highest > 0
    with np.errstate(divide="ignore"):
        ratios = np.where(used, highest, 1.0) / np.where(used, lowest, 1.0)
    return np.log(ratios.max(axis=1))


def undominated(privacy: FloatArray, gain: FloatArray) -> list[int]:
    """Return the places of the points that no other point beats, by falling privacy."""
    chosen: list[int] = []
    reached = 0.0
    # The more efficient of two points of one privacy comes first.
    for index in np.lexsort((-gain, -privacy)).tolist():
        if gain[index] > reached:
            reached = float(gain[index])
            chosen.append(index)
    return chosen


def hypervolume(privacy: FloatArray, gain: FloatArray, delta: float) -> float:
    """Return the area that a front dominates in the plane of privacy and efficiency.

    Both are maximised; the reference point is (1 - delta, 0), and between points the front is a
    step. Points at or left of the reference count for nothing.
    """
    area, before = 0.0, 0.0
    for index in undominated(privacy, gain):
        area += max(0.0, float(privacy[index]) - (1 - delta)) * (float(gain[index]) - before)
        before = float(gain[index])
    return area


# Relative: of bounds that are kept, and of a posterior that counts as kept.
HAIR, SLACK = 1e-14, 5e-13


def make_stochastic(matrices: FloatArray) -> FloatArray:
    """Return matrices without negative entries, whose columns sum to one."""
    positive = np.maximum(matrices, 0.0)
    return positive / positive.sum(axis=-2, keepdims=True)


def mix_within_bounds(
    matrices: FloatArray, prior: FloatArray, delta: float, epsilon: float | None = None
) -> FloatArray:
    """Mix each matrix with an uninformative one, just enough to satisfy its bounds.

    Parameters
    ----------
    matrices : ndarray, shape (many, reports, truths)
    prior : ndarray, shape (truths,)
    delta : float
        Bound on the worst posterior, above the largest entry of the prior.
    epsilon : float, optional
        Bound on the privacy loss.

    Returns
    -------
    ndarray, shape (many, reports, truths)

    Notes
    -----
    The other matrix has the mean of each row, whatever the truth: its posteriors are the prior and
    its loss is zero. Both bounds are linear in each row, so the share of it that a row needs is a
    quotient; columns sum to what they did. (Reported shares instead of means would be as silent,
    but so small for reports about rare truths that they would have to replace nearly everything.)
    """
    reported = (matrices @ prior)[:, :, None]
    joint = matrices * prior
    silent = matrices.mean(axis=2, keepdims=True)
    # With an epsilon, bounds a hair tighter than asked for, so that what is rounded keeps them too.
    # Without one a matrix may rule truths out; an excess over delta that
    # depends on the processor's rounding would not justify its zeros.
    worst = delta * (1 + SLACK if epsilon is None else 1 - HAIR)
    shares = [_share(joint - worst * reported, (prior - worst) * silent)]
    if epsilon is not None:
        highest, lowest = matrices.max(axis=2), matrices.min(axis=2)
        ratio = np.exp(epsilon) * (1 - HAIR)
        shares.append(_share(highest - ratio * lowest, (1 - ratio) * silent[:, :, 0]))
    share = np.maximum(*shares) if len(shares) == 2 else shares[0]
    # Slightly more than needed, so that rounding does not undo it.
    share = np.where(share > 0, np.minimum(share * (1 + 1e-12) + 1e-15, 1.0), 0.0)[:, None, None]
    return (1 - share) * matrices + share * silent


def _share(over: FloatArray, silent: FloatArray) -> FloatArray:
    """Return how much of a matrix with `silent` < 0 brings the largest `over` to zero."""
    needed = np.where(over > 0, over, 0.0) / np.where(over > 0, over - silent, 1.0)
    return needed.reshape(len(over), -1).max(axis=1)


NEGLIGIBLE = 1e-12
# Rounding of a privacy, a sum over some hundred reports, and of a few products, relatively.
MEASURED, ROUNDING = 1e-13, 1e-14


@dataclass(frozen=True, slots=True, eq=False)
class FrontMember(Shown):
    """A matrix on the front with its measures.

    Attributes
    ----------
    matrix : ndarray, shape (reports, truths)
        Columns sum to 1; not writable.
    privacy : float
        How often the best guess of a truth from its report is wrong (OptRR Eq. 8).
    mse : float
        Mean squared error of a proportion from the front's n respondents (OptRR Eq. 10).
    worst_posterior : float
        The largest belief that any report leads to (OptRR Eq. 9).
    epsilon : float
        Privacy loss; infinite when some report rules a truth out.
    gap : float
        How far `mse`, with what its rounding may hide, lies above what is proved of every mechanism
        at this privacy, relatively.

    Examples
    --------
    >>> from rr_engine.optimisation import search_designs
    >>> front = search_designs([0.5, 0.3, 0.2], 1000, 0.8, method="certified", epsilon=2)
    >>> best = min(front.members, key=lambda member: member.mse)
    >>> best.matrix.shape[1], best.epsilon <= 2, best.worst_posterior <= 0.8
    (3, True, True)
    """

    matrix: FloatArray
    privacy: float
    mse: float
    worst_posterior: float
    epsilon: float
    gap: float

    def design(self, categories: Sequence[str] | None = None) -> DesignMatrix:
        """Return the matrix as a design for these categories."""
        return DesignMatrix(self.matrix, categories)


@dataclass(frozen=True, slots=True, eq=False)
class Front(Drawn):
    """Matrices of which none beats another in privacy and error at once.

    Attributes
    ----------
    members : tuple of FrontMember
        By rising privacy.
    prior : ndarray, shape (truths,)
    n : int
        Number of respondents.
    delta : float
        Bound on the worst posterior.
    epsilon : Decimal or None
        Bound on the privacy loss.
    method : str
    seed : int
    generations : int
        How many were run; programs solved, for the methods that have no generations.
    finished : float
        Share of the work that was done, 1 unless the search was cancelled or met its patience.
    cancelled : bool
    hypervolume : float
        Area that the members dominate in the plane of privacy and efficiency, both maximised, the
        reference point at (1 - delta, 0); efficiency is the error of open answers over theirs.
    certificates : tuple of Certificate
        Proofs of the least error at some levels of privacy; gaps are measured from them.

    Examples
    --------
    >>> from rr_engine.optimisation import search_designs
    >>> front = search_designs([0.5, 0.3, 0.2], 1000, 0.8, method="certified", epsilon=2)
    >>> front.method, len(front.members), len(front.certificates)
    ('certified', 25, 25)
    """

    members: tuple[FrontMember, ...]
    prior: FloatArray
    n: int
    delta: float
    epsilon: object | None
    method: str
    seed: int
    generations: int
    finished: float
    cancelled: bool
    hypervolume: float
    certificates: tuple[Certificate, ...]

    def _figure(self) -> Lines:
        return Lines(
            places=[member.privacy for member in self.members],
            lines={"matrices of the front": [member.mse for member in self.members]},
            across="Privacy: how often the best guess of an answer is wrong",
            up=f"Mean squared error with {self.n} respondents",
            title="Privacy and error of the front",
        )


def members_of(
    matrices: Sequence[FloatArray] | FloatArray,
    n: int,
    delta: float,
    epsilon: Decimal | None,
    certificates: Sequence[Certificate],
) -> tuple[tuple[FrontMember, ...], float]:
    """Return the undominated of many matrices, and their hypervolume.

    All are made stochastic to the last digit, repaired to satisfy the bounds, and measured anew;
    intermediate results of a search are not used.
    """
    prior = certificates[0].prior
    if not len(matrices):
        return (), 0.0
    most = None if epsilon is None else float(epsilon)
    stacked = _stack(matrices)
    if epsilon is None:
        # A solver's residual of a zero would give a large but finite epsilon.
        stacked[stacked < NEGLIGIBLE] = 0.0
    safe = mix_within_bounds(make_stochastic(stacked), prior, delta, most)
    privacy, error, worst = evaluate(safe, prior)
    gain = efficiency(error, prior)
    best = undominated(privacy, gain)[::-1]
    least = lowest_errors(certificates, privacy[best] - MEASURED) / n
    above = error[best] * (1 + _doubt(safe[best], prior, error[best])) / n
    members = tuple(
        FrontMember(
            matrix=freeze(safe[index][safe[index].max(axis=1) > 0]),
            privacy=float(privacy[index]),
            mse=float(error[index]) / n,
            worst_posterior=float(worst[index]),
            epsilon=float(losses(safe[index][None])[0]),
            # A posterior slightly above delta can make the gap negative.
            gap=max(0.0, float(most / bound - 1)),
        )
        for index, most, bound in zip(best, above, least, strict=True)
    )
    return members, hypervolume(privacy, gain, delta)


def _doubt(matrices: FloatArray, prior: FloatArray, error: FloatArray) -> FloatArray:
    """Return a bound on the relative rounding error of each matrix's error.

    Rounding moves the information J by its unit times the size of J, and so the trace of the
    inverse, relatively, by that times the inverse's size.
    """
    _, reports, truths = matrices.shape
    reported = np.maximum(matrices @ prior, np.finfo(float).tiny)
    size = (matrices**2 / reported[:, :, None]).sum(axis=(1, 2))
    inverse = error * truths + prior @ prior
    return product_error(reports + truths) * size * inverse


def lowest_errors(certificates: Sequence[Certificate], privacy: FloatArray) -> FloatArray:
    """Return the bound for one respondent at each privacy, the best of all certificates'.

    The prices of a certificate cover every ray whatever the guessing value A is, so each proves
    ``(tr W)**2 / (lambda . pi + mu A)`` at every A, and not only at the one it was made for.
    """
    return np.max([_bounds(certificate, privacy) for certificate in certificates], axis=0)


def _bounds(certificate: Certificate, privacy: FloatArray) -> FloatArray:
    guessing = np.zeros_like(privacy)
    if certificate.delta is not None:
        guessing = 1 - np.maximum(privacy, 1 - certificate.delta)
    pairs = zip(fractions(certificate.prices), exact_shares(certificate.prior), strict=True)
    # Large prices cancel: their sum is exact, and the remaining rounding is added to the cost.
    fixed = round_up(sum((price * share for price, share in pairs), start=Fraction()))
    varying = certificate.privacy_price * guessing
    cost = fixed + varying + ROUNDING * (abs(fixed) + varying)
    trace = float(np.trace(certificate.matrix))
    return trace**2 / cost / len(certificate.prior) * (1 - ROUNDING)


def _stack(matrices: Sequence[FloatArray] | FloatArray) -> FloatArray:
    """Put matrices of different numbers of reports together; missing reports never occur."""
    reports = max(len(matrix) for matrix in matrices)
    stacked = np.zeros((len(matrices), reports, matrices[0].shape[1]))
    for index, matrix in enumerate(matrices):
        stacked[index, : len(matrix)] = matrix
    return stacked
