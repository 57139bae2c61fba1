"""An author makes personal links, downloads them once, replaces and revokes them."""

import csv
import io
import logging

import pytest
from django.contrib.admin.models import LogEntry

from surveys.features.roster.links import claim, member_of
from surveys.features.roster.models import Member
from surveys.features.roster.reading import RosterRow
from surveys.models import Survey
from surveys.services.transitions import close_survey
from tests.app.author_posts import page, sign_in
from tests.app.kept import kept_once
from tests.app.visible_text import visible_text
from tests.builders import launched, make_user
from tests.rosters import ROWS, launched_network, links_of, network_survey, roster_rows

pytestmark = pytest.mark.django_db
EVIL = (
    RosterRow("e1", "=HYPERLINK(1)", "@x"),
    RosterRow("e2", "+1", "-y"),
    RosterRow("e3", "-1", "@x"),
)


kept = kept_once(lambda: launched_network(ROWS, slug="kept"))


@pytest.fixture
def survey(launch):
    return launch.survey


def make(client, survey, **headers):
    """Open the page that confirms, and press its button."""
    seen = client.get(page(survey, "links_make")).context["seen"]
    return client.post(page(survey, "links_make"), {"seen": seen}, headers=headers)


def table_of(answer, delimiter=",") -> list[list[str]]:
    text = answer.content.decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text), delimiter=delimiter))


def secret(address: str) -> str:
    return address.split("#")[1]


def of_place(survey: Survey, name: str, place: int) -> str:
    return page(survey, "links") + f"{place}/{name}/"


def test_links_are_downloaded_with_code_name_and_group(client, survey):
    text = visible_text(sign_in(client).get(page(survey, "links_make")).text)
    assert "4 members have not answered and get a link each." in text
    assert "only a keyed hash of each link is stored" in text
    assert "This site sends nothing." in text
    assert "void" not in text
    answer = make(client, survey)
    header, *rows = table_of(answer)
    assert header == ["code", "name", "group", "link"]
    assert [tuple(row[:3]) for row in rows] == list(ROWS)
    for code, _name, _group, address in rows:
        assert address.startswith(f"http://testserver/s/{survey.slug}/#")
        assert member_of(survey.pk, secret(address)).code == code
    assert "no-store" in answer["Cache-Control"]
    assert f'filename="{survey.slug}-personal-links.csv"' in answer["Content-Disposition"]
    assert answer.content.startswith(b"\xef\xbb\xbf")


def test_a_german_spreadsheet_gets_semicolons(client, survey):
    sign_in(client)
    client.cookies["django_language"] = "de"
    header, *_rows = table_of(make(client, survey), ";")
    assert header == ["Code", "Name", "Gruppe", "Link"]


def test_a_roster_without_groups_has_no_column_of_them(client):
    rows = [row._replace(group="") for row in ROWS]
    header, *_rows = table_of(make(sign_in(client), launched_network(rows).survey))
    assert header == ["code", "name", "link"]


def test_no_cell_of_the_download_is_a_formula(client):
    _header, *rows = table_of(make(sign_in(client), launched_network(EVIL).survey))
    assert rows[0][1:3] == ["'=HYPERLINK(1)", "'@x"]
    assert not any(cell.startswith(("=", "+", "-", "@")) for row in rows for cell in row)


def test_no_link_is_shown_again_logged_or_written_down(client, survey, caplog):
    with caplog.at_level(logging.DEBUG):
        links = [secret(row[-1]) for row in table_of(make(sign_in(client), survey))[1:]]
    kept = "".join(map(str, [*Member.objects.values(), *LogEntry.objects.values(), caplog.text]))
    kept += client.get(page(survey, "links")).text + client.get(page(survey, "links_make")).text
    assert len(links) == len(ROWS)
    assert not any(link in kept for link in links)
    assert LogEntry.objects.get().change_message == "Made 4 personal links."


def test_new_links_replace_those_of_who_has_not_answered(client, survey):
    old = links_of(survey)
    assert claim(member_of(survey.pk, old["b2"]))
    text = visible_text(sign_in(client).get(page(survey, "links_make")).text)
    assert "3 members have not answered" in text
    assert "3 links that you made before are void from then on" in text
    rows = table_of(make(client, survey))[1:]
    assert [row[0] for row in rows] == ["c3", "a1", "d4"]
    assert member_of(survey.pk, old["a1"]) is None
    assert member_of(survey.pk, old["b2"]).code == "b2"


def test_a_page_that_is_sent_again_leaves_the_links_of_the_first_time(client, survey):
    seen = sign_in(client).get(page(survey, "links_make")).context["seen"]
    first = table_of(client.post(page(survey, "links_make"), {"seen": seen}))
    again = client.post(page(survey, "links_make"), {"seen": seen}, follow=True)
    assert "The links have changed since this page was opened" in again.text
    assert member_of(survey.pk, secret(first[1][-1])) is not None
    assert client.post(page(survey, "links_make")).status_code == 302


def test_when_everybody_has_answered_there_is_nothing_to_make(client, survey):
    survey.members.update(answered=True)
    html = sign_in(client).get(page(survey, "links_make")).text
    assert "Everybody on the roster has answered" in html
    assert make(client, survey).status_code == 302
    assert not survey.members.exclude(link_hash="").exists()


def test_one_member_gets_a_new_link_that_is_shown_once(client, survey):
    old = links_of(survey)
    answer = sign_in(client).post(of_place(survey, "new", 1))
    link = secret(answer.context["made"]["link"])
    assert member_of(survey.pk, link).code == "a1"
    assert member_of(survey.pk, old["a1"]) is None
    assert member_of(survey.pk, old["b2"]).code == "b2"
    assert link in answer.text
    assert "it cannot be shown again" in visible_text(answer.text)
    assert "no-store" in answer["Cache-Control"]
    assert link not in client.get(page(survey, "links")).text


def test_who_has_answered_gets_no_other_link(client, survey):
    old = links_of(survey)
    claim(member_of(survey.pk, old["a1"]))
    answer = sign_in(client).post(of_place(survey, "new", 1), follow=True)
    assert "Member a1 has answered already" in answer.text
    assert member_of(survey.pk, old["a1"]) is not None


def test_a_link_is_revoked(client, survey):
    old = links_of(survey)
    answer = sign_in(client).post(of_place(survey, "revoke", 1), {"looked_for": "alves"})
    assert "The link of a1 is void." in answer.text
    assert member_of(survey.pk, old["a1"]) is None
    assert member_of(survey.pk, old["b2"]) is not None
    assert [member.code for member in answer.context["page"]] == ["a1"]
    assert "Ana" not in str(list(LogEntry.objects.values()))


def test_the_page_counts_and_does_not_tell_who_has_answered(client, survey):
    links = links_of(survey)
    claim(member_of(survey.pk, links["b2"]))
    html = sign_in(client).get(page(survey, "links")).text
    text = visible_text(html)
    assert "On the roster 4 Have a link 4 Have answered 1" in text
    members = text.split("Find by code, name or group")[1]
    assert members.count("has a link") == len(ROWS)
    assert "answered" not in members


@pytest.mark.parametrize(
    ("looked_for", "expected"),
    [
        ("ALVES", ["a1"]),
        ("çelik", ["c3"]),
        ("late", ["c3", "b2"]),
        ("b2", ["b2"]),
        ("bo late", ["b2"]),
        ("nobody", []),
        ("", ["c3", "a1", "b2", "d4"]),
    ],
)
def test_members_are_found_without_a_name_in_an_address(client, survey, looked_for, expected):
    answer = sign_in(client).post(page(survey, "links"), {"looked_for": looked_for})
    assert [member.code for member in answer.context["page"]] == expected
    assert answer.status_code == 200
    assert 'method="get"' not in answer.text


@pytest.mark.slow
def test_a_long_list_has_pages(client):
    survey = launched_network(roster_rows(115)).survey
    sign_in(client)
    for page_number, size in (("1", 20), ("6", 15), ("99", 15), ("x", 20)):
        answer = client.post(page(survey, "links"), {"looked_for": "", "page": page_number})
        assert len(answer.context["page"].object_list) == size
    assert "101 to 115 of 115" in client.post(page(survey, "links"), {"page": "6"}).text


def test_a_closed_survey_gets_no_new_links(client, survey):
    links = links_of(survey)
    close_survey(survey=survey, actor=None)
    assert "no new links are made" in sign_in(client).get(page(survey, "links")).text
    assert client.get(page(survey, "links_make")).status_code == 302
    client.post(of_place(survey, "new", 1))
    assert member_of(survey.pk, links["a1"]) is not None


def test_other_surveys_have_no_personal_links(client):
    draft, other = network_survey(ROWS), launched(slug="other").survey
    sign_in(client)
    for survey in (draft, other):
        answers = [
            client.get(page(survey, "links")),
            client.get(page(survey, "links_make")),
            client.post(page(survey, "links_make")),
            client.post(of_place(survey, "new", 1)),
            client.post(of_place(survey, "revoke", 1)),
        ]
        assert {answer.status_code for answer in answers} == {302}
    assert not Member.objects.exclude(link_hash="").exists()


def test_nobody_is_at_a_place_beyond_the_roster(client, survey):
    sign_in(client)
    assert client.post(of_place(survey, "new", 99)).status_code == 404
    assert client.post(of_place(survey, "revoke", 99)).status_code == 404


def test_links_change_by_post_only_and_for_nobody_else(client, survey):
    links = links_of(survey)
    before = list(survey.members.values())
    sign_in(client)
    assert client.get(of_place(survey, "new", 1)).status_code == 405
    assert client.get(of_place(survey, "revoke", 1)).status_code == 405
    for user in (make_user("colleague", author=True), make_user("reader")):
        sign_in(client, user)
        for address in (page(survey, "links"), page(survey, "links_make")):
            answer = client.get(address)
            assert answer.status_code in (302, 404)
            assert client.post(address, {"seen": "x"}).status_code in (302, 404)
        for name in ("new", "revoke"):
            assert client.post(of_place(survey, name, 1)).status_code in (302, 404)
    assert list(survey.members.values()) == before
    assert member_of(survey.pk, links["a1"]) is not None


def test_a_forged_request_is_refused(survey):
    from django.test import Client

    client = sign_in(Client(enforce_csrf_checks=True))
    for address in (page(survey, "links_make"), of_place(survey, "revoke", 1)):
        assert client.post(address, {"seen": "x"}).status_code == 403


# --- launch and share ----------------------------------------------------------------------------


@pytest.mark.slow
def test_the_launch_says_that_who_answered_is_known_and_asks_to_confirm_it(client):
    survey = network_survey(ROWS)
    answer = sign_in(client).get(page(survey, "launch"))
    text = visible_text(answer.text)
    assert "It will be known who answered" in text
    assert "4 people are on the roster" in text
    assert "Read the roster" in text
    assert "Only what they answer is protected" in text
    data = {"digest": answer.context["digest"]}
    refused = client.post(page(survey, "launch"), data)
    assert "Confirm that you tell everybody on the roster" in refused.text
    survey.refresh_from_db()
    assert survey.is_draft
    done = client.post(page(survey, "launch"), {**data, "understood": "on"})
    assert done.url == page(survey, "links")
    survey.refresh_from_db()
    assert survey.state == "open"


def test_other_launches_say_nothing_of_it(client):
    text = visible_text(sign_in(client).get(page(network_survey(mode="open"), "launch")).text)
    assert "It will be known who answered" not in text
    assert "Read the roster" not in text


def test_there_is_no_link_for_everybody_to_share(client, survey):
    text = visible_text(sign_in(client).get(page(survey, "share")).text)
    assert "There is no link for everybody" in text
    assert "On a page of your own" not in text
    assert "Results link" in text
    html = client.get(page(survey, "share")).text
    assert page(survey, "qr") not in html
    assert page(survey, "links") in html
    assert client.get(page(survey, "qr")).status_code == 404
