"""The test of independence of two attributes, with a device each or with one for both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from rr_engine.arrays import FloatArray
from rr_engine.association.distances import independent
from rr_engine.association.table import MEASURE_NOTES, Devices, Table, check_two_attributes
from rr_engine.channels.product import ProductChannel
from rr_engine.channels.protocol import check_covariance_size
from rr_engine.distributions import chi2_sf
from rr_engine.errors import ArgumentError
from rr_engine.estimation.notes import Note, Noted, note

# Singular values below this share of the largest count as zero.
RANK_TOLERANCE = 1e-10
SMALLEST = 1e-14
# Stacking strata needs a dense system in the cells of the table.
POOLED_CELLS = 400
# Cochran's rule of thumb for chi-square tests.
FEW, FEW_SHARE = 5.0, 0.2


def is_shared(stratum: Devices) -> bool:
    """Whether one device covers both attributes of a table."""
    return len(stratum.designs) == 1


def expected_reports(stratum: Devices, independent: FloatArray) -> FloatArray:
    """Return the shares of the reports if the true answers are those of an independent table."""
    return ProductChannel(stratum.designs).apply(independent.ravel())


def interaction_statistic(strata: Sequence[Devices], independent: FloatArray) -> tuple[float, int]:
    """Return Rao's statistic of the estimated interactions, and its degrees of freedom.

    With margins r, c the interaction of a cell is its share less what its row and column predict,
    ``pi_ij - r_i pi_+j - pi_i+ c_j + r_i c_j``. To first order it does not move with the margins
    that were estimated (Neyman's C(alpha)); its covariance is that under independence. Strata are
    weighed by their information.

    Parameters
    ----------
    strata : sequence of Devices
        With reports.
    independent : ndarray of float
        The table of independent answers with the estimated margins.
    """
    rows, columns = (independent.sum(axis=axis) for axis in (1, 0))
    moves = [np.eye(len(margin))[:-1] - margin[:-1, None] for margin in (rows, columns)]
    contrasts = np.kron(*moves)
    known = [_interactions(stratum, contrasts, independent.ravel()) for stratum in strata]
    if len(known) == 1:
        return _square(*known[0])
    information: FloatArray = np.zeros((len(contrasts), len(contrasts)))
    weighted = np.zeros(len(contrasts))
    for estimate, covariance in known:
        part = np.linalg.pinv(covariance, RANK_TOLERANCE, hermitian=True)
        information += part
        weighted += part @ estimate
    return _square(weighted, information)


def _interactions(
    stratum: Devices, contrasts: FloatArray, independent: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the interactions that one stratum estimates, and their covariance."""
    channel, n = ProductChannel(stratum.designs), stratum.counts.sum()
    check_covariance_size(channel)
    fitted = channel.apply(independent)
    scores = channel.scores(contrasts, fitted)
    covariance = channel.report_covariance(scores, scores, independent, fitted, "sample")
    return scores @ (stratum.counts.ravel() / n), covariance / n


def _square(vector: FloatArray, covariance: FloatArray) -> tuple[float, int]:
    """Return the squared length of a vector in the metric of its covariance, and the rank."""
    sizes, directions = np.linalg.eigh(covariance)
    seen = sizes > RANK_TOLERANCE * np.abs(sizes).max(initial=0.0)
    parts = directions[:, seen].T @ vector
    return float((parts**2 / sizes[seen]).sum()), int(seen.sum())


_known: WeakKeyDictionary[Table, IndependenceTest] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class IndependenceTest(Noted):
    """A test statistic with its p-value.

    Attributes
    ----------
    statistic : float
    p_value : float
    degrees_of_freedom : int
        0 where nothing can be tested; the p-value is then 1.
    notes : tuple of Note

    Examples
    --------
    >>> from rr_engine import estimate_joint, independence_test, warner
    >>> joint = estimate_joint([warner(0.8), warner(0.8)], [[400, 200], [200, 200]])
    >>> found = independence_test(joint)
    >>> found.degrees_of_freedom, f"{found.p_value:.0e}", found.notes
    (1, '1e-07', ())
    """

    statistic: float
    p_value: float
    degrees_of_freedom: int
    notes: tuple[Note, ...] = ()


def independence_test(joint: Table) -> IndependenceTest:
    """Test whether two attributes are independent among the people asked about.

    Parameters
    ----------
    joint : JointEstimate
        Of two attributes; only its reports and designs matter, not how it was estimated. With
        several strata the evidence of all of them is pooled.

    Returns
    -------
    IndependenceTest

    Raises
    ------
    ArgumentError
        For a table of more or fewer attributes, strata of a table with more than 400 cells, or a
        device whose table is too large to form ("table_too_large").

    Notes
    -----
    docs/methods/association.md. With independent devices, the true answers are independent exactly
    when the reports are. Rao's score test of that has, under independence, a chi-square
    distribution with (t1 - 1)(t2 - 1) degrees of freedom. With one stratum and as many reports as
    truths it is Pearson's chi-square of the table of reports as they came in; a corrected table
    must not be tested that way. Where one device covers both attributes, its reports depend on each
    other however the answers do: the estimated interactions are tested in their covariance.

    References
    ----------
    .. [1] C. R. Rao, "Large sample tests of statistical hypotheses concerning several parameters
       with applications to problems of estimation", Proc. Cambridge Philosophical Society 44
       (1948), 50-57.

    Examples
    --------
    >>> from rr_engine import estimate_joint, independence_test, warner
    >>> joint = estimate_joint([warner(0.8), warner(0.8)], [[400, 200], [200, 200]])
    >>> result = independence_test(joint)
    >>> round(result.statistic, 2), result.degrees_of_freedom, result.p_value < 0.001
    (27.78, 1, True)
    """
    table = check_two_attributes(joint)
    # Each measure of a table asks whether it is near independence.
    if table not in _known:
        _known[table] = _test(table)
    return _known[table]


def _test(table: Table) -> IndependenceTest:
    strata = [stratum for stratum in table.strata if stratum.counts.any()]
    shared = any(map(is_shared, strata))
    remarks = _notes(table, strata, shared=shared)
    if not strata:
        return IndependenceTest(0.0, 1.0, 0, tuple(remarks))
    if len(strata) > 1 and table.proportions.size > POOLED_CELLS:
        cells = table.proportions.size
        rule = f"be at most {POOLED_CELLS} to pool strata"
        raise ArgumentError("cells", cells, rule, "too_many_cells")
    if shared:
        statistic, freedom = interaction_statistic(strata, independent(table))
    else:
        statistic, freedom = score_statistic(strata[0]) if len(strata) == 1 else _several(strata)
    if freedom == 0:
        return IndependenceTest(0.0, 1.0, 0, (*remarks, MEASURE_NOTES.note("not_testable")))
    p_value = float(chi2_sf(statistic, freedom))
    return IndependenceTest(statistic, p_value, freedom, tuple(remarks))


def _notes(table: Table, strata: list[Devices], *, shared: bool) -> list[Note]:
    nothing = independent(table)
    shares = [
        expected_reports(stratum, nothing) if shared else _expected(stratum).ravel()
        for stratum in strata
    ]
    pairs = zip(strata, shares, strict=True)
    sizes = [float(stratum.counts.sum()) * expected for stratum, expected in pairs]
    every = np.concatenate([size[size > 0] for size in sizes]) if strata else np.array([FEW])
    conditions = {
        "few_expected": every.min() < 1 or (every < FEW).mean() > FEW_SHARE,
        "chance_pairing": table.population == "fixed",
    }
    empty = [] if strata else [note("no_reports")]
    return empty + [MEASURE_NOTES.note(code) for code, holds in conditions.items() if holds]


def _expected(stratum: Devices) -> FloatArray:
    shares = stratum.counts / stratum.counts.sum()
    return np.outer(shares.sum(axis=1), shares.sum(axis=0))


def score_statistic(stratum: Devices) -> tuple[float, int]:
    """Return Rao's statistic of one stratum, and its degrees of freedom.

    The standardized residuals are projected on what either design can show, axis by axis.
    """
    directions, residuals = _standardized(stratum)
    rows, columns = (_basis(direction) for direction in directions)
    parts = rows.T @ residuals @ columns
    return float(stratum.counts.sum() * (parts**2).sum()), parts.size


def _several(strata: list[Devices]) -> tuple[float, int]:
    """Stack the strata: one interaction, observed through the devices of each stratum."""
    blocks, residuals = [], []
    for stratum in strata:
        (rows, columns), residual = _standardized(stratum)
        root = np.sqrt(stratum.counts.sum())
        blocks.append(root * np.kron(rows, columns))
        residuals.append(root * residual.ravel())
    basis = _basis(np.vstack(blocks))
    return float(((basis.T @ np.concatenate(residuals)) ** 2).sum()), basis.shape[1]


def _standardized(stratum: Devices) -> tuple[list[FloatArray], FloatArray]:
    """Return, per axis, the derivative of the standardized reports by the truths; and residuals.

    Reports that never came in are left out, as Pearson's test leaves out empty rows.
    """
    shares = stratum.counts / stratum.counts.sum()
    margins = [shares.sum(axis=1), shares.sum(axis=0)]
    positive = [np.flatnonzero(margin > 0) for margin in margins]
    roots = [np.sqrt(margin[indices]) for margin, indices in zip(margins, positive, strict=True)]
    product = np.outer(*roots)
    residuals = shares[np.ix_(*positive)] / product - product
    pairs = zip(stratum.designs, positive, roots, strict=True)
    return [_directions(design.matrix[indices], root) for design, indices, root in pairs], residuals


def _directions(matrix: FloatArray, roots: FloatArray) -> FloatArray:
    # Truths move against the last one: their proportions sum to one.
    scaled = (matrix[:, :-1] - matrix[:, -1:]) / roots[:, None]
    return scaled - np.outer(roots, roots @ scaled)


def _basis(directions: FloatArray) -> FloatArray:
    """Return an orthonormal basis of the columns' span."""
    left, sizes, _ = np.linalg.svd(directions, full_matrices=False)
    return left[:, sizes > max(RANK_TOLERANCE * sizes.max(initial=0.0), SMALLEST)]
