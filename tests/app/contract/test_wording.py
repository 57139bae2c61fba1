"""The contract's checks of texts find their problems."""

import pytest

from tests.app.contract.draws import borders
from tests.app.contract.wording import problems_in


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("", "en"),
        ("Of %(people)s people", "en"),
        ("Its epsilon is None.", "en"),
        ("undefined of 100 people", "en"),
        ("Its device k_rr is too weak.", "en"),
        ("Drawn by subset_selection", "de"),
        ("Belief in “”", "en"),
        ("Prefer not to say", "de"),
    ],
)
def test_a_text_with_a_problem_has_one(text, language):
    assert problems_in(text, language)


@pytest.mark.parametrize(
    ("text", "language"),
    [("None of these", "en"), ("Prefer not to say", "en"), ("Die Karte mit 3 Antworten", "de")],
)
def test_a_text_without_has_none(text, language):
    assert problems_in(text, language) == []


def test_the_borders_of_a_column_tell_every_integer():
    column = [3, 0, 1, 4]
    assert list(borders(column)) == [(0, 0), (2, 0), (3, 2), (3, 2), (4, 3), (7, 3)]
