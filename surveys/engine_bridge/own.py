"""Devices in the respondent's own hands: table, epsilon and wording, generated together."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from surveys.models import Question

STRATUM = "own"


def own_device_of(question: "Question") -> dict[str, Any] | None:
    """The device of stratum "own" that a launch would freeze for this question, if it has one."""
    return None
