"""Attributes of a crowd, and conditions on them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rr_engine import check
from rr_engine.arrays import FloatArray, as_list
from rr_engine.errors import ArgumentError, CategoryError

# For each attribute the categories that are meant.
Condition = Mapping[str, Sequence[int]]


@dataclass(frozen=True, slots=True)
class CrowdAttribute:
    """One question about everybody in the crowd.

    Parameters
    ----------
    name : str
    categories : sequence of str, or int
        Labels of its answers, or their number.
    scores : sequence of float or None, optional
        The number that each category stands for; None where it stands for none, such as "prefer
        not to say". Statistics of numbers are about those who have one. Left out: categories
        without numbers.
    boundaries : sequence of float, optional
        Where bins begin and end, of an attribute whose first categories are bins: one more than
        there are scores. Quantiles are then interpolated in the bins.

    Raises
    ------
    ArgumentError, CategoryError

    Examples
    --------
    >>> CrowdAttribute("age", ["18 to 39", "40 to 79", "no answer"], (29, 60, None)).values.tolist()
    [29.0, 60.0]
    """

    name: str
    categories: tuple[str, ...]
    scores: tuple[float | None, ...] | None = None
    boundaries: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        check_name(self.name, "name")
        labels = check.categories(self.categories)
        object.__setattr__(self, "categories", labels)
        object.__setattr__(self, "scores", _check_scores(self.scores, len(labels)))
        object.__setattr__(self, "boundaries", _check_boundaries(self))

    @property
    def size(self) -> int:
        """Number of categories."""
        return len(self.categories)

    @property
    def valued(self) -> tuple[int, ...]:
        """The categories that stand for a number."""
        scores = self.scores or ()
        return tuple(index for index, score in enumerate(scores) if score is not None)

    @property
    def values(self) -> FloatArray:
        """Their numbers."""
        return np.array([score for score in self.scores or () if score is not None])


def _check_scores(value: object, size: int) -> tuple[float | None, ...] | None:
    if value is None:
        return None
    entries = as_list(value)
    rule = f"be {size} finite numbers or None, of which two or more differ"
    if entries is None or len(entries) != size:
        raise ArgumentError("scores", value, rule, "scores_unusable")
    scores = tuple(
        None if entry is None else check.real(entry, "scores", rule) for entry in entries
    )
    numbers = {score for score in scores if score is not None}
    if len(numbers) < 2 or max(map(abs, numbers)) > 1e100:
        raise ArgumentError("scores", value, rule, "scores_unusable")
    return scores


def _check_boundaries(attribute: CrowdAttribute) -> tuple[float, ...] | None:
    if attribute.boundaries is None:
        return None
    count = len(attribute.valued)
    rule = f"be {count + 1} rising numbers, for categories of which the first are bins"
    boundaries = check.reals(attribute.boundaries, (count + 1,), "boundaries", rule)
    if attribute.valued != tuple(range(count)) or (np.diff(boundaries) <= 0).any():
        raise ArgumentError("boundaries", attribute.boundaries, rule, "not_a_partition")
    return tuple(boundaries.tolist())


def check_name(value: object, argument: str) -> str:
    """Return the name of an attribute."""
    if not isinstance(value, str) or not value:
        raise CategoryError(argument, value, "be a non-empty string", "empty_label")
    return value


def check_known(
    value: object, known: Mapping[str, CrowdAttribute], argument: str
) -> CrowdAttribute:
    """Return the attribute of this name."""
    if not isinstance(value, str) or value not in known:
        rule = f"be one of the attributes {', '.join(known)}"
        raise ArgumentError(argument, value, rule, "unknown_choice")
    return known[value]


def check_numeric(
    value: object, known: Mapping[str, CrowdAttribute], argument: str
) -> CrowdAttribute:
    """Return the attribute of this name, which has scores."""
    attribute = check_known(value, known, argument)
    if attribute.scores is None:
        raise ArgumentError(argument, value, "name an attribute with scores", "scores_unusable")
    return attribute


def check_condition(
    value: object, known: Mapping[str, CrowdAttribute], argument: str
) -> dict[str, tuple[int, ...]]:
    """Return a condition: categories of each of some attributes."""
    if not isinstance(value, Mapping):
        rule = "be a mapping from attributes to lists of their categories"
        raise ArgumentError(argument, value, rule, "not_a_condition")
    return {
        check_known(name, known, argument).name: _check_chosen(chosen, known[name], argument)
        for name, chosen in value.items()
    }


def _check_chosen(value: object, attribute: CrowdAttribute, argument: str) -> tuple[int, ...]:
    chosen = as_list(value)
    rule = f"name one or more of the categories 0 to {attribute.size - 1} of {attribute.name}"
    indices = set(range(attribute.size))
    if not chosen or not all(isinstance(index, int | np.integer) for index in chosen):
        raise ArgumentError(argument, value, rule, "not_a_condition")
    if not set(map(int, chosen)) <= indices:
        raise ArgumentError(argument, value, rule, "not_a_condition")
    return tuple(sorted(set(map(int, chosen))))


def mask_of(chosen: Sequence[int], size: int) -> FloatArray:
    """Return ones at the chosen categories, zeros elsewhere."""
    mask = np.zeros(size)
    mask[list(chosen)] = 1.0
    return mask
