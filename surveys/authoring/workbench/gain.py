"""Whether a search found anything better than the device that the question has."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from surveys.authoring.limits import can_be_searched
from surveys.authoring.planning.figures import weighting_prior
from surveys.authoring.planning.mechanism_accuracy import accuracy
from surveys.authoring.workbench.points import SearchRequest, is_feasible
from surveys.devices import draft_channel
from surveys.devices.registry import TIE
from surveys.drafts import AskedQuestion, Draft
from surveys.engine_words import EngineError
from surveys.kinds import categories

# The measures of one table differ by less than this between its floats and its integers.
NOISE = 1e-6


@dataclass(frozen=True, slots=True)
class Measures:
    """What a device is compared by, at the shares and the respondents of a search.

    `margin`: of the least certain share. `privacy`: how often the best guess of an answer is wrong.
    """

    margin: float
    privacy: float
    epsilon: float
    worst_posterior: float

    @classmethod
    def of_member(cls, member: Mapping[str, Any]) -> "Measures":
        """Return those of a member of a front whose epsilon is finite."""
        return cls(*(member[name] for name in ("margin", "privacy", "epsilon", "worst_posterior")))


@dataclass(frozen=True, slots=True)
class Picks:
    """Designs by what they are good for, as places in the list; None where no design is.

    `precise`: the smallest margin at the epsilon of the question. `protective`: the most private
    one at its epsilon and its margin. `between`: where the front between these two bends.
    """

    precise: int | None = None
    protective: int | None = None
    between: int | None = None


def measures_now(question: AskedQuestion | Draft, request: Mapping[str, Any]) -> Measures | None:
    """Return those of the question's own device; None where it cannot be compared with a search."""
    draft, prior = Draft.of(question), [float(share) for share in request["prior"]]
    comparable = draft.randomized and draft.epsilon and can_be_searched(draft)
    if not comparable or len(categories(draft)) != len(prior):
        return None
    assert draft.epsilon is not None
    try:
        channel, guess = draft_channel(draft), weighting_prior(draft)
        margin = accuracy(channel, [prior], request["n"], draft.epsilon, guess).margin
    except EngineError:
        return None
    if not isfinite(margin):
        return None
    worst = channel.worst_posterior(prior)
    return Measures(margin, channel.privacy(prior), float(draft.epsilon), worst)


def breaks_bounds(now: Measures, request: Mapping[str, Any]) -> bool:
    """Whether what the question has gives away more than the search allowed."""
    return not is_feasible(now.worst_posterior, now.epsilon, SearchRequest.read(request))


def is_more_precise(found: Measures, now: Measures) -> bool:
    """Whether a reader would see the difference of the margins."""
    return now.margin - found.margin > TIE * found.margin


def is_more_private(found: Measures, now: Measures) -> bool:
    return found.privacy - now.privacy > TIE


def gained(found: Sequence[Measures], now: Measures) -> int | None:
    """Return the design that is clearly better in one measure and worse in none; None without one.

    Of several that with the smallest margin, of those as precise as now the most private one.
    """
    better = [place for place, each in enumerate(found) if _is_gain(each, now)]
    precise = [place for place in better if is_more_precise(found[place], now)]
    if precise:
        return min(precise, key=lambda place: found[place].margin)
    return max(better, key=lambda place: found[place].privacy, default=None)


def closest(found: Sequence[Measures], now: Measures) -> int | None:
    """Return the most precise design that gives away no more than now; None without one."""
    kept = [
        place
        for place, each in enumerate(found)
        if each.epsilon <= now.epsilon + NOISE and each.privacy >= now.privacy - NOISE
    ]
    return min(kept, key=lambda place: found[place].margin, default=None)


def _is_gain(found: Measures, now: Measures) -> bool:
    is_worse = (
        found.margin > now.margin * (1 + NOISE)
        or found.privacy < now.privacy - NOISE
        or found.epsilon > now.epsilon + NOISE
    )
    return not is_worse and (
        is_more_precise(found, now)
        or is_more_private(found, now)
        or now.epsilon - found.epsilon > TIE * now.epsilon
    )


def picks_of(found: Sequence[Measures], epsilon: float, margin: float | None) -> Picks:
    """Return one design for each purpose; `margin` is that of the question, None if not known."""
    kept = [place for place, each in enumerate(found) if each.epsilon <= epsilon + NOISE]
    if not kept:
        return Picks()
    # Without the noise in which equal designs of several methods differ.
    precise = min(kept, key=lambda place: (round(found[place].margin, 8), -found[place].privacy))
    reaching = [] if margin is None else _reaching(found, kept, margin)
    if not reaching:
        return Picks(precise)
    protective = max(reaching, key=lambda place: _protection(found[place]))
    return Picks(precise, protective, _bend(found, kept, precise, protective))


def _reaching(found: Sequence[Measures], places: Sequence[int], margin: float) -> list[int]:
    return [place for place in places if found[place].margin <= margin * (1 + NOISE)]


def _protection(each: Measures) -> tuple[float, float, float]:
    return round(each.privacy, 6), -round(each.epsilon, 3), -each.margin


def _bend(found: Sequence[Measures], kept: Sequence[int], first: int, last: int) -> int | None:
    """Return the knee of the front between two designs; None where it is straight or too short.

    With margin and privacy scaled to [0, 1] between the two, the knee is the point furthest from
    the straight line through them (I. Das, "On characterizing the knee of the Pareto curve based on
    normal-boundary intersection", Structural Optimization 18, 1999).
    """
    start, end = found[first], found[last]
    height, width = end.margin - start.margin, end.privacy - start.privacy
    if height <= NOISE * start.margin or width <= NOISE:
        return None

    def distance(place: int) -> float:
        each = found[place]
        return (each.privacy - start.privacy) / width - (each.margin - start.margin) / height

    knee = max(_reaching(found, kept, end.margin), key=distance)
    return knee if distance(knee) > TIE else None
