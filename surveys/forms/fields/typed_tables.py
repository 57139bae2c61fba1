"""A whole table of an author: a file, or rows that are typed or pasted from a spreadsheet.

What was read is shown before it is stored: the field then has the rows as they were understood, and
only a second post of these is taken.
"""

import csv
import hashlib
import io
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Self, TypeVar

from django import forms
from django.core.exceptions import ValidationError
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from surveys.authoring.reading.typed_tables import (
    MOST_BYTES,
    UnreadTableError,
    decoded_table,
    notes_of,
)

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Understood:
    """A table as it was read: the names of its columns, its cells, and what was not said."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str]


class TypedTableForm(forms.Form, Generic[Row]):
    """A subclass says what its columns are, what reads the rows, and how they are written.

    `columns`: an example of the first row; `none_given`, `both_given`: the errors where there is
    neither a file nor a row, or both; `height`: rows of the field.
    """

    columns: str
    columns_help: str | Promise
    none_given: str | Promise
    both_given: str | Promise
    height = 6

    file = forms.FileField(required=False)
    # Blank lines before the rows are kept, so that errors have the numbers of the field's lines.
    rows = forms.CharField(
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"cols": 60, "spellcheck": "false"}),
    )

    # Names the rows that the author was shown.
    shown = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)

    def __init__(self, *args: Any, reader: Callable[[str], list[Row]], **kwargs: Any) -> None:
        """`reader`: the rows of a table as text; it raises UnreadTableError."""
        super().__init__(*args, **kwargs)
        self._text = ""
        self._read_rows = reader
        file, rows = self.fields["file"], self.fields["rows"]
        file.label = _("File (CSV in UTF-8)")
        file.widget.attrs["accept"] = ".csv,.tsv,.txt,text/csv"
        rows.label = _("Or the rows, typed or pasted from a spreadsheet")
        rows.help_text = str(self.columns_help)
        rows.widget.attrs |= {"rows": self.height, "placeholder": self.columns}

    def clean_file(self) -> list[Row] | None:
        upload = self.cleaned_data.get("file")
        # More than can be read is not even looked at.
        return self._decode(upload.read(MOST_BYTES + 1)) if upload else None

    def clean_rows(self) -> list[Row] | None:
        text = self.cleaned_data["rows"]
        return self._decode(text.encode()) if text.strip() else None

    def _decode(self, data: bytes) -> list[Row]:
        try:
            text = decoded_table(data)
            rows = self._read_rows(text)
        except UnreadTableError as error:
            raise ValidationError(error.problems) from None
        # If both a file and typed rows are sent, the file is read first, and counts.
        self._text = self._text or text
        return rows

    def clean(self) -> dict[str, Any]:
        super().clean()
        if self.errors:
            return self.cleaned_data
        if self.cleaned_data.get("file") is not None and self._is_as_shown():
            # The rows of an earlier file, which nobody has changed.
            self.cleaned_data["rows"] = None
        given = [name for name in ("file", "rows") if self.cleaned_data.get(name) is not None]
        if not given:
            raise ValidationError(str(self.none_given))
        if len(given) > 1:
            raise ValidationError(str(self.both_given))
        return self.cleaned_data

    def _is_as_shown(self) -> bool:
        rows: list[Row] | None = self.cleaned_data.get("rows")
        return rows is not None and self.cleaned_data["shown"] == _fingerprint(self.cells(rows))

    def table(self) -> list[Row]:
        """The rows of a valid form."""
        from_file: list[Row] | None = self.cleaned_data["file"]
        return self.cleaned_data["rows"] if from_file is None else from_file

    @abstractmethod
    def cells(self, rows: Sequence[Row]) -> list[list[str]]:
        """The rows as they are written, below a first row that names the columns."""

    def further_notes(self, text: str) -> list[str]:
        """Return what a subclass understood of a valid table besides its layout."""
        return []

    @property
    def is_confirmed(self) -> bool:
        """Whether the rows of a valid form are those that the author was shown."""
        return self.cleaned_data["shown"] == _fingerprint(self.cells(self.table()))

    def understood(self) -> Understood:
        """Return what was read of a valid form."""
        header, *rows = self.cells(self.table())
        return Understood(header, rows, [*notes_of(self._text), *self.further_notes(self._text)])

    def to_confirm(self) -> Self:
        """A form with the rows as they were read: sent like this, they are stored."""
        cells = self.cells(self.table())
        text = io.StringIO(newline="")
        csv.writer(text, lineterminator="\n").writerows(cells)
        rows = {"rows": text.getvalue(), "shown": _fingerprint(cells)}
        return self.again(rows)

    @abstractmethod
    def again(self, initial: dict[str, str]) -> Self:
        """Return the same form, not sent yet, with these values."""


def _fingerprint(cells: Sequence[Sequence[str]]) -> str:
    return hashlib.sha256(repr([[*row] for row in cells]).encode()).hexdigest()
