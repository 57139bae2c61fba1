"""Several waves, and how an earlier report is made coarser (section 10 of the protocol)."""

import itertools
import math
import secrets
from collections.abc import Sequence
from typing import Any

from candor.respondent.canonical import digest_of
from candor.respondent.chance import uniform_below
from candor.respondent.reading import (
    SENT_AGAIN,
    STEPS,
    columns_of,
    degraded_columns,
    is_report,
    report_at,
)
from candor.respondent.rules import check_object, is_counted, is_object, require
from candor.respondent.tables import check_link, check_table
from candor.respondent.values import Json, RandomBytes

EARLIER = {"wave": is_counted, "table": is_object, "degradation": is_object}


def check_waves(document: Json) -> None:
    coded, wave = document["mode"] == "pseudonymous", document["wave"]
    is_first = wave == 1
    require(is_first is (document["previous"] is None), "previous is null in the first wave alone")
    require(coded or is_first, "a survey without return codes has one wave")
    together, is_open = document["linkage"] == "together", document["mode"] == "open"
    require(is_open or together, "what comes under a code or a link is kept together")
    for device in document["devices"]:
        on_page = device["stratum"] == "page"
        require(is_open or on_page, "with codes and links only the client draws")
        waves = [] if device["epsilon"] is None else list(range(1, wave))
        listed = [entry["wave"] for entry in device["earlier"]]
        require(listed == waves, "a device has all its earlier waves in their order")


def check_earlier(entry: Any, device: Json) -> None:
    check_object(entry, EARLIER)
    before, now, degradation = entry["table"], device["table"], entry["degradation"]
    if before.get("form") == now["form"] and now["form"] in SENT_AGAIN:
        require(degradation == {"form": "same"}, "texts, bits and groups are sent again")
    else:
        for table in (before, now):
            require(table.get("form") in STEPS, "only codes are relaxed")
    check_table(before, on_page=True)
    check_link(before, now, degradation)


def check_history(documents: Sequence[Json]) -> None:
    """Check that the waves, the first one first, say of each other what is in their documents."""
    for before, after in itertools.pairwise(documents):
        require(digest_of(before) == after["previous"], "each wave names the one before")
    for document in documents:
        for device in document["devices"]:
            for entry in device["earlier"]:
                (then,) = [
                    other
                    for other in documents[entry["wave"] - 1]["devices"]
                    if other["id"] == device["id"]
                ]
                require(entry["table"] == then["table"], "an earlier table is that of its wave")


def table_in(device: Json, wave: int, document: Json) -> Json:
    """The table of a device in this wave or an earlier one."""
    return device["table"] if wave == document["wave"] else earlier_of(device, wave)["table"]


def earlier_of(device: Json, wave: int) -> Json:
    (entry,) = [entry for entry in device["earlier"] if entry["wave"] == wave]
    return entry


def relax(
    device: Json,
    wave: int,
    previous: Any,
    truth: Any,
    random_bytes: RandomBytes = secrets.token_bytes,
) -> Any:
    """The report of this wave, given the one of an earlier wave."""
    entry = earlier_of(device, wave)
    require(is_report(previous, entry["table"]), "a report is of its table")
    if entry["degradation"]["form"] == "same":
        return previous
    rows = relaxed_weights(device["table"], entry["degradation"], previous)
    common = math.lcm(*map(sum, rows))
    number = uniform_below(common, random_bytes)
    scale = common // sum(rows[truth])
    return report_at([weight * scale for weight in rows[truth]], number)


def relaxed_weights(table: Json, degradation: Json, previous: int) -> list[list[int]]:
    """Return for each true answer the weight of each report."""
    degraded = degraded_columns(degradation, len(table["reports"]))
    chances = [column[previous] for column in degraded]
    rows = [list(map(int.__mul__, chances, column)) for column in columns_of(table)]
    return [
        row if any(row) else column for row, column in zip(rows, columns_of(table), strict=True)
    ]
