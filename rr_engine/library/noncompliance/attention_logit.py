"""Logistic regression of a randomized answer with an item that tells who pays attention."""

from collections.abc import Sequence

from rr_engine import check
from rr_engine.arrays import ArrayLike
from rr_engine.channels.protocol import Channel, Designs
from rr_engine.errors import CountsError
from rr_engine.frames.formulas import by_formula
from rr_engine.labelled import also_named, same_people
from rr_engine.library.noncompliance import type_data
from rr_engine.library.noncompliance.cheating_logit import fit_types
from rr_engine.library.noncompliance.noncompliance_fit import NoncomplianceFit
from rr_engine.sampling.weighted_sample import WeightedSample


class AttentionLogit:
    """Logistic regression corrected for respondents who answer at random.

    Every respondent also answers an item whose prevalence is known, the anchor. Those who pay
    attention follow both devices; the others, a share s, answer both at random.

    Parameters
    ----------
    designs : Channel or sequence of Channel
        The device of the sensitive question, or the devices that respondents differ in.
    anchor : Channel
        The device of the anchor.
    known : float, default 0
        Prevalence of yes to the anchor's statement: 0 when it is true of nobody.
    otherwise : array_like of float, optional
        Probabilities of the reports of those who do not follow the device: one distribution for all
        devices, or one for each; equal ones when left out.
    anchor_otherwise : array_like of float, optional
        The same for the anchor.

    Raises
    ------
    ArgumentError

    Notes
    -----
    The chance of report u and anchor report a is
    ``(1 - s) (F P[u, 1] + (1 - F) P[u, 0]) A[a] + s c[u] c'[a]`` with ``F = 1/(1 + exp(-x'b))``,
    the trait among those who pay attention; as attention is taken to be independent of the trait
    given the covariates, it is the trait among all. The share is one for all, or ``logit s = z'd``.
    Unlike Atsusaka and Stevenson's package cWise, whose `cmreg` multiplies the chances of both
    reports as if they were of two people, the two share one person's attention here.
    docs/methods/compliance-models.md.

    References
    ----------
    .. [1] Y. Atsusaka and R. T. Stevenson, "A Bias-Corrected Estimator for the Crosswise Model with
       Inattentive Respondents", Political Analysis 31 (2023), 134-148.

    Examples
    --------
    The table of the package's first example, nobody a carrier of the anchor's statement:

    >>> import numpy as np
    >>> from rr_engine import crosswise
    >>> model = AttentionLogit(crosswise(0.15), crosswise(0.15))
    >>> counts = [148, 425, 311, 1116]
    >>> fit = model.fit(None, np.repeat([0, 0, 1, 1], counts), np.repeat([0, 1, 0, 1], counts))
    >>> round(fit.share, 3), fit.params.round(3).tolist()
    (0.212, [-1.999])
    """

    def __init__(
        self,
        designs: Designs,
        anchor: Channel,
        known: float = 0.0,
        *,
        otherwise: ArrayLike | None = None,
        anchor_otherwise: ArrayLike | None = None,
    ) -> None:
        self.designs = type_data.check_yes_no(designs)
        self.anchor = type_data.check_yes_no([anchor], "anchor")
        self.known = check.probability(known, "known")
        self.others = type_data.other_reports(self.designs, otherwise)
        self.anchor_other = type_data.other_reports(
            self.anchor, anchor_otherwise, "anchor_otherwise"
        )[0]

    @by_formula(
        frame="reports", columns=("anchor_reports", "weights", "which"), matrices=("share_X",)
    )
    @also_named(designs="which")
    @same_people("X", "reports", "anchor_reports", "weights", "which", "share_X")
    def fit(
        self,
        X: ArrayLike | None,
        reports: ArrayLike,
        anchor_reports: ArrayLike,
        weights: ArrayLike | None = None,
        which: ArrayLike | None = None,
        *,
        share_X: ArrayLike | None = None,
        intercept: bool = True,
        names: Sequence[str] | None = None,
        share_names: Sequence[str] | None = None,
        sample: WeightedSample | None = None,
    ) -> NoncomplianceFit:
        """Fit the model by maximum likelihood, from fixed starts over the inattentive share.

        Parameters
        ----------
        X : array_like of float, shape (n, covariates) or (n,), or None
            None for an intercept alone.
        reports, anchor_reports : array_like of int or str, shape (n,)
            Each respondent's reports on the question and on the anchor; -1 for none.
        weights : array_like of float, shape (n,), optional
            Sampling weights; standard errors are then robust.
        which : array_like of int, shape (n,), optional
            The number of each respondent's device; all the first when left out.
        share_X : array_like of float, shape (n, covariates) or (n,), optional
            What inattention depends on; one share for all when left out.
        intercept : bool, default True
            Whether to put a column of ones first in X; one is always put first in `share_X`.
        names, share_names : sequence of str, optional
            Of the columns of X and of `share_X`; x1, x2, ... when left out.
        sample : SurveySample, ProbabilitySample or calibrated sample, optional
            Weights, strata and clusters, for the standard errors. A finite population is not used:
            a model is about what made it (docs/methods/sampling.md).

        Returns
        -------
        NoncomplianceFit
            Its `share` is that of the inattentive.

        Raises
        ------
        ArgumentError, CountsError
        NotIdentifiableError
            When the anchor does not tell who pays attention.

        References
        ----------
        .. [1] Y. Atsusaka and R. T. Stevenson, "A Bias-Corrected Estimator for the Crosswise Model
           with Inattentive Respondents", Political Analysis 31 (2023), 134-148.
        """
        answers = both_reports(self, reports, anchor_reports, which)
        given = type_data.Given(X, weights, intercept, names, sample, share_X, share_names)
        return fit_types(type_data.check_type_data("followers", answers, given), (0.0,))


def both_reports(
    model: AttentionLogit,
    reports: ArrayLike,
    anchor_reports: ArrayLike,
    which: ArrayLike | None = None,
) -> tuple[type_data.TypeReports, type_data.TypeReports]:
    """Return both reports of each respondent, with their likelihoods for the types."""
    own = type_data.type_reports(model.designs, reports, which, model.others)
    with type_data.named_as(reports="anchor_reports"):
        known = type_data.known_answers(
            model.anchor, anchor_reports, model.known, model.anchor_other
        )
    if known.reports.n != own.reports.n:
        rule = f"have one entry for each of the {own.reports.n} respondents"
        raise CountsError("anchor_reports", anchor_reports, rule, "lengths_differ")
    return own, known
