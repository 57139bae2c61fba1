"""The results document as a file: all numbers, and the author's words in every language."""

from typing import Any

from surveys.exports.snapshot import released_content
from surveys.models import Launch
from surveys.results_document.document import plain


def results_document(launch: Launch, step: int) -> dict[str, Any]:
    """Return the document of the latest release; raises MovingError if there is none."""
    launch = launch.in_language("")
    document: dict[str, Any] = plain(released_content(launch, step))
    # Its texts are those of the parameters, and so are they in every further language.
    translations = launch.served_at(step).document().get("translations")
    return {**document, "translations": translations} if translations else document
