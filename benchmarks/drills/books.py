"""`python -m benchmarks.drills.books`: make the surveys of a drill, and audit what is stored."""

import json
from typing import Any

from tests.system.answering_process import answer_by

PLAIN, RETURNING, ROSTER = "plain", "returning", "roster"
CHOICES = {"kind": "single_choice", "options": ["a", "b", "c"]}


def prepare(drill: str, members: int) -> list[dict[str, Any]]:
    """Surveys of every sort under load: two without a mode, a second wave, and a roster."""
    from tests.builders import launched

    first, second = (
        launched(slug=f"{drill}-{name}", linkage="together", questions=[{}, CHOICES])
        for name in ("one", "two")
    )
    return [
        _order(first, PLAIN, []),
        _order(second, PLAIN, []),
        second_wave(f"{drill}-wave", members),
        roster(f"{drill}-roster", members),
    ]


def _order(launch: Any, sort: str, keys: list[str]) -> dict[str, Any]:
    """What a sender has to know of a survey; `keys` are codes or links of people."""
    return {
        "sort": sort,
        "slug": launch.survey.slug,
        "digest": launch.digest,
        # How many reports there are to each device; and the bits of one about the roster.
        "sizes": {"q1": 2, "q2": 3 if sort == PLAIN else 2} if sort != ROSTER else {"smokes": 2},
        "bits": {"friends": len(keys) - 1} if sort == ROSTER else {},
        "keys": keys,
    }


def second_wave(slug: str, people: int) -> dict[str, Any]:
    """The second wave of a survey with return codes, whose first one half of them have answered;
    so have two who never come back.
    """
    from surveys.services.responses import record_response
    from tests.builders import response
    from tests.waves import coded_launch, new_code, next_wave

    first = coded_launch(slug=slug, questions=[{}, {"epsilon": "0.5"}], release_batch=1)
    codes = [new_code() for _ in range(people)]
    for code in [*codes[::2], new_code(), new_code()]:
        record_response(launch=first, body=_encoded(response(first) | {"code": code}))
    return _order(next_wave(first, q1="2", q2="1"), RETURNING, codes)


def _encoded(body: dict[str, Any]) -> bytes:
    return json.dumps(body).encode()


def roster(slug: str, members: int) -> dict[str, Any]:
    from tests.rosters import SMOKES, TIES, launched_network, links_of, roster_rows

    launch = launched_network(roster_rows(members), slug=slug, questions=(TIES[0], SMOKES))
    return _order(launch, ROSTER, list(links_of(launch.survey).values()))


def store_silently(slug: str) -> None:
    """A survey with a response of which no worker is told: the clock has to have it looked for."""
    from surveys.jobs import queue
    from surveys.services.responses import record_response
    from tests.builders import launched, response

    queue.gather = lambda _kind, _subject: None
    launch = launched(slug=slug)
    record_response(launch=launch, body=_encoded(response(launch)))


def waiting(slug: str) -> int:
    """How many responses to the survey have yet to be counted."""
    return _launch(slug).inbox.count()


def audit(slug: str) -> dict[str, Any]:
    """All that is stored of the newest launch, counted in each place where it stands."""
    from surveys.features.roster.models import Member
    from surveys.responses import tallies
    from surveys.responses.acknowledged import unaccounted

    launch = _launch(slug)
    stored = {f"{each.table}/{each.stratum}": each.counts for each in launch.tallies.all()}
    recount = {"/".join(key): counts for key, counts in tallies.recount(launch).items()}
    contents = launch.report_sets.values_list("content", flat=True)
    members = [content["member"] for content in contents if "member" in content]
    result = launch.results.order_by("step").first()
    return {
        "receipts": [str(key) for key in launch.receipts.values_list("submission", flat=True)],
        "inbox": launch.inbox.count(),
        "aggregated": launch.aggregated,
        "report_sets": launch.report_sets.count(),
        "tallies": stored,
        "recount_agrees": stored == recount,
        "unaccounted": unaccounted().get(launch.pk, 0),
        "members": len(members),
        "different_members": len(set(members)),
        "members_answered": Member.objects.filter(survey=launch.survey_id, answered=True).count(),
        "in_results": result.responses if result else 0,
    }


def migrated() -> list[str]:
    """The app's migrations that this database has had."""
    from django.db import connection
    from django.db.migrations.recorder import MigrationRecorder

    return sorted(
        name for app, name in MigrationRecorder(connection).applied_migrations() if app == "surveys"
    )


def _launch(slug: str) -> Any:
    from surveys.models import Launch

    launches = Launch.objects.select_related("survey").filter(survey__slug=slug)
    return launches.order_by("-wave").first()


COMMANDS = {
    "prepare": prepare,
    "store_silently": store_silently,
    "waiting": waiting,
    "audit": audit,
    "migrated": migrated,
}


if __name__ == "__main__":
    answer_by(COMMANDS)
