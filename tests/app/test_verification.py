"""The program that checks a survey's page holds it for what it is, and finds every change to it."""

import json
import re
from base64 import b64encode
from hashlib import sha256

import pytest
import rfc8785
from candor.errors import CandorError
from candor.verification import read_key, verify

from config.releases import VERSION
from surveys.services.transitions import close_survey
from tests import arms, filtered, rosters, tiers, waves
from tests.app.verified import SITE, Site, as_in_production, own_list
from tests.builders import launched
from tests.client.signing import Signer

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
SIGNER, OTHER = Signer(), Signer(number=b"another.")
QUESTIONS = [
    {},
    {"kind": "single_choice", "options": ["a", "b", "c"]},
    {"kind": "multiple_choice", "options": ["a", "b"], "design": "per_option"},
    {"randomized": False, "required": False},
]
SCRIPT = "/static/js/groups/en/page.js"


@pytest.fixture(autouse=True)
def production(monkeypatch):
    with as_in_production(monkeypatch):
        yield


@pytest.fixture
def site():
    listed = own_list()
    return Site(listed, SIGNER.signature(listed))


@pytest.fixture
def launch():
    return launched(slug="health", linkage="together", budget="9", questions=QUESTIONS)


def checked(site, slug, **options):
    site.page = f"/s/{slug}/"
    keys = options.pop("keys", [read_key(SIGNER.public)])
    return verify(f"{SITE}{site.page}", source=site, keys=keys, **options)


def states(report, state):
    return {each.about: each.words for each in report.findings.all if each.state == state}


def test_a_page_as_it_is_holds_in_every_respect(site, launch):
    report = checked(site, "health")
    assert report.verdict == "right", report.findings.all
    assert (report.release, report.digest) == (VERSION, launch.digest)
    assert set(states(report, "right")) >= {
        "connection", "policy", "headers", "cookies", "page", "responses", "files", "release",
        "signature", "fingerprint", "digest", "shown digest", "epsilon", "budget", "direct",
        "words", "parameters",
    }  # fmt: skip


SORTS = {
    "waves": lambda: waves.next_wave(
        waves.coded_launch(questions=[{}, {"epsilon": "0.5"}]), q2="0.8"
    ),
    "tiers": tiers.tiered,
    "arms": arms.arms_launch,
    "filters": lambda: launched(**filtered.SURVEY),
    "roster": rosters.launched_network,
    "german": lambda: launched(language="de", budget="9", questions=QUESTIONS),
    "strong": lambda: launched(
        budget="16", questions=[{"epsilon": "6", "epsilon_reason": "A test."}] * 2
    ),
    "by hand": lambda: launched(questions=[{"physical_device": "two_dice"}]),
}


@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.slow
def test_it_holds_for_every_sort_of_survey(site, sort):
    survey = SORTS[sort]().survey
    report = checked(site, survey.slug)
    assert report.verdict == "right", [x for x in report.findings.all if x.state != "right"]


def test_nobody_known_has_signed(site, launch):
    report = checked(site, "health", keys=[])
    assert report.verdict == "unknown"
    assert "which this program does not know" in states(report, "unknown")["signature"]
    site.signature = ""
    report = checked(site, "health")
    assert "anybody made it" in states(report, "unknown")["signature"]


def test_a_list_that_one_has_goes_before_that_of_the_site(site, launch, tmp_path):
    path = tmp_path / "list.json"
    path.write_bytes(site.listed)
    path.with_name("list.json.minisig").write_text(SIGNER.signature(site.listed))
    site.listed, site.signature = b"{}", ""
    assert checked(site, "health", listed=path).verdict == "right"


def test_a_site_with_changes_says_so_and_is_not_taken_for_a_release(site, launch, monkeypatch):
    monkeypatch.setattr("surveys.views.releases.published", dict)
    report = checked(site, "health")
    assert report.release == f"{VERSION}+changes"
    assert report.verdict == "unknown"
    assert "with changes of its own" in states(report, "unknown")["release"]


def test_what_is_no_page_is_not_checked(site):
    with pytest.raises(CandorError, match="answers 404"):
        checked(site, "none")
    survey = launched(slug="over").survey
    close_survey(survey=survey, actor=None)
    with pytest.raises(CandorError, match="is no form that scrambles"):
        checked(site, "over")


# --- changes --------------------------------------------------------------------------------------


def swap(old, new, count=1):
    def change(content):
        assert re.search(old.encode(), content, re.S), old
        return re.sub(old.encode(), new.encode(), content, count=count, flags=re.S)

    return change


def forged(content):
    """More is revealed than declared, and all digests are made to fit."""
    found = re.search(rb'(<script id="parameters"[^>]*>)(.*?)(</script>)', content, re.S)
    document = json.loads(found[2])
    table = document["devices"][0]["table"]
    table["kept"], table["other"] = table["kept"] + 2**20, table["other"] - 2**20
    covered = {key: document[key] for key in document if key not in ("digest", "translations")}
    old, new = document["digest"], "sha256:" + sha256(rfc8785.dumps(covered)).hexdigest()
    document["digest"] = new
    content = content.replace(found[2], json.dumps(document).encode())
    return content.replace(old.encode(), new.encode()).replace(
        old[7:19].encode(), new[7:19].encode()
    )


def altered(content):
    return content + b"// one more line\n"


def named_anew(content):
    """The page names the hash of the altered script."""
    found = re.search(rb'page\.js" integrity="(sha256-[^"]+)"', content)
    return content.replace(found[1], b"sha256-" + b64encode(sha256(NEW_SCRIPT).digest()))


NEW_SCRIPT = b"export const altered = true;\n"
MAIN = '<main class="page page--column" id="main">'
PAGE_CHANGES = {
    "an integer": (swap(r'"kept":(\d)', r'"kept":9\1'), "parameters", "sums to the denominator"),
    "a forged table": (forged, "parameters", "the table keeps its epsilon"),
    "a forged table, computed": (forged, "epsilon", "more than the declared"),
    "an inline script": (swap(MAIN, MAIN + "<script>go()</script>"), "page", "in no list"),
    "an inline handler": (swap("<main ", "<main onclick='go()' "), "page", "<main onclick>"),
    "an address with a script": (
        swap(MAIN, MAIN + '<a href="java&#10;script:go()">x</a>'),
        "page",
        "<a href> holds a script",
    ),
    "a hidden script": (swap(MAIN, MAIN + "<!-- <script src=/x.js> -->"), "page", "not each is"),
    "a frame": (swap(MAIN, MAIN + '<iframe src="/x/"></iframe>'), "page", "element <iframe>"),
    "a picture elsewhere": (
        swap(MAIN, MAIN + '<img src="https://other.example/p.png">'),
        "page",
        "leads to https://other.example",
    ),
    "a link elsewhere": (
        swap(MAIN, MAIN + '<link rel="stylesheet" href="//other.example/a.css">'),
        "page",
        "loads http://other.example",
    ),
    "a form elsewhere": (
        swap(MAIN, MAIN + '<form action="https://other.example/"></form>'),
        "page",
        "<form action> leads to",
    ),
    "a style attribute": (swap("<main ", "<main style='opacity:0' "), "page", "what is seen"),
    "another script": (
        swap("<script type", r'<script src="/static/js/pages/times.js"></script><script type'),
        "files",
        "names no hash",
    ),
    "the shown digest": (
        swap(r"(<span class=\"mono\">sha256:)....", r"\g<1>0000"),
        "shown digest",
        "another digest",
    ),
    "the budget in words": (swap(r"(a privacy budget \(epsilon\) of )\d", r"\g<1>1"), "words", "c"),
    "the guess in words": (swap(r"(at most )\d\d( times)", r"\g<1>51\2"), "words", "computed: [50"),
    "the fingerprint": (
        swap(r"(Scripts <code>)....", r"\g<1>0000"),
        "fingerprint",
        "another fingerprint",
    ),
    "no release": (swap('content="Candor [^"]*"', 'content=""'), "release", "does not say"),
    "another release": (swap("Candor 0", "Candor 9", 0), "release", "the list is of"),
    "where answers go": (
        swap('data-responses="', 'data-responses="https://other.example'),
        "responses",
        "and not to",
    ),
}


@pytest.mark.parametrize("name", PAGE_CHANGES)
@pytest.mark.slow
def test_a_change_to_the_page_is_found_and_named(site, launch, name):
    change, about, words = PAGE_CHANGES[name]
    site.changes["/s/health/"] = change
    report = checked(site, "health")
    assert report.verdict == "wrong"
    assert [x for x in report.findings.all if x.about == about and words in x.words], [
        x for x in report.findings.all if x.state == "wrong"
    ]


HEADERS = {
    "inline scripts": ({"content-security-policy": "script-src 'self' 'unsafe-inline'"}, "policy"),
    "no policy": ({"content-security-policy": None}, "policy"),
    "reports": (
        {"reporting-endpoints": 'default="https://other.example/"'},
        "headers",
    ),
    "a preloaded file": ({"link": "<https://other.example/a.css>; rel=stylesheet"}, "headers"),
    "the referrer": ({"referrer-policy": "unsafe-url"}, "headers"),
    "another alphabet": ({"content-type": "text/html; charset=utf-7"}, "headers"),
    "a cookie": ({"set-cookie": "id=1"}, "cookies"),
}


@pytest.mark.parametrize("name", HEADERS)
def test_a_header_that_allows_more_is_found(site, launch, name):
    site.headers, about = HEADERS[name]
    report = checked(site, "health")
    assert about in states(report, "wrong")


def test_a_changed_script_is_found(site, launch):
    site.changes[SCRIPT] = altered
    report = checked(site, "health")
    assert set(states(report, "wrong")) == {"files", "release"}
    assert "has not the hash" in states(report, "wrong")["files"]


def test_a_changed_script_is_found_where_the_page_names_its_hash(site, launch):
    site.changes |= {SCRIPT: lambda _content: NEW_SCRIPT, "/s/health/": named_anew}
    report = checked(site, "health")
    assert set(states(report, "wrong")) == {"release"}
    assert "page.js is not the file of release" in states(report, "wrong")["release"]


def test_a_file_under_the_name_of_another_group_is_found(site, launch):
    site.changes["/s/health/"] = swap('data-group="chance"', 'data-group="end"')
    words = states(checked(site, "health"), "wrong")["release"]
    assert "chance.js is not the file of release" in words


def test_a_changed_style_sheet_is_found(site, launch):
    site.changes["/respond.css"] = altered
    assert "respond.css is not the file" in states(checked(site, "health"), "wrong")["release"]


def test_other_parameters_for_programs_are_found(site, launch):
    site.changes["/parameters.json"] = swap('"version": ?1', '"version":2')
    assert "other parameters" in states(checked(site, "health"), "wrong")["parameters"]


@pytest.mark.parametrize(
    ("listed", "signature", "about", "words"),
    [
        (own_list, lambda _: OTHER.signature(own_list()), "signature", "made with the key"),
        (own_list, lambda _: SIGNER.signature(b"another list"), "signature", "has not signed"),
        (own_list, lambda _: "no signature", "signature", "no signature of minisign"),
        (lambda: own_list("9.9.9"), SIGNER.signature, "release", "the list is of 9.9.9"),
    ],
)
def test_a_list_that_is_not_the_releases_is_found(launch, listed, signature, about, words):
    content = listed()
    report = checked(Site(content, signature(content)), "health")
    assert words in states(report, "wrong")[about]


def test_an_earlier_wave_that_does_not_fit_is_found(site):
    survey = SORTS["waves"]().survey
    site.changes["/waves/1/parameters.json"] = swap('"title": ?"', '"title":"Other ')
    report = checked(site, survey.slug)
    assert "do not fit each other" in states(report, "wrong")["waves"]


# --- what a browser has recorded ------------------------------------------------------------------


def recording(site, slug, *, also=(), sent=None):
    site.page = f"/s/{slug}/"
    page = site.get(f"{SITE}{site.page}")
    addresses = re.findall(rb'(?:href|src)="(/static/[^"]+)"', page.content)
    answers = [page, *(site.get(SITE + each.decode()) for each in addresses)]
    entries = [
        {
            "request": {"method": "GET", "url": each.url},
            "response": {
                "status": each.status,
                "headers": [{"name": name, "value": value} for name, value in each.headers],
                "content": {"text": each.content.decode()},
            },
        }
        for each in answers
    ]
    nothing = {"status": 201, "headers": [], "content": {}}
    entries += [{"request": {"method": "GET", "url": x}, "response": nothing} for x in also]
    if sent:
        request = {"method": "POST", "url": f"{SITE}{site.page}responses/"}
        entries.append({"request": request | {"postData": {"text": sent}}, "response": nothing})
    return {"log": {"entries": entries}}


def test_what_a_browser_has_received_is_checked(site, launch, tmp_path):
    path = tmp_path / "page.har"
    path.write_text(json.dumps(recording(site, "health", sent=f'{{"digest": "{launch.digest}"}}')))
    # The site shows a program what it should; the recording is what counts.
    site.changes["/s/health/"] = PAGE_CHANGES["an inline script"][0]
    report = checked(site, "health", har=path)
    assert report.verdict == "right", report.findings.all
    assert "in the recording" in states(report, "right")["files"]
    other = recording(Site(), "health", also=["https://other.example/p"], sent='{"digest": "x"}')
    path.write_text(json.dumps(other))
    report = checked(site, "health", har=path)
    problems = [x.words for x in report.findings.all if x.state == "wrong"]
    assert len(problems) == 2
    assert "also asked https://other.example" in problems[0]
    assert "another digest" in problems[1]


def test_what_is_no_recording_is_refused(site, tmp_path):
    (tmp_path / "page.har").write_text("{}")
    with pytest.raises(CandorError, match="no recording of a browser"):
        checked(site, "health", har=tmp_path / "page.har")
