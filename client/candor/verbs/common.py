"""What the verbs share: the site, the survey that is meant, and what is printed."""

import os
import sys
from argparse import ArgumentParser, Namespace
from typing import Any

import msgspec

from candor.documents import Survey
from candor.errors import CandorError
from candor.settings import Links, access
from candor.site import Candor


def site_of(given: Namespace) -> Candor:
    found = access(given.url)
    return Candor(found.url, found.token)


def takes_survey(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--survey",
        metavar="ADDRESS",
        help="the last part of its link, or its number; else CANDOR_SURVEY, else the survey that "
        "was pushed last from this folder",
    )


def survey_of(given: Namespace, site: Candor) -> Survey:
    """The survey that is meant; raises CandorError where none is named and none was pushed."""
    named = given.survey or os.environ.get("CANDOR_SURVEY")
    named = named or Links.of(given.folder, site.url).current
    if not named:
        raise CandorError("survey: none was pushed from here; name one with --survey")
    return site.survey(named)


def say(words: str) -> None:
    print(words)


def tell(words: str) -> None:
    """What is no result: it goes where progress goes."""
    print(words, file=sys.stderr)


def show(given: Namespace, content: Any, words: str) -> None:
    """A result, in words or as JSON."""
    say(
        msgspec.json.format(msgspec.json.encode(content), indent=1).decode()
        if given.json
        else words
    )


def agrees(question: str, *, yes: bool) -> bool:
    """Whether somebody says yes; where nobody can be asked it is no."""
    if yes:
        return True
    if not sys.stdin.isatty():
        return False
    return input(f"{question} [y/N] ").strip().lower() in ("y", "yes")
