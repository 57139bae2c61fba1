"""Devices as a test wants them: plain JSON, with every entry of their tables written out."""

from typing import Any

from surveys.models import Launch
from tests.vectors.make_wire_vectors import columns_of

Json = dict[str, Any]


def expanded_device(device: Json) -> Json:
    """A served device with reports, denominator and columns beside its other keys.

    Of a chain those of its last step, and those of each in `steps`.
    """
    table = device["table"]
    if table["form"] == "chain":
        steps = [_contents(step) for step in table["steps"]]
        return {**device, **_contents(table["steps"][-1]), "steps": steps}
    return {**device, **_contents(table)}


def _contents(table: Json) -> Json:
    names = {"reports": table["reports"], "denominator": table["denominator"]}
    return {**names, "columns": columns_of(table)}


def as_served(device: Json) -> Json:
    """The other way round."""
    return {
        key: value
        for key, value in device.items()
        if key not in ("reports", "denominator", "columns", "steps")
    }


def devices_of(launch: Launch) -> list[Json]:
    return [expanded_device(device) for device in launch.document["devices"]]


def cards_of(device: Json) -> list[list[int]]:
    """Which answers the card of each report shows: the rule of docs/protocol.md, on its own."""
    rows = zip(*device["columns"], strict=True)
    return [
        [truth for truth, entry in enumerate(row) if 2 * entry > max(row) + min(row)]
        for row in rows
    ]


def dense(columns: list[list[int]]) -> Json:
    """A table with these columns, whose reports are called R0, R1, ..."""
    return {
        "form": "dense",
        "reports": [f"R{index}" for index in range(len(columns[0]))],
        "denominator": sum(columns[0]),
        "columns": columns,
    }
