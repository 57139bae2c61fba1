"""Personal links: who has one may answer a survey once, in the name of one member of its roster.

A link is known to whoever makes it and to whoever receives it: here only a keyed hash is stored,
so a link cannot be shown again, and nothing that is logged has one.
"""

from collections.abc import Iterable

from django.db import transaction
from django.utils.translation import gettext as _

from surveys.exceptions import WrongStateError
from surveys.features.roster.models import Member
from surveys.features.roster.section import PERSONAL, is_personal_link, new_link
from surveys.models import Survey
from surveys.services.keyed_hashes import keyed_hashes

HANDLE_LENGTH = 32


@transaction.atomic
def make_links(*, survey: Survey, members: Iterable[Member]) -> list[tuple[Member, str]]:
    """A new link for each of these members who has not answered, in their order.

    An older link of theirs is void from then on. Raises WrongStateError unless the survey is open.
    """
    survey = Survey.objects.select_for_update().get(pk=survey.pk)
    if survey.mode != PERSONAL or survey.state != Survey.State.OPEN:
        raise WrongStateError(no_links_words())
    links = [(member, new_link()) for member in members if member.survey_id == survey.pk]
    return [(member, link) for member, link in links if _give(member, link)]


def _give(member: Member, link: str) -> bool:
    """Store the hash of a link, unless this member has answered meanwhile."""
    newest = _hashes(member.survey_id, link)[0]
    waiting = Member.objects.filter(pk=member.pk, answered=False)
    member.link_hash = newest
    return waiting.update(link_hash=newest) == 1


def revoke(*, member: Member) -> None:
    """Make a member's link void; an answer that has come under it stays."""
    Member.objects.filter(pk=member.pk).update(link_hash="")


def member_of(survey_id: int, link: object) -> Member | None:
    """Return whose link this is; None for one that was never made, or that is void."""
    if not is_personal_link(link):
        return None
    hashes = _hashes(survey_id, str(link))
    return Member.objects.filter(survey_id=survey_id, link_hash__in=hashes).first()


def handle_of(member: Member) -> str:
    """Return what a browser may know a member by: it follows from no code, name or link."""
    text = f"{member.survey_id}:{member.pk}"
    return keyed_hashes("candor.member_handle", text)[0][:HANDLE_LENGTH]


def claim(member: Member) -> bool:
    """Take the one answer of a member whose link has just been looked up.

    False where it has been taken, or where the link was made void meanwhile. One statement: of two
    responses that come at once the database lets one through.
    """
    unclaimed = Member.objects.filter(pk=member.pk, link_hash=member.link_hash, answered=False)
    return unclaimed.update(answered=True) == 1


def _hashes(survey_id: int, link: str) -> list[str]:
    return keyed_hashes("candor.personal_link", f"{survey_id}:{link}")


def no_links_words() -> str:
    """Why a survey has no links to make, on its page and for programs."""
    return _("Only an open survey with personal links can have new ones.")
