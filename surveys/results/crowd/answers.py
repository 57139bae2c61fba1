"""The answers of a question as a crowd has them: rare ones of direct questions put together.

They are the ones that tables and analyses put together, so that the numbers of a release
cannot be subtracted from each other. Without answers that are kept together there is nothing to
put together.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

import rr_engine
from surveys.kinds.number_estimates import bins_of
from surveys.parameters import Device, Question
from surveys.parameters.exact import channel_of
from surveys.results.regression.terms import answer_scores
from surveys.results.tables.recoding import is_recoded, labels_of


@dataclass(frozen=True, slots=True)
class Answers:
    """`together`: the answers, each with those that it combines. `people`: how many have given
    each answer, where they are known.
    """

    question: Question
    together: tuple[tuple[int, ...], ...]
    people: tuple[int, ...] = ()

    @property
    def direct(self) -> bool:
        return not self.question.randomized

    @property
    def recoded(self) -> bool:
        return any(len(each) > 1 for each in self.together)

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(labels_of([list(each) for each in self.together], self.question.categories))

    @property
    def scores(self) -> tuple[float | None, ...] | None:
        """The numbers that they stand for; of those put together the mean, which keeps all means.

        None where they stand for none: also where some of them do and others do not.
        """
        scores = scores_of(self.question)
        if scores is None or not self.recoded:
            return scores
        found = [self._mean(each, scores) for each in self.together]
        return tuple(found) if len({each for each in found if each is not None}) > 1 else None

    def _mean(self, answers: Sequence[int], scores: Sequence[float | None]) -> float | None:
        numbers = [scores[answer] for answer in answers]
        known = [number for number in numbers if number is not None]
        if len(known) < len(numbers):
            return None
        weights = [max(self.people[answer], 1e-9) for answer in answers]
        return float(np.average(known, weights=weights))

    def attribute(self) -> rr_engine.crowd.CrowdAttribute:
        scale = self.question.scale
        bins = tuple(bins_of(scale).boundaries.tolist()) if scale and not self.recoded else None
        return rr_engine.crowd.CrowdAttribute(self.question.id, self.labels, self.scores, bins)

    def channel(self, device: Device) -> rr_engine.channels.Channel:
        """The channel of a device, as if it had been asked with these answers."""
        if self.recoded:
            return rr_engine.designs.direct(self.labels)
        return channel_of(device, self.question)

    def put_together(self, counts: npt.NDArray[np.int64], axis: int = 0) -> npt.NDArray[np.int64]:
        """Counts of reports by answer."""
        if not self.recoded:
            return counts
        pieces = [counts.take(each, axis=axis).sum(axis=axis) for each in self.together]
        return np.stack(pieces, axis=axis)


def answers_of(
    question: Question, recoding: Sequence[Sequence[int]], people: Sequence[int]
) -> Answers:
    """The answers of a question, of which a release combines some.

    Answers that nobody gave stay. If all would be one, they stay apart: nothing can then be related
    to them, and each is counted by itself in the results.
    """
    every = range(len(question.categories))
    seen = {answer for answers in recoding for answer in answers}
    together = sorted([*map(tuple, recoding), *((each,) for each in every if each not in seen)])
    several = is_recoded([list(each) for each in recoding]) and len(together) > 1
    if question.randomized or not several:
        together = [(each,) for each in every]
    return Answers(question, tuple(together), tuple(people))


def scores_of(question: Question) -> tuple[float | None, ...] | None:
    """The numbers that the categories stand for, what is no answer for none; None without any."""
    scores = answer_scores(question)
    return scores and (*scores, *(None,) * question.other_count)
