"""Estimate: the proportions behind randomized reports, with what is known about their error."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray, IntArray, as_array, freeze
from rr_engine.channels.protocol import Channel
from rr_engine.errors import ArgumentError
from rr_engine.estimation.covariance import CovarianceOperator, KnownCovariance
from rr_engine.estimation.device_stratum import DeviceStratum
from rr_engine.estimation.intervals import interval, possible_interval
from rr_engine.estimation.notes import Note, Noted
from rr_engine.estimation.shown_shares import ShownShares
from rr_engine.estimation.stored import channel_from_dict, channel_to_dict
from rr_engine.labelled import in_order, is_labelled

FORMAT = 1
# Fixed, so that everybody computes the same bootstrap interval of a survey.
BOOTSTRAP_SEED = 2017


@dataclass(frozen=True, slots=True, eq=False)
class Estimate(Noted, ShownShares):
    """Estimated proportions of the true answers.

    Attributes
    ----------
    design : Channel
        The device that made the reports; a DesignMatrix, or another channel.
    counts : ndarray of int, shape (reports,)
        How often each report came in; of a device of bits, how often each was clear and set.
    proportions : ndarray of float, shape (truths,)
        The estimate. Inversion is unbiased and may leave the range 0 to 1; maximum likelihood
        does not leave it.
    errors : CovarianceOperator
        Its estimated covariance, computed as far as it is asked for: see :attr:`covariance`,
        :attr:`standard_errors` and :meth:`covariance_of`.
    method : str
        "inversion" or "mle".
    population : str
        "sample" when the respondents were drawn from a larger population, "fixed" when they are
        the whole group asked about. See docs/methods/notation.md.
    converged : bool
    iterations : int
        0 for a closed form.
    notes : tuple of Note
        Trouble met on the way, under stable codes.
    weights : ndarray of float or None
        Weights of the reports in a design with more reports than truths.
    strata : tuple of DeviceStratum
        Of :func:`estimate_strata`, the devices and their reports; empty for one device. `design`
        is then the device that first draws a stratum, in proportion to the reports there were, and
        shows its number beside the report; `counts` are the strata's counts in a row.

    Examples
    --------
    >>> from rr_engine import crosswise, estimate
    >>> found = estimate(crosswise(0.25), [420, 580])
    >>> found.proportions.round(3).tolist(), found.interval()[1].round(3).tolist(), found.notes
    ([0.66, 0.34], [0.28, 0.402], ())
    """

    design: Channel
    counts: IntArray
    proportions: FloatArray
    covariance_operator: CovarianceOperator
    method: str
    population: str
    converged: bool = True
    iterations: int = 0
    notes: tuple[Note, ...] = ()
    weights: FloatArray | None = None
    strata: tuple[DeviceStratum, ...] = ()

    def __post_init__(self) -> None:
        for name in ("counts", "proportions", "weights"):
            array = getattr(self, name)
            object.__setattr__(self, name, None if array is None else freeze(array))

    @property
    def n(self) -> int:
        """Number of reports."""
        return self.design.people(self.counts)

    @property
    def matrix(self) -> FloatArray:
        """The design's matrix; refused where it would be too large."""
        return self.design.matrix

    @property
    def covariance(self) -> FloatArray:
        """Estimated covariance, shape (truths, truths), formed when it is first asked for.

        Infinite on the diagonal where the reports cannot tell.

        Raises
        ------
        ArgumentError
            For more than 4,096 truths of a channel that is no matrix, and for a sample of sets of
            bits; :meth:`covariance_of` needs no matrix.
        """
        return self.covariance_operator.matrix

    def covariance_of(self, contrast_a: ArrayLike, contrast_b: ArrayLike) -> float:
        """Return the covariance of two weighted sums of proportions.

        Parameters
        ----------
        contrast_a, contrast_b : array_like of float
            Weights, flat or in the shape of the truths. Equal ones give a variance.

        Returns
        -------
        float
            Infinite where the reports cannot tell.

        Raises
        ------
        ArgumentError
            For weights of another shape, or not finite.

        References
        ----------
        .. [1] Y. Wang, X. Wu and D. Hu, "Using Randomized Response for Differential Privacy
           Preserving Data Collection", EDBT/ICDT Workshops, 2016, Eq. 18.

        Examples
        --------
        >>> from rr_engine import estimate
        >>> from rr_engine.channels import UniformChannel
        >>> found = estimate(UniformChannel(3, 4, 1, 6), [50, 30, 20])
        >>> round(found.covariance_of([1, -1, 0], [1, -1, 0]), 5)
        0.03071
        """
        first = self._contrast(contrast_a, "contrast_a")[None]
        same = contrast_b is contrast_a
        second = first if same else self._contrast(contrast_b, "contrast_b")[None]
        return float(self.covariance_operator.between(first, second)[0, 0])

    def _contrast(self, value: ArrayLike, argument: str) -> FloatArray:
        shape = self.design.truth_shape
        rule = f"be finite numbers of shape {shape}, or as many in a row"
        if is_labelled(value):
            labels = getattr(self.design, "truth_labels", ()) or check.number_labels(shape[0])
            value = in_order(value, labels, argument)
        array = as_array(value)
        flat = array is not None and array.ndim == 1
        size = (len(self.proportions),)
        return check.reals(value, size if flat else shape, argument, rule).ravel()

    @property
    def blocks(self) -> tuple[slice, ...]:
        """Rows of the matrix that belong to each device; one slice for one device."""
        ends = np.cumsum([len(stratum.counts) for stratum in self.strata] or [len(self.counts)])
        return tuple(slice(start, end) for start, end in pairwise([0, *ends.tolist()]))

    @property
    def reported_shares(self) -> FloatArray:
        """Share of each report as it came in, before any correction; zeros without reports."""
        return self.counts / max(self.n, 1)

    @property
    def standard_errors(self) -> FloatArray:
        """Square roots of the covariance's diagonal."""
        return np.sqrt(self.covariance_operator.variances)

    def projected(self) -> FloatArray:
        """Return the nearest proportions that can exist: not negative, and summing to one.

        By :func:`rr_engine.estimation.project_to_simplex` (Held, Wolfe & Crowder 1974) where
        everybody has one of the truths.
        """
        return self.design.project(self.proportions)

    def interval(
        self, level: float = 0.95, method: str = "default", *, seed: int = BOOTSTRAP_SEED
    ) -> FloatArray:
        """Return a confidence interval for each proportion.

        Parameters
        ----------
        level : float, default 0.95
            Coverage aimed at, for each proportion by itself.
        method : {"default", "guarded", "wilson", "exact", "profile", "bootstrap", "sequence", \
"normal", "chebyshev"}
            "default" is the one recommended by docs/methods/intervals.md, "guarded": the score
            interval "wilson", widened where few reports would make it miss more often than 7 of
            100 times for a level of 95 %. "exact" (Clopper & Pearson) inverts both tails of the
            reported share. None of these depends on how the proportions were estimated. "profile"
            inverts the likelihood-ratio test within the range; outside of the k-ary family that
            takes some twenty fits a category, seconds from some fifty on. "bootstrap" draws
            surveys from the nearest possible proportions. "sequence" holds at every look at a
            growing survey together. "normal" and "chebyshev" go out from the proportions by a
            multiple of the standard error: too short where reports are few or all alike.
        seed : int, default 2017
            Of the surveys that "bootstrap" draws; no other method uses chance.

        Returns
        -------
        ndarray of float, shape (truths, 2)
            Lower and upper ends, not cut to the range 0 to 1 ("profile" never leaves it).
            Without reports, 0 and 1.

        Raises
        ------
        ArgumentError
            For a level outside (0, 1), an unknown method, or "exact" in a design where a
            proportion depends on more than one reported share.

        References
        ----------
        .. [1] E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference",
           Journal of the American Statistical Association 22 (1927), 209-212.
        .. [2] E. L. Crow, "Confidence Intervals for a Proportion", Biometrika 43 (1956), 423-435.

        Examples
        --------
        >>> from rr_engine import estimate, k_rr
        >>> rare = estimate(k_rr(3, 6), [60, 40, 0])
        >>> rare.interval()[2].round(3).tolist()
        [-0.002, 0.035]
        >>> rare.interval(method="normal")[2].round(3).tolist()
        [-0.002, -0.002]
        """
        return interval(self, level, method, seed)

    def possible_interval(
        self, level: float = 0.95, method: str = "default", *, seed: int = BOOTSTRAP_SEED
    ) -> FloatArray:
        """Return the part of :meth:`interval` that lies within 0 to 1.

        An interval that lies outside as a whole is replaced by that of "profile", which is always
        inside: a proportion never looks more certain because the reports came out odd.

        References
        ----------
        Ours: docs/methods/intervals.md.

        Examples
        --------
        >>> from rr_engine import estimate, forced_response
        >>> result = estimate(forced_response(2 / 3, 1 / 6), [175, 25])
        >>> result.interval()[1].round(3).tolist()
        [-0.121, 0.017]
        >>> result.possible_interval()[1].round(3).tolist()
        [0.0, 0.017]
        """
        return possible_interval(self, level, method, seed)

    def to_dict(self) -> dict[str, object]:
        """Return plain lists, numbers and strings that JSON can hold.

        An infinite covariance becomes None. Python's float repr round-trips, so
        :meth:`from_dict` gives back the same bits.
        """
        strata = [
            {"design": channel_to_dict(stratum.design), "counts": stratum.counts.tolist()}
            for stratum in self.strata
        ]
        return {
            "format": FORMAT,
            "design": channel_to_dict(self.design),
            "counts": self.counts.tolist(),
            "proportions": self.proportions.tolist(),
            "covariance": [[_finite(entry) for entry in row] for row in self.covariance.tolist()],
            "method": self.method,
            "population": self.population,
            "converged": self.converged,
            "iterations": self.iterations,
            "notes": [{"code": note.code, "message": note.message} for note in self.notes],
            "weights": None if self.weights is None else self.weights.tolist(),
            # A single device has no strata.
            **({"strata": strata} if strata else {}),
        }

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Estimate:
        """Return the estimate that :meth:`to_dict` wrote."""
        if not isinstance(stored, Mapping) or stored.get("format") != FORMAT:
            rule = f"be what to_dict gave, of format {FORMAT}"
            raise ArgumentError("stored", stored, rule, "unknown_format")
        try:
            return cls._rebuilt(stored)
        except (KeyError, TypeError, AttributeError, OverflowError) as wrong:
            raise ArgumentError(
                "stored", stored, "be what to_dict gave, and whole", "stored_damaged"
            ) from wrong

    @classmethod
    def _rebuilt(cls, stored: Mapping[str, Any]) -> Estimate:
        covariance = [[math.inf if x is None else x for x in row] for row in stored["covariance"]]
        weights = stored["weights"]
        return cls(
            design=channel_from_dict(stored["design"]),
            counts=np.array(stored["counts"], dtype=np.int64),
            proportions=np.array(stored["proportions"], dtype=np.float64),
            covariance_operator=KnownCovariance(np.array(covariance, dtype=np.float64)),
            method=stored["method"],
            population=stored["population"],
            converged=stored["converged"],
            iterations=stored["iterations"],
            notes=tuple(Note(**note) for note in stored["notes"]),
            weights=None if weights is None else np.array(weights, dtype=np.float64),
            strata=tuple(_stratum_from_dict(stratum) for stratum in stored.get("strata", ())),
        )


def check_estimate(value: object, argument: str = "estimate") -> Estimate:
    """Return an estimate of one attribute."""
    rule = "be an Estimate of one attribute"
    return check.instance(value, argument, Estimate, rule, "not_an_estimate")


def _stratum_from_dict(stored: Mapping[str, Any]) -> DeviceStratum:
    counts = np.array(stored["counts"], dtype=np.int64)
    return DeviceStratum(channel_from_dict(stored["design"]), counts)


def _finite(entry: float) -> float | None:
    return entry if math.isfinite(entry) else None
