"""RRMultilevelLogit: regression of a randomized answer of people who come in groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from rr_engine.channels.protocol import Channel
from rr_engine.errors import ArgumentError
from rr_engine.regression.covariates import check_covariates, scale_columns
from rr_engine.regression.fit import RegressionFit
from rr_engine.regression.group_likelihood import GroupLikelihood, Rule
from rr_engine.regression.group_terms import THIRD_DERIVATIVES
from rr_engine.regression.logit import RRLogit
from rr_engine.regression.multilevel_fit import ROUNDING, FittedGroups, MultilevelFit
from rr_engine.regression.newton import Maximum, maximise
from rr_engine.regression.remarks import remarks
from rr_engine.regression.report_likelihoods import ReportLikelihoods
from rr_engine.regression.rows import group_rows
from rr_engine.validation import FloatArray, IntArray, as_array, check_choice, check_whole

# Rules that are tried in turn, and by how much the next may change the log-likelihood.
SIZES = (15, 31, 63, 101)
MOST_NODES, CHECKING_NODES = 101, 151
QUADRATURE_ERROR = 1e-3
# Standard deviations of the intercepts to start from: the best of them.
DEVIATIONS = (0.1, 0.3, 0.7, 1.5, 3.0)
# Below this a standard deviation has gone to the border.
AT_ZERO = 1e-4
FEW_GROUPS = 10


class RRMultilevelLogit:
    """Regression of a randomized yes/no answer with a random intercept of groups.

    ``Pr(yes | x, group) = F(x'b + sigma u_group)`` with standard normal u, and each respondent's
    own design matrix between the answer and the report.

    Parameters
    ----------
    design : Channel or sequence of Channel
        The device of all, or the devices that respondents differ in, direct questions
        (:func:`rr_engine.direct`) among them; of two categories.
    link : {"logit", "probit", "cloglog"}, default "logit"
    nodes : int, optional
        Nodes of the adaptive Gauss-Hermite quadrature over u, from 1 (Laplace's approximation) to
        101; when left out, as many as it takes: 15, 31, 63 or 101.

    Raises
    ------
    ArgumentError, NotIdentifiableError

    Notes
    -----
    docs/methods/multilevel.md. Newton's method with exact gradients from the fit without groups and
    the best of five standard deviations; rows are sorted first.

    References
    ----------
    .. [1] J.-P. Fox, K. Klotzke and D. Veen, "Generalized Linear Randomized Response Modeling Using
       GLMMRR", The R Journal 13, 2021, 507-526.
    .. [2] Q. Liu and D. A. Pierce, "A Note on Gauss-Hermite Quadrature", Biometrika 81, 1994,
       624-629.

    Examples
    --------
    Three schools of 40 pupils each:

    >>> import numpy as np
    >>> from rr_engine import warner
    >>> schools = np.repeat(["A", "B", "C"], 40)
    >>> reports = np.repeat([0, 1, 0, 1, 0, 1], [30, 10, 20, 20, 10, 30])
    >>> fit = RRMultilevelLogit(warner(0.9)).fit(None, reports, schools)
    >>> round(fit.group_deviation, 3), fit.group_intercepts.round(2).tolist()
    (1.168, [-1.31, 0.0, 1.31])
    """

    def __init__(
        self,
        design: Channel | Sequence[Channel],
        link: str = "logit",
        nodes: int | None = None,
    ) -> None:
        check_choice(link, "link", THIRD_DERIVATIVES)
        self.model = RRLogit(design, link)
        self.sizes: Sequence[int] = SIZES
        if nodes is not None:
            self.sizes = (check_whole(nodes, "nodes", minimum=1, maximum=MOST_NODES),)
        if self.model.truths != 2:
            rule = "have two categories"
            raise ArgumentError("design", design, rule, "not_two_categories")

    def fit(
        self,
        X: npt.ArrayLike | None,
        reports: npt.ArrayLike,
        groups: npt.ArrayLike,
        designs: npt.ArrayLike | None = None,
        *,
        intercept: bool = True,
        names: Sequence[str] | None = None,
    ) -> MultilevelFit:
        """Fit the model by maximum likelihood.

        Parameters
        ----------
        X : array_like of float, shape (n, covariates) or (n,), or None
        reports : array_like of int, shape (n,)
            The report of each respondent, a row of their device's matrix; -1 for no report, which
            leaves the respondent out.
        groups : array_like of int or str, shape (n,)
            The group of each respondent.
        designs : array_like of int, shape (n,), optional
            The number of each respondent's device; all the first when left out.
        intercept : bool, default True
        names : sequence of str, optional
            Of the columns of X; x1, x2, ... when left out.

        Returns
        -------
        MultilevelFit

        Raises
        ------
        ArgumentError, CountsError
            As :meth:`RRLogit.fit`; also for fewer than two groups, and where covariates separate
            the answers.

        References
        ----------
        .. [1] Q. Liu and D. A. Pierce, "A Note on Gauss-Hermite Quadrature", Biometrika 81, 1994.
        """
        alone = self.model.fit(X, reports, None, designs, intercept=intercept, names=names)
        if "separation" in {note.code for note in alone.notes}:
            rule = "not separate the answers: leave a column out, or use a prior (fit_bayesian)"
            raise ArgumentError("X", X, rule, "separated")
        likelihoods = ReportLikelihoods(self.model.designs, reports, designs)
        codes, group_names = _check_groups(groups, likelihoods)
        columns = check_covariates(X, likelihoods.n, names, intercept=intercept).columns
        rows, transform = _scaled_likelihood(columns, likelihoods, codes, alone)
        start: FloatArray = np.asarray(np.linalg.solve(transform, alone.params), dtype=np.float64)
        best, likelihood = _best_maximum(rows, start, alone, self.sizes)
        fitted = FittedGroups(
            likelihood=likelihood,
            theta=best.theta,
            transform=transform,
            information=likelihood.observed_information(best.theta),
        )
        return self._result(best, fitted, group_names, alone)

    def _result(
        self,
        best: Maximum,
        fitted: FittedGroups,
        group_names: tuple[str, ...],
        alone: RegressionFit,
    ) -> MultilevelFit:
        likelihood = fitted.likelihood
        intercepts, errors = likelihood.intercepts(best.theta)
        conditions = {
            "no_group_variance": best.theta[-1] == 0,
            "few_groups": len(group_names) < FEW_GROUPS,
            "not_converged": not best.converged,
            "few_nodes": _quadrature_error(likelihood, best) > QUADRATURE_ERROR,
            "few_reports": "few_reports" in {note.code for note in alone.notes},
        }
        return MultilevelFit(
            params=fitted.transform @ best.theta[:-1],
            group_deviation=float(best.theta[-1]),
            covariance=fitted.covariance("observed"),
            standard_error_kind="observed",
            log_likelihood=best.value,
            without_groups=alone,
            group_names=group_names,
            group_sizes=np.rint(np.bincount(likelihood.group_of, likelihood.counts)).astype(
                np.int64
            ),
            group_intercepts=intercepts,
            group_errors=errors,
            n=alone.n,
            names=alone.names,
            link=alone.link,
            nodes=len(likelihood.rule.nodes),
            converged=best.converged,
            iterations=best.iterations,
            notes=remarks(conditions),
            fitted=fitted,
        )


def _scaled_likelihood(
    columns: FloatArray,
    reports: ReportLikelihoods,
    codes: IntArray,
    alone: RegressionFit,
) -> tuple[GroupLikelihood, FloatArray]:
    """Return the marginal likelihood of scaled columns, and what scales coefficients back."""
    kinds = np.column_stack([reports.row_of, codes])
    rows = group_rows(columns, kinds, (codes >= 0).astype(np.float64))
    scaling = scale_columns(rows.columns, rows.weights, alone.names, intercept=alone.intercept)
    by_group = np.argsort(rows.codes[:, 1], kind="stable")
    likelihood = GroupLikelihood(
        columns=scaling.apply(rows.columns)[by_group],
        likelihoods=reports.table[rows.codes[by_group, 0]],
        counts=rows.weights[by_group],
        group_of=rows.codes[by_group, 1],
        link=alone.link,
        rule=Rule.of(1),
    )
    return likelihood, scaling.transform


def _best_maximum(
    rows: GroupLikelihood, coefficients: FloatArray, alone: RegressionFit, sizes: Sequence[int]
) -> tuple[Maximum, GroupLikelihood]:
    """Return the maximum by the first rule that is exact enough, or by the last."""
    starts = [np.append(coefficients, deviation) for deviation in DEVIATIONS]
    border = np.append(coefficients, 0.0)
    likelihood = replace(rows, rule=Rule.of(sizes[0]))
    best = _maximum_from(likelihood, starts, border, alone)
    for size in sizes[1:]:
        if _quadrature_error(likelihood, best) <= QUADRATURE_ERROR:
            break
        likelihood = replace(rows, rule=Rule.of(size))
        best = _maximum_from(likelihood, [best.theta], border, alone)
    return best, likelihood


def _maximum_from(
    likelihood: GroupLikelihood,
    starts: Sequence[FloatArray],
    border: FloatArray,
    alone: RegressionFit,
) -> Maximum:
    """Return the maximum, at the border where no difference between groups gains anything."""
    best = maximise(likelihood, max(starts, key=likelihood.value))
    # The likelihood is the same for both signs of sigma.
    best = replace(best, theta=np.append(best.theta[:-1], abs(best.theta[-1])))
    without = likelihood.value(border)
    if best.theta[-1] < AT_ZERO or best.value <= without + ROUNDING:
        best = replace(best, theta=border, value=without, converged=alone.converged)
    return best


def _quadrature_error(likelihood: GroupLikelihood, best: Maximum) -> float:
    """Return by how much twice as many nodes change the log-likelihood."""
    finer = Rule.of(min(2 * len(likelihood.rule.nodes) + 1, CHECKING_NODES))
    return abs(replace(likelihood, rule=finer).value(best.theta) - best.value)


def _check_groups(
    value: npt.ArrayLike, reports: ReportLikelihoods
) -> tuple[IntArray, tuple[str, ...]]:
    """Return the number of each respondent's group, -1 without a report, and the groups' names."""
    array = as_array(value)
    if array is None or array.ndim != 1 or array.dtype.kind not in "iuU":
        rule = "be a list of whole numbers or texts, one for each respondent"
        raise ArgumentError("groups", value, rule, "not_group_names")
    if len(array) != reports.n:
        rule = f"have one entry for each of the {reports.n} respondents"
        raise ArgumentError("groups", value, rule, "lengths_differ")
    used = reports.reported
    labels, codes = np.unique(array[used], return_inverse=True)
    if len(labels) < 2:
        rule = "hold at least two groups with reports"
        raise ArgumentError("groups", value, rule, "too_few_groups")
    numbers = np.full(reports.n, -1, np.int64)
    numbers[used] = codes.ravel()
    return numbers, tuple(str(label) for label in labels.tolist())
