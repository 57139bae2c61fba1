"""An audit of counted reports: how much a device reveals, and whether it is its table.

`counts[truth, report]` are reports drawn for each true value, where a report is everything that
would be sent: a whole bit vector, both calls of a client that is asked twice.
"""

from itertools import product

import numpy as np
import numpy.typing as npt
from scipy import stats

from rr_engine.relaxation import Chain
from surveys.parameters import Parameters
from surveys.parameters.exact import design_of
from surveys.parameters.tables import coded

CONFIDENCE = 0.99
# The confidence for draws that no seed fixes: a faithful device is accused once in 1,000 million
# audits at most.
BEYOND_DOUBT = 1 - 1e-9
# A device that draws from its table is called unfaithful once in a million audits.
SIGNIFICANCE = 1e-6


def matrices_of(parameters: Parameters) -> list[npt.NDArray[np.float64]]:
    """The chances that each device declares, by report and true answer."""
    return [design_of(coded(device.table)).matrix for device in parameters.devices]


def count_reports(reports: npt.ArrayLike, size: int) -> npt.NDArray[np.int64]:
    """Counts by truth and report; `reports[truth]` are the codes drawn for one true value."""
    return np.array([np.bincount(column, minlength=size) for column in reports])


def epsilon_lower_bound(counts: npt.ArrayLike, confidence: float = CONFIDENCE) -> float:
    """A bound that the device's epsilon exceeds with at least this confidence.

    Each cell's probability is bounded on both sides (Clopper & Pearson, Biometrika 1934), all
    bounds together by Bonferroni; the largest log-ratio of a lower to an upper bound within one
    report, over all pairs of true values, is then a lower bound on epsilon.
    """
    array = np.asarray(counts)
    total = array.sum(axis=1, keepdims=True)
    alpha = (1 - confidence) / (2 * array.size)
    lower = np.where(
        array == 0, 0.0, stats.beta.ppf(alpha, np.maximum(array, 1), total - array + 1)
    )
    missed = total - array
    upper = np.where(missed == 0, 1.0, stats.beta.isf(alpha, array + 1, np.maximum(missed, 1)))
    with np.errstate(divide="ignore"):
        return float(np.log(lower.max(axis=0) / upper.min(axis=0)).max())


def goodness_of_fit(counts: npt.ArrayLike, table: npt.ArrayLike) -> float:
    """The p-value of the counts under the declared probabilities `table[truth, report]`.

    Pearson's chi-square of each true value, the smallest p-value by Bonferroni; zero when a report
    came up that the table knows nothing of.
    """
    array = np.asarray(counts)
    expected = np.zeros(array.shape)
    declared = np.asarray(table, dtype=float)
    expected[:, : declared.shape[1]] = declared * array.sum(axis=1, keepdims=True)
    if (array[expected == 0] > 0).any():
        return 0.0
    possible = np.where(expected > 0, expected, 1.0)
    statistic = ((array - expected) ** 2 / possible).sum(axis=1)
    p_values = stats.chi2.sf(statistic, (expected > 0).sum(axis=1) - 1)
    return float(min(1.0, len(array) * p_values.min()))


def replays(first: npt.ArrayLike, second: npt.ArrayLike) -> bool:
    """Whether two fresh clients, given the same answers, sent the same sequence of reports."""
    return bool(np.array_equal(first, second))


def guess_lower_bound(
    guessed: int, total: int, values: int, confidence: float = CONFIDENCE
) -> float:
    """The weaker audit: epsilon from how often an attacker's best guess was right.

    At a uniform truth no guess is right more often than e**epsilon / (e**epsilon + values - 1).
    """
    right = float(stats.beta.ppf(1 - confidence, guessed, total - guessed + 1))
    return float(np.log(right * (values - 1) / (1 - right)))


def exact_law(chain: Chain) -> npt.NDArray[np.float64]:
    """The chance of every list of reports under each truth, the last report fastest."""
    sizes = [range(design.tally_size) for design in chain.designs]
    laws = [chain.law(truth) for truth in range(chain.designs[0].truth_size)]
    table = [[law.get(reports, 0) for reports in product(*sizes)] for law in laws]
    return np.array(table, dtype=float)
