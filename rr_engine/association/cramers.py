"""Cramer's V, plain and with the device's noise taken off."""

from __future__ import annotations

import numpy as np

from rr_engine.association.derived import Derived
from rr_engine.association.measures import independence_notes, phi_squared, phi_squared_gradient
from rr_engine.association.table import (
    Table,
    check_two_attributes,
    measure_note,
    possible_table,
    standard_error,
)
from rr_engine.errors import ArgumentError
from rr_engine.estimation.notes import note
from rr_engine.estimation.projection import project_to_simplex
from rr_engine.validation import FloatArray, check_choice

# The correction needs the covariance of all cells.
CORRECTED_CELLS = 1600


def cramers_v(joint: Table, correction: str = "none") -> Derived:
    """Estimate Cramer's V, the strength of association from 0 to 1.

    Parameters
    ----------
    joint : JointEstimate
        Of two attributes.
    correction : {"none", "bias"}, default "none"
        "none" is V of the estimated table, with the delta method: too large where there is
        little association, much too large under strong noise. "bias" subtracts what noise alone
        adds to its square; its interval holds near independence too and belongs beside the test.

    Returns
    -------
    Derived

    Raises
    ------
    ArgumentError
        For a table of more or fewer attributes, an unknown correction, or the correction of a
        table with more than 1,600 cells.

    Notes
    -----
    docs/methods/association.md. Without a device the correction subtracts
    ``(t1 - 1)(t2 - 1)/(n - 1)``, as Bergsma does [1]_ (who also corrects the number of
    categories).

    References
    ----------
    .. [1] W. Bergsma, "A bias-correction for Cramer's V and Tschuprow's T", Journal of the Korean
       Statistical Society 42 (2013), 323-328.

    Examples
    --------
    >>> from rr_engine import cramers_v, estimate_joint, warner
    >>> joint = estimate_joint([warner(0.8), warner(0.8)], [[400, 200], [200, 200]])
    >>> plain, corrected = cramers_v(joint), cramers_v(joint, correction="bias")
    >>> round(plain.value, 3), round(corrected.value, 3), corrected.interval().round(3).tolist()
    (0.5, 0.491, [0.337, 0.712])
    """
    table = check_two_attributes(joint)
    return CORRECTIONS[check_choice(correction, "correction", CORRECTIONS)](table)


def _plain(table: Table) -> Derived:
    value, at, remarks = possible_table(table)
    smaller = min(value.shape) - 1
    strength = float(np.sqrt(phi_squared(value) / smaller))
    error = float("inf")
    if strength > 0:
        error = standard_error(table, phi_squared_gradient(at) / (2 * strength * smaller))
    notes = (*remarks, *independence_notes(table))
    return Derived(strength, error, notes, bounds=(0.0, 1.0))


def _corrected(table: Table) -> Derived:
    cells, smaller = table.proportions.size, min(table.proportions.shape) - 1
    if cells > CORRECTED_CELLS:
        raise ArgumentError("cells", cells, f'be at most {CORRECTED_CELLS} for correction="bias"')
    if not np.isfinite(table.standard_errors).all():
        remarks = (note("no_reports"),) if table.n == 0 else (note("one_report"),)
        return Derived(0.0, float("inf"), remarks, "square", (0.0, 1.0))
    residuals, covariance = _residuals(table)
    raw = float(residuals @ residuals)
    found = float(np.sqrt(max(raw - np.trace(covariance), 0.0) / smaller))
    # The true value is not above 1 either, so that the cut only brings the estimate nearer to it.
    strength = min(found, 1.0)
    constant = 2 * float((covariance**2).sum()) / smaller**2
    # Along the estimated direction; its length is what the interval solves for.
    # Rounding can make a variance of zero a little less.
    along = max(float(residuals @ covariance @ residuals), 0.0)
    slope = 4 * along / raw / smaller if raw > 0 else 0.0
    square_error = float(np.sqrt(constant + slope * strength**2))
    error = square_error / (2 * strength) if strength > 0 else float("inf")
    return Derived(
        strength,
        error,
        (measure_note("above_one"),) if found > 1 else (),
        scale="square",
        bounds=(0.0, 1.0),
        square_variance=(constant, slope),
    )


def _residuals(table: Table) -> tuple[FloatArray, FloatArray]:
    """Return ``(pi_ij - pi_i+ pi_+j) / sqrt(pi_i+ pi_+j)``, flat, with their covariance.

    The table is the unconstrained one, so that the noise is centred; only margins are kept above
    zero. The residuals move as their cell less what its row and column predict.
    """
    shares, least = table.proportions, 0.5 / table.n
    rows, columns = (np.maximum(project_to_simplex(shares.sum(axis=a)), least) for a in (1, 0))
    scale = 1 / np.sqrt(np.outer(rows, columns)).ravel()
    difference = (shares - np.outer(shares.sum(axis=1), shares.sum(axis=0))).ravel()
    moves = np.kron(np.eye(len(rows)) - rows[:, None], np.eye(len(columns)) - columns[:, None])
    contrasts = (scale[:, None] * moves).reshape(-1, *shares.shape)
    return scale * difference, table.spread.between(contrasts, contrasts)


CORRECTIONS = {"none": _plain, "bias": _corrected}
