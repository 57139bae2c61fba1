"""The differences between two definitions, in the words of the pages."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.definitions import Definition, QuestionDefinition
from surveys.devices import FAMILIES
from surveys.features import FEATURES
from surveys.kinds import KINDS
from surveys.models import Question, Survey

QUESTIONS, FEATURE_KEYS = "questions", "features"
# Keys whose fields of the models have other names, or none.
_FIELDS = {"address": "slug", "help": "help_text", "reason": "epsilon_reason"}
_LABELS = {
    "settings": gettext_lazy("settings of the device"),
    "found_table": gettext_lazy("searched table"),
}


@dataclass(frozen=True, slots=True)
class Change:
    """What was changed, and how it reads before and after; empty where there was nothing."""

    label: str
    before: str
    after: str


def changes_between(before: Definition, after: Definition) -> list[Change]:
    """Return the changes from one to the other, in the order of the page."""
    return [
        *_of_fields(Survey, before, after, ""),
        *_of_features(before.features, after.features, ""),
        *_of_questions(before, after),
    ]


def _of_questions(before: Definition, after: Definition) -> Iterator[Change]:
    old = {question.name: question for question in before.questions}
    new = {question.name: question for question in after.questions}
    for name in [*old, *(name for name in new if name not in old)]:
        title = _title((new.get(name) or old[name]).text)
        if name not in new:
            yield Change(title, _("It was there."), _("It was removed."))
        elif name not in old:
            yield Change(title, "", _("It was added."))
        else:
            yield from _of_question(old[name], new[name], title)
    kept = [[name for name in names if name in old and name in new] for names in (old, new)]
    if kept[0] != kept[1]:
        orders = (
            "\n".join(_title(each.text) for each in questions)
            for questions in (before.questions, after.questions)
        )
        yield Change(_("Order of the questions"), *orders)


def _of_question(
    before: QuestionDefinition, after: QuestionDefinition, title: str
) -> Iterator[Change]:
    yield from _of_fields(Question, before, after, title)
    yield from _of_features(before.features, after.features, title)


def _of_fields(
    model: type[Survey | Question], before: Any, after: Any, title: str
) -> Iterator[Change]:
    for name in before.__struct_fields__:
        one, other = getattr(before, name), getattr(after, name)
        if name not in (QUESTIONS, FEATURE_KEYS) and one != other:
            words = (_chosen(model, name, value) or _read(value) for value in (one, other))
            yield Change(_place(title, _label(model, name)), *words)


def _of_features(before: Any, after: Any, title: str) -> Iterator[Change]:
    for name, feature in FEATURES.items():
        one, other = getattr(before, name, None), getattr(after, name, None)
        if one != other:
            yield Change(_place(title, str(feature.label)), _read(one), _read(other))


def _label(model: type[Survey | Question], name: str) -> str:
    if name in _LABELS:
        return str(_LABELS[name])
    label = str(getattr(model._meta.get_field(_FIELDS.get(name, name)), "verbose_name", name))
    return label[:1].upper() + label[1:]


def _chosen(model: type[Survey | Question], name: str, value: Any) -> str:
    """Return the label of a value out of a list; empty where there is none."""
    if name == "kind":
        return str(KINDS[value].label) if value in KINDS else ""
    if name == "design":
        return str(FAMILIES[value].label) if value in FAMILIES else ""
    if name in _LABELS:
        return ""
    field: Any = model._meta.get_field(_FIELDS.get(name, name))
    labels = {key: str(label) for key, label in field.flatchoices}
    return labels.get(value, "") if isinstance(value, str) else ""


def _place(title: str, label: str) -> str:
    return f"{title}, {label}" if title else label


def _title(text: str) -> str:
    return " ".join(text.split())[:80] or _("New question")


def _read(value: Any) -> str:
    """Return a value as people read it."""
    if value is None or value == "":
        return ""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    plain = msgspec.to_builtins(value, builtin_types=(type(None),))
    return "\n".join(_lines(plain))


def _lines(plain: Any, before: str = "") -> Iterator[str]:
    if isinstance(plain, Mapping):
        for key, value in plain.items():
            yield from _lines(value, f"{before}{key}: ")
    elif isinstance(plain, list | tuple):
        if all(not isinstance(each, Mapping | list | tuple) for each in plain) and before:
            yield before + ", ".join(map(str, plain))
        else:
            for each in plain:
                yield from _lines(each, before)
    else:
        yield f"{before}{plain}"
