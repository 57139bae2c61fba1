"""The values that a browser posts of an untouched form, and how a posted value reads."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _

from surveys.authoring.draft_merge import Values

# Fields that say which row of which set a form is about.
HOUSEKEEPING = frozenset({"id", "survey"})


def shown_values(form: forms.BaseForm) -> Values:
    """The texts of each field of a form without data, as its page posts them unchanged."""
    return {name: _shown(form[name]) for name in form.fields if name not in HOUSEKEEPING}


def posted_values(data: QueryDict, form: forms.BaseForm, prefix: str = "") -> Values:
    """The texts of the same fields as they were posted under a prefix.

    A field that the page does not show is not among them.
    """
    names = {name: _name(prefix, name) for name in form.fields if name not in HOUSEKEEPING}
    return {
        name: _posted(data, posted, form.fields[name])
        for name, posted in names.items()
        if posted in data or _may_be_empty(form.fields[name])
    }


def readable(field: forms.Field, texts: Sequence[str]) -> str:
    """A posted value as its author reads it: the labels of choices, the text of all else."""
    if isinstance(_widget(field), forms.CheckboxInput):
        return _("yes") if any(texts) else _("no")
    labels = _labels(getattr(field, "choices", ()))
    return ", ".join(labels.get(text, text) for text in texts if text)


def _name(prefix: str, name: str) -> str:
    return f"{prefix}-{name}" if prefix else name


def _shown(bound: forms.BoundField) -> tuple[str, ...]:
    widget, value = _widget(bound.field), bound.value()
    if isinstance(widget, forms.CheckboxInput):
        return ("on",) if widget.check_test(value) else ()
    shown: Any = widget.format_value(value)
    return tuple(map(str, shown)) if isinstance(shown, list | tuple) else (str(shown or ""),)


def _posted(data: QueryDict, name: str, field: forms.Field) -> tuple[str, ...]:
    if isinstance(_widget(field), forms.CheckboxInput):
        return ("on",) if name in data else ()
    return tuple(data.getlist(name))


def _may_be_empty(field: forms.Field) -> bool:
    """Whether a browser posts nothing of the field where nothing is chosen."""
    return isinstance(
        _widget(field), forms.CheckboxInput | forms.RadioSelect | forms.SelectMultiple
    )


def _widget(field: forms.Field) -> Any:
    """The widget itself: the admin wraps those of relations."""
    return getattr(field.widget, "widget", field.widget)


def _labels(choices: Any) -> Mapping[str, str]:
    labels: dict[str, str] = {}
    for value, label in choices:
        if isinstance(label, list | tuple):
            labels |= _labels(label)
        else:
            labels[str(value)] = str(label)
    return labels
