"""A certificate of the engine as JSON."""

from decimal import Decimal
from typing import Any

import numpy as np

import rr_engine

VECTORS = ("prior", "matrix", "prices")
NUMBERS = ("delta", "privacy", "privacy_price", "bound", "value")


def certificate_json(certificate: rr_engine.Certificate) -> dict[str, Any]:
    """A certificate as plain JSON types, which read back as the same numbers.

    A float is written with the fewest digits that identify it; epsilon is a decimal string.
    """
    epsilon = certificate.epsilon
    return {
        "n": certificate.n,
        "epsilon": None if epsilon is None else format(Decimal(str(epsilon)), "f"),
        **{name: np.asarray(getattr(certificate, name)).tolist() for name in VECTORS},
        **{name: _float(getattr(certificate, name)) for name in NUMBERS},
    }


def _float(value: float | None) -> float | None:
    return None if value is None else float(value)
