"""The senders of a roster's responses: each response is of one member who has answered.

What is written past the application may name another member, or one twice. Then nobody can tell
which response is that member's: none of them is counted, and the others are.
"""

import uuid
from collections import Counter
from collections.abc import Iterable, Mapping

from surveys.features.roster.models import Member
from surveys.models import Launch, Submission, Tally
from surveys.parameters import Members
from surveys.responses.counting import Content, tally_spaces


def doubtful_members(launch: Launch, members: Iterable[str]) -> set[str]:
    """Return the members among these whose responses that wait cannot be counted.

    They have not answered, or were counted before, or more than one response of theirs waits. Who
    was counted is read off the tallies: a member who left out every question about the roster is
    in none of them.
    """
    named = set(members)
    members_with_answers = Member.objects.filter(survey=launch.survey_id, answered=True)
    answered = set(members_with_answers.values_list("code", flat=True))
    waiting = Submission.objects.waiting().filter(launch=launch)
    waiting_members = waiting.values_list("content__member", flat=True)
    # The content of a response that waits may be anything.
    times = Counter(member for member in waiting_members if isinstance(member, str))
    repeated = {member for member, rows in times.items() if rows > 1}
    return (named - answered) | (named & (repeated | _counted(launch)))


def not_to_be_counted(launch: Launch, contents: Mapping[uuid.UUID, Content]) -> list[uuid.UUID]:
    """Return the keys of responses that wait and are of doubtful members of these contents."""
    doubtful = doubtful_members(launch, [content["member"] for content in contents.values()])
    # Responses of the same members that wait outside of the batch are not counted either.
    rows = Submission.objects.waiting().filter(launch=launch, content__member__in=doubtful)
    return list(rows.values_list("pk", flat=True)) if doubtful else []


def of_one_member_each(contents: Iterable[Content], members: Members) -> list[Content]:
    """The stored reports without those of members of whom there are several, or who are unknown."""
    places = members.places
    known = [content for content in contents if _member_of(content) in places]
    times = Counter(map(_member_of, known))
    return [content for content in known if times[_member_of(content)] == 1]


def _counted(launch: Launch) -> set[str]:
    """The members with a report in a tally."""
    members, spaces = launch.parameters.members, tally_spaces(launch.parameters)
    by_member = {key for key, space in spaces.items() if space.from_members}
    codes = members.codes if members else ()
    return {
        codes[int(place)]
        for tally in Tally.objects.filter(launch=launch)
        if (tally.table, tally.stratum) in by_member
        for place in tally.counts
    }


def _member_of(content: Content) -> str:
    member = content.get("member")
    return member if isinstance(member, str) else ""
