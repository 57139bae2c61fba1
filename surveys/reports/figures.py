"""Results document -> Plotly figures."""

from collections.abc import Mapping, Sequence
from typing import Any


def results_figures(
    document: Mapping[str, Any], truth: Mapping[str, Sequence[float]] | None
) -> dict[str, Any]:
    return {}
