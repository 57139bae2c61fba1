"""The statements of the results page, without any script."""

import html as markup
import re

import pytest
from django.urls import reverse

from surveys import numbers
from surveys.results.tables.presentation import _test
from surveys.results_document.parts import HypothesisTest
from surveys.services.results import refresh_results
from surveys.services.transitions import close_survey, reopen_survey
from tests.app.kept import kept_once
from tests.builders import launched
from tests.devices import devices_of
from tests.released import QUESTIONS, answer, released, rich, varied

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


kept = kept_once(lambda: rich(300, slug="kept"))


def page(client, launch, language="en"):
    address = reverse("results", args=[launch.survey.slug])
    response = client.get(address, headers={"Accept-Language": language})
    assert response.status_code == 200
    return markup.unescape(response.content.decode())


def plain(html):
    return " ".join(re.sub(r"<[^>]+>", " ", html).split()).replace("\u00a0", " ")


@pytest.mark.slow
def test_every_question_has_its_numbers_as_a_table(client):
    launch = released(varied(300), results_public=True, questions=QUESTIONS)
    html = page(client, launch)
    text = plain(html)
    for question, row in zip(
        launch.results.get().content["questions"], launch.document["questions"], strict=True
    ):
        assert row["text"] in text
        assert f"n = {question['n']}" in text
        for category in question["categories"]:
            assert category["label"] in text
            assert f"( {category['reported']} )" in text
    assert launch.digest in text
    assert "ε = 1.1" in text
    assert "ε = 3 of 3" in text
    assert text.count("As good as n =") == 3  # not for the direct one
    assert "sent as they are" in text
    assert html.count('<span class="tag">asked directly</span>') == 1


def test_the_design_matrix_is_there_as_shares_and_as_the_frozen_integers(client):
    launch = released(varied(30), results_public=True, questions=QUESTIONS)
    html = page(client, launch)
    for device in devices_of(launch)[:2]:
        for column in device["columns"]:
            for integer in column:
                assert f'<td class="num mono">{integer:,}</td>' in html
    # e^1.1 / (e^1.1 + 2) = 0.60029..., rounded down to the grid of 2**-32
    assert "60.03\u00a0%" in html


def test_an_estimate_outside_the_range_is_shown_as_it_is_with_the_reason(client):
    rows = [{"q1": 1} for _ in range(30)]
    launch = released(rows, results_public=True)
    text = plain(page(client, launch))
    (question,) = launch.results.get().content["questions"]
    yes = question["categories"][1]
    assert yes["estimate"] > 1
    assert yes["maximum_likelihood"] <= 1
    assert "outside 0–100 %" in text
    assert "cutting it off would bias it" in text
    assert f"{100 * yes['estimate']:.0f} %" in text


@pytest.mark.slow
def test_digits_follow_the_interval(client):
    small = plain(page(client, released([{"q1": n % 2} for n in range(20)], results_public=True)))
    assert re.search(r"No 50 % ", small)
    large = released([{"q1": n % 2} for n in range(1200)], results_public=True, slug="many")
    assert re.search(r"No 50\.0 % ", plain(page(client, large)))


@pytest.mark.slow
def test_numbers_and_dates_speak_the_readers_language(client):
    launch = released(varied(1200), results_public=True, questions=QUESTIONS)
    text = plain(page(client, launch, "de"))
    assert "n = 1.200" in text
    assert "ε = 1,1" in text
    assert re.search(r"\d\d,\d %", text)
    assert "n = 1,200" in plain(page(client, launch, "en"))


def test_texts_of_the_author_are_escaped(client):
    hostile = {"text": "<script>alert(1)</script>", "options": ["<b>a</b>", "&amp;"]}
    launch = released(
        [{"q1": n % 2} for n in range(6)],
        results_public=True,
        title="<img src=x>",
        questions=[{"kind": "single_choice", **hostile}],
    )
    raw = client.get(reverse("results", args=[launch.survey.slug])).content.decode()
    assert "<script>alert" not in raw
    assert "<img src=x>" not in raw
    assert "<b>a</b>" not in raw
    summary = client.get(reverse("summary-html", args=[launch.survey.slug])).content.decode()
    assert "<script>alert" not in summary
    assert "<img src=x>" not in summary


def test_simulated_truth_is_beside_the_estimate_only_where_there_is_one(client):
    launch = released([{"q1": n % 2} for n in range(6)], results_public=True)
    assert "imulated" not in page(client, launch)
    launch.survey.simulated_truth = {"q1": [0.7, 0.3]}
    launch.survey.save()
    text = plain(page(client, launch))
    assert "Simulated truth" in text
    assert "70.0 %" in text


def test_what_waits_is_counted_and_explained(client):
    launch = released([{"q1": n % 2} for n in range(12)], release_batch=5, results_public=True)
    client.force_login(launch.survey.owner)
    text = plain(page(client, launch))
    assert "7 responses in the results, 12 received" in text
    assert "5 responses wait" in text
    assert "at least 5 responses at a time" in text

    answer(launch, [{"q1": 0}] * 5)
    text = plain(page(client, launch))
    assert "5 responses are about to enter the results" in text


def test_what_is_held_back_after_closing_is_told_to_the_author(client):
    launch = released([{"q1": n % 2} for n in range(12)], release_batch=5, results_public=True)
    close_survey(survey=launch.survey, actor=None)
    refresh_results(launch_id=launch.pk)
    reopen_survey(survey=launch.survey, actor=None)
    answer(launch, [{"q1": 0}] * 3)
    close_survey(survey=launch.survey, actor=None)
    refresh_results(launch_id=launch.pk)
    others = plain(page(client, launch))
    assert "12 responses in the results." in others
    assert "Held back" not in others
    client.force_login(launch.survey.owner)
    text = plain(page(client, launch))
    assert "12 responses in the results, 15 received" in text
    assert "Held back: 3 responses, too few for a batch of 5" in text


def test_a_batch_of_one_is_told_to_everybody(client):
    launch = released([{"q1": n % 2} for n in range(12)], release_batch=1, results_public=True)
    assert "Each response shows as soon as it is counted" in plain(page(client, launch))


def test_the_status_is_small_and_answers_not_modified(client, django_assert_max_num_queries):
    launch = released([{"q1": n % 2} for n in range(12)], results_public=True)
    address = reverse("results-status", args=[launch.survey.slug])
    client.force_login(launch.survey.owner)
    client.get(address)  # the first request of a process also asks which models there are
    with django_assert_max_num_queries(7):  # two of them the session
        first = client.get(address)
    assert first.json()["in_results"] == 12
    assert not first.json()["behind"]
    response = client.get(address, headers={"If-None-Match": first["ETag"]})
    assert response.status_code == 304
    assert not response.content

    answer(launch, [{"q1": 0}])
    behind = client.get(address, headers={"If-None-Match": first["ETag"]})
    assert behind.status_code == 200
    assert behind.json()["behind"]
    assert behind.json()["revision"] == first.json()["revision"]

    close_survey(survey=launch.survey, actor=None)
    assert client.get(address).json()["state"] == "closed"


def test_figures_belong_to_the_numbers_of_the_page(client):
    launch = released([{"q1": n % 2} for n in range(12)], results_public=True)
    address = reverse("results-figures", args=[launch.survey.slug])
    status = client.get(reverse("results-status", args=[launch.survey.slug])).json()
    body = client.get(address).json()
    assert body["revision"] == status["revision"]
    assert set(body["figures"]) == {"q1"}


def test_a_question_nobody_answered_says_so(client):
    questions = [{"required": False}, {"name": "other"}]
    launch = launched(
        questions=[{**q, "epsilon": 1} for q in questions],
        results_public=True,
        release_threshold=1,
    )
    answer(launch, [{"other": 1}] * 3)
    refresh_results(launch_id=launch.pk)
    assert "no reports to this question yet" in plain(page(client, launch))


@pytest.mark.slow
def test_a_cross_table_is_told_in_words_and_in_tables(client):
    launch = rich(300, 40)
    (table,) = launch.results.get().content["tables"]
    text = plain(page(client, launch))
    assert "Comparisons declared before launch" in text
    assert "n = 340 who answered both" in text
    p = table["independence"]["p_value"]
    words = "are associated" if p < 0.05 else "No association could be shown"
    assert f"{words} ({numbers.p_value(p)}, two-sided)" in page(client, launch)
    for cell in [cell for row in table["conditional"] for cell in row]:
        assert f"{100 * cell['estimate']:.0f} %".replace("-", "−") in text
    for name in ("Cramér's V", "Mutual information", "Few less Some", "Share of everybody"):
        assert name in text


@pytest.mark.slow
def test_groups_are_compared_by_the_mean_of_a_scale(client):
    launch = rich(300, cross_tables=[["stress", "size"]])
    (table,) = launch.results.get().content["tables"]
    html = page(client, launch)
    assert ">Mean score</th>" in html
    for mean in table["means"]:
        assert re.search(rf"\b{mean['value']:.1f}\d* ", plain(html))


def test_a_test_says_what_it_found_and_never_that_there_is_nothing():
    significant, nothing, unknown, clear = (
        HypothesisTest(p_value=p, statistic=1, degrees_of_freedom=1, notes=())
        for p in (0.04, 0.06, None, 1e-9)
    )
    assert _test(significant) == "The two answers are associated (p\u00a0=\u00a00.040, two-sided)."
    assert _test(nothing) == "No association could be shown (p\u00a0=\u00a00.060, two-sided)."
    assert _test(unknown).startswith("The reports are too few")
    assert "p\u00a0<\u00a00.001" in _test(clear)


def test_a_scale_has_its_mean_and_a_multiple_choice_says_that_shares_need_not_add_up(
    client, launch
):
    entries = {entry["id"]: entry for entry in launch.results.get().content["questions"]}
    text = plain(page(client, launch))
    assert f"Mean score {entries['stress']['mean']['value']:.1f}" in text
    assert "from 1 to 3" in text
    assert "need not add up to 100 %" in text
    assert "Chance keeps the whole set of ticks" in text
    assert "One device for each of the 2 answers, all alike" in text


def test_an_open_survey_shows_intervals_that_hold_at_every_look(client, launch):
    assert "Valid at any time" in plain(page(client, launch)).split("How to read this")[1]
    rows = plain(page(client, launch)).count("Made-up reports that move it Weight of one")
    assert rows == 5
    close_survey(survey=launch.survey, actor=None)
    closed = page(client, launch)
    assert '<th scope="col" class="num">Valid at any time</th>' not in closed
    assert "Made-up reports that move it" in closed


@pytest.mark.slow
def test_several_devices_are_explained_each_by_itself(client):
    launch = rich(300, 60)
    text = plain(page(client, launch))
    assert "The page's device" in text
    assert "A device of the respondent's own" in text
    assert "Divide by 6." in text
    assert "Do the devices agree?" in text
    raw = re.findall(r"n = 60", text)
    assert raw


def test_whom_the_results_are_about_is_said(client):
    rows = [{"q1": n % 2} for n in range(12)]
    sample = plain(page(client, released(rows, results_public=True)))
    assert "a population they are a sample of" in sample
    fixed = released(rows, results_public=True, population="fixed", slug="fixed")
    assert "exactly the people who answered" in plain(page(client, fixed))


def test_the_summary_has_the_tables_too(client, launch):
    address = reverse("summary-html", args=[launch.survey.slug])
    html = markup.unescape(client.get(address).content.decode())
    assert "Comparisons declared before launch" in html
    assert 'id="figure-drug-by-size"' in html
    assert "<button" not in html
