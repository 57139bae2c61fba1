"""The way from an analysis and its people to a fitted model."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

import rr_engine
from surveys.engine_words import EngineError
from surveys.parameters import Analysis, Predictor
from surveys.results.regression.disclosure import check_combinations
from surveys.results.regression.frame import Frame
from surveys.results.regression.refusals import AnalysisRefused, refused_by_engine
from surveys.results.regression.terms import (
    LEFT_OUT,
    SCORES,
    DirectAnswers,
    Term,
    direct_answers,
    scores_of,
)
from surveys.results.tables.recoding import labels_of
from surveys.results_document.document import Recoding

SampleOf = Callable[[Frame], rr_engine.sampling.CalibratedSample]
# The links that there are for an outcome with randomized predictors.
LINKS_WITH_RANDOMIZED = ("logit", "probit")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Outcome:
    """`labels`: what the model tells apart; of an event the rest and the event."""

    reports: rr_engine.models.ReportLikelihoods
    labels: tuple[str, ...]
    groups: Recoding
    direct: DirectAnswers | None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FittedAnalysis:
    """A fitted model with what its coefficients are about.

    `levels`: of each predictor the labels of its levels, the first of them the reference; empty for
    one that counts as a number. `recoded`: the labels that were put together, by question.
    `groups`: the answers that make up each category; `direct`: those to direct predictors.
    """

    fit: rr_engine.models.RegressionFit
    analysis: Analysis
    frame: Frame
    terms: tuple[Term, ...]
    categories: tuple[str, ...]
    levels: Mapping[str, tuple[str, ...]]
    recoded: Mapping[str, tuple[str, ...]]
    groups: Recoding
    direct: Mapping[str, DirectAnswers]
    columns: npt.NDArray[np.float64]
    sample: rr_engine.sampling.CalibratedSample | None

    @property
    def has_randomized(self) -> bool:
        """Whether some predictor is randomized, so that nobody's true answer to it is known."""
        questions = [self.frame.column(each.question) for each in self.analysis.predictors]
        return not all(column.direct for column in questions)


def fit_analysis(
    analysis: Analysis,
    frame: Frame,
    recodings: Mapping[str, Recoding],
    threshold: int,
    sample_of: SampleOf | None = None,
) -> FittedAnalysis:
    """Fit a model to the people of a frame who have a report to its outcome.

    `recodings`: of all direct questions of the release. `sample_of`: makes the weights of a frame;
    None for an analysis without.

    Raises AnalysisRefused.
    """
    people = frame.with_report(analysis.outcome)
    if people.n < threshold:
        raise AnalysisRefused("too_few_people", [analysis.outcome])
    for predictor in analysis.predictors:
        if people.column(predictor.question).direct and predictor.question not in recodings:
            raise AnalysisRefused("too_few_people", [predictor.question])
    direct = {
        predictor.question: direct_answers(people, column.question, recodings[predictor.question])
        for predictor in analysis.predictors
        if (column := people.column(predictor.question)).direct
    }
    for name, answers in direct.items():
        if len(answers.labels) < 2:
            raise AnalysisRefused("one_category", [name])
    outcome = _outcome(analysis, people, recodings)
    known = [*direct.values(), *([outcome.direct] if outcome.direct else [])]
    if known:
        check_combinations(known, people.people, threshold)
    sample = sample_of(people) if sample_of else None
    try:
        return _fitted(analysis, people, direct, outcome, sample)
    except EngineError as error:
        names = [predictor.question for predictor in analysis.predictors]
        raise refused_by_engine(error, analysis.outcome, names) from error


def _outcome(analysis: Analysis, people: Frame, recodings: Mapping[str, Recoding]) -> Outcome:
    column = people.column(analysis.outcome)
    question = column.question
    if analysis.event:
        rest = [code for code in range(len(question.categories)) if code not in analysis.event]
        groups: Recoding = [rest, list(analysis.event)]
        if column.direct:
            _check_event(analysis, recodings[question.id])
    elif column.direct:
        groups = recodings[question.id]
        observed = people.reports(question.id)
        groups = [answers for answers in groups if np.isin(observed, answers).any()]
        if len(groups) < 2:
            raise AnalysisRefused("one_outcome", [question.id])
    else:
        groups = [[code] for code in range(len(question.categories))]
    labels = tuple(labels_of(groups, question.categories))
    # All of its answers count in disclosure control, also where the model tells two of them apart:
    # two events differ by an answer.
    direct = direct_answers(people, question, recodings[question.id]) if column.direct else None
    reports = _grouped(people, analysis.outcome, groups)
    return Outcome(reports=reports, labels=labels, groups=groups, direct=direct)


def _check_event(analysis: Analysis, recoding: Recoding) -> None:
    """Refuse an event that divides answers of a direct question that count together."""
    event = set(analysis.event)
    if any(event & set(answers) and not event >= set(answers) for answers in recoding):
        raise AnalysisRefused("event_divides", [analysis.outcome])


def _grouped(people: Frame, name: str, groups: Recoding) -> rr_engine.models.ReportLikelihoods:
    """The reports as reports about groups of answers; refused where the device allows none."""
    column = people.column(name)
    if groups == [[code] for code in range(len(column.question.categories))]:
        return people.likelihoods(name)
    rows = people.rows[:, people.place(name)]
    channels: list[rr_engine.channels.Channel] = []
    codes = rows[:, 1].copy()
    for device, channel in enumerate(column.channels):
        own = rows[:, 0] == device
        if column.direct:
            channels.append(rr_engine.designs.direct(len(groups)))
            new = _numbers(groups, len(column.question.categories))
        else:
            design, new = _coarsened(channel, groups)
            channels.append(design)
        codes[own] = new[rows[own, 1]]
    return rr_engine.models.ReportLikelihoods(channels, people.each(codes), people.each(rows[:, 0]))


def _coarsened(
    channel: rr_engine.channels.Channel, groups: Recoding
) -> tuple[rr_engine.channels.Channel, npt.NDArray[np.int64]]:
    """The device for groups of answers, and the number of each report's group.

    Reports that stand for answers are grouped as these are; a device whose answers of one group
    have different reports cannot be.
    """
    if channel.truth_size != channel.tally_size:
        raise AnalysisRefused("reports_do_not_group")
    design = rr_engine.DesignMatrix(channel.matrix).coarsened(groups, groups)
    return design, _numbers(groups, channel.tally_size)


def _numbers(groups: Recoding, size: int) -> npt.NDArray[np.int64]:
    numbers = np.zeros(size, dtype=np.int64)
    for number, answers in enumerate(groups):
        numbers[answers] = number
    return numbers


def _fitted(
    analysis: Analysis,
    people: Frame,
    direct: Mapping[str, DirectAnswers],
    outcome: Outcome,
    sample: rr_engine.sampling.CalibratedSample | None,
) -> FittedAnalysis:
    known, terms = _known_columns(analysis.predictors, people, direct)
    randomized = [each for each in analysis.predictors if each.question not in direct]
    columns = people.each(known)
    names = [term.name for term in terms]
    if randomized:
        fit = _fit_randomized(analysis, people, outcome, columns, names, randomized, sample)
    else:
        model = rr_engine.RRLogit(outcome.reports.designs, analysis.link)
        reports = outcome.reports
        fit = model.fit(
            columns,
            reports.row_of - reports.starts[reports.device_of],
            which=reports.device_of,
            names=names,
            sample=sample,
        )
    labels = {name: people.column(name).question.categories for name in analysis.questions}
    levels = {name: answers.labels for name, answers in direct.items()}
    levels |= {each.question: labels[each.question] for each in randomized if not each.scored}
    return FittedAnalysis(
        fit=fit,
        analysis=analysis,
        frame=people,
        terms=(*terms, *_randomized_terms(people, randomized)),
        categories=outcome.labels,
        levels={
            predictor.question: () if predictor.scored else levels[predictor.question]
            for predictor in analysis.predictors
        },
        recoded=_recoded(direct, outcome),
        groups=outcome.groups,
        direct=direct,
        columns=known,
        sample=sample,
    )


def _known_columns(
    predictors: Sequence[Predictor], people: Frame, direct: Mapping[str, DirectAnswers]
) -> tuple[npt.NDArray[np.float64], list[Term]]:
    """The columns of the direct predictors, one row a pattern, and their terms."""
    blocks, terms = [np.empty((len(people.people), 0))], []
    for predictor in predictors:
        if predictor.question in direct:
            block, own = direct[predictor.question].columns(scored=predictor.scored)
            blocks.append(block)
            terms += own
    return np.hstack(blocks), terms


def _fit_randomized(
    analysis: Analysis,
    people: Frame,
    outcome: Outcome,
    columns: npt.NDArray[np.float64],
    names: Sequence[str],
    randomized: Sequence[Predictor],
    sample: rr_engine.sampling.CalibratedSample | None,
) -> rr_engine.models.RegressionFit:
    """The model with randomized predictors, of which nobody's true answer is known."""
    questions = [each.question for each in randomized]
    if analysis.link not in LINKS_WITH_RANDOMIZED or len(outcome.labels) > 2:
        raise AnalysisRefused("link_needs_known_predictors", questions)
    scores = [
        scores_of(people.column(each.question).question) if each.scored else None
        for each in randomized
    ]
    return rr_engine.RRRegression(analysis.link).fit(
        outcome.reports,
        columns,
        [people.likelihoods(name) for name in questions],
        scores=scores,
        names=names,
        predictor_names=questions,
        sample=sample,
    )


def _randomized_terms(people: Frame, randomized: Sequence[Predictor]) -> list[Term]:
    terms = []
    for predictor in randomized:
        labels = people.column(predictor.question).question.categories
        own = [SCORES] if predictor.scored else list(labels[1:])
        terms += [Term(predictor.question, label) for label in own]
    return terms


def _recoded(direct: Mapping[str, DirectAnswers], outcome: Outcome) -> dict[str, tuple[str, ...]]:
    """The labels that are several answers together, by question."""
    answers = [*direct.values(), *([outcome.direct] if outcome.direct else [])]
    merged = {
        each.question.id: tuple(
            label
            for label in each.labels
            if label != LEFT_OUT and label not in each.question.categories
        )
        for each in answers
    }
    return {name: labels for name, labels in merged.items() if labels}
