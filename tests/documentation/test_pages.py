"""From pages of the repository to those of the site: links, places, and what the guides show."""

import re

import pytest
from PIL import Image

from scripts.documentation import pages
from scripts.documentation.colours import variables
from scripts.documentation.navigation import SECTIONS, assigned
from tests.browser.support import ROOT
from tests.gallery.documented import FOLDER, MOST_BYTES, PICTURES

PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)")


@pytest.mark.parametrize(
    ("page", "source", "expected"),
    [
        ("docs/guide/authors.md", "[n](networks.md#7-results)", "[n](networks.md#7-results)"),
        ("docs/guide/authors.md", "[all](../README.md)", "[all](../index.md)"),
        ("docs/guide/researchers.md", "[methods](../methods/)", "[methods](../methods/index.md)"),
        ("docs/api.md", "[client](../client/README.md)", "[client](client/index.md)"),
        ("docs/protocol.md", "[one](../client/candor/respondent.py)",
         "one (`client/candor/respondent.py`)"),
        ("CONTRIBUTING.md", "[`deno.json`](deno.json)", "`deno.json`"),
        ("README.md", "[LICENSE](LICENSE)", "[LICENSE](LICENSE)"),
        ("README.md", "[x](https://candor.example/)", "[x](https://candor.example/)"),
    ],
)  # fmt: skip
def test_a_link_leads_to_where_the_page_stands(page, source, expected):
    assert pages.relinked(source, page) == expected


def test_every_page_stands_in_one_section():
    known = pages.sources()
    listed = [page for names in assigned(known).values() for page in names]
    assert len(listed) == len(set(listed))
    top = {page for page in known if re.fullmatch(r"docs/(guide/)?[^/]+", page)}
    assert top - {"docs/README.md"} <= set(listed)


def test_a_new_guide_is_listed_without_being_named():
    places = assigned([*pages.sources(), "docs/guide/new-page.md", "docs/guide/client-2.md"])
    sections = {page: section.title for section, names in places.items() for page in names}
    assert sections["docs/guide/new-page.md"] == SECTIONS[-1].title
    assert sections["docs/guide/client-2.md"] == "Programs"


def test_the_colours_are_those_of_the_product():
    light, dark = variables()
    assert light["color-brand-primary"] == "#0a6264"
    assert dark["color-background-primary"] == "#14181b"
    assert light.keys() > dark.keys()


def shown() -> list[tuple[str, str]]:
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "docs/guide").glob("*.md")]
    return [found for text in texts for found in PICTURE.findall(text)]


def test_each_picture_that_is_taken_is_shown_once_and_each_that_is_shown_is_taken():
    names = sorted(f"pictures/{picture.name}.webp" for picture in PICTURES)
    assert sorted(target for _text, target in shown()) == names
    assert sorted(f"pictures/{path.name}" for path in FOLDER.iterdir()) == names
    assert 8 <= len(names) <= 14


def test_each_picture_says_in_words_what_it_shows():
    assert [target for text, target in shown() if len(text.split()) < 10] == []


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.name)
def test_a_picture_is_small_and_as_wide_as_its_window(picture):
    path = FOLDER / f"{picture.name}.webp"
    assert path.stat().st_size <= MOST_BYTES
    with Image.open(path) as opened:
        width, height = opened.size
    assert width == picture.size[0]
    assert 200 < height <= picture.highest
