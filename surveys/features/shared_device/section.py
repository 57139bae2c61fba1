"""Shared devices in the frozen document: respondents read what their device keeps.

static/js/features/shared_device/rules.js has the twin of the rules.
"""

from typing import Final

from surveys.features.parts import DocumentPart
from surveys.parameters import Parameters
from surveys.parameters.types import Frozen

NAME: Final = "shared_device"


class SharedDevice(Frozen, frozen=True):
    """`always`: whether every device counts as shared; otherwise each respondent says so."""

    always: bool


class SharedDeviceInDocument(DocumentPart):
    optional_sections = {NAME: SharedDevice}


def frozen_sharing(parameters: Parameters) -> SharedDevice | None:
    """Return what a document says of shared devices; None where it says nothing."""
    return parameters.section(NAME) or None
