"""A sheet of a draft: the fields that are saved together, kept as they were typed if need be.

A draft has a sheet for its settings and one for each question. What is right is stored in its
columns; a sheet with anything that is not right yet is stored as it was typed, and stops the launch
until it is. What two pages have changed in different ways is stored in both versions. What does not
count for the chosen kind of question is stored aside.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any

from django.forms import CheckboxInput, ModelForm
from django.http import QueryDict

from surveys.authoring.draft_merge import (
    OTHERS,
    TEXTS,
    Prints,
    Values,
    merge_fields,
    normal,
)
from surveys.forms.fields.shown_values import readable, shown_values
from surveys.models import Question, Survey

ASIDE = "aside"
# The choice of what is stored.
STORED = "stored"

# The form on a row, which is not changed unless it is saved; without data as the row is stored.
Make = Callable[[QueryDict | None, Any], ModelForm]


@dataclass(frozen=True, slots=True)
class Version:
    """What somebody has typed into a field that another page had changed meanwhile."""

    choice: str
    text: str
    by: str


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A field of which one version has to be chosen: what is stored, or one of the others."""

    field: str
    label: str
    stored: str
    versions: list[Version]


@dataclass(slots=True)
class Saved:
    """What became of a save: `form` as it is stored now, `taken` what others had changed."""

    form: ModelForm
    taken: list[str] = field(default_factory=list)
    # The fields whose texts are not those that were posted.
    changed: dict[str, list[str]] = field(default_factory=dict)


class Sheet:
    """One sheet: `holder` is its row, which is locked while anything is saved."""

    def __init__(self, holder: Survey | Question, make: Make) -> None:
        self.holder, self.make = holder, make

    @property
    def is_unfinished(self) -> bool:
        return TEXTS in (self.holder.typed or {})

    def plain(self) -> ModelForm:
        """Return the form without data, as the row is stored."""
        return self.make(None, copy(self.holder))

    def texts(self) -> Values:
        """Return the texts of all fields: as they were typed, else as they are stored."""
        shown = dict(shown_values(self.plain()))
        typed = {**(self.holder.typed or {}).get(ASIDE, {}), **typed_texts(self.holder)}
        return shown | {name: tuple(texts) for name, texts in typed.items() if name in shown}

    def form(self) -> ModelForm:
        """Return the form to be shown, with its errors where it is not finished."""
        return self.bound(self.texts()) if self.holder.typed else self.plain()

    def bound(self, texts: Values) -> ModelForm:
        """Return the form with these texts, validated; the row is not changed."""
        form = self.make(posted_data(texts), copy(self.holder))
        form.is_valid()
        return form

    def disagreements(self) -> list[Disagreement]:
        """Return the fields of which somebody has to choose a version."""
        others = stored_others(self.holder)
        # Most sheets have none, and to make their forms takes longer than all else here.
        if not others:
            return []
        form, texts = self.plain(), self.texts()
        return [
            Disagreement(
                name,
                str(form.fields[name].label or name),
                readable(form.fields[name], texts[name]),
                [
                    Version(str(number), readable(form.fields[name], each[TEXTS]), each["by"])
                    for number, each in enumerate(versions)
                ],
            )
            for name, versions in others.items()
            if name in form.fields
        ]

    def save(self, posted: Values, loaded: Prints, *, by: str) -> Saved:
        """Merge what was posted with what is stored, and store it, right or not.

        `loaded`: fingerprints of the texts that the page has shown; fields without one are new to
        it, and what it posts of them counts. `by`: the name of whoever has typed.
        """
        stored = self.texts()
        typed, posted = posted, storable(posted)
        merge = merge_fields(loaded, stored, posted)
        ours = {
            name: posted[name]
            for name in stored
            if name in posted and name not in (*merge.taken, *merge.open)
        }
        others = stored_others(self.holder)
        for name in merge.open:
            version = {TEXTS: list(posted[name]), "by": by}
            # A version that is sent once more keeps its number, which a page may show already.
            if version not in (versions := others.get(name, [])):
                others[name] = [*versions, version]
        form = self._store({**stored, **ours}, others)
        now = self.texts()
        changed = {
            name: list(now[name])
            for name in posted
            if name in now and normal(now[name]) != normal(typed[name])
        }
        labels = [str(form.fields[name].label or name) for name in merge.taken]
        return Saved(form, labels, changed)

    def choose(self, name: str, choice: str) -> None:
        """Settle which version of a field stays: the number of one, or what is stored.

        Any other choice changes nothing.
        """
        others = stored_others(self.holder)
        versions = others.get(name, [])
        known = {str(number): each[TEXTS] for number, each in enumerate(versions)}
        if choice not in (STORED, *known) or not versions:
            return
        del others[name]
        texts = dict(self.texts())
        if choice in known:
            texts[name] = tuple(known[choice])
        self._store(texts, others)

    def _store(self, texts: Values, others: Mapping[str, Any]) -> ModelForm:
        form = self.bound(texts)
        kept: dict[str, Any] = {OTHERS: dict(others)} if others else {}
        if not form.is_valid():
            # What is stored of the other fields shows through, if it is changed elsewhere.
            shown = shown_values(self.plain())
            kept[TEXTS] = {
                name: list(value)
                for name, value in texts.items()
                if normal(value) != normal(shown.get(name, ()))
            }
            self.holder.typed = kept
            self.holder.save(update_fields=["typed"])
            return form
        if aside := self._aside(form.instance, texts):
            kept[ASIDE] = aside
        form.instance.typed = kept or None
        form.save()
        self.holder = form.instance
        return form

    def _aside(self, row: Any, texts: Values) -> dict[str, list[str]]:
        """Return the texts that do not count as the row is now, such as answers to a yes or no.

        They are there again once they count, if another kind is chosen. A box is no text: whether
        it is ticked follows from the others.
        """
        form = self.make(None, copy(row))
        shown = shown_values(form)
        return {
            name: list(value)
            for name, value in texts.items()
            if normal(value)
            and not normal(shown.get(name, ()))
            and not isinstance(form.fields[name].widget, CheckboxInput)
        }


def typed_texts(holder: Survey | Question) -> Mapping[str, Sequence[str]]:
    """Return the texts of a sheet that are not stored in its columns, as it is not finished."""
    return (holder.typed or {}).get(TEXTS, {})


def stored_others(holder: Survey | Question) -> dict[str, Any]:
    return dict((holder.typed or {}).get(OTHERS, {}))


def storable(texts: Values) -> dict[str, tuple[str, ...]]:
    """The texts as PostgreSQL can store them: NUL as what browsers show in its place."""
    return {
        name: tuple(text.replace("\0", "\N{REPLACEMENT CHARACTER}") for text in values)
        for name, values in texts.items()
    }


def posted_data(texts: Values) -> QueryDict:
    data = QueryDict(mutable=True)
    for name, values in texts.items():
        data.setlist(name, list(values))
    return data
