"""A roster from a file or typed, and what an author confirms before it is used."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from surveys.authoring.roster_reading import read_roster
from surveys.authoring.rosters import RosterRow
from surveys.authoring.typed_tables import MOST_BYTES, UnreadTableError, decoded_table


class RosterForm(forms.Form):
    """A whole roster: a file, or rows that are typed or pasted from a spreadsheet."""

    file = forms.FileField(required=False)
    # Blank lines before the rows are kept, so that errors have the numbers of the field's lines.
    rows = forms.CharField(
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8, "cols": 60, "spellcheck": "false"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        file, rows = self.fields["file"], self.fields["rows"]
        file.label = _("File (CSV in UTF-8)")
        file.widget.attrs["accept"] = ".csv,.tsv,.txt,text/csv"
        rows.label = _("Or the rows, typed or pasted from a spreadsheet")
        rows.help_text = _(
            "The first row says what the columns are, here as in a file: code, name and, if there "
            "are groups, group."
        )
        rows.widget.attrs["placeholder"] = "code,name,group"

    def clean_file(self) -> list[RosterRow] | None:
        upload = self.cleaned_data.get("file")
        if not upload:
            return None
        # More than can be read is not even looked at.
        return _rows_of(upload.read(MOST_BYTES + 1))

    def clean_rows(self) -> list[RosterRow] | None:
        text = self.cleaned_data["rows"]
        return _rows_of(text.encode()) if text.strip() else None

    def clean(self) -> dict[str, Any]:
        super().clean()
        if self.errors:
            return self.cleaned_data
        given = [name for name in ("file", "rows") if self.cleaned_data.get(name) is not None]
        if not given:
            raise ValidationError(_("There is no roster yet: choose a file, or type the rows."))
        if len(given) > 1:
            raise ValidationError(_("There are two rosters: a file and typed rows. Leave one out."))
        return self.cleaned_data

    def roster(self) -> list[RosterRow]:
        """The rows of a valid form."""
        from_file: list[RosterRow] | None = self.cleaned_data["file"]
        return self.cleaned_data["rows"] if from_file is None else from_file


def _rows_of(data: bytes) -> list[RosterRow]:
    try:
        return read_roster(decoded_table(data))
    except UnreadTableError as error:
        raise ValidationError(error.problems) from None


class KnownAnswersForm(forms.Form):
    """That an author has read, before launch, what personal links tell about respondents."""

    understood = forms.BooleanField()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        understood = self.fields["understood"]
        understood.label = _("I tell everybody on the roster that it is known who answered.")
        understood.error_messages["required"] = _(
            "Confirm that you tell everybody on the roster that it is known who answered."
        )


class FindMemberForm(forms.Form):
    """A part of a code, a name or a group; posted, so that no name is in an address."""

    looked_for = forms.CharField(required=False, max_length=200)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["looked_for"].label = _("Find by code, name or group")
        self.fields["looked_for"].widget.attrs["autocomplete"] = "off"
