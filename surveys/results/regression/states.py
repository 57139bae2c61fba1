"""The question of an analysis and the state of its fit, in words for readers."""

from collections.abc import Sequence
from dataclasses import dataclass

from surveys import numbers
from surveys.models import AnalysisFit
from surveys.parameters import Analysis
from surveys.results.regression.refusals import refusal_text
from surveys.results.regression.words import link_words, outcome_words, predictor_words
from surveys.results.release import Release
from surveys.results_document.fits import read_fit


@dataclass(frozen=True, slots=True)
class AnalysisState:
    """`n`: the people of the fit, empty without one. `failed`: the last attempt broke down.
    `behind`: newer responses are released.
    """

    number: int
    name: str
    declared: bool
    outcome: str
    outcome_text: str
    model: str
    predictors: Sequence[str]
    weighted: bool
    waiting: bool
    failed: bool
    refusal: str
    n: str
    responses: str
    behind: bool


def analysis_state(fit: AnalysisFit, analysis: Analysis, release: Release) -> AnalysisState:
    outcome = release.parameters.question(analysis.outcome)
    content = read_fit(fit.content)
    # A fit that another version of the program has computed is computed anew.
    foreign = bool(fit.content) and not content and not fit.failed
    return AnalysisState(
        number=fit.number,
        name=analysis.name,
        declared=fit.is_declared,
        outcome=outcome_words(analysis, outcome.categories),
        outcome_text=outcome.text,
        model=link_words(analysis),
        predictors=predictor_words(analysis),
        weighted=analysis.weighted,
        waiting=fit.is_waiting or foreign,
        failed=bool(fit.failed),
        refusal=refusal_text(fit.refusal),
        n=numbers.count(content.n) if content else "",
        responses=numbers.count(fit.responses),
        behind=release.revision > fit.revision > 0,
    )
