"""A list of options, typed or pasted one per line."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from surveys.author_texts import numbered_lines, reader_key
from surveys.kinds import MAX_OPTIONS

MAX_LABEL = 200
# For a list longer than this only its length is reported, not the errors of its lines.
MAX_LINES_READ = 4 * MAX_OPTIONS


def parse_options(text: str) -> list[str]:
    """The labels of a pasted list, without lines of which nothing is seen; errors name the line."""
    lines = numbered_lines(text)
    problems = [*_too_long(lines), *_repetitions(lines)] if len(lines) <= MAX_LINES_READ else []
    if problems:
        raise ValidationError(problems)
    return [line for _number, line in lines]


def _too_long(lines: list[tuple[int, str]]) -> Iterator[str]:
    for number, line in lines:
        if len(line) > MAX_LABEL:
            yield _("Line %(line)s has %(length)s characters. Shorten it to %(most)s.") % {
                "line": number,
                "length": len(line),
                "most": MAX_LABEL,
            }


def _repetitions(lines: list[tuple[int, str]]) -> Iterator[str]:
    first_at: dict[str, int] = {}
    for number, line in lines:
        first = first_at.setdefault(reader_key(line), number)
        if first != number:
            yield _("Line %(line)s repeats line %(first)s: “%(label)s”. Remove one of them.") % {
                "line": number,
                "first": first,
                "label": line[:60],
            }


class OptionsField(forms.CharField):
    """Shows a stored list as lines and reads lines as a list."""

    def __init__(self, **kwargs: Any) -> None:
        # Leading blank lines are kept, so that errors have the line numbers of the field.
        attributes = {"rows": 6, "cols": 40, "data-author-text": "paragraphs"}
        super().__init__(widget=forms.Textarea(attrs=attributes), strip=False, **kwargs)

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(map(str, value)) if isinstance(value, list) else value

    def clean(self, value: Any) -> list[str]:
        return parse_options(super().clean(value))

    def has_changed(self, initial: Any, data: Any) -> bool:
        return [line for _number, line in numbered_lines(data or "")] != list(initial or [])
