"""What an author has set: which questions are answered in one's own words."""

from collections.abc import Sequence
from typing import Any

import msgspec

from surveys.author_texts import one_line
from surveys.features.free_texts.section import NAME
from surveys.features.settings import (
    HasFeatures,
    WithFeatures,
    read_settings,
    stored,
    write_settings,
)

USUAL_LENGTH = 500


@stored
class TextSettings(msgspec.Struct, frozen=True):
    """`questions`: as they are typed, one on each line. `characters`: of an answer at most."""

    questions: str = ""
    characters: int = USUAL_LENGTH

    @property
    def asked(self) -> Sequence[str]:
        return [text for line in self.questions.splitlines() if (text := one_line(line))]


def texts_of(survey: WithFeatures) -> TextSettings:
    return read_settings(survey.features, NAME, TextSettings)


def change_texts(survey: HasFeatures, **values: Any) -> None:
    write_settings(survey, NAME, msgspec.structs.replace(texts_of(survey), **values))
