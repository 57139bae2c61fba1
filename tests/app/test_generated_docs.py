"""What the documentation has from the code is that of the code."""

import json

import jsonschema
import pytest

from tests.app.clashes import PAGES, SCRIPT, script, with_table
from tests.app.picture import PICTURE, drawing
from tests.app.schemas import schemas
from tests.app.settings_table import PAGE, with_tables


def test_the_picture_of_the_rooms_is_drawn_from_the_code():
    assert PICTURE.read_text(encoding="utf-8") == drawing(), "make generated"


def test_the_page_of_the_architecture_shows_it():
    page = (PICTURE.parent / "architecture.md").read_text(encoding="utf-8")
    assert "](architecture.svg)" in page


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_does_not_go_together_is_printed_from_the_table(page):
    text = page.read_text(encoding="utf-8")
    assert text == with_table(text), "make generated"


def test_the_settings_are_printed_from_their_declaration():
    text = PAGE.read_text(encoding="utf-8")
    assert text == with_tables(text), "make generated"


def test_the_browser_knows_what_does_not_go_together():
    assert SCRIPT.read_text(encoding="utf-8") == script(), "make generated"


def test_the_schemas_are_made_from_the_types():
    for path, text in schemas().items():
        assert path.read_text(encoding="utf-8") == text, "make generated"
        if path.name.endswith(".schema.json"):
            jsonschema.Draft202012Validator.check_schema(json.loads(text))
