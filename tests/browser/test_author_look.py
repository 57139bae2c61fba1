"""The authors' pages: accessible, inside a phone's width, under the site's policy."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from surveys.services.transitions import close_survey
from tests.app.author_posts import page as address
from tests.app.searched_tables import searched_question
from tests.browser.author import go_to, save, settings_of, sign_in, troubles
from tests.browser.axe import LAYOUT, assert_well, assert_well_in_sizes
from tests.browser.support import BOTH_SCHEMES
from tests.builders import launched, make_survey
from tests.rosters import launched_network, network_survey

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

QUESTIONS = [
    {},
    {"kind": "single_choice", "options": ["Never", "Once", "Often"], "prefer_not": True},
    {"randomized": False},
    {
        "kind": "scale",
        "options": ["Low", "High", "Top"],
        "design": "laplace",
        "physical_device": "die",
        "epsilon": 2,
    },
    {"kind": "multiple_choice", "options": ["A", "B", "C"], "design": "whole_set"},
    {
        "design": "optimal_binary",
        "design_parameters": {"delta": "0.01", "prevalence": "0.002"},
    },
    {"kind": "scale", "options": [f"Level {index}" for index in range(8)], "design": "cards"},
    searched_question(),
]
SIZES = [(1280, 800), (360, 800)]
PLAN = {"budget": 20, "linkage": "together", "cross_tables": [["q1", "q3"]]}


def closed():
    survey = launched(title="A closed one", slug="closed").survey
    close_survey(survey=survey, actor=None)
    return survey


def paths():
    draft = make_survey(title="A draft", questions=QUESTIONS, contact="", **PLAN)
    opened = launched(title="An open one", slug="open", questions=QUESTIONS, **PLAN).survey
    done = closed()
    return [
        reverse("admin:index"),
        reverse("admin:surveys_survey_changelist"),
        reverse("admin:survey_start"),
        *(address(draft, name) for name in ("change", "settings", "launch", "trial", "delete")),
        *(
            reverse("admin:survey_compare", args=[draft.pk, question.pk])
            for question in draft.questions.filter(name__in=["q4", "q5"])
        ),
        *(address(opened, name) for name in ("change", "share", "close")),
        *(address(done, name) for name in ("change", "reopen", "delete")),
        *network_paths(),
    ]


def network_paths():
    draft = network_survey(slug="network")
    opened = launched_network(slug="open-network").survey
    done = launched_network(slug="closed-network").survey
    close_survey(survey=done, actor=None)
    names = {draft: ["roster", "launch"], opened: ["links", "links_make"], done: ["roster_names"]}
    return [address(survey, name) for survey, pages in names.items() for name in pages]


def test_every_page_is_accessible_fits_and_keeps_the_policy(live_server, new_context):
    page = sign_in(new_context(viewport={"width": 1280, "height": 800}), live_server)
    heard, with_figures = troubles(page), []
    for path in paths():
        go_to(page, live_server.url + path)
        assert heard == [], path
        if page.locator("[data-mechanism]").count():
            assert_well(page, path, schemes=BOTH_SCHEMES)
            with_figures.append(path)
        else:
            assert_well_in_sizes(page, path, SIZES)
        # Axe brings styles of its own, which the policy blocks; it does without them.
        heard.clear()
    assert with_figures
    # Figures are drawn for the window that they find.
    page.set_viewport_size({"width": 360, "height": 800})
    for path in with_figures:
        go_to(page, live_server.url + path)
        assert heard == [], path
        assert_well(page, path, rules=LAYOUT)
        heard.clear()


def test_a_test_fill_is_accessible_and_fits(live_server, new_context):
    draft = make_survey(questions=QUESTIONS, **PLAN)
    context = new_context(viewport={"width": 1280, "height": 800}, bypass_csp=True)
    page = sign_in(context, live_server)
    page.goto(live_server.url + address(draft, "trial"))
    page.get_by_role("button", name="Fill", exact=True).click()
    expect(page.get_by_text("Interval right in").first).to_be_visible()
    assert_well_in_sizes(page, "test fill", SIZES)


def test_the_toggle_wins_over_the_system(live_server, new_context):
    page = sign_in(new_context(color_scheme="light"), live_server)
    page.goto(live_server.url + reverse("admin:surveys_survey_changelist"))
    paper = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(paper) == "rgb(250, 248, 244)"
    toggle = page.locator(".theme-toggle:visible")
    # auto -> dark -> light, as Django's own script goes when the system is light
    toggle.click()
    toggle.click()
    seen = {page.evaluate(paper)}
    toggle.click()
    seen.add(page.evaluate(paper))
    toggle.click()
    seen.add(page.evaluate(paper))
    assert seen == {"rgb(250, 248, 244)", "rgb(20, 24, 27)"}


def test_researchers_are_found_by_name(live_server, new_context):
    from tests.builders import make_user

    survey, reader = make_survey(), make_user("rita")
    page = sign_in(new_context(), live_server)
    page.goto(settings_of(live_server, survey))
    page.locator(".entry-researchers .select2-search__field").press_sequentially("rita")
    page.locator(".select2-results__option", has_text="rita").click()
    save(page)
    assert list(survey.researchers.all()) == [reader]
    page.reload()
    expect(page.locator(".entry-researchers .select2-selection__choice")).to_contain_text("rita")
