"""Shares and means of the answers weighted to known margins of the population.

They are about the people of analyses (`surveys.results.described`).
The direct questions of the margins have them too.
"""

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

import rr_engine
from rr_engine.distributions import t_isf
from rr_engine.regression.report_likelihoods import NO_REPORT
from surveys.kinds import KINDS
from surveys.kinds.estimates import LEVELS
from surveys.kinds.estimates import ends as ends_of
from surveys.parameters import Parameters, Question, Weighting
from surveys.parameters.analyses import is_listed
from surveys.results.regression.frame import Frame, name_of_column, options_of
from surveys.results.regression.refusals import AnalysisRefused
from surveys.results.regression.terms import answer_scores
from surveys.results.regression.weights import raked_sample
from surveys.results.weighted.people import (
    UNKNOWN,
    ColumnReports,
    WeightedPeople,
    fixed_share,
    possible_share,
    weighted_share,
)
from surveys.results.weighted.tables import weighted_table
from surveys.results_document.document import Results
from surveys.results_document.weighted import (
    FORMAT,
    WeightedQuestion,
    WeightedResults,
    WeightedShare,
)


def weighable(parameters: Parameters) -> list[Question]:
    """The questions whose results are weighted: all but texts and those about members."""
    return [
        question
        for question in parameters.questions
        if is_listed(question) or question.several or question.whole_scale
    ]


def weighted_results(
    frame: Frame,
    questions: Sequence[Question],
    weighting: Weighting,
    content: Results,
    threshold: int,
) -> WeightedResults:
    """The weighted numbers of each question of a frame, with the weights that they rest on.

    `content`: the results of the release, whose tables are weighted as they are recoded there.

    Raises AnalysisRefused where the margins cannot be met.
    """
    if frame.n < threshold:
        raise AnalysisRefused("too_few_people", [question.id for question in questions])
    sample = raked_sample(frame, weighting, content.recodings)
    given = {margin.question for margin in weighting.margins}
    people = WeightedPeople(frame, sample, content.recodings, threshold)
    return WeightedResults(
        format=FORMAT,
        n=frame.n,
        design_effect=float(sample.design_effect),
        effective_n=float(sample.effective_n),
        largest_weight=float(sample.weights.max() / sample.weights.mean()),
        questions={
            question.id: _of_question(people, question, is_fixed=question.id in given)
            for question in questions
        },
        tables={table.id: weighted_table(people, table) for table in content.tables if table.cells},
    )


def _of_question(
    people: WeightedPeople, question: Question, *, is_fixed: bool
) -> WeightedQuestion | None:
    """The shares of one question and its mean; None where nothing is told.

    `is_fixed`: it is one of those that the margins are of.
    """
    if question.several:
        return _of_options(people, question)
    reports = people.reports(question.id)
    found = people.proportions(reports)
    if found is None:
        return None
    at_ends = question.whole_scale is not None
    shares = zip(found.proportions, found.standard_errors, found.interval(LEVELS[0]), strict=True)
    categories, mean = (
        [weighted_share(*share) for share in shares],
        _mean(found, question, reports, is_fixed=is_fixed),
    )
    if is_fixed:
        categories = [fixed_share(value) for value in found.proportions]
    elif reports.direct:
        categories = list(map(possible_share, categories))
    return WeightedQuestion(
        n=reports.n,
        answers=[] if at_ends else reports.answers,
        categories=() if at_ends else tuple(categories),
        mean=mean,
    )


def _of_options(people: WeightedPeople, question: Question) -> WeightedQuestion | None:
    """The share of each option, unknown where it would be about a few people."""
    shares, most = [], 0
    for option in options_of(question):
        reports = people.reports(name_of_column(question.id, option))
        found, share = people.proportions(reports), UNKNOWN
        if found is not None:
            ends = found.interval(LEVELS[0])
            share = weighted_share(found.proportions[1], found.standard_errors[1], ends[1])
            share = possible_share(share) if reports.direct else share
        shares.append(share)
        most = max(most, reports.n)
    if all(share == UNKNOWN for share in shares):
        return None
    answers = [[option] for option in range(len(shares))]
    return WeightedQuestion(n=most, answers=answers, categories=tuple(shares), mean=None)


def _mean(
    found: rr_engine.sampling.WeightedProportions,
    question: Question,
    reports: ColumnReports,
    *,
    is_fixed: bool,
) -> WeightedShare | None:
    """The mean of a number, or of the scores of a scale among those who did not refuse.

    As of the estimate that is not weighted there is none where rare answers are together.
    """
    if question.whole_scale is not None:
        lower, upper = question.whole_scale.ends
        at_upper = weighted_share(
            found.proportions[1], found.standard_errors[1], found.interval(LEVELS[0])[1]
        )
        return _stretched(at_upper, lower, upper)
    scores, given = _scores(question), reports.codes[reports.codes != NO_REPORT]
    alike = not reports.direct and len(np.unique(given)) < 2
    if scores is None or alike or any(len(together) > 1 for together in reports.answers):
        return None
    counted = [place for place, (code,) in enumerate(reports.answers) if code < len(scores)]
    values = found.proportions[counted]
    answering = values.sum()
    if answering <= 0:
        return None
    own = np.array([scores[reports.answers[place][0]] for place in counted])
    mean = float(own @ values / answering)
    if is_fixed:
        return fixed_share(mean)
    # The mean of those who answered is a ratio of two estimates.
    slopes = (own - mean) / answering
    variance = float(slopes @ found.covariance[np.ix_(counted, counted)] @ slopes)
    error = np.sqrt(variance) if variance >= 0 else np.inf
    half = float(t_isf((1 - LEVELS[0]) / 2, max(found.degrees_of_freedom, 1))) * error
    ends = np.array([mean - half, mean + half])
    return weighted_share(mean, error, ends.clip(own.min(), own.max()) if reports.direct else ends)


def _scores(question: Question) -> Sequence[float] | None:
    """Return what answers count: middles of bins, 1, 2, ... of a scale; None without an order."""
    has_mean = question.scale is not None or KINDS[question.kind].ordered
    return answer_scores(question) if has_mean else None


def _stretched(share: WeightedShare, lower: float, upper: float) -> WeightedShare:
    """The share at the upper end of a range as the mean of the numbers in it."""
    if share.estimate is None:
        return UNKNOWN
    width, error = upper - lower, share.standard_error
    return replace(
        share,
        estimate=lower + width * share.estimate,
        standard_error=error and width * error,
        interval=ends_of(lower + width * np.array(share.interval, dtype=float)),
    )
