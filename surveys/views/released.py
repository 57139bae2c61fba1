"""The context that all pages of computations on released results share."""

from typing import Any

from surveys import numbers
from surveys.results.release import Release
from surveys.results.status import status_of
from surveys.services.audiences import Audience


def released_context(audience: Audience, release: Release) -> dict[str, Any]:
    """The survey, its release and who reads it."""
    status = status_of(release, for_author=False)
    return {
        "survey": audience.launch.survey,
        "launch": audience.launch,
        "parameters": release.parameters,
        "digest": audience.launch.digest_at(audience.step),
        "released": release.content is not None,
        "computing": release.computing,
        "status": status,
        "counts": {"threshold": numbers.count(status.threshold)},
        "audience": audience,
    }
