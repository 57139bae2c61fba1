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
    information: FloatArray = np.zeros((len(contrasts), len(contrasts)))
    weighted = np.zeros(len(contrasts))
    for stratum in strata:
        channel, n = ProductChannel(stratum.designs), stratum.counts.sum()
        check_covariance_size(channel)
        fitted = channel.apply(independent.ravel())
        scores = channel.scores(contrasts, fitted)
        part = n * _inverse(
            channel.report_covariance(scores, scores, independent.ravel(), fitted, "sample")
        )
        information += part
        weighted += part @ scores @ (stratum.counts.ravel() / n)
    freedom = int(np.linalg.matrix_rank(information, RANK_TOLERANCE, hermitian=True))
    return float(weighted @ _inverse(information) @ weighted), freedom


def _inverse(matrix: FloatArray) -> FloatArray:
    return np.asarray(np.linalg.pinv(matrix, RANK_TOLERANCE, hermitian=True), dtype=np.float64)
