"""What a launch freezes of the texts about the site."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from surveys.author_texts import paragraphs
from surveys.features.parts import AuthorPart
from surveys.features.privacy_notice.models import SiteNotice
from surveys.features.privacy_notice.section import KEYS
from surveys.features.privacy_notice.settings import own_texts
from surveys.models import Question, Survey


def site_texts(language: str) -> dict[str, str]:
    """Return what the site says in a language, by keys; empty texts where it says nothing."""
    notice = SiteNotice.objects.filter(language=language).values(*KEYS).first()
    return {key: paragraphs(text) for key, text in (notice or dict.fromkeys(KEYS, "")).items()}


class NoticeForAuthors(AuthorPart):
    def is_used(self, survey: Survey, questions: Sequence[Question]) -> bool:
        """Whether a survey says something of its own; what the site says needs no author."""
        return any(map(paragraphs, self.texts(survey, questions)))

    def freeze(self, survey: Survey, questions: Sequence[Question]) -> Mapping[str, Any]:
        own = msgspec.structs.asdict(own_texts(survey))
        texts = {
            key: paragraphs(own[key]) or text for key, text in site_texts(survey.language).items()
        }
        return {key: text for key, text in texts.items() if text}

    def texts(self, survey: Survey, questions: Sequence[Question]) -> Sequence[str]:
        return [*msgspec.structs.asdict(own_texts(survey)).values()]
