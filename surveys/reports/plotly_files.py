"""Plotly.js comes with the Python package that draws the figures, so both are one version.

The finder serves that one file of the package; nothing else of it is published.
"""

import functools
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import plotly
from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.storage import FileSystemStorage

NAME = "plotly/plotly.min.js"
FOLDER = Path(plotly.__file__).parent / "package_data"
# Plotly inserts two style elements where no element has these ids; a strict policy refuses them,
# and static/css/results.css holds the few rules that figures need. The second id is a hash that
# the bundle's build put there, so it changes with the version: tests/app/test_plotly_files.py.
STYLE_IDS = (
    "plotly.js-style-global",
    "9f215cf04c5486422605d13261cb87401f4e7763b6296af81e98efbc0130da53",
)
# What every figure is drawn with: no toolbar of Plotly's (one of its buttons would upload the
# data), no formulas, no address of anybody else.
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


class PlotlyFinder(BaseFinder):
    """Makes `static/plotly/plotly.min.js` the file inside the installed package."""

    storage = FileSystemStorage(location=FOLDER, base_url="")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.storage.prefix = os.path.dirname(NAME)

    def check(self, **kwargs: Any) -> list[Any]:
        return []

    def find(self, path: str, find_all: bool = False, **kwargs: Any) -> str | list[str]:
        if path != NAME:
            return []
        found = str(FOLDER / os.path.basename(NAME))
        return [found] if find_all else found

    def list(self, ignore_patterns: Any) -> Iterator[tuple[str, FileSystemStorage]]:
        yield os.path.basename(NAME), self.storage


@functools.cache
def plotly_script() -> str:
    """The library's text, for a report that must open without this site."""
    return (FOLDER / os.path.basename(NAME)).read_text(encoding="utf-8")
