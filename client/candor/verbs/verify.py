"""Checking the page of a survey, of which nothing has to be believed."""

import sys
from argparse import ArgumentParser, Namespace, _SubParsersAction
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from textwrap import fill

from candor.verbs.common import show
from candor.verification import Finding, PublicKey, Report, State, read_key, verify

MARKS: dict[State, str] = {"right": "ok", "wrong": "WRONG", "unknown": "?", "note": "note"}
# Nothing is wrong, but something could not be told: neither a yes nor a no.
EXITS: dict[State, int] = {"right": 0, "wrong": 1, "unknown": 3, "note": 0}
INDENT = 7
VERDICTS: dict[State, str] = {
    "right": "All that could be checked holds.",
    "wrong": "SOMETHING IS WRONG: do not answer, and tell whoever runs the survey.",
    "unknown": "Nothing is wrong, but not everything could be checked: see the lines with “?”.",
    "note": "",
}
LIMITS = (
    "That the site shows everybody, and tomorrow, what it has shown now. Check again, from the"
    " network where you answer; with --har check what your own browser has received.",
    "The sentences of the page, but for its numbers: they are in no list. Read them.",
    "What the site does with what it receives; it receives what the scripts send and no more.",
    "Your computer, your browser and what is installed in it.",
)


def add_to(verbs: "_SubParsersAction[ArgumentParser]") -> None:
    parser = verbs.add_parser(
        "verify",
        help="check the page of any survey: scripts, parameters, chances, headers",
        epilog="It ends with 0 where all holds, with 1 where something is wrong or nothing answers,"
        " and with 3 where nothing is wrong but something could not be checked.",
    )
    parser.add_argument("address", metavar="ADDRESS", help="such as https://example.org/s/health/")
    parser.add_argument(
        "--list",
        type=Path,
        metavar="FILE",
        help="the list of the release that you have, with FILE.minisig beside it; else the site's",
    )
    parser.add_argument(
        "--key",
        action="append",
        metavar="KEY",
        help="a public key of minisign that may have signed the list: its file, or its one line;"
        " else the maintainers' own",
    )
    parser.add_argument(
        "--har",
        type=Path,
        metavar="FILE",
        help="what a browser has recorded (developer tools, network, save all as HAR), to check"
        " what it has received and sent",
    )
    parser.set_defaults(run=run)


def run(given: Namespace) -> int:
    keys = [_key(each) for each in given.key] if given.key else None
    report = verify(given.address, listed=given.list, keys=keys, har=given.har)
    content = {
        "address": report.address,
        "release": report.release,
        "digest": report.digest,
        "verdict": report.verdict,
        "findings": [asdict(each) for each in report.findings.all],
        "not_checked": LIMITS,
    }
    show(given, content, in_words(report))
    sys.stdout.flush()
    return EXITS[report.verdict]


def in_words(report: Report) -> str:
    when = datetime.now(UTC)
    parts = [f"{report.address}, as it was shown on {when:%Y-%m-%d} at {when:%H:%M} UTC", ""]
    parts += [_line(each) for each in report.findings.all]
    parts += ["", "What no such check can show:"]
    parts += [_filled("-", limit) for limit in LIMITS]
    return "\n".join([*parts, "", VERDICTS[report.verdict]])


def _line(finding: Finding) -> str:
    return _filled(MARKS[finding.state], finding.words)


def _filled(mark: str, words: str) -> str:
    return fill(
        words,
        width=100,
        initial_indent=f"{mark:<{INDENT}}",
        subsequent_indent=" " * INDENT,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _key(named: str) -> PublicKey:
    path = Path(named)
    return read_key(path.read_text("utf-8") if path.is_file() else named)
