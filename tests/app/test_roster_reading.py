"""Rosters as authors write them: what is taken, and what is said of all that is not."""

import pytest

from surveys.authoring.reading.typed_tables import MOST_BYTES, UnreadTableError, decoded_table
from surveys.features.roster.reading import RosterRow, read_roster, roster_warnings

HEADER = "code,name\n"
PLAIN = [RosterRow("a1", "Ana Alves"), RosterRow("b2", "Bo Berg"), RosterRow("c3", "Cem Çelik")]
GROUPED = [
    RosterRow("a1", "Ana Alves", "Early"),
    RosterRow("b2", "Bo Berg", "Late"),
    RosterRow("c3", "Cem Çelik", "Early"),
]
GOOD = {
    "commas": ("code,name\na1,Ana Alves\nb2,Bo Berg\nc3,Cem Çelik\n", PLAIN),
    "semicolons": ("code;name\na1;Ana Alves\nb2;Bo Berg\nc3;Cem Çelik", PLAIN),
    "tabs, as from a spreadsheet": ("code\tname\na1\tAna Alves\nb2\tBo Berg\nc3\tCem Çelik", PLAIN),
    "a mark of the encoding": ("\ufeffcode,name\na1,Ana Alves\nb2,Bo Berg\nc3,Cem Çelik", PLAIN),
    "lines of Windows": ("code,name\r\na1,Ana Alves\r\nb2,Bo Berg\r\nc3,Cem Çelik\r\n", PLAIN),
    "quotation marks": ('"code","name"\n"a1","Ana Alves"\nb2,Bo Berg\nc3,"Cem Çelik"', PLAIN),
    "blank rows and cells": (
        "\ncode,name,\n,,\na1,Ana Alves,\n\nb2,Bo Berg\nc3,Cem Çelik,,\n",
        PLAIN,
    ),
    "spaces": ("code , name\n a1,Ana  Alves \nb2 ,Bo Berg\nc3,Cem Çelik", PLAIN),
    "letters with their marks apart": (
        "code,name\na1,Ana Alves\nb2,Bo Berg\nc3,Cem C\u0327elik",
        PLAIN,
    ),
    "groups": (
        "code,name,group\na1,Ana Alves,Early\nb2,Bo Berg,Late\nc3,Cem Çelik,Early",
        GROUPED,
    ),
    "a column of groups that is empty": (
        "code,name,group\na1,Ana Alves,\nb2,Bo Berg\nc3,Cem Çelik,",
        PLAIN,
    ),
    "another order and capitals": (
        "Group,CODE,Name\nEarly,a1,Ana Alves\nLate,b2,Bo Berg\nEarly,c3,Cem Çelik",
        GROUPED,
    ),
    "German": (
        "Kürzel;Name;Gruppe\na1;Ana Alves;Early\nb2;Bo Berg;Late\nc3;Cem Çelik;Early",
        GROUPED,
    ),
}


def problems_of(text: str) -> list[str]:
    with pytest.raises(UnreadTableError) as error:
        read_roster(text)
    return error.value.problems


def rows(*lines: str) -> str:
    """A table of these lines and of enough others."""
    return HEADER + "\n".join([*lines, "x1,Xi", "y1,Yi", "z1,Zi"])


@pytest.mark.parametrize("case", sorted(GOOD))
def test_a_roster_is_read_as_it_is_written(case):
    text, expected = GOOD[case]
    assert read_roster(text) == expected
    assert roster_warnings(expected) == []


def test_a_name_may_have_a_comma_and_what_looks_like_a_formula():
    assert read_roster(rows('a1,"Alves, Ana"', "b2,=1+1"))[:2] == [
        RosterRow("a1", "Alves, Ana"),
        RosterRow("b2", "=1+1"),
    ]


# Signs that nobody sees are no part of a name, and a break within one is a space.
CLEANED = {
    "a control character": "a1,An\x07a",
    "two lines in a name": 'a1,"Ana\nAlves"',
    "an end of line in a name": "a1,Ana\u2028Alves",
    "a name that turns round": "a1,\u202eAna",
    "an isolate": "a1,\u2066Ana\u2069",
    "a mark of the encoding within a code": "a\ufeff1,Ana",
}


@pytest.mark.parametrize("case", sorted(CLEANED))
def test_what_is_not_seen_is_no_part_of_a_text(case):
    member = read_roster(rows(CLEANED[case]))[0]
    assert member.code == "a1"
    assert member.name in ("Ana", "Ana Alves")


def test_names_that_look_alike_are_told():
    roster = read_roster(rows("a1,Zoë", "a2,Zoe\u0308\u200b", "a3,ZOË"))
    assert roster_warnings(roster) == [
        "“Zoë” is there 3 times (a1, a2, a3): respondents cannot tell them apart."
    ]


def test_a_table_of_a_program_or_a_spreadsheet_is_read_as_any_other():
    plain = "a1,Ana\nb2,Bo\nc3,Cem\n"
    expected = read_roster(HEADER + plain)
    numbered = "".join(f'"{n}",{row}\n' for n, row in enumerate(plain.split(), 1))
    assert read_roster(f'"",{HEADER}{numbered}') == expected
    assert read_roster(HEADER + numbered) == expected
    for sign in ",;":
        table = f"sep={sign}\r\n{HEADER}{plain}".replace(",", sign).replace(f"sep{sign}", "sep=")
        assert read_roster(table) == expected
    # The sign in the quoted name of a column separates nothing.
    assert read_roster('"code","name",""\n' + plain) == expected
    with pytest.raises(UnreadTableError, match="Row 3, code"):
        read_roster(f"sep=,\n{HEADER}a 1,Ana\nb2,Bo\nc3,Cem")


BROKEN = {
    "no code": (",Ana", "Row 2, code “”: empty."),
    "no name": ("a1,", "Row 2, name “”: empty."),
    "a name that nobody sees": ("a1,\u200b\u00a0\u200b", "Row 2, name “"),
    "a space in a code": ("a 1,Ana", "Row 2, code “a 1”: only letters from A to Z"),
    "a code that begins with a sign": ("-a,Ana", "Row 2, code “-a”: only letters from A to Z"),
    "a letter of another script": ("å1,Ana", "Row 2, code “å1”: only letters from A to Z"),
    "a long code": ("a" * 33 + ",Ana", "33 characters; at most 32 are allowed."),
    "a long name": ("a1," + "n" * 121, "121 characters; at most 120 are allowed."),
    "the same code": ("x1,Ana", "Row 3, code “x1”: the same as in row 2;"),
    "the same code in capitals": ("X1,Ana", "Row 3, code “x1”: the same as in row 2;"),
    "too many cells": ("a1,Alves,Ana", "Row 2 has 3 cells, and the first row names 2."),
    "a quotation mark left open": ('a1,"Ana', "Row 2 cannot be read: a quotation mark"),
    "a quotation mark in between": ('a1,"A"na', "Row 2 cannot be read: a quotation mark"),
}


@pytest.mark.parametrize("case", sorted(BROKEN))
def test_a_row_that_breaks_a_rule_is_named_with_it(case):
    line, sentence = BROKEN[case]
    (problem,) = problems_of(rows(line))
    assert sentence in problem


def test_all_that_is_wrong_is_said_at_once_but_for_the_rest_of_a_long_list():
    assert problems_of(rows("a 1,Ana", "b2,", "c3,Cem", "c3,Cem")) == [
        "Row 2, code “a 1”: only letters from A to Z, digits, points, hyphens and underscores, of "
        "which the first is a letter or a digit.",
        "Row 3, name “”: empty.",
        "Row 5, code “c3”: the same as in row 4; capital letters make no difference.",
    ]
    problems = problems_of(HEADER + "\n".join(f"a{number}," for number in range(50)))
    assert len(problems) == 21
    assert problems[-1] == "And 30 more."


HEADERLESS = {
    "nothing": ("", "no column “code”"),
    "rows without a header": ("a1,Ana\nb2,Bo\nc3,Cem", "names a column “a1”"),
    "no names": ("code,group\na1,x", "no column “name”"),
    "another column": ("code,name,email\na1,Ana,a@b", "names a column “email”"),
    "a column twice": ("code,name,Name\na1,Ana,Ana", "column “name” more than once"),
    "one text": ("Dear colleagues", "names a column “Dear colleagues”"),
    "markup": ("<!doctype html>\n<p>", "names a column “<!doctype html>”"),
}


@pytest.mark.parametrize("case", sorted(HEADERLESS))
def test_the_first_row_says_what_the_columns_are(case):
    text, sentence = HEADERLESS[case]
    problems = problems_of(text)
    assert any(sentence in problem for problem in problems)
    assert problems[-1].startswith("The first row has to say what the columns are")


def grouped(*groups: str) -> str:
    lines = [f"a{number},Member {number},{group}" for number, group in enumerate(groups)]
    return "\n".join(["code,name,group", *lines])


def test_groups_are_two_to_fifty_and_all_rows_have_one_or_none_has():
    assert problems_of(grouped("x", "x", "x")) == [
        "All rows have the one group “x”. Name two at least, or leave the column out."
    ]
    assert problems_of(grouped("x", "y", "", "")) == [
        "2 rows have no group, such as row 4. Give all rows one, or none."
    ]
    assert len(read_roster(grouped(*map(str, range(50))))) == 50
    assert problems_of(grouped(*map(str, range(51)))) == [
        "There are 51 groups; at most 50 are allowed."
    ]
    assert "61 characters" in problems_of(grouped("x", "x", "g" * 61))[0]
    assert "U+200F" not in str(read_roster(grouped("x", "x", "\u200fy")))


def test_a_roster_has_three_to_a_thousand_members():
    assert problems_of(HEADER + "a1,Ana\nb2,Bo") == [
        "A roster has at least 3 members; this one has 2."
    ]
    assert problems_of(HEADER) == ["A roster has at least 3 members; this one has 0."]
    lines = [f"a{number},Member {number}" for number in range(1001)]
    assert len(read_roster(HEADER + "\n".join(lines[:1000]))) == 1000
    assert problems_of(HEADER + "\n".join(lines)) == [
        "A roster has up to 1,000 members; this one has more."
    ]


def test_of_far_too_many_rows_only_as_many_are_read_as_may_be():
    lines = [f"a{number},Member {number}" for number in range(1001)]
    unread = '\n"left open' + "x" * 1000
    assert problems_of(HEADER + "\n".join(lines) + unread * 9_000) == [
        "A roster has up to 1,000 members; this one has more."
    ]


def test_the_same_name_twice_and_groups_alike_are_warnings():
    table = "code,name,group\na1,Ana,Early\nb2,Bo,early\nc3,Ana,Late"
    assert roster_warnings(read_roster(table)) == [
        "“Ana” is there 2 times (a1, c3): respondents cannot tell them apart.",
        "These are groups of their own, and differ only in capital letters: “Early”, “early”.",
    ]


FILES = {
    "a spreadsheet": (b"PK\x03\x04rest", "no CSV file"),
    "a document": (b"%PDF-1.7", "no CSV file"),
    "two bytes a letter": ("code,name".encode("utf-16"), "no CSV file"),
    "bytes of nothing": (b"code,name\n\0\0", "no CSV file"),
    "Windows-1252": ("code,name\na1,José".encode("cp1252"), "not in UTF-8 (line 2)"),
    "too much": (b"x" * (MOST_BYTES + 1), "more than 1,000,000 bytes"),
}


@pytest.mark.parametrize("case", sorted(FILES))
def test_a_file_that_is_no_text_in_utf_8_is_refused_with_a_way_out(case):
    data, sentence = FILES[case]
    with pytest.raises(UnreadTableError) as error:
        decoded_table(data)
    (problem,) = error.value.problems
    assert sentence in problem


def test_a_file_in_utf_8_is_read_with_a_mark_of_the_encoding_or_without():
    text = "code,name\na1,José"
    assert decoded_table(text.encode()) == decoded_table(text.encode("utf-8-sig")) == text
