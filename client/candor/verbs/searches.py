"""Searches for the best device of a question of a draft: started, watched, adopted."""

from argparse import ArgumentParser, ArgumentTypeError, Namespace, _SubParsersAction
from decimal import Decimal, InvalidOperation

from candor.documents import Search
from candor.errors import CandorError
from candor.verbs.common import (
    PERCENT,
    say,
    show,
    site_of,
    survey_of,
    takes_survey,
    tell_progress,
)


def _decimal(typed: str) -> Decimal:
    try:
        return Decimal(typed)
    except InvalidOperation as error:
        raise ArgumentTypeError(f"{typed!r} is no number") from error


def _percents(typed: str) -> list[Decimal]:
    return [_decimal(each) for each in typed.split(",")]


BOUNDS = (
    ("n", int, "how many will answer"),
    ("delta", _decimal, "of nobody may more percent be sure after one report"),
    ("epsilon", _decimal, "at most so much"),
    ("generations", int, "how long evolution goes on"),
    ("levels", int, "at how many levels of privacy the bound is computed"),
    ("seed", int, "for the same search again"),
)


def add_to(verbs: "_SubParsersAction[ArgumentParser]") -> None:
    search = verbs.add_parser(
        "search", help="searches for a device: start, watch, show, list, stop, adopt, delete"
    )
    kinds = search.add_subparsers(required=True, metavar="COMMAND")
    started = _of_question(kinds, "start", "start a search, and wait for it")
    guess = "how many percent give each answer, in their order, such as 80,20"
    started.add_argument("--guess", type=_percents, metavar="PERCENTS", help=guess)
    for name, kind, words in BOUNDS:
        started.add_argument(f"--{name}", type=kind, help=words)
    started.add_argument("--method", action="append", dest="methods", help="several times")
    started.add_argument("--no-wait", action="store_true", help="print its number, and wait not")
    started.set_defaults(run=start)
    _numbered(kinds, "watch", "wait for a search, and print it").set_defaults(run=watch)
    _numbered(kinds, "show", "print what a search has found so far").set_defaults(run=show_one)
    _numbered(kinds, "stop", "stop a search; what it has found stays").set_defaults(run=stop)
    _numbered(kinds, "delete", "delete a search that has ended").set_defaults(run=delete)
    adopted = _numbered(kinds, "adopt", "make a table that was found the question's device")
    adopted.add_argument("table", metavar="METHOD:PLACE", help="as `show` names it")
    adopted.set_defaults(run=adopt)
    _of_question(kinds, "list", "list the searches of a question").set_defaults(run=list_all)


def _of_question(
    kinds: "_SubParsersAction[ArgumentParser]", name: str, words: str
) -> ArgumentParser:
    parser = kinds.add_parser(name, help=words)
    parser.add_argument("question")
    takes_survey(parser)
    return parser


def _numbered(kinds: "_SubParsersAction[ArgumentParser]", name: str, words: str) -> ArgumentParser:
    parser = _of_question(kinds, name, words)
    parser.add_argument("number", type=int)
    return parser


def start(given: Namespace) -> None:
    order = {name: getattr(given, name) for name in ("guess", "methods", *(b[0] for b in BOUNDS))}
    order = {name: value for name, value in order.items() if value is not None}
    with site_of(given) as site:
        survey = survey_of(given, site)
        search = site.start_search(survey, given.question, **order)
        if not given.no_wait:
            search = site.found(
                survey, given.question, search.id, progress=tell_progress("The search runs")
            )
    show(given, search, "\n".join(_lines(search)))


def watch(given: Namespace) -> None:
    with site_of(given) as site:
        progress = tell_progress("The search runs")
        survey = survey_of(given, site)
        search = site.found(survey, given.question, given.number, progress=progress)
    show(given, search, "\n".join(_lines(search)))


def show_one(given: Namespace) -> None:
    with site_of(given) as site:
        search = site.search(survey_of(given, site), given.question, given.number)
    show(given, search, "\n".join(_lines(search)))


def stop(given: Namespace) -> None:
    with site_of(given) as site:
        search = site.stop_search(survey_of(given, site), given.question, given.number)
    show(given, search, _head(search))


def adopt(given: Namespace) -> None:
    method, _, place = given.table.partition(":")
    if not place.isdigit():
        raise CandorError(f"table: {given.table!r} is not of the form METHOD:PLACE")
    with site_of(given) as site:
        survey = site.adopt(
            survey_of(given, site), given.question, given.number, method=method, index=int(place)
        )
    show(given, survey, f"{given.question}: its device is {given.table} of search {given.number}")


def delete(given: Namespace) -> None:
    with site_of(given) as site:
        site.delete_search(survey_of(given, site), given.question, given.number)
    say(f"Deleted: search {given.number}")


def list_all(given: Namespace) -> None:
    with site_of(given) as site:
        searches = list(site.searches(survey_of(given, site), given.question))
    show(given, searches, "\n".join(map(_head, searches)) or "There are no searches yet.")


def _head(search: Search) -> str:
    return f"{search.id:>4}  {search.question}: {search.state}, {PERCENT * search.progress:.0f} %"


def _lines(search: Search) -> list[str]:
    lines = [_head(search), *([search.message] if search.message else [])]
    for method, front in (search.content or {}).get("fronts", {}).items():
        lines += [
            f"  {f'{method}:{place}':<16} privacy {member['privacy']:.3f}, "
            f"mean squared error {member['mse']:.3g}"
            for place, member in enumerate(front["members"])
        ]
    return lines
