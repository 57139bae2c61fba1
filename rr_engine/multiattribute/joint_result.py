"""JointEstimate: the table of true proportions behind randomized reports on several attributes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray, FrozenArrays
from rr_engine.association.derived import Derived
from rr_engine.channels.product import margin_of_device, parts_by_device
from rr_engine.display.description import Description, Table
from rr_engine.display.reading import told
from rr_engine.errors import ArgumentError
from rr_engine.estimation.notes import Note, Noted
from rr_engine.estimation.result import Estimate
from rr_engine.multiattribute import joint_table
from rr_engine.multiattribute.axes import sum_to
from rr_engine.multiattribute.conditional import (
    Conditional,
    conditional,
    conditional_means,
    difference,
)
from rr_engine.multiattribute.table_covariance import TableCovariance
from rr_engine.projection import project_to_simplex

# A covariance matrix of more cells than this is not formed.
DENSE_CELLS = 400


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class JointEstimate(FrozenArrays, Noted):
    """Estimated proportions of all combinations of true answers.

    Attributes
    ----------
    strata : tuple of JointStratum
        The reports and the devices that made them; usually one stratum.
    proportions : ndarray of float
        One axis for each attribute, in the order of the designs and of the questions of each.
    covariance_operator : TableCovariance
        The covariance of the estimate; use :attr:`standard_errors` and :meth:`covariance_of`.
    method : str
        "inversion" or "mle".
    population : str
        "sample" or "fixed"; see docs/methods/notation.md.
    converged : bool
    iterations : int
        0 for a closed form.
    notes : tuple of Note
    pooled : Estimate or None
        The same estimate over the flattened table, where strata were pooled.

    Examples
    --------
    >>> from rr_engine import estimate_joint, k_rr, warner
    >>> joint = estimate_joint([warner(0.8), k_rr(3, 2)], [[300, 180, 150], [110, 110, 150]])
    >>> joint.shape, joint.margin(1).proportions.round(3).tolist()
    ((2, 3), [0.446, 0.27, 0.284])
    >>> joint.conditional(of_axis=0, given_axis=1).values[:, 1].round(2).tolist()
    [0.05, 0.31, 0.62]
    """

    strata: tuple[joint_table.JointStratum, ...]
    proportions: FloatArray
    covariance_operator: TableCovariance
    method: str
    population: str
    converged: bool = True
    iterations: int = 0
    notes: tuple[Note, ...] = ()
    pooled: Estimate | None = None

    @property
    def n(self) -> int:
        """Number of people."""
        return sum(int(stratum.counts.sum()) for stratum in self.strata)

    def _described(self) -> Description:
        cells = list(np.ndindex(self.shape))
        columns: dict[str, list] = {
            f"attribute_{axis + 1}": [labels[cell[axis]] for cell in cells]
            for axis, labels in enumerate(self.categories)
        }
        columns["proportion"] = self.proportions.ravel().tolist()
        columns["standard_error"] = self.standard_errors.ravel().tolist()
        facts = {"n": self.n, "method": self.method, "population": self.population}
        return told(self, facts, Table(columns))

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of categories of each attribute."""
        return self.proportions.shape

    @property
    def categories(self) -> tuple[tuple[str, ...], ...]:
        """Labels of the true answers of each attribute; numbers where its device has none."""
        return self.strata[0].categories

    @property
    def standard_errors(self) -> FloatArray:
        """Standard error of every cell, shaped as the proportions."""
        return np.sqrt(self.covariance_operator.variances())

    @property
    def covariance(self) -> FloatArray:
        """Covariance of the flattened table, shape (cells, cells).

        Raises
        ------
        ArgumentError
            For more than 400 cells; :meth:`covariance_of` needs no matrix.
        """
        cells = self.proportions.size
        if cells > DENSE_CELLS:
            rule = f"be at most {DENSE_CELLS} for a full covariance; use covariance_of"
            raise ArgumentError("cells", cells, rule, "too_many_truths")
        if not np.isfinite(self.standard_errors).all():
            return np.diag(np.full(cells, np.inf))
        one_by_one = np.eye(cells).reshape(cells, *self.shape)
        return self.covariance_operator.between(one_by_one, one_by_one)

    def covariance_of(self, contrast_a: ArrayLike, contrast_b: ArrayLike) -> float:
        """Return the covariance of two weighted sums of cells.

        Parameters
        ----------
        contrast_a, contrast_b : array_like of float
            Weights, shaped as the proportions. Equal ones give a variance.

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
           Preserving Data Collection", EDBT/ICDT Workshops, 2016, Eq. 18 and 23.

        Examples
        --------
        >>> from rr_engine import estimate_joint, warner
        >>> joint = estimate_joint([warner(0.8), warner(0.8)], [[40, 20], [20, 20]])
        >>> both = [[0, 0], [0, 1]]
        >>> round(joint.covariance_of(both, both) ** 0.5, 4)
        0.0821
        >>> joint.standard_errors[1].round(4).tolist()
        [0.0865, 0.0821]
        """
        first = self._contrast(contrast_a, "contrast_a")
        second = self._contrast(contrast_b, "contrast_b")
        return float(self.covariance_operator.between(first[None], second[None])[0, 0])

    def _contrast(self, value: ArrayLike, argument: str) -> FloatArray:
        rule = f"be finite numbers of shape {self.shape}"
        return check.reals(value, self.shape, argument, rule)

    def projected(self) -> FloatArray:
        """Return the nearest table without negative cells (Held, Wolfe & Crowder 1974)."""
        return project_to_simplex(self.proportions.ravel()).reshape(self.shape)

    def interval(self, level: float = 0.95, method: str = "default") -> FloatArray:
        """Return a confidence interval for every cell by itself.

        Parameters
        ----------
        level : float, default 0.95
        method : {"default", "guarded", "wilson", "normal", "chebyshev"}
            As in :meth:`rr_engine.Estimate.interval`; "default" is "guarded". One attribute alone
            and pooled strata offer all the methods of that function.

        Returns
        -------
        ndarray of float, shape (\\*shape, 2)
            Not cut to the range 0 to 1. Without reports, 0 and 1.

        Raises
        ------
        ArgumentError
            For a level outside (0, 1) or an unknown method.

        References
        ----------
        .. [1] E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference",
           Journal of the American Statistical Association 22 (1927), 209-212.
        """
        return joint_table.cell_interval(self, level, method)

    def margin(self, axes: int | Sequence[int]) -> JointEstimate:
        """Return the table of some of the attributes, summed over the others.

        Parameters
        ----------
        axes : int or sequence of int
            Attributes to keep, in the order wanted; those that one device covers side by side.

        Returns
        -------
        JointEstimate
            By inversion the same as estimating from those attributes' reports alone.

        Raises
        ------
        ArgumentError
            For axes that are not there, named twice, or with one of another device between two
            that one device covers.

        References
        ----------
        Ours: docs/methods/joint.md, "Margins".
        """
        positions = joint_table.check_attributes(axes, len(self.shape))
        strata = tuple(_margin(stratum, positions) for stratum in self.strata)
        proportions = sum_to(self.proportions, positions)
        notes = [
            n for s in strata for n in joint_table.table_notes(s.designs, s.counts, self.population)
        ]
        notes += joint_table.joint_solution_notes(
            proportions, self.method, converged=self.converged
        )
        return replace(
            self,
            strata=strata,
            proportions=proportions,
            covariance_operator=self.covariance_operator.margin(positions),
            notes=joint_table.without_repeats(notes),
            pooled=None,
        )

    def conditional(self, of_axis: int, given_axis: int) -> Conditional:
        """Return the proportions of one attribute within each category of another.

        Parameters
        ----------
        of_axis, given_axis : int
            Different attributes.

        Returns
        -------
        Conditional
            Tables of shape (categories of `given_axis`, categories of `of_axis`).

        Raises
        ------
        ArgumentError

        References
        ----------
        .. [1] W. G. Cochran, "Sampling Techniques", third edition, Wiley 1977, section 2.13.

        Examples
        --------
        >>> from rr_engine import estimate_joint, warner
        >>> joint = estimate_joint([warner(0.8), warner(0.8)], [[400, 200], [200, 200]])
        >>> shares = joint.conditional(of_axis=1, given_axis=0)
        >>> shares.values.round(3).tolist(), shares.standard_errors[1].round(3).tolist()
        ([[0.833, 0.167], [0.333, 0.667]], [0.072, 0.072])
        """
        return conditional(self, of_axis, given_axis)

    def difference(
        self, of_axis: int, category: int, given_axis: int, groups: Sequence[int] = (0, 1)
    ) -> Derived:
        """Return by how much a conditional proportion differs between two groups.

        Parameters
        ----------
        of_axis, category : int
            The attribute and which of its categories.
        given_axis : int
            The attribute that makes the groups.
        groups : sequence of two int, default (0, 1)
            The value is that of the first group minus that of the second.

        Returns
        -------
        Derived
            Its standard error counts the covariance of the two groups.

        Raises
        ------
        ArgumentError

        References
        ----------
        .. [1] W. G. Cochran, "Sampling Techniques", third edition, Wiley 1977, section 2.13.
        """
        return difference(self, of_axis, category, given_axis, groups)

    def conditional_means(self, of_axis: int, given_axis: int, scores: ArrayLike) -> list[Derived]:
        """Return the mean score of one attribute within each category of another.

        Parameters
        ----------
        of_axis, given_axis : int
            Different attributes.
        scores : array_like of float
            What each of the first categories of `of_axis` counts; those after them are left out,
            such as "prefer not to say".

        Returns
        -------
        list of Derived
            One for each group. Where nobody is estimated to be in it, or nothing is known of the
            errors, the middle of the scores with an infinite error and the note `empty_group`.

        Raises
        ------
        ArgumentError

        References
        ----------
        .. [1] W. G. Cochran, "Sampling Techniques", third edition, Wiley 1977, sections 2.13 and
           6.1 (means over subpopulations, ratios).

        Examples
        --------
        >>> from rr_engine import estimate_joint, warner
        >>> joint = estimate_joint([warner(0.8), warner(0.8)], [[400, 200], [200, 200]])
        >>> means = joint.conditional_means(of_axis=1, given_axis=0, scores=[0, 1])
        >>> [round(mean.value, 3) for mean in means]
        [0.167, 0.667]
        """
        return conditional_means(self, of_axis, given_axis, scores)


def _margin(stratum: joint_table.JointStratum, axes: tuple[int, ...]) -> joint_table.JointStratum:
    groups = parts_by_device([design.truth_shape for design in stratum.designs], axes)
    designs = tuple(margin_of_device(stratum.designs[device], own) for device, own in groups)
    return joint_table.JointStratum(designs, sum_to(stratum.counts, axes))
