"""Whether a search gained anything over the question's own device, with exact numbers."""

import math
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from surveys.admin.figures.search_words import member_points
from surveys.authoring.workbench.gain import Measures, Picks, gained, measures_now, picks_of
from surveys.models import DesignSearch, Question
from surveys.services.searches import adopt
from tests.app.author_posts import sign_in
from tests.app.search_cases import made, search_request, searched_content
from tests.app.test_admin_search import address
from tests.app.visible_text import visible_text
from tests.builders import make_survey
from tests.german import english_in

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

BINARY = ["0.3", "0.7"]
SIX = ["0.4", "0.25", "0.15", "0.1", "0.06", "0.04"]
Z = 1.959963984540054


def binary() -> DesignSearch:
    """A finished search for a question of yes or no at epsilon 1, asked as it is usually."""
    question = make_survey(slug="binary", questions=[{"epsilon": Decimal(1)}]).questions.get()
    return searched(question, ["No", "Yes"], BINARY, delta="0.95")


def six(design: str = "k_rr", slug: str = "health", **changes: Any) -> DesignSearch:
    options = [f"answer {index}" for index in range(6)]
    asked = {"kind": "single_choice", "options": options, "design": design, "epsilon": Decimal(1)}
    question = make_survey(slug=slug, questions=[asked]).questions.get()
    return searched(question, options, SIX, delta="0.9", **changes)


def searched(
    question: Question, labels: list[str], prior: list[str], **changes: Any
) -> DesignSearch:
    state = changes.pop("state", "done")
    asked = {"methods": ["certified"], "levels": 6, **changes}
    request = search_request(labels=labels, prior=prior, **asked)
    return made(question, request=request, state=state, content=searched_content(request))


def look(client, search, name="search", **query):
    return sign_in(client).get(address(search.question, name, search.pk), query)


def findings(client, search):
    return look(client, search).context["findings"]


def text_of(response) -> str:
    return " ".join(visible_text(response.text).split())


def binary_margin(n: int = 1000) -> float:
    """Of Warner's device at epsilon 1, by its formula: p is kept with e / (1 + e)."""
    p = math.e / (1 + math.e)
    reported = p * 0.3 + (1 - p) * 0.7
    return Z * math.sqrt(reported * (1 - reported) / n) / (2 * p - 1)


def test_of_yes_or_no_nothing_is_gained_at_the_same_epsilon(client):
    """Randomized response is the best device for two answers (Holohan 2017)."""
    page = look(client, binary())
    result = page.context["findings"]
    assert (result.outcome, result.keep, result.gain) == ("nothing", True, None)
    assert binary_margin() == pytest.approx(0.0659, abs=5e-5)
    numbers = "best guess wrong 26.9\u00a0%, ± 6.6 points, ε 1"
    assert [row["words"] for row in result.rows] == [
        f"Randomized response, epsilon 1: {numbers}",
        numbers,
    ]
    (pick,) = result.picks
    assert pick.words == numbers
    assert pick.purposes == [
        "The most precise with ε 1 at most",
        "The best protected with ± 6.6 points at most",
    ]
    text = text_of(page)
    assert text.index("Nothing to gain: keep what you have.") < text.index("Privacy against")


def adopt_button(html: str) -> str:
    """The classes of the link that leads to the adoption of the shown design."""
    before = html[: html.index(">Adopt for this question<")]
    return before[before.rindex("class=") :].split('"')[1]


def test_where_nothing_is_gained_adopt_is_no_main_button(client):
    nothing, gain = binary(), six()
    assert adopt_button(look(client, nothing).text) == "button"
    assert adopt_button(look(client, gain).text) == "button button--main"
    for search, keep in ((nothing, True), (gain, False)):
        key = look(client, search).context["chosen"]
        part = look(client, search, "search_point", point=key).json()["html"]
        assert (adopt_button(part) == "button") == keep
        page = look(client, search, "search_adopt", point=key)
        assert ("Nothing to gain: keep what you have." in text_of(page)) == keep
        assert ('<button class="button button--main">Adopt' in page.text) != keep
        assert ('<a class="button button--main"' in page.text) == keep


def device_numbers(matrix: Any, prior: list[str], n: int = 1000) -> tuple[float, float]:
    """Privacy (OptRR Eq. 8) and the margin of the least certain share, from the table alone."""
    table, shares = np.asarray(matrix), np.array(list(map(float, prior)))
    privacy = 1 - (table * shares).max(axis=1).sum()
    information = table.T @ np.diag(1 / (table @ shares)) @ table
    variances = np.diag(np.linalg.inv(information)) - shares**2
    return privacy, Z * math.sqrt(variances.max() / n)


def test_what_is_gained_is_said_in_numbers(client):
    search = six()
    page = look(client, search)
    result = page.context["findings"]
    kept = math.e / (math.e + 5)
    randomized = np.full((6, 6), (1 - kept) / 5) + (kept - (1 - kept) / 5) * np.eye(6)
    privacy_now, margin_now = device_numbers(randomized, SIX)
    privacy, margin = device_numbers(result.gain.row["matrix"], SIX)
    assert (round(100 * margin_now, 1), round(100 * margin, 1)) == (11.5, 10.7)
    needed = math.ceil(1000 * (margin / margin_now) ** 2)
    assert needed == 869
    assert result.sentence == (
        "Something to gain: ± 10.7 points instead of ± 11.5 points with 1,000 respondents, or the "
        "same margin with 869 of them. The best guess of an answer is wrong at least as often, and "
        "ε is no larger."
    )
    assert privacy > privacy_now
    assert [row["words"] for row in result.rows] == [
        "Randomized response, epsilon 1: best guess wrong 56.3\u00a0%, ± 11.5 points, ε 1",
        "best guess wrong 57.2\u00a0%, ± 10.7 points, ε 1",
    ]
    # The better design is the one that is shown.
    assert page.context["chosen"] == result.gain.key


def test_it_is_said_in_german_too(client):
    german = {"headers": {"Accept-Language": "de"}}
    nothing, gain = binary(), six()
    page = sign_in(client).get(address(nothing.question, "search", nothing.pk), **german)
    assert page.context["findings"].sentence.startswith("Nichts zu gewinnen: Behalten Sie, was")
    page = sign_in(client).get(address(gain.question, "search", gain.pk), **german)
    found = page.context["findings"]
    assert found.sentence.startswith(
        "Etwas zu gewinnen: ± 10,7 Punkte statt ± 11,5 Punkte mit 1.000 Befragten, oder dieselbe "
        "Fehlerspanne mit 869."
    )
    words = [found.sentence, *(row["name"] for row in found.rows)]
    words += [purpose for pick in found.picks for purpose in pick.purposes]
    assert english_in(" ".join(words)) == []


def test_one_design_stands_for_each_purpose(client):
    result = findings(client, six(levels=12))
    assert [(*pick.purposes, pick.words) for pick in result.picks] == [
        ("The most precise with ε 1 at most", "best guess wrong 55.0\u00a0%, ± 10.2 points, ε 1"),
        (
            "The best protected with ± 11.5 points at most",
            "best guess wrong 58.8\u00a0%, ± 11.4 points, ε 1",
        ),
        (
            "Between the two, where the front bends",
            "best guess wrong 57.1\u00a0%, ± 10.7 points, ε 1",
        ),
    ]
    assert result.missing == []


def test_an_adopted_design_is_what_the_next_search_is_compared_with(client):
    search = six()
    gain = findings(client, search).gain
    adopt(search=search, method=gain.method, index=gain.index)
    search.refresh_from_db()
    result = findings(client, search)
    assert result.outcome == "nothing"
    assert [row["words"] for row in result.rows] == [
        "Searched for this question, epsilon 1, best guess wrong 57.2\u00a0%: best guess wrong "
        "57.2\u00a0%, ± 10.7 points, ε 1",
        "best guess wrong 57.2\u00a0%, ± 10.7 points, ε 1",
    ]
    # Another question of the same answers still has randomized response, and gains.
    assert findings(client, six(slug="other")).outcome == "gain"


def test_cards_are_compared_as_they_are_estimated(client):
    """Reports of cards are weighed by equal shares, so their margin is not the least possible."""
    result = findings(client, six("cards", levels=12))
    assert result.sentence.startswith(
        "Something to gain: ± 10.3 points instead of ± 10.4 points with 1,000 respondents, or the "
        "same margin with 981 of them."
    )


def test_cards_are_not_beaten_where_all_answers_are_guessed_alike(client):
    """Subset selection is the best device for equal shares (Ye & Barg 2018): nothing to gain."""
    options = [f"answer {index}" for index in range(8)]
    asked = {"kind": "single_choice", "options": options, "design": "cards", "epsilon": Decimal(1)}
    question = make_survey(questions=[asked]).questions.get()
    result = findings(client, searched(question, options, ["0.125"] * 8, delta="0.9"))
    assert result.outcome == "nothing"
    # A card shows two of the eight answers: by their formulas how often with the real one, and
    # how often with any other.
    real = 2 * math.e / (2 * math.e + 6)
    other = (real + 2 * (1 - real)) / 7
    margin = Z * math.sqrt(0.25 * 0.75 / 1000) / (real - other)
    assert (round(1 - real / 2, 3), round(margin, 3)) == (0.762, 0.104)
    numbers = "best guess wrong 76.2\u00a0%, ± 10.4 points, ε 1"
    assert [row["words"].split(": ")[-1] for row in result.rows] == [numbers, numbers]


def test_what_is_planned_changes_the_numbers_and_not_the_verdict(client):
    search = six(n=4000)
    assert findings(client, search).sentence.startswith(
        "Something to gain: ± 5.4 points instead of ± 5.8 points with 4,000 respondents, or the "
        "same margin with 3,475 of them."
    )


@pytest.mark.parametrize(
    ("question_epsilon", "says"),
    [("1.5", "its ε is 1.5, and 1 is the most that was asked for"), ("0.5", "")],
)
def test_a_question_of_another_epsilon_is_compared_at_its_own(client, question_epsilon, says):
    search = binary()
    Question.objects.update(epsilon=Decimal(question_epsilon))
    result = findings(client, search)
    if says:
        assert (result.outcome, result.keep) == ("breaks", False)
        assert says in result.sentence
        assert [row["name"] for row in result.rows] == ["What you have"]
        assert result.missing == [
            "No design that was found is as precise as what you have, ± 4.7 points."
        ]
    else:
        # All that was found has twice the epsilon, so none of it counts.
        assert result.outcome == "nothing"
        assert result.rows[1]["words"] == "None: every design that was found gives away more."
        assert (result.picks, result.missing) == (
            [],
            ["No design that was found has an ε of 0.5 at most."],
        )


def test_a_device_that_breaks_the_strongest_belief_is_not_praised(client):
    """With 90 % of one answer a report of randomized response makes somebody 96 % sure of it."""
    question = make_survey(questions=[{"epsilon": Decimal(1)}]).questions.get()
    search = searched(question, ["No", "Yes"], ["0.1", "0.9"], delta="0.95")
    result = findings(client, search)
    assert result.outcome == "breaks"
    odds = 9 * math.e
    assert round(100 * odds / (1 + odds), 1) == 96.1
    assert "may be 96.1\u00a0% sure of an answer, and 95\u00a0% is the most" in result.sentence


def test_of_a_search_that_was_stopped_it_is_not_said_that_nothing_is_gained(client):
    search = binary()
    DesignSearch.objects.update(state="cancelled")
    result = findings(client, search)
    assert (result.outcome, result.rows, len(result.picks)) == ("", [], 1)
    # What it has gained until then is said.
    search = six()
    DesignSearch.objects.update(state="cancelled")
    assert findings(client, search).outcome == "gain"


def test_a_search_that_cannot_be_compared_shows_its_most_precise_design(client):
    search = six()
    Question.objects.update(options=["a", "b", "c"])
    result = findings(client, search)
    assert (result.outcome, [pick.purposes for pick in result.picks]) == (
        "",
        [["The most precise with ε 1 at most"]],
    )
    Question.objects.update(options=search.request["labels"], randomized=False, epsilon=None)
    assert measures_now(Question.objects.get(), search.request) is None


def test_designs_that_cannot_be_asked_are_no_pick(client):
    search = six(epsilon=None)
    found = [point for point in member_points(search.content) if point.row["epsilon"] is None]
    picked = [pick.point.key for pick in findings(client, search).picks]
    assert found
    assert not {point.key for point in found} & set(picked)


# --- the rules, by numbers made up ----------------------------------------------------------------


def measures(margin: float, privacy: float, epsilon: float = 1) -> Measures:
    return Measures(margin, privacy, epsilon, worst_posterior=0.9)


@pytest.mark.parametrize(
    ("found", "is_gain"),
    [
        (measures(0.1, 0.5), False),
        # The tolerance is half a percent of the margin that was found.
        (measures(0.1 / 1.0049, 0.5), False),
        (measures(0.1 / 1.0051, 0.5), True),
        # A smaller margin at the price of protection is none.
        (measures(0.09, 0.4999), False),
        (measures(0.09, 0.5, 1.001), False),
        (measures(0.1, 0.504), False),
        (measures(0.1, 0.506), True),
        (measures(0.1001, 0.506), False),
        (measures(0.1, 0.5, 0.996), False),
        (measures(0.1, 0.5, 0.994), True),
    ],
)
def test_a_gain_is_clear_in_one_measure_and_a_loss_in_none(found, is_gain):
    assert (gained([found], measures(0.1, 0.5)) is not None) == is_gain


def test_of_several_gains_the_most_precise_counts():
    now = measures(0.1, 0.5)
    assert gained([measures(0.1, 0.6), measures(0.09, 0.5), measures(0.08, 0.5)], now) == 2
    assert gained([measures(0.1, 0.55), measures(0.1, 0.6)], now) == 1


def test_the_front_bends_at_the_point_furthest_from_the_line_between_the_ends():
    """The ends are (0.10, 0.30) and (0.20, 0.70); the corner lies 0.35 above the line."""
    front = [
        measures(0.10, 0.30),
        measures(0.12, 0.52),
        measures(0.13, 0.54),
        measures(0.20, 0.70),
        measures(0.30, 0.90),
        measures(0.05, 0.20, epsilon=2),
    ]
    assert picks_of(front, 1, 0.2) == Picks(precise=0, protective=3, between=1)
    # In a straight front no point is a knee, and between neighbours there is none.
    straight = [measures(0.1, 0.3), measures(0.15, 0.5), measures(0.2, 0.7)]
    assert picks_of(straight, 1, 0.2) == Picks(0, 2, None)
    assert picks_of(front, 1, 0.1) == Picks(0, 0, None)
    assert picks_of(front, 1, 0.09) == Picks(0, None, None)
    assert picks_of(front, 2, 0.2) == Picks(5, 3, 1)
    assert picks_of(front, 0.5, 0.2) == Picks()
