"""The part of rosters for answers: what members see and send, under a personal link each."""

import uuid
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Count

from surveys.exceptions import AlreadyAnsweredError, UnknownSenderError
from surveys.features.parts import AnswersPart
from surveys.features.roster.changes import nameless_words, names_deleted
from surveys.features.roster.links import claim, handle_of, member_of
from surveys.features.roster.models import LONGEST_CODE, Member
from surveys.features.roster.section import KEY
from surveys.features.roster.senders import not_to_be_counted, of_one_member_each
from surveys.models import Launch, Receipt, Submission, Survey
from surveys.models.insert import insert_rows
from surveys.models.launch import InForce
from surveys.parameters import Parameters
from surveys.responses.counting import Content
from surveys.responses.envelope import ParsedSubmission, with_member


class AnswersOfMembers(AnswersPart):
    def countable(self, contents: Iterable[Content], parameters: Parameters) -> Iterable[Content]:
        # A roster has few members.
        members = parameters.members
        return of_one_member_each(contents, members) if members else contents

    def not_to_be_counted(
        self, launch: Launch, contents: Mapping[uuid.UUID, Content]
    ) -> list[uuid.UUID]:
        return not_to_be_counted(launch, contents) if launch.parameters.members else []

    def why_closed(self, survey: Survey) -> str:
        return nameless_words() if names_deleted(survey) else ""

    def cut_off(self, before: datetime) -> Iterator[tuple[str, str]]:
        states = (Survey.State.OPEN, Survey.State.CLOSED)
        sent = Member.objects.filter(answered=False, survey__state__in=states)
        sent = sent.exclude(link_hash="").filter(survey__launches__launched_at__lt=before)
        counts = sent.order_by("survey__slug").values("survey__slug")
        counts = counts.annotate(number=Count("pk", distinct=True))
        for slug, number in counts.values_list("survey__slug", "number"):
            yield slug, f"up to {number} members need another link: theirs are unanswered"


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
    member = _member(launch_id, parsed.own[KEY.name])
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
