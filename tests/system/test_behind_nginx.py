"""A site below a path of its name, behind nginx: as it is passed on, and with the path stripped.

tests/app/test_below_a_path.py has the setting, and every route without a browser.
"""

import csv
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from candor import Candor
from candor.documents import Survey
from playwright.sync_api import BrowserContext, Page, expect

from benchmarks.drills.site import PROGRAMS, Web
from tests.browser import comer
from tests.browser.respondent import arrive, choose, press, receipt, spin, to_questions
from tests.system.answering_process import ROOT
from tests.system.author import (
    add_question,
    begin_draft,
    give_name_and_password,
    launch,
    slug_of,
)
from tests.system.crawled import Crawl
from tests.system.nginx import nginx_before
from tests.system.stack import Stack, running_stack
from tests.system.test_command_line import token_of

pytestmark = [pytest.mark.system, pytest.mark.browser]

PATH = "/survey"
WAVES, NETWORK, QUESTIONNAIRE = "workplace-health", "talk-of-leaving", "exams"
QUESTION = "Have you ever used a drug at work?"
# Enough for the results of all demo surveys.
RESPONDENTS = "100"
# What stands in nginx for each arrangement; the second one takes the path away.
ARRANGEMENTS = {
    "passed on": f"location {PATH}/ {{{{ {{proxied}} }}}}",
    "stripped": f"location {PATH}/ {{{{ rewrite ^{PATH}(/.*)$ $1 break; {{proxied}} }}}}",
}


@dataclass
class Below:
    """A stack with the demo surveys, by its addresses behind nginx, and what the demo has told."""

    stack: Stack
    sites: dict[str, str]
    told: str

    def password(self, name: str) -> str:
        found = re.search(rf"demo login +{name} / (\S+)", self.told)
        assert found
        return found[1]

    def one_each(self, pattern: str) -> dict[str, str]:
        """What the demo tells twice, one for each arrangement."""
        return dict(zip(ARRANGEMENTS, re.findall(pattern, self.told), strict=True))


@pytest.fixture(scope="module")
def below(static_files: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Below]:
    with ExitStack() as ends:
        settings = {"CANDOR_PATH": PATH, "CANDOR_THROTTLE_EXEMPT": "127.0.0.1"}
        stack = ends.enter_context(running_stack(static_files=static_files, settings=settings))
        environment = {
            **stack.environment,
            "CANDOR_PLAIN_HTTP": "1",
            "CANDOR_WEB_WORKERS": "1",
            "REDIS_URL": stack.broker_url(),
        }
        stripped = {**environment, "CANDOR_PATH_STRIPPED": "1", "PATH": PROGRAMS}
        stripping = Web("web", ROOT, stripped, tmp_path_factory.mktemp("web") / "web.log")
        ends.callback(stripping.kill)
        sites = {}
        for (name, location), port in zip(
            ARRANGEMENTS.items(), (stack.port, stripping.port), strict=True
        ):
            nginx = nginx_before(
                [port],
                tmp_path_factory.mktemp("nginx"),
                location=location,
                healthz=f"{PATH}/healthz",
            )
            sites[name] = f"http://127.0.0.1:{ends.enter_context(nginx)}{PATH}"
        demo = ("candor", "demo", "--url", sites["passed on"], "--respondents", RESPONDENTS)
        done = subprocess.run(
            [sys.executable, "manage.py", *demo],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        yield Below(stack, sites, done.stdout)


def watched(context: BrowserContext, site: str) -> list[str]:
    """What is asked for in a browser outside the site, or is answered with an error."""
    wrong: list[str] = []

    def look(answer: Any) -> None:
        if not answer.url.startswith((f"{site}/", "blob:", "data:")) or answer.status >= 400:
            wrong.append(f"{answer.status} {answer.url}")

    context.on("response", look)
    return wrong


def study(page: Page, stack: Stack, name: str) -> str:
    """An author comes by the address of the desk and launches a survey; returns its link."""
    page.goto(f"{stack.url}/admin/")
    assert page.url.startswith(f"{stack.url}/account/login/?next={PATH}/admin/")
    give_name_and_password(page, stack, name)
    assert page.url == f"{stack.url}/admin/"
    begin_draft(page, stack, f"Health of {name}", release_threshold="2", results_public=True)
    values = {"epsilon": "1.1", "physical_device": "two_coins"}
    add_question(page, QUESTION, prefer_not=False, **values)
    return launch(page)


def answer(context: BrowserContext, link: str) -> None:
    """Take part with scripts, in a browser that knows the same survey from elsewhere.

    A site at the root of the name, and one below another path, would keep it in the same storage.
    """
    page = context.new_page()
    digest = page.request.get(f"{link}parameters.json").json()["digest"]
    names = [f"candor:{digest}", f"candor:/other{digest}"]
    elsewhere = {name: json.dumps({"reports": {"q1": 1}}) for name in names}
    page.goto(link)
    page.evaluate("(kept) => Object.assign(localStorage, kept)", elsewhere)
    arrive(page, link)
    to_questions(page)
    choose(page, "Yes")
    spin(page)
    press(page, "Send")
    code = receipt(page)
    kept = dict(page.evaluate("Object.entries(localStorage)"))
    assert set(kept) == {*elsewhere, f"candor:{PATH}{digest}"}
    assert code in kept[f"candor:{PATH}{digest}"]
    page.reload()
    expect(page.locator("main")).to_contain_text(code)
    assert context.cookies() == []


def answer_without_scripts(context: BrowserContext, link: str) -> None:
    page = context.new_page()
    page.goto(link)
    page.get_by_role("link", name="Answer with a device of your own").click()
    assert page.url == f"{link}physical/"
    page.locator("main form [type=radio]").first.check()
    page.locator("main form [type=submit]").last.click()
    expect(page.locator(".receipt__code")).to_be_visible()


def come_back(context: BrowserContext, site: str, code: str) -> None:
    """The earlier wave is found by the return code, and what was sent then."""
    page = arrive(context.new_page(), f"{site}/s/{WAVES}/")
    press(page, "I agree")
    comer.enter(page, code)
    comer.unfold_before(page)


def come_by_link(context: BrowserContext, site: str, link: str) -> None:
    """A personal link is in the memory of the tab, no longer in the address, and answers."""
    page = arrive(context.new_page(), f"{site}/s/{NETWORK}/#{link}")
    expect(page.locator("#person")).to_be_visible()
    assert page.url == f"{site}/s/{NETWORK}/"
    digest = page.request.get(f"{page.url}parameters.json").json()["digest"]
    assert page.evaluate("Object.keys(sessionStorage)") == [f"candor:{PATH}{digest}:link"]
    to_questions(page)
    page.locator(".roster").get_by_role("checkbox").first.check()
    press(page, "Scramble")
    press(page, "Next")
    choose(page, "No")
    spin(page)
    press(page, "Send")
    assert receipt(page)
    (name,) = page.evaluate("Object.keys(localStorage)")
    assert name.startswith(f"candor:{PATH}{digest}")


def read(page: Page, site: str, link: str, folder: Path) -> None:
    """The results, a figure of them, and a file."""
    page.goto(f"{link}results/")
    expect(page.locator("#question-q1")).to_contain_text("n = 2")
    page.goto(f"{site}/s/{QUESTIONNAIRE}/results/")
    page.locator("[id^=explore-figure-]").first.click()
    page.wait_for_selector("#explorer[data-drawn]")
    with page.expect_download() as download:
        page.evaluate(
            "(href) => Object.assign(document.createElement('a'), { href, download: '' }).click()",
            f"{site}/s/{QUESTIONNAIRE}/results/estimates.csv",
        )
    download.value.save_as(folder / "estimates.csv")
    text = (folder / "estimates.csv").read_text(encoding="utf-8-sig")
    assert list(csv.DictReader(text.splitlines()))


def by_program(stack: Stack, token: str, slug: str, folder: Path) -> None:
    """A client that is given the address with its path."""
    with Candor(f"{stack.url}/", token) as site:
        (survey,) = [each for each in site.surveys() if each.address == slug]
        assert survey.link == f"{stack.url}/s/{slug}/"
        assert site.results(survey)["responses"] == 2
        stored = site.export(survey, "estimates.csv", folder)
        assert stored.path is not None
        assert stored.path.stat().st_size
        site.create(site.definition(survey)[0])
        # One on a page, by the addresses that the site gives.
        listed = [*site._listed("/surveys", Survey, {"limit": 1})]
        assert len(listed) == 2


@pytest.mark.parametrize("arrangement", ARRANGEMENTS)
def test_a_study_below_a_path(
    below: Below, new_context: Any, tmp_path: Path, arrangement: str
) -> None:
    below.stack.site = site = below.sites[arrangement]
    name = arrangement.replace(" ", "-")
    author, respondent = new_context(), new_context(reduced_motion="reduce")
    scriptless = new_context(java_script_enabled=False)
    wrong = [watched(each, site) for each in (author, respondent, scriptless)]

    desk = author.new_page()
    link = study(desk, below.stack, name)
    assert link.startswith(f"{site}/s/")
    cookies = {each["name"]: each["path"] for each in author.cookies()}
    assert cookies["sessionid_survey"] == cookies["csrftoken_survey"] == PATH
    assert all(path.startswith(PATH) for path in cookies.values())
    answer(respondent, link)
    answer_without_scripts(scriptless, link)
    code = below.one_each(r"return code +(\S+)")[arrangement]
    come_back(new_context(reduced_motion="reduce"), site, code)
    person = below.one_each(r"personal link \S+#(\S+)")[arrangement]
    come_by_link(new_context(reduced_motion="reduce"), site, person)
    read(desk, site, link, tmp_path)
    by_program(below.stack, token_of(below.stack, name), slug_of(link), tmp_path)
    assert wrong == [[], [], []]


def test_everything_that_pages_lead_to_is_below_the_path(below: Below, new_context: Any) -> None:
    site = below.sites["passed on"]
    context = new_context()
    page = context.new_page()
    page.goto(f"{site}/account/login/?next={PATH}/admin/")
    page.locator("[name=username]").fill("admin")
    page.locator("[name=password]").fill(below.password("admin"))
    with page.expect_navigation():
        page.locator("main form [type=submit]").first.click()
    crawl = Crawl(site, "; ".join(f"{each['name']}={each['value']}" for each in context.cookies()))
    slugs = (WAVES, NETWORK, QUESTIONNAIRE)
    crawl.follow(
        *(f"{site}/{start}" for start in ("", "admin/", "api/v1/", "check/")),
        *(f"{site}/s/{slug}/" for slug in slugs),
        *(f"{site}/s/{slug}/results/" for slug in slugs),
        *(f"{site}/s/{slug}/results/results.json" for slug in slugs),
    )
    assert crawl.wrong == []
    assert len(crawl.asked) > 200


def test_scripts_are_checked_at_the_address_with_the_path(below: Below) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "candor", "scripts", "--at", below.sites["stripped"]],
        cwd=ROOT,
        env=below.stack.environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "DIFFERS" not in done.stdout
