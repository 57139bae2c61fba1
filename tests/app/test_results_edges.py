"""Few reports, or all alike: every number is finite or null, and every page part can be drawn."""

import json
import re
from itertools import product

import pytest

from surveys.results.document import results_document
from surveys.results.figures.questions import question_figure
from surveys.results.findings.choice import NOTHING_CHOSEN
from surveys.results.findings.questions import question_finding
from surveys.results.findings.tables import table_finding
from surveys.results.presentation import _question
from surveys.results.tables.figures import table_figures
from surveys.results.tables.presentation import table_view
from tests.builders import launched
from tests.devices import devices_of
from tests.plain import checked

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def view_of(question, parameters):
    finding = question_finding(question, parameters, NOTHING_CHOSEN)
    return _question(question, None, parameters, finding)


def shown(document, launch):
    """Draw all figures and texts, and serialize them as JSON."""
    json.dumps(checked(document), allow_nan=False)
    questions = {question.id: question for question in document.questions}
    for question in document.questions:
        view_of(question, launch.parameters)
        if question.categories:
            json.dumps(question_figure(question, None), allow_nan=False)
    for table in document.tables:
        table_view(table)
        assert table_finding(table, questions, NOTHING_CHOSEN).sentences
        if table.cells:
            json.dumps(table_figures(table), allow_nan=False)


def test_a_note_on_entropy_is_a_sentence_of_its_own():
    launch = launched(questions=[{"kind": "single_choice", "options": list("ABCDE")}])
    counts = {("q1", "page"): [6, 5, 4, 4, 1]}
    document = results_document(launch.parameters, launch.digest, counts, 20)
    words = view_of(document.questions[0], launch.parameters).entropy
    assert re.search(r"interval [\d. …\u00a0]+\d\. The reports are too few .* a guide\.$", words)


@pytest.mark.slow
@pytest.mark.parametrize("direct", [False, True])
@pytest.mark.parametrize("population", ["sample", "fixed"])
def test_every_small_cross_table_has_a_page(direct, population):
    """All ways to put up to three people, two in a cell at most, into a two-by-two table."""
    scale = {"kind": "scale", "options": ["low", "high"]}
    launch = launched(
        questions=[scale if population == "sample" else {}, {"randomized": not direct}],
        linkage="together",
        cross_tables=[["q1", "q2"]],
        population=population,
    )
    for cells in product(range(3), repeat=4):
        if sum(cells) > 3:
            continue
        tallies = {
            ("q1", "page"): [cells[0] + cells[1], cells[2] + cells[3]],
            ("q2", "page"): [cells[0] + cells[2], cells[1] + cells[3]],
            ("q1,q2", "page,page"): list(cells),
        }
        shown(results_document(launch.parameters, launch.digest, tallies, sum(cells)), launch)


@pytest.mark.slow
@pytest.mark.parametrize("prefer_not", [False, True])
def test_every_small_pair_of_devices_has_a_page(prefer_not):
    """All ways to put 0 to 2 people into the reports of two devices."""
    question = {"epsilon": "1.4", "prefer_not": prefer_not, "physical_device": "die"}
    launch = launched(questions=[question])
    size = 2 + prefer_not
    for counts in product(range(2 if prefer_not else 3), repeat=2 * size):
        tallies = {("q1", "page"): list(counts[:size]), ("q1", "physical"): list(counts[size:])}
        shown(results_document(launch.parameters, launch.digest, tallies, sum(counts)), launch)


@pytest.mark.slow
@pytest.mark.parametrize("design", ["per_option", "whole_set"])
@pytest.mark.parametrize("prefer_not", [False, True])
def test_every_small_multiple_choice_has_a_page(design, prefer_not):
    question = {
        "kind": "multiple_choice", "options": ["a", "b"],
        "design": design, "prefer_not": prefer_not,
    }  # fmt: skip
    launch = launched(questions=[question])
    sizes = {device["id"]: len(device["reports"]) for device in devices_of(launch)}
    for people in range(3):
        for code in range(min(sizes.values())):
            tallies = {
                (name, "page"): [people * (index == code) for index in range(size)]
                for name, size in sizes.items()
            }
            shown(results_document(launch.parameters, launch.digest, tallies, people), launch)


@pytest.mark.parametrize("prefer_not", [False, True])
def test_every_small_scale_has_a_page(prefer_not):
    question = {"kind": "scale", "options": ["low", "high"], "prefer_not": prefer_not}
    launch = launched(questions=[question])
    for counts in product(range(3), repeat=2 + prefer_not):
        shown(
            results_document(
                launch.parameters, launch.digest, {("q1", "page"): list(counts)}, sum(counts)
            ),
            launch,
        )
