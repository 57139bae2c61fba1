"""What respondents read about the site."""

from dataclasses import dataclass

from django.http import QueryDict

from surveys.features.parts import PagePart
from surveys.features.privacy_notice.author import site_texts
from surveys.features.privacy_notice.section import frozen_texts
from surveys.features.privacy_notice.settings import LABELS, own_texts
from surveys.models import Survey
from surveys.parameters import Parameters
from surveys.views.parts import Shown

FOLDER = "features/privacy_notice"
SLOTS = {place: f"{FOLDER}/{place}.html" for place in ("asks", "withdrawn")}
# What stands below the program's own words about it.
WITHDRAWAL = "withdrawal"


@dataclass(frozen=True, slots=True)
class Line:
    """`text`: as it was at launch; `today`: what the site says since then, where it differs."""

    label: str
    text: str
    today: str


@dataclass(frozen=True, slots=True)
class Notice:
    """What the templates read: the lines, and that on withdrawal by itself."""

    lines: list[Line]
    withdrawal: Line | None


class NoticeOnPage(PagePart):
    def shown(
        self, parameters: Parameters, survey: Survey, preview: QueryDict | None
    ) -> Shown | None:
        frozen, own = frozen_texts(parameters), own_texts(survey)
        lines = {}
        for key, says in site_texts(survey.language).items():
            text = frozen.get(key, "")
            # What an author wrote in its place stays.
            today = "" if getattr(own, key) or says == text else says
            if text or today:
                lines[key] = Line(str(LABELS[key]), text, today)
        withdrawal = lines.pop(WITHDRAWAL, None)
        notice = Notice([*lines.values()], withdrawal)
        return Shown(SLOTS, notice) if lines or withdrawal else None
