"""Results: how many have answered, the numbers, and people who do not exist."""

import secrets
import sys
from argparse import ArgumentParser, Namespace, _SubParsersAction
from typing import Any

from candor.documents import Status
from candor.errors import CandorError
from candor.simulation import Simulated, Truth
from candor.site import Candor
from candor.verbs.common import (
    PERCENT,
    agrees,
    results_of,
    say,
    show,
    site_of,
    survey_of,
    takes_survey,
    tell,
)

LONGEST_LABEL = 40


def add_to(verbs: "_SubParsersAction[ArgumentParser]") -> None:
    status = verbs.add_parser("status", help="say how many responses are released")
    takes_survey(status)
    status.set_defaults(run=say_status)
    shown = verbs.add_parser("results", help="print the released shares with their intervals")
    shown.add_argument("--watch", action="store_true", help="again with each release, until Ctrl-C")
    shown.add_argument("--until", type=int, metavar="N", help="watch until N responses are in")
    takes_survey(shown)
    shown.set_defaults(run=show_results)
    simulate = verbs.add_parser("simulate", help="send responses of people who do not exist")
    simulate.add_argument("people", type=int)
    simulate.add_argument("--seed", type=int, help="for the same people again")
    simulate.add_argument(
        "--share",
        action="append",
        default=[],
        metavar="QUESTION=SHARES",
        help="how many would really answer what, such as drug=0.8,0.2",
    )
    simulate.add_argument("--yes", action="store_true", help="without asking")
    takes_survey(simulate)
    simulate.set_defaults(run=send_people)


def say_status(given: Namespace) -> None:
    with site_of(given) as site:
        status = site.status(results_of(given, site))
    show(given, status, _status(status))


def _status(status: Status) -> str:
    if status.released:
        return f"{status.state}: {status.responses} responses are in the results"
    return f"{status.state}: nothing is released before {status.threshold} responses are in"


def show_results(given: Namespace) -> None:
    with site_of(given) as site:
        survey = results_of(given, site)
        if not (given.watch or given.until):
            _print(given, site.results(survey))
            return
        for status in site.releases(survey):
            # Standard output has JSON alone where that is asked for.
            (tell if given.json else say)(f"{survey.title}: {status.responses} responses")
            _print(given, site.results(survey))
            sys.stdout.flush()
            if given.until and status.responses >= given.until:
                return


def _print(given: Namespace, results: dict[str, Any]) -> None:
    show(given, results, "\n".join(_lines(results)))


def _lines(results: dict[str, Any]) -> list[str]:
    lines = []
    for question in results["questions"]:
        lines.append(f"{question['id']}: {question.get('text', '')}")
        for each in question.get("categories", ()):
            lines.append(f"  {each['label'][:LONGEST_LABEL]:<{LONGEST_LABEL}} {_share(each)}")
    return lines


def _share(category: dict[str, Any]) -> str:
    estimate, interval = category.get("estimate"), category.get("interval")
    if estimate is None:
        return "not known"
    if not interval:
        return f"{PERCENT * estimate:5.1f} %"
    # What no share can be is no part of the interval; the estimate stays unbiased.
    low, high = (PERCENT * min(max(end, 0.0), 1.0) for end in interval)
    return f"{PERCENT * estimate:5.1f} %  ({low:.1f} to {high:.1f})"


def send_people(given: Namespace) -> None:
    with site_of(given) as site:
        survey = survey_of(given, site)
        status = site.status(survey)
        tell(f"These responses cannot be told from people's, nor taken out of {survey.title!r}.")
        if not agrees(f"Send {given.people}?", yes=given.yes):
            raise CandorError("Nothing was sent: confirm it with --yes.")
        if status.released and not given.yes:
            raise CandorError("There are released results already; confirm it with --yes.")
        seed = given.seed if given.seed is not None else secrets.randbits(32)
        simulated = _send(site, survey.address, given, seed)
    content = {"seed": seed, "sent": simulated.sent, "truth": simulated.truth}
    show(
        given, content, "\n".join([f"{simulated.sent} sent, seed {seed}", *_truth(simulated.truth)])
    )


def _send(site: Candor, address: str, given: Namespace, seed: int) -> Simulated:
    shares = dict(map(_shares, given.share))
    simulated = Simulated(site.url, address, seed=seed, shares=shares)

    def progress(number: int) -> None:
        if number % PERCENT == 0:
            tell(f"{number} of {given.people}")

    simulated.send(given.people, progress)
    return simulated


def _shares(typed: str) -> tuple[str, list[float]]:
    name, _, numbers = typed.partition("=")
    try:
        shares = [float(each) for each in numbers.split(",")]
    except ValueError:
        shares = []
    if not name or not shares or min(shares) < 0 or not sum(shares):
        raise CandorError(f"share: {typed!r} is not of the form drug=0.8,0.2")
    return name, shares


def _truth(truth: Truth) -> list[str]:
    lines = []
    for name, counts in truth.items():
        answers = ", ".join(f"{label} {count}" for label, count in counts.items())
        lines.append(f"  {name}: {answers}")
    return lines
