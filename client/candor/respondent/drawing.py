"""Drawing a report (section 4 of the protocol)."""

import secrets
from typing import Any

from candor.respondent.chance import noisy_bits, uniform_below
from candor.respondent.orders import draw_order
from candor.respondent.reading import columns_of, degraded_columns, report_at
from candor.respondent.rosters import draw_ties
from candor.respondent.rules import require
from candor.respondent.texts import draw_text
from candor.respondent.together import draw_together
from candor.respondent.values import Json, RandomBytes


def draw(device: Json, truth: Any, random_bytes: RandomBytes = secrets.token_bytes) -> Any:
    return draw_from(device["table"], truth, random_bytes)


def draw_from(table: Json, truth: Any, random_bytes: RandomBytes) -> Any:
    if table["form"] == "product":
        pairs = zip(table["parts"], truth, strict=True)
        return [draw_from(part, truth_of_part, random_bytes) for part, truth_of_part in pairs]
    if table["form"] == "chain":
        last = draw_from(table["steps"][-1], truth, random_bytes)
        return draw_down(table, last, random_bytes)
    if table["form"] == "bits":
        return noisy_bits(table, [bit == truth for bit in range(table["bits"])], random_bytes)
    if table["form"] == "bloom":
        return draw_text(table, truth, random_bytes)
    if table["form"] == "joint":
        return draw_together(table, truth, random_bytes)
    if table["form"] == "ties":
        return draw_ties(table, truth, random_bytes)
    if table["form"] == "ranking":
        return draw_order(table, truth, random_bytes)
    columns = columns_of(table)
    require(0 <= truth < len(columns), "the answer is one of the categories")
    return report_at(columns[truth], uniform_below(table["denominator"], random_bytes))


def draw_down(chain: Json, last: int, random_bytes: RandomBytes) -> list[int]:
    """The reports of all steps from that of the last one (section 11)."""
    reports = [last]
    for later, link in zip(chain["steps"][:0:-1], chain["degradations"][::-1], strict=True):
        if link["form"] != "same":
            integer = uniform_below(int(link["denominator"]), random_bytes)
            columns = degraded_columns(link, len(later["reports"]))
            last = report_at(columns[last], integer)
        reports.insert(0, last)
    return reports
