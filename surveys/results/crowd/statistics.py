"""The statistics that can be asked of a crowd, and the fields of the page that each takes."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from math import prod
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

import rr_engine
from surveys.results.crowd.distribution import Crowd

# Field -> what was chosen for it; what was left open is missing.
Chosen = Mapping[str, str]
# Between a question and the number of an answer of it.
SEPARATOR = ":"
WHERE = ("where1", "where2")
ANSWERS = ("answer1", "answer2", "answer3")
PREDICTORS = ("by1", "by2", "by3")
# Fields that hold no question.
NO_QUESTIONS = {"chance"}
CHANCES = ("0.05", "0.1", "0.25", "0.5", "0.75", "0.9", "0.95")
# Simulated surveys, and how many cells they may have in all for a request to take a second.
REPETITIONS, FEWEST = 199, 39
MOST_CELLS = 2**21
# How often a joint table is gone through to fit it to overlapping clusters.
ROUNDS = 8


@dataclass(frozen=True, slots=True)
class CrowdStatistic:
    """`fields`: in their order; of those of `optional` none need be chosen. `numbers`: how many
    questions of numbers it takes. `in_percent`: whether its values are shares.
    """

    label: Promise
    fields: tuple[str, ...]
    compute: Callable[..., rr_engine.crowd.ComputedStatistic]
    numbers: int = 0
    questions: int = 1
    in_percent: bool = False

    def is_possible(self, crowd: Crowd) -> bool:
        """Whether there are questions enough for it, of which two were measured together."""
        if crowd.distribution is None or len(crowd.numeric) < self.numbers:
            return False
        asked = crowd.numeric if self.numbers > 1 else crowd.questions
        names = [question.id for question in asked]
        together = any(crowd.together(*pair) for pair in combinations(names, 2))
        return together or max(self.questions, self.numbers) < 2


def _regression(
    crowd: rr_engine.crowd.PooledDistribution, chosen: Chosen, **how: Any
) -> rr_engine.crowd.ComputedStatistic:
    predictors = [chosen[name] for name in PREDICTORS if name in chosen]
    return crowd.regression(chosen["question"], predictors, **how)


STATISTICS = {
    "share": CrowdStatistic(
        _("Share of a combination of answers"),
        (*ANSWERS, *WHERE),
        lambda crowd, chosen, **how: crowd.share(condition_of(chosen, ANSWERS), **how),
        in_percent=True,
    ),
    "table": CrowdStatistic(
        _("Conditional table"),
        ("outcome", "given", *WHERE),
        lambda crowd, chosen, **how: crowd.conditional_table(
            chosen["outcome"], chosen["given"], **how
        ),
        questions=2,
        in_percent=True,
    ),
    "mean": CrowdStatistic(
        _("Mean"),
        ("question", *WHERE),
        lambda crowd, chosen, **how: crowd.mean(chosen["question"], **how),
        numbers=1,
    ),
    "variance": CrowdStatistic(
        _("Variance"),
        ("question", *WHERE),
        lambda crowd, chosen, **how: crowd.variance(chosen["question"], **how),
        numbers=1,
    ),
    "quantile": CrowdStatistic(
        _("Quantile"),
        ("question", "chance", *WHERE),
        lambda crowd, chosen, **how: crowd.quantile(
            chosen["question"], float(chosen["chance"]), **how
        ),
        numbers=1,
    ),
    "correlation": CrowdStatistic(
        _("Correlation"),
        ("question", "second", *WHERE),
        lambda crowd, chosen, **how: crowd.correlation(
            [chosen["question"], chosen["second"]], **how
        ),
        numbers=2,
    ),
    "regression": CrowdStatistic(
        _("Linear regression"), ("question", *PREDICTORS, *WHERE), _regression, numbers=2
    ),
}


def compute(crowd: Crowd, name: str, chosen: Chosen) -> rr_engine.crowd.ComputedStatistic:
    """The statistic of this name; the crowd must have a distribution, and the questions chosen."""
    if crowd.distribution is None:
        raise ValueError("there is no distribution to compute on")
    return STATISTICS[name].compute(
        crowd.distribution,
        chosen,
        where=condition_of(chosen, WHERE),
        repetitions=_repetitions(crowd.distribution, questions_of(chosen)),
        seed=crowd.seed,
    )


def condition_of(chosen: Chosen, fields: Iterable[str]) -> dict[str, list[int]]:
    """The condition that these fields name: several answers to one question are alternatives."""
    condition: dict[str, list[int]] = {}
    for name in fields:
        if name in chosen:
            question, index = chosen[name].rsplit(SEPARATOR, 1)
            condition.setdefault(question, []).append(int(index))
    return condition


def questions_of(chosen: Chosen) -> set[str]:
    """The questions that a statistic relates."""
    return {
        value.rsplit(SEPARATOR, 1)[0] for name, value in chosen.items() if name not in NO_QUESTIONS
    }


def _repetitions(distribution: rr_engine.crowd.PooledDistribution, names: set[str]) -> int:
    """Fewer simulated surveys where tables are large: an odd number, as for all of them.

    Of a cluster alone, and of pairs, only the attributes that are asked about are simulated.
    """
    cells, tables = 0, []
    for part in distribution.components:
        asked = [each.size for each in part.attributes if each.name in names]
        tables += asked
        if asked and len(part.clusters) > 1:
            cells += part.cells * len(part.clusters) * ROUNDS
    pairs = len(tables) * (len(tables) - 1) // 2
    cells += prod(tables) * (pairs * ROUNDS if pairs > 1 else 1)
    return max(FEWEST, min(REPETITIONS, MOST_CELLS // max(cells, 1) | 1))
