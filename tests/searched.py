"""A searched device as the workbench would have put it into a question: from the engine itself."""

from collections.abc import Mapping
from decimal import ROUND_DOWN, Decimal
from functools import cache
from typing import Any

import numpy as np

import rr_engine
from surveys.authoring.workbench.adopting import NUMBERS, VECTORS, certificate_json

PRIOR = ("0.4", "0.25", "0.15", "0.12", "0.08")
RESPONDENTS = 1000
EPSILON = "1"
_TWELVE = Decimal(1).scaleb(-12)


@cache
def searched_table(epsilon: str = EPSILON) -> rr_engine.DesignMatrix:
    """The best device for PRIOR at this epsilon, as exact integers: more reports than answers."""
    solved = rr_engine.optimisation.solve_bound(
        list(map(float, PRIOR)), RESPONDENTS, epsilon=epsilon
    )
    design = rr_engine.optimisation.optimal_mechanism(solved)
    return rr_engine.optimisation.quantized_within(design, _prior(), epsilon=epsilon)


def searched_question(**values: Any) -> dict[str, Any]:
    """A single choice with five answers and a device searched for PRIOR."""
    return {
        "name": "missed",
        "kind": "single_choice",
        "text": "Why did you last miss a deadline?",
        "options": ["Never did", "Forgot", "Too much work", "Ill", "Did not care"],
        "epsilon": Decimal(EPSILON),
        "design": "searched",
        "design_parameters": parameters(),
        **values,
    }


def parameters() -> dict[str, Any]:
    """Return what adopting a found design writes into `Question.design_parameters`."""
    table = searched_table()
    certificate = rr_engine.optimisation.mse_lower_bound(_prior(), RESPONDENTS, epsilon=EPSILON)
    return {
        "table": table.integers.tolist(),
        "search": {
            "prior": list(PRIOR),
            "respondents": RESPONDENTS,
            "privacy": _down(table.privacy(_prior())),
            "worst_posterior": None,
            "epsilon": EPSILON,
            "method": "certified",
            "least_error": _down(RESPONDENTS * certificate.bound),
        },
        "labels": ["Never did", "Forgot", "Too much work", "Ill", "Did not care"],
        "run": 1,
        "method": "certified",
        "certificate": certificate_json(certificate),
    }


def certificate_from_json(document: Mapping[str, Any]) -> rr_engine.optimisation.Certificate:
    """Return the certificate that `certificate_json` wrote, to be verified."""
    epsilon = document["epsilon"]
    fields: dict[str, Any] = {
        **{name: np.array(document[name], dtype=float) for name in VECTORS},
        **{name: document[name] for name in NUMBERS},
    }
    return rr_engine.optimisation.Certificate(
        n=int(document["n"]), epsilon=None if epsilon is None else Decimal(epsilon), **fields
    )


def _prior() -> list[float]:
    return list(map(float, PRIOR))


def _down(value: float) -> str:
    return format(Decimal(value).quantize(_TWELVE, ROUND_DOWN).normalize(), "f")
