"""Statistics of the crowd: of the pooled distribution of a release, and of nobody in it."""

from argparse import ArgumentParser, Namespace, _SubParsersAction

from candor.documents import Statistic, Value
from candor.errors import CandorError
from candor.verbs.common import PERCENT, results_of, show, site_of, takes_survey

DIGITS = 4


def add_to(verbs: "_SubParsersAction[ArgumentParser]") -> None:
    statistics = verbs.add_parser("statistics", help="compute a statistic of the crowd")
    statistics.add_argument(
        "statistic", help="share, table, mean, ...; another word lists what is possible"
    )
    statistics.add_argument(
        "fields",
        nargs="*",
        metavar="FIELD=VALUE",
        help="those of the page Compute on the crowd, such as answer1=drug:1; answers from 0",
    )
    takes_survey(statistics)
    statistics.set_defaults(run=compute)


def compute(given: Namespace) -> None:
    fields = dict(map(_field, given.fields))
    with site_of(given) as site:
        found = site.statistic(results_of(given, site), given.statistic, fields)
    show(given, found, "\n".join(_lines(found)))


def _field(typed: str) -> tuple[str, str]:
    name, _, value = typed.partition("=")
    if not name or not value:
        raise CandorError(f"field: {typed!r} is not of the form answer1=drug:1")
    return name, value


def _lines(found: Statistic) -> list[str]:
    level = f"{PERCENT * found.level:g} %"
    lines = [f"{found.statistic}, of {found.n} people or more, with intervals of {level}"]
    lines += map(_value, found.values)
    return [*lines, *(f"  note: {note}" for note in found.notes)]


def _value(value: Value) -> str:
    estimate, lower, upper = (
        "-" if each is None else f"{each:.{DIGITS}g}"
        for each in (value.estimate, value.lower, value.upper)
    )
    return f"  {value.label:<40} {estimate} ({lower} to {upper})"
