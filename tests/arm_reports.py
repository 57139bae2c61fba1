"""Reports of people in the arms of a survey, stored as if the server had put them there."""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from surveys.models import Launch, Submission
from surveys.parameters import Parameters, strata_of_devices
from surveys.responses.counting import count
from surveys.results.document import results_document
from surveys.results_document.document import Results
from surveys.services.results import refresh_results
from tests.builders import launched
from tests.plain import checked

DRUG = {"name": "drug", "split_epsilon": Decimal("0.5"), "asked_directly": True}
ABSENCE = {
    "name": "absence",
    "kind": "single_choice",
    "text": "Why were you away?",
    "options": ["Ill", "Not ill", "Never"],
    "asked_directly": True,
}
THEFT = {"name": "theft", "text": "Have you ever taken something home?"}
SIZE = {
    "name": "size",
    "kind": "single_choice",
    "text": "How many people work there?",
    "options": ["Few", "Some", "Many"],
    "randomized": False,
}
QUESTIONS = (DRUG, ABSENCE, THEFT, SIZE)
TABLES = [["drug", "size"], ["drug", "absence"], ["theft", "size"]]
# An arm, and what somebody in it reports by device.
Person = tuple[str, Mapping[str, int]]


def arms_survey(**values: Any) -> Launch:
    """An open survey in which 50, 20 and 30 of 100 people are in the page's, split and direct arm.

    Nobody has answered yet.
    """
    shares = {"split_share": 20, "direct_share": 30, "release_threshold": 5}
    given = {"questions": QUESTIONS, "linkage": "together", "budget": 4}
    if values.get("linkage", "together") == "together":
        given["cross_tables"] = TABLES
    return launched(**{**given, **shares, **values})


def content_of(parameters: Parameters, person: Person) -> dict[str, Any]:
    """Return what is stored of one response."""
    arm, reports = person
    strata = strata_of_devices(parameters, arm)
    return {"reports": dict(reports), "strata": {name: strata[name] for name in reports}}


def store(launch: Launch, people: Iterable[Person]) -> Launch:
    """Put their responses into the results."""
    Submission.objects.bulk_create(
        Submission(pk=uuid.uuid4(), launch=launch, content=content_of(launch.parameters, person))
        for person in people
    )
    refresh_results(launch_id=launch.pk)
    launch.refresh_from_db()
    return launch


def document_of(launch: Launch, people: Sequence[Person]) -> dict[str, Any]:
    """The results of these people, without a database, as JSON has them."""
    return checked(results_of(launch, people))


def results_of(launch: Launch, people: Sequence[Person]) -> Results:
    parameters = launch.parameters
    contents = [content_of(parameters, person) for person in people]
    return results_document(parameters, launch.digest, count(contents, parameters), len(people))


def in_arm(arm: str, count: int, yes: int) -> list[Person]:
    """So many people of one arm, the first of whom say or send yes; all else is spread evenly."""
    return [
        (
            arm,
            {
                "drug": int(number < yes),
                "absence": number % 3,
                "theft": number // 2 % 2,
                "size": number // 3 % 3,
            },
        )
        for number in range(count)
    ]


def everybody(page: int = 100, split: int = 60, direct: int = 40) -> list[Person]:
    """People of all arms; 45, 42 and 10 in a hundred of them say or send yes."""
    return [
        *in_arm("page", page, page * 45 // 100),
        *in_arm("split", split, split * 42 // 100),
        *in_arm("direct", direct, direct // 10),
    ]


def entry_of(launch: Launch, name: str = "drug") -> dict[str, Any]:
    content = launch.results.get().content
    return next(question for question in content["questions"] if question["id"] == name)


def arm_of(launch: Launch, stratum: str, name: str = "drug") -> dict[str, Any]:
    return next(arm for arm in entry_of(launch, name)["arms"] if arm["stratum"] == stratum)
