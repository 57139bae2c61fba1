"""What may leave Candor about a launch now: the one place that holds the release threshold.

Pages, figures, downloads and the report take their numbers from a Release and from nothing else.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils import timezone

from surveys.models import Launch, Result

# What stays of a question that too few have answered: nothing that depends on what they sent.
COUNT_ONLY = ("categories", "effective_n")


@dataclass(frozen=True, slots=True)
class Release:
    """The released part of a result; `content` is None while there is nothing to release."""

    launch: Launch
    threshold: int
    responses: int
    computed_at: timezone.datetime | None
    content: dict[str, Any] | None
    withheld: frozenset[tuple[str, str]]  # (device, stratum) with too few reports
    _figures: Mapping[str, Mapping[str, Any]]

    def figures(self, language: str) -> dict[str, Any]:
        """Plotly figures by "device/stratum", in `language` or else in the site's own."""
        chosen = self._figures.get(language) or self._figures.get(settings.LANGUAGE_CODE) or {}
        hidden = {f"{device}/{stratum}" for device, stratum in self.withheld}
        return {key: figure for key, figure in chosen.items() if key not in hidden}


def release_of(launch: Launch) -> Release:
    """Apply the threshold to the latest result: to the survey, and to each question in it."""
    result = Result.objects.filter(launch=launch).first()
    threshold = launch.survey.release_threshold
    responses = result.responses if result else 0
    computed_at = result.computed_at if result else None
    if result is None or min(responses, launch.folded) < threshold:
        return Release(launch, threshold, responses, computed_at, None, frozenset(), {})
    content, withheld = _filtered(result.content, threshold)
    return Release(launch, threshold, responses, computed_at, content, withheld, result.figures)


def _filtered(
    content: dict[str, Any], threshold: int
) -> tuple[dict[str, Any], frozenset[tuple[str, str]]]:
    withheld = frozenset(
        (question["device"], question["stratum"])
        for question in content["questions"]
        if 0 < question["n"] < threshold
    )
    questions = [
        _count_only(question) if (question["device"], question["stratum"]) in withheld else question
        for question in content["questions"]
    ]
    return {**content, "questions": questions}, withheld


def _count_only(question: dict[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in question.items() if key not in COUNT_ONLY}
    return {**kept, "categories": [], "notes": ["below_threshold"]}
