"""The publications of one survey: the items of each of its launches, as bytes."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from django.db import connection
from django.test import Client
from django.urls import URLPattern, reverse

from surveys.features.pilots.models import DependenceRun
from surveys.models import AnalysisFit, Launch, WeightedShares
from surveys.urls import fits, researcher
from tests.builders import owner

Items = Iterator[tuple[str, bytes]]

MOST_BLOCKS = 100
# When results were computed, as far as anybody is told.
MOMENT = datetime(2026, 11, 26, 12, tzinfo=UTC)


def canonical(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, indent=1).encode()


def items_of(launches: list[Launch]) -> dict[str, bytes]:
    """Return all items of a survey, by name."""
    items = {}
    for launch in launches:
        launch.results.update(computed_at=MOMENT)
        wave = f"wave {launch.wave}: " if len(launches) > 1 else ""
        items |= {wave + name: content for name, content in _of_launch(launch)}
    return items | dict(_downloads(launches[-1]))


def _of_launch(launch: Launch) -> Items:
    yield "digest", launch.digest.encode()
    yield "parameters", canonical(_column(launch, "parameters"))
    yield "document", canonical(launch.document)
    for result in launch.results.order_by("step"):
        yield f"results {result.step}", canonical(result.content)
        yield f"base {result.step}", canonical(result.base)
    for run in DependenceRun.objects.filter(launch=launch):
        yield "dependence", canonical(run.content)
    for model in (AnalysisFit, WeightedShares):
        for number, fit in enumerate(model.objects.filter(launch=launch).order_by("pk")):
            found = [fit.responses, fit.digest, fit.content, fit.refusal]
            yield f"{model._meta.model_name} {number}", canonical(found)


def _column(launch: Launch, name: str) -> Any:
    """Return the JSON of a column as it is in the database."""
    quote = connection.ops.quote_name
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {quote(name)} FROM {quote(Launch._meta.db_table)} WHERE id = %s", [launch.pk]
        )
        (text,) = cursor.fetchone()
    return json.loads(text) if isinstance(text, str) else text


def _downloads(launch: Launch) -> Items:
    """Return every file that is no page, as the author of the survey gets it."""
    client = Client(headers={"Accept-Language": launch.survey.language})
    client.force_login(owner())
    tiers = range(1, len(launch.parameters.tiers) + 1)
    for query in [f"?tier={tier}" for tier in tiers] or ["?"]:
        for name, address in _files(launch):
            yield f"{name} {query[1:]}".strip(), _body(client, address + query)
            # Made-up people have a file for each block of questions.
            for block in range(2, MOST_BLOCKS) if name.startswith("synthetic") else ():
                body = _body(client, f"{address}{query}&block={block}")
                if body.isdigit():
                    break
                yield f"{name} {query[1:]} block {block}", body


def _files(launch: Launch) -> Iterator[tuple[str, str]]:
    """Return the address of each file by its name, those of analyses with their numbers."""
    slug = launch.survey.slug
    for pattern in filter(_is_file, researcher):
        yield pattern.name, reverse(pattern.name, args=[slug])
    numbers = AnalysisFit.objects.filter(launch=launch, step=0).order_by("number")
    for number in numbers.values_list("number", flat=True):
        for pattern in filter(_is_file, fits):
            yield f"{pattern.name} {number}", reverse(pattern.name, args=[slug, number])


def _is_file(pattern: URLPattern) -> bool:
    """Whether an address ends in a file name, and not in that of a page."""
    _, dot, ending = str(pattern.pattern).rpartition(".")
    return bool(dot) and "/" not in ending and ending != "html"


def _body(client: Client, address: str) -> bytes:
    """Return the file, or of one that there is not its status."""
    answer = client.get(address)
    body = answer.getvalue() if answer.streaming else answer.content
    return body if answer.status_code == 200 else str(answer.status_code).encode()
