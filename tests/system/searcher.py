"""`python -m tests.system.searcher`: searches in a stack's database, by its own services."""

from typing import Any

from tests.system.answering_process import answer_by

# Ten answers under a decreasing distribution: the local search has half a minute's work with it.
LONG_PRIOR = ["0.19", "0.17", "0.15", "0.13", "0.11", "0.09", "0.07", "0.05", "0.03", "0.01"]
SHORT_PRIOR = ["0.5", "0.3", "0.2"]


def draft(slug: str, count: int) -> list[int]:
    """Create a draft survey with this number of questions; returns their ids."""
    from django.contrib.auth.models import User

    from tests.builders import make_survey

    owner, _ = User.objects.get_or_create(username="owner")
    questions = [{"kind": "single_choice", "options": ["a", "b", "c"]}] * count
    survey = make_survey(owned_by=owner, slug=slug, questions=questions)
    return list(survey.questions.values_list("pk", flat=True))


def start(question: int, long: bool) -> int:
    from surveys.models import Question
    from surveys.services import searches

    prior = LONG_PRIOR if long else SHORT_PRIOR
    request = {
        "format": 1,
        "labels": [f"answer {index}" for index in range(len(prior))],
        "prior": prior,
        "origin": {"kind": "typed"},
        "n": 1000,
        "delta": "0.75",
        "epsilon": "1",
        "methods": ["certified", "local"] if long else ["certified"],
        "generations": 10,
        "levels": 25 if long else 3,
        "seed": 0,
    }
    target = Question.objects.get(pk=question)
    return searches.start_search(question=target, request=request, user=None).pk


def stop(search: int) -> None:
    from surveys.models import DesignSearch
    from surveys.services import searches

    searches.stop_search(search=DesignSearch.objects.get(pk=search))


def show(search: int) -> dict[str, Any]:
    from surveys.models import DesignSearch

    row = DesignSearch.objects.get(pk=search)
    fronts = row.content.get("fronts", {})
    return {
        "state": row.state,
        "progress": row.progress,
        "attempt": row.attempt,
        "message": row.message,
        "bound": len(row.content.get("bound", [])),
        "members": {name: len(front["members"]) for name, front in fronts.items()},
    }


def wake(times: int, limit: int) -> list[int]:
    """Send wake-ups with at most `limit` in the queue; returns the length of the queue."""
    from django.conf import settings

    from surveys.jobs import queue
    from surveys.services.results import RECOMPUTE
    from surveys.services.search_runs import SEARCH

    queue.MOST_WAITING = limit
    for number in range(times):
        queue.wake(SEARCH, number)
        queue.wake(RECOMPUTE, number)
    return [queue.broker().llen(name) for name in (settings.SEARCH_QUEUE, settings.QUEUE)]


VERBS = {"draft": draft, "start": start, "stop": stop, "show": show, "wake": wake}


if __name__ == "__main__":
    answer_by(VERBS)
