"""The models of features: Django loads them with those of the application."""

from surveys.features.free_texts.models import WrittenText
from surveys.features.pilots.models import DependenceRun
from surveys.features.privacy_notice.models import SiteNotice
from surveys.features.return_codes.models import Participation, Respondent
from surveys.features.roster.models import Member
from surveys.features.tiers.models import Tier

__all__ = [
    "DependenceRun",
    "Member",
    "Participation",
    "Respondent",
    "SiteNotice",
    "Tier",
    "WrittenText",
]
