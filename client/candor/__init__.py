"""Run a study on a Candor site from Python or the command line.

>>> from candor import Candor
>>> with Candor("https://survey.example.org", token) as site:  # doctest: +SKIP
...     survey = site.create("health.json").survey
...     survey = site.launch(survey, site.check(survey))
"""

from candor.documents import (
    Analysis,
    Broken,
    Checks,
    Delivery,
    FileFacts,
    Finding,
    Fit,
    Language,
    Languages,
    LaunchFacts,
    Link,
    Member,
    MemberRow,
    Predictor,
    Problem,
    Readable,
    Roster,
    RosterStored,
    Search,
    Statistic,
    Status,
    Stored,
    Survey,
    Text,
    Texts,
    Token,
    Translation,
    Validated,
    Value,
    Webhook,
    WebhookMade,
)
from candor.downloads import Download
from candor.errors import CandorError, JobFailedError, SiteError, UnreachableError
from candor.site import Candor

__version__ = "0.1.0"

__all__ = [
    "Analysis",
    "Broken",
    "Candor",
    "CandorError",
    "Checks",
    "Delivery",
    "Download",
    "FileFacts",
    "Finding",
    "Fit",
    "JobFailedError",
    "Language",
    "Languages",
    "LaunchFacts",
    "Link",
    "Member",
    "MemberRow",
    "Predictor",
    "Problem",
    "Readable",
    "Roster",
    "RosterStored",
    "Search",
    "SiteError",
    "Statistic",
    "Status",
    "Stored",
    "Survey",
    "Text",
    "Texts",
    "Token",
    "Translation",
    "UnreachableError",
    "Validated",
    "Value",
    "Webhook",
    "WebhookMade",
]
