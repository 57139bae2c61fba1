"""The declared analyses and the margins of a document, and what must hold of them.

static/js/features/analyses/rules.js is the twin; docs/protocol.md, section 14, has them in words.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Annotated, Final

import msgspec

from surveys.features.parts import DocumentPart
from surveys.parameters.analyses import MOST_ANALYSES, Analysis, has_scores, is_listed
from surveys.parameters.document import Parameters, Question
from surveys.parameters.joint import joint_of_all
from surveys.parameters.types import Problem
from surveys.parameters.weighting import Margin, Weighting

NAME: Final = "analyses"
# The key of the margins.
WEIGHTING: Final = "weighting"
LISTED_RULE = "a question of one answer out of a list"


class AnalysesInDocument(DocumentPart):
    sections = {
        NAME: Annotated[tuple[Analysis, ...], msgspec.Meta(max_length=MOST_ANALYSES)],
        WEIGHTING: Weighting | None,
    }

    def analyses(self, parameters: Parameters) -> Sequence[Analysis]:
        declared: Sequence[Analysis] = parameters.section(NAME)
        return declared

    def weighting(self, parameters: Parameters) -> Weighting | None:
        margins: Weighting | None = parameters.section(WEIGHTING)
        return margins

    def problems(self, parameters: Parameters) -> Iterator[Problem]:
        """Yield what is wrong with the analyses of a document, and with its margins."""
        analyses, weighting = self.analyses(parameters), self.weighting(parameters)
        if analyses:
            yield from _of_linkage(parameters, NAME)
        if weighting is not None:
            yield from _of_linkage(parameters, WEIGHTING)
        for name, count in Counter(analysis.name for analysis in analyses).items():
            if count > 1:
                yield "duplicate", "analyses", f"{name!r} may be there once only"
        questions = {question.id: question for question in parameters.questions}
        for index, analysis in enumerate(analyses):
            yield from problems_of_analysis(analysis, questions, f"analyses.{index}")
            yield from _of_joint(analysis, parameters, f"analyses.{index}")
            if analysis.weighted and weighting is None:
                rule = "only where there are margins to weight to"
                yield "bad_analysis", f"analyses.{index}.weighted", rule
        if weighting is not None:
            yield from problems_of_weighting(weighting, questions)


def _of_linkage(parameters: Parameters, field: str) -> Iterator[Problem]:
    if parameters.linkage != "together":
        yield "not_together", field, "all answers of a person are needed together"


def problems_of_analysis(
    analysis: Analysis, questions: Mapping[str, Question], field: str
) -> Iterator[Problem]:
    """Yield what is wrong with an analysis of these questions, by their ids."""
    outcome = questions.get(analysis.outcome)
    if outcome is None or not is_listed(outcome):
        yield "bad_analysis", f"{field}.outcome", LISTED_RULE
    else:
        yield from _of_event(analysis, len(outcome.categories), field)
    for index, predictor in enumerate(analysis.predictors):
        part = f"{field}.predictors.{index}"
        question = questions.get(predictor.question)
        if question is None or not is_listed(question):
            yield "bad_analysis", f"{part}.question", LISTED_RULE
        elif predictor.question in analysis.questions[: index + 1]:
            yield "bad_analysis", f"{part}.question", "each once, and not the outcome"
        elif predictor.scored and not has_scores(question):
            rule = "answers that have an order, and nothing else among them"
            yield "bad_analysis", f"{part}.scored", rule


def _of_event(analysis: Analysis, categories: int, field: str) -> Iterator[Problem]:
    codes = analysis.event
    if not codes and categories < 3:
        yield "bad_analysis", f"{field}.event", "all answers apart only where there are three"
    elif not codes and analysis.link != "logit":
        yield "bad_analysis", f"{field}.link", "logit, where all answers are told apart"
    elif any(second <= first for first, second in pairwise(codes)):
        yield "bad_analysis", f"{field}.event", "the numbers of answers, rising"
    elif codes and (codes[-1] >= categories or len(codes) == categories):
        yield "bad_analysis", f"{field}.event", "some of the answers, and not all"


def _of_joint(analysis: Analysis, parameters: Parameters, field: str) -> Iterator[Problem]:
    """Joint reports come from one draw, so they do not scramble its answers apart."""
    for device in joint_of_all(parameters):
        if len(set(device.questions) & set(analysis.questions)) > 1:
            rule = "at most one question of those that are sent together"
            yield "bad_analysis", f"{field}.predictors", rule


def problems_of_weighting(
    weighting: Weighting, questions: Mapping[str, Question]
) -> Iterator[Problem]:
    """Yield what is wrong with the margins of these questions, by their ids."""
    names = [margin.question for margin in weighting.margins]
    for index, margin in enumerate(weighting.margins):
        field = f"weighting.margins.{index}"
        question = questions.get(margin.question)
        if question is None or question.randomized or not is_listed(question):
            rule = f"{LISTED_RULE} that is sent as it is"
            yield "bad_weighting", f"{field}.question", rule
        elif margin.question in names[:index]:
            yield "bad_weighting", f"{field}.question", "each once"
        else:
            yield from problems_of_margin(margin, len(question.categories), f"{field}.shares")


def problems_of_margin(margin: Margin, categories: int, field: str) -> Iterator[Problem]:
    """Yield what is wrong with the shares of a question with so many categories."""
    shares = [Decimal(share) for share in margin.shares]
    if len(shares) != categories:
        yield "wrong_length", field, "one for each category"
    elif sum(shares) != 1:
        yield "wrong_sum", field, "they sum to 1"
    elif sum(share > 0 for share in shares) < 2:
        yield "bad_weighting", field, "at least two above 0"
