"""The command `candor`: a study from the command line.

It ends with 0, with 1 where the site refuses or a check fails, and with 2 for a wrong call.
"""

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from candor import __version__
from candor.errors import CandorError
from candor.verbs import (
    completion,
    files,
    fits,
    members,
    results,
    searches,
    site,
    statistics,
    surveys,
    translations,
    verify,
    webhooks,
)
from candor.verbs.completion import commands_of

DESCRIPTION = "Run a study on a Candor site."
EPILOG = """\
the site and its token are those of
  --url, else CANDOR_URL, else `candor login`
  CANDOR_TOKEN, else `candor login` (in candor/site.json below XDG_CONFIG_HOME or ~/.config)
the survey is that of
  --survey, else CANDOR_SURVEY, else the one that was pushed last from this folder
exit status
  0; 1 where the site refuses, does not answer, or a check fails; 2 for a wrong call; 130 after
  Ctrl-C, which loses nothing: what the site was asked for goes on

`candor COMMAND --help` says more.
"""
PARTS = (
    site,
    surveys,
    members,
    translations,
    searches,
    results,
    files,
    fits,
    statistics,
    webhooks,
    verify,
    completion,
)


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command."""
    whole = argparse.ArgumentParser(
        prog="candor",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    whole.add_argument("--version", action="version", version=f"candor {__version__}")
    _takes_common(whole, url=None, json=False, folder=Path())
    verbs = whole.add_subparsers(required=True, metavar="COMMAND", title="commands")
    for part in PARTS:
        part.add_to(verbs)
    for verb in _leaves(whole):
        # After the command too; what stands before it is not undone there.
        hidden = argparse.SUPPRESS
        _takes_common(verb, url=hidden, json=hidden, folder=hidden)
    return whole


def _takes_common(parser: argparse.ArgumentParser, **defaults: object) -> None:
    common = parser.add_argument_group("for every command")
    common.add_argument("--url", help="address of the site", default=defaults["url"])
    common.add_argument(
        "--json",
        action="store_true",
        help="print what the site answers, as JSON",
        default=defaults["json"],
    )
    common.add_argument(
        "--folder",
        type=Path,
        help="where .candor.json is, which says what was pushed (here)",
        default=defaults["folder"],
    )


def _leaves(whole: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Yield the parsers of all commands that have none below them."""
    below = list(commands_of(whole).values())
    for each in below:
        yield from _leaves(each)
    if not below:
        yield whole


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit status."""
    given = parser().parse_args(arguments)
    try:
        return int(given.run(given) or 0)
    except CandorError as error:
        print(f"candor: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read the output has ended; nothing is left to be written there at the exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        # A file that cannot be read or written.
        print(f"candor: {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
