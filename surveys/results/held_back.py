"""Direct answers to sensitive questions that are not shown yet.

What is said directly is true of the people of one stratum, who are a part of every batch that
enters the results: two releases could differ by the answer of one of them. So their counts stay as
they were shown last until a whole batch of them has come.
"""

from collections.abc import Mapping
from typing import Any

from surveys.parameters import Parameters, keys_asked_directly
from surveys.responses.counting import Key
from surveys.responses.spaces import Counts, space_of

# How many have answered since, by device.
Waiting = Mapping[Key, int]


def hold_back(
    parameters: Parameters,
    tallies: Mapping[Key, Counts],
    published: Mapping[str, Any],
    batch: int,
) -> tuple[Mapping[Key, Counts], Waiting]:
    """The tallies to show after `published`, the results that were shown last, and who waits.

    Of the same tallies and results it is always the same, so that computing again shows no more.
    """
    before, shown, waiting = _counts_of(published), dict(tallies), dict[Key, int]()
    directly = keys_asked_directly(parameters)
    for device in parameters.devices:
        if device.key not in directly:
            continue
        space = space_of(device)
        then = before.get(device.key) or [0] * len(space.letters)
        new = int(space.array(tallies.get(device.key)).sum()) - sum(then)
        if 0 < new < batch:
            shown[device.key], waiting[device.key] = then, new
    return shown, waiting


def _counts_of(published: Mapping[str, Any]) -> dict[Key, list[int]]:
    """Return the counts that were shown of each device; nothing of one with too few people.

    Results of an earlier format are read too: what they have shown has been seen.
    """
    return {
        (device["id"], device["stratum"]): device["counts"]
        for question in published.get("questions", ())
        for device in question["devices"]
        if device["counts"]
    }
