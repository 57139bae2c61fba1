"""The command `candor`: a study from the command line.

It ends with 0, with 1 where the site refuses or a check fails, and with 2 for a wrong call.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from candor import __version__
from candor.errors import CandorError
from candor.verbs import results, site, surveys

DESCRIPTION = "Run a study on a Candor site."


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit status."""
    parser = argparse.ArgumentParser(prog="candor", description=DESCRIPTION)
    parser.add_argument("--version", action="version", version=f"candor {__version__}")
    parser.add_argument("--url", help="address of the site; else CANDOR_URL, else candor login")
    parser.add_argument("--json", action="store_true", help="print what the site answers, as JSON")
    parser.add_argument(
        "--folder", type=Path, default=Path(), help="where it is kept what was pushed (here)"
    )
    verbs = parser.add_subparsers(required=True, metavar="COMMAND")
    for part in (site, surveys, results):
        part.add_to(verbs)
    given = parser.parse_args(arguments)
    try:
        return int(given.run(given) or 0)
    except CandorError as error:
        print(f"candor: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read the output has ended.
        sys.stderr.close()
        return 1
