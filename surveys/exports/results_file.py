"""The released results as one document, in all languages of the survey's texts."""

from typing import Any

from surveys.results.release import Release, release_of
from surveys.results_document.document import plain


def results_file(release: Release) -> dict[str, Any] | None:
    """Return it as types that JSON can write; None where nothing is released."""
    launch = release.launch.in_language("")
    content = release_of(launch, release.step).content
    if content is None:
        return None
    # Its texts are those of the parameters, and so are they in every further language.
    translations = launch.served_at(release.step).document().get("translations")
    further = {"translations": translations} if translations else {}
    return {**plain(content), **further}
