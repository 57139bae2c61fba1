"""Weighted shares as localized texts for the results page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from surveys import numbers
from surveys.models import WeightedShares
from surveys.results.recoding import labels_of
from surveys.results.regression.refusals import refusal_text
from surveys.results.release import Release
from surveys.results.weighted_shares import FORMAT


@dataclass(frozen=True, slots=True)
class WeightedRow:
    label: str
    estimate: str
    interval: str
    standard_error: str


@dataclass(frozen=True, slots=True)
class WeightedView:
    """The weighted shares of one question; `earlier`: they rest on fewer responses than the page.

    `refusal`: why there are none. Without it and without rows they are still to be computed.
    """

    rows: list[WeightedRow]
    n: str
    design_effect: str
    effective_n: str
    earlier: str | None
    refusal: str


def stored_weighted(release: Release) -> WeightedShares | None:
    """The row of a release's launch and rung; None where nothing is weighted."""
    if release.parameters.weighting is None:
        return None
    return WeightedShares.objects.filter(launch=release.launch, rung=release.rung).first()


def weighted_views(release: Release) -> dict[str, WeightedView]:
    """The weighted shares by question; empty where the launch declares no margins."""
    stored = stored_weighted(release)
    if stored is None or release.content is None:
        return {}
    content = stored.content if stored.content.get("format") == FORMAT else {}
    questions = {question["id"]: question for question in release.content["questions"]}
    if not content:
        waiting = _empty(refusal_text(stored.refusal))
        return dict.fromkeys(_margins(release), waiting)
    earlier = stored.responses if stored.revision < release.revision else None
    return {
        name: _view(found, questions[name]["labels"], content, earlier)
        for name, found in content["questions"].items()
        if found is not None and questions[name]["categories"]
    }


def _margins(release: Release) -> list[str]:
    weighting = release.parameters.weighting
    return [margin.question for margin in weighting.margins] if weighting else []


def _empty(refusal: str) -> WeightedView:
    return WeightedView([], "", "", "", None, refusal)


def _view(
    found: Mapping[str, Any],
    labels: Sequence[str],
    content: Mapping[str, Any],
    earlier: int | None,
) -> WeightedView:
    rows = found["categories"]
    digits = numbers.common_digits(rows)
    return WeightedView(
        rows=[
            WeightedRow(
                label,
                numbers.percent(row["estimate"], digits),
                numbers.percent_span(row["interval"], digits),
                numbers.points(row["standard_error"], digits),
            )
            for label, row in zip(labels_of(found["answers"], labels), rows, strict=True)
        ],
        n=numbers.count(found["n"]),
        design_effect=numbers.fixed_decimals(content["design_effect"], 2),
        effective_n=numbers.count(round(content["effective_n"])),
        earlier=None if earlier is None else numbers.count(earlier),
        refusal="",
    )
