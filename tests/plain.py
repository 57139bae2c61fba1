"""Results as plain JSON types, as whoever downloads them has them.

Each document is read back first: what is not of its type is not written unnoticed.
"""

import json
from typing import Any

from surveys.models import Launch
from surveys.results.document import results_document as typed_document
from surveys.results.release import release_of
from surveys.results_document.document import Results, plain, read_results
from surveys.results_document.parts import Part


def results_document(*about: Any, **how: Any) -> dict[str, Any]:
    """Return the results document of these parameters and tallies."""
    return checked(typed_document(*about, **how))


def content_of(launch: Launch, step: int = 0) -> Any:
    """Return what a launch has released; None where that is nothing."""
    content = release_of(launch, step).content
    return None if content is None else checked(content)


def checked(results: Results) -> dict[str, Any]:
    """Return a document as JSON has it, once it is of its types to the last number."""
    document: dict[str, Any] = as_json(results)
    assert read_results(document) == results
    return document


def as_json(part: Part) -> Any:
    return json.loads(json.dumps(plain(part)))
