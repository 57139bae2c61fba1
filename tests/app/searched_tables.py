"""A small searched table made by hand, stored with a question as by the workbench."""

from typing import Any

import rr_engine

LABELS = ["A", "B", "C", "D", "E"]
PRIOR = ["0.4", "0.3", "0.15", "0.1", "0.05"]


def searched_parameters(**values: Any) -> dict[str, Any]:
    """`design_parameters` of an adopted table for LABELS, 5 % above the least error."""
    table = rr_engine.designs.card_deck(5, "0.81", k=2).quantized()
    error = table.mse([float(share) for share in PRIOR], 1)
    search = {
        "prior": PRIOR,
        "respondents": 1000,
        "privacy": "0.4",
        "worst_posterior": "0.75",
        "epsilon": "0.81",
        "method": "local",
        "least_error": f"{error / 1.05:.12f}",
    }
    parameters = {
        "table": table.integers.tolist(),
        "search": search,
        "labels": LABELS,
        "run": 0,
        "method": "local",
        "certificate": {},
    }
    return {**parameters, **values}


def searched_question(**values: Any) -> dict[str, Any]:
    """The values of a question with a searched table, for `make_survey`."""
    return {
        "kind": "single_choice",
        "options": LABELS,
        "epsilon": "0.81",
        "design": "searched",
        "design_parameters": searched_parameters(),
        **values,
    }
