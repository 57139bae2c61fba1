"""The contract on the server's pages and in the downloads, in every language of the site.

Each device with each kind in German, where a text without a translation shows; in the other
languages, whose pages have the same parts and the same placeholders, each device and each kind.
"""

import csv
import io

import pytest
from django.conf import settings
from django.urls import reverse

from surveys.exports.formats import codebook
from surveys.exports.formats import csv as csv_format
from surveys.exports.registry import all_exports
from surveys.exports.tables import codes
from surveys.forms.physical_questions import is_offered
from surveys.parameters import Bits
from surveys.responses.spaces import space_of
from surveys.results.release import release_of
from surveys.services.drawn_figures import figures_of
from surveys.services.results import refresh_results
from tests.app.contract.cases import CODED, EACH, QUESTION, covering
from tests.app.contract.launches import devices_of, launch_of, send_every_report
from tests.app.contract.wording import problems_in
from tests.app.visible_text import visible_text
from tests.files import text_of_file

pytestmark = [
    pytest.mark.slow,
    pytest.mark.django_db,
    pytest.mark.any_database,
]
CASES = [(case, "de") for case in covering(CODED)]
CASES += [
    (case, code)
    for code, _name in settings.LANGUAGES
    if code != "de"
    for case in EACH
    if case in CODED
]
in_languages = pytest.mark.parametrize(("case", "language"), CASES, ids=str)


@in_languages
def test_the_results_are_whole_in_every_language(client, case, language):
    launch = launch_of(case, language)
    send_every_report(case, launch)
    refresh_results(launch_id=launch.pk)
    launch.refresh_from_db()
    address = reverse("results", args=[launch.survey.slug])
    response = client.get(address, headers={"Accept-Language": language})
    assert response.status_code == 200
    assert problems_in(visible_text(response.text), language) == []
    assert QUESTION in figures_of(release_of(launch), language)
    _every_table_in_formats_of_words(launch)
    _the_codebook_has_a_row_for_each_report(case, launch)


def _every_table_in_formats_of_words(launch):
    """Other formats say the same; they are read back in tests/app/test_format_surveys.py."""
    for export in all_exports():
        for file_format in (csv_format.FORMAT, codebook.FORMAT):
            text = text_of_file(export, file_format, launch)
            assert problems_in(text, launch.survey.language, keys=False) == [], export.name


def _the_codebook_has_a_row_for_each_report(case, launch):
    text = "".join(csv_format.pieces(codes.table(launch)))
    rows = list(csv.DictReader(io.StringIO(text)))
    for device in devices_of(case, launch.parameters):
        physical = [row for row in rows if (row["variable"], row["stratum"]) == device.key]
        # A code of a device of bits is one of its bits.
        size = device.table.bits if isinstance(device.table, Bits) else space_of(device).size
        assert [int(row["code"]) for row in physical] == list(range(size))
        assert all(row["report"] for row in physical)


@in_languages
def test_the_respondents_page_is_whole(client, case, language):
    """Without its scripts, and the form without JavaScript where there is one."""
    launch = launch_of(case, language)
    names = ["respond", *(["physical"] if is_offered(launch.parameters) else [])]
    assert ("physical" in names) == case.physical
    for name in names:
        response = client.get(reverse(name, args=[launch.survey.slug]))
        assert response.status_code == 200
        assert problems_in(visible_text(response.text), language) == []
