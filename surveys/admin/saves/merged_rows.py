"""The posted rows of a survey's page, merged with what others have changed in them meanwhile."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

from surveys.authoring.draft_merge import (
    TEXTS,
    Prints,
    Values,
    is_changed,
    merge_fields,
    merge_order,
    prints_of,
)
from surveys.forms.fields.shown_values import posted_values, readable, shown_values
from surveys.forms.question import MOST_FORMS

MINE, THEIRS, ASK = "mine", "theirs", "ask"


@dataclass(frozen=True, slots=True)
class Conflict:
    """A change of both sides. `key`: the name of the field, or of the row, on the page."""

    key: str
    label: str
    mine: str
    theirs: str


@dataclass(slots=True)
class Merged:
    """`taken`: what was changed by others only, in words; `conflicts`: what is to be decided."""

    taken: list[str] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)


# The author's decision about a key, given whether both sides have changed it since it was shown.
Decide = Callable[[str, bool], str]


@dataclass(slots=True)
class _Row:
    """A posted row. `old`: its name as it was posted; `texts`: all that was posted of it."""

    old: str
    key: str
    texts: dict[str, list[str]]
    # By field, "" for the row as a whole: the label, and how it reads here and there.
    open: dict[str, tuple[str, str, str]] = field(default_factory=dict)

    @property
    def is_new(self) -> bool:
        return not self.texts.get("id", [""])[0]

    @property
    def is_deleted(self) -> bool:
        return "DELETE" in self.texts

    @property
    def position(self) -> int:
        text = self.texts.get("position", ["0"])[0]
        return int(text) if text.isdecimal() and len(text) < 6 else 0


class RowMerge:
    """One set of rows: as the page had loaded it, as a fresh form set shows it, as posted."""

    def __init__(
        self, data: QueryDict, loaded: Mapping[str, Prints], stored: Any, decide: Decide
    ) -> None:
        self.data, self.loaded, self.stored, self.decide = data, loaded, stored, decide
        self.prefix: str = stored.prefix
        self.forms = {str(form.instance.pk): form for form in stored.initial_forms}
        self.values: dict[str, Values] = {
            key: _without_position(shown_values(form)) for key, form in self.forms.items()
        }
        self.merged = Merged()

    def run(self) -> Merged:
        """Rewrite the posted data; nothing is rewritten where nothing has changed."""
        if not self._is_touched():
            return self.merged
        rows = [row for row in map(self._merge, self._posted_rows()) if row is not None]
        rows += self._added(rows)
        self._order(rows)
        self._write(rows)
        return self.merged

    def _is_touched(self) -> bool:
        stored = {key: prints_of(values) for key, values in self.values.items()}
        unsettled = any(key.startswith(f"{self.prefix}-") for key in _choices(self.data))
        return unsettled or list(stored.items()) != list(self.loaded.items())

    def _posted_rows(self) -> list[_Row]:
        total = self.data.get(f"{self.prefix}-TOTAL_FORMS", "")
        count = min(int(total), MOST_FORMS) if total.isdecimal() and len(total) < 6 else 0
        rows = []
        for index in range(count):
            old = f"{self.prefix}-{index}"
            start = f"{old}-"
            texts = {
                name.removeprefix(start): self.data.getlist(name)
                for name in self.data
                if name.startswith(start)
            }
            key = texts.get("id", [""])[0] or f"new {index}"
            rows.append(_Row(old, key, texts))
        return rows

    def _merge(self, row: _Row) -> _Row | None:
        """The row as it stays on the page; None where it goes."""
        if row.is_new:
            return self._merge_new(row)
        if row.key not in self.loaded:
            return row
        form = self.forms.get(row.key)
        if form is None:
            return self._merge_removed(row)
        stored = self.values[row.key]
        if row.is_deleted:
            return self._merge_deleted(row, stored)
        posted = _without_position(posted_values(self.data, form, row.old))
        merge = merge_fields(self.loaded[row.key], stored, posted, apart=TEXTS)
        for name in stored:
            decision = self.decide(f"{row.old}-{name}", name in merge.open)
            if decision == THEIRS or name in merge.taken:
                row.texts[name] = list(stored[name])
            elif decision == ASK:
                self._open(row, name, form, posted.get(name, ()), stored[name])
        if merge.taken:
            labels = ", ".join(str(form.fields[name].label or name) for name in merge.taken)
            values = {"question": self._name(row), "fields": labels}
            self.merged.taken.append(_("%(question)s (%(fields)s)") % values)
        return row

    def _open(self, row: _Row, name: str, form: Any, mine: Any, theirs: Any) -> None:
        asked = form.fields[name]
        label = f"{self._name(row)}, {asked.label or name}"
        row.open[name] = (label, readable(asked, mine), readable(asked, theirs))

    def _merge_new(self, row: _Row) -> _Row | None:
        """A new row, or one that was removed there while it was changed here."""
        decision = self.decide(row.old, False)
        if decision == ASK:
            self._open_removed(row)
        return None if decision == THEIRS else row

    def _merge_removed(self, row: _Row) -> _Row | None:
        posted = posted_values(self.data, self.stored.empty_form, row.old)
        if row.is_deleted or not is_changed(self.loaded[row.key], _without_position(posted)):
            if not row.is_deleted:
                self.merged.taken.append(_("%s (removed)") % self._name(row))
            return None
        # Nothing is stored of it any more, so to keep it is to add it.
        row.texts.pop("id", None)
        self._open_removed(row)
        return row

    def _open_removed(self, row: _Row) -> None:
        mine = row.texts.get("text", [""])[0]
        row.open[""] = (self._name(row), mine, _("It was removed."))

    def _merge_deleted(self, row: _Row, stored: Values) -> _Row:
        decision = self.decide(f"{row.old}-DELETE", is_changed(self.loaded[row.key], stored))
        if decision == ASK:
            theirs = " ".join(stored.get("text", ()))
            row.open["DELETE"] = (self._name(row), _("It is removed."), theirs)
        elif decision == THEIRS:
            del row.texts["DELETE"]
            row.texts |= {name: list(texts) for name, texts in stored.items()}
        return row

    def _added(self, rows: list[_Row]) -> list[_Row]:
        """The rows that others have added since the page was loaded."""
        posted = {row.key for row in rows}
        added = []
        for key in self.forms:
            if key in self.loaded or key in posted:
                continue
            texts = {name: list(value) for name, value in self.values[key].items()}
            row = _Row("", key, {**texts, "id": [key], **self._parent()})
            self.merged.taken.append(_("%s (added)") % self._name(row))
            added.append(row)
        return added

    def _parent(self) -> dict[str, list[str]]:
        name = self.stored.fk.name
        return {name: [str(self.stored.instance.pk)]}

    def _order(self, rows: list[_Row]) -> None:
        """Give every row its place, where rows have one."""
        if "position" not in self.stored.empty_form.fields:
            return
        alive = [row for row in rows if not row.is_deleted]
        posted = [row.key for row in sorted(alive, key=lambda row: row.position) if row.old]
        stored, kept = list(self.forms), [row.key for row in alive]
        order, both_moved = merge_order(list(self.loaded), stored, posted, kept)
        key = f"{self.prefix}-order"
        decision = self.decide(key, both_moved)
        by_key = {row.key: row for row in rows}
        if decision == THEIRS:
            order = merge_order(posted, stored, posted, kept)[0]
        elif decision == ASK:
            mine, theirs = (
                "\n".join(self._name(by_key[name]) for name in names if name in kept)
                for names in (posted, stored)
            )
            self.merged.conflicts.append(Conflict(key, _("Order of the questions"), mine, theirs))
        for place, name in enumerate(order, 1):
            by_key[name].texts["position"] = [str(place)]

    def _write(self, rows: list[_Row]) -> None:
        for name in [name for name in self.data if _is_of_row(name, self.prefix)]:
            del self.data[name]
        rows = sorted(rows, key=lambda row: row.is_new)
        self.data[f"{self.prefix}-TOTAL_FORMS"] = str(len(rows))
        initial = sum(not row.is_new for row in rows)
        self.data[f"{self.prefix}-INITIAL_FORMS"] = str(initial)
        for index, row in enumerate(rows):
            new = f"{self.prefix}-{index}"
            for name, texts in row.texts.items():
                self.data.setlist(f"{new}-{name}", texts)
            for name, (label, mine, theirs) in row.open.items():
                key = f"{new}-{name}" if name else new
                self.merged.conflicts.append(Conflict(key, label, mine, theirs))

    def _name(self, row: _Row) -> str:
        """Return what a row is called: the text of a question, or the name of readers."""
        text = " ".join(row.texts.get("text", [""])[0].split())
        form = self.forms.get(row.key)
        return text[:80] or (str(form.instance) if form is not None else _("New question"))


def _is_of_row(name: str, prefix: str) -> bool:
    start, _hyphen, rest = name.partition("-")
    return start == prefix and rest.partition("-")[0].isdecimal()


def _choices(data: QueryDict) -> list[str]:
    return [key for key in data.get("unsettled", "").split(" ") if key]


def _without_position(values: Values) -> Values:
    """Places follow from the order of all rows, which the page numbers anew."""
    return {name: texts for name, texts in values.items() if name != "position"}
