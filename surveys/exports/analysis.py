"""A fitted analysis as files: coefficients for programs and for a paper, and all its numbers."""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _

from surveys.exports.document import language_of
from surveys.exports.formats import csv, latex
from surveys.exports.languages import in_every_language
from surveys.exports.table import Column, Row, Table, Type
from surveys.models import AnalysisFit, Launch
from surveys.results.in_language import fit_in_language
from surveys.results.regression.presentation import FitView, fit_view
from surveys.results.regression.program import analysis_program
from surveys.results_document.document import plain
from surveys.results_document.fits import FitResults

NAME = "analysis"


def coefficients(fit: AnalysisFit, content: FitResults) -> Table:
    """A row for each coefficient, with all digits."""
    with translation.override(language_of(fit.launch)):
        columns = (
            Column("category", Type.TEXT, _("Category of the outcome"), of_author=True),
            Column("name", Type.TEXT, _("Name of the coefficient")),
            Column("question", Type.TEXT, _("Variable name of the predictor")),
            Column("level", Type.TEXT, _("Level of the predictor"), of_author=True),
            Column("estimate", Type.NUMBER, _("Coefficient")),
            Column("standard_error", Type.NUMBER, _("Standard error")),
            Column("z", Type.NUMBER, _("Estimate over its standard error")),
            Column("p_value", Type.NUMBER, _("Two-sided p-value")),
            Column("low", Type.NUMBER, _("Lower end of the 95 % interval")),
            Column("high", Type.NUMBER, _("Upper end of the 95 % interval")),
        )
        label = _("Coefficients of an analysis")
    return Table(f"{NAME}-{fit.number}", label, columns, _coefficient_rows(content))


def _coefficient_rows(content: FitResults) -> Iterator[Row]:
    event = content.outcome.categories[-1]
    for row in content.coefficients:
        # With two outcomes, the coefficients are about the event.
        about = (row.category or event, row.name, row.question, row.label)
        yield (*about, row.estimate, row.standard_error, row.z, row.p_value, *row.interval)


def printed(fit: AnalysisFit, content: FitResults) -> Table:
    """The coefficients with the digits of the page."""
    with translation.override(language_of(fit.launch)):
        view = fit_view(content)
        several = len(view.coefficients) > 1
        columns = [
            *([Column("category", Type.TEXT, _("Outcome"))] if several else []),
            Column("predictor", Type.TEXT, _("Predictor")),
            Column("coefficient", Type.NUMBER, _("Coefficient")),
            Column("standard_error", Type.NUMBER, _("Standard error")),
            Column("interval", Type.NUMBER, _("95 % interval")),
            *([Column("ratio", Type.NUMBER, _("Odds ratio"))] if view.has_ratios else []),
            Column("p", Type.NUMBER, "p"),
        ]
        rows = [*_printed_rows(view, several=several)]
        label = _("%(name)s: coefficients (n = %(n)s)")
        words = label % {"name": fit.specification["name"], "n": view.n}
    return Table(f"{NAME}-{fit.number}", words, tuple(columns), iter(rows))


def _printed_rows(view: FitView, *, several: bool) -> Iterator[Row]:
    for part in view.coefficients:
        for block in part.blocks:
            for row in block.rows:
                label = f"{block.text} – {row.label}" if row.label else block.text
                ratio = [row.ratio.value if row.ratio else ""] if view.has_ratios else []
                first = [part.category] if several else []
                yield (*first, label, row.estimate, row.error, row.interval, *ratio, row.p)


def numbers_text(fit: AnalysisFit, content: FitResults) -> Iterable[str]:
    """Return what was asked, and every number of the fit, as JSON."""
    document = {
        "analysis": fit.specification,
        "declared": fit.is_declared,
        "parameters": fit.launch.digest_at(fit.step),
        "responses": fit.responses,
        "fit": plain(content),
        **_texts(fit.launch),
    }
    yield json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _texts(launch: Launch) -> dict[str, Any]:
    """The author's words in every further language: those of the parameters."""
    served = launch.served_parameters.document()
    return {key: served[key] for key in ("translations",) if key in served}


def program_text(fit: AnalysisFit, content: FitResults) -> Iterable[str]:
    yield analysis_program(content, fit.specification, fit.launch, fit.number)


def _written(
    table: Callable[[AnalysisFit, FitResults], Table], pieces: Callable[[Table], Iterator[str]]
) -> Callable[[AnalysisFit, FitResults], Iterator[str]]:
    return lambda fit, content: pieces(table(fit, content))


def coefficients_in_every_language(fit: AnalysisFit, content: FitResults) -> Table:
    def of_readers(launch: Launch, _step: int) -> Table:
        return coefficients(fit, fit_in_language(content, launch))

    return in_every_language(of_readers, fit.launch, fit.step, of_people=False)


# By ending: the type of a file, and its text in pieces.
FILES: dict[str, tuple[str, Callable[[AnalysisFit, FitResults], Iterable[str]]]] = {
    "csv": (csv.FORMAT.content_type, _written(coefficients_in_every_language, csv.pieces)),
    "tex": (latex.FORMAT.content_type, _written(printed, latex.pieces)),
    "py": ("text/x-python; charset=utf-8", program_text),
    "json": ("application/json; charset=utf-8", numbers_text),
}
