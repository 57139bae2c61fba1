"""Launched surveys of all sorts, without answers: what is composed, and what is frozen of it."""

from collections.abc import Callable
from typing import Any

from surveys.features.return_codes import demo
from surveys.models import Launch
from tests import analyses, arms, released, tiers, waves
from tests.app import pilots
from tests.builders import launched, owner
from tests.searched import searched_question

TOGETHER: dict[str, Any] = {"linkage": "together"}


def _analysed() -> Launch:
    values = {"weighting": analyses.regional(), "analyses": [analyses.ANALYSIS], "budget": 8}
    return launched(questions=analyses.QUESTIONS, **TOGETHER, **values)


def all_sorts() -> Launch:
    """Return one with a control item, a text, a number, a direct question and a searched table."""
    item = {"name": "born", "text": "Were you born on 30 February?", "known_share": 0}
    text = {"name": "what", "kind": "short_text", "design": "rappor", "candidates": ["Tea", "Milk"]}
    number = {"name": "hours", "kind": "bounded_number", "design": "one_bit"}
    scale = {"lower": "-1.5", "upper": "60", "step": "0.5", "unit": "h", "bins": []}
    questions = [item, text, {**number, "scale": scale}, {"randomized": False}, searched_question()]
    return launched(questions=questions, budget=8, cross_tables=[["born", "q4"]], **TOGETHER)


LAUNCHES: dict[str, Callable[[], Launch]] = {
    "the demo": lambda: demo.launch_demo(owner=owner()),
    "all sorts of questions": all_sorts,
    "declared analyses": _analysed,
    "tiers": tiers.tiered,
    "arms": lambda: arms.arms_launch(release_threshold=10),
    "a pilot": pilots.pilot_launch,
    "groups": lambda: launched(questions=released.WITH_GROUP, budget=7),
    "return codes": waves.coded_launch,
    "a device of one's own": lambda: launched(
        questions=[{"physical_device": "two_dice", "epsilon": "1.5"}]
    ),
}
