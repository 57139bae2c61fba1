"""The list of errors at the top of a refused form's page, each with a link to its field."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.core.exceptions import NON_FIELD_ERRORS
from django.forms import BaseForm, BoundField
from django.utils.translation import gettext as _

from surveys import numbers

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
