"""The pages and buttons of rosters and their links in the admin, and what its forms ask of them."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from surveys import numbers
from surveys.admin.overview import Tool, tool_of
from surveys.features.parts import Confirmation, DeskPart, Facts, Moment, Place
from surveys.features.roster import link_views, page_views
from surveys.features.roster.forms import KnownAnswersForm
from surveys.features.roster.reading import has_roster, roster_of
from surveys.features.roster.section import PERSONAL
from surveys.models import Question, Survey

WITH_A_ROSTER = {
    Moment.CLONED: gettext_lazy(
        "The copy has no roster: names go into another survey only if you upload them there."
    ),
    Moment.DELETED: gettext_lazy("So does the roster, with names and personal links."),
}


class RosterAtDesk(DeskPart):
    added_on = "roster"
    pages = {
        "roster": ("roster/", page_views.roster),
        "roster_remove": ("roster/remove/", page_views.roster_remove),
        "roster_template": ("roster/template.csv", page_views.roster_template),
        "roster_names": ("roster/delete-names/", page_views.roster_names),
        "links": ("personal-links/", link_views.links),
        "links_make": ("personal-links/make/", link_views.links_make),
        "link_new": ("personal-links/<int:place>/new/", link_views.link_new),
        "link_revoke": ("personal-links/<int:place>/revoke/", link_views.link_revoke),
    }

    def tools(self, survey: Survey) -> Iterator[Tool]:
        """Yield links to the page of the roster: in a draft also of one that was left."""
        labels = {
            Place.TIES: _("Replace the roster") if survey.member_count else _("Upload a roster")
        }
        if _is_personal(survey) or (survey.is_draft and has_roster(survey)):
            labels[Place.MEMBERS] = _("Roster")
        if _is_personal(survey):
            labels[Place.FROZEN] = _("Read the roster")
        for place, label in labels.items():
            yield tool_of(survey, "roster", label, place=place)

    def words(self, survey: Survey, moment: Moment) -> Iterator[str]:
        if moment in WITH_A_ROSTER and has_roster(survey):
            yield str(WITH_A_ROSTER[moment])

    def launch_facts(self, survey: Survey, questions: Sequence[Question]) -> Facts:
        roster = roster_of(survey) if _is_personal(survey) else None
        if roster is None:
            return []
        size = ngettext("%(shown)s member", "%(shown)s members", roster.size)
        freezes = _(
            "Their codes, groups and order freeze; names are kept apart and can be deleted later."
        )
        groups = [", ".join(roster.groups)] if roster.groups else []
        return [(_("Roster"), [size % {"shown": numbers.count(roster.size)}, *groups, freezes])]

    def confirmation(self, survey: Survey, questions: Sequence[Question]) -> Confirmation | None:
        if not _is_personal(survey):
            return None
        size = ngettext(
            "%(shown)s person is on the roster and answers under a link of their own.",
            "%(shown)s people are on the roster, and each answers under a link of their own.",
            survey.member_count,
        )
        lines = [
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
        return Confirmation(_("It will be known who answered"), lines, KnownAnswersForm)


def _is_personal(survey: Survey) -> bool:
    return survey.mode == PERSONAL
