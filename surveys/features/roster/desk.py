"""The pages and buttons of rosters and their links in the admin, and what its forms ask of them."""

from collections.abc import Sequence

from django.forms import Form
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from surveys import numbers
from surveys.admin.overview import Tool, tool_of
from surveys.admin.routes import Pages
from surveys.features.parts import DeskPart
from surveys.features.roster import link_views, page_views
from surveys.features.roster.forms import KnownAnswersForm
from surveys.features.roster.reading import has_roster, roster_of
from surveys.features.roster.section import PERSONAL
from surveys.models import Question, Survey


class RosterAtDesk(DeskPart):
    @property
    def pages(self) -> Pages:
        return {
            "roster": ("roster/", page_views.roster),
            "roster_remove": ("roster/remove/", page_views.roster_remove),
            "roster_template": ("roster/template.csv", page_views.roster_template),
            "roster_names": ("roster/delete-names/", page_views.roster_names),
            "links": ("personal-links/", link_views.links),
            "links_make": ("personal-links/make/", link_views.links_make),
            "link_new": ("personal-links/<int:place>/new/", link_views.link_new),
            "link_revoke": ("personal-links/<int:place>/revoke/", link_views.link_revoke),
        }

    def tools_of_members(self, survey: Survey) -> list[Tool]:
        """Return the page of the roster: in a draft also of one that was left from before."""
        is_there = _is_personal(survey) or (survey.is_draft and has_roster(survey))
        return [tool_of(survey, "roster", _("Roster"))] if is_there else []

    def tool_for_sending(self, survey: Survey) -> Tool | None:
        return tool_of(survey, "links", _("Personal links")) if _is_personal(survey) else None

    def links_of_ties(self, survey: Survey) -> list[Tool]:
        label = _("Replace the roster") if survey.member_count else _("Upload a roster")
        return [tool_of(survey, "roster", label)]

    def launch_facts(
        self, survey: Survey, questions: Sequence[Question]
    ) -> list[tuple[str, list[str]]]:
        roster = roster_of(survey) if _is_personal(survey) else None
        if roster is None:
            return []
        size = ngettext("%(shown)s member", "%(shown)s members", roster.size)
        freezes = _(
            "Their codes, groups and order freeze; names are kept apart and can be deleted later."
        )
        groups = [", ".join(roster.groups)] if roster.groups else []
        return [(_("Roster"), [size % {"shown": numbers.count(roster.size)}, *groups, freezes])]

    def frozen_links(self, survey: Survey) -> list[Tool]:
        return [tool_of(survey, "roster", _("Read the roster"))] if _is_personal(survey) else []

    def share_template(self, survey: Survey) -> str:
        return "features/roster/share.html" if _is_personal(survey) else ""

    def launch_warning(
        self, survey: Survey, questions: Sequence[Question]
    ) -> tuple[str, list[str]] | None:
        if not _is_personal(survey):
            return None
        size = ngettext(
            "%(shown)s person is on the roster and answers under a link of their own.",
            "%(shown)s people are on the roster, and each answers under a link of their own.",
            survey.member_count,
        )
        return _("It will be known who answered"), [
            size % {"shown": numbers.count(survey.member_count)},
            _(
                "That somebody answered is stored with their code, and whoever has the roster can "
                "read it. This is no anonymous survey, and respondents read that too."
            ),
            _(
                "Only what they answer is protected: it is scrambled before it is sent, and each "
                "epsilon below says how well."
            ),
            _(
                "Everybody on the roster reads the names of all the others. Ask them first whether "
                "that is all right."
            ),
        ]

    def confirmation(self, survey: Survey, posted: QueryDict | None) -> Form | None:
        return KnownAnswersForm(posted) if _is_personal(survey) else None

    def launched(self, survey: Survey) -> tuple[str, str] | None:
        if not _is_personal(survey):
            return None
        return _("Launched. Now make the personal links."), "links"

    def cloned_words(self, survey: Survey) -> str:
        if not has_roster(survey):
            return ""
        return _(
            "The copy has no roster: names go into another survey only if you upload them there."
        )

    def deleted_words(self, survey: Survey) -> str:
        return _("So does the roster, with names and personal links.") if has_roster(survey) else ""


def _is_personal(survey: Survey) -> bool:
    return survey.mode == PERSONAL
