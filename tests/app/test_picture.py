"""The picture of the rooms is that of the code."""

from pathlib import Path

from tests.app.picture import PICTURE, drawing


def test_the_picture_of_the_docs_is_drawn_from_the_code():
    assert PICTURE.read_text(encoding="utf-8") == drawing(), "make picture"


def test_the_page_shows_it():
    page = (Path(PICTURE).parent / "architecture.md").read_text(encoding="utf-8")
    assert "](architecture.svg)" in page
