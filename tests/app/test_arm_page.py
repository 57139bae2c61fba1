"""The findings of arms, in words on a question's card, in the summary and in a file."""

import csv
import io

import pytest
from django.urls import reverse

from surveys.features.arms.presentation import arms_view
from tests.app.visible_text import visible_text
from tests.arm_reports import (
    DRUG,
    arm_of,
    arms_survey,
    document_of,
    everybody,
    in_arm,
    results_of,
    store,
)
from tests.released import as_researcher

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.slow]


def page(client, launch, language="en", name="results"):
    address = reverse(name, args=[launch.survey.slug])
    response = as_researcher(client, launch).get(address, headers={"Accept-Language": language})
    text = (response.getvalue() if response.streaming else response.content).decode()
    return " ".join(visible_text(text).replace("\u00a0", " ").split())


def words(launch, people, name="drug"):
    """The sentences about each comparison, by the name of the arm."""
    questions = {each.id: each for each in results_of(launch, people).questions}
    view = arms_view(questions[name], launch.parameters)
    names = [arm.stratum for arm in questions[name].arms[1:]]
    texts = [" ".join(each.lines).replace("\u00a0", " ") for each in view.comparisons]
    return dict(zip(names, texts, strict=True))


def test_the_card_says_it_in_words(client):
    people = [*in_arm("page", 100, 60), *in_arm("split", 60, 34), *in_arm("direct", 40, 2)]
    launch = store(arms_survey(), people)
    text = page(client, launch)
    assert "Ways of asking" in text
    assert "Scrambled, ε = 1 – Yes" in text
    assert "Split sample, ε = 0.5 – Yes" in text
    assert "Asked directly – Yes 5.0 %" in text
    assert "Chance puts 30 in 100 people into an arm that is asked this question directly." in text
    assert "Asked directly, fewer people said it." in text
    found = arm_of(launch, "direct")["comparison"]["differences"][1]
    low, high = (round(100 * end) for end in found["interval"])
    more = f"“Yes” is estimated {100 * found['difference']:.0f} points higher than directly"
    assert more in text
    assert f"(95 % interval: {low} to {high}; p < 0.001)" in text
    assert "gave other answers than the rest" in text
    # The direct arm has no device of its own on the card, and the split sample has.
    assert "The page's device in the split sample" in text
    assert "A device of the respondent's own" not in text


def compared(launch, people, arm):
    question = document_of(launch, people)["questions"][0]
    found = next(each for each in question["arms"] if each["stratum"] == arm)
    return found["comparison"]


def test_where_nothing_is_found_it_says_what_would_have_been():
    launch, people = arms_survey(), [*in_arm("page", 400, 130), *in_arm("direct", 200, 28)]
    found = compared(launch, people, "direct")
    assert found["p_value"] > 0.05
    points = f"{100 * found['differences'][1]['detectable']:.0f}"
    sentence = (
        f"A difference of {points} points or more would have been found in 80 of 100 surveys."
    )
    text = words(launch, people)["direct"]
    assert sentence in text
    assert "No difference was found" in text


@pytest.mark.parametrize(("answers", "caution"), [(28, False), (21, True), (15, False)])
def test_a_difference_that_can_well_be_chance_is_called_so(answers, caution):
    """It says nothing of the sort of no difference, nor of one that is a note on the question."""
    launch, people = arms_survey(), [*in_arm("page", 400, 150), *in_arm("direct", 200, answers)]
    found = compared(launch, people, "direct")
    assert (0.01 <= found["p_value"] < 0.05) == caution
    count = round(100 * found["p_value"])
    sentence = f"That can be chance: of 100 surveys in which nothing differs about {count} find"
    assert (sentence in words(launch, people)["direct"]) == caution


def test_a_difference_in_the_other_direction_turns_its_interval_round():
    launch, people = arms_survey(), [*in_arm("page", 200, 54), *in_arm("direct", 100, 70)]
    found = compared(launch, people, "direct")["differences"][1]
    high, low = (round(-100 * end) for end in found["interval"])
    assert found["difference"] < 0 < low < high
    text = words(launch, people)["direct"]
    assert f"{-100 * found['difference']:.0f} points lower than directly" in text
    assert f"(95 % interval: {low} to {high}; " in text
    assert "more people said it" in text


@pytest.mark.parametrize(("page", "split", "way"), [(200, 60, "higher"), (90, 130, "lower")])
def test_a_split_sample_that_differs_says_what_it_may_mean(page, split, way):
    people = [*in_arm("page", 300, page), *in_arm("split", 200, split)]
    text = words(arms_survey(), people)["split"]
    assert (
        "Chance puts 20 in 100 people into a sample that answers with ε = 0.5 instead of 1" in text
    )
    assert f"points {way} on the page than in the split sample" in text
    assert "Answers depend on how strongly they are scrambled" in text
    assert "If some send “No” whatever the device draws" in text


def test_who_left_it_out_is_counted():
    launch, silent = arms_survey(), [("direct", {"theft": 0, "size": 1})]
    text = words(launch, [*everybody(), *silent])["direct"]
    assert "1 of the 41 people who were asked directly left it out" in text
    assert "left it out" not in words(launch, everybody())["direct"]


def test_a_small_arm_is_held_back_and_the_page_says_so(client):
    launch = store(arms_survey(release_threshold=30), everybody(100, 60, 25))
    text = words(launch, everybody(100, 60, 25))["direct"]
    assert "Fewer of them than the release threshold have answered it" in text
    assert "difference" not in text
    assert "Asked directly – – 25" in page(client, launch)
    assert "Nobody of them has answered it yet." in words(launch, in_arm("page", 60, 20))["direct"]


def test_with_very_few_people_it_promises_nothing():
    people = [*in_arm("page", 6, 3), *in_arm("direct", 5, 1)]
    text = words(arms_survey(), people)["direct"]
    assert "none would have been found, however large it is" in text


def test_of_several_answers_each_difference_is_in_a_table(client):
    launch = store(arms_survey(), everybody())
    html = as_researcher(client, launch).get(reverse("results", args=[launch.survey.slug])).text
    assert 'id="arms-absence-1"' in html
    assert 'id="arms-drug-1"' not in html
    people = [("page", {"absence": number % 3}) for number in range(90)]
    text = words(launch, [*people, *[("direct", {"absence": 0})] * 40], "absence")["direct"]
    assert "The shares differ (p < 0.001" in text


def test_the_card_and_the_summary_are_there_in_german(client):
    launch = store(arms_survey(), everybody(100, 60, 40))
    text = page(client, launch, "de")
    assert "Arten der Befragung" in text
    assert "Direkt gefragt" in text
    assert "Ways of asking" not in text
    assert "Ways of asking" in page(client, launch, name="summary-html")


def test_a_survey_without_arms_or_answers_says_nothing_of_them(client):
    empty = arms_survey(questions=[DRUG], cross_tables=[])
    assert "Ways of asking" not in page(client, empty)
    plain = store(
        arms_survey(slug="plain", questions=[{}], cross_tables=[]), [("page", {"q1": 1})] * 9
    )
    assert "Ways of asking" not in page(client, plain)
    assert client.get(reverse("arms-csv", args=["plain"])).status_code == 404


def test_the_file_has_a_row_for_each_answer_in_each_arm(client):
    launch = store(arms_survey(), everybody())
    text = (
        as_researcher(client, launch)
        .get(reverse("arms-csv", args=[launch.survey.slug]))
        .getvalue()
        .decode()
    )
    rows = list(csv.DictReader(io.StringIO(text)))
    about = [(row["question"], row["stratum"], row["asked"], row["answer"]) for row in rows]
    assert about[:4] == [
        ("drug", "page", "scrambled", "No"),
        ("drug", "page", "scrambled", "Yes"),
        ("drug", "split", "scrambled", "No"),
        ("drug", "split", "scrambled", "Yes"),
    ]
    assert len(rows) == 3 * 2 + 2 * 3
    yes, found = rows[5], arm_of(launch, "direct")
    difference = found["comparison"]["differences"][1]
    assert (yes["share"], yes["epsilon"], yes["n"]) == ("30", "", "40")
    assert float(yes["estimate"]) == found["categories"][1]["estimate"]
    assert float(yes["difference"]) == difference["difference"]
    assert float(yes["difference_high"]) == difference["interval"][1]
    assert float(yes["p_value"]) == difference["p_value"]
    assert {row["difference"] for row in rows if row["stratum"] == "page"} == {""}
