"""Margins as authors write them: what is taken, and what is said of all that is not."""

from decimal import Decimal

import pytest

from surveys.authoring.margin_reading import MOST_ROWS, read_margins, share_text
from surveys.authoring.typed_tables import UnreadTableError

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
    "a share in other digits": (f"{HEAD}size,Small,٣٠\n", "Row 2, share “٣٠”: not a number"),
    "a share of thousands": (f"{HEAD}size,Small,1e3\n", "Row 2, share “1e3”: not a number"),
    "eleven decimals": (f"{HEAD}size,Small,0.00000000001\n", "with ten decimals at most"),
    "99.9 in all": (
        f"{HEAD}size,Small,10\nsize,Large,89.9\n",
        "The shares of “size” (rows 2, 3) add up to 99.9. They have to add up to 100, or to 1",
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
