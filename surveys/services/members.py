"""Members of a roster who answer by their personal links: what they see, and what they send."""

from dataclasses import dataclass
from typing import Any

from django.db import transaction

from surveys.exceptions import AlreadyAnsweredError, UnknownSenderError
from surveys.models import Launch, Member, Receipt, Submission
from surveys.models.insert import insert_rows
from surveys.models.launch import InForce
from surveys.models.member import LONGEST_CODE
from surveys.responses.envelope import ParsedSubmission, with_member
from surveys.services.personal_links import claim, handle_of, member_of


@dataclass(frozen=True, slots=True)
class Person:
    """The holder of a link: the code, and the names of all members in the order of the roster.

    `names` is None while nobody can answer, once the member has answered, and once they were
    deleted. `handle` is the same for every link of a member: a browser that several share keeps
    their drawn reports apart by it, and it names nobody.
    """

    member: str
    handle: str
    names: list[str] | None
    answered: bool

    @property
    def padding(self) -> int:
        """How many characters more the longest code has: the length of an answer is no name."""
        return LONGEST_CODE - len(self.member)

    def as_json(self) -> dict[str, Any]:
        return {
            "member": self.member,
            "handle": self.handle,
            "names": self.names,
            "answered": self.answered,
        }


def person_of(*, launch: InForce, link: str) -> Person:
    """The member with this link, to a survey whose launch this is; raises UnknownSenderError."""
    member = _member(launch.pk, link)
    is_asked = launch.accepting and not member.answered
    names = names_of(member.survey_id) if is_asked else None
    return Person(member.code, handle_of(member), names, member.answered)


def names_of(survey_id: int) -> list[str] | None:
    """The names on a survey's roster, in its order; None once they were deleted."""
    rows = Member.objects.filter(survey=survey_id).order_by("place")
    names = list(rows.values_list("name", flat=True))
    return names if all(names) else None


@transaction.atomic
def store_under_link(
    *, launch_id: int, parsed: ParsedSubmission, receipt: Receipt, content: dict[str, Any]
) -> None:
    """Store the one response of a member.

    Raises UnknownSenderError, AlreadyAnsweredError, and IntegrityError where there is a response
    with the same submission id.
    """
    member = _member(launch_id, parsed.own["link"])
    # If two tabs send at once the database lets one through; the other waits and is told.
    if not claim(member):
        raise AlreadyAnsweredError("A response has been stored under this personal link.")
    whole = with_member(content, member.code)
    insert_rows(receipt, Submission(pk=parsed.submission, launch_id=launch_id, content=whole))


def _member(launch_id: int, link: str) -> Member:
    survey_id = Launch.objects.values_list("survey_id", flat=True).get(pk=launch_id)
    member = member_of(survey_id, link)
    if member is None:
        rule = "This survey has no such personal link, or has it no longer."
        raise UnknownSenderError(rule, code="unknown_link")
    return member
