"""Surveys with declared analyses, and margins to weight to."""

from typing import Any

from surveys.features.analyses.settings import declared
from surveys.models import Survey

QUESTIONS: list[dict[str, Any]] = [
    {"name": "drug", "text": "Have you taken a drug?"},
    {"name": "mood", "kind": "scale", "options": ["Low", "Fair", "High"], "required": False},
    {
        "name": "region",
        "kind": "single_choice",
        "options": ["North", "South"],
        "randomized": False,
        "text": "Where do you live?",
    },
    {
        "name": "size",
        "kind": "single_choice",
        "options": ["Small", "Large"],
        "randomized": False,
        "text": "How large is your firm?",
    },
    {
        "name": "took",
        "kind": "multiple_choice",
        "options": ["Tools", "Food"],
        "design": "per_option",
        "required": False,
    },
    {
        "name": "hours",
        "kind": "bounded_number",
        "design": "one_bit",
        "scale": {"lower": "0", "upper": "60", "step": "1", "unit": "hours", "bins": []},
    },
]
ANALYSIS = {
    "name": "Who takes drugs",
    "outcome": "drug",
    "event": [1],
    "link": "logit",
    "predictors": [{"question": "region", "scored": False}],
    "weighted": True,
}


def margins(*shares: str) -> dict[str, Any]:
    """Return what is stored of the margin of the regions."""
    return {
        "margins": [
            {"question": "region", "shares": list(shares), "answers": ["North", "South"]},
        ]
    }


def regional() -> dict[str, Any]:
    return margins("0.7", "0.3")


def stored_weighting(survey: Survey) -> dict[str, Any] | None:
    """The margins of a draft as its document will have them, with the answers as they were."""
    rows = declared(survey).margins
    return {"margins": rows} if rows else None
