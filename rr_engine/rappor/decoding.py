"""From the bit counts of cohorts to the shares of candidates."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy

from rr_engine import check
from rr_engine.arrays import BoolArray, FloatArray, IntArray, as_list
from rr_engine.channels.bit_people import bit_tally
from rr_engine.distributions import binomial_sf, chi2_isf, normal_sf
from rr_engine.errors import CountsError
from rr_engine.estimation.discoveries import CORRECTIONS, find_significant
from rr_engine.estimation.notes import Note
from rr_engine.rappor.bloom import normalize_text
from rr_engine.rappor.candidates import CandidateDesign, candidate_positions, check_candidates
from rr_engine.rappor.rappor import STRING_NOTES, Rappor, StringEstimates

# Chance, at most, that a survey whose strings are all on the list is said to have others.
FALSE_ALARM = 0.01
# Largest share of the bits left out for no reason: too few to bias estimates.
LEFT_OUT_IN_VAIN = 0.2
# Share of the largest eigenvalue below which a direction says nothing of the shares.
SINGULAR = 1e-9
# Part of a candidate in such directions beyond which its share is not determined.
UNDETERMINED = 1e-6
# Weight of the condition that all shares sum to one, over the largest singular value.
SUM_WEIGHT = 1e4


@dataclass(frozen=True, eq=False)
class _BitCounts:
    """How often each bit of each cohort came in.

    Attributes
    ----------
    device : Rappor
    ones : ndarray of int, shape (cohorts, bits)
    sizes : ndarray of int, shape (cohorts, 1)
    """

    device: Rappor
    ones: IntArray
    sizes: IntArray

    @property
    def shares(self) -> FloatArray:
        """The unbiased shares of respondents with the bit set; of no use in an empty cohort."""
        clear_chance = self.device.raised / self.device.denominator
        return (self.ones / np.maximum(self.sizes, 1) - clear_chance) / self.device.gap

    def tails(self, shares: FloatArray) -> FloatArray:
        """Return the chance of so many ones or more, if these are the shares (Eq. 63)."""
        set_chance, clear_chance = self.device.channel.pair
        chances = clear_chance + (set_chance - clear_chance) * np.clip(shares, 0.0, 1.0)
        return binomial_sf(self.ones - 1, self.sizes, chances)

    def variances(self, shares: FloatArray) -> FloatArray:
        """Return the variances of the unbiased shares, if these are the true ones."""
        inside = np.clip(shares, 0.0, 1.0)
        spread = self.device.bit_variance + inside * (1 - inside)
        return spread / np.maximum(self.sizes, 1)


@dataclass(frozen=True, eq=False)
class _Fit:
    """Least squares on one set of cells."""

    design: CandidateDesign
    inverse: FloatArray
    determined: BoolArray
    rank: int
    unbiased: FloatArray
    shares: FloatArray


def decode_strings(
    device: Rappor,
    tallies: Sequence[object],
    candidates: Sequence[str],
    false_discovery_rate: float = 0.05,
    correction: str = "benjamini-hochberg",
    refusal: str | None = None,
) -> StringEstimates:
    """Estimate how many respondents have each string of a list, from RAPPOR's reports.

    Parameters
    ----------
    device : Rappor
    tallies : sequence, one entry for each cohort
        Each as :meth:`BitChannel.tally` takes it: for each bit how many reports have it clear and
        how many set, shape (bits, 2), or a mapping of reports to counts.
    candidates : sequence of str
        At most 5,000, different after :func:`normalize_text`; they may be chosen after the reports
        came in.
    false_discovery_rate : float, default 0.05
        Expected share of strings that do not occur among those called found, at most.
    correction : {"benjamini-hochberg", "benjamini-yekutieli", "bonferroni"}
        Bonferroni keeps the chance of any false one below the rate.
    refusal : str, optional
        The label of those who preferred not to say, whose report is that of the empty text. Their
        share comes last; with it the list of candidates may be empty.

    Returns
    -------
    StringEstimates

    Raises
    ------
    ArgumentError, CategoryError, CountsError

    Notes
    -----
    docs/methods/rappor.md. Bit counts are made unbiased, and regressed on the bits of the
    candidates with the cohorts' sizes as weights; strings off the list are taken to set every bit
    alike. Errors contain the noise of the device and the strings that a sample happens to have,
    with the covariance of bits within a cohort.

    References
    ----------
    .. [1] U. Erlingsson, V. Pihur and A. Korolova, "RAPPOR", CCS 2014, section 4.
    .. [2] C. L. Lawson and R. J. Hanson, "Solving Least Squares Problems", 1974, chapter 23.
    .. [3] Y. Benjamini and Y. Hochberg, "Controlling the False Discovery Rate", Journal of the
       Royal Statistical Society B 57, 1995.
    .. [4] Y. Benjamini and D. Yekutieli, "The Control of the False Discovery Rate in Multiple
       Testing under Dependency", Annals of Statistics 29, 2001.

    Examples
    --------
    >>> from rr_engine.rappor import simulate_string_tallies
    >>> device = Rappor.for_epsilon("4", bits=32, cohorts=4)
    >>> tallies = simulate_string_tallies(device, ["tea", "wine"], [0.7, 0.3], 10_000, 1)
    >>> result = decode_strings(device, tallies, ["Beer", "Tea", "Wine"])
    >>> result.found.tolist(), result.shares.round(1).tolist()
    ([False, True, True], [0.0, 0.7, 0.3])
    """
    check.instance(device, "device", Rappor, "be a Rappor", "not_a_channel")
    texts, labels = _check_labels(candidates, refusal)
    counts = _check_tallies(tallies, device)
    rate = check.open_unit(false_discovery_rate, "false_discovery_rate")
    check.choice(correction, "correction", CORRECTIONS)
    sizes = counts[:, 0].sum(axis=-1)
    if not sizes.any():
        return _empty_estimates(labels)
    bits = _BitCounts(device, counts[..., 1], sizes[:, None])
    weights = np.repeat(bits.sizes, device.bits, axis=1).astype(np.float64)
    positions = candidate_positions(device, texts, refusal=refusal is not None)
    design = CandidateDesign(device.bits, device.hashes, positions, weights)
    fit = _fit_without_unlisted(design, bits)
    return _summarize(labels, fit, bits, rate, correction)


def _check_labels(
    candidates: Sequence[str], refusal: str | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the texts, and the labels of all that have a share."""
    if refusal is None:
        texts = check_candidates(candidates)
        return texts, texts
    normalize_text(refusal, "refusal")
    texts = () if as_list(candidates) in ([], ()) else check_candidates(candidates)
    return texts, (*texts, refusal)


def _check_tallies(value: object, device: Rappor) -> IntArray:
    """Return clear and set counts, shape (cohorts, bits, 2)."""
    tallies = as_list(value)
    if tallies is None or len(tallies) != device.cohorts:
        rule = f"hold one tally for each of the {device.cohorts} cohorts"
        raise CountsError("tallies", value, rule, "tallies_do_not_fit")
    counts = [bit_tally(tally, device.bits, "tallies") for tally in tallies]
    return np.array(counts).reshape(device.cohorts, device.bits, 2)


def _empty_estimates(candidates: tuple[str, ...]) -> StringEstimates:
    size = len(candidates)
    unknown = np.full(size, np.nan)
    return StringEstimates(
        candidates=candidates,
        n=0,
        shares=np.zeros(size),
        unbiased=unknown,
        standard_errors=unknown,
        null_errors=unknown,
        sampling=unknown,
        p_values=np.ones(size),
        found=np.zeros(size, dtype=np.bool_),
        explained_standard_error=np.nan,
        dispersion=1.0,
        notes=(STRING_NOTES.note("no_reports"),),
    )


# -- least squares ------------------------------------------------------------------------------


def _fit_without_unlisted(design: CandidateDesign, bits: _BitCounts) -> _Fit:
    """Fit, and again without the cells that strings off the list have raised."""
    fit = _fit(design, bits.shares)
    raised = _raised_cells(fit, bits, LEFT_OUT_IN_VAIN)
    if not raised.any():
        return fit
    return _fit(replace(design, weights=np.where(raised, 0.0, design.weights)), bits.shares)


def _raised_cells(fit: _Fit, bits: _BitCounts, rate: float) -> BoolArray:
    """Tell which cells hold more respondents than the candidates explain, at a discovery rate."""
    raised = np.zeros(fit.design.weights.shape, dtype=np.bool_)
    occupied = fit.design.cohorts
    tails = bits.tails(fit.design.expected_shares(fit.shares))[occupied]
    raised[occupied] = find_significant(tails.ravel(), rate, CORRECTIONS[0]).reshape(tails.shape)
    return raised


def _fit(design: CandidateDesign, observed: FloatArray) -> _Fit:
    """Solve the normal equations by their eigenvectors, unbounded and with no share below 0."""
    values, vectors = np.linalg.eigh(design.normal_matrix)
    informative = values > SINGULAR * max(values[-1], 1e-300)
    values, vectors = values[informative], vectors[:, informative]
    determined = 1 - (vectors**2).sum(axis=1) < UNDETERMINED
    inverse = (vectors / values) @ vectors.T
    right = design.right_side(observed)
    root = np.sqrt(values)
    shares = _bounded_shares(
        root[:, None] * vectors.T, (vectors.T @ right) / root, root.max(initial=1.0)
    )
    return _Fit(design, inverse, determined, len(values), inverse @ right, shares)


def _bounded_shares(root: FloatArray, target: FloatArray, largest: float) -> FloatArray:
    """Return the non-negative least squares whose sum is at most 1.

    A further unknown, the share off the list, and one row of great weight make the sum 1.
    """
    weight = SUM_WEIGHT * largest
    rows, columns = root.shape
    table = np.full((rows + 1, columns + 1), weight)
    table[:rows, :columns] = root
    table[:rows, columns] = 0.0
    shares = scipy.optimize.nnls(table, np.append(target, weight))[0][:columns]
    # The weight is finite, and the sum above 1 by some millionths at most.
    return shares / max(1.0, float(shares.sum()))


def _dispersion(fit: _Fit, bits: _BitCounts) -> float:
    """Return the variance of the cells over that expected; 1 unless chance does not explain it."""
    used = fit.design.weights > 0
    freedom = int(used.sum()) - fit.rank
    if freedom < 1:
        return 1.0
    squares = (bits.shares - fit.design.expected_shares(fit.unbiased)) ** 2
    variances = bits.variances(fit.design.expected_shares(fit.shares))
    statistic = float((squares[used] / variances[used]).sum())
    return statistic / freedom if statistic > chi2_isf(FALSE_ALARM, freedom) else 1.0


# -- what is reported ---------------------------------------------------------------------------


def _summarize(
    candidates: tuple[str, ...], fit: _Fit, bits: _BitCounts, rate: float, correction: str
) -> StringEstimates:
    dispersion = _dispersion(fit, bits)
    variances, own = _variances(fit, bits.device, dispersion)
    inside = np.clip(fit.shares, 0.0, 1.0)
    null_variances = variances[:-1] - own * inside * (1 - inside)
    null_errors, errors = _roots(null_variances), _roots(variances)
    error_of_sum = float(errors[-1]) if fit.determined.all() else np.nan
    errors = errors[:-1]
    # Not the null errors, which are smaller: with few reports tails are longer than the normal's.
    p_values = np.where(fit.determined, normal_sf(fit.unbiased / errors), 1.0)
    discoveries = np.zeros(len(candidates), dtype=np.bool_)
    discoveries[fit.determined] = find_significant(p_values[fit.determined], rate, correction)
    mask = np.where(fit.determined, 1.0, np.nan)
    return StringEstimates(
        candidates=candidates,
        n=int(bits.sizes.sum()),
        shares=fit.shares,
        unbiased=mask * fit.unbiased,
        standard_errors=mask * errors,
        null_errors=mask * null_errors,
        sampling=mask * own,
        p_values=p_values,
        found=discoveries,
        explained_standard_error=error_of_sum,
        dispersion=dispersion,
        notes=_notes(fit, bits, dispersion),
    )


def _roots(variances: FloatArray) -> FloatArray:
    """Return square roots that can be divided by: a share that is not determined may have none."""
    return np.sqrt(np.maximum(variances, np.finfo(float).tiny))


def _notes(fit: _Fit, bits: _BitCounts, dispersion: float) -> tuple[Note, ...]:
    determined = fit.determined
    conditions = {
        "candidates_collide": bool(determined.any() and not determined.all()),
        "too_many_candidates": not determined.any(),
        "unlisted_strings": bool(_raised_cells(fit, bits, FALSE_ALARM).any()),
        "unexplained_variation": dispersion > 1,
    }
    return STRING_NOTES.holding(conditions)


def _variances(fit: _Fit, device: Rappor, dispersion: float) -> tuple[FloatArray, FloatArray]:
    """Return the variances of all shares and of their sum, and what a share adds to its own.

    The noise of the bits, whose variance is the same for set and clear ones, and the sample.
    """
    noise = device.bit_variance * np.append(np.diag(fit.inverse), fit.inverse.sum())
    sampled, own = fit.design.sampling_variances(fit.inverse, fit.shares)
    return dispersion * (noise + sampled), dispersion * own
