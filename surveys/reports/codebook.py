"""What the codes of `reports.csv` are, one line a report: for programs that want labels."""

import csv
import io
from collections.abc import Mapping
from typing import Any

from surveys.engine_bridge.decks import CARDS, cards_shown
from surveys.wire import as_current

HEADER = ("variable", "stratum", "design", "code", "report", "shows", "question")
# Between the answers of a card.
BETWEEN = " | "
# A spreadsheet takes a cell that begins so for a formula.
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def codebook(parameters: Mapping[str, Any]) -> str:
    """Every device's reports in their order: letter, answers on the card where it is one.

    `shows` is the answer itself where answers are sent as they are, and empty where a letter
    stands for none.
    """
    current = as_current(parameters)
    questions = {question["id"]: question for question in current["questions"]}
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(HEADER)
    for device in current["devices"]:
        question = questions[device["questions"][0]]
        shown = labels_of(question, device)
        for code, report in enumerate(device["reports"]):
            row = (device["id"], device["stratum"], device["design"], code, report)
            writer.writerow(map(spreadsheet_safe, (*row, shown[code], question["text"])))
    return text.getvalue()


def spreadsheet_safe(cell: str | int) -> str | int:
    """The cell as no spreadsheet takes it for a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell


def labels_of(question: Mapping[str, Any], device: Mapping[str, Any]) -> list[str]:
    """What stands behind the letter of each report, if anything does."""
    labels = question["categories"]
    if device["design"] == CARDS:
        cards = cards_shown(device["columns"])
        return [BETWEEN.join(labels[answer] for answer in card) for card in cards]
    if device["design"] == "direct" and device["option"] is None:
        return list(labels)
    return [""] * len(device["reports"])
