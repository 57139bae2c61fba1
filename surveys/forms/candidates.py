"""Lists of candidates: texts that are looked for, one on a line, typed or from a file."""

from collections.abc import Iterator, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from surveys import numbers, spreadsheets
from surveys.author_texts import numbered_lines, one_line
from surveys.authoring.reading.candidates import first_column
from surveys.authoring.reading.typed_tables import UnreadTableError, decoded_table
from surveys.kinds.normal_texts import normal_form

MOST_CANDIDATES = 2_000
# As long as the longest text that anybody may give.
LONGEST = 200
# A list of so many texts of this length, with room for other columns of a file.
MOST_BYTES = 2_000_000
# Problems that are named at once; one file may have the same one in each of its lines.
MOST_NAMED = 20

Lines = Sequence[tuple[int, str]]


def read_candidates(lines: Lines) -> list[str]:
    """The texts of numbered lines, without those that nobody sees; ValidationError by line."""
    filled = [(number, one_line(text)) for number, text in lines if one_line(text)]
    if len(filled) > MOST_CANDIDATES:
        message = _("A list has up to %(most)s candidates; this one has %(count)s.")
        values = {"most": numbers.count(MOST_CANDIDATES), "count": numbers.count(len(filled))}
        raise ValidationError(message % values)
    problems = list(_problems(filled))
    if len(problems) > MOST_NAMED:
        rest = _("And %s more.") % numbers.count(len(problems) - MOST_NAMED)
        problems = [*problems[:MOST_NAMED], rest]
    if problems:
        raise ValidationError(problems)
    return [text for _number, text in filled]


def _problems(lines: Lines) -> Iterator[str]:
    first_at: dict[str, int] = {}
    for number, text in lines:
        values = {"line": number, "text": text[:60]}
        words = normal_form(text)
        if spreadsheets.is_formula(text):
            message = _("Line %(line)s begins like a formula, which a spreadsheet would compute.")
            yield message % values
        if len(words) > LONGEST:
            message = _("Line %(line)s has %(length)s characters. Shorten it to %(most)s.")
            yield message % {"line": number, "length": len(words), "most": LONGEST}
        first = first_at.setdefault(words, number)
        if first != number:
            message = _(
                "Line %(line)s is the same text as line %(first)s: “%(text)s”. Capitals, spaces "
                "and the shape of quotation marks do not count. Remove one of them."
            )
            yield message % {**values, "first": first}


class CandidatesField(forms.CharField):
    """Shows a stored list as lines and reads lines as a list."""

    def __init__(self, **kwargs: Any) -> None:
        widget = forms.Textarea(attrs={"rows": 6, "cols": 40, "spellcheck": "false"})
        # Leading blank lines are kept, so that errors have the line numbers of the field.
        super().__init__(widget=widget, strip=False, required=False, **kwargs)

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(map(str, value)) if isinstance(value, list) else value

    def clean(self, value: Any) -> list[str]:
        return read_candidates(numbered_lines(super().clean(value) or ""))

    def has_changed(self, initial: Any, data: Any) -> bool:
        return [line for _number, line in numbered_lines(data or "")] != list(initial or [])


class CandidatesForm(forms.Form):
    """The list of a launched question, typed or from a file, which then replaces what is typed.

    What was read of a file is shown in the field before it is stored.
    """

    texts = CandidatesField()
    file = forms.FileField(required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.notes: list[str] = []
        self.fields["texts"].label = _("Candidates, one per line")
        self.fields["texts"].widget.attrs["rows"] = 14
        file = self.fields["file"]
        file.label = _("Or a file (CSV or plain text)")
        file.help_text = _(
            "In UTF-8. Of a table the first column is read; a file that ends in .txt has one text "
            "per line. What was read replaces what is typed above, and is stored once you send it."
        )

    def clean_file(self) -> list[str] | None:
        upload = self.cleaned_data.get("file")
        if not upload:
            return None
        try:
            text = decoded_table(upload.read(MOST_BYTES + 1), most_bytes=MOST_BYTES)
            if upload.name.lower().endswith(".txt"):
                return read_candidates(numbered_lines(text))
            column = first_column(text)
        except UnreadTableError as error:
            raise ValidationError(error.problems) from None
        self.notes = column.notes
        return read_candidates(column.lines)

    @property
    def is_confirmed(self) -> bool:
        """Whether the author has seen the list of a valid form: it stood in the field."""
        return self.cleaned_data.get("file") is None

    def candidates(self) -> list[str]:
        """The list of a valid form."""
        from_file = self.cleaned_data.get("file")
        return self.cleaned_data["texts"] if from_file is None else from_file
