"""The forms of pages, filled in by a program: their rules hold for both, and are written once."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.core.exceptions import NON_FIELD_ERRORS
from django.forms import Form
from django.http import QueryDict
from django.utils.translation import gettext as _

from surveys.api.problems import Broken, Refusal, shown_value


def posted(values: Mapping[str, Any]) -> QueryDict:
    """Values as a page would post them: lists are several values, False and None are left out."""
    data = QueryDict(mutable=True)
    for name, value in values.items():
        if isinstance(value, list | tuple):
            data.setlist(name, [str(each) for each in value])
        elif value is not None and value is not False:
            data[name] = "on" if value is True else str(value)
    return data


def check(form: Form, field: Callable[[str], str] = str) -> None:
    """Raise Refusal with all that a form refuses; `field`: what the interface calls its fields."""
    if not form.is_valid():
        raise Refusal(422, "invalid", _("The body breaks a rule."), errors=_broken(form, field))


def _broken(form: Form, field: Callable[[str], str]) -> Iterator[Broken]:
    for name, messages in form.errors.items():
        is_whole = name == NON_FIELD_ERRORS
        value = None if is_whole else shown_value(form.data.get(name))
        for message in messages:
            yield Broken(field="" if is_whole else field(name), value=value, rule=str(message))
