"""Cards in the author's form: judged as theory says, proposed, taken by default, kept if chosen."""

import math
import re
from decimal import Decimal
from pathlib import Path

import pytest

from surveys.authoring.planning.figures import PLANNING_SHARE, device_figures
from surveys.devices import default_family
from surveys.forms.question import QuestionForm
from surveys.models import Question
from tests.app.author_posts import (
    QUESTION,
    opened,
    sign_in,
    stored_question,
    typed_figures,
    typed_form,
    write_question,
)
from tests.app.test_admin_panel import panel
from tests.builders import make_survey

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[2]
Z = 1.959963984540054  # of 95 %


def lines(count):
    return "\n".join(f"Option {index}" for index in range(count))


def choice(count=10, **values):
    return {"kind": "single_choice", "options": lines(count), **values}


def draft(count, epsilon, **values):
    options = [f"Option {index}" for index in range(count)]
    values = {"kind": "single_choice", "design": "k_rr", **values}
    return Question(name="q", options=options, epsilon=Decimal(epsilon), **values)


def respondents_needed(count, epsilon, card_size, share=PLANNING_SHARE, margin=0.05):
    """Respondents of k-subset selection (Ye & Barg 2018); with one answer, of randomized response.

    A card shows an answer with p where it is true; where it is not, with q, since every pair of
    answers is together on equally many cards. The share of reports that show it has mean
    q + (p - q) share, so the variance of one report is lam (1 - lam) / (p - q)^2.
    """
    weight = card_size * math.exp(epsilon)
    p = weight / (weight + count - card_size)
    q = (p * (card_size - 1) + (1 - p) * card_size) / (count - 1)
    lam = q + (p - q) * share
    return math.ceil((Z / margin) ** 2 * lam * (1 - lam) / (p - q) ** 2)


# OPTIMAL.md, section 2.7: the best k of ten answers is 4 at epsilon 0.5 and 3 at epsilon 1.
@pytest.mark.parametrize(("epsilon", "card_size", "cards"), [("0.5", 4, 15), ("1", 3, 30)])
def test_the_respondents_needed_are_those_of_theory(epsilon, card_size, cards):
    panel_figures = panel(**choice(epsilon=epsilon, design="k_rr"))
    rows = {row.name: row for row in panel_figures.comparison.rows}
    with_codes, with_cards = (
        respondents_needed(10, float(epsilon), 1),
        respondents_needed(10, float(epsilon), card_size),
    )
    figures = {
        each.family.name: each.n_for_margin for each in device_figures(draft(10, epsilon), 9)
    }
    assert abs(figures["k_rr"] - with_codes) <= 1
    assert abs(figures["cards"] - with_cards) <= 1
    saved = f"{100 * (1 - with_cards / with_codes):.0f}\u00a0%"
    assert panel_figures.comparison.best == (
        f"“Cards that show several answers” needs {saved} fewer respondents for the same margin: "
        f"{figures['cards']:,} instead of {figures['k_rr']:,}."
    )
    assert panel_figures.comparison.proposal == "cards"
    assert rows["cards"].note == (
        f"{cards} cards with {card_size} answers on each: as accurate as a device can be "
        "without a guess of the shares."
    )
    assert rows["cards"].epsilon == rows["k_rr"].epsilon == epsilon
    assert rows["cards"].identifying_reports == rows["k_rr"].identifying_reports
    assert rows["cards"].identifying_reports.startswith("Nothing for certain")


def test_the_margins_are_those_of_the_same_answer():
    """With five answers the others have 22.5 % each, which is known less well than 10 %."""
    (k_rr, cards) = device_figures(draft(5, "0.5"), 500)
    assert abs(k_rr.n_for_margin - respondents_needed(5, 0.5, 1)) <= 1
    assert abs(cards.n_for_margin - respondents_needed(5, 0.5, 2)) <= 1


def test_the_guides_table_is_what_the_panel_says():
    """Randomized response by hand; a deck needs what the best card size does, or a few more."""
    guide = (ROOT / "docs" / "guide" / "authors.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \| (.* / .*) \| (.* / .*) \| (.* / .*) \|$", guide, re.MULTILINE)
    assert [row[0] for row in rows] == ["5", "10", "20", "50"]
    for count, *cells in rows:
        for epsilon, cell in zip(("0.5", "1", "2"), cells, strict=True):
            with_codes, with_cards = (int(number.replace(",", "")) for number in cell.split(" / "))
            figures = device_figures(draft(int(count), epsilon), 500)
            assert [figure.n_for_margin for figure in figures] == [with_codes, with_cards], (
                count,
                epsilon,
            )
            assert abs(with_codes - respondents_needed(int(count), float(epsilon), 1)) <= 1
            sizes = range(2, int(count) - 1)
            smallest = min(
                respondents_needed(int(count), float(epsilon), card_size) for card_size in sizes
            )
            assert smallest - 1 <= with_cards <= 1.12 * smallest, (count, epsilon)


def test_how_far_a_deck_is_from_the_best_is_said():
    """With four answers the best card shows one from epsilon 1 on: (n-1)/(n L) of section 2.7."""

    def worst_case(card_size, count=4, e=math.e):
        q2 = (card_size * e * e + count - card_size) / (card_size * e + count - card_size) ** 2
        return 1 / (count * q2 - 1)

    for epsilon in (1, 3):
        figures = panel(**choice(4, epsilon=str(epsilon)))
        excess = worst_case(2, e=math.exp(epsilon)) / worst_case(1, e=math.exp(epsilon)) - 1
        assert figures.comparison.rows[1].note == (
            f"6 cards with 2 answers on each: at worst {math.ceil(100 * excess)}\u00a0% more "
            "squared error than the best device without a guess of the shares."
        )
        assert figures.comparison.proposal == ""


def test_a_card_is_said_in_people():
    """k e^eps / (k e^eps + n - k) = 3 e / (3 e + 7) of ten answers at epsilon 1."""
    figures = panel(**choice(design="cards"))
    expected = 300 * math.e / (3 * math.e + 7)
    assert figures.panel.texts["frequencies"] == (
        f"Of 100 people with the same real answer, {expected:.0f} draw a card that shows it and "
        f"{100 - expected:.0f} one that does not."
    )
    assert figures.panel.texts["retention_label"] == "Cards that show the real answer"
    assert figures.panel.texts["retained"] == f"{expected:.0f}\u00a0%"
    # Bayes with ten equal shares: three answers send such a card e times as often as seven.
    belief = math.e / (3 * math.e + 7)
    assert figures.panel.texts["belief"] == f"{100 * belief:.1f}\u00a0%"
    assert figures.panel.texts["belief_label"] == (
        "Belief in “Option 0” after a card that shows it, from 10\u00a0%"
    )
    assert figures.comparison.best.startswith("The chosen device is the most accurate here")


def test_crowds_that_nobody_reaches_are_not_named():
    figures = panel(**choice(epsilon="0.01", design="k_rr"))
    assert figures.comparison.best.endswith("fewer respondents for the same margin.")
    chosen_figures = panel(**choice(epsilon="0.01", design="cards"))
    assert chosen_figures.comparison.best == "The chosen device is the most accurate here."


@pytest.mark.parametrize(
    ("question", "name"),
    [
        (draft(10, "0.5"), "cards"),
        (draft(10, "1", kind="scale"), "cards"),
        (draft(10, "3"), "k_rr"),
        (draft(4, "1"), "k_rr"),
        (draft(3, "0.5"), "k_rr"),
        (draft(30, "2"), "cards"),
        (draft(10, "0.5", randomized=False), "k_rr"),
        (draft(10, "0.5", kind="multiple_choice"), "per_option"),
        (draft(0, "1", kind="yes_no"), "k_rr"),
    ],
)
def test_the_default_is_the_device_that_needs_fewer_people(question, name):
    assert default_family(question).name == name


@pytest.mark.parametrize(
    ("stored", "values", "design"),
    [
        ({}, {}, "cards"),
        # The usual device follows the options, and the strength.
        ({"kind": "single_choice", "options": lines(3)}, {}, "cards"),
        ({}, {"epsilon": "3"}, "k_rr"),
        # One that was chosen stays while it fits.
        ({**choice(), "design": "k_rr"}, {"text": "Another?"}, "k_rr"),
        ({**choice(3), "design": "laplace"}, {"kind": "scale", "options": lines(3)}, "laplace"),
        ({**choice(), "design": "cards", "epsilon": "3"}, {"epsilon": "3"}, "cards"),
    ],
)
@pytest.mark.slow
def test_only_what_nobody_has_picked_follows_the_proposal(client, stored, values, design):
    question = stored_question(**stored)
    write_question(sign_in(client), question, **{**choice(), **values})
    question.refresh_from_db()
    assert question.design == design


def test_an_error_elsewhere_does_not_make_a_proposal_a_choice(client):
    question = stored_question(kind="single_choice", options=lines(3))
    answer = write_question(sign_in(client), question, **choice(), text="")
    assert list(answer["errors"]) == ["text"]
    write_question(client, question, text="Which?")
    question.refresh_from_db()
    assert question.design == "cards"


def test_the_figures_follow_too():
    question = stored_question(kind="single_choice", options=lines(3))
    follows = typed_figures(question, **choice())
    assert [row.name for row in follows.comparison.rows if row.chosen] == ["cards"]
    assert follows.comparison.proposal == ""
    assert panel(**choice(design="k_rr")).comparison.rows[0].chosen


def test_a_draft_keeps_the_device_that_it_has(client):
    options = [f"Option {index}" for index in range(10)]
    survey = make_survey(questions=[{"kind": "single_choice", "options": options}])
    html = opened(sign_in(client), survey.questions.get()).text
    radio = html[html.index('name="design" value="k_rr"') :]
    assert "checked" in radio[: radio.index(">")]


def test_cards_need_four_answers():
    """An import is refused; while a question is edited, another device takes their place."""
    typed = {**QUESTION, "name": "q1", **choice(3, design="cards")}
    (message,) = QuestionForm(typed).errors["design"]
    assert "single choice or a scale with 4 answers or more" in message
    question = stored_question(**choice(design="cards"))
    form = typed_form(question, options=lines(3))
    assert form.errors == {}
    assert form.cleaned_data["design"] == "k_rr"


def test_many_answers_at_a_tiny_epsilon_leave_figures():
    """Where no deck can be had the other devices stay."""
    figures = panel(**choice(50, epsilon="0.0001"))
    assert figures.panel.error == ""
    assert "k_rr" in [row.name for row in figures.comparison.rows]


@pytest.mark.parametrize("count", [10, 50])
@pytest.mark.parametrize("epsilon", ["0.1", "1", "8"])
def test_cards_can_be_had_at_any_usual_epsilon(count, epsilon):
    figures = panel(**choice(count, epsilon=epsilon, design="cards"))
    assert figures.panel.error == ""
    assert figures.comparison.rows[1].chosen
