"""Strata of chance: some people are asked in another way, which a server draws for them.

Such a stratum is that of its devices: who is in it reports to these, and to those of the page where
it has none. Features say which strata a document has; joint.py has those that a browser draws.
"""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from surveys.features import FEATURES, Feature
from surveys.parameters.document import PAGE, Device, Parameters, Question

# The sum of the shares of all strata.
EVERYBODY = 100
# Counts of people who are asked directly change by so many of them at least, or not at all: what
# they say is true of them, and somebody who answers often knows a part of each batch.
LEAST_DIRECT_BATCH = 20


def feature_of_strata(parameters: Parameters) -> Feature | None:
    """Return the feature by which chance divides people; None where everybody is asked alike."""
    dividing = (each for each in FEATURES.values() if each.document.strata(parameters))
    return next(dividing, None)


def strata_of_chance(parameters: Parameters) -> Mapping[str, int]:
    """Return of how many people in a hundred each stratum is, the page's first; may be empty."""
    feature = feature_of_strata(parameters)
    return feature.document.strata(parameters) if feature else {}


def is_of_chance(device: Device, parameters: Parameters) -> bool:
    """Whether a device is for people whom chance has put into a stratum of their own."""
    return device.stratum != PAGE and device.stratum in strata_of_chance(parameters)


def is_asked_directly(question: Question, device: Device) -> bool:
    """Whether a device sends the answer to a sensitive question as it is."""
    return question.randomized and device.direct


def keys_asked_directly(parameters: Parameters) -> frozenset[tuple[str, str]]:
    """Return the keys of devices that send the answer to a sensitive question as it is."""
    strata = strata_of_chance(parameters).keys() - {PAGE}
    return frozenset(
        device.key for device in parameters.devices if device.direct and device.stratum in strata
    )


def strata_of_devices(parameters: Parameters, stratum: str) -> Mapping[str, str]:
    """Return the stratum of every device for the people in a stratum, by the device's id."""
    strata = {device.id: device.stratum for device in parameters.devices if device.stratum == PAGE}
    return strata | {
        device.id: device.stratum for device in parameters.devices if device.stratum == stratum
    }


def in_stratum(parameters: Parameters, stratum: str) -> Parameters:
    """Return the survey as somebody in this stratum is asked it.

    A question that is asked directly there is not randomized, and nobody has to answer it.
    """
    strata = strata_of_devices(parameters, stratum)
    devices = tuple(each for each in parameters.devices if strata[each.id] == each.stratum)
    direct = {each.questions[0] for each in devices if each.direct}
    questions = tuple(_asked(question, question.id in direct) for question in parameters.questions)
    return replace(parameters, questions=questions, devices=devices)


def _asked(question: Question, directly: bool) -> Question:
    changes: dict[str, Any] = {"randomized": False, "required": False}
    return replace(question, **changes) if directly and question.randomized else question
