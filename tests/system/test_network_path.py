"""A network from its roster to its results: 60 people, one of them in a browser, 57 over HTTP.

The author does everything in the browser: the roster, the questions, the launch, the links, the
closing and the names. What comes out is computed again by the programs of the guide for
researchers, which know the downloaded files and rr_engine only.
"""

import csv
import io
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from candor import respondent as client
from playwright.sync_api import BrowserContext, Page, expect

import rr_engine
from tests.app.test_docs import DOCS, ROOT, fenced_block
from tests.browser.author import step
from tests.browser.respondent import arrive, choose, press, receipt, spin, to_questions
from tests.system.author import add_question, begin_draft, sign_in, slug_of
from tests.system.stack import Stack, plain_environment, wait_for

pytestmark = [pytest.mark.system, pytest.mark.browser]

TITLE = "Mistakes on the ward"
TEAMS = ("Early shift", "Late shift", "Night shift")
MEMBERS = [
    (f"m{number:02}", f"Person No. {number}", TEAMS[(number - 1) % 3]) for number in range(1, 61)
]
CODES = [code for code, _name, _team in MEMBERS]
NAMES = {code: name for code, name, _team in MEMBERS}
# The members who answer in the browser, who do not answer at all, and whose link of these is
# revoked.
IN_BROWSER, SILENT, REVOKED = "m01", ("m59", "m60"), "m60"
ROSTER = "code,name,group\n" + "".join(",".join(row) + "\n" for row in MEMBERS)
PHONE = {"width": 360, "height": 740}
ANSWERED = [code for code in CODES if code not in SILENT]
FILES = ("parameters.json", "results.json", "reports.csv", "reports.codebook.json", "estimates.csv")


def planted() -> tuple[np.ndarray, np.ndarray]:
    """Plant who is tied to whom, more often in a team than between two, and who says yes."""
    chance = np.random.default_rng(14)
    teams = np.array([team for _code, _name, team in MEMBERS])
    likely = np.where(teams[:, np.newaxis] == teams, 0.3, 0.04)
    upper = np.triu(chance.random(likely.shape) < likely, 1)
    return upper | upper.T, chance.random(len(MEMBERS)) < 0.4


def named(ties: np.ndarray, code: str) -> list[str]:
    """The codes of those to whom a member is tied."""
    return [other for other, tied in zip(CODES, ties[CODES.index(code)], strict=True) if tied]


# --- the author ---------------------------------------------------------------------------------


def compose(page: Page, stack: Stack) -> None:
    # A margin of 25 points and more, which a launch asks about.
    planned = {"planned_n": "60", "precision_reason": "Nobody else is on this ward."}
    settings = {"linkage": "together", **planned, "release_threshold": "20"}
    begin_draft(page, stack, TITLE, **settings, results_public=True)
    step(page, "Settings")
    page.locator("[name=mode][value=personal]").check()
    page.locator("[name=population][value=fixed]").check()
    step(page, "Questions")
    shared = "With whom of these have you covered up a mistake?"
    first = add_question(page, shared, "Ties: which of the other members", epsilon="2")
    first.get_by_role("radio", name=re.compile("^Both ways")).check()
    own = "Have you covered up a mistake of your own?"
    add_question(page, own, epsilon="1", prefer_not=False)


def upload(page: Page) -> None:
    page.get_by_role("link", name="Roster", exact=True).first.click()
    page.locator("[name=file]").set_input_files(
        {"name": "ward.csv", "mimeType": "text/csv", "buffer": ROSTER.encode()}
    )
    press(page, "Take this roster")
    press(page, "Store this roster")
    expect(page.locator(".messagelist .success")).to_contain_text("The roster has 60 members now.")


def launch(page: Page) -> None:
    """Only after the author has confirmed that it will be known who answered."""
    step(page, "Check and launch")
    expect(page.get_by_role("heading", name="It will be known who answered")).to_be_visible()
    press(page, "Launch and freeze")
    expect(page.locator("main")).to_contain_text("Confirm that you tell everybody on the roster")
    page.get_by_role("checkbox").check()
    press(page, "Launch and freeze")


def downloaded_links(page: Page) -> dict[str, str]:
    """The links by code, from the one table that is ever made of them."""
    page.get_by_role("link", name="Personal links", exact=True).first.click()
    page.get_by_role("link", name="Make personal links").click()
    with page.expect_download() as download:
        press(page, "Make the links and download them")
    text = Path(download.value.path()).read_text("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [(row["code"], row["name"], row["group"]) for row in rows] == MEMBERS
    return {row["code"]: row["link"] for row in rows}


def revoke(page: Page, code: str) -> None:
    page.get_by_label("Find by code, name or group").fill(code)
    press(page, "Find")
    press(page, f"Revoke the link of {code}")
    expect(page.locator(".messagelist .success")).to_contain_text(f"The link of {code} is void.")


def close(page: Page) -> None:
    page.get_by_role("link", name="Close", exact=True).click()
    press(page, "Close the survey")
    expect(page.locator(".messagelist .success")).to_be_visible()


def delete_names(page: Page) -> None:
    page.get_by_role("link", name="Roster", exact=True).first.click()
    page.get_by_role("link", name="Delete the names").click()
    press(page, "Delete the names for good")
    expect(page.locator(".messagelist .success")).to_contain_text("The names are deleted.")


# --- the members --------------------------------------------------------------------------------


def answer_on_a_phone(context: BrowserContext, link: str, ties: list[str], says_yes: bool) -> None:
    page = arrive(context.new_page(), link)
    expect(page.locator("#person")).to_contain_text(NAMES[IN_BROWSER])
    to_questions(page)
    for code in ties:
        page.get_by_label("Find a name").fill(NAMES[code].split()[-1])
        page.locator(".roster").get_by_role("checkbox", name=NAMES[code], exact=True).check()
    expect(page.locator(".roster__count")).to_contain_text(f"{len(ties)} names ticked")
    press(page, "Scramble")
    expect(page.locator(".result__code")).to_contain_text(" of 59 names as ticked")
    press(page, "Next")
    choose(page, "Yes" if says_yes else "No")
    spin(page)
    press(page, "Send")
    assert receipt(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def answer_over_http(stack: Stack, document: dict[str, Any], links: dict[str, str]) -> None:
    ties, yes = planted()
    chance = np.random.default_rng(84)
    for code, link in links.items():
        truth = client.ties_of(document["roster"], code, named(ties, code))
        answers = {"q1": truth, "q2": int(yes[CODES.index(code)])}
        body = client.respond(document, answers, random_bytes=chance.bytes, link=link)
        reply = client.send(stack.url, document["survey"], body)
        # 200 if it was sent twice, because nothing had been heard of the first time.
        assert reply.status in (200, 201), reply.body


def refused(stack: Stack, document: dict[str, Any], link: str) -> tuple[int, list[Any]]:
    body = client.respond(document, {"q1": [0] * 59, "q2": 0}, link=link)
    reply = client.send(stack.url, document["survey"], body)
    return reply.status, reply.codes


# --- the results --------------------------------------------------------------------------------


def files_of(page: Page, address: str) -> dict[str, str]:
    """The downloads as the author gets them, by name."""
    texts = {}
    for name in FILES:
        reply = page.request.get(f"{address}results/{name}")
        assert reply.ok, (name, reply.status)
        texts[name] = reply.text()
    return texts


def assert_near_the_truth(questions: list[dict[str, Any]]) -> None:
    """Chance in the browser has no seed: of all reports that it can have sent, the worst is 3.4
    standard errors off with those that the others sent, which have one.
    """
    ties, yes = planted()
    answered = [code not in SILENT for code in CODES]
    planted_reports = rr_engine.networks.NetworkReports.from_matrix(ties, answered)
    truth = rr_engine.networks.estimate_network(
        planted_reports, rr_engine.designs.direct(2), directed=False
    )
    found = {row["name"]: row for row in questions[0]["network"]["statistics"]}
    for name in ("ties", "density", "mean_degree", "two_paths", "triangles", "clustering"):
        far = abs(found[name]["estimate"] - getattr(truth, name).value)
        assert far < 4 * found[name]["standard_error"], name
    share = questions[1]["categories"][1]
    assert abs(share["estimate"] - yes[answered].mean()) < 4 * share["standard_error"]


def assert_computed_again(files: dict[str, str], folder: Path) -> None:
    """Every number of the results, from the reports and the parameters alone."""
    paths = [folder / name for name in ("parameters.json", "reports.csv")]
    for path in paths:
        path.write_text(files[path.name], encoding="utf-8", newline="")
    results = json.loads(files["results.json"])
    rows = list(csv.DictReader(io.StringIO(files["reports.csv"])))
    assert [row["member"] for row in sorted(rows, key=lambda row: row["member"])] == ANSWERED
    assert results["responses"] == len(rows)
    ties, yes_no = results["questions"]
    assert ties["n"] == yes_no["n"] == len(rows)
    assert_network(ties["network"], computed_by(["-c", guide_program("networks"), *paths]))
    assert_two_answers(yes_no, paths)
    # The other two files say the same.
    columns = [column["name"] for column in json.loads(files["reports.codebook.json"])["columns"]]
    assert columns == ["member", *(f"q1.{code}" for code in CODES), "q2"] == list(rows[0])
    told = {row["answer"]: row for row in csv.DictReader(io.StringIO(files["estimates.csv"]))}
    for row in ties["network"]["statistics"]:
        assert float(told[row["name"]]["estimate"]) == row["estimate"]
        assert float(told[row["name"]]["standard_error"]) == row["standard_error"]


def assert_network(network: dict[str, Any], again: dict[str, Any]) -> None:
    """By the guide's program; `mixing` and the pairs are what the roster and the rows say."""
    for name in ("privacy", "statistics", "degrees", "reconstruction"):
        assert again[name] == network[name], name
    assert again["mixing"] == network["mixing"]["cells"]
    groups = [{"label": team, "members": 20, "shown": True} for team in TEAMS]
    assert network["mixing"]["groups"] == groups
    counts = {name: network[name] for name in ("members", "reporters", "missing")}
    assert counts == {"members": 60, "reporters": 58, "missing": 2}
    # One pair is of two who have not answered.
    assert (network["pairs"], network["asked_pairs"]) == (60 * 59 // 2, 60 * 59 // 2 - 1)


def assert_two_answers(question: dict[str, Any], paths: list[Path]) -> None:
    """By the guide's program, and what it leaves out by one of our own."""
    of_guide = computed_by(["-c", guide_program("recompute"), *paths])
    assert question["n"] == of_guide.pop("n")
    again = computed_by([Path(__file__).with_name("two_answers.py"), *paths, question["id"]])
    assert question["devices"][0]["counts"] == again.pop("counts")
    assert question["effective_n"] == again.pop("effective_n")
    assert question["entropy"] == {"notes": [], **again.pop("entropy")}
    for name, values in (of_guide | again).items():
        if name != "id":
            assert values == [row[name] for row in question["categories"]], name


def guide_program(name: str) -> str:
    return fenced_block(DOCS / "guide" / "researchers.md", f"python {name}")


def computed_by(arguments: list[Any]) -> dict[str, Any]:
    """The one line that a program prints.

    Like the stack it knows nothing of the tests' variables: those for the libraries under NumPy
    change last digits.
    """
    environment = plain_environment(PYTHONPATH=str(ROOT))
    command = [sys.executable, *map(str, arguments)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    (line,) = done.stdout.splitlines()
    return json.loads(line)


def assert_nobody_is_named(page: Page, address: str, files: dict[str, str]) -> None:
    page.goto(f"{address}results/")
    expect(page.locator(".drawer").first).to_contain_text("Clustering coefficient")
    said = [
        *files.values(),
        page.content(),
        page.request.get(f"{address}results/summary.html").text(),
    ]
    for text in said:
        assert not [name for name in NAMES.values() if name in text]
    for name in ("results.json", "estimates.csv"):
        assert not [code for code in CODES if code in files[name]]


@pytest.mark.parametrize("stack", ["postgresql"], indirect=True)
def test_a_network_from_the_roster_to_the_results(
    stack: Stack, new_context: Any, tmp_path: Path
) -> None:
    author = new_context().new_page()
    sign_in(author, stack, "nadia")
    compose(author, stack)
    draft = author.url
    upload(author)
    author.goto(draft)
    launch(author)
    links = downloaded_links(author)
    author.goto(draft)
    author.get_by_role("link", name="Personal links", exact=True).first.click()
    revoke(author, REVOKED)

    address = links[IN_BROWSER].partition("#")[0]
    secrets = {code: link.partition("#")[2] for code, link in links.items()}
    slug = slug_of(address)
    document = client.check(client.fetch(stack.url, slug).body)
    assert document["roster"]["codes"] == CODES
    ties, yes = planted()
    phone = new_context(viewport=PHONE, reduced_motion="reduce")
    answer_on_a_phone(phone, links[IN_BROWSER], named(ties, IN_BROWSER), yes[0])
    over_http = {code: secrets[code] for code in CODES if code in ANSWERED[1:]}
    answer_over_http(stack, document, over_http)
    assert refused(stack, document, secrets[REVOKED]) == (404, [("", "unknown_link")])
    assert refused(stack, document, secrets["m02"]) == (409, [("", "already_answered")])
    wait_for(lambda: stack.in_results(slug) == 58)

    files = files_of(author, address)
    assert_near_the_truth(json.loads(files["results.json"])["questions"])
    assert_computed_again(files, tmp_path)
    assert_nobody_is_named(new_context().new_page(), address, files)
    author.goto(draft)
    close(author)
    delete_names(author)
    assert files_of(author, address) == files
    assert client.person(stack.url, slug, secrets["m59"]).body["names"] is None
