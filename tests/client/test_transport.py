"""The client where the site or the way to it fails: repeated, done once, and nothing half stored.

The faults are those of a server of its own, which no real site would make when it is asked to.
"""

import json

import pytest
from candor import Candor, CandorError, SiteError, UnreachableError
from candor import transport as transport_module

from tests.client.serving import TOKEN, problem, said, serving

STATUS = {
    "state": "open",
    "released": True,
    "responses": 40,
    "threshold": 10,
    "batch": 10,
    "revision": "a",
    "computed_at": "2026-11-29T05:00:00Z",
    "of_a_later_version": 1,
}
FILES = {"items": [{"name": "reports.csv", "address": "/api/v1/surveys/1/rows/reports.csv"}]}


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """No test waits: pauses are counted instead."""
    pauses = []
    monkeypatch.setattr(transport_module.time, "sleep", pauses.append)
    return pauses


def test_what_a_later_site_adds_is_passed_over():
    with serving(said(STATUS)) as (site, server):
        assert site.status(1).responses == 40
    ((method, path, headers, _),) = server.asked
    assert (method, path) == ("GET", "/api/v1/surveys/1/status")
    assert headers["Authorization"] == f"Bearer {TOKEN}"


def test_a_lost_answer_is_asked_for_again_under_the_same_key(patience):
    survey = {"id": 1, "address": "a", "link": "l", "title": "t", "language": "en"}
    survey |= {"state": "closed", "mode": "open", "role": "owner"}
    busy = (503, {"Retry-After": "7"}, b"")
    with serving((0, {}, b""), busy, said(survey)) as (site, server):
        assert site.shut(1).state == "closed"
    keys = {headers["Idempotency-Key"] for _, _, headers, _ in server.asked}
    assert len(server.asked) == 3
    assert len(keys) == 1
    assert patience == [0.5, 7.0]


def test_a_site_that_never_answers_is_given_up():
    with serving(*[(0, {}, b"")] * 5) as (site, server):
        with pytest.raises(UnreachableError, match="does not answer"):
            site.token()
        assert len(server.asked) == 5


def test_a_refusal_names_field_value_and_rule():
    errors = [{"field": "questions[0].kind", "value": "guess", "rule": "one of: yes_no"}]
    refusing = serving(problem(422, "bad_definition", errors=errors))
    with refusing as (site, _), pytest.raises(SiteError) as caught:
        site.create({"title": "x"})
    assert (caught.value.status, caught.value.code) == (422, "bad_definition")
    assert "questions[0].kind (guess): one of: yes_no" in str(caught.value)


@pytest.mark.parametrize(
    "answer",
    [
        (302, {"Location": "https://elsewhere.example/"}, b""),
        (200, {"Content-Type": "text/html"}, b"<h1>Welcome</h1>"),
        (404, {"Content-Type": "text/html"}, b"not here"),
    ],
)
def test_who_answers_otherwise_is_no_candor_site_and_gets_no_token(answer):
    with serving(answer) as (site, server):
        with pytest.raises(UnreachableError, match="not as a Candor site"):
            site.token()
        assert len(server.asked) == 1


@pytest.mark.parametrize("url", ["http://survey.example.org", "ftp://x", "survey.example.org", ""])
def test_a_token_is_sent_encrypted_or_not_at_all(url):
    with pytest.raises(CandorError, match="url"):
        Candor(url, TOKEN)


def test_a_file_is_waited_for_and_stored_under_the_name_that_it_has(tmp_path):
    waiting = (202, {}, json.dumps({"name": "x", "state": "running", "progress": 0.4}).encode())
    named = {"Content-Disposition": 'attachment; filename="health-reports.csv"'}
    shares = []
    with serving(said(FILES), waiting, (200, named, b"a,b\r\n")) as (site, _):
        stored = site.export(1, "reports.csv", tmp_path, progress=shares.append)
    assert stored.path == tmp_path / "health-reports.csv"
    assert stored.path.read_bytes() == b"a,b\r\n"
    assert shares == [0.4]


@pytest.mark.parametrize("first", [200, 304])
def test_a_file_is_not_of_an_earlier_release_than_there_was(tmp_path, first):
    """Once: a survey may have a release every few seconds."""
    named = {"Content-Disposition": 'attachment; filename="reports.csv"'}
    earlier = (first, named | {"Candor-Newest-Responses": "50"}, b"30" if first == 200 else b"")
    waiting = (202, {}, json.dumps({"name": "x", "state": "running", "progress": 0.4}).encode())
    overtaken = (200, named | {"Candor-Newest-Responses": "70"}, b"60")
    with serving(said(FILES), earlier, waiting, overtaken) as (site, server):
        stored = site.export(1, "reports.csv", tmp_path, tag='"one"')
    assert stored.path.read_bytes() == b"60"
    paths = [path.rpartition("/")[2] for _, path, *_ in server.asked]
    assert paths == ["files", "reports.csv", *["reports.csv?at_least=50"] * 2]


@pytest.mark.parametrize("name", ["../evil", "..", ".bashrc", "a/b"])
def test_a_name_leads_into_no_other_folder(tmp_path, name):
    named = {"Content-Disposition": f'attachment; filename="{name}"'}
    sending = serving(said(FILES), (200, named, b"x"))
    with sending as (site, _), pytest.raises(CandorError, match="called"):
        site.export(1, "reports.csv", tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_left_of_a_download_that_breaks_off(tmp_path):
    old = tmp_path / "reports.csv"
    old.write_text("what was there")
    cut = (200, {"Content-Length": "1000"}, b"half of it")
    with serving(said(FILES), cut) as (site, _), pytest.raises(UnreachableError):
        site.export(1, "reports.csv", old)
    assert [path.name for path in tmp_path.iterdir()] == ["reports.csv"]
    assert old.read_text() == "what was there"


def test_lists_are_read_to_their_end():
    survey = {"address": "a", "link": "l", "title": "t", "language": "en", "state": "draft"}
    survey |= {"mode": "open", "role": "owner"}
    first = {"items": [{**survey, "id": 2}], "next": "/api/v1/surveys?limit=1&before=2"}
    second = {"items": [{**survey, "id": 1}], "next": None}
    with serving(said(first), said(second)) as (site, server):
        assert [each.id for each in site.surveys(state="draft")] == [2, 1]
    assert [path for _, path, _, _ in server.asked] == [
        "/api/v1/surveys?state=draft",
        "/api/v1/surveys?limit=1&before=2",
    ]
