"""Margins as authors write them: what is taken, and what is said of all that is not."""

from decimal import Decimal

import pytest

from surveys.authoring.reading.typed_tables import UnreadTableError, notes_of
from surveys.features.analyses.reading import MOST_ROWS, read_margins, rescaled_notes, share_text

ANSWERS = {"region": ["North", "South", "The  east"], "size": ["Small", "Large"]}
HEAD = "question,answer,share\n"
REGION = "region,North,20\nregion,South,30\nregion,The east,50\n"
SIZE = "size,Small,10\nsize,Large,90\n"
GOOD = {
    "in percent": (HEAD + REGION, {"region": ("0.2", "0.3", "0.5")}),
    "two questions, mixed": (
        f"{HEAD}size,Large,90\n{REGION}size,small,10\n",
        {"size": ("0.1", "0.9"), "region": ("0.2", "0.3", "0.5")},
    ),
    "parts of 1": (
        f"{HEAD}size,Small,0.123456789\nsize,Large,0.876543211\n",
        {"size": ("0.123456789", "0.876543211")},
    ),
    "with percent signs": (f"{HEAD}size,Small,1 %\nsize,Large,99%\n", {"size": ("0.01", "0.99")}),
    "as a German spreadsheet writes": (
        "\ufeffFrage;Antwort;Anteil\r\nsize;Small;51,25\r\nsize;Large;48,75\r\n",
        {"size": ("0.5125", "0.4875")},
    ),
    "columns in another order": (
        "share\tquestion\tanswer\n0\tsize\tSmall\n100\tsize\tLarge",
        {"size": ("0", "1")},
    ),
    "ten decimals": (
        f"{HEAD}size,Small,0.0000000001\nsize,Large,99.9999999999\n",
        {"size": ("0.000000000001", "0.999999999999")},
    ),
    "digits of another script": (
        f"{HEAD}size,Small,٣٠\nsize,Large,٧٠٫٠\n",
        {"size": ("0.3", "0.7")},
    ),
    # Two thirds and one third as programs write them: 17 digits, and 100.00000000000001 in all.
    "seventeen digits": (
        f"{HEAD}size,Small,33.333333333333336\nsize,Large,66.666666666666671\n",
        {"size": ("0.333333333333", "0.666666666667")},
    ),
    "an exponent": (
        f"{HEAD}size,Small,1e-05\nsize,Large,0.99999\n",
        {"size": ("0.00001", "0.99999")},
    ),
    # 10 / 99.9 = .1001001001001..., and 33.4, 33.4, 33.3 of 100.1.
    "99.9 in all": (
        f"{HEAD}size,Small,10\nsize,Large,89.9\n",
        {"size": ("0.1001001001", "0.8998998999")},
    ),
    "100.1 in all": (
        f"{HEAD}region,North,33.4\nregion,South,33.4\nregion,The east,33.3\n",
        {"region": ("0.333666333667", "0.333666333666", "0.332667332667")},
    ),
    "rounded to whole percent": (
        f"{HEAD}region,North,33\nregion,South,33\nregion,The east,33\n",
        {"region": ("0.333333333334", "0.333333333333", "0.333333333333")},
    ),
    "a line that says what separates": (
        "sep=;\r\nquestion;answer;share\r\nsize;Small;10\r\nsize;Large;90\r\n",
        {"size": ("0.1", "0.9")},
    ),
    "row names of R": (
        '"","question","answer","share"\n"1","size","Small",10\n"2","size","Large",90\n',
        {"size": ("0.1", "0.9")},
    ),
    "row names without a cell in the first row": (
        '"question","answer","share"\n"1","size","Small",10\n"2","size","Large",90\n',
        {"size": ("0.1", "0.9")},
    ),
    "a name of a column in quotes, with a semicolon": (
        '"question","answer","share"\nsize,"Small",10\nsize,Large,90\n',
        {"size": ("0.1", "0.9")},
    ),
    "an answer in another encoding of its letters": (
        f"{HEAD}size,SMALL\u200b,10\nsize,Large,90\n",
        {"size": ("0.1", "0.9")},
    ),
}
BAD = {
    "nothing": ("", "The first row has to say what the columns are: question,answer,share."),
    "no header": (REGION, "It says “region,North,20”."),
    "a column twice": ("question,answer,answer\n", "It says “question,answer,answer”."),
    "only a header": (HEAD, "The table has no row below its first."),
    "another question": (
        f"{HEAD}age,Old,100\n",
        "Row 2, question “age”: no question of this name to weight by; there are: region, size.",
    ),
    "another answer": (
        f"{HEAD}{REGION}region,West,0\n",
        "Row 5, answer “West”: no answer of “region”; there are: North, South, The  east.",
    ),
    "an answer twice": (
        f"{HEAD}{REGION}region,NORTH,0\n",
        "Row 5, answer “NORTH”: the same answer as in row 2.",
    ),
    "an answer missing": (
        f"{HEAD}region,North,100\n",
        "“region” has no share for: South, The  east. Write 0 where there is none.",
    ),
    "a share below 0": (
        f"{HEAD}size,Small,-10\nsize,Large,110\n",
        "Row 2, share “-10”: not a number such as 51.2",
    ),
    "a share in words": (f"{HEAD}size,Small,half\n", "Row 2, share “half”: not a number"),
    "a share left out": (f"{HEAD}size,Small\n", "Row 2, share “”: not a number"),
    "a share of thousands": (f"{HEAD}size,Small,1e3\n", "Row 2, share “1e3”: not a number"),
    "99.8 in all": (
        f"{HEAD}size,Small,10\nsize,Large,89.8\n",
        "The shares of “size” (rows 2, 3) add up to 99.8. They have to add up to 100, or to 1",
    ),
    "98 in all, in whole percent": (
        f"{HEAD}region,North,33\nregion,South,33\nregion,The east,32\n",
        "The shares of “region” (rows 2, 3, 4) add up to 98.",
    ),
    "1 in all, in percent": (
        f"{HEAD}size,Small,0.5 %\nsize,Large,0.5 %\n",
        "The shares of “size” (rows 2, 3) add up to 1.",
    ),
    "a comma too many": (f"{HEAD}size,Small,10,5\n", "Row 2 has 4 cells"),
    "an open quotation mark": (f'{HEAD}"size,Small,10\n', "Row 2 cannot be read"),
    "too many rows": (HEAD + "size,Small,1\n" * (MOST_ROWS + 1), "up to 500 rows"),
}


@pytest.mark.parametrize("case", GOOD)
def test_a_table_is_read(case):
    text, expected = GOOD[case]
    assert {each.question: each.shares for each in read_margins(text, ANSWERS)} == expected


@pytest.mark.parametrize("case", BAD)
def test_all_that_is_wrong_is_said(case):
    text, message = BAD[case]
    with pytest.raises(UnreadTableError) as error:
        read_margins(text, ANSWERS)
    assert any(message in problem for problem in error.value.problems), error.value.problems


@pytest.mark.parametrize(
    ("case", "note"),
    [
        ("99.9 in all", "The shares of “size” add up to 99.9, as rounded shares do."),
        ("100.1 in all", "The shares of “region” add up to 100.1, as rounded shares do."),
        ("seventeen digits", "The shares of “size” add up to 100.000000000000007,"),
        ("in percent", ""),
        ("ten decimals", ""),
    ],
)
def test_what_is_rescaled_is_said(case, note):
    notes = rescaled_notes(GOOD[case][0], ANSWERS)
    assert [each[: len(note)] for each in notes] == [note] * bool(note)
    (shares,) = GOOD[case][1].values()
    assert sum(map(Decimal, shares)) == 1


def test_layouts_are_said():
    notes = [
        notes_of(GOOD[case][0]) for case in ("a line that says what separates", "row names of R")
    ]
    assert notes == [
        ["Its first line only says what separates the cells, and is no row."],
        ["Its first column has the names or numbers of rows, and is left out."],
    ]


def test_every_row_is_told_at_once():
    with pytest.raises(UnreadTableError) as error:
        read_margins(f"{HEAD}age,Old,x\nsize,Tiny,10\n", ANSWERS)
    assert [problem.partition(":")[0] for problem in error.value.problems] == [
        "Row 2, question “age”",
        "Row 2, share “x”",
        "Row 3, answer “Tiny”",
    ]


def test_where_nothing_can_be_weighted_by_the_row_says_so():
    with pytest.raises(UnreadTableError, match="there are: none"):
        read_margins(HEAD + SIZE, {})


@pytest.mark.parametrize(
    ("share", "text"),
    [("0.50", "0.5"), ("1E-12", "0.000000000001"), ("-0", "0"), ("0E-9", "0"), ("1.0", "1")],
)
def test_a_share_is_written_as_the_document_has_it(share, text):
    assert share_text(Decimal(share)) == text
