"""Versions of files about results: equal versions are equal bytes.

They are keyed: the digest of a release covers numbers that the threshold holds back, and nobody may
check a guess of them.
"""

import json
from datetime import datetime
from typing import Any

from django.utils.crypto import salted_hmac

from surveys.models import Launch
from surveys.results.release import Release
from surveys.results.weighted.presentation import stored_weighted


def release_version(release: Release, *parts: Any) -> str:
    """A version of what a release is shown as."""
    weighted = stored_weighted(release)
    weights = (weighted.revision, weighted.failed) if weighted else None
    computed_at: datetime | None = release.computed_at
    facts = [
        *(release.launch.digest_at(release.step), release.step, release.digest),
        *(release.threshold, release.revision, computed_at and computed_at.isoformat(), weights),
        *(release.launch.translations, release.launch.survey.simulated_truth, parts),
    ]
    return keyed(facts)


def file_version(version: str, *parts: Any) -> str:
    """A version of what a file with this one is sent as."""
    return keyed([version, parts])


def parameters_version(launch: Launch, step: int, *parts: Any) -> str:
    """A version of what the frozen parameters alone are shown as."""
    return keyed([launch.digest_at(step), step, launch.translations, parts])


def keyed(facts: Any) -> str:
    text = json.dumps(facts, sort_keys=True)
    return salted_hmac("surveys.files", text, algorithm="sha256").hexdigest()
