"""The walks through the pages, each of which stops at states worth a picture.

How a page is used is what the tests in browsers know (`tests/browser/`), which change with the
pages: here stands only where to go, and where to stop. Surveys come from the builders of tests, and
results from those that `make unchanged` compares.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

from django.urls import reverse
from playwright.sync_api import BrowserContext, Locator, Page, expect

from surveys.features.languages import demo as demo_questionnaire
from surveys.features.return_codes import demo
from surveys.features.roster import demo as demo_network
from surveys.models import Launch
from surveys.services.transitions import close_survey
from tests.app.author_posts import page as address_of
from tests.app.composed import all_sorts
from tests.browser import (
    armed,
    author,
    comer_states,
    respondent,
    respondent_states,
)
from tests.browser import (
    test_crowd as crowd,
)
from tests.browser import (
    test_editor_look as editor,
)
from tests.browser import (
    test_physical_form as physical,
)
from tests.browser import (
    test_respond_number as numbers,
)
from tests.browser import (
    test_respond_roster as roster,
)
from tests.browser import (
    test_respond_text as texts,
)
from tests.browser.supported import supported
from tests.browser.test_respond_batteries import QUESTIONS as IN_BATTERY
from tests.browser.test_respond_pilot import QUESTIONS as OF_PILOT
from tests.browser.test_respond_sections import QUESTIONS as IN_SECTIONS
from tests.browser.test_respond_tiers import TIERS
from tests.browser.test_results_page import OPEN_ALL
from tests.browser.text_surveys import text_launch
from tests.builders import PASSWORD, launched, make_survey, make_user, owner
from tests.rosters import links_of
from tests.unchanged.listed import FEATURES, Make


@dataclass(frozen=True)
class Site:
    """A server, and browsers that have never been there, of the size that is looked at."""

    server: Any
    new_context: Callable[..., BrowserContext]
    language: str

    def page(self) -> Page:
        return self.new_context().new_page()

    def of_author(self) -> Page:
        return author.sign_in(self.new_context(), self.server)

    def at(self, name: str, *args: Any) -> str:
        return f"{self.server.url}{reverse(name, args=args)}"


States = Iterator[tuple[Page, str]]
Walk = Callable[[Site], States]


# --- respondents --------------------------------------------------------------------------------


def _one_page(states: Callable[[Page, Any], Iterator[str]], site: Site) -> States:
    page = site.page()
    for state in states(page, site.server):
        yield page, state


def _coming_back(site: Site) -> States:
    first, other = site.page(), site.page()
    shown = first
    for state in comer_states.states(first, other, site.server, language=site.language):
        shown = other if "later" in state else shown
        yield shown, state


def _physical(site: Site) -> States:
    launch = respondent.survey(questions=physical.ALL, budget=Decimal(9))
    page = site.page()
    for state in physical.states(page, site.server, launch):
        yield page, state


@dataclass(frozen=True)
class Asked:
    """A question of one kind, and how somebody answers it: rightly, wrongly, and by chance."""

    question: dict[str, Any]
    give: Callable[[Page], Any]
    draw: Callable[[Page], Any] = respondent.spin
    mistake: Callable[[Page], Any] | None = None


def _answering(label: str) -> Callable[[Page], Any]:
    return lambda page: respondent.choose(page, label)


def _ticking(*labels: str) -> Callable[[Page], Any]:
    return lambda page: respondent.tick(page, *labels)


def _writing(field: Callable[[Page], Locator], text: str) -> Callable[[Page], Any]:
    return lambda page: field(page).fill(text)


KINDS = {
    "yes or no": Asked(respondent.SENSITIVE, _answering("Yes")),
    "single choice": Asked(
        {**respondent.DIRECT, "randomized": True, "prefer_not": True}, _answering("One to three")
    ),
    "cards": Asked(respondent.CARDS, _answering("Alcohol"), respondent.draw_card),
    "scale": Asked({**respondent.SCALE, "prefer_not": True}, _answering("Often")),
    "boxes": Asked(respondent.EACH, _ticking("Paper", "Food")),
    "whole set": Asked(respondent.WHOLE, _ticking("Paper", "Food")),
    "number": Asked(
        numbers.HOURS, _writing(numbers.field, "7.5"), mistake=_writing(numbers.field, "7.3")
    ),
    "number in bins": Asked(numbers.AGE, _writing(numbers.field, "33")),
    "many options": Asked(respondent_states.LONG, _answering("Region number 30")),
}


def _kind(asked: Asked, site: Site) -> States:
    """From the welcome to a drawn answer; a direct question comes after it."""
    questions = [asked.question, respondent.DIRECT]
    launch = respondent.survey(questions=questions, budget=Decimal(9))
    yield from _answer(asked, respondent.address(site.server, launch), site)


def _text(site: Site) -> States:
    launch = text_launch(questions=(respondent.DIRECT,), language=site.language)
    asked = Asked({}, _writing(texts.field, "Tea"), texts.scramble, _writing(texts.field, "T" * 60))
    yield from _answer(asked, respondent.address(site.server, launch), site)


def _answer(asked: Asked, url: str, site: Site) -> States:
    page = site.page()
    respondent.arrive(page, url)
    yield page, "welcome"
    respondent.press(page, "I agree")
    yield page, "explanation"
    page = site.page()
    respondent.arrive(page, url)
    respondent.to_questions(page)
    yield page, "question"
    respondent.press(page, "Next")
    yield page, "nothing chosen"
    if asked.mistake:
        asked.mistake(page)
        page.evaluate(author.LEFT)
        yield page, "mistake"
    asked.give(page)
    yield page, "chosen"
    asked.draw(page)
    yield page, "drawn"


def _personal(site: Site) -> States:
    launch = roster.network()
    page = site.page()
    page.goto(respondent.address(site.server, launch))
    roster.expect_screen(page, "You need your personal link")
    yield page, "no link"
    link = links_of(launch.survey)["ana-1"]
    page = site.page()
    roster.come(page, f"{respondent.address(site.server, launch)}#{link}")
    yield page, "welcome"
    respondent.press(page, "I agree")
    yield page, "explanation"
    page = site.page()
    roster.come(page, f"{respondent.address(site.server, launch)}#{link}")
    respondent.to_questions(page)
    yield page, "names"
    roster.tick_two(page)
    yield page, "two ticked"
    roster.scramble(page)
    yield page, "drawn"
    respondent.press(page, "Send")
    respondent.receipt(page)
    yield page, "sent"
    page = site.page()
    page.goto(f"{respondent.address(site.server, launch)}#{link}")
    roster.expect_screen(page, "This link has been used")
    yield page, "link used before"


def _arms(site: Site) -> States:
    for arm in ("page", "direct"):
        launch = armed.armed_survey(slug=f"arm-{arm}")
        page, _posts = armed.page_in(site.new_context, launch, arm)
        armed.open_questions(page, site.server, launch)
        yield page, f"in the arm {arm}"


def _features(site: Site) -> States:
    """What features add to the first screens and to a question."""
    launches = {
        "help and a quick exit": supported(slug="help"),
        "tiers": respondent.survey(slug="tiers", tiers=TIERS),
        "sections": respondent.survey(slug="sections", questions=IN_SECTIONS),
        "a battery": respondent.survey(slug="battery", questions=IN_BATTERY),
        "a pilot": respondent.survey(slug="pilot", pilot=True, questions=OF_PILOT),
    }
    for name, launch in launches.items():
        page = site.page()
        respondent.arrive(page, respondent.address(site.server, launch))
        yield page, f"{name}, welcome"
        respondent.to_questions(page)
        yield page, f"{name}, question"


def _demo_welcomes(site: Site) -> States:
    """Before the first question of each demonstration."""
    launch = demo.launch_demo(owner=owner())
    page = site.page()
    respondent.arrive(page, respondent.address(site.server, launch))
    yield page, "workplace health, welcome"
    respondent.press(page, "I agree")
    yield page, "workplace health, explanation"
    launch = demo_network.launch_network_demo(owner=owner())
    link = next(iter(links_of(launch.survey).values()))
    page = site.page()
    roster.come(page, f"{respondent.address(site.server, launch)}#{link}")
    yield page, "talk of leaving, welcome"
    respondent.press(page, "I agree")
    yield page, "talk of leaving, explanation"
    launch = demo_questionnaire.launch_questionnaire(owner=owner())
    page = site.page()
    respondent.arrive(page, respondent.address(site.server, launch))
    yield page, "exams, welcome"
    respondent.to_questions(page)
    yield page, "exams, first section"


RESPONDENTS: dict[str, Walk] = {
    "demos, first screens": _demo_welcomes,
    **{name: partial(_one_page, states) for name, states in respondent_states.WALKS.items()},
    **{f"kind, {name}": partial(_kind, asked) for name, asked in KINDS.items()},
    "kind, text": _text,
    "kind, roster": _personal,
    "coming back": _coming_back,
    "physical randomizers": _physical,
    "arms": _arms,
    "features": _features,
}


# --- readers ------------------------------------------------------------------------------------


def _front(site: Site) -> States:
    demo_network.launch_network_demo(owner=owner())
    demo.launch_demo(owner=owner())
    make_user("reader")
    page = site.page()
    page.goto(site.at("home"))
    yield page, "home"
    page.goto(site.at("login"))
    yield page, "sign in"
    for password, state in (("wrong", "sign in, refused"), (PASSWORD, "account")):
        page.fill("#id_username", "reader")
        page.fill("#id_password", password)
        with page.expect_navigation():
            page.click("main button[type=submit]")
        yield page, state
    page.goto(f"{site.server.url}/nothing/here/")
    yield page, "nothing there"


def _results(make: Make, site: Site) -> States:
    launch = make()[-1]
    page = site.of_author()
    author.go_to(page, site.at("results", launch.survey.slug))
    yield page, "results"


def _few(site: Site) -> States:
    """Too few have answered for any number, and nothing is drawn."""
    launch = FEATURES["few"]()[-1]
    page = site.of_author()
    page.goto(site.at("results", launch.survey.slug))
    yield page, "results"


def _opened(make: Make, site: Site) -> States:
    """The same with what is folded, and the file of it."""
    launch = make()[-1]
    page = site.of_author()
    url = site.at("results", launch.survey.slug)
    author.go_to(page, url)
    yield page, "results"
    page.locator("main details:not([open]) > summary:visible").first.click()
    yield page, "results, a drawer open"
    page.evaluate(OPEN_ALL)
    yield page, "results, everything open"
    yield _summary(page, site, launch), "summary file"


def _summary(page: Page, site: Site, launch: Launch) -> Page:
    """The file as somebody opens it who has no connection."""
    body = page.request.get(site.at("summary-html", launch.survey.slug)).body()
    opened = site.new_context(offline=True).new_page()
    with TemporaryDirectory() as folder:
        file = Path(folder, "summary.html")
        file.write_bytes(body)
        opened.goto(file.as_uri())
    return opened


def _of_demo(site: Site) -> States:
    """Of workplace health, to anybody who looks."""
    yield from _opened(FEATURES["demo"], site)
    slug = demo.SLUG
    page = site.page()
    for name in ("results-analyses", "results-crowd"):
        page.goto(site.at(name, slug))
        yield page, name.removeprefix("results-")
    yield from _analyses(page, site, slug, 2)


def _analyses(page: Page, site: Site, slug: str, count: int) -> States:
    for number in range(1, count + 1):
        page.goto(site.at("results-analysis", slug, number))
        yield page, f"analysis {number}"


def _declared(site: Site) -> States:
    """Of a survey with declared analyses: two links, and a direct outcome."""
    launch = FEATURES["analyses"]()[-1]
    page = site.of_author()
    author.go_to(page, site.at("results", launch.survey.slug))
    yield page, "results"
    page.goto(site.at("results-analyses", launch.survey.slug))
    yield page, "analyses"
    yield from _analyses(page, site, launch.survey.slug, 3)


def _crowd(site: Site) -> States:
    launch = FEATURES["a group"]()[-1]
    page = site.of_author()
    page.goto(site.at("results-crowd", launch.survey.slug))
    yield page, "crowd"
    page.get_by_role("link", name="Conditional table").click()
    page.get_by_label("Shares of the answers to").select_option("drink")
    page.get_by_label("Within each answer to").select_option("drug")
    expect(crowd.compute(page)).to_be_visible()
    yield page, "a conditional table"


def _nobody(site: Site) -> States:
    """Results of a survey that nobody has answered, while it is open and when it is closed."""
    launch = launched(results_public=True)
    page = site.page()
    url = site.at("results", launch.survey.slug)
    page.goto(url)
    yield page, "no results yet"
    close_survey(survey=launch.survey, actor=None)
    page.goto(url)
    yield page, "closed without results"
    page.goto(site.at("results", "nobody"))
    yield page, "no such results"


# Those with everything folded open, too; the others as they are found.
OPENED = ("demo of a network", "demo of a questionnaire", "rich, together", "tiers")
READERS: dict[str, Walk] = {
    "front pages": _front,
    "results, nobody answered": _nobody,
    "results, demo": _of_demo,
    "results, crowd": _crowd,
    **{
        f"results, {name}": partial(_opened if name in OPENED else _results, make)
        for name, make in FEATURES.items()
        if name not in ("demo", "few", "analyses")
    },
    "results, few": _few,
    "results, analyses": _declared,
}


# --- authors ------------------------------------------------------------------------------------


def _list(site: Site) -> States:
    demo.launch_demo(owner=owner())
    make_survey(questions=editor.QUESTIONS, budget=8)
    page = site.of_author()
    page.goto(site.at("admin:index"))
    yield page, "start"
    page.goto(site.at("admin:surveys_survey_changelist"))
    yield page, "list"
    for name in ("start", "import"):
        page.goto(site.at(f"admin:survey_{name}"))
        yield page, f"{name} a survey"
    page.goto(site.at("admin:survey_template", "domestic-violence"))
    yield page, "a template"
    page = site.page()
    page.goto(site.at("admin:login"))
    yield page, "sign in"


def _draft(site: Site) -> States:
    draft = make_survey(questions=editor.QUESTIONS, budget=8, linkage="together")
    page = site.of_author()
    author.go_to(page, site.server.url + address_of(draft))
    yield page, "questions"
    form = author.open_question(page, 2)
    frame = page.locator("[data-preview-frame]")
    # A phone has no room for it.
    if frame.is_visible():
        asked = frame.content_frame.get_by_role("heading", name=editor.QUESTIONS[1]["text"])
        expect(asked).to_be_visible()
    yield page, "a question open"
    form.evaluate(author.OPEN_ALL)
    yield page, "a question, everything open"
    author.field(form, "epsilon").fill("")
    author.save(page)
    expect(form.locator(".errorlist")).to_be_visible()
    yield page, "a question, an error"
    author.field(form, "epsilon").fill("1")
    author.save(page)
    for name in ("settings", "add_feature", "tables", "groups", "launch", "preview", "people"):
        author.go_to(page, site.server.url + address_of(draft, name))
        yield page, name.replace("_", " ")


def _launched(site: Site) -> States:
    survey = all_sorts().survey
    page = site.of_author()
    author.go_to(page, site.server.url + address_of(survey))
    yield page, "a launched survey"
    for name in ("share", "people", "comments", "read", "history", "close"):
        page.goto(site.server.url + address_of(survey, name))
        yield page, name
    page.goto(site.server.url + address_of(survey, "review"))
    yield page, "links for review"
    page.get_by_label("For whom").fill("Ethics committee")
    page.get_by_role("button", name="Make a link").click()
    link = page.get_by_role("textbox", name="The new link").input_value()
    yield page, "a link for review"
    reader = site.page()
    reader.goto(f"{site.server.url}{urlsplit(link).path}")
    yield reader, "review"


AUTHORS: dict[str, Walk] = {
    "author, list": _list,
    "author, draft": _draft,
    "author, launched": _launched,
}


# Each with whether its pictures are also of the window, before anybody scrolls.
WALKS: dict[str, tuple[Walk, bool]] = {
    **{name: (walk, True) for name, walk in RESPONDENTS.items()},
    **{name: (walk, False) for name, walk in {**READERS, **AUTHORS}.items()},
}
