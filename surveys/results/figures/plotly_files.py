"""Plotly.js for pages and summaries: the bundle for two axes, a third of the full library.

It is in static/plotly, in the version that belongs to the Python package, which draws the figures
(docs/decisions/0024-part-of-plotly.md).
"""

import functools
from typing import Any

from django.conf import settings

NAME = "plotly/plotly-cartesian.min.js"
# Plotly inserts two style elements where no element has these ids; a strict policy refuses them,
# and static/css/results.css holds the few rules that figures need. The second id is a hash that
# the bundle's build put there, so it changes with the version: tests/app/test_plotly_files.py.
STYLE_IDS = (
    "plotly.js-style-global",
    "9f215cf04c5486422605d13261cb87401f4e7763b6296af81e98efbc0130da53",
)
# The configuration of every figure: no toolbar (one of its buttons would upload the
# data), no formulas, no request to another site.
CONFIG: dict[str, Any] = {
    "displayModeBar": False,
    "displaylogo": False,
    "showSendToCloud": False,
    "plotlyServerURL": "",
    "topojsonURL": "data:",
    "typesetMath": False,
    "responsive": True,
    "scrollZoom": False,
    "doubleClick": False,
    "showTips": False,
}


@functools.cache
def plotly_script() -> str:
    """The library's text, for a summary that must open without this site."""
    return (settings.BASE_DIR / "static" / NAME).read_text(encoding="utf-8")
