"""Run a study on a Candor site from Python or the command line.

>>> from candor import Candor
>>> with Candor("https://survey.example.org", token) as site:  # doctest: +SKIP
...     survey = site.push("health.json")
...     site.launch(survey, site.check(survey))
"""

from candor.documents import (
    Broken,
    Checks,
    Finding,
    LaunchFacts,
    Problem,
    Status,
    Stored,
    Survey,
    Token,
    Validated,
)
from candor.errors import CandorError, JobFailedError, SiteError, UnreachableError
from candor.site import Candor

__version__ = "0.1.0"

__all__ = [
    "Broken",
    "Candor",
    "CandorError",
    "Checks",
    "Finding",
    "JobFailedError",
    "LaunchFacts",
    "Problem",
    "SiteError",
    "Status",
    "Stored",
    "Survey",
    "Token",
    "UnreachableError",
    "Validated",
]
