"""What respondents read about the site."""

from dataclasses import dataclass

from django.http import QueryDict

from surveys.features.parts import PagePart
from surveys.features.privacy_notice.author import site_texts
from surveys.features.privacy_notice.forms import LABELS
from surveys.features.privacy_notice.section import KEYS, frozen_texts
from surveys.features.privacy_notice.settings import own_texts
from surveys.models import Survey
from surveys.parameters import Parameters
from surveys.views.parts import Shown

SLOTS = {"asks": "features/privacy_notice/asks.html"}


@dataclass(frozen=True, slots=True)
class Line:
    """`text`: as it was at launch; `today`: what the site says since then, where it differs."""

    label: str
    text: str
    today: str


class NoticeOnPage(PagePart):
    def shown(
        self, parameters: Parameters, survey: Survey, preview: QueryDict | None
    ) -> Shown | None:
        frozen, today, own = (
            frozen_texts(parameters),
            site_texts(survey.language),
            own_texts(survey),
        )
        lines = []
        for key in KEYS:
            text = frozen.get(key, "")
            # What an author wrote in its place stays.
            now = "" if getattr(own, key) or today[key] == text else today[key]
            if text or now:
                lines.append(Line(str(LABELS[key]), text, now))
        return Shown(SLOTS, lines) if lines else None
