"""The senders of a roster's responses: each response is of one member who has answered.

What is written past the application may name another member, or one twice. Then nobody can tell
which response is that member's: none of them is counted, and the others are.
"""

from collections import Counter
from collections.abc import Iterable

from surveys.models import Launch, Member, Submission, Tally
from surveys.parameters import Roster
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


def of_one_member_each(contents: Iterable[Content], roster: Roster) -> list[Content]:
    """The stored reports without those of members of whom there are several, or who are unknown."""
    places = roster.places
    known = [content for content in contents if _member_of(content) in places]
    times = Counter(map(_member_of, known))
    return [content for content in known if times[_member_of(content)] == 1]


def _counted(launch: Launch) -> set[str]:
    """The members with a report in a tally."""
    roster, spaces = launch.parameters.roster, tally_spaces(launch.parameters)
    by_member = {key for key, space in spaces.items() if space.from_members}
    codes = roster.codes if roster else ()
    return {
        codes[int(place)]
        for tally in Tally.objects.filter(launch=launch)
        if (tally.table, tally.stratum) in by_member
        for place in tally.counts
    }


def _member_of(content: Content) -> str:
    member = content.get("member")
    return member if isinstance(member, str) else ""
