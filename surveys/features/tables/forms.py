"""Cross-tables, one per line; checked against the questions that are posted with them."""

from typing import Any, NamedTuple

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.features.parts import TypedSurvey
from surveys.features.tables.reading import Line, parse_lines, problems_of, table_text
from surveys.forms.posted_questions import posted_questions
from surveys.models import Survey

FIELD = "cross_tables"


class TypedTables(NamedTuple):
    """The lines that name a pair, and the problems of those that do not.

    The form reports these together with the problems of the others.
    """

    lines: list[Line]
    unread: list[str]

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        return tuple((line.outcome, line.group) for line in self.lines)

    def __bool__(self) -> bool:
        return bool(self.lines)


class TablesField(forms.CharField):
    """Shows stored pairs as lines and reads lines as `TypedTables`."""

    def __init__(self, **kwargs: Any) -> None:
        # Leading blank lines are kept, so that errors have the line numbers of the field.
        widget = forms.Textarea(attrs={"rows": 3, "cols": 40})
        super().__init__(widget=widget, strip=False, **kwargs)

    def prepare_value(self, value: Any) -> Any:
        return table_text(value) if isinstance(value, tuple) else value

    def clean(self, value: Any) -> TypedTables:
        return TypedTables(*parse_lines(super().clean(value)))

    def has_changed(self, initial: Any, data: Any) -> bool:
        lines, problems = parse_lines(data or "")
        pairs = tuple((line.outcome, line.group) for line in lines)
        return bool(problems) or pairs != tuple(initial or ())


def tables_field() -> TablesField:
    return TablesField(
        label=gettext_lazy("Cross-tables"),
        required=False,
        help_text=gettext_lazy(
            "One per line in variable names, such as “drug_use by age”: the outcome, then the "
            "group. Only what is declared here before launch is ever shown by subgroup."
        ),
    )


def problems_of_tables(typed: TypedSurvey) -> list[str]:
    """Return what is wrong with the typed lines; the questions are read only if there is one."""
    lines, unread = typed.cleaned[FIELD]
    if lines and typed.cleaned.get("linkage") == Survey.Linkage.APART:
        message = _(
            "A cross-table needs the answers of one person side by side. Choose “%s” under "
            "“answers of one person”, or remove the tables."
        )
        return [message % Survey.Linkage.TOGETHER.label, *unread]
    return unread + (
        problems_of(lines, posted_questions(typed.posted, typed.survey)) if lines else []
    )
