"""The bias-corrected crosswise estimate of a weighted sample."""

from math import sqrt

import numpy as np
import numpy.typing as npt

from rr_engine import check
from rr_engine.arrays import FloatArray
from rr_engine.codes import check_code_table
from rr_engine.compliance.compliance_notes import COMPLIANCE_NOTES
from rr_engine.errors import ArgumentError, CategoryError
from rr_engine.labelled import same_people
from rr_engine.library.compliance.inattention import (
    CorrectedCrosswise,
    ratio_error,
    ratio_interval,
    share_gap,
)


@same_people("reports", "weights")
def weighted_crosswise(
    theta: float,
    anchor_theta: float,
    reports: npt.ArrayLike,
    weights: npt.ArrayLike,
    known: float = 0.0,
    level: float = 0.95,
) -> CorrectedCrosswise:
    """Estimate a crosswise prevalence, corrected by an attention item, of a weighted sample.

    Parameters
    ----------
    theta, anchor_theta : float
        As in :func:`rr_engine.library.bias_corrected_crosswise`.
    reports : array_like of int, shape (people, 2)
        Each person's report on the sensitive question and on the anchor: 0 is "different answers",
        1 "the same answer".
    weights : array_like of float, shape (people,)
        Sampling weights, none negative and not all zero; only their ratios count.
    known : float, default 0
    level : float, default 0.95

    Returns
    -------
    CorrectedCrosswise

    Raises
    ------
    ArgumentError, CategoryError

    Notes
    -----
    The shares of both reports are weighted means; their covariance is that of linearised ratios,
    ``n/(n - 1) sum w^2 (x - mean)(x - mean)' / (sum w)^2``, so that equal weights give the
    unweighted errors. docs/methods/compliance.md.

    References
    ----------
    .. [1] Y. Atsusaka and R. T. Stevenson, "A Bias-Corrected Estimator for the Crosswise Model with
       Inattentive Respondents", Political Analysis 31 (2023), 134-148 (weights).
    .. [2] C.-E. Sarndal, B. Swensson and J. Wretman, "Model Assisted Survey Sampling", Springer,
       1992, section 5.5 (the linearised variance).

    Examples
    --------
    >>> reports = [[1, 1]] * 60 + [[1, 0]] * 10 + [[0, 1]] * 25 + [[0, 0]] * 5
    >>> even = weighted_crosswise(0.15, 0.15, reports, [1.0] * 100)
    >>> tilted = weighted_crosswise(0.15, 0.15, reports, [1.0] * 60 + [2.0] * 40)
    >>> round(even.prevalence, 3), round(tilted.prevalence, 3)
    (0.214, 0.375)
    """
    gaps = [share_gap(theta, "theta"), share_gap(anchor_theta, "anchor_theta")]
    gaps[1] *= share_gap(known, "known") / 2
    confidence = check.open_unit(level, "level")
    table = _reports(reports)
    sizes = _weights(weights, len(table))
    parts, spread = _parts(table, sizes, gaps)
    naive = 0.5 + parts[0]
    used = table[sizes > 0]
    conditions = {
        "one_report": len(used) == 1,
        "all_alike": len(used) > 1 and bool((used == used[0]).all(axis=0).any()),
        "no_attention": not parts[1] > 0,
        "outside_range": bool(parts[1] > 0 and abs(parts[0]) > parts[1] / 2),
    }
    return CorrectedCrosswise(
        prevalence=float(0.5 + parts[0] / parts[1]) if parts[1] > 0 else 0.5,
        standard_error=ratio_error(parts, spread),
        interval=ratio_interval(parts, spread, confidence),
        level=confidence,
        attentive=float(parts[1]),
        attentive_standard_error=sqrt(spread[1, 1]),
        naive=float(naive),
        naive_standard_error=sqrt(spread[0, 0]),
        notes=COMPLIANCE_NOTES.holding(conditions),
    )


def _reports(value: npt.ArrayLike) -> FloatArray:
    rule = "be a table of 0 and 1 with 2 columns, one row for each of one or more people"
    table = check_code_table(value, "reports", rule, error=CategoryError, code="not_truths")
    if table.ndim != 2 or table.shape[1] != 2 or not len(table):
        raise CategoryError("reports", value, rule, "not_truths")
    if table.min() < 0 or table.max() > 1:
        raise CategoryError("reports", value, rule, "not_truths")
    return table.astype(np.float64)


def _weights(value: npt.ArrayLike, n: int) -> FloatArray:
    rule = f"be {n} numbers of at least 0, one for each person, not all zero"
    weights = check.reals(value, (n,), "weights", rule)
    if (weights < 0).any() or not weights.max() > 0:
        raise ArgumentError("weights", value, rule, "not_weights")
    # Ratios alone count, and sums of huge ones would overflow.
    return weights / weights.max()


def _parts(
    table: FloatArray, weights: FloatArray, gaps: list[float]
) -> tuple[FloatArray, FloatArray]:
    """Return attentive rate times (prevalence less one half), attentive rate, their covariance."""
    total, scale = weights.sum(), np.array(gaps)
    same = weights @ table / total
    used = weights > 0
    n = int(used.sum())
    if n == 1:
        return (same - 0.5) / scale, np.diag([np.inf, np.inf])
    steps = (table - same)[used] * (weights[used] / total)[:, None] / scale
    return (same - 0.5) / scale, steps.T @ steps * (n / (n - 1))
