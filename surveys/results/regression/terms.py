"""The columns of a model: indicators of a predictor's levels but the first, or its scores."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rr_engine.regression.report_likelihoods import NO_REPORT
from surveys.kinds import KINDS
from surveys.kinds.number_estimates import bins_of
from surveys.parameters import Question
from surveys.results.regression.frame import Frame
from surveys.results.tables.recoding import labels_of
from surveys.results_document.document import Recoding

# The label of a column that counts scores, and of the level of those who left the question out.
SCORES, LEFT_OUT = "scores", "left_out"


@dataclass(frozen=True, slots=True)
class Term:
    """One column: `label` is that of its level, SCORES, or LEFT_OUT."""

    question: str
    label: str

    @property
    def name(self) -> str:
        """The name of its coefficient."""
        return self.question if self.label == SCORES else f"{self.question}[{self.label}]"


@dataclass(frozen=True, slots=True, eq=False)
class DirectAnswers:
    """The recoded answers to a direct question, by pattern: the number of a level.

    The last level is that of people who left the question out, if there are any.
    """

    question: Question
    labels: tuple[str, ...]
    levels: npt.NDArray[np.int64]
    # The answers that each level puts together.
    groups: Recoding
    # The score of each answer after recoding; None where the answers have no order.
    scores: tuple[float, ...] | None

    @property
    def left_out(self) -> bool:
        return self.labels[-1] == LEFT_OUT

    def columns(self, *, scored: bool) -> tuple[npt.NDArray[np.float64], list[Term]]:
        """The columns of the model, shape (patterns, columns), and their terms."""
        name, answered = self.question.id, len(self.labels) - self.left_out
        indicators = np.eye(len(self.labels))[self.levels]
        if not scored or self.scores is None:
            terms = [Term(name, label) for label in self.labels[1:]]
            return indicators[:, 1:], terms
        # The score of people who left it out is that of a mean answer, which their own column makes
        # any other.
        scores = np.array([*self.scores, np.mean(self.scores)])[self.levels]
        if not self.left_out:
            return scores[:, None], [Term(name, SCORES)]
        columns = np.column_stack([scores, indicators[:, answered]])
        return columns, [Term(name, SCORES), Term(name, LEFT_OUT)]


def direct_answers(frame: Frame, question: Question, recoding: Recoding) -> DirectAnswers:
    """The answers to a direct question, recoded; levels that nobody has are left out."""
    reports, people = frame.reports(question.id), frame.people
    level_of = np.full(len(question.categories) + 1, -1, dtype=np.int64)
    kept: Recoding = []
    for answers in recoding:
        if people[np.isin(reports, answers)].sum():
            level_of[answers] = len(kept)
            kept.append(answers)
    labels = labels_of(kept, question.categories)
    missing = reports == NO_REPORT
    levels = np.where(missing, len(kept), level_of[np.where(missing, 0, reports)])
    if missing.any():
        labels = (*labels, LEFT_OUT)
    scores = _merged_scores(question, kept, frame)
    return DirectAnswers(question, labels, levels, kept, scores)


def scores_of(question: Question) -> tuple[float, ...] | None:
    """Return the scores of all categories; None without, as what is no answer is."""
    return None if question.other_count else answer_scores(question)


def answer_scores(question: Question) -> tuple[float, ...] | None:
    """The numbers that the answers stand for, others left out; None where they stand for none.

    They are 0 and 1 of No and Yes, 1, 2, ... of a scale, the middles of bins.
    """
    kind = KINDS[question.kind]
    if question.scale is not None:
        return tuple(bins_of(question.scale).middles.tolist())
    if kind.opposites or kind.ordered:
        first = 0 if kind.opposites else 1
        return tuple(float(first + place) for place in range(question.answer_count))
    return None


def _merged_scores(
    question: Question, recoding: Sequence[Sequence[int]], frame: Frame
) -> tuple[float, ...] | None:
    """The mean score of each level: of several answers together by how many gave each."""
    scores = scores_of(question)
    if scores is None:
        return None
    reports = frame.reports(question.id)
    sizes = np.array([frame.people[reports == code].sum() for code in range(len(scores))])
    merged = []
    for answers in recoding:
        weights = sizes[list(answers)]
        merged.append(float(np.average(np.array(scores)[list(answers)], weights=weights)))
    return tuple(merged)
