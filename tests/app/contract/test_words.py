"""The contract in the words for authors, in every language of the site."""

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.utils import translation

from surveys.authoring.device_comparison import comparison_of
from surveys.authoring.panel.words import panel_of
from surveys.devices import DIRECT
from surveys.results.devices import device_views
from surveys.results.document import results_document
from tests.app.contract.cases import CODED, FITTING
from tests.app.contract.launches import answers_of, devices_of, expected_tallies, frozen_of
from tests.app.contract.wording import problems_in

pytestmark = pytest.mark.any_database
LANGUAGES = [code for code, _name in settings.LANGUAGES]
RANDOMIZED = [case for case in FITTING if case.device is not DIRECT]
PAGES = [case for case in RANDOMIZED if not case.physical]
PLANNED = 1000


def in_each_language() -> Iterator[str]:
    for language in LANGUAGES:
        with translation.override(language):
            yield language


@pytest.mark.parametrize("case", PAGES, ids=str)
def test_the_panel_says_what_an_epsilon_costs(case):
    for language in in_each_language():
        panel = panel_of(draft=case.draft(), planned_n=PLANNED, language=language)
        assert panel.error == ""
        for name, text in panel.texts.items():
            # There are no words on the strength at level 0, nor on numbers where none is asked for,
            # nor on tiers, on a group, on arms or on a filter where there are none.
            optional = name in ("strength", "tiers", "groups", "arms", "filters") or (
                name == "number" and not case.kind.numeric
            )
            assert optional or problems_in(text, language) == [], name


@pytest.mark.parametrize("case", PAGES, ids=str)
def test_no_code_is_called_an_answers_own_where_none_is(case):
    panel = panel_of(draft=case.draft(), planned_n=PLANNED, language="en")
    frequencies = panel.texts["frequencies"]
    assert case.device.names_answers or "its own code" not in frequencies


@pytest.mark.django_db
@pytest.mark.parametrize("case", PAGES, ids=str)
@pytest.mark.slow
def test_the_comparison_has_a_row_for_it(case):
    for language in in_each_language():
        comparison = comparison_of(draft=case.draft(), planned_n=PLANNED)
        (row,) = (row for row in comparison.rows if row.name == case.device.name)
        assert row.chosen
        assert row.label == str(case.device.label)
        cells = (
            row.label,
            row.margin,
            row.needed,
            row.belief,
            row.epsilon,
            row.identifying_reports,
        )
        for text in (*cells, f"{row.note}.", f"{comparison.best}."):
            assert problems_in(text, language) == []


@pytest.mark.parametrize("case", RANDOMIZED, ids=str)
def test_its_names_and_needs_are_told_in_every_language(case):
    for language in in_each_language():
        needs = case.device.needs if case.physical else case.device.needs_words()
        for text in (str(case.device.label), str(needs), str(case.kind.label)):
            assert problems_in(text, language) == []


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("case", CODED, ids=str)
def test_readers_of_results_are_told_how_it_randomizes(case):
    parameters = frozen_of(case).parameters
    answers = answers_of(case, parameters.questions[0])
    tallies = expected_tallies(case, parameters, answers)
    (question,) = results_document(parameters, "", tallies, len(answers)).questions
    for language in in_each_language():
        for view in device_views(question):
            for text in (view.heading, view.words, view.epsilon, *view.labels):
                assert problems_in(text, language) == []


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("case", [case for case in FITTING if case.physical], ids=str)
def test_its_instructions_are_told_in_every_language(case):
    for language in in_each_language():
        (device,) = devices_of(case, frozen_of(case, language).parameters)
        for text in device.instructions:
            assert problems_in(text, language) == []
