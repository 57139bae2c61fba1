"""The test of independence of two attributes that one device covers together."""

from collections.abc import Sequence

import numpy as np

from rr_engine.association.table import Devices
from rr_engine.channels.counting import check_covariance_size
from rr_engine.channels.product import ProductChannel
from rr_engine.validation import FloatArray

# Eigenvalues below this share of the largest count as zero.
RANK_TOLERANCE = 1e-10


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
