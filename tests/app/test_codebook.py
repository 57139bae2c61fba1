"""The codebook: what each code is, and which true answers there are, without the parameters."""

import csv
import io

import pytest
from msgspec.structs import replace

from surveys.exports.formats import csv as csv_format
from surveys.exports.tables import codes
from surveys.models import Launch
from surveys.parameters import Dense
from tests.browser.respondent import CARDS, EACH, WHOLE
from tests.builders import launched

pytestmark = pytest.mark.django_db
SETS = ["None of these", "Paper", "Tools", "Paper | Tools", "Food", "Paper | Food"]
SETS += ["Tools | Food", "Paper | Tools | Food"]


def rows_of(parameters):
    text = "".join(csv_format.write(codes.table(Launch(parameters=parameters))))
    return list(csv.DictReader(io.StringIO(text)))


def column(rows, name):
    return [row[name] for row in rows]


def book(question, **values):
    return rows_of(launched(questions=[question], budget=6, **values).parameters)


def test_the_true_answers_stand_in_their_order_beside_the_codes():
    rows = book({"text": "Ever?", "prefer_not": True})
    assert column(rows, "answer") == ["No", "Yes", "Prefer not to say"]
    assert column(rows, "likeliest_from") == ["No", "Yes", "Prefer not to say"]
    assert column(rows, "report") == ["A", "B", "C"]
    assert column(rows, "shows") == ["", "", ""]


def test_of_a_device_over_all_combinations_every_set_is_spelled_out():
    """docs/protocol.md: the code of a set has bit i for option i, the last is the refusal."""
    assert column(book(WHOLE), "answer") == SETS
    refusing = book({**WHOLE, "prefer_not": True}, slug="refusing")
    assert column(refusing, "answer") == [*SETS, "Prefer not to say"]
    assert column(refusing, "likeliest_from") == [*SETS, "Prefer not to say"]
    assert column(refusing, "code") == [str(code) for code in range(9)]


def test_of_a_device_for_each_option_the_option_is_named():
    rows = book(EACH)
    assert column(rows, "option") == ["Paper", "Paper", "Tools", "Tools", "Food", "Food"]
    assert column(rows, "answer") == ["not ticked", "ticked"] * 3
    assert column(rows, "likeliest_from") == ["not ticked", "ticked"] * 3


def test_a_card_is_likeliest_from_the_answers_that_it_shows():
    rows = book(CARDS)
    assert column(rows, "likeliest_from") == column(rows, "shows")
    assert column(rows, "answer") == [*CARDS["options"], *[""] * (len(rows) - 5)]


def test_words_that_no_author_wrote_are_in_the_surveys_language():
    rows = book(WHOLE, language="de")
    assert rows[0]["answer"] == "Nichts davon"


def rows_with(columns, **question):
    """The rows of a launch whose first device has another table."""
    parameters = launched(questions=[{"text": "Ever?", **question}]).parameters
    codes = tuple("ABC"[: len(columns[0])])
    table = Dense(reports=codes, denominator=sum(columns[0]), columns=columns)
    device = replace(parameters.devices[0], table=table)
    return rows_of(replace(parameters, devices=(device,)))


def test_answers_that_outnumber_the_reports_are_listed_all_the_same():
    rows = rows_with(((3, 1), (2, 2), (1, 3)), prefer_not=True)
    assert column(rows, "answer") == ["No", "Yes", "Prefer not to say"]
    assert column(rows, "code") == ["0", "1", ""]
    assert column(rows, "likeliest_from") == ["No", "Prefer not to say", ""]


def test_a_report_that_all_answers_send_alike_is_likeliest_from_none():
    rows = rows_with(((2**31 + 1, 2**31 - 1), (2**31, 2**31)))
    assert column(rows, "likeliest_from") == ["", ""]
