"""`python -m benchmarks.soak.books`: the surveys and accounts of a soak, and what is stored."""

from typing import Any

from benchmarks.drills import books
from tests.system.answering_process import answer_by

PILOTED = 4
READER = "reader"


def accounts() -> dict[str, str]:
    """The names of an author and of a researcher, and their password."""
    from tests.builders import PASSWORD, make_user, owner

    make_user(READER)
    return {"author": owner().username, "reader": READER, "password": PASSWORD}


def lasting(name: str, batch: int) -> list[dict[str, Any]]:
    """Surveys that anybody answers: single questions, a group of questions, a pilot.

    There is a release in so many responses, of which files and results are for a while. Fewer than
    that would stay in the inbox for ever.
    """
    return [make(name, batch) for make in (_single, _joint, _pilot)]


def _single(name: str, batch: int) -> dict[str, Any]:
    launch = _launched(f"single-{name}", batch, questions=[{}, books.CHOICES])
    return _order(launch, sizes={"q1": 2, "q2": 3})


def _joint(name: str, batch: int) -> dict[str, Any]:
    questions = [{"group": 1}, {"group": 1, **books.CHOICES}, {}]
    return _order(
        _launched(f"joint-{name}", batch, questions=questions), sizes={"group_1": [2, 3], "q3": 2}
    )


def _pilot(name: str, batch: int) -> dict[str, Any]:
    questions: list[dict[str, Any]] = [{} for _ in range(PILOTED)]
    launch = _launched(f"pilot-{name}", batch, questions=questions, pilot=True, budget=2)
    devices = launch.document["devices"]
    return _order(launch, sizes={}) | {"pairs": {each["stratum"]: [2, 2] for each in devices}}


def _launched(slug: str, batch: int, **values: Any) -> Any:
    from django.contrib.auth.models import User

    from tests.builders import launched

    launch = launched(slug=slug, linkage="together", release_batch=batch, **values)
    launch.survey.researchers.add(User.objects.get(username=READER))
    return launch


def _order(launch: Any, sizes: dict[str, Any]) -> dict[str, Any]:
    names = {"slug": launch.survey.slug, "digest": launch.digest}
    return {"sort": books.PLAIN, "sizes": sizes, "bits": {}, "keys": [], **names}


def once(name: str, people: int) -> list[dict[str, Any]]:
    """Surveys of so many people, each of whom answers once: a second wave, and a roster."""
    return [books.second_wave(f"{name}-wave", people), books.roster(f"{name}-roster", people)]


def close(slug: str) -> None:
    """Close it, which releases what was still waiting for its batch."""
    from surveys.models import Survey
    from surveys.services.transitions import close_survey

    close_survey(survey=Survey.objects.get(slug=slug), actor=None)


def clusters(slug: str) -> str:
    """The address of the page of a pilot's clusters."""
    from surveys.models import Survey

    return f"/admin/surveys/survey/{Survey.objects.get(slug=slug).pk}/clusters/"


COMMANDS = {
    **books.COMMANDS,
    "accounts": accounts,
    "lasting": lasting,
    "once": once,
    "close": close,
    "clusters": clusters,
}


if __name__ == "__main__":
    answer_by(COMMANDS)
