"""Dates in bins: what an author writes, what is frozen, and what is refused."""

import pytest
from django.utils import translation

from surveys.authoring.checks.survey import lint_survey
from surveys.drafts import Draft
from surveys.kinds import categories
from surveys.parameters import ParametersError, check, digest_of_json, read, to_json
from surveys.parameters.dates import date_bins
from tests.builders import launched, make_survey
from tests.plain import results_document

pytestmark = pytest.mark.django_db

BORN = {
    "kind": "calendar_date",
    "text": "When were you born?",
    "options": ["1950", "1970", "1990", "2009"],
    "design": "k_rr",
}


@pytest.mark.parametrize(
    ("options", "language", "firsts", "lasts"),
    [
        (
            ["1950", "1960", "1961", "1969"],
            "en",
            ["1950", "1960", "1961"],
            ["1959", "1960", "1969"],
        ),
        (
            ["2019-01", "2019-07", "2019-12"],
            "en",
            ["January", "July"],
            ["June 2019", "December 2019"],
        ),
        (
            ["2019-12-30", "2020-01-01", "2020-01-01"],
            "de",
            ["30. Dezember 2019", "1. Januar 2020"],
            ["31. Dezember 2019", "1. Januar 2020"],
        ),
    ],
)
def test_bins_are_spelled_in_the_language_of_the_survey(options, language, firsts, lasts):
    draft = Draft(name="q1", kind="calendar_date", options=tuple(options))
    with translation.override(language):
        found = categories(draft)
    for label, first, last in zip(found, firsts, lasts, strict=True):
        assert label.startswith(first)
        assert label.endswith(last)


@pytest.mark.parametrize(
    "options",
    [
        ["1950"],
        ["1950", "1960"],
        ["1950", "1960", "1955"],
        ["1960", "1950", "1970"],
        ["1950", "1950", "1970"],
        ["1950", "1960-01", "1970"],
        ["2019-02-29", "2019-03-01", "2019-04-01"],
        ["1799", "1800", "1900"],
        ["2100", "2150", "2200"],
        ["before 1950", "1960", "1970"],
        [str(year) for year in range(1900, 1952)],
    ],
)
def test_what_are_no_bins_is_refused_before_launch(options):
    assert date_bins(options) is None
    survey = make_survey(questions=[{**BORN, "options": options}])
    found = [finding for finding in lint_survey(survey) if finding.blocks]
    assert "option_count" in {finding.code for finding in found}
    assert any("first date of each bin" in finding.message for finding in found)


def test_the_bins_are_frozen_beside_the_answers_and_only_there():
    launch = launched(questions=[BORN, {"name": "drug"}])
    (found,) = to_json(launch.parameters)["date_parts"]
    assert found == {
        "question": "q1",
        "unit": "year",
        "starts": ["1950", "1970", "1990"],
        "last": "2009",
    }
    assert launch.parameters.question("q1").control == "list"
    assert "date_parts" not in launched(slug="other").document


BROKEN = {
    "bad_dates": {"last": "1980"},
    "wrong_length": {"starts": ["1950", "1970"]},
    "unknown_question": {"question": "drug"},
}


@pytest.mark.parametrize("code", BROKEN)
def test_a_document_whose_dates_do_not_fit_is_refused(code):
    document = launched(questions=[BORN, {"name": "drug"}]).document
    (dates,) = document["date_parts"]
    changed = {**document, "date_parts": [{**dates, **BROKEN[code]}]}
    del changed["digest"]
    changed["digest"] = digest_of_json(changed)
    with pytest.raises(ParametersError) as refused:
        check(read(changed))
    assert refused.value.code == code


def test_results_have_the_shares_of_the_bins_and_no_mean():
    parameters = launched(questions=[{**BORN, "prefer_not": True}]).parameters
    results = results_document(parameters, "", {("q1", "page"): [40, 30, 20, 10]}, 100)
    (question,) = results["questions"]
    assert [row["label"] for row in question["categories"]] == list(question["labels"])
    assert question["mean"] is None
