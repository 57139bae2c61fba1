"""The contract in a browser: every document in one page for each language of the site."""

from pathlib import Path

import pytest
from django.conf import settings
from django.http import HttpRequest

from surveys.parameters import PAGE, columns_of
from surveys.parameters.tables import Coded
from surveys.views.catalog import FURTHER, SCRIPTS, catalog
from surveys.views.scripts import SOURCE_LANGUAGE, respondent_scripts
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
# The page's language, and the parts that it may load later; those with a `rel` are loaded.
AS_SERVED = """([language, parts]) => {
  document.documentElement.lang = language;
  const link = document.head.appendChild(document.createElement("link"));
  Object.assign(link, { rel: "alternate" }).dataset.part = parts;
}"""


@pytest.fixture(params=LANGUAGES)
def language_and_outcomes(request, chromium):
    """The outcomes of all cases in a page of one language, by name."""
    language = request.param
    with rr_page(chromium) as page:
        page.evaluate(AS_SERVED, [language, " ".join(_late_parts())])
        page.evaluate(_catalogue(language))
        outcomes = run(page, SCREENS, [_given(case, language) for case in FITTING])
    return language, dict(zip(map(str, FITTING), outcomes, strict=True))


def _late_parts():
    return {part for script in respondent_scripts() for part in script.parts}


def _catalogue(language):
    """The scripts with the translations of pages; the source language has none."""
    if language == SOURCE_LANGUAGE:
        return "undefined"
    request = HttpRequest()
    request.method = "GET"
    scripts = (catalog(request, language, domain) for domain in (SCRIPTS, *FURTHER))
    return "".join(script.content.decode() for script in scripts)


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
