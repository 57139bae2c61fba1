"""The contract in a browser: every document in one page for each language of the site."""

from pathlib import Path

import pytest
from django.conf import settings
from django.http import HttpRequest

from surveys.parameters import PAGE, columns_of
from surveys.views.catalog import catalog
from surveys.views.scripts import SOURCE_LANGUAGE, respondent_scripts
from tests.app.contract.cases import FITTING
from tests.app.contract.draws import borders
from tests.app.contract.launches import launch_of
from tests.app.contract.wording import problems_in
from tests.browser.rr_page import rr_page, run

pytestmark = [pytest.mark.django_db, pytest.mark.browser, pytest.mark.any_database]
LANGUAGES = [code for code, _name in settings.LANGUAGES]
SCREENS = (Path(__file__).parent / "respondent.js").read_text(encoding="utf-8")
# Its language, and the parts that a page may load later; what has a `rel` is there already.
AS_SERVED = """([language, parts]) => {
  document.documentElement.lang = language;
  const link = document.head.appendChild(document.createElement("link"));
  Object.assign(link, { rel: "alternate" }).dataset.part = parts;
}"""


@pytest.fixture(params=LANGUAGES)
def outcomes(request, chromium):
    """What each case has come to in a page of one language, by its name."""
    language = request.param
    with rr_page(chromium) as page:
        page.evaluate(AS_SERVED, [language, " ".join(_late_parts())])
        page.evaluate(_catalogue(language))
        found = run(page, SCREENS, [_request(case, language) for case in FITTING])
    return language, dict(zip(map(str, FITTING), found, strict=True))


def _late_parts():
    return {part for script in respondent_scripts() for part in script.parts}


def _catalogue(language):
    """The script with the page's translations; the source's language has none."""
    if language == SOURCE_LANGUAGE:
        return "undefined"
    asked = HttpRequest()
    asked.method = "GET"
    return catalog(asked, language).content.decode()


def _request(case, language):
    launch = launch_of(case, language, slug=f"{case}-{language}"[:50].replace("_", "-"))
    found = [
        (number, truth, drawn, report)
        for number, device in enumerate(launch.parameters.devices)
        if device.stratum == PAGE
        for truth, column in enumerate(columns_of(device.table))
        for drawn, report in borders(column)
    ]
    return {"served": launch.document, "borders": found}


def test_the_browser_passes_draws_and_explains_every_document(outcomes):
    language, found = outcomes
    assert {name: one["refused"] for name, one in found.items() if one["refused"]} == {}
    assert {name: one["otherwise"] for name, one in found.items() if one["otherwise"]} == {}
    assert {name: one["empty"] for name, one in found.items() if one["empty"]} == {}
    wrong = {name: problems_in(one["text"], language) for name, one in found.items()}
    assert {name: problems for name, problems in wrong.items() if problems} == {}
