"""Cramér's V, uncorrected and corrected for the noise of devices and sampling."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rr_engine.association.derived import Derived
from rr_engine.association.distance import Distance
from rr_engine.association.distances import phi_squared_distance
from rr_engine.association.measures import (
    CORRECTIONS,
    independence_notes,
    phi_squared,
    phi_squared_gradient,
    with_distance,
)
from rr_engine.association.table import (
    MEASURE_NOTES,
    Table,
    check_two_attributes,
    possible_table,
    standard_error,
)
from rr_engine.validation import check_choice


def cramers_v(joint: Table, correction: str = "bias") -> Derived:
    """Estimate Cramer's V, the strength of association from 0 to 1.

    Parameters
    ----------
    joint : JointEstimate
        Of two attributes.
    correction : {"bias", "none"}, default "bias"
        "bias" takes off what noise alone adds to the square of V. "none" is V of the estimated
        table: too large where there is little association, much too large under strong noise.
        The interval is the same, for it is one of the true V.

    Returns
    -------
    Derived

    Raises
    ------
    ArgumentError
        For a table of more or fewer attributes, or an unknown correction.

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
    >>> corrected, plain = cramers_v(joint), cramers_v(joint, correction="none")
    >>> round(plain.value, 3), round(corrected.value, 3), corrected.interval().round(3).tolist()
    (0.5, 0.491, [0.313, 0.679])
    """
    table = check_two_attributes(joint)
    check_choice(correction, "correction", CORRECTIONS)
    value, at, remarks = possible_table(table)
    smaller = min(value.shape) - 1
    strength = float(np.sqrt(phi_squared(value) / smaller))
    error = float("inf")
    if strength > 0:
        error = standard_error(table, phi_squared_gradient(at) / (2 * strength * smaller))
    notes = (*remarks, *independence_notes(table))
    plain = Derived(strength, error, notes, "distance", (0.0, 1.0))

    def of(table: Table) -> Distance:
        distance = phi_squared_distance(table)
        return replace(distance, measure=lambda true: float(np.sqrt(true / smaller)))

    result = with_distance(plain, table, correction, of)
    if result.distance and correction == "bias" and result.distance.beyond():
        return replace(result, notes=(*result.notes, MEASURE_NOTES.note("above_one")))
    return result
