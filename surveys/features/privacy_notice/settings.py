"""What an author writes for a survey of which the site says something else, or nothing."""

import msgspec
from django.utils.translation import gettext_lazy

from surveys.features.privacy_notice.section import NAME
from surveys.features.settings import (
    HasFeatures,
    WithFeatures,
    read_settings,
    stored,
    write_settings,
)

# What authors and respondents read above each.
LABELS = {
    "host": gettext_lazy("Who runs this site"),
    "law": gettext_lazy("The law that applies"),
    "retention": gettext_lazy("How long answers are kept"),
    "withdrawal": gettext_lazy("Taking an answer back"),
}


@stored
class NoticeSettings(msgspec.Struct, frozen=True):
    """Texts in place of the site's; what is empty is said as the site says it."""

    host: str = ""
    law: str = ""
    retention: str = ""
    withdrawal: str = ""


def own_texts(survey: WithFeatures) -> NoticeSettings:
    return read_settings(survey.features, NAME, NoticeSettings)


def change_text(survey: HasFeatures, key: str, text: str) -> None:
    """Set one of the texts of a survey."""
    changed = msgspec.structs.replace(own_texts(survey), **{key: text})
    write_settings(survey, NAME, changed)
