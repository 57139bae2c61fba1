"""A certificate of the engine as JSON, and back."""

from collections.abc import Mapping
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


def certificate_from_json(document: Mapping[str, Any]) -> rr_engine.Certificate:
    """The certificate that `certificate_json` wrote, for `rr_engine.verify_certificate`."""
    epsilon = document["epsilon"]
    fields: dict[str, Any] = {
        **{name: np.array(document[name], dtype=float) for name in VECTORS},
        **{name: _float(document[name]) for name in NUMBERS},
    }
    return rr_engine.Certificate(
        n=int(document["n"]), epsilon=None if epsilon is None else Decimal(epsilon), **fields
    )


def _float(value: float | None) -> float | None:
    return None if value is None else float(value)
