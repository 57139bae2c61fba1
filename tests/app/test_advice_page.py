"""The page “What should I choose?”: what it says, what it writes, and what it refuses."""

import re
from decimal import Decimal

import pytest

from surveys.authoring.planning.figures import focal_margin
from surveys.features.pilots.settings import NAME as PILOTS
from surveys.models import Survey
from surveys.services.launches import launch_survey
from tests.app.author_posts import page, sign_in
from tests.app.searched_tables import searched_question
from tests.app.test_roster_panel import ties_draft
from tests.app.visible_text import visible_text
from tests.builders import make_question, make_survey, make_user

pytestmark = pytest.mark.django_db

FIVE = [
    {"prefer_not": True, "text": "Have you taken something that was not yours?"},
    {"prefer_not": True},
    {"kind": "single_choice", "options": list("abcdefghij"), "prefer_not": True, "design": "cards"},
    {"kind": "scale", "options": list("abcde"), "prefer_not": True, "design": "cards"},
    {
        "kind": "multiple_choice",
        "options": list("abcd"),
        "prefer_not": True,
        "design": "per_option",
    },
]
WISH = {"harm": "livelihood", "planned_n": "500", "margin": "10", "budget": "3", "aim": "even"}


def look(client, survey, **wish):
    answer = sign_in(client).get(page(survey, "advice"), {**WISH, **wish})
    assert answer.status_code == 200
    return answer


def take(client, survey, answer=None, *, seen=None, wish=(), **ticks):
    wish = dict(wish)
    seen = seen or (answer or look(client, survey, **wish)).context["seen"]
    return sign_in(client).post(page(survey, "advice"), {**WISH, **wish, "seen": seen, **ticks})


def stored(survey):
    return [str(q.epsilon.normalize()) for q in survey.questions.all() if q.epsilon]


def form_of(answer):
    """The form of the button."""
    (form,) = re.findall(r'<form method="post" action="[^"]*#take".*?</form>', answer.text, re.S)
    return form


def messages_of(answer):
    return [str(message) for message in answer.wsgi_request._messages]


# --- what it says ---------------------------------------------------------------------------------


def test_without_a_wish_it_asks_and_proposes_nothing(client):
    survey = make_survey(questions=FIVE, planned_n=640)
    answer = sign_in(client).get(page(survey, "advice"))
    assert "proposal" not in answer.context
    text = visible_text(answer.text)
    for words in ("Embarrassment", "Cheating in exams", "domestic violence", "epsilon 1.5 at most"):
        assert words in text
    assert answer.context["form"]["planned_n"].value() == 640
    assert answer.context["form"]["budget"].value() == "3"
    assert answer.context["form"]["harm"].value() is None


@pytest.mark.slow
def test_each_question_has_both_margins_a_word_and_a_reason(client):
    survey = make_survey(questions=FIVE)
    answer = look(client, survey)
    rows = answer.context["rows"]
    assert [row.now.margin for row in rows] == [
        f"± {margin} points" for margin in ("10.4", "10.4", "15.3", "14.0", "43.8")
    ]
    assert [row.now.word for row in rows] == [*["usable"] * 4, "useless"]
    assert [row.proposed.word for row in rows] == [*["usable"] * 2, *["coarse"] * 2, "useless"]
    assert rows[0].titles == ["1. Have you taken something that was not yours?"]
    assert rows[0].now.example == "such as 10 of 100, give or take 10"
    assert rows[0].now.strength == "Strong: an even guess is right 74 times in 100"
    assert rows[4].reason.startswith("Left out: even with 1.5, the most at this level of harm")
    assert rows[4].ways == ["With about 860 respondents: ± 25.0 points or less, beside the others."]
    assert [row.change for row in rows] == ["worse"] * 5
    assert all(row.reason for row in rows)
    text = visible_text(answer.text)
    assert "Not every question can be useful" in text
    for words in (
        "About 5,400 respondents: ± 10.0 points for every question.",
        "Without the questions 3 to 5: ± 10.0 points for all others.",
        "No larger budget: it would have to be 4.96, and 3 is the most at this level of harm.",
        "A margin of ± 18.0 points: every question that is not left out has it.",
    ):
        assert words in text


@pytest.mark.slow
def test_the_links_of_the_exits_lead_to_wishes_that_are_met(client):
    survey = make_survey(questions=FIVE[:4])
    answer = look(client, survey, harm="embarrassment")
    addresses = [address for _words, address in answer.context["exits"] if address]
    assert len(addresses) == 3
    for address in addresses:
        there = sign_in(client).get(page(survey, "advice") + address)
        assert there.context["proposal"].is_met
        assert there.context["exits"] == []


def test_no_main_button_stands_on_a_survey_that_gets_worse(client):
    worse = look(client, make_survey(questions=FIVE))
    form = form_of(worse)
    assert "button--main" not in form
    assert "Change this: 5 questions less precise and more protected" in form
    assert "5 questions become less precise than they are, and than is needed." in form
    better = look(client, make_survey(slug="b", questions=[{"epsilon": "0.5"}]))
    form = form_of(better)
    assert "button--main" in form
    assert "Change this: 1 question more precise and less protected" in form
    assert "accepts_worse" not in form
    wider = look(client, make_survey(slug="c", questions=[{}, {}]))
    assert wider.context["button"] == (
        "Change this: 2 questions more protected and as precise as needed"
    )


def test_where_nothing_is_to_change_no_button_stands(client):
    survey = make_survey(questions=[{"epsilon": "0.88"}])
    answer = look(client, survey)
    assert answer.context["button"] == ""
    assert "Nothing to change: keep what you have." in visible_text(answer.text)


def test_what_stays_is_named_with_its_reason(client):
    questions = [
        searched_question(name="searched"),
        {"kind": "short_text", "design": "rappor", "name": "text", "epsilon": "1"},
        {"physical_device": "die", "name": "die"},
        {"randomized": False, "name": "direct"},
    ]
    survey = make_survey(questions=questions)
    rows = look(client, survey, harm="embarrassment", budget="5").context["rows"]
    assert [row.titles[0][0] for row in rows] == ["1", "2", "3"]
    assert rows[0].reason == "Stays as it is: its device is made for this epsilon."
    assert rows[1].reason == "Stays as it is: what it finds has no margin of a share."
    assert rows[1].proposed.margin == "–"


def test_ties_have_no_margin_of_a_share_and_stay(client):
    survey = ties_draft(20)
    make_question(survey, epsilon="0.5")
    wish = {"harm": "embarrassment", "planned_n": "20", "margin": "25"}
    ties, question = look(client, survey, **wish).context["rows"]
    assert ties.reason == "Stays as it is: what it finds has no margin of a share."
    assert ties.now == ties.proposed
    assert question.change == "better"


def test_a_number_has_its_margin_in_its_own_units(client):
    scale = {"lower": "0", "upper": "10", "step": "1", "unit": "hours", "bins": []}
    number = {"kind": "bounded_number", "design": "one_bit", "scale": scale}
    (row,) = look(client, make_survey(questions=[number])).context["rows"]
    assert row.now.margin.endswith(" hours")
    assert row.now.example == ""


def test_a_group_is_one_row(client):
    group = {"kind": "single_choice", "options": list("abc"), "group": 1, "epsilon": "0.5"}
    survey = make_survey(questions=[{}, group, group])
    rows = look(client, survey).context["rows"]
    assert [len(row.titles) for row in rows] == [1, 2]
    take(client, survey, budget_too="on")
    parts = [question.epsilon for question in survey.questions.all()[1:]]
    assert numbers_of(rows[1].proposed.epsilon) == sum(parts)
    assert max(parts) - min(parts) < Decimal("0.02")


def numbers_of(text):
    return Decimal(text.replace(",", ""))


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ({"kind": "single_choice", "options": []}, "Question 2 is not finished: A choice has 2 to"),
        ({"kind": "bounded_number", "design": "one_bit"}, "its range is missing."),
        ({"kind": "unheard", "options": []}, "Question 2 is not finished: it has no kind"),
        ({"design": "cards"}, "Question 2 is not finished: its device does not fit it."),
    ],
)
def test_an_unfinished_question_is_named(client, question, words):
    answer = look(client, make_survey(questions=[{}, question]))
    assert words in answer.context["problem"]


def test_where_each_person_is_asked_a_part_nothing_is_proposed(client):
    survey = make_survey(questions=[{}, {}, {}], features={PILOTS: {"on": True}})
    assert "asked a part of the questions only" in look(client, survey).context["problem"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"harm": "none"},
        {"harm": ""},
        {"planned_n": "1"},
        {"planned_n": "x"},
        {"margin": "0"},
        {"margin": "26"},
        {"margin": "nan"},
        {"budget": ""},
        {"budget": "1e9"},
        {"aim": "margin"},
    ],
)
@pytest.mark.slow
def test_a_wish_that_makes_no_sense_is_refused_in_its_place(client, wrong):
    survey = make_survey(questions=FIVE[:2])
    answer = look(client, survey, **wrong)
    assert set(answer.context["form"].errors) == set(wrong)
    assert "proposal" not in answer.context
    refused = sign_in(client).post(page(survey, "advice"), {**WISH, **wrong, "seen": "x"})
    assert refused.status_code == 200
    assert stored(survey) == ["1", "1"]


def test_margin_and_aim_may_be_left_out(client):
    survey = make_survey(questions=FIVE[:1])
    wish = {"harm": "prosecution", "planned_n": "800", "budget": "3"}
    answer = sign_in(client).get(page(survey, "advice"), wish)
    assert answer.context["proposal"].wish.margin == 0.1
    assert answer.context["proposal"].wish.aim == "even"


# --- what it writes -------------------------------------------------------------------------------


def test_a_proposal_is_taken_and_history_brings_back_what_was(client):
    survey = make_survey(questions=[{"epsilon": "0.5"}, {"epsilon": "0.6"}])
    answer = look(client, survey)
    done = take(client, survey, answer)
    assert done.status_code == 302
    assert stored(survey) == [row.proposed.epsilon for row in answer.context["rows"]]
    shares = answer.context["proposal"].shares
    for question, share in zip(survey.questions.all(), shares, strict=True):
        assert focal_margin(question, 500) == share.margin <= 0.1
    (message,) = messages_of(done)
    assert message.startswith("Changed: the epsilons of 2 questions. The history of the survey")
    assert survey.revisions.count() == 2
    first = survey.revisions.order_by("pk").first()
    assert [each["epsilon"] for each in first.content["questions"]] == ["0.5", "0.6"]
    assert look(client, survey).context["button"] == ""


@pytest.mark.slow
def test_what_gets_worse_needs_a_tick(client):
    survey = make_survey(questions=FIVE)
    refused = take(client, survey)
    assert refused.status_code == 200
    assert "accepts_worse" in refused.context["taking"].errors
    assert stored(survey) == ["1"] * 5
    assert take(client, survey, accepts_worse="on").status_code == 302
    assert stored(survey)[-1] == "0.05"
    assert sum(map(Decimal, stored(survey))) <= 3


@pytest.mark.slow
def test_the_budget_and_the_people_follow_where_they_are_ticked(client):
    survey = make_survey(questions=FIVE[:4])
    wish = {"harm": "embarrassment", "budget": "4.96", "planned_n": "520"}
    answer = look(client, survey, **wish)
    assert set(answer.context["taking"].fields) == {"seen", "budget_too", "planned_n_too"}
    refused = take(client, survey, answer, wish=wish)
    assert "budget_too" in refused.context["taking"].errors
    assert stored(survey) == ["1"] * 4
    assert take(client, survey, answer, wish=wish, budget_too="on").status_code == 302
    survey.refresh_from_db()
    assert (survey.budget, survey.planned_n) == (Decimal("4.96"), 500)
    again = take(client, survey, wish=wish, planned_n_too="on")
    assert "Planned respondents: 520." in messages_of(again)[-1]
    survey.refresh_from_db()
    assert survey.planned_n == 520


def test_great_harm_lowers_the_budget_only_where_that_is_ticked(client):
    survey = make_survey(questions=[{}])
    assert take(client, survey, wish={"harm": "prosecution"}).status_code == 302
    survey.refresh_from_db()
    assert survey.budget == 3
    take(client, survey, wish={"harm": "prosecution"}, budget_too="on")
    survey.refresh_from_db()
    assert survey.budget == 2


@pytest.mark.parametrize(
    "change",
    [
        lambda survey: make_question(survey),
        lambda survey: survey.questions.filter(name="q2").delete(),
        lambda survey: survey.questions.filter(name="q2").update(epsilon="0.9"),
        lambda survey: survey.questions.filter(name="q2").update(prefer_not=True),
        lambda survey: Survey.objects.filter(pk=survey.pk).update(budget="2.5"),
        lambda survey: Survey.objects.filter(pk=survey.pk).update(planned_n=501),
    ],
    ids=["added", "removed", "epsilon", "answers", "budget", "people"],
)
@pytest.mark.slow
def test_a_proposal_for_another_draft_is_refused_and_a_new_one_shown(client, change):
    survey = make_survey(questions=[{}, {"epsilon": "0.5"}])
    answer = look(client, survey)
    change(survey)
    before = stored(survey)
    refused = take(client, survey, answer)
    assert refused.status_code == 200
    assert "The draft has changed since this was proposed" in messages_of(refused)[-1]
    assert refused.context["seen"] != answer.context["seen"]
    assert stored(survey) == before
    assert take(client, survey, refused).status_code == 302


def test_a_change_of_texts_alone_refuses_nothing(client):
    survey = make_survey(questions=[{"epsilon": "0.5"}])
    answer = look(client, survey)
    survey.questions.update(text="Have you ever?", help_text="Be frank.")
    assert take(client, survey, answer).status_code == 302


def test_looking_changes_nothing(client):
    survey = make_survey(questions=FIVE)
    before = Survey.objects.values().get(), list(survey.questions.values())
    look(client, survey)
    assert before == (Survey.objects.values().get(), list(survey.questions.values()))
    assert survey.revisions.count() == 0


def test_a_launched_survey_is_not_changed(client):
    survey = make_survey(questions=[{"epsilon": "0.5"}])
    answer = look(client, survey)
    launch_survey(survey=survey, actor=None)
    for response in (
        take(client, survey, answer),
        sign_in(client).get(page(survey, "advice"), WISH),
    ):
        assert response.status_code == 302
    assert stored(survey) == ["0.5"]


def test_only_its_author_gets_there(client):
    survey = make_survey(questions=FIVE)
    stranger = sign_in(client, make_user("stranger", author=True))
    assert stranger.get(page(survey, "advice"), WISH).status_code == 404
    assert stranger.post(page(survey, "advice"), {**WISH, "seen": "x"}).status_code == 404


def test_the_ribbon_of_a_draft_leads_there(client):
    survey = make_survey(questions=[{}])
    text = sign_in(client).get(page(survey)).text
    assert f'href="{page(survey, "advice")}">What should I choose?' in text
    launch_survey(survey=survey, actor=None)
    assert page(survey, "advice") not in sign_in(client).get(page(survey)).text
