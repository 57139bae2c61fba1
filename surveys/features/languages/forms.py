"""The forms of the languages of a survey: adding one, its texts side by side, and a file."""

from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy

from surveys.authoring.reading.typed_tables import UnreadTableError
from surveys.features.languages.exchange import FILES, MOST_BYTES
from surveys.features.languages.reading import Row, State
from surveys.features.languages.settings import Translated
from surveys.forms.fields.author_texts import LineField, ParagraphsField
from surveys.languages import direction_of, offered_languages

LONGEST_TEXT = 5000
# The tick by which a stale translation is said to be right still.
STILL_RIGHT = "still-"


class LanguageForm(forms.Form):
    language = forms.ChoiceField(label=gettext_lazy("Language"))

    def __init__(self, *args: Any, taken: Sequence[str], **kwargs: Any) -> None:
        """`taken`: the languages that the survey has."""
        super().__init__(*args, **kwargs)
        offered = [(code, name) for code, name in offered_languages().items() if code not in taken]
        self.fields["language"].choices = offered  # type: ignore[attr-defined]


class Entry(NamedTuple):
    """A text side by side: what there is, its field, and the tick of a stale one."""

    row: Row
    field: forms.BoundField
    still_right: forms.BoundField | None


class TextsForm(forms.Form):
    """All texts of a language. Only what was changed on the page is stored."""

    def __init__(self, *args: Any, rows: Sequence[Row], language: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.rows, self.language = rows, language
        for row in rows:
            self.fields[row.path] = _field_of(row, language)
            if row.state == State.STALE:
                self.fields[STILL_RIGHT + row.path] = forms.BooleanField(
                    label=gettext_lazy("It is still right"), required=False
                )

    def entries(self) -> Iterator[Entry]:
        """Yield each text with its field, those first that are missing or stale."""
        for row in sorted(self.rows, key=lambda row: not row.is_open):
            name = STILL_RIGHT + row.path
            yield Entry(row, self[row.path], self[name] if name in self.fields else None)

    @property
    def texts(self) -> dict[str, Translated]:
        """What was written, by path; of a valid form."""
        return {
            row.path: Translated(self.cleaned_data[row.path], row.source)
            for row in self.rows
            if row.path in self.changed_data or self.cleaned_data.get(STILL_RIGHT + row.path)
        }


def _field_of(row: Row, language: str) -> forms.CharField:
    kind, widget = LineField, forms.TextInput
    if row.has_lines:
        kind, widget = ParagraphsField, forms.Textarea  # type: ignore[assignment]
    attributes = {"lang": language, "dir": direction_of(language)}
    if row.has_lines:
        attributes["rows"] = str(min(8, 2 + len(row.source) // 60))
    return kind(
        label=row.source,
        required=False,
        initial=row.text,
        show_hidden_initial=True,
        max_length=LONGEST_TEXT,
        widget=widget(attrs=attributes),
    )


class TextsFileForm(forms.Form):
    file = forms.FileField(
        label=gettext_lazy("File of a translator"),
        help_text=gettext_lazy(
            "An XLIFF 2.0 or CSV file that was downloaded here. Either all of it is taken, or "
            "nothing. What is empty in it stays as it is."
        ),
        widget=forms.FileInput(attrs={"accept": ",".join(f".{ending}" for ending in FILES)}),
    )

    def __init__(
        self, *args: Any, rows: Sequence[Row], source: str, language: str, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.given = (rows, source, language)

    def clean_file(self) -> dict[str, Translated]:
        upload = self.cleaned_data["file"]
        data = upload.read(MOST_BYTES + 1)
        is_xml = data.removeprefix(BOM_UTF8).lstrip().startswith(b"<")
        try:
            return FILES["xlf" if is_xml else "csv"].read(data, *self.given)
        except UnreadTableError as error:
            raise ValidationError(error.problems) from error
