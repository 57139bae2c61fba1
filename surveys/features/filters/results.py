"""Shares among those whom a question is for: ratios of two estimates, from the same reports."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from django.utils.translation import gettext_lazy
from msgspec.structs import replace

import rr_engine
from surveys.features.filters.presentation import AskedView, asked_sentence, asked_view
from surveys.features.filters.results_section import KEY, OfAsked, ShareOfAsked
from surveys.features.parts import ResultsPart
from surveys.kinds import kind_of
from surveys.kinds.estimates import LEVELS, ends, share_of
from surveys.parameters import Parameters, Question
from surveys.results.launch_strata import Source, released_strata, strata_of
from surveys.results_document.parts import Share
from surveys.results_document.questions import QuestionResults

# In the file of estimates.
ASKED = "asked"


class FiltersInResults(ResultsPart):
    question_sections = {KEY: OfAsked | None}
    share_of = {ASKED: gettext_lazy("those whom the question is for")}

    def of_question(
        self,
        found: QuestionResults,
        question: Question,
        parameters: Parameters,
        sources: Sequence[Source],
    ) -> QuestionResults:
        if question.inapplicable is None or not found.categories:
            return found
        strata = released_strata(strata_of(question, *sources), parameters.release_threshold)
        (estimate,) = kind_of(question).question_estimates(question, strata, parameters.population)
        section = of_asked(estimate.unbiased, question.inapplicable, question.categories)
        return replace(found, **{KEY: section})

    def question_context(
        self,
        question: QuestionResults,
        others: Mapping[str, QuestionResults],
        parameters: Parameters,
    ) -> AskedView | None:
        found: OfAsked | None = question.section(KEY)
        return asked_view(found) if found else None

    def shares(self, question: QuestionResults) -> Iterator[tuple[str, str, Share]]:
        found: OfAsked | None = question.section(KEY)
        for row in found.categories if found else ():
            yield ASKED, row.label, row

    def sentences(self, question: QuestionResults, frozen: Question) -> list[str]:
        found: OfAsked | None = question.section(KEY)
        return [asked_sentence(found, frozen)] if found else []


def of_asked(estimate: rr_engine.Estimate, outside: int, labels: Sequence[str]) -> OfAsked:
    """Return the shares of the answers among those who are not `outside`."""
    shares = rr_engine.association.subgroup_shares(estimate, outside)
    wide, narrow = (shares.interval(level) for level in LEVELS)
    values, errors = shares.values, shares.standard_errors
    if not shares.estimable(LEVELS[0]):
        # Any share of a group that may be empty fits the reports, and none is the estimate.
        values, errors = np.full(values.shape, np.nan), np.full(errors.shape, np.inf)
        narrow = wide
    answers = [label for place, label in enumerate(labels) if place != outside]
    low, high = estimate.interval(LEVELS[0], method="default")[outside]
    error = float(np.sqrt(max(estimate.covariance[outside, outside], 0.0)))
    rows = zip(answers, values, errors, wide, narrow, strict=True)
    return OfAsked(
        asked=Share(**share_of(shares.share, error, (1 - high, 1 - low))),
        categories=tuple(
            ShareOfAsked(label=label, **share_of(*found), interval_50=ends(inner))
            for label, *found, inner in rows
        ),
    )
