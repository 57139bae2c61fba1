"""An author declares analyses, and weights respondents to margins, from a draft's page."""

from math import inf

import pytest
from django.contrib.admin.models import LogEntry
from django.core.files.uploadedfile import SimpleUploadedFile

from surveys.features.analyses.figures import Detectable
from surveys.features.analyses.page_views import effect_words
from surveys.features.analyses.settings import declared
from surveys.services.launches import launch_survey
from tests.analyses import ANALYSIS, QUESTIONS, margins, regional, stored_weighting
from tests.app.author_posts import page, post_table, sign_in
from tests.app.visible_text import visible_text
from tests.builders import launched, make_survey, make_user

pytestmark = pytest.mark.django_db
STATE_PAGES = ["analyses", "analysis_new", "analysis_remove", "margin", "margin_remove"]
POSTED = {
    "name": "Who takes drugs",
    "event": ["1"],
    "link": "probit",
    "predictor_mood": "number",
    "predictor_region": "categories",
    "predictor_size": "",
}
TABLE = "question,answer,share\nregion,North,70\nregion,South,30\n"


@pytest.fixture
def draft():
    return make_survey(linkage="together", questions=QUESTIONS, budget=9)


def outcome(survey, name="drug"):
    return f"{page(survey, 'analysis_new')}?outcome={name}"


def test_a_draft_without_any_says_what_to_do(client, draft):
    text = visible_text(sign_in(client).get(page(draft, "analyses")).text)
    assert "There is none yet." in text
    assert "No margins: every respondent counts the same." in text
    assert "drug: Have you taken a drug?" in text
    # Several answers, and a mean, are nothing to be explained.
    assert "took:" not in text
    assert "hours:" not in text


def test_an_analysis_is_declared_shown_and_removed(client, draft):
    sign_in(client)
    form = client.get(outcome(draft))
    assert "as a number" in form.text
    answer = client.post(outcome(draft), POSTED, follow=True)
    draft.refresh_from_db()
    (row,) = declared(draft).analyses
    assert row.pop("answers") == ["No", "Yes"]
    assert row == {
        "name": "Who takes drugs",
        "outcome": "drug",
        "event": [1],
        "link": "probit",
        "predictors": [
            {"question": "mood", "scored": True},
            {"question": "region", "scored": False},
        ],
        "weighted": False,
    }
    text = visible_text(answer.text)
    assert "The analysis “Who takes drugs” is declared." in text
    assert "Outcome drug: Yes Model probit" in text
    assert "mood (as a number) region (as categories)" in text
    assert "Coefficients 3" in text
    assert "500 scrambled answers to the outcome are worth about" in text
    client.post(page(draft, "analysis_remove"), {"name": "Who takes drugs"})
    draft.refresh_from_db()
    assert declared(draft).analyses == []
    assert [entry.change_message for entry in LogEntry.objects.order_by("pk")] == [
        "The analysis “Who takes drugs” is declared.",
        "The analysis “Who takes drugs” is removed.",
    ]


BAD = {
    "no name": ({"name": ""}, "This field is required."),
    "a long name": ({"name": "x" * 81}, "at most 80 characters"),
    "nothing counts": ({"event": []}, "“drug” has two answers: choose which of them counts."),
    "all counts": ({"event": ["0", "1"]}, "All answers of “drug” count"),
    "an answer that there is not": ({"event": ["2"]}, "Select a valid choice."),
    "another link": ({"link": "log"}, "Select a valid choice."),
    "no predictor": (
        {"predictor_mood": "", "predictor_region": ""},
        "Choose 1 to 8 questions that may explain the answer, not 0.",
    ),
    "a number without an order": ({"predictor_region": "number"}, "Select a valid choice."),
    "a name that nobody sees": ({"name": "\u200b\x00"}, "This field is required."),
}


@pytest.mark.parametrize("case", BAD)
@pytest.mark.slow
def test_what_cannot_be_declared_is_said_and_not_stored(client, draft, case):
    changes, message = BAD[case]
    answer = sign_in(client).post(outcome(draft), POSTED | changes)
    assert answer.status_code == 200
    assert message in visible_text(answer.text)
    draft.refresh_from_db()
    assert declared(draft).analyses == []


def test_a_name_is_taken_once_and_is_no_markup(client, draft):
    sign_in(client)
    posted = POSTED | {"name": "<script>alert(1)</script>"}
    client.post(outcome(draft), posted)
    assert "<script>alert(1)" not in client.get(page(draft, "analyses")).text
    again = client.post(outcome(draft), posted)
    assert "is called “<script>alert(1)</script>” already." in visible_text(again.text)


@pytest.mark.parametrize(
    ("planned_n", "words"),
    [
        (50_000, "region: odds ratios above 1.33 or below 0.752"),
        (5_000, "region: odds ratios above 3.79 or below 0.264"),
        (2_000, "region: none, however large"),
    ],
)
def test_it_says_which_effects_would_be_found(client, planned_n, words):
    """The numbers are those of `rr_engine.planning.plan_regression`, solved for a power of 80 %."""
    row = ANALYSIS | {"weighted": False}
    survey = make_survey(
        linkage="together", questions=QUESTIONS, budget=9, analyses=[row], planned_n=planned_n
    )
    assert words in visible_text(sign_in(client).get(page(survey, "analyses")).text)


def test_effects_in_one_direction_are_told_as_such():
    for link, sizes, words in (
        ("logit", ((0.5, inf), (-inf, -inf)), "q: odds ratios above 1.65, and none below 1"),
        ("probit", ((0.5, 0.75), (-inf, -inf)), "q: coefficients above 0.5 to 0.75, and none"),
        ("cloglog", ((inf, inf), (-1.0, -inf)), "q: coefficients below −1, and none above 0"),
        ("logit", ((inf, inf), (-1.0, -2.0)), "q: odds ratios below 0.368 to 0.135, and none"),
        (
            "identity",
            ((0.5, inf), (-0.1, -0.1)),
            "q: differences above 50 or below −10 percentage points",
        ),
        ("identity", ((0.5, inf), (-inf, -inf)), "q: differences above 50 percentage points, and"),
        (
            "identity",
            ((inf, inf), (-0.1, -0.2)),
            "q: differences below −10 to −20 percentage points, and",
        ),
        ("identity", ((inf, inf), (-inf, -inf)), "q: none, however large"),
    ):
        assert words in effect_words(Detectable("q", *sizes), link)


def test_where_all_answers_are_apart_it_says_what_an_effect_is_of(client):
    row = ANALYSIS | {"outcome": "mood", "event": [], "weighted": False}
    survey = make_survey(
        linkage="together", questions=QUESTIONS, budget=9, analyses=[row], planned_n=50_000
    )
    text = visible_text(sign_in(client).get(page(survey, "analyses")).text)
    assert "region, of one answer against another: odds ratios above" in text
    assert "region, of one answer against all others, by the test of the predictor: odds" in text


def test_all_answers_apart_are_a_multinomial_model(client, draft):
    sign_in(client)
    posted = POSTED | {"event": [], "link": "logit", "predictor_mood": ""}
    text = visible_text(client.post(outcome(draft, "mood"), posted, follow=True).text)
    assert "mood: each answer on its own Model multinomial logistic" in text
    # Two equations of an intercept and a region.
    assert "Coefficients 4" in text


@pytest.mark.slow
def test_margins_are_typed_in_percent(client, draft):
    sign_in(client)
    address = f"{page(draft, 'margin')}?question=region"
    bad = client.post(address, {"share_0": "70", "share_1": "29.8"})
    assert "The shares of “region” add up to 99.8 %, and not to 100 %." in visible_text(bad.text)
    rounded = client.post(address, {"share_0": "70", "share_1": "29.9"}, follow=True)
    assert "The shares of “region” add up to 99.9, as rounded shares do." in rounded.text
    draft.refresh_from_db()
    assert stored_weighting(draft) == margins("0.700700700701", "0.299299299299")
    client.post(address, {"share_0": "70.123456789012345", "share_1": "29.876543210987655"})
    draft.refresh_from_db()
    assert stored_weighting(draft) == margins("0.70123456789", "0.29876543211")
    client.post(address, {"share_0": "70.125", "share_1": "29.875"})
    draft.refresh_from_db()
    assert stored_weighting(draft) == margins("0.70125", "0.29875")
    shown = client.get(address).text
    assert 'value="70.125"' in shown
    text = visible_text(client.get(page(draft, "analyses")).text)
    assert "region North 70.125 % South 29.875 %" in text
    client.post(page(draft, "margin_remove"), {"question": "region"})
    draft.refresh_from_db()
    assert stored_weighting(draft) is None


@pytest.mark.slow
def test_margins_come_from_a_table(client, draft):
    sign_in(client)
    post_table(client, page(draft, "analyses"), {"rows": TABLE})
    draft.refresh_from_db()
    assert stored_weighting(draft) == margins("0.7", "0.3")
    # The table that was read is shown, and nothing is stored before it is sent once more.
    shown = client.post(page(draft, "analyses"), {"rows": TABLE.replace("70", "69.9")})
    text = visible_text(shown.text)
    assert "This is what was read. Nothing is stored yet." in text
    assert "The shares of “region” add up to 99.9, as rounded shares do." in text
    assert "region North 69.96996997 region South 30.03003003" in text
    draft.refresh_from_db()
    assert stored_weighting(draft) == margins("0.7", "0.3")
    file = SimpleUploadedFile("m.csv", TABLE.replace("70", "60").replace("30", "40").encode())
    post_table(client, page(draft, "analyses"), {"file": file})
    draft.refresh_from_db()
    assert stored_weighting(draft) == margins("0.6", "0.4")
    bad = client.post(page(draft, "analyses"), {"rows": TABLE.replace("South", "Sout")})
    text = visible_text(bad.text)
    assert "Row 3, answer “Sout”: no answer of “region”; there are: North, South." in text
    draft.refresh_from_db()
    assert stored_weighting(draft) == margins("0.6", "0.4")


def test_the_table_to_fill_in_is_one_that_is_taken(client, draft):
    table = sign_in(client).get(page(draft, "margins_template")).content.decode("utf-8-sig")
    assert table.splitlines()[:3] == ["question,answer,share", "region,North,", "region,South,"]
    filled = "\n".join(
        line + share for line, share in zip(table.splitlines(), ["", *["50"] * 4], strict=True)
    )
    post_table(client, page(draft, "analyses"), {"rows": filled})
    draft.refresh_from_db()
    assert [row["question"] for row in stored_weighting(draft)["margins"]] == ["region", "size"]


@pytest.mark.slow
def test_a_weighted_analysis_keeps_its_weights(client, draft):
    sign_in(client)
    assert "Weight respondents" not in client.get(outcome(draft)).text
    post_table(client, page(draft, "analyses"), {"rows": TABLE})
    client.post(outcome(draft), POSTED | {"weighted": "on"})
    kept = client.post(page(draft, "margin_remove"), {"question": "region"}, follow=True)
    assert "These analyses are weighted, so remove them before the last margin" in kept.text
    draft.refresh_from_db()
    assert stored_weighting(draft) is not None
    assert declared(draft).analyses[0]["weighted"]


def test_answers_that_are_stored_apart_allow_neither(client):
    survey = make_survey(linkage="apart", questions=QUESTIONS, budget=9)
    sign_in(client)
    text = visible_text(client.get(page(survey, "analyses")).text)
    assert "need the answers of one person kept together" in text
    client.post(outcome(survey), POSTED)
    client.post(page(survey, "analyses"), {"rows": TABLE})
    survey.refresh_from_db()
    assert (declared(survey).analyses, stored_weighting(survey)) == ([], None)


def test_after_the_launch_all_is_read_and_nothing_changes(client):
    survey = make_survey(
        linkage="together", questions=QUESTIONS, budget=9, analyses=[ANALYSIS], weighting=regional()
    )
    launch = launch_survey(survey=survey, actor=None)
    assert [each.name for each in launch.parameters.analyses] == ["Who takes drugs"]
    sign_in(client)
    html = client.get(page(survey, "analyses")).text
    text = visible_text(html)
    assert "frozen with the survey" in text
    assert "drug: Yes" in text
    assert "region North 70 % South 30 %" in text
    assert 'method="post"' not in html.partition('id="content-main"')[2].partition("ribbon")[0]
    for name, data in (
        ("analysis_remove", {"name": "Who takes drugs"}),
        ("margin_remove", {"question": "region"}),
        ("analyses", {"rows": TABLE}),
    ):
        client.post(page(survey, name), data)
    client.post(outcome(survey), POSTED | {"name": "Another"})
    survey.refresh_from_db()
    assert [row["name"] for row in declared(survey).analyses] == ["Who takes drugs"]
    assert stored_weighting(survey) == regional()


def test_the_launch_page_says_what_freezes(client):
    survey = make_survey(
        linkage="together", questions=QUESTIONS, budget=9, analyses=[ANALYSIS], weighting=regional()
    )
    text = visible_text(sign_in(client).get(page(survey, "launch")).text)
    line = "Who takes drugs (drug: Yes; logistic; explained by region (as categories); weighted)"
    assert line in text
    assert "region: North 70 %, South 30 %" in text


def test_a_launched_survey_without_any_has_no_such_page_in_its_ribbon(client):
    survey = launched().survey
    assert page(survey, "analyses") not in sign_in(client).get(page(survey)).text
    assert "None was declared" in client.get(page(survey, "analyses")).text


@pytest.mark.parametrize("name", [*STATE_PAGES, "margins_template"])
def test_other_authors_find_nothing(client, draft, name):
    sign_in(client, make_user("other", author=True))
    post = client.post if name.endswith("remove") else client.get
    assert post(page(draft, name)).status_code == 404
