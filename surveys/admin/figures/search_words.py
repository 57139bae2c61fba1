"""A search in words: its points, their numbers, and its progress."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from surveys import numbers
from surveys.devices import FAMILIES
from surveys.engine_words import refusal, refusal_words
from surveys.models import DesignSearch

METHOD_LABELS = {
    "certified": gettext_lazy("Any number of reports"),
    "local": gettext_lazy("Square tables, improved"),
    "optrr": gettext_lazy("OptRR as published"),
}
# Characters of an answer's label in a list of many.
MOST_LABEL = 32

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Point:
    """A design on a front (`method`, `index`), or one of the question's other devices."""

    method: str
    index: int
    label: str
    row: Row

    @property
    def key(self) -> str:
        """The point's key in an address; while fronts grow, it refers to the nearest point."""
        return f"{self.method}:{self.row['privacy']:.9f}:{self.index}"

    @property
    def reports(self) -> int | None:
        return len(self.row["matrix"]) if "matrix" in self.row else self.row.get("reports")


def points_of(content: Row) -> list[Point]:
    """The members of every front, by method and rising privacy; then the other devices.

    Of members with identical texts only the most accurate one is listed.
    """
    return _drop_duplicates(member_points(content)) + [
        Point("", index, str(FAMILIES[device["name"]].label), device)
        for index, device in enumerate(content.get("devices", ()))
    ]


def member_points(content: Row) -> list[Point]:
    """Every member of every front, by method and rising privacy."""
    fronts = content.get("fronts", {})
    return [
        Point(method, index, str(method_label(method)), _with_infinite_epsilon(member))
        for method in METHOD_LABELS
        for index, member in enumerate(fronts.get(method, {}).get("members", ()))
    ]


def _drop_duplicates(points: Sequence[Point]) -> list[Point]:
    best_points: dict[tuple[str, str], Point] = {}
    for point in points:
        words = option_words(point), words_of(point.label, point.row)
        best_points[words] = min(
            best_points.get(words, point), point, key=lambda candidate: candidate.row["mse"]
        )
    best_keys = {(point.method, point.index) for point in best_points.values()}
    return [point for point in points if (point.method, point.index) in best_keys]


def _with_infinite_epsilon(member: Row) -> Row:
    """The member with an infinite epsilon where a report has probability 0 under some answer."""
    has_zero = any(0 in row for row in member["matrix"])
    return {**member, "epsilon": None} if has_zero else member


def point_at(points: Sequence[Point], key: str) -> Point | None:
    """The point of this method that is nearest to the privacy in the key.

    Of points with equal privacy it is the one nearest to the key's index.
    """
    method, privacy, index = [*key.split(":"), "", ""][:3]
    members = [point for point in points if point.method == method and method]
    try:
        privacy_level, position = float(privacy), int(index or 0)
    except ValueError:
        return None
    # A number outside [0, 1] is not a privacy level, so it has no nearest point.
    if not 0 <= privacy_level <= 1:
        return None

    def distance(point: Point) -> tuple[float, int]:
        return round(abs(point.row["privacy"] - privacy_level), 8), abs(point.index - position)

    return min(members, key=distance, default=None)


def method_label(method: str) -> str:
    return str(METHOD_LABELS[method])


def margin_words(row: Row) -> str:
    margin = row.get("margin")
    return numbers.UNKNOWN if margin is None else numbers.margin(margin)


def gap_words(gap: float | None) -> str:
    """How far an error lies above the certified bound, rounded up so that it is not understated."""
    if gap is None:
        return numbers.UNKNOWN
    if gap < 0.0005:
        return _("under %s") % numbers.percent(0.001)
    return numbers.excess(gap)


def note_words(code: str) -> str:
    """Why a method found nothing, in an author's words."""
    if not code:
        return ""
    words = refusal_words(refusal(code))
    return words if code == "share_too_small" else _("It could not run: %s") % words


def words_of(name: str, row: Row) -> str:
    """The hover text of a point; lines as Plotly breaks them."""
    lines = [
        escape(name),
        _("best guess wrong: %s") % numbers.percent(row["privacy"]),
        _("strongest belief after a report: %s") % numbers.percent(row["worst_posterior"]),
        _("epsilon: %s") % numbers.epsilon_rounded_up(row["epsilon"]),
        _("squared error: %s") % numbers.two_digits(row["mse"]),
    ]
    if row.get("margin") is not None:
        lines.append(_("margin: %s") % numbers.margin(row["margin"]))
    if row.get("gap") is not None:
        lines.append(_("above the bound by %s") % gap_words(row["gap"]))
    if "matrix" in row:
        count = len(row["matrix"])
        lines.append(ngettext("%s report", "%s reports", count) % numbers.count(count))
    return "<br>".join(lines)


def privacy_words(privacy: float) -> str:
    """The privacy with one decimal, which distinguishes the many designs of a front."""
    return numbers.percent(privacy, 1)


def option_words(point: Point) -> str:
    """The line of a point in the list of designs."""
    return _("best guess wrong %(privacy)s, %(margin)s, ε %(epsilon)s") % {
        "privacy": privacy_words(point.row["privacy"]),
        "margin": margin_words(point.row),
        "epsilon": numbers.epsilon_rounded_up(point.row["epsilon"]),
    }


def numbered_options(points: Sequence[Point]) -> list[str]:
    """One line for each point; lines that a list has more than once are numbered."""
    lines = [option_words(point) for point in points]
    occurrences: Counter[str] = Counter()
    texts = []
    for line in lines:
        occurrences[line] += 1
        texts.append(f"{line} ({occurrences[line]})" if lines.count(line) > 1 else line)
    return texts


def area(search: DesignSearch) -> str:
    """The largest hypervolume of the fronts so far, of a search from `without_content`."""
    areas = [getattr(search, f"area_{method}") for method in METHOD_LABELS]
    areas = [value for value in areas if value is not None]
    return numbers.fixed_decimals(max(areas), 4) if areas else numbers.UNKNOWN


def guess_words(request: Row) -> str:
    shares = zip(request["labels"], request["prior"], strict=True)
    return " · ".join(f"{shorten(label)} {numbers.chosen_percent(part)}" for label, part in shares)


def shorten(label: str) -> str:
    return label if len(label) <= MOST_LABEL else f"{label[: MOST_LABEL - 1].rstrip()}…"


def bounds_words(request: Row) -> str:
    epsilon = request["epsilon"]
    return _("%(delta)s sure at most, ε %(epsilon)s") % {
        "delta": numbers.chosen_percent(request["delta"]),
        "epsilon": numbers.decimal(epsilon) if epsilon else _("without a bound"),
    }


def stage(search: DesignSearch) -> str:
    """The current stage of the search, in words."""
    content = search.content
    for number, method in enumerate(search.request["methods"], 1):
        front = content.get("fronts", {}).get(method)
        if method in content.get("notes", {}) or (front and front["finished"] >= 1):
            continue
        return _("Method %(number)s of %(count)s: %(name)s.") % {
            "number": number,
            "count": len(search.request["methods"]),
            "name": method_label(method),
        }
    return ""


def state_words(search: DesignSearch) -> tuple[str, str]:
    """The state of a search, and the possible next steps, in words."""
    states = DesignSearch.State
    notes = [_("What was found until then is below.")] if points_of(search.content) else []
    to_the_end = _("Start again to search to the end.")
    reason = _("The program that ran it ended, as when a machine restarts.")
    same = _("Start it again with the same settings: it finds the same.")
    note = _("What is found shows below as it comes. You may leave this page and come back.")
    adoptable = _("Look at the points below. One with a finite epsilon can be adopted.")
    if not search.question.survey.is_draft:
        adoptable = _("Look at the points below. The survey is launched: none can be adopted.")
    by_state = {
        states.QUEUED: (
            _("Waiting for a worker."),
            [_("It starts by itself. You may leave this page and come back.")],
        ),
        states.RUNNING: (_("Searching."), [note]),
        states.DONE: (_("Done."), [adoptable]),
        states.CANCELLED: (_("Stopped."), [*notes, to_the_end]),
        states.FAILED: (
            _("The search failed."),
            [_("Start again with other settings; the reason is given here.")],
        ),
        states.LOST: (_("The search was lost."), [reason, *notes, same]),
    }
    state, sentences = by_state[DesignSearch.State(search.state)]
    return state, " ".join(sentences)


def labels_of(methods: Iterable[str]) -> str:
    return ", ".join(method_label(method) for method in methods)
