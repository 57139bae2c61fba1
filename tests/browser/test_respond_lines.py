"""Words stay whole on a narrow phone, and each line runs as its own letters do."""

import pytest
from playwright.sync_api import Page

from tests.app.author_posts import page as page_of
from tests.app.author_posts import question_page
from tests.browser.author import sign_in
from tests.browser.respondent import (
    SENSITIVE,
    address,
    arrive,
    choose,
    press,
    receipt,
    spin,
    survey,
    to_questions,
)
from tests.browser.support import in_sizes
from tests.builders import make_survey

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def page(new_context):
    return new_context().new_page()


ARABIC = "هل أنت بخير؟"
# The gap of each line of the first text: how far it is from the left and from the right of its
# block.
GAPS = """(name) => {
  const block = document.querySelector(name);
  const box = block.getBoundingClientRect();
  const range = document.createRange();
  range.selectNodeContents(block);
  const lines = [...range.getClientRects()].filter(({ width }) => width > 1);
  return lines.map(({ left, right }) => [left - box.left, box.right - right]);
}"""
# On which side of its words the mark of each option is.
MARKS = """[...document.querySelectorAll("#respond .question .option")].map((option) => {
  const [mark, words] = [...option.children].map((part) => part.getBoundingClientRect());
  return mark.left < words.left ? "left" : "right";
})"""
# The direction of each text of an author that is in sight.
DIRECTIONS = """[...document.querySelectorAll(".survey-title, .author-text, .question__text")]
  .filter((text) => text.checkVisibility()).map((text) => getComputedStyle(text).direction)"""
# How many lines each word takes.
LINES = """(name) => [...document.querySelectorAll(name)].map((place) => {
  const range = document.createRange();
  range.selectNodeContents(place);
  return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
})"""


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_names_in_the_picture_are_whole_words_at_320_pixels(new_context, live_server, language):
    page = new_context(viewport={"width": 320, "height": 700}).new_page()
    page.goto(address(live_server, survey(language=language)))
    assert page.evaluate(LINES, ".path__name") == [1, 1, 1]
    assert page.evaluate("document.documentElement.scrollWidth") == 320


def test_the_ribbon_of_a_preview_is_a_thin_bar_over_the_whole_page(new_context, live_server):
    draft = make_survey(slug="draft")
    page = sign_in(new_context(viewport={"width": 320, "height": 700}), live_server)
    page.goto(f"{live_server.url}/admin/surveys/survey/{draft.pk}/preview/")
    for width, _height in in_sizes(page, [(320, 700), (360, 700), (1280, 700)]):
        box = page.locator(".ribbon--preview").bounding_box()
        assert box["x"] == 0
        assert box["width"] == width
        header = page.locator(".site-header").bounding_box()["y"]
        assert header == box["height"] <= (64 if width == 320 else 40)


def assert_lines_follow_their_letters(gaps):
    """The first line is English, the second Arabic."""
    (english, arabic) = (gaps[0], gaps[-1])
    assert english[0] < 1 < english[1]
    assert arabic[1] < 1 < arabic[0]


def test_each_line_of_an_authors_text_runs_as_its_letters_do(page: Page, live_server):
    both = f"Are you well?\n{ARABIC}"
    options = ["English", "نعم", "12", "لا"]
    choice = {"kind": "single_choice", "options": options, "text": both, "help_text": both}
    launch = survey(questions=[{**SENSITIVE, **choice}], introduction=both, consent=both)
    arrive(page, address(live_server, launch))
    assert_lines_follow_their_letters(page.evaluate(GAPS, ".introduction"))
    to_questions(page)
    assert_lines_follow_their_letters(page.evaluate(GAPS, "#respond .question__text"))
    assert_lines_follow_their_letters(page.evaluate(GAPS, "#respond p.author-text"))
    # The mark of an option stands where its words begin.
    assert page.evaluate(MARKS) == ["left", "right", "left", "right"]


def test_each_text_of_an_author_has_the_direction_of_its_first_letters(page: Page, live_server):
    """Text, hint, title, consent and contact; and so on the last screen, where they come again."""
    choice = {"kind": "single_choice", "options": ["لا", "نعم"], "help_text": ARABIC}
    texts = dict.fromkeys(("title", "introduction", "consent", "contact"), ARABIC)
    launch = survey(questions=[{**SENSITIVE, **choice, "text": ARABIC}], **texts)
    arrive(page, address(live_server, launch))
    assert page.evaluate(DIRECTIONS) == ["rtl"] * 4
    to_questions(page)
    assert page.evaluate(DIRECTIONS) == ["rtl"] * 3
    choose(page, "نعم")
    spin(page)
    press(page, "Send")
    receipt(page)
    assert page.evaluate(DIRECTIONS) == ["rtl"] * 2


def test_an_authors_own_fields_run_line_by_line_too(new_context, live_server):
    draft = make_survey(introduction=f"Are you well?\n{ARABIC}")
    page = sign_in(new_context(), live_server)
    shown = "(name) => getComputedStyle(document.querySelector(name)).unicodeBidi"
    for path, names in (
        (page_of(draft, "settings"), ("#id_introduction", "#id_title")),
        (question_page(draft.questions.get()), ("#id_title", "#id_text", "#id_options")),
    ):
        page.goto(live_server.url + path)
        for name in names:
            assert page.evaluate(shown, name) == "plaintext"
