"""A whole table of an author: a file, or rows that are typed or pasted from a spreadsheet."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from django import forms
from django.core.exceptions import ValidationError
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from surveys.authoring.typed_tables import MOST_BYTES, UnreadTableError, decoded_table

Row = TypeVar("Row")


class TypedTableForm(forms.Form, Generic[Row]):
    """A subclass says what its columns are, and which function reads the rows.

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

    def __init__(self, *args: Any, reader: Callable[[str], list[Row]], **kwargs: Any) -> None:
        """`reader`: the rows of a table as text; it raises UnreadTableError."""
        super().__init__(*args, **kwargs)
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
            return self._read_rows(decoded_table(data))
        except UnreadTableError as error:
            raise ValidationError(error.problems) from None

    def clean(self) -> dict[str, Any]:
        super().clean()
        if self.errors:
            return self.cleaned_data
        given = [name for name in ("file", "rows") if self.cleaned_data.get(name) is not None]
        if not given:
            raise ValidationError(str(self.none_given))
        if len(given) > 1:
            raise ValidationError(str(self.both_given))
        return self.cleaned_data

    def table(self) -> list[Row]:
        """The rows of a valid form."""
        from_file: list[Row] | None = self.cleaned_data["file"]
        return self.cleaned_data["rows"] if from_file is None else from_file
