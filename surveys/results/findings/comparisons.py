"""Sentences on what differs: between the groups of a table, and by the predictors of a model."""

import math
from dataclasses import dataclass

from django.utils.translation import gettext as _

from surveys import numbers


@dataclass(frozen=True, slots=True)
class Between:
    """The share of an answer in two groups, and by how much it is larger in the first."""

    label: str
    first: str
    second: str
    first_share: float
    second_share: float
    interval: tuple[float, float]


def differing_sentences(between: Between | None, p: float | None) -> list[str]:
    """Return what differs between the groups of a table, and by how much."""
    if p is None:
        return [_("Too few answers to compare the groups.")]
    told = numbers.p_value(p)
    if between is None:
        return [_("The two answers go together (%(p)s).") % {"p": told}]
    low, high = map(_hundredth, between.interval)
    more, fewer = _hundredth(between.first_share), _hundredth(between.second_share)
    values = {
        "label": between.label,
        "first": between.first,
        "second": between.second,
        "more": numbers.count(more),
        "fewer": numbers.count(fewer),
        # Of the numbers that were said, so that whoever subtracts them finds the same.
        "points": numbers.count(min(max(more - fewer, low), high)),
        "low": numbers.count(low),
        "high": numbers.count(high),
        "p": told,
    }
    return [
        _("“%(label)s”: about %(more)s of 100 in “%(first)s” and about %(fewer)s in “%(second)s”.")
        % values,
        _(
            "That is %(points)s points more; anything from %(low)s to %(high)s fits the data "
            "(the groups differ, %(p)s)."
        )
        % values,
    ]


def alike_sentences(widest: float | None, p: float) -> list[str]:
    """Return that no difference could be shown; `widest`: the largest that fits the data."""
    values = {"p": numbers.p_value(p)}
    if widest is None:
        return [_("No difference between the groups could be shown (%(p)s).") % values]
    text = _(
        "No difference between the groups could be shown (%(p)s); differences of up to %(points)s "
        "points fit the data."
    )
    return [text % (values | {"points": _up_to(widest)})]


def _hundredth(share: float) -> int:
    """A share, or a difference of two, as one of 100 people, within what can be."""
    return round(100 * min(max(share, 0.0), 1.0))


def _up_to(widest: float) -> str:
    return numbers.count(math.ceil(100 * min(widest, 1.0)))


Group = tuple[str, numbers.Estimated]


def weighted_groups_sentence(label: str, first: Group, second: Group, p: float) -> str:
    """Return the share of an answer in two groups after weighting, each with its interval."""
    values = {"label": label, "p": numbers.p_value(p)}
    for place, (name, share) in (("first", first), ("second", second)):
        values[place] = name
        values[f"{place}_share"] = numbers.count(_hundredth(share.estimate or 0.0))
        values[f"{place}_ends"] = _ends(share.interval)
    text = _(
        "After weighting, “%(label)s”: %(first_share)s of 100 in “%(first)s” (%(first_ends)s), "
        "%(second_share)s in “%(second)s” (%(second_ends)s); %(p)s."
    )
    return text % values


def _ends(interval: numbers.Interval) -> str:
    low, high = (None if end is None else _hundredth(end) / 100 for end in interval)
    return numbers.percent_span((low, high), 0)


# --- models -------------------------------------------------------------------------------------


def effect_sentence(
    category: str,
    levels: tuple[str, str] | None,
    effect: float,
    interval: tuple[float, float],
) -> str:
    """Return by how many points an outcome is likelier at the first of two levels of a predictor.

    `levels`: None of a number or a score, whose effect is that of a point more.
    """
    low, high = interval if effect >= 0 else (-interval[1], -interval[0])
    values = {
        "category": category,
        "points": numbers.count(_hundredth(abs(effect))),
        "low": numbers.count(_hundredth(low)),
        "high": numbers.count(_hundredth(high)),
    }
    if levels is None:
        text = _likelier_by_point() if effect >= 0 else _less_likely_by_point()
        return text % values
    values |= {"level": levels[0], "against": levels[1]}
    if effect >= 0:
        text = _(
            "With “%(level)s” instead of “%(against)s”, “%(category)s” is %(points)s points more "
            "likely, all else equal; %(low)s to %(high)s fit the data."
        )
    else:
        text = _(
            "With “%(level)s” instead of “%(against)s”, “%(category)s” is %(points)s points less "
            "likely, all else equal; %(low)s to %(high)s fit the data."
        )
    return text % values


def _likelier_by_point() -> str:
    return _(
        "With each point more “%(category)s” is %(points)s points more likely, all else equal; "
        "%(low)s to %(high)s fit the data."
    )


def _less_likely_by_point() -> str:
    return _(
        "With each point more “%(category)s” is %(points)s points less likely, all else equal; "
        "%(low)s to %(high)s fit the data."
    )


def no_effect_sentence(widest: float | None) -> str:
    """Return that no predictor makes a difference that could be shown."""
    if widest is None:
        return _("Too few answers to say what goes with the outcome.")
    text = _(
        "No predictor makes a difference that could be shown; differences of up to %(points)s "
        "points fit the data."
    )
    return text % {"points": _up_to(widest)}
