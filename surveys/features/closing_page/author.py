"""What a launch freezes of the last screen, and what stands against a launch."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from surveys.author_texts import paragraphs
from surveys.authoring.checks.epsilon import Finding
from surveys.features.closing_page.section import (
    KEY,
    NAME,
    ClosingPage,
    Ending,
    Panel,
    host_of,
    is_address,
)
from surveys.features.closing_page.settings import ClosingSettings, closing_of
from surveys.features.parts import AuthorPart
from surveys.models import Question, Survey

WAYS = ("complete", "full", "screened")


def problems_of(settings: ClosingSettings) -> Iterator[tuple[str, str]]:
    """Yield what of the settings cannot be frozen: the name of each, and why."""
    addresses = {f"{way}_address": getattr(settings, f"{way}_address") for way in WAYS}
    given = {name: address for name, address in addresses.items() if address}
    for name, address in given.items():
        if not is_address(address):
            yield (
                name,
                _(
                    "Write an address that begins with https://, without spaces, with {id} behind "
                    "a ? or a #, such as https://panel.example/done?id={id}."
                ),
            )
    if len({host_of(address) for address in given.values()}) > 1:
        words = _("Respondents are told where the button leads: let all addresses have one host.")
        yield next(iter(given)), words
    if given and not settings.panel.strip():
        yield "panel", _("Say to whom the button leads: “Back to” stands before it.")
    if given and not re.fullmatch(KEY, settings.key):
        yield "key", _("Write a letter, then letters, digits, - or _, 32 at most.")


class ClosingPageForAuthors(AuthorPart):
    def is_used(self, survey: Survey, questions: Sequence[Question]) -> bool:
        settings = closing_of(survey)
        texts = any(paragraphs(getattr(settings, f"{way}_text")) for way in WAYS)
        return texts or any(getattr(settings, f"{way}_address") for way in WAYS)

    def freeze(self, survey: Survey, questions: Sequence[Question]) -> Mapping[str, Any]:
        if not self.is_used(survey, questions):
            return {}
        settings = closing_of(survey)
        endings = {
            way: Ending(
                text=paragraphs(getattr(settings, f"{way}_text")),
                address=getattr(settings, f"{way}_address") or None,
            )
            for way in WAYS
        }
        has_button = any(ending.address for ending in endings.values())
        panel = Panel(name=settings.panel.strip(), key=settings.key) if has_button else None
        return {NAME: ClosingPage(panel=panel, **endings)}

    def texts(self, survey: Survey, questions: Sequence[Question]) -> Sequence[str]:
        settings = closing_of(survey)
        return [*(getattr(settings, f"{way}_text") for way in WAYS), settings.panel]

    def findings(self, survey: Survey, questions: Sequence[Question]) -> Iterator[Finding]:
        for _name, words in problems_of(closing_of(survey)):
            message = _("The last screen: %s") % words
            yield Finding("closing_page", message, blocks=True)
