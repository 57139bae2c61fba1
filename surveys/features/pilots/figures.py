"""How many people answer each pair of a pilot, and which dependence their reports can show."""

from collections.abc import Sequence
from itertools import combinations
from statistics import NormalDist

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.devices.joint import joint_channel, joint_family, joint_sizes, may_be_joint
from surveys.drafts import AskedQuestion, Draft
from surveys.engine_words import EngineError
from surveys.kinds import KINDS, kind_of
from surveys.parameters import Joint
from surveys.parameters.exact import table_of

# One test in twenty finds dependence where there is none.
LEVEL = 0.95


def pilot_words(questions: Sequence[AskedQuestion | Draft], planned_n: int) -> str:
    """Return what the planned number of people means for a pilot.

    The text is empty without two finished questions.
    """
    pairs = list(combinations(filter(_is_finished, map(Draft.of, questions)), 2))
    if not pairs:
        return ""
    values = {
        "pairs": numbers.count(len(pairs)),
        "people": numbers.count(round(planned_n / len(pairs))),
        "n": numbers.count(planned_n),
    }
    text = _("Chance picks one of %(pairs)s pairs for each person: about %(people)s of %(n)s each.")
    alone = _(
        "The figures beside each question are those of a survey that asks everybody this question "
        "on its own."
    )
    dependence = _dependence_words(pairs, planned_n / len(pairs))
    return " ".join(filter(None, [text % values, dependence, alone]))


def _dependence_words(pairs: Sequence[tuple[Draft, Draft]], people: float) -> str:
    try:
        least = [noise_bound(pair, people) for pair in pairs]
    except EngineError:
        return ""
    if min(least) >= 1:
        return _(
            "So few cannot tell any dependence from noise: plan more people, or raise the epsilons."
        )
    low, high = (numbers.fixed_decimals(bound, 2) for bound in (min(least), max(least)))
    values = {"low": low, "high": high}
    if max(least) >= 1:
        text = _(
            "A dependence of two questions is told from noise if its Cramér's V is at least "
            "%(low)s in the best of the pairs, and not at all in others: plan more people, or "
            "raise the epsilons."
        )
        return text % values
    if low == high:
        text = _(
            "A dependence of two questions is told from noise if its Cramér's V is at least "
            "%(low)s."
        )
        return text % values
    text = _(
        "A dependence of two questions is told from noise if its Cramér's V is at least %(low)s in "
        "the best of the pairs and %(high)s in the worst."
    )
    return text % values


def noise_bound(pair: Sequence[Draft], people: float) -> float:
    """The Cramer's V that noise alone exceeds in one of twenty pilots; raises EngineError.

    The contrasts between two questions are kept by one factor: the chance of the real answers less
    twice that of one changed answer, plus that of two. Where all answers are equally common, the
    estimated phi-squared of independent questions, times the number of people and the square of the
    factor, is chi-square with (r - 1)(c - 1) degrees of freedom (docs/methods/clusters.md).
    """
    table = table_of(joint_channel(pair, joint_family(pair).form))
    if not isinstance(table, Joint):
        raise TypeError("the device of a pair is a joint one")
    neither, one, both = table.weights
    factor = (neither - 2 * one + both) / table.denominator
    rows, columns = (size - 1 for size in joint_sizes(pair))
    noise = _chi_square(rows * columns) / (people * factor**2)
    return float((noise / min(rows, columns)) ** 0.5)


def _chi_square(freedom: int) -> float:
    """The quantile at LEVEL, as Wilson and Hilferty (1931) approximate it."""
    spread = 2 / (9 * freedom)
    return float(freedom * (1 - spread + NormalDist().inv_cdf(LEVEL) * spread**0.5) ** 3)


def _is_finished(draft: Draft) -> bool:
    if not draft.randomized or not draft.epsilon or draft.kind not in KINDS:
        return False
    return may_be_joint(draft) and kind_of(draft).is_complete(draft)
