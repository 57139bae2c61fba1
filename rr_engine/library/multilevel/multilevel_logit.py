"""RRMultilevelLogit: regression of a randomized answer of people who come in groups."""

from collections.abc import Sequence

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray, IntArray, as_array
from rr_engine.channels.protocol import Designs
from rr_engine.errors import ArgumentError
from rr_engine.frames.formulas import by_formula
from rr_engine.labelled import also_named, same_people
from rr_engine.library.multilevel import multilevel_fit
from rr_engine.library.multilevel.group_likelihood import GroupLikelihood, Rule
from rr_engine.library.multilevel.group_terms import THIRD_DERIVATIVES
from rr_engine.regression.engine.covariates import check_covariates, scale_columns
from rr_engine.regression.engine.fitted_model import MODEL_NOTES
from rr_engine.regression.engine.samples import group_rows
from rr_engine.regression.randomized_outcome.logit import RRLogit
from rr_engine.regression.randomized_outcome.regression_fit import RegressionFit
from rr_engine.regression.report_likelihoods import ReportLikelihoods
from rr_engine.sampling.checks import check_labels_by_person

# Rules that are tried in turn.
SIZES = (15, 31, 63, 101)
MOST_NODES = 101
FEW_GROUPS = 10


class RRMultilevelLogit:
    """Regression of a randomized yes/no answer with a random intercept of groups.

    ``Pr(yes | x, group) = F(x'b + sigma u_group)`` with standard normal u, and each respondent's
    own design matrix between the answer and the report.

    Parameters
    ----------
    design : Channel or sequence of Channel
        The device of all, or the devices that respondents differ in, direct questions
        (:func:`rr_engine.designs.direct`) among them; of two categories.
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
    five standard deviations, to the highest maximum; rows are sorted first.

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

    def __init__(self, design: Designs, link: str = "logit", nodes: int | None = None) -> None:
        check.choice(link, "link", THIRD_DERIVATIVES)
        self.model = RRLogit(design, link)
        self.sizes: Sequence[int] = SIZES
        if nodes is not None:
            self.sizes = (check.whole(nodes, "nodes", minimum=1, maximum=MOST_NODES),)
        if self.model.truths != 2:
            rule = "have two categories"
            raise ArgumentError("design", design, rule, "not_two_categories")

    @by_formula(frame="reports", columns=("groups", "which"))
    @also_named(designs="which")
    @same_people("X", "reports", "groups", "which")
    def fit(
        self,
        X: ArrayLike | None,
        reports: ArrayLike,
        groups: ArrayLike,
        which: ArrayLike | None = None,
        *,
        intercept: bool = True,
        names: Sequence[str] | None = None,
    ) -> multilevel_fit.MultilevelFit:
        """Fit the model by maximum likelihood.

        Parameters
        ----------
        X : array_like of float, shape (n, covariates) or (n,), or None
        reports : array_like of int or str, shape (n,)
            The report of each respondent: the row of their device's matrix or its label; -1 for no
            report, which
            leaves the respondent out.
        groups : array_like of int or str, shape (n,)
            The group of each respondent.
        which : array_like of int, shape (n,), optional
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
        likelihoods = ReportLikelihoods(self.model.designs, reports, which)
        codes, group_names = _check_groups(groups, likelihoods)
        alone = self.model.fit(X, reports, None, which, intercept=intercept, names=names)
        if "separation" in {note.code for note in alone.notes}:
            rule = "not separate the answers: leave a column out, or use a prior (fit_bayesian)"
            raise ArgumentError("X", X, rule, "separated")
        columns = check_covariates(X, likelihoods.n, names, intercept=intercept).columns
        rows, transform = _scaled_likelihood(columns, likelihoods, codes, alone)
        start: FloatArray = np.asarray(np.linalg.solve(transform, alone.params), dtype=np.float64)
        ascent = multilevel_fit.highest_group_ascent(rows, start, alone, self.sizes)
        theta = ascent.maximum.theta
        fitted = multilevel_fit.FittedGroups(
            likelihood=ascent.likelihood,
            theta=theta,
            transform=transform,
            information=ascent.likelihood.observed_information(theta),
            endless=ascent.endless,
        )
        return self._result(ascent, fitted, group_names, alone)

    def _result(
        self,
        ascent: multilevel_fit.GroupAscent,
        fitted: multilevel_fit.FittedGroups,
        group_names: tuple[str, ...],
        alone: RegressionFit,
    ) -> multilevel_fit.MultilevelFit:
        best, likelihood = ascent.maximum, fitted.likelihood
        error = 0.0 if ascent.endless else multilevel_fit.quadrature_error(likelihood, best)
        intercepts, errors = likelihood.intercepts(best.theta)
        conditions = {
            "separation": ascent.endless,
            "higher_at_infinity": ascent.higher_at_infinity,
            "no_group_variance": best.theta[-1] == 0,
            "few_groups": len(group_names) < FEW_GROUPS,
            "not_converged": not (best.converged or ascent.endless),
            "few_nodes": error > multilevel_fit.QUADRATURE_ERROR,
            "few_reports": "few_reports" in {note.code for note in alone.notes},
        }
        return multilevel_fit.MultilevelFit(
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
            converged=best.converged and not ascent.endless,
            iterations=best.iterations,
            notes=MODEL_NOTES.holding(conditions),
            fitted=fitted,
            epsilon=alone.epsilon,
        )


def _scaled_likelihood(
    columns: FloatArray, reports: ReportLikelihoods, codes: IntArray, alone: RegressionFit
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


def _check_groups(value: ArrayLike, reports: ReportLikelihoods) -> tuple[IntArray, tuple[str, ...]]:
    """Return the number of each respondent's group, -1 without a report, and the groups' names."""
    array = as_array(value)
    if array is None or array.ndim != 1 or array.dtype.kind not in "iubfUO":
        rule = "be a list of whole numbers or texts, one for each respondent"
        raise ArgumentError("groups", value, rule, "not_group_names")
    if len(array) != reports.n:
        rule = f"have one entry for each of the {reports.n} respondents"
        raise ArgumentError("groups", value, rule, "lengths_differ")
    used = reports.reported
    names, numbers_of = check_labels_by_person(value, reports.n, "groups")
    found, codes = np.unique(numbers_of[used], return_inverse=True)
    labels = np.array(names)[found]
    if len(labels) < 2:
        rule = "hold at least two groups with reports"
        raise ArgumentError("groups", value, rule, "too_few_groups")
    numbers = np.full(reports.n, -1, np.int64)
    numbers[used] = codes.ravel()
    return numbers, tuple(str(label) for label in labels.tolist())
