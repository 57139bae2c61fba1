"""The list of errors at the top of a refused form's page, each with a link to its field."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.admin.helpers import AdminForm, InlineAdminFormSet
from django.contrib.admin.utils import flatten_fieldsets
from django.core.exceptions import NON_FIELD_ERRORS
from django.forms import BaseForm, BaseFormSet, BoundField
from django.utils.translation import gettext as _

from surveys import numbers
from surveys.forms.question import QuestionFormSet

# Messages of one field that the list has in full.
MOST_TOLD = 3


@dataclass(frozen=True, slots=True)
class ErrorEntry:
    """`place` is the label of the field on the page; `target` is the id that the link leads to.

    Both are "" for an error of the form as a whole.
    """

    place: str
    message: str
    target: str


def form_errors(
    form: BaseForm, *, order: Sequence[str] = (), parts: Mapping[str, str] | None = None
) -> list[ErrorEntry]:
    """The errors of one form as its page shows its fields; `parts` says where a field stands."""
    parts = parts or {}
    names = [name for name in order or form.fields if name in form.errors]
    names += [name for name in form.errors if name not in {*names, NON_FIELD_ERRORS}]
    entries = [ErrorEntry("", str(message), "") for message in form.non_field_errors()]
    return entries + [_entry(form[name], parts.get(name, "")) for name in names]


def page_errors(adminform: AdminForm, inlines: Iterable[InlineAdminFormSet]) -> list[ErrorEntry]:
    """The errors of the survey's page: those of the survey, of its questions, and of features."""
    fieldsets: Any = adminform.fieldsets
    displayed_fields = flatten_fieldsets(fieldsets)
    entries = form_errors(adminform.form, order=displayed_fields)
    for inline in inlines:
        formset = inline.formset
        is_of_questions = isinstance(formset, QuestionFormSet)
        entries += _question_errors(formset) if is_of_questions else _row_errors(formset)
    return entries


def _row_errors(formset: BaseFormSet) -> list[ErrorEntry]:
    """The errors of rows whose fields say by their labels where they stand."""
    entries = [ErrorEntry("", str(text), "") for text in formset.non_form_errors()]
    return entries + [entry for form in formset.forms for entry in form_errors(form)]


def _question_errors(formset: QuestionFormSet) -> list[ErrorEntry]:
    group = f"{formset.prefix}-group"
    entries = [ErrorEntry(_("Questions"), str(text), group) for text in formset.non_form_errors()]
    for number, form in enumerate(formset.forms_in_order(), 1):
        question = question_label(number)
        target = form.prefix or ""
        entries += [ErrorEntry(question, str(text), target) for text in form.non_field_errors()]
        fields = form_errors(form, parts=dict.fromkeys(form.fields, question))
        entries += [entry for entry in fields if entry.target]
    return entries


def question_label(number: int) -> str:
    return _("Question %s") % number


def _entry(field: BoundField, part: str) -> ErrorEntry:
    location = ", ".join(filter(None, [part, str(field.label)]))
    # A group of choices has no control of its own, so the link leads to its first choice.
    target = field.id_for_label or f"{field.auto_id}_0"
    return ErrorEntry(location, _in_short(list(map(str, field.errors))), target)


def _in_short(messages: Sequence[str]) -> str:
    """The first messages of a field; beside it are all of them, one below the other."""
    if len(messages) <= MOST_TOLD:
        return " ".join(messages)
    rest = _("And %s more.") % numbers.count(len(messages) - MOST_TOLD)
    return " ".join([*messages[:MOST_TOLD], rest])
