"""The models of features: Django loads them with those of the application."""

from surveys.features.return_codes.models import Participation, Respondent
from surveys.features.roster.models import Member
from surveys.features.tiers.models import Tier

__all__ = ["Member", "Participation", "Respondent", "Tier"]
