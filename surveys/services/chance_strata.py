"""The stratum into which chance has put a response."""

from collections.abc import Sequence
from uuid import UUID

from surveys.parameters import Parameters
from surveys.parameters.chance_strata import feature_of_strata


def possible_strata(parameters: Parameters, digest: str, submission: UUID) -> Sequence[str]:
    """Return those that it may be, the likeliest first; none where everybody is asked alike."""
    feature = feature_of_strata(parameters)
    return feature.answers.strata_of(parameters, digest, submission) if feature else ()
