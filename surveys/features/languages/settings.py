"""The translations of a draft, as they are stored: those of a question with the question.

So they follow a question that is renamed, moved, copied or brought back, and definitions have them.
"""

from collections.abc import Mapping

import msgspec

from surveys.features.settings import (
    HasFeatures,
    WithFeatures,
    read_settings,
    stored,
    write_settings,
)

NAME = "languages"
# Where the texts of a question begin: their paths in a question have none of this.
OF_QUESTION = "questions."


@stored
class Translated(msgspec.Struct, frozen=True):
    """`source`: the text that was translated, by which a translation is known to be stale."""

    text: str
    source: str


@stored
class Translations(msgspec.Struct, frozen=True):
    """`texts`: by language and path; of a question by the path within it."""

    texts: dict[str, dict[str, Translated]] = {}


def translations_of(holder: WithFeatures) -> Mapping[str, Mapping[str, Translated]]:
    """Return the translations of a survey without its questions, or of one question."""
    return read_settings(holder.features, NAME, Translations).texts


def set_translations(
    holder: HasFeatures, language: str, texts: Mapping[str, Translated] | None
) -> None:
    """Set those of one language; None takes the language away."""
    others = {key: dict(each) for key, each in translations_of(holder).items() if key != language}
    added = {} if texts is None else {language: dict(texts)}
    write_settings(holder, NAME, Translations(others | added))
