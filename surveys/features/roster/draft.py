"""The part of rosters for drafts: how many people a draft knows."""

from surveys.features.parts import DraftPart
from surveys.features.roster.models import Member
from surveys.features.roster.section import PERSONAL
from surveys.models import Survey


class RosterOfADraft(DraftPart):
    def member_count(self, survey: Survey) -> int:
        is_personal = survey.mode == PERSONAL
        return Member.objects.filter(survey=survey.pk).count() if is_personal else 0
