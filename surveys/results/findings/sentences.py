"""Findings as sentences that can be quoted, in natural frequencies: true by themselves, with their
uncertainty, and no more precise than the interval.

Each is at most 20 words long but for the words of the author.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.results_document.parts import Interval

# Crowds that a share is said of, the smallest that shows its interval first.
CROWDS = (100, 1_000, 10_000, 100_000, 1_000_000)
# An interval has at least this many people of the crowd between its ends.
LEAST_WIDTH = 2
# An end as near to nobody, or to everybody, as this part of the interval's width has no crowd of
# its own: "8,325 of 100,000, anything from 2 to 16,862" is "8 of 100, anything from fewer than 1".
NEGLIGIBLE = 0.05
# The most decimals of a mean.
MOST_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Frequency:
    """A share and the ends of its interval as numbers of people out of a crowd.

    `somebody`, `not_all`: whether the ends leave out nobody and everybody.
    """

    crowd: int
    about: int
    least: int
    most: int
    somebody: bool
    not_all: bool

    @property
    def words(self) -> dict[str, str]:
        counts = ("crowd", "about", "least", "most")
        words = {name: numbers.count(getattr(self, name)) for name in counts}
        if self.somebody and self.least == 0:
            words["least"] = _("fewer than 1")
        if self.not_all and self.most == self.crowd:
            words["most"] = _("more than %s") % numbers.count(self.crowd - 1)
        return words


def frequency(estimate: float, interval: tuple[float, float]) -> Frequency:
    """Return them of the smallest crowd that tells the ends apart from each other and from nobody.

    The estimate is moved into its interval, where one that knows no bounds lies outside.
    """
    low, high = (min(max(end, 0.0), 1.0) for end in interval)
    inside = min(max(estimate, low), high)
    found = [
        Frequency(crowd, *(round(crowd * x) for x in (inside, low, high)), low > 0, high < 1)
        for crowd in CROWDS
    ]
    return next((each for each in found if _is_told(each, low, high)), found[-1])


def _is_told(found: Frequency, low: float, high: float) -> bool:
    # Whoever reads "at most" or "at least" has one end, and has it as a number.
    negligible = NEGLIGIBLE * (high - low) if low > 0 and high < 1 else 0.0
    hides_end = (low > negligible and found.least == 0) or (
        1 - high > negligible and found.most == found.crowd
    )
    hides_estimate = (low > 0 and found.about == 0) or (high < 1 and found.about == found.crowd)
    is_wide = low == high or found.crowd * (high - low) >= LEAST_WIDTH
    # "1 of 100" says less than "12 of 1,000", and is a singular in other languages.
    return is_wide and not hides_end and not hides_estimate and found.about != 1


def share_sentence(label: str, share: numbers.Estimated, *, several: bool, weighted: bool) -> str:
    """How many gave an answer; `several`: any number of answers could be ticked."""
    low, high = share.interval
    if low is None or high is None or numbers.tells_nothing(share):
        return _("Too few answers to say anything about “%(label)s”.") % {"label": label}
    if high < 0 or low > 1:
        return _("The reports do not fit the device: no share of “%(label)s” explains them.") % {
            "label": label
        }
    if share.estimate is None:
        return _bounds(label, (low, high))
    found = frequency(share.estimate, (low, high))
    values = found.words | {"label": label}
    if low <= 0:
        text = _at_most(several=several, weighted=weighted)
    elif high >= 1:
        text = _at_least(several=several, weighted=weighted)
    else:
        text = _about(several=several, weighted=weighted)
    return text % values


def _about(*, several: bool, weighted: bool) -> str:
    if several and weighted:
        return _(
            "After weighting, about %(about)s of %(crowd)s ticked “%(label)s”; anything from "
            "%(least)s to %(most)s fits the data."
        )
    if several:
        return _(
            "About %(about)s of %(crowd)s ticked “%(label)s”; anything from %(least)s to %(most)s "
            "fits the data."
        )
    if weighted:
        return _(
            "After weighting, about %(about)s of %(crowd)s answered “%(label)s”; anything from "
            "%(least)s to %(most)s fits the data."
        )
    return _(
        "About %(about)s of %(crowd)s answered “%(label)s”; anything from %(least)s to %(most)s "
        "fits the data."
    )


def _at_most(*, several: bool, weighted: bool) -> str:
    if several and weighted:
        return _(
            "After weighting, at most %(most)s of %(crowd)s ticked “%(label)s”; nobody at all fits "
            "the data, too."
        )
    if several:
        return _(
            "At most %(most)s of %(crowd)s ticked “%(label)s”; nobody at all fits the data, too."
        )
    if weighted:
        return _(
            "After weighting, at most %(most)s of %(crowd)s answered “%(label)s”; nobody at all "
            "fits the data, too."
        )
    return _(
        "At most %(most)s of %(crowd)s answered “%(label)s”; nobody at all fits the data, too."
    )


def _at_least(*, several: bool, weighted: bool) -> str:
    if several and weighted:
        return _(
            "After weighting, at least %(least)s of %(crowd)s ticked “%(label)s”; everybody fits "
            "the data, too."
        )
    if several:
        return _(
            "At least %(least)s of %(crowd)s ticked “%(label)s”; everybody fits the data, too."
        )
    if weighted:
        return _(
            "After weighting, at least %(least)s of %(crowd)s answered “%(label)s”; everybody fits "
            "the data, too."
        )
    return _("At least %(least)s of %(crowd)s answered “%(label)s”; everybody fits the data, too.")


def _bounds(label: str, interval: tuple[float, float]) -> str:
    found = frequency(sum(interval) / 2, interval)
    text = _(
        "Between %(least)s and %(most)s of %(crowd)s answered “%(label)s”; the data say no more."
    )
    return text % (found.words | {"label": label})


def fixed_sentence(label: str, share: float) -> str:
    """Return the sentence on a share that the declared margins fix."""
    text = _("%(share)s answered “%(label)s”, as the declared margin says.")
    return text % {"share": numbers.percent(share, 1), "label": label}


def counted_sentence(label: str, share: float) -> str:
    """Return the sentence on a share that was counted: of all whom it is about, asked directly."""
    text = _("%(share)s answered “%(label)s”: everybody whom this is about was asked directly.")
    return text % {"share": numbers.percent(share, 1), "label": label}


def mean_sentence(
    estimate: float | None,
    interval: Interval,
    error: float | None,
    possible: tuple[float, float],
    *,
    unit: str = "",
    score: bool = False,
    weighted: bool = False,
) -> str:
    """Return the sentence on the mean of a number in its unit, or of the scores of a scale."""
    low, high = interval
    reach = possible[1] - possible[0]
    if estimate is None or low is None or high is None or high - low >= reach:
        return _("Too few answers to say anything about the mean.")
    if high < possible[0] or low > possible[1]:
        return _("The reports do not fit the device: no possible mean explains them.")
    is_counted = low == high
    # One figure of the standard error: a sentence is rounder than a table.
    digits = 2 if is_counted else max(0, numbers.digits_of_error(error) - 1)
    inside = [min(max(value, possible[0]), possible[1]) for value in (estimate, low, high)]
    about, least, most = _told_apart(inside, digits)
    values = {
        "mean": f"{about} {unit}".strip(),
        "low": least,
        "high": f"{most} {unit}".strip(),
        "lowest": numbers.decimal(possible[0]),
        "highest": numbers.decimal(possible[1]),
    }
    words = (
        _counted_mean(score=score) if is_counted else _mean_words(score=score, weighted=weighted)
    )
    return words % values


def rank_sentence(
    label: str,
    estimate: float | None,
    interval: Interval,
    error: float | None,
    items: int,
) -> str:
    """Return the sentence on the item of a ranking with the best mean rank."""
    low, high = interval
    if estimate is None or low is None or high is None or high - low >= items - 1:
        return _("Too few answers to say anything about the order.")
    if high < 1 or low > items:
        return _("The reports do not fit the device: no possible order explains them.")
    digits = max(0, numbers.digits_of_error(error) - 1)
    inside = [min(max(value, 1.0), float(items)) for value in (estimate, low, high)]
    about, least, most = _told_apart(inside, digits)
    text = _(
        "“%(label)s” has the best estimated mean rank, about %(mean)s of %(items)s; anything from "
        "%(low)s to %(high)s fits the data."
    )
    values = {"mean": about, "low": least, "high": most, "items": numbers.count(items)}
    return text % {"label": label, **values}


def _told_apart(values: Sequence[float], digits: int) -> list[str]:
    """A mean and its ends with these decimals, or with as many more as tell the ends apart."""
    for more in range(digits, MOST_DIGITS):
        texts = [numbers.fixed_decimals(value, more) for value in values]
        if texts[1] != texts[2] or values[1] == values[2]:
            return texts
    return [numbers.fixed_decimals(value, MOST_DIGITS) for value in values]


def _counted_mean(*, score: bool) -> str:
    if score:
        return _(
            "The mean score is %(mean)s on the scale from %(lowest)s to %(highest)s: everybody "
            "whom this is about was asked directly."
        )
    return _("The mean is %(mean)s: everybody whom this is about was asked directly.")


def _mean_words(*, score: bool, weighted: bool) -> str:
    if score and weighted:
        return _(
            "After weighting, the mean score is about %(mean)s on the scale from %(lowest)s to "
            "%(highest)s; anything from %(low)s to %(high)s fits the data."
        )
    if score:
        return _(
            "The mean score is about %(mean)s on the scale from %(lowest)s to %(highest)s; "
            "anything from %(low)s to %(high)s fits the data."
        )
    if weighted:
        return _(
            "After weighting, the mean is about %(mean)s; anything from %(low)s to %(high)s fits "
            "the data."
        )
    return _("The mean is about %(mean)s; anything from %(low)s to %(high)s fits the data.")


def texts_sentence(found: Sequence[tuple[str, numbers.Estimated]], candidates: int) -> str:
    """Return the sentence on the text that was found most often; `found`: that one first."""
    if not candidates:
        return _("There is no list of texts to look for yet.")
    if not found:
        return _("No text of the list was found; rare ones cannot be told from chance.")
    (label, share) = found[0]
    low, high = share.interval
    if share.estimate is None or low is None or high is None:
        return _("Found most often: “%(label)s”.") % {"label": label}
    words = frequency(share.estimate, (low, high)).words | {"label": label}
    if low <= 0:
        text = _("Found most often: “%(label)s”, given by at most %(most)s of %(crowd)s.")
    elif high >= 1:
        text = _(
            "Found most often: “%(label)s”, given by at least %(least)s of %(crowd)s; everybody "
            "fits the data, too."
        )
    else:
        text = _(
            "Found most often: “%(label)s”, given by about %(about)s of %(crowd)s; anything from "
            "%(least)s to %(most)s fits the data."
        )
    return text % words


def network_sentence(density: numbers.Estimated | None) -> str:
    """Return the sentence on how many pairs are tied."""
    if density is None or density.estimate is None:
        return _("Too few members have answered to say anything about the ties.")
    low, high = density.interval
    if low is None or high is None or numbers.tells_nothing(density):
        return _("Too few members have answered to say anything about the ties.")
    found = frequency(density.estimate, (low, high))
    if low <= 0:
        text = _(
            "At most %(most)s of %(crowd)s pairs are tied; none at all fits the data, too. Which "
            "pairs, nobody knows."
        )
    elif high >= 1:
        text = _(
            "At least %(least)s of %(crowd)s pairs are tied; %(crowd)s of %(crowd)s fits the data, "
            "too. Which pairs, nobody knows."
        )
    else:
        text = _(
            "About %(about)s of %(crowd)s pairs are tied; anything from %(least)s to %(most)s fits "
            "the data. Which pairs, nobody knows."
        )
    return text % found.words


def crowd_sentence(share: numbers.Estimated) -> str:
    """Return the sentence on a share of the crowd, whose answers the title of the page names."""
    low, high = share.interval
    if low is None or high is None or share.estimate is None or numbers.tells_nothing(share):
        return _("Too few answers to say anything about this.")
    if high < 0 or low > 1:
        return _("The reports do not fit the device: no share explains them.")
    found = frequency(share.estimate, (low, high))
    if low <= 0:
        text = _("At most %(most)s of %(crowd)s; nobody at all fits the data, too.")
    elif high >= 1:
        text = _("At least %(least)s of %(crowd)s; everybody fits the data, too.")
    else:
        text = _("About %(about)s of %(crowd)s; anything from %(least)s to %(most)s fits the data.")
    return text % found.words
