"""The authors' side: Django admin."""

from surveys.admin.site import CandorAdminSite
from surveys.admin.survey import SurveyAdmin

__all__ = ["CandorAdminSite", "SurveyAdmin"]
