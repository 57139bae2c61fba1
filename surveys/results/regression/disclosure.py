"""Disclosure control of analyses, by the rule of tables: no number about fewer people than the
release threshold.

Rare answers of direct questions are put together, alike in all tables and analyses of a release.
What is left is refused: a combination of direct answers that a few people share.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from surveys.results.regression.refusals import AnalysisRefused
from surveys.results.regression.terms import DirectAnswers


def check_combinations(
    answers: Sequence[DirectAnswers], people: npt.NDArray[np.int64], threshold: int
) -> None:
    """Refuse an analysis in which a few people alone have some combination of direct answers.

    `answers`: those of the predictors, and of the outcome if it is direct, by pattern.

    Raises AnalysisRefused.
    """
    if _is_small(answers, people, threshold):
        # The questions of which leaving out one would be enough; all where no single one is.
        enough = [
            each.question.id
            for each in answers
            if len(answers) > 1
            and not _is_small([other for other in answers if other is not each], people, threshold)
        ]
        names = enough or [each.question.id for each in answers]
        raise AnalysisRefused("small_cells", names)


def _is_small(
    answers: Sequence[DirectAnswers], people: npt.NDArray[np.int64], threshold: int
) -> bool:
    levels = np.column_stack([each.levels for each in answers])
    _, cells = np.unique(levels, axis=0, return_inverse=True)
    sizes = np.bincount(cells.ravel(), people)
    return bool((sizes < threshold).any())
