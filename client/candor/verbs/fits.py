"""Analyses of the released results: asked for, waited for, shown."""

from argparse import ArgumentParser, Namespace, _SubParsersAction
from typing import Any

from candor.documents import Analysis, Fit, Predictor
from candor.verbs.common import results_of, say, show, site_of, takes_survey

LINKS = ("logit", "probit", "cloglog", "identity")
SCORED = ":number"
DIGITS = 4


def add_to(verbs: "_SubParsersAction[ArgumentParser]") -> None:
    fit = verbs.add_parser("fit", help="analyses: start, watch, show, list, again, delete")
    kinds = fit.add_subparsers(required=True, metavar="COMMAND")
    started = kinds.add_parser("start", help="ask for an analysis, and wait for it")
    started.add_argument("outcome", metavar="QUESTION", help="whose answers are explained")
    started.add_argument(
        "--by",
        action="append",
        required=True,
        metavar="QUESTION",
        help=f"what may explain them; several times for several; QUESTION{SCORED}: as a number",
    )
    started.add_argument(
        "--event",
        type=int,
        action="append",
        default=[],
        metavar="ANSWER",
        help="an answer that counts, from 0; none to explain each on its own (multinomial)",
    )
    started.add_argument("--link", choices=LINKS, default=LINKS[0])
    started.add_argument("--weighted", action="store_true", help="by the margins of the survey")
    started.add_argument("--name", default="", help="what readers of the results see")
    started.add_argument("--no-wait", action="store_true", help="print its number, and wait not")
    takes_survey(started)
    started.set_defaults(run=start)
    _numbered(kinds, "watch", "wait for an analysis, and print it").set_defaults(run=watch)
    _numbered(kinds, "show", "print an analysis, as far as it is").set_defaults(run=show_one)
    _numbered(kinds, "again", "fit an analysis to the newest release").set_defaults(run=again)
    _numbered(kinds, "delete", "delete an analysis that was asked for").set_defaults(run=delete)
    listed = kinds.add_parser("list", help="list the analyses, declared ones first")
    takes_survey(listed)
    listed.set_defaults(run=list_all)


def _numbered(kinds: "_SubParsersAction[ArgumentParser]", name: str, words: str) -> ArgumentParser:
    parser = kinds.add_parser(name, help=words)
    parser.add_argument("number", type=int)
    takes_survey(parser)
    return parser


def start(given: Namespace) -> None:
    predictors = tuple(
        Predictor(question=each.removesuffix(SCORED), scored=each.endswith(SCORED))
        for each in given.by
    )
    analysis = Analysis(
        name=given.name or f"{given.outcome} by {', '.join(each.question for each in predictors)}",
        outcome=given.outcome,
        event=tuple(given.event),
        link=given.link,
        predictors=predictors,
        weighted=given.weighted,
    )
    with site_of(given) as site:
        survey = results_of(given, site)
        fit = site.ask_fit(survey, analysis)
        if not given.no_wait:
            fit = site.fitted(survey, fit.number)
    show(given, fit, "\n".join(_lines(fit)))


def watch(given: Namespace) -> None:
    with site_of(given) as site:
        fit = site.fitted(results_of(given, site), given.number)
    show(given, fit, "\n".join(_lines(fit)))


def show_one(given: Namespace) -> None:
    with site_of(given) as site:
        fit = site.fit(results_of(given, site), given.number)
    show(given, fit, "\n".join(_lines(fit)))


def again(given: Namespace) -> None:
    with site_of(given) as site:
        survey = results_of(given, site)
        site.fit_again(survey, given.number)
        fit = site.fitted(survey, given.number)
    show(given, fit, "\n".join(_lines(fit)))


def delete(given: Namespace) -> None:
    with site_of(given) as site:
        site.delete_fit(results_of(given, site), given.number)
    say(f"Deleted: analysis {given.number}")


def list_all(given: Namespace) -> None:
    with site_of(given) as site:
        fits = list(site.fits(results_of(given, site)))
    show(given, fits, "\n".join(map(_head, fits)) or "There are no analyses yet.")


def _head(fit: Fit) -> str:
    kind = "declared" if fit.declared else "asked for"
    older = ", of an older release" if fit.behind else ""
    return f"{fit.number:>4}  {fit.state}{older}, {kind}: {fit.analysis.name}"


def _lines(fit: Fit) -> list[str]:
    lines = [_head(fit)]
    if fit.refusal:
        lines.append(fit.refusal)
    if fit.fit is None:
        return lines
    lines.append(
        f"  {fit.fit['n']} people; coefficients of the {fit.fit['link']} model (standard errors)"
    )
    return [*lines, *(_coefficient(each) for each in fit.fit["coefficients"])]


def _coefficient(found: dict[str, Any]) -> str:
    name = found["name"] if not found["category"] else f"{found['category']}: {found['name']}"
    estimate, error, p_value = (
        "-" if found[key] is None else f"{found[key]:.{DIGITS}g}"
        for key in ("estimate", "standard_error", "p_value")
    )
    return f"  {name:<32} {estimate:>10} ({error}), p = {p_value}"
