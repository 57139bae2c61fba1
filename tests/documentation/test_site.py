"""The site of documentation: built without a warning, no link in vain, legible, asking nobody."""

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from rr_engine import __version__
from tests.browser.axe import assert_well_in_sizes
from tests.browser.support import ROOT, serving

pytestmark = pytest.mark.browser

# One of each sort: the first page, a guide with pictures, formulas, tables, a notebook, programs,
# the reference, a list of pages, and what was found.
PAGES = (
    "index.html",
    "guide/authors.html",
    "guide/privacy.html",
    "guide/bundle.html",
    "methods/joint-devices.html",
    "methods/index.html",
    "reference/index.html",
    "reference/rr_engine.privacy.html",
    "search.html?q=crosswise",
)
SIZES = ((360, 740), (1280, 800))
# What a browser loads by itself; other links wait for a reader.
LOADED = {("script", "src"), ("img", "src"), ("link", "href"), ("iframe", "src"), ("source", "src")}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, subprocess.CompletedProcess]:
    folder = tmp_path_factory.mktemp("documentation") / "site"
    command = [sys.executable, "-m", "scripts.documentation", str(folder), "--jobs", "1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return folder, done


@pytest.fixture(scope="module")
def site(built: tuple[Path, subprocess.CompletedProcess]) -> Path:
    return built[0]


@pytest.fixture(scope="module")
def served(site: Path) -> Iterator[str]:
    with serving(site) as address:
        yield address


class Links(HTMLParser):
    """Every target of a link or a file, and every anchor, of one page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.targets: list[tuple[str, str, str]] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.anchors.add(value)
            elif name in ("href", "src") and value:
                self.targets.append((tag, name, value))


@cache
def links_of(page: Path) -> Links:
    return Links(page.read_text(encoding="utf-8"))


def in_vain(site: Path) -> Iterator[str]:
    """Links to a page, a file or an anchor that is not there."""
    for page in sorted(site.rglob("*.html")):
        for _tag, _name, target in links_of(page).targets:
            parts = urlsplit(target)
            if parts.scheme:
                continue
            found = file_at(page.parent, unquote(parts.path)) if parts.path else page
            if not found or not has_anchor(found, unquote(parts.fragment)):
                yield f"{page.relative_to(site)}: {target}"


@cache
def file_at(folder: Path, target: str) -> Path | None:
    """The pages of a folder have most links in common."""
    found = (folder / target).resolve()
    return found if found.is_file() else None


def has_anchor(page: Path, anchor: str) -> bool:
    return not anchor or page.suffix != ".html" or anchor in links_of(page).anchors


def test_it_is_built_without_a_warning(built):
    _folder, done = built
    assert (done.returncode, done.stderr) == (0, "")


def test_every_page_of_the_repository_is_a_page_of_it(site):
    for folder, suffix in (("guide", ".md"), ("guide", ".ipynb"), ("methods", ".md"), (".", ".md")):
        for source in (ROOT / "docs" / folder).glob(f"*{suffix}"):
            if source.name != "README.md":
                assert (site / folder / f"{source.stem}.html").is_file(), source
    assert (site / "decisions/0002-dependencies.html").is_file()


def test_no_link_leads_nowhere(site):
    assert list(in_vain(site)) == []


def test_a_link_that_leads_nowhere_is_found(tmp_path):
    (tmp_path / "a.html").write_text('<p id="here"><a href="#here"></a><a href="a.html#gone"></a>')
    (tmp_path / "b.html").write_text('<img src="gone.png"><a href="a.html"></a>')
    assert list(in_vain(tmp_path)) == ["a.html: a.html#gone", "b.html: gone.png"]


def test_no_page_loads_anything_from_elsewhere(site):
    for page in site.rglob("*.html"):
        loaded = [target for tag, name, target in links_of(page).targets if (tag, name) in LOADED]
        assert [target for target in loaded if urlsplit(target).netloc] == [], page
    for sheet in site.rglob("*.css"):
        assert not re.search(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//", sheet.read_text()), sheet


def test_each_page_says_version_and_licence(site):
    for name in ("index.html", "reference/index.html"):
        text = (site / name).read_text(encoding="utf-8")
        assert f"Candor {__version__}" in text
        assert "Apache License 2.0" in text


def test_formulas_are_mathematics(site):
    text = (site / "methods/networks.html").read_text(encoding="utf-8")
    assert text.count("<math") > 60
    assert "<mfrac>" in text
    # A name of the library stays one.
    assert "NetworkReports" in re.sub(r"<math.*?</math>", "", text, flags=re.DOTALL)


def test_a_picture_has_its_place_before_it_is_there(site):
    text = (site / "guide/authors.html").read_text(encoding="utf-8")
    pictures = re.findall(r"<img [^>]*\.webp[^>]*>", text)
    assert len(pictures) == 5
    assert all(re.search(r'width="\d+" height="\d+"', picture) for picture in pictures)


def test_the_notebook_has_a_page_and_is_there_to_take(site):
    page = links_of(site / "guide/bundle.html")
    assert any(target.endswith("bundle.ipynb") for _tag, _name, target in page.targets)


def open_page(make: Callable[..., BrowserContext], address: str) -> tuple[Page, list[str]]:
    page = make().new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(address)
    return page, asked


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_legible_in_both_colours_and_sizes_and_asks_nobody(name, served, new_context):
    page, asked = open_page(new_context, f"{served}/{name}")
    if "search" in name:
        expect(page.locator("#search-results li a").first).to_be_visible()
    assert_well_in_sizes(page, name, SIZES)
    assert asked
    assert [url for url in asked if not url.startswith((served, "data:"))] == []


def test_a_search_finds_a_function_without_a_network(site, new_context):
    """From the disk, as somebody reads it who has copied the folder."""
    page, asked = open_page(new_context, (site / "search.html").as_uri() + "?q=forced_response")
    found = page.locator("#search-results li a")
    expect(found.first).to_be_visible()
    assert any("rr_engine.designs" in (link.get_attribute("href") or "") for link in found.all())
    assert all(url.startswith(("file:", "data:")) for url in asked)


def test_a_quotient_has_its_bar(served, new_context):
    page, _asked = open_page(new_context, f"{served}/methods/networks.html")
    tall = page.locator(".formula math:has(mfrac)").first.bounding_box()
    line = page.locator("article p").first.evaluate(
        "(p) => parseFloat(getComputedStyle(p).fontSize)"
    )
    assert tall
    assert tall["height"] > 1.8 * line
