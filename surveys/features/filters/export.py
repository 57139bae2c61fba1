"""The table of shares among those whom a question is for."""

from collections.abc import Iterator

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.exports.document import language_of
from surveys.exports.registry import Export
from surveys.exports.snapshot import released_content
from surveys.exports.table import Column, Row, Table, Type, Value
from surveys.features.filters.results_section import KEY, OfAsked
from surveys.features.filters.section import filters_of
from surveys.models import Launch
from surveys.parameters import Parameters
from surveys.results_document.document import Results

FILE = "asked"


def exists(parameters: Parameters) -> bool:
    """Whether a survey with these parameters has such a table."""
    return any(not each.unasked for each in filters_of(parameters))


def table(launch: Launch, step: int = 0) -> Table:
    """The latest release with all digits; raises MovingError if there is none."""
    content = released_content(launch, step)
    with translation.override(language_of(launch)):
        label = _("Shares among those whom a question is for")
        return Table(FILE, label, _columns(), _rows(content))


def _rows(content: Results) -> Iterator[Row]:
    for question in content.questions:
        found: OfAsked | None = question.section(KEY)
        for row in found.categories if found else ():
            ends = (*row.interval, *row.interval_50)
            yield (question.id, row.label, row.estimate, row.standard_error, *ends)


def _columns() -> tuple[Column, ...]:
    unknown = (Value(None, _("not known")),)
    numbers = {
        "estimate": _("Estimate"),
        "standard_error": _("Standard error"),
        "low": _("95 % interval from"),
        "high": _("95 % interval to"),
        "low_50": _("50 % interval from"),
        "high_50": _("50 % interval to"),
    }
    return (
        Column("question", Type.TEXT, _("Variable name of the question")),
        Column("answer", Type.TEXT, _("Answer")),
        *(Column(name, Type.NUMBER, label, missing=unknown) for name, label in numbers.items()),
    )


ASKED = Export(
    FILE,
    table,
    exists=exists,
    label=gettext_lazy("Shares among those whom a question is for (CSV)"),
    codebook_label=gettext_lazy("Labels of these shares (JSON)"),
    about=gettext_lazy("One row an answer of each question that is for some people only."),
)
