"""Silent failures of new devices that once occurred; tests/app/test_layers.py has the third."""

from dataclasses import replace
from decimal import Decimal
from itertools import combinations

import pytest

import rr_engine
from surveys.authoring.checks.survey import lint_survey
from surveys.authoring.panel.words import panel_of
from surveys.devices import draft_design
from surveys.parameters import ParametersError, check, columns_of, read
from surveys.parameters.exact import loss
from tests.app.contract.cases import EPSILON, FITTING, QUESTION, question_of
from tests.app.contract.launches import answers_of, expected_tallies, frozen_of, numbers_of
from tests.app.contract.subset_selection import ANSWERS as ON_CARDS
from tests.app.contract.subset_selection import SHOWN, SubsetSelection
from tests.browser.rr_page import rr_page, run
from tests.builders import launched, make_survey
from tests.plain import results_document
from tests.vectors.make_wire_vectors import uniform

pytestmark = pytest.mark.django_db
CHECK = "return refusal(() => wire.checkParameters(given, load, sections))"
ANSWERS = 4
OURS = [case for case in FITTING if case.device.name == SubsetSelection.name]


# --- one device over two questions --------------------------------------------------------------


@pytest.fixture
def joint():
    """Two questions of four answers, and one device over all 16 pairs that keeps its epsilon."""
    options = [f"Answer {number}" for number in range(ANSWERS)]
    question = {"kind": "single_choice", "options": options}
    document = launched(questions=[question, question], budget=4).document
    first, second = document["devices"]
    names = [first["id"], second["id"]]
    table = uniform(ANSWERS**2, 17, 1)
    document["devices"] = [{**first, "questions": names, "epsilon": "3", "table": table}]
    return document


def test_a_device_over_two_questions_is_refused_by_the_server(joint):
    """Such results once had the first 4 of the 16 cells as the shares of both questions."""
    with pytest.raises(ParametersError) as error:
        check(read(joint))
    assert (error.value.code, error.value.field) == (
        "several_questions",
        "devices.0.questions",
    )


@pytest.mark.slow
@pytest.mark.browser
def test_a_device_over_two_questions_is_refused_by_the_browser(joint, chromium):
    with rr_page(chromium) as page:
        refusal = run(page, CHECK, joint)
    assert (refusal["code"], refusal["field"]) == (
        "several_questions",
        "devices.0.questions",
    )


# --- subset selection: 8 answers, 56 reports ----------------------------------------------------


@pytest.mark.parametrize("case", OURS, ids=str)
def test_every_card_is_a_report_and_shows_its_answers(case):
    (device,) = frozen_of(case).parameters.devices
    assert len(device.table.reports) == 56
    rows = zip(*columns_of(device.table), strict=True)
    for card, row in zip(combinations(range(ON_CARDS), SHOWN), rows, strict=True):
        assert {truth for truth, entry in enumerate(row) if 2 * entry > max(row) + min(row)} == {
            *card
        }
    # Only rounding loses a part of the epsilon.
    assert loss(device.table) == pytest.approx(float(EPSILON), abs=1e-6)


@pytest.mark.parametrize("case", OURS, ids=str)
@pytest.mark.slow
def test_no_card_is_counted_as_an_answer(case):
    parameters = frozen_of(case).parameters
    answers = answers_of(case, parameters.question(QUESTION))
    tallies = expected_tallies(case, parameters, answers)
    for row in numbers_of(results_document(parameters, "", tallies, len(answers))):
        assert (row["reported"], row["reported_share"]) == (None, None)


@pytest.mark.parametrize("case", OURS, ids=str)
def test_the_panel_speaks_of_cards(case):
    frequencies = panel_of(draft=case.draft(), planned_n=500, language="en").texts["frequencies"]
    assert "its own code" not in frequencies
    assert "draw a card that shows it" in frequencies


@pytest.mark.parametrize("case", OURS, ids=str)
def test_lint_finds_nothing_that_stops_it(case):
    survey = make_survey(questions=[question_of(case.draft())])
    assert [finding for finding in lint_survey(survey) if finding.blocks] == []


def test_more_reports_than_answers_cannot_stand_for_them(monkeypatch):
    """A family without names of its reports is refused before anything is published."""
    monkeypatch.setattr(SubsetSelection, "names_answers", True)
    draft = replace(OURS[0].draft(), epsilon=Decimal("1.9"))
    with pytest.raises(rr_engine.errors.DesignError, match="one for each of 8 answers") as error:
        draft_design(draft)
    assert error.value.code == "labels_do_not_fit"
    survey = make_survey(questions=[question_of(draft)])
    assert {finding.code for finding in lint_survey(survey) if finding.blocks} == {"no_device"}
