"""An author uploads, replaces and removes a roster, and deletes its names in the end."""

import pytest
from django.contrib.admin.models import LogEntry
from django.core.files.uploadedfile import SimpleUploadedFile

from surveys.authoring.checks.survey import lint_survey
from surveys.features.roster.changes import replace_roster
from surveys.features.roster.reading import read_roster
from surveys.models import Survey
from surveys.services.transitions import close_survey
from tests.app.author_posts import page, post_table, sign_in
from tests.app.visible_text import visible_text
from tests.builders import make_survey, make_user
from tests.rosters import ROWS, TIES, launched_network, network_survey

pytestmark = pytest.mark.django_db
TABLE = "code,name,group\na1,Ana Alves,Early\nb2,Bo Berg,Late\nc3,Cem Çelik,Early\n"
STATE_PAGES = ["roster", "roster_remove", "roster_template", "roster_names"]


@pytest.fixture
def draft():
    return make_survey(mode="personal", linkage="together")


def upload(text: str, name: str = "roster.csv") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, text.encode(), "text/csv")


def codes(survey: Survey) -> list[str]:
    return list(survey.members.values_list("code", flat=True))


@pytest.mark.parametrize("data", [{"file": upload(TABLE)}, {"rows": TABLE}], ids=["file", "typed"])
def test_a_roster_is_stored_and_shown(client, draft, data):
    answer = post_table(sign_in(client), page(draft, "roster"), data, follow=True)
    text = visible_text(answer.text)
    assert "The roster has 3 members now." in text
    assert "2 groups: Early, Late" in text
    assert "3 c3 Cem Çelik Early" in text
    assert codes(draft) == ["a1", "b2", "c3"]
    assert LogEntry.objects.get().change_message == "The roster has 3 members now."


def test_another_roster_replaces_the_first_and_the_page_says_so_before(client, draft):
    replace_roster(survey=draft, rows=ROWS)
    assert "Replace all 4 members" in sign_in(client).get(page(draft, "roster")).text
    post_table(client, page(draft, "roster"), {"file": upload(TABLE)})
    assert codes(draft) == ["a1", "b2", "c3"]


BAD = {
    "nothing": ({}, "There is no roster yet: choose a file, or type the rows."),
    "two": ({"file": upload(TABLE), "rows": TABLE}, "There are two rosters"),
    "one bad row": ({"rows": f"{TABLE}d 4,Dee,Late"}, "Row 5, code “d 4”: only letters"),
    "ten thousand rows": (
        {"rows": "code,name\n" + "\n".join(f"a{number},Ana" for number in range(10_000))},
        "A roster has up to 1,000 members; this one has more.",
    ),
    "a roster of one": (
        {"file": upload("code,name\na1,Ana Alves\n")},
        "A roster has at least 3 members; this one has 1.",
    ),
    "the same code twice": (
        {"file": upload(f"{TABLE}A1,Dee Dunn,Late\n")},
        "Row 5, code “A1”: the same as in row 2; capital letters make no difference.",
    ),
    "an empty file": ({"file": upload("")}, "The submitted file is empty."),
    "a spreadsheet": ({"file": upload("PK\x03\x04", "roster.xlsx")}, "This is no CSV file."),
    "a large file": ({"file": upload(TABLE + "x" * 1_000_001)}, "more than 1,000,000 bytes"),
    "a character of nothing": ({"rows": "code\x00"}, "Null characters are not allowed."),
}


@pytest.mark.parametrize("case", sorted(BAD))
@pytest.mark.slow
def test_a_roster_with_anything_wrong_changes_nothing(client, draft, case):
    replace_roster(survey=draft, rows=ROWS)
    data, sentence = BAD[case]
    for file in data.values():
        if hasattr(file, "seek"):
            file.seek(0)
    answer = sign_in(client).post(page(draft, "roster"), data)
    assert answer.status_code == 200
    assert sentence in visible_text(answer.text)
    assert codes(draft) == [row.code for row in ROWS]


def test_names_are_text_on_the_page_and_not_markup(client, draft):
    table = f"{TABLE}d4,<script>alert(1)</script>,Late\ne5,Ana Alves,late"
    answer = post_table(sign_in(client), page(draft, "roster"), {"rows": table}, follow=True)
    assert "<script>alert(1)" not in answer.text
    text = visible_text(answer.text)
    assert "“Ana Alves” is there 2 times (a1, e5)" in text
    assert "differ only in capital letters: “Late”, “late”." in text


def test_a_roster_is_removed(client, draft):
    replace_roster(survey=draft, rows=ROWS)
    assert sign_in(client).get(page(draft, "roster_remove")).status_code == 405
    client.post(page(draft, "roster_remove"))
    assert codes(draft) == []


def test_the_table_to_fill_in_is_a_roster_in_either_language(client, draft):
    sign_in(client)
    for language, sign in (("en", ","), ("de", ";")):
        answer = client.get(page(draft, "roster_template"), headers={"accept-language": language})
        text = answer.content.decode("utf-8")
        assert text.startswith(f"\ufeffcode{sign}name{sign}group")
        assert [row.code for row in read_roster(text)] == ["a01", "a02", "a03"]
        assert "roster.csv" in answer["Content-Disposition"]


@pytest.mark.slow
def test_a_roster_makes_any_draft_one_by_personal_link_and_says_what_follows(client):
    survey = make_survey(linkage="apart", planned_n=500, release_threshold=20)
    answer = post_table(sign_in(client), page(survey, "roster"), {"rows": TABLE}, follow=True)
    survey.refresh_from_db()
    assert (survey.mode, survey.linkage) == ("personal", "together")
    assert (survey.planned_n, survey.release_threshold) == (3, 3)
    text = visible_text(answer.text)
    assert "Respondents are told apart by personal links now." in text
    assert "The answers of one person are kept together, which it needs." in text
    assert "As many respondents are planned as there are members." in text
    assert "The release threshold is the number of members, which is smaller." in text
    # Another roster of as many members changes nothing but the names.
    answer = post_table(client, page(survey, "roster"), {"rows": TABLE}, follow=True)
    assert "personal links now" not in visible_text(answer.text)


def test_a_threshold_below_the_number_of_members_stays(client):
    survey = make_survey(planned_n=3, release_threshold=2)
    post_table(sign_in(client), page(survey, "roster"), {"rows": TABLE})
    survey.refresh_from_db()
    assert (survey.planned_n, survey.release_threshold) == (3, 2)


def test_a_roster_of_another_mode_stops_the_launch_and_can_be_removed(client):
    survey = make_survey()
    replace_roster(survey=survey, rows=ROWS)
    assert "idle_roster" in {finding.code for finding in lint_survey(survey)}
    text = visible_text(sign_in(client).get(page(survey, "roster")).text)
    assert "Remove the roster" in text
    assert "Upload a roster" not in text
    client.post(page(survey, "roster_remove"))
    assert "idle_roster" not in {finding.code for finding in lint_survey(survey)}


LINT = {
    "no_roster": {"rows": []},
    "links_for_nothing": {"questions": [{}]},
    "links_apart": {"linkage": "apart"},
    "links_direct": {"questions": [TIES[0], {"randomized": False}]},
    "clash": {"questions": [TIES[0], {"physical_device": "die"}]},
    "links_needed": {"mode": "open"},
}


@pytest.mark.parametrize("code", sorted(LINT))
def test_what_a_survey_by_personal_link_needs_stops_its_launch(code):
    survey = network_survey(**{"rows": ROWS, **LINT[code]})
    if code == "no_roster":
        replace_roster(survey=survey, rows=[])
    found = {finding.code: finding for finding in lint_survey(Survey.objects.get())}
    assert found[code].blocks
    assert not set(LINT) - {code} & set(found) - {"no_roster"}


def test_a_network_can_be_launched():
    survey = network_survey(ROWS)
    assert [finding for finding in lint_survey(survey) if finding.blocks] == []


def test_after_the_launch_the_roster_is_read_only(client):
    survey = launched_network(ROWS).survey
    html = sign_in(client).get(page(survey, "roster")).text
    assert "Ana Alves" in html
    assert "<textarea" not in html
    assert "Remove the roster" not in html
    assert client.post(page(survey, "roster"), {"rows": TABLE}).status_code == 200
    client.post(page(survey, "roster_remove"))
    client.post(page(survey, "roster_names"))
    assert list(survey.members.values_list("name", flat=True)) == [row.name for row in ROWS]


def test_names_are_deleted_after_closing_and_the_survey_stays_closed(client):
    survey = launched_network(ROWS).survey
    close_survey(survey=survey, actor=None)
    text = visible_text(sign_in(client).get(page(survey, "roster_names")).text)
    assert "The names of 4 members." in text
    assert "none of them has a name" in text
    answer = client.post(page(survey, "roster_names"), follow=True)
    assert "Ana Alves" not in answer.text
    assert "a1" in answer.text
    assert set(survey.members.values_list("name", flat=True)) == {""}
    answer = client.get(page(survey, "reopen"), follow=True)
    assert "names of its roster were deleted" in answer.text
    client.post(page(survey, "reopen"), {"closes_at_0": "", "closes_at_1": ""})
    survey.refresh_from_db()
    assert survey.state == "closed"
    answer = client.get(page(survey, "roster_names"), follow=True)
    assert "Only a closed survey with names" in answer.text


def test_a_copy_says_that_it_has_no_roster_and_a_deletion_that_it_takes_it(client, draft):
    replace_roster(survey=draft, rows=ROWS)
    assert "So does the roster" in sign_in(client).get(page(draft, "delete")).text
    assert "The copy has no roster" in client.post(page(draft, "clone"), follow=True).text


@pytest.mark.parametrize("name", STATE_PAGES)
def test_nobody_else_reaches_a_roster_and_no_page_of_it_is_kept(client, draft, name):
    replace_roster(survey=draft, rows=ROWS)
    for user in (make_user("colleague", author=True), make_user("reader")):
        sign_in(client, user)
        for answer in (client.get(page(draft, name)), client.post(page(draft, name))):
            assert answer.status_code in (302, 404, 405)
            assert "Ana Alves" not in answer.text
    answer = sign_in(client).get(page(draft, name))
    assert "no-store" in answer["Cache-Control"]
    assert len(codes(draft)) == len(ROWS)


def test_the_ribbon_leads_to_the_roster_of_a_survey_by_personal_link(client, draft):
    other = make_survey(slug="other")
    sign_in(client)
    for survey, expected in ((draft, True), (other, False)):
        tools = {tool.url for tool in client.get(page(survey)).context["tools"]}
        assert (page(survey, "roster") in tools) == expected
