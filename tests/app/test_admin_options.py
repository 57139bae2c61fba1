"""Options, typed or pasted one per line."""

import pytest
from django.core.exceptions import ValidationError

from surveys.forms.fields.options import OptionsField, parse_options


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("", []),
        ("A\nB", ["A", "B"]),
        ("  A  \r\n\r\n\tB\t\r\n", ["A", "B"]),
        ("größer, kleiner\n“gleich”", ["größer, kleiner", "“gleich”"]),
    ],
)
def test_a_pasted_list_is_trimmed(text, labels):
    assert parse_options(text) == labels


def test_errors_name_the_line_as_it_was_pasted():
    with pytest.raises(ValidationError) as raised:
        parse_options("A\n\nb\n" + "x" * 201 + "\nB\na")
    assert raised.value.messages == [
        "Line 4 has 201 characters. Shorten it to 200.",
        "Line 5 repeats line 3: “B”. Remove one of them.",
        "Line 6 repeats line 1: “a”. Remove one of them.",
    ]


def test_a_stored_list_is_shown_as_lines_and_is_unchanged_when_posted_back():
    field = OptionsField(required=False)
    lines = field.prepare_value(["A", "B"])
    assert lines == "A\nB"
    assert not field.has_changed(["A", "B"], lines.replace("\n", "\r\n"))
    assert field.has_changed(["A", "B"], "B\nA")
