"""The results page in a real browser: figures under the strict policy, and fresh by itself."""

import json
import math
import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from surveys.models import Result
from surveys.services.results import refresh_results
from surveys.services.transitions import close_survey
from tests.app.test_results_cards_page import launch_with_both
from tests.browser.axe import assert_well, assert_well_in_sizes, loaded_in_looks
from tests.browser.support import PATIENCE, until
from tests.builders import PASSWORD, launched, make_user
from tests.released import QUESTIONS, answer, released, rich, rich_rows, thirty, varied
from tests.translations import launched_in
from tests.unchanged.people import fill

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WATCH = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) => {
  window.violations.push([event.violatedDirective, event.blockedURI, event.sourceFile]);
});
"""
TRUTH = {"drug": [0.8, 0.15, 0.05], "absence": [0.5, 0.3, 0.2], "permanent": [0.5, 0.5]}

SIZES = ((360, 800), (1280, 800))
OPEN_ALL = "document.querySelectorAll('details').forEach((part) => { part.open = true; })"


@pytest.fixture
def open_page(new_context, live_server):
    """Open an address and keep what the console and the network said."""

    def opener(address, *, clock=False, **options):
        context = new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        context.add_init_script(WATCH)
        page = context.new_page()
        page.said, page.asked = [], []
        if clock:
            page.clock.install()
        page.on("console", lambda message: page.said.append(message.text))
        page.on("request", lambda request: page.asked.append(request.url))
        if address:
            page.goto(live_server.url + address)
        return page

    return opener


@pytest.fixture
def in_looks(open_page, live_server):
    """The results of a launch, drawn in each look; yields the page, and what to ask of axe."""

    def looks(launch):
        page = open_page(None)
        for state, rules in loaded_in_looks(page, live_server.url + results_of(launch)):
            yield wait_for_figures(page), {"state": state, "rules": rules}

    return looks


def demo(count=200, **values):
    values = {"results_public": True, "questions": QUESTIONS, **values}
    return with_truth(released(varied(count), **values))


def with_truth(launch):
    launch.survey.simulated_truth = TRUTH
    launch.survey.save()
    return launch


def results_of(launch):
    return reverse("results", args=[launch.survey.slug])


def wait_for_figures(page):
    page.wait_for_selector("#results[data-drawn]")
    return page


def assert_silent(page, live_server):
    assert page.evaluate("violations") == []
    assert page.said == []
    foreign = [url for url in page.asked if not url.startswith((live_server.url, "data:", "blob:"))]
    assert foreign == []


def explore(page, name):
    """Open the dialog of a figure; it is drawn when this returns."""
    page.click(f"#explore-{name}")
    page.wait_for_selector("#explorer[data-drawn]")
    return page.locator("#explorer-plot")


def test_a_figure_is_there_at_once_and_can_be_zoomed_into_and_saved(open_page, live_server):
    launch = demo()
    page = wait_for_figures(
        open_page(results_of(launch), color_scheme="light", accept_downloads=True)
    )
    strips = page.locator("#figure-drug tbody .strip")
    assert strips.count() == 3
    assert page.locator("#figure-drug .strip__estimate").count() == 3
    mark = "getComputedStyle(document.querySelector('.strip__estimate')).fill"
    assert page.evaluate(mark) == "rgb(10, 98, 100)"
    # Raw reports cannot be taken for a result: they are in a table that is closed.
    assert not page.get_by_text("Raw reports").first.is_visible()
    assert not [url for url in page.asked if "plotly" in url or "figures" in url]

    plot = explore(page, "figure-drug")
    assert plot.bounding_box()["width"] > 600
    assert "raw reports" in plot.text_content()
    page.hover(".plotly .nsewdrag >> nth=0")
    # Nothing is refused by the policy.
    assert page.locator("style").count() == 0
    assert_silent(page, live_server)

    colour = "getComputedStyle(document.querySelector('.scatterlayer .js-line')).stroke"
    assert page.evaluate(colour) == "rgb(10, 98, 100)"
    page.emulate_media(color_scheme="dark")
    until(page, f"{colour} === 'rgb(95, 196, 192)'")

    with page.expect_download() as caught:
        page.click("#svg-picture")
    assert caught.value.suggested_filename == "health-drug.svg"
    svg = caught.value.path().read_text()
    assert svg.startswith("<svg")
    assert "rgb(10, 98, 100)" in svg
    assert launch.document["questions"][0]["text"] in svg
    assert launch.digest in svg
    with page.expect_download() as caught:
        page.click("#png-picture")
    png = caught.value.path().read_bytes()
    assert png.startswith(b"\x89PNG")
    assert int.from_bytes(png[16:20], "big") == 1600
    page.keyboard.press("Escape")
    expect(page.locator("#explorer")).to_be_hidden()
    assert page.evaluate("document.activeElement.id") == "explore-figure-drug"
    assert_silent(page, live_server)


def test_a_figure_that_cannot_be_had_says_so(open_page):
    page = wait_for_figures(open_page(results_of(demo())))
    page.route("**/plotly-cartesian*", lambda route: route.abort())
    page.click("#explore-figure-drug")
    expect(page.locator("#action-failed")).to_be_visible()
    expect(page.locator("#explorer")).to_be_hidden()
    # A second try is one.
    page.unroute("**/plotly-cartesian*")
    explore(page, "figure-drug")


def test_axe_finds_nothing_and_figures_and_pages_fit_the_window(in_looks):
    # Few, so that intervals reach beyond the range and notes are there.
    for page, look in in_looks(demo(60)):
        outside = page.evaluate(
            """() => [...document.querySelectorAll(".strip text, .strip circle")].filter((mark) => {
                const box = mark.getBoundingClientRect();
                return box.left < 0 || box.right > innerWidth;
            }).map((mark) => mark.outerHTML)"""
        )
        assert outside == []
        page.evaluate(OPEN_ALL)
        assert_well(page, **look)


def test_axe_finds_nothing_with_tables_scales_and_several_devices(in_looks):
    for page, look in in_looks(rich(120, 30)):
        page.evaluate(OPEN_ALL)
        lines = page.locator("td.mono").evaluate_all(
            """(cells) => cells.map((cell) => {
              const text = document.createRange();
              text.selectNodeContents(cell);
              return text.getClientRects().length;
            })"""
        )
        assert lines
        # An exact integer stays on one line.
        assert set(lines) == {1}
        assert_well(page, **look)


def test_cards_and_a_searched_table_have_no_raw_mark_and_a_proof(in_looks):
    launch = launch_with_both(results_public=True)
    answers = sum(len(question["categories"]) for question in launch.document["questions"])
    for page, look in in_looks(launch):
        page.evaluate(OPEN_ALL)
        assert page.locator("table.cards tbody tr").count() == 30
        assert page.locator(".figure .strip__estimate").count() == answers
        assert_well(page, **look)
    with page.expect_download() as caught:
        page.click("text=The proof, to be checked (JSON)")
    assert caught.value.suggested_filename.endswith("-certificate.json")


def test_a_cross_table_is_drawn_saved_and_stays_fresh(open_page, live_server):
    launch = rich(300, 40)
    page = wait_for_figures(
        open_page(results_of(launch), color_scheme="light", accept_downloads=True)
    )
    assert page.locator("#figure-drug-by-size .strip__estimate").count() == 3
    finding = page.locator("#table-drug-by-size .finding").first.inner_text()
    assert "could be shown" in finding or "of 100 in" in finding

    page.click("#drawer-drug-by-size > summary")
    explore(page, "drug-by-size-heat")
    assert page.locator("#explorer .heatmaplayer image").count() == 1
    assert page.locator("#explorer .heatmap-label").count() == 9
    with page.expect_download() as caught:
        page.click("#svg-picture")
    assert caught.value.suggested_filename == "health-drug-size-heat.svg"
    svg = caught.value.path().read_text()
    assert "How many people work there?" in svg
    assert launch.digest in svg

    picture = "document.querySelector('.heatmaplayer image').href.baseVal"
    light = page.evaluate(picture)
    page.emulate_media(color_scheme="dark")
    until(page, f"{picture} !== {json.dumps(light)}")
    page.keyboard.press("Escape")

    page.click("text=Association in numbers")
    before = page.locator("#figure-drug-by-size tbody").inner_text()
    answer(launch, rich_rows(60))
    refresh_results(launch_id=launch.pk)
    page.wait_for_selector("text=n = 400 who answered both")
    assert page.locator("#figure-drug-by-size tbody").inner_text() != before
    assert page.locator("#association-drug-by-size").is_visible()
    assert re.fullmatch(
        r"New responses: 60\. Changed: \d+ of \d+ estimates\.",
        page.locator("#what-changed").inner_text(),
    )
    assert_silent(page, live_server)


def test_questions_are_read_and_found_under_the_titles_of_their_sections(open_page, in_looks):
    launch = launched(
        questions=[
            {"text": "Do you drink?", "section_title": "Habits"},
            {"text": "Do you smoke?"},
            {"text": "Have you been hurt?", "section_title": "Violence"},
        ],
        results_public=True,
        budget=4,
    )
    fill(launch, 40)
    page = wait_for_figures(open_page(results_of(launch)))
    titles = page.locator("h2[data-part-begins]")
    shown = page.locator("[data-part-begins]").filter(visible=True)
    expect(titles).to_have_text(["Habits", "Violence"])
    # A short way to each of many.
    links = page.get_by_role("navigation", name="Sections").get_by_role("link")
    expect(links).to_have_text(["Habits", "Violence"])
    links.nth(1).click()
    expect(titles.nth(1)).to_be_in_viewport()
    expect(page.locator("#part-q1")).not_to_be_in_viewport()
    expect(shown).to_have_text(["Habits", "Violence", "Habits", "Violence"])
    page.fill("#find", "smoke")
    expect(shown).to_have_text(["Habits", "Habits"])
    expect(links.filter(visible=True)).to_have_text(["Habits"])
    page.fill("#find", "hurt")
    expect(shown).to_have_text(["Violence", "Violence"])
    page.fill("#find", "no such words")
    expect(shown).to_have_count(0)
    page.fill("#find", "")
    expect(shown).to_have_count(4)
    for page, look in in_looks(launch):
        assert_well(page, **look)


def test_results_are_found_by_words_and_kind_and_shown_in_short(open_page):
    page = wait_for_figures(open_page(results_of(rich(120, 30))))
    sections = page.locator("[data-kind]:visible")
    everything = sections.count()
    page.fill("#find", "STRESS")
    assert 0 < sections.count() < everything
    assert page.locator("#question-stress").is_visible()
    assert page.locator(".summary tbody tr:visible").count() < everything
    # These words are in the closed part of each.
    page.fill("#find", "made-up reports")
    expect(page.locator("#found-none")).to_be_visible()
    page.fill("#find", "no such words")
    expect(page.locator("#found-none")).to_be_visible()
    page.fill("#find", "")
    page.select_option("#kind", "direct")
    assert sections.count() == page.locator("[data-kind=direct]").count()
    page.select_option("#kind", "")
    assert sections.count() == everything
    page.click("#brief")
    assert page.locator(".figure:visible").count() == 0
    assert page.locator("#question-stress .finding").is_visible()
    page.click("#brief")
    assert page.locator(".figure:visible").count() > 0
    # A link into something closed opens it.
    address = page.url.partition("#")[0]
    page.goto(address + "#table-stress")
    expect(page.locator("#table-stress")).to_be_visible()
    # One that points nowhere, and cannot be decoded, stops nothing.
    page.goto("about:blank")
    wait_for_figures(page.goto(address + "#%E0") and page)


def test_thirty_questions_and_three_tables_of_twelve_groups_are_not_long(open_page):
    page = wait_for_figures(open_page(results_of(thirty())))
    assert page.locator(".question").count() == 33
    assert page.evaluate("document.documentElement.scrollHeight") < 12_000
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280


def test_answers_are_sorted_by_size_where_that_is_chosen(open_page):
    page = wait_for_figures(open_page(results_of(demo())))
    page.get_by_role("link", name="by size").click()
    page.wait_for_selector("text=as asked >> visible=true")
    wait_for_figures(page)
    shares = page.locator("#figure-drug .estimate").all_inner_texts()
    values = [float(text.removesuffix("%").replace("\u2212", "-")) for text in shares]
    assert values == sorted(values, reverse=True)
    assert page.get_by_role("link", name="as asked").is_visible()


def copy_table(page, name):
    """Return what a table gives to the clipboard: as text, and as the rows of an HTML table."""
    page.evaluate("document.getElementById('announcement').textContent = ''")
    page.click(f"#copy-{name}")
    page.wait_for_selector("#announcement:not(:empty)", state="attached")
    text = [row.split("\t") for row in pasted(page, "textarea", "place.value").split("\n")]
    # As a spreadsheet takes it.
    cells = "[...row.cells].map((cell) => cell.textContent)"
    rows = f"[...place.querySelector('table').rows].map((row) => {cells})"
    assert pasted(page, "article", rows) == text
    return text


def pasted(page, name, read):
    """Return what Ctrl+V brings to a new element: the policy lets no script read the clipboard."""
    page.evaluate(
        """(name) => {
          const place = document.createElement(name);
          if (name !== "textarea") place.contentEditable = "true";
          place.id = "pasted";
          document.body.append(place);
          place.focus();
        }""",
        name,
    )
    page.keyboard.press("Control+v")
    return page.evaluate(
        f"""() => {{
          const place = document.getElementById("pasted");
          place.remove();
          return {read};
        }}"""
    )


@pytest.fixture
def open_copying(open_page):
    permissions = ["clipboard-read", "clipboard-write"]
    return lambda address, **values: wait_for_figures(
        open_page(address, permissions=permissions, **values)
    )


def number_of(text):
    """As a spreadsheet reads a cell: digits, a decimal sign, a plain minus, and nothing else.

    A number that is not known has an empty cell.
    """
    if not text:
        return math.nan
    assert re.fullmatch(r"-?\d+([.,]\d+)?", text), text
    return float(text.replace(",", "."))


def test_each_number_of_a_table_is_copied_into_a_cell_of_its_own(open_copying):
    launch = rich(300)
    page = open_copying(results_of(launch))
    page.evaluate(OPEN_ALL)
    assert_groups_are_copied(launch, *copy_table(page, "within-drug-by-size"))

    head, *rows = copy_table(page, "cells-drug-by-size")
    assert {len(row) for row in rows} == {len(head)} == {1 + 3 * 4 + 3}
    *groups, together = rows
    assert all(number_of(text) is not None for row in groups for text in row[1:])
    # A margin has no maximum-likelihood estimate, and the corner is the number of people.
    assert together[2] == ""
    assert together[-3:] == ["n = 300", "", ""]


def assert_groups_are_copied(launch, head, *rows):
    low, high = "95 % interval from (%)", "95 % interval to (%)"
    assert head[:4] == ["Group", "No (%)", f"No, {low}", f"No, {high}"]
    assert head[-3:] == [f"Share of everybody{end}" for end in (" (%)", f", {low}", f", {high}")]
    assert [row[0] for row in rows] == ["Few", "Some", "Many"]
    assert {len(row) for row in rows} == {len(head)} == {13}
    table = Result.objects.get(launch=launch).content["tables"][0]
    for row, cells in zip(rows, table["conditional"], strict=True):
        for place, cell in enumerate(cells):
            numbers = [number_of(text) for text in row[1 + 3 * place : 4 + 3 * place]]
            expected = [100 * share for share in (cell["estimate"], *cell["interval"])]
            assert numbers == pytest.approx(expected, abs=0.51)


# The page's work after two seconds is done when the test says so.
HELD = """(() => {
  const later = setTimeout;
  window.held = [];
  window.setTimeout = (run, wait) => wait === 2_000 ? held.push(run) : later(run, wait);
})()"""


def test_a_table_is_copied_as_numbers_in_the_readers_notation(open_copying):
    """1,553 reports, so that something is grouped, and an estimate below 0."""
    rows = [{"drug": 0}] * 1500 + [{"drug": 1}] * 53
    launch = released(rows, results_public=True, questions=QUESTIONS[:1])
    categories = Result.objects.get(launch=launch).content["questions"][0]["categories"]
    for language, sign in (("en", "."), ("de", ",")):
        page = open_copying(results_of(launch), locale=language)
        page.evaluate(OPEN_ALL)
        page.evaluate(HELD)
        words = page.locator("#copy-drug").inner_text()
        head, *lines = copied = copy_table(page, "drug")
        assert_shares_are_copied(categories, head, lines)
        assert sign in lines[0][1]
        # Without the clipboard of a secure page it is copied all the same.
        page.evaluate("Object.defineProperty(navigator.clipboard, 'write', { value: undefined })")
        assert copy_table(page, "drug") == copied
        assert page.locator("#copy-drug").inner_text() != words
        page.evaluate("held.forEach((run) => run())")
        assert page.locator("#copy-drug").inner_text() == words


def assert_shares_are_copied(categories, head, lines):
    assert len(head) == 8
    assert {len(line) for line in lines} == {8}
    values = [[number_of(text) for text in line[1:]] for line in lines]
    for line, row in zip(values, categories, strict=True):
        shares = (
            row["estimate"],
            *row["interval"],
            row["standard_error"],
            row["maximum_likelihood"],
        )
        expected = [math.nan if share is None else 100 * share for share in shares]
        assert line[:5] == pytest.approx(expected, abs=0.051, nan_ok=True)
        assert line[6] == row["reported"]
    assert lines[0][7] == "1500"
    assert min(value[0] for value in values) < 0


def test_labels_are_no_formulas_and_no_markup(open_copying):
    hostile = '<a href="javascript:alert(1)">x</a><img src=x onerror=alert(1)>'
    formulas = {**QUESTIONS[1], "options": ["@home", "-2", "Many"]}
    markup = {"kind": "single_choice", "name": "markup", "options": [hostile, "other"]}
    launch = released(
        [{"absence": 0, "markup": number % 2} for number in range(30)],
        results_public=True,
        questions=[formulas, {**markup, "text": hostile}],
    )
    page = open_copying(results_of(launch))
    explore(page, "figure-markup")
    assert page.locator("#explorer-plot a, #explorer-plot img, .figure a, .figure img").count() == 0
    assert hostile[:2] in json.dumps(page.locator("#explorer-plot").text_content())
    page.keyboard.press("Escape")
    page.evaluate(OPEN_ALL)
    _head, *rows = copy_table(page, "absence")
    assert [row[0] for row in rows] == ["'@home", "'-2", "Many"]


def test_new_results_come_in_without_reloading_and_keep_the_focus(open_page, live_server):
    launch = demo(100)
    page = wait_for_figures(open_page(results_of(launch)))
    assert page.title() == "(100) Results: Health at work – Candor"
    page.evaluate("window.sameDocument = true")
    page.locator("#drawer-drug > summary").click()
    page.locator("#explore-figure-absence").focus()
    before = page.locator("#table-drug tbody").inner_text()
    revision = page.locator("#results").get_attribute("data-drawn")

    answer(launch, [{"drug": 2, "absence": 1, "permanent": 1}] * 40)
    refresh_results(launch_id=launch.pk)

    until(page, f"document.getElementById('results').dataset.drawn !== '{revision}'")
    assert page.locator("#results-summary").inner_text().startswith("140 responses in the results")
    assert page.locator("#table-drug tbody").inner_text() != before
    assert page.evaluate("window.sameDocument")
    assert page.evaluate("document.activeElement.id") == "explore-figure-absence"
    assert page.locator("#drawer-drug").get_attribute("open") is not None
    assert page.locator("#what-changed").inner_text().startswith("New responses: 40.")
    assert page.locator("#announcement").inner_text().startswith("140 responses")
    assert page.title().startswith("(140) ")
    content = Result.objects.get(launch=launch).content
    assert content["responses"] == 140

    close_survey(survey=launch.survey, actor=None)
    page.wait_for_selector(".facts .tag:has-text('Closed')", state="attached")
    assert_silent(page, live_server)


def test_the_first_release_appears_on_an_open_page(open_page):
    launch = demo(9, release_threshold=10)
    page = open_page(results_of(launch))
    assert page.locator("text=Too few responses").is_visible()
    answer(launch, varied(3))
    refresh_results(launch_id=launch.pk)
    page.wait_for_selector("#figure-drug")
    page.click("#drawer-drug > summary")
    assert page.locator("#table-drug").is_visible()
    assert page.locator("#copy-drug").is_visible()


def until_visible(page, selector, visible=True):
    """Let the page's timers run ahead until something is there, or is not."""
    for _ in range(PATIENCE // 100):
        page.clock.fast_forward(30_000)
        if page.locator(selector).is_visible() == visible:
            return
        page.wait_for_timeout(100)
    pytest.fail(f"never so: {selector}")


def test_an_author_hears_of_a_page_behind_of_a_worker_that_seems_down_and_of_the_end_of_a_session(
    open_page, settings
):
    settings.SWEEP_SECONDS = 1
    launch = demo(30, results_public=False)
    page = open_page(f"{reverse('login')}?next={results_of(launch)}", clock=True)
    page.fill("#id_username", launch.survey.owner.username)
    page.fill("#id_password", PASSWORD)
    page.click("main button[type=submit]")
    wait_for_figures(page)
    assert page.locator("#worker-late").is_hidden()
    answer(launch, varied(2))
    until_visible(page, "text=2 responses are about to enter the results")
    until_visible(page, "#worker-late")
    refresh_results(launch_id=launch.pk)
    until_visible(page, "#worker-late", visible=False)
    until_visible(page, "#results-summary:has-text('32 responses in the results')")

    page.context.clear_cookies()
    until_visible(page, "#signed-out")
    assert "Sign in again" in page.locator("#signed-out").inner_text()


def test_a_hidden_page_asks_nothing(open_page):
    launch = demo(30)
    page = wait_for_figures(open_page(results_of(launch), clock=True))
    page.evaluate(
        """() => {
            Object.defineProperty(document, "hidden", {value: true, configurable: true});
            document.dispatchEvent(new Event("visibilitychange"));
        }"""
    )
    page.asked.clear()
    page.clock.run_for(120_000)
    assert page.asked == []
    page.evaluate(
        """() => {
            Object.defineProperty(document, "hidden", {value: false, configurable: true});
            document.dispatchEvent(new Event("visibilitychange"));
        }"""
    )
    page.wait_for_event("response", lambda response: "status.json" in response.url)


SHEET = 672  # pixels between the margins of A4


def test_on_paper_figures_are_whole_marks_are_kept_and_all_is_dark_on_light(open_page):
    page = wait_for_figures(open_page(results_of(rich(120, 30)), color_scheme="dark"))
    assert page.pdf(format="A4").startswith(b"%PDF")
    assert_fit_for_paper(page)
    ink = "getComputedStyle(document.querySelector('.strip__95')).stroke"
    assert page.evaluate(ink) == "rgb(10, 98, 100)"
    assert page.evaluate("document.querySelector('.strip').getBoundingClientRect().width") <= SHEET


STYLES = """(asked) => asked.map(([name, rule]) => [
  name, rule, getComputedStyle(document.querySelector(name))[rule],
])"""
ON_PAPER = [
    *[(name, "printColorAdjust", "exact") for name in (".key--estimate", ".tag")],
    *[
        (name, "breakInside", "avoid")
        for name in (".card.question", ".card", ".table-wrap", ".estimates tr")
    ],
    ("body", "color", "rgb(29, 35, 41)"),
    (".table-wrap", "overflowX", "visible"),
]


def assert_fit_for_paper(page):
    page.set_viewport_size({"width": SHEET, "height": 950})
    page.emulate_media(media="print", color_scheme="dark")
    found = page.evaluate(STYLES, [[name, rule] for name, rule, _value in ON_PAPER])
    assert found == [list(style) for style in ON_PAPER]
    wide = """() => [...document.querySelectorAll("table")].filter(
      (table) => table.getBoundingClientRect().right > innerWidth + 1).map((table) => table.id)"""
    assert page.evaluate(wide) == []


def test_the_summary_opens_from_disk_without_a_network(open_page, new_context, tmp_path):
    launch = with_truth(rich(120, 30))
    page = wait_for_figures(open_page(results_of(launch), accept_downloads=True))
    page.click("#downloads > summary")
    with page.expect_download() as caught:
        page.click("text=Summary (HTML, one file)")
    file = tmp_path / caught.value.suggested_filename
    caught.value.save_as(file)
    assert file.stat().st_size < 300_000

    context = new_context(offline=True, viewport={"width": 1280, "height": 900})
    context.add_init_script(WATCH)
    summary = context.new_page()
    asked, said = [], []
    summary.on("request", lambda request: asked.append(request.url))
    summary.on("console", lambda message: said.append(message.text))
    summary.goto(file.as_uri())
    assert summary.locator(".figure .strip__estimate").first.is_visible()
    assert summary.locator("script").count() == 0
    assert summary.locator("table.estimates:not(.estimates--more)").count() == 9
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    assert summary.evaluate("violations") == []
    assert said == []
    assert summary.pdf().startswith(b"%PDF")
    assert_well(summary)
    assert_fit_for_paper(summary)


def test_without_javascript_sentences_figures_and_tables_are_there(open_page):
    page = open_page(results_of(demo()), java_script_enabled=False)
    assert page.locator(".finding:visible").count() == 4
    assert page.locator(".figure .strip__estimate").first.is_visible()
    page.click("#drawer-drug > summary")
    assert page.locator("#table-drug").is_visible()
    assert page.locator("button:visible").count() == 0


HEBREW_WORDS = {
    "Health at work": "בריאות בעבודה",
    "Where do you live?": "היכן אתם גרים, בערך?",
    "North": "צפון",
    "South (2 towns)": "דרום (2 ערים)",
}


def test_words_of_a_translation_stay_in_their_direction_and_come_in_anew(open_page, live_server):
    region = {
        "name": "region",
        "kind": "single_choice",
        "text": "Where do you live?",
        "options": ["North", "South (2 towns)"],
    }
    launch = launched_in(
        words=HEBREW_WORDS, questions=[region], results_public=True, release_threshold=5
    )
    answer(launch, [{"region": int(number % 3 > 0)} for number in range(60)])
    refresh_results(launch_id=launch.pk)
    page = wait_for_figures(open_page(results_of(launch), locale="en"))
    page.get_by_role("link", name="עברית", exact=True).click()
    wait_for_figures(page)
    assert page.url.endswith("?language=he")
    assert page.evaluate("getComputedStyle(document.body).direction") == "ltr"
    title = page.get_by_role("heading", name=HEBREW_WORDS["Where do you live?"])
    assert title.evaluate("(node) => getComputedStyle(node).direction") == "rtl"
    # A sentence of ours begins at the left, and the number of an answer stays in its brackets.
    sentence = page.locator("p.finding").first
    assert sentence.evaluate("(node) => getComputedStyle(node).direction") == "ltr"
    assert "\u2067דרום (2 ערים)\u2069" in sentence.text_content()
    assert_well_in_sizes(page, "in Hebrew", SIZES)
    explore(page, "figure-region")
    assert "דרום (2 ערים)" in page.locator("#explorer-plot").text_content()
    page.keyboard.press("Escape")

    answer(launch, [{"region": 0}] * 40)
    refresh_results(launch_id=launch.pk)
    expect(page.locator("[data-live=counts]")).to_contain_text("100")
    expect(page.locator("p.finding").first).to_contain_text("צפון")
    assert_silent(page, live_server)


def test_axe_finds_nothing_on_home_sign_in_and_account(open_page, live_server):
    launch = demo(30)
    make_user("reader")
    page = open_page("/")
    assert not [url for url in page.asked if "plotly" in url]
    assert_well_in_sizes(page, "home", SIZES)
    page.goto(live_server.url + reverse("login"))
    assert_well_in_sizes(page, "sign in", SIZES)
    page.fill("#id_username", "reader")
    page.fill("#id_password", "wrong")
    page.click("main button[type=submit]")
    expect(page.locator("#sign-in-error")).to_be_visible()
    assert_well_in_sizes(page, "sign in, refused", SIZES)
    page.fill("#id_username", "reader")
    page.fill("#id_password", PASSWORD)
    page.click("main button[type=submit]")
    page.wait_for_url(re.compile(r"/account/$"))
    assert page.locator(f"a[href='{results_of(launch)}']").is_visible()
    assert_well_in_sizes(page, "account", SIZES)
    page.goto(live_server.url + "/s/nobody/results/")
    assert "not here" in page.locator("h1").inner_text()
    assert_well_in_sizes(page, "no results", SIZES)
    assert page.evaluate("violations") == []
