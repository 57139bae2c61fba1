"""The contract in a browser: every document in one page for each language of the site."""

import json
from pathlib import Path

import pytest
from django.conf import settings

from config.group_files import translated
from surveys.parameters import PAGE, columns_of
from surveys.parameters.tables import Coded
from tests.app.contract.cases import FITTING
from tests.app.contract.draws import borders
from tests.app.contract.launches import frozen_of
from tests.app.contract.wording import problems_in
from tests.browser.rr_page import rr_page, run

pytestmark = [
    pytest.mark.slow,
    pytest.mark.django_db,
    pytest.mark.browser,
    pytest.mark.any_database,
]
LANGUAGES = [code for code, _name in settings.LANGUAGES]
SCREENS = (Path(__file__).parent / "respondent.js").read_text(encoding="utf-8")


@pytest.fixture(params=LANGUAGES)
def language_and_outcomes(request, chromium):
    """The outcomes of all cases in a page of one language, by name."""
    language = request.param
    with rr_page(chromium) as page:
        page.evaluate("(language) => (document.documentElement.lang = language)", language)
        page.evaluate(_catalogue(language))
        outcomes = run(page, SCREENS, [_given(case, language) for case in FITTING])
    return language, dict(zip(map(str, FITTING), outcomes, strict=True))


def _catalogue(language):
    """The script with the translations of pages; the source language has none."""
    return f"{{const texts={json.dumps(translated(language))};globalThis.gettext=(x)=>texts[x]??x}}"


def _given(case, language):
    launch = frozen_of(case, language)
    cases = [
        (number, truth, integer, report)
        for number, device in enumerate(launch.parameters.devices)
        if device.stratum == PAGE and isinstance(device.table, Coded)
        for truth, column in enumerate(columns_of(device.table))
        for integer, report in borders(column)
    ]
    return {"served": launch.document, "borders": cases}


def test_the_browser_passes_draws_and_explains_every_document(language_and_outcomes):
    language, outcomes = language_and_outcomes
    assert {
        name: outcome["refused"] for name, outcome in outcomes.items() if outcome["refused"]
    } == {}
    assert {
        name: outcome["otherwise"] for name, outcome in outcomes.items() if outcome["otherwise"]
    } == {}
    assert {name: outcome["empty"] for name, outcome in outcomes.items() if outcome["empty"]} == {}
    wrong = {name: problems_in(outcome["text"], language) for name, outcome in outcomes.items()}
    assert {name: problems for name, problems in wrong.items() if problems} == {}
