"""What page and summary say of a release as a whole: its people, its waves and its epsilon."""

from typing import Any

from msgspec.structs import asdict

from surveys import numbers
from surveys.results.release import Release


def left_out_of(release: Release) -> dict[str, Any] | None:
    """Return how many people are in no number on several answers together; None if nobody is."""
    left_out = release.content and release.content.left_out
    if not left_out or not left_out.people:
        return None
    return {"withheld": left_out.withheld, "people": numbers.count(left_out.people)}


def waves_of(release: Release) -> list[dict[str, Any]]:
    """The survey's ledger, the first wave first; empty where there is only one."""
    if release.content is None or len(release.content.sources) == 1:
        return []
    newest, *earlier = release.content.sources
    return [
        {
            "wave": source.source or str(release.launch.wave),
            "epsilon": numbers.epsilon(source.epsilon),
            "people": numbers.count(source.responses),
            "is_newest": source is newest,
        }
        for source in (*earlier, newest)
    ]


def epsilon_of(release: Release) -> dict[str, str] | None:
    if release.content is None:
        return None
    epsilons = {
        name: numbers.epsilon(text) for name, text in asdict(release.content.epsilon).items()
    }
    delta = release.content.delta
    return epsilons | ({"delta": numbers.decimal(delta)} if delta != "0" else {})
