"""Weighted shares, computed by a worker as releases come."""

from collections.abc import Callable, Sequence
from typing import Any

from django.db.models import Q

from surveys.features import weighting_of
from surveys.models import Launch, WeightedShares
from surveys.results.regression.frame import Frame
from surveys.results.regression.refusals import AnalysisRefused
from surveys.results.release import Release
from surveys.results.weighted.shares import weighable, weighted_results
from surveys.results_document.document import plain
from surveys.results_document.weighted import FORMAT
from surveys.services import release_fits

RULE = release_fits.Rule(declared=Q(pk__isnull=False), format=FORMAT)


def add_weighted(launch: Launch) -> None:
    """One row for each step of a new launch that declares margins."""
    if weighting_of(launch.parameters) is not None:
        WeightedShares.objects.bulk_create(
            WeightedShares(launch=launch, step=step) for step in launch.steps
        )


def request_weighted(launch_id: int) -> None:
    """Send a worker to the weighted shares of a launch that a new release makes due."""
    release_fits.request_due(WEIGHTS, WeightedShares.objects.filter(launch=launch_id), RULE)


def ask_weighted(launch: Launch, step: int) -> bool:
    """Have the shares of a step weighted again if that has failed; whether any are weighted."""
    stored = WeightedShares.objects.filter(launch=launch, step=step).first()
    if stored is not None and stored.failed:
        release_fits.ask_again(WEIGHTS, stored)
    return stored is not None


def weighted_values(fit: WeightedShares) -> dict[str, Any]:
    """The fields of a row for the newest release."""
    return release_fits.computed_values(fit, _content)


def _content(release: Release, people: Callable[[Sequence[str]], Frame]) -> dict[str, Any]:
    parameters = release.parameters
    weighting = weighting_of(parameters)
    if weighting is None or release.content is None:
        raise AnalysisRefused("weights_not_met")
    questions = weighable(parameters)
    weighted = weighted_results(
        people([question.id for question in questions]),
        questions,
        weighting,
        release.content,
        max(release.threshold, 1),
    )
    return plain(weighted)


WEIGHTS = release_fits.register("weights", WeightedShares, RULE, weighted_values, "weighted shares")
