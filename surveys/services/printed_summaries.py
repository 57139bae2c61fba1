"""Printed summaries: a file for each language, that of the texts, and choice of weights."""

from collections.abc import Mapping
from typing import IO
from urllib.parse import parse_qsl, urlencode

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext_noop

from surveys.models import ReleaseFile
from surveys.results.findings.choice import Choice
from surveys.results.printed.content import printed_content
from surveys.results.printed.typesetting import NoFontError, pdf_of
from surveys.results.release import Release
from surveys.results.weighted.presentation import computed_weighted, stored_weighted
from surveys.services import release_files
from surveys.services.release_files import Maker, Progress

NAME = "summary.pdf"
# Raised when the same release is to be printed otherwise.
FORMAT = 1

# Stored in English and translated where they are shown (`Job.message_text`).
NO_FONT = gettext_noop(
    "No font on this server has all characters of this survey; whoever runs it can install one."
)
LATE = gettext_noop("It took too long.")


def printed_summary(release: Release, language: str, choice: Choice) -> ReleaseFile:
    """Return the row of the summary of a release in a language of the pages."""
    weighted = "1" if choice.weighted else "0"
    facts = {"language": language, "texts": release.launch.language, "weighted": weighted}
    return release_files.release_file(SUMMARY, release, NAME, urlencode(facts))


def _facts(row: ReleaseFile) -> Mapping[str, str]:
    return dict(parse_qsl(row.variant, keep_blank_values=True))


def _write(row: ReleaseFile, release: Release, file: IO[bytes], _progress: Progress) -> None:
    facts, moment = _facts(row), release.computed_at
    assert moment is not None, "a release has the moment of its results"
    has_weights = bool(computed_weighted(stored_weighted(release)))
    choice = Choice(has_weights=has_weights, weights_off=facts["weighted"] == "0")
    with translation.override(facts["language"]):
        file.write(pdf_of(printed_content(release, choice), moment))


SUMMARY = release_files.register(
    Maker(
        name="print",
        write=_write,
        queue=settings.QUEUE,
        longest=90,
        version=lambda _: FORMAT,
        lasting=lambda _: FORMAT,
        language=lambda row: _facts(row)["texts"],
        failures={NoFontError: NO_FONT},
        out_of_time=LATE,
        without_broker="summaries will wait to be printed",
    )
)
