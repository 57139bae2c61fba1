"""What the verbs share: the site, the survey that is meant, and what is printed."""

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import msgspec

from candor.documents import Readable, Survey
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
    return site.survey(_named(given, site))


def results_of(given: Namespace, site: Candor) -> Readable:
    """The survey whose results are meant: also one that shows them to this account alone."""
    named = _named(given, site)
    for survey in site.readable():
        if named in (survey.address, str(survey.id)):
            return survey
    raise CandorError(f"survey: {named!r} is no launched survey whose results you may see")


def _named(given: Namespace, site: Candor) -> str:
    named = given.survey or os.environ.get("CANDOR_SURVEY")
    named = named or Links.of(given.folder, site.url).current
    if not named:
        raise CandorError("survey: none was pushed from here; name one with --survey")
    return str(named)


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


PERCENT = 100


def tell_progress(what: str) -> Callable[[float], None]:
    """What tells how far something is that a worker makes, once for each step."""
    told = ""

    def progress(share: float) -> None:
        nonlocal told
        words = f"{what}: {PERCENT * share:.0f} %"
        if words != told:
            tell(words)
        told = words

    return progress


def takes_secret_file(parser: ArgumentParser, name: str) -> None:
    parser.add_argument(
        "-o",
        "--output",
        default=name,
        metavar="FILE",
        help=f"a new file, which you alone can read ({name}); - prints it",
    )


@contextmanager
def secret_file(name: str) -> Iterator[TextIO]:
    """A new file that its owner alone can read, made before the secret is; "-": the output.

    Nothing is left of it where the secret is not made.
    """
    if name == "-":
        yield sys.stdout
        return
    path = Path(name)
    try:
        opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError as error:
        raise CandorError(f"output: {path} is there already; name a new file") from error
    with open(opened, "w", encoding="utf-8", newline="") as file:
        try:
            yield file
        except BaseException:
            path.unlink()
            raise
