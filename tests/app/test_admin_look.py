"""The admin's colours are the site's, in one list each; and its pages keep the policy."""

import re
from pathlib import Path

import pytest

from surveys.results.figures.palette import COLOURS, PROPERTIES
from tests.app.author_posts import page, sign_in
from tests.builders import launched, make_survey

CSS = Path(__file__).resolve().parents[2] / "static" / "css"
ROOT = re.compile(r":root\s*\{(.*?)\}", re.DOTALL)
COLOUR = re.compile(r"--([a-z-]+):\s*(#[0-9a-f]{6})")
PAIR = re.compile(r"--([a-z-]+):\s*light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)")


def test_the_toggle_shows_the_same_colours_as_the_system():
    tokens = (CSS / "tokens.css").read_text()
    light, dark = [
        dict(COLOUR.findall(block)) for block in ROOT.findall(tokens) if COLOUR.search(block)
    ]
    theme = (CSS / "admin" / "theme.css").read_text()
    pairs = {name: (first, two) for name, first, two in PAIR.findall(theme)}
    assert pairs == {name: (colour, dark[name]) for name, colour in light.items()}


def test_the_colours_of_figures_are_those_of_the_page():
    """Scripts swap each drawn colour for a custom property; figures are drawn in the light ones."""
    light = next(block for block in ROOT.findall((CSS / "tokens.css").read_text()))
    colours = dict(COLOUR.findall(light))
    assert {f"--{name}": colours[name] for name in COLOURS} == {
        name: colour for colour, name in PROPERTIES.items()
    }


@pytest.mark.parametrize("path", sorted((CSS / "admin").glob("*.css")), ids=lambda path: path.name)
def test_colours_have_names_outside_the_theme(path):
    colours = re.findall(r"#[0-9a-f]{3,8}\b|rgba?\(|hsla?\(", path.read_text())
    assert path.name == "theme.css" or colours == []


@pytest.mark.django_db
@pytest.mark.parametrize(
    "name",
    [
        *("change", "trial", "launch", "share", "close", "reopen", "delete", "preview"),
        *("people", "comments", "read"),
    ],
)
@pytest.mark.parametrize("build", [make_survey, lambda: launched().survey])
@pytest.mark.slow
def test_no_page_has_inline_code_or_style(client, build, name):
    html = sign_in(client).get(page(build(), name), follow=True).text
    assert " style=" not in html
    assert "<style" not in html
    assert not re.search(r"\son[a-z]+=", html)
    scripts = re.findall(r"<script\b([^>]*)>", html)
    assert all("src=" in tag or "application/json" in tag for tag in scripts)
