"""What an author does with the questions of a draft: add, copy, move, remove, put back."""

import pytest
from django.urls import reverse

from surveys.authoring.checks.survey import lint_survey
from surveys.drafts import Draft
from surveys.exceptions import NotReadyError, WrongStateError
from surveys.features import FEATURES
from surveys.forms.edited_question import usual_design
from surveys.kinds import KINDS
from surveys.models import Question, RemovedQuestion, Survey
from surveys.services import editing
from surveys.services.launches import launch_survey
from tests.app.author_posts import (
    SCRIPT,
    add_question,
    opened,
    page,
    question_page,
    sign_in,
    write_question,
    write_settings,
)
from tests.app.contract.combined import BATCH
from tests.app.searched_tables import searched_question
from tests.app.visible_text import visible_text
from tests.builders import make_survey, make_user
from tests.filtered import SURVEY, question

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
FIVE = [{"text": f"Question {letter}?", "name": letter} for letter in "abcde"]


@pytest.fixture
def author(client):
    return sign_in(client)


@pytest.fixture
def draft():
    return make_survey(questions=FIVE, budget=9)


def order(survey):
    rows = survey.questions.order_by("position", "pk").values_list("name", "position")
    assert [position for _name, position in rows] == list(range(1, len(rows) + 1))
    return "".join(name for name, _position in rows)


def act(client, question, name, **data):
    return client.post(question_page(question, f"question_{name}"), data)


def named(survey, name):
    return survey.questions.get(name=name)


# --- add and copy ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.name)
@pytest.mark.slow
def test_a_question_of_each_kind_is_added_and_shown(author, kind):
    survey = make_survey(questions=[])
    question = add_question(author, survey, kind.name)
    assert (question.kind, question.name, question.position) == (kind.name, "q1", 1)
    assert (question.text, question.randomized, str(question.epsilon.normalize())) == (
        "",
        True,
        "1",
    )
    assert (question.required, question.prefer_not) == (False, kind.refusable)
    usual = usual_design(Draft.of(question))
    # Of a number and of a ranking it depends on what is still to be typed.
    assert question.design == usual or kind.numeric or not usual
    response = opened(author, question)
    assert f'<option value="{kind.name}" ' in response.text
    # It is not finished before it has a text.
    assert "no_text" in {each.code for each in lint_survey(survey) if each.blocks}
    answer = write_question(author, question, text="Which?")
    assert "text" not in answer["errors"]


def test_what_is_no_kind_is_not_added(author, draft):
    for kind in ("essay", "", "yes_no\x00"):
        assert author.post(page(draft, "question_add"), {"kind": kind}).status_code == 404
    assert order(draft) == "abcde"


def test_added_questions_stand_last_under_the_first_free_name(author):
    survey = make_survey(questions=[{}, {}, {}])
    act(author, named(survey, "q2"), "remove")
    added = [add_question(author, survey) for _ in range(2)]
    assert [each.name for each in added] == ["q2", "q4"]
    assert order(survey) == "q1q3q2q4"


def test_a_copy_stands_after_its_original(author, draft):
    Question.objects.filter(name="b").update(
        epsilon="0.5", help_text="Help", features={"control_items": {"share": "0"}}
    )
    answer = act(author, named(draft, "b"), "duplicate")
    copy = named(draft, "b_2")
    assert answer.url == question_page(copy)
    assert order(draft) == "abb_2cde"
    same = ("text", "help_text", "kind", "epsilon", "design", "features", "required")
    rows = [Question.objects.values(*same).get(name=name) for name in ("b", "b_2")]
    assert rows[0] == rows[1]
    act(author, named(draft, "b"), "duplicate")
    assert order(draft) == "abb_3b_2cde"


def test_a_copy_of_what_is_not_finished_is_not_finished(author, draft):
    write_question(author, named(draft, "a"), epsilon="much", text="Typed?")
    act(author, named(draft, "a"), "duplicate")
    form = opened(author, named(draft, "a_2")).context["form"]
    assert (form["epsilon"].value(), form["text"].value()) == ("much", "Typed?")
    assert form["name"].value() == "a_2"
    assert list(form.errors) == ["epsilon"]
    # The versions of a field that disagree belong to the original alone.
    Question.objects.filter(name="a").update(
        typed={"others": {"text": [{"texts": ["Mine?"], "by": "x"}]}, "texts": {"text": ["T?"]}}
    )
    act(author, named(draft, "a"), "duplicate")
    assert "others" not in named(draft, "a_3").typed


def test_a_copy_of_a_question_with_disagreeing_versions_has_what_is_stored(author, draft):
    typed = {"others": {"text": [{"texts": ["Mine?"], "by": "x"}]}}
    Question.objects.filter(name="a").update(typed=typed)
    act(author, named(draft, "a"), "duplicate")
    assert opened(author, named(draft, "a_2")).context["disagreements"] == []


def test_two_questions_may_not_have_one_name(author, draft):
    answer = write_question(author, named(draft, "b"), name="a")
    assert answer["errors"] == {"name": ["Another question is called “a” already. “a_2” is free."]}
    assert order(draft) == "abcde"
    assert "unfinished" in {each.code for each in lint_survey(draft) if each.blocks}


@pytest.mark.parametrize("most", [5, 6])
def test_a_draft_has_so_many_questions_at_most(author, draft, monkeypatch, most):
    monkeypatch.setattr("surveys.authoring.limits.MAX_QUESTIONS", most)
    author.post(page(draft, "question_add"), {"kind": "yes_no"})
    act(author, named(draft, "a"), "duplicate")
    assert draft.questions.count() == most


# --- move -----------------------------------------------------------------------------------------


def move(client, survey, name, after=None, **data):
    if after is not None:
        data["after"] = str(named(survey, after).pk)
    return act(client, named(survey, name), "move", **data)


@pytest.mark.parametrize(
    ("name", "after", "result"),
    [
        ("a", "c", "bcade"),
        ("a", "e", "bcdea"),
        ("e", "a", "aebcd"),
        ("c", "b", "abcde"),
        ("c", None, "cabde"),
        ("a", None, "abcde"),
    ],
)
def test_a_question_is_put_after_another_one_or_first(author, draft, name, after, result):
    assert move(author, draft, name, after).url == page(draft)
    assert order(draft) == result


@pytest.mark.parametrize(
    ("name", "way", "result"),
    [
        ("a", "up", "abcde"),
        ("a", "down", "bacde"),
        ("c", "up", "acbde"),
        ("c", "down", "abdce"),
        ("e", "up", "abced"),
        ("e", "down", "abcde"),
        ("b", "up", "bacde"),
    ],
)
def test_a_question_goes_one_place_up_or_down(author, draft, name, way, result):
    move(author, draft, name, way=way)
    assert order(draft) == result


def test_moves_on_two_pages_do_not_undo_each_other(author, draft):
    """Each moves one question; the order of the others is not sent."""
    move(author, draft, "e", "a")
    move(author, draft, "b", "d")
    assert order(draft) == "aecdb"
    move(author, draft, "a", "b")
    assert order(draft) == "ecdba"


@pytest.mark.parametrize("after", ["self", "other", "999999"])
def test_a_place_that_is_none_changes_nothing(author, draft, after):
    other = make_survey(slug="other").questions.get()
    keys = {"self": named(draft, "b").pk, "other": other.pk}
    answer = (
        move(author, draft, "b", **{})
        if after == "none"
        else act(author, named(draft, "b"), "move", after=str(keys.get(after, after)))
    )
    assert answer.status_code == 404
    assert order(draft) == "abcde"
    assert other.survey.questions.get().position == 1


def test_a_move_writes_only_the_questions_whose_places_change(
    author, draft, django_assert_num_queries
):
    with django_assert_num_queries(10, exact=False):
        editing.move_question(
            survey=draft, question_id=named(draft, "d").pk, after=named(draft, "b").pk
        )
    assert order(draft) == "abdce"


# --- remove and put back --------------------------------------------------------------------------


def put_back(client, survey, **chosen):
    removed = survey.removed_questions.filter(**chosen).first()
    return client.post(page(survey, "question_put_back", removed.pk))


def test_a_removed_question_is_listed_and_put_back_where_it_was(author, draft):
    Question.objects.filter(name="b").update(
        epsilon="0.5", help_text="Help", features={"control_items": {"share": "0"}}
    )
    before = Question.objects.values().get(name="b")
    act(author, named(draft, "b"), "remove")
    assert order(draft) == "acde"
    shown = visible_text(author.get(page(draft)).text)
    assert "Removed: Question b?" in shown
    answer = put_back(author, draft)
    assert answer.url == question_page(named(draft, "b"))
    assert order(draft) == "abcde"
    assert Question.objects.values().get(name="b") == before
    assert not RemovedQuestion.objects.exists()
    assert "Removed:" not in visible_text(author.get(page(draft)).text)


def test_a_name_that_is_taken_meanwhile_gets_another(author, draft):
    act(author, named(draft, "b"), "remove")
    write_question(author, named(draft, "c"), name="b")
    put_back(author, draft)
    assert order(draft) == "ab_2bde"


def test_a_place_that_is_gone_is_the_last(author, draft):
    for name in "edc":
        act(author, named(draft, name), "remove")
    put_back(author, draft, text="Question e?")
    assert order(draft) == "abe"
    put_back(author, draft, text="Question c?")
    assert order(draft) == "abce"


@pytest.mark.slow
def test_many_can_be_put_back_and_the_oldest_are_forgotten(author, draft, monkeypatch):
    monkeypatch.setattr(editing, "MOST_REMOVED", 3)
    for name in "abcd":
        act(author, named(draft, name), "remove")
    texts = list(draft.removed_questions.values_list("text", flat=True))
    assert texts == ["Question d?", "Question c?", "Question b?"]
    for _ in range(3):
        put_back(author, draft)
    assert sorted(order(draft)) == [*"bcde"]


@pytest.mark.slow
def test_five_are_listed_and_the_others_follow(author, draft):
    for name in "abcde":
        act(author, named(draft, name), "remove")
    add_question(author, draft)
    act(author, named(draft, "q1"), "remove")
    shown = visible_text(author.get(page(draft)).text)
    assert shown.count("Removed:") == 5
    put_back(author, draft)
    assert "Removed: Question a?" in visible_text(author.get(page(draft)).text)


@pytest.mark.slow
def test_what_is_not_finished_is_not_finished_when_it_is_back(author, draft):
    write_question(author, named(draft, "b"), epsilon="much", text="Typed?")
    act(author, named(draft, "b"), "remove")
    assert draft.removed_questions.get().text == "Typed?"
    put_back(author, draft)
    form = opened(author, named(draft, "b")).context["form"]
    assert (form["epsilon"].value(), form["text"].value()) == ("much", "Typed?")


def test_a_searched_table_is_there_when_its_question_is_back(author):
    survey = make_survey(questions=[searched_question()])
    before = Question.objects.values().get()
    act(author, survey.questions.get(), "remove")
    put_back(author, survey)
    assert Question.objects.values().get() == before


def test_a_question_is_put_back_once(author, draft):
    act(author, named(draft, "b"), "remove")
    address = page(draft, "question_put_back", draft.removed_questions.get().pk)
    assert author.post(address).status_code == 302
    assert author.post(address).status_code == 404
    assert order(draft) == "abcde"


def test_a_question_of_another_survey_is_not_put_back_here(author, draft):
    other = make_survey(slug="other", questions=[{}])
    act(author, other.questions.get(), "remove")
    removed = other.removed_questions.get()
    assert author.post(page(draft, "question_put_back", removed.pk)).status_code == 404
    assert (order(draft), other.removed_questions.get()) == ("abcde", removed)


def test_a_survey_that_is_deleted_takes_its_removed_questions_along(author, draft):
    act(author, named(draft, "b"), "remove")
    draft.delete()
    assert not RemovedQuestion.objects.exists()


# --- the pages ------------------------------------------------------------------------------------


def test_the_list_has_a_line_for_each_question(author):
    choice = {"kind": "single_choice", "options": ["A", "B"], "text": " Which\nof these? "}
    survey = make_survey(questions=[{}, choice, {"randomized": False, "text": ""}])
    write_question(author, named(survey, "q1"), text="Typed?", epsilon="")
    first, second, third = author.get(page(survey)).context["overview"].lines
    assert (first.text, first.is_unfinished, first.kind) == ("Typed?", True, "Yes or no")
    assert (second.text, second.is_unfinished) == ("Which of these?", False)
    assert second.margin.startswith("± ")
    assert (third.text, third.protection, third.margin) == ("No text yet", "Sent as it is", "")
    assert [line.number for line in (first, second, third)] == [1, 2, 3]
    assert any("no text" in problem for problem in third.problems)


def test_the_parts_of_the_list_are_those_of_the_page(author, draft):
    second = named(draft, "b")
    parts = author.get(page(draft, "questions"), {"open": second.pk})
    assert parts.context["opened"] == second.pk
    assert "<html" not in parts.text
    assert parts.text.count("data-question-form") == 1
    assert parts.text.count("data-question=") == 5
    for text in ("", "x", "9" * 40, str(second.pk + 999)):
        assert author.get(page(draft, "questions"), {"open": text}).context["opened"] is None


def test_one_question_can_be_asked_for_alone(author, draft):
    address = question_page(named(draft, "b"))
    for answer in (author.get(address, headers=SCRIPT), author.get(address, {"part": "1"})):
        assert answer.text.count("data-question-form") == 1
        assert "<html" not in answer.text
        assert "data-question=" not in answer.text


def test_the_steps_of_a_draft_are_three_and_none_of_a_launched_survey(author, draft):
    for name, label in (("change", "Questions"), ("settings", "Settings")):
        steps = author.get(page(draft, name)).context["steps"]
        assert [str(step.label) for step in steps] == ["Questions", "Settings", "Check and launch"]
        assert [str(step.label) for step in steps if step.is_current] == [label]
    launch_survey(survey=draft, actor=None)
    shown = author.get(page(draft))
    assert shown.context["steps"] == []
    assert "Check and launch" not in shown.text


ACTS = ("question", "question_duplicate", "question_move", "question_remove", "question_choose")
OF_SURVEY = ("question_add", "settings", "setting_choose", "add_feature", "tables", "table_remove")
OF_SURVEY += ("groups", "group_end")


@pytest.mark.slow
def test_nobody_else_changes_a_draft_or_sees_it(client, draft):
    sign_in(client, make_user("colleague", author=True))
    first = draft.questions.first()
    removed = editing.remove_question(survey=draft, question_id=named(draft, "e").pk)
    addresses = [question_page(first, name) for name in (*ACTS, "question_preview")]
    addresses += [page(draft, name) for name in (*OF_SURVEY, "questions", "change")]
    addresses += [page(draft, "question_put_back", removed.pk)]
    before = list(Survey.objects.values()), list(Question.objects.values())
    data = {"kind": "yes_no", "text": "Mine?", "title": "Mine", "way": "down"}
    for address in addresses:
        assert client.get(address).status_code in (404, 405), address
        answer = client.post(address, data, headers=SCRIPT)
        assert answer.status_code in (404, 405), address
        assert "Question a?" not in answer.text
    assert (list(Survey.objects.values()), list(Question.objects.values())) == before
    # Through a draft of one's own neither.
    own = make_survey(slug="own", owned_by=make_user("other", author=True))
    sign_in(client, own.owner)
    for name in ACTS:
        address = reverse(f"admin:survey_{name}", args=[own.pk, first.pk])
        assert client.post(address, data, headers=SCRIPT).status_code == 404
    assert client.post(page(own, "question_put_back", removed.pk)).status_code == 404
    assert list(Question.objects.filter(survey=draft).values()) == before[1]


@pytest.mark.slow
def test_a_launched_survey_keeps_its_questions(author, draft):
    removed = editing.remove_question(survey=draft, question_id=named(draft, "e").pk)
    first = draft.questions.first()
    launch_survey(survey=draft, actor=None)
    before = list(Question.objects.values())
    addresses = [question_page(first, name) for name in ACTS[1:]]
    addresses += [page(draft, "question_add"), page(draft, "question_put_back", removed.pk)]
    for address in addresses:
        answer = author.post(address, {"kind": "yes_no", "way": "down"}, follow=True)
        assert answer.status_code == 200, address
        if not address.endswith("choose/"):
            assert "launched" in visible_text(answer.text).lower(), address
    assert list(Question.objects.values()) == before
    for name in ("duplicate_question", "remove_question"):
        with pytest.raises(WrongStateError):
            getattr(editing, name)(survey=draft, question_id=first.pk)
    with pytest.raises(WrongStateError):
        editing.add_question(survey=draft, kind="yes_no")
    assert author.get(question_page(first)).url == page(draft)
    assert author.get(question_page(first, "question_preview")).status_code == 404


# --- the preview of the open question -------------------------------------------------------------


def preview(client, question):
    answer = client.get(question_page(question, "question_preview"))
    assert answer.status_code == 200
    assert "frame-ancestors 'self'" in answer.headers["Content-Security-Policy"]
    return answer


def test_the_preview_shows_what_is_typed(author, draft):
    question = named(draft, "b")
    assert "Question b?" in preview(author, question).text
    assert "Question a?" not in preview(author, question).text
    write_question(author, question, text="Typed?", epsilon="much")
    assert "Typed?" in preview(author, question).text
    assert question.typed is None
    assert named(draft, "b").text == "Question b?"


def test_the_preview_of_a_group_shows_all_of_it(author):
    survey = make_survey(questions=[{"group": 1, "text": "One?"}, {"group": 1, "text": "Two?"}, {}])
    text = preview(author, survey.questions.last()).text
    assert "One?" not in text
    text = preview(author, survey.questions.first()).text
    assert "One?" in text
    assert "Two?" in text


def shown_in_preview(client, survey, name):
    """The names of the questions in a preview, and the answers to the one that it is of."""
    document = preview(client, named(survey, name)).context["document"]
    return [each.id for each in document.questions], document.question(name).categories


@pytest.mark.slow
def test_the_preview_has_the_questions_without_which_one_cannot_be_shown(author):
    """So a device is that of the survey, which has “does not apply” among its answers."""
    home = question("home", only_if="caught = Yes", text="At home, in {contract|your job}?")
    survey = make_survey(questions=[*SURVEY["questions"], home], budget=9)
    assert shown_in_preview(author, survey, "drug")[0] == ["drug"]
    assert shown_in_preview(author, survey, "often") == (
        ["drug", "often"],
        ("Once", "Some times", "Often", "Does not apply", "Prefer not to say"),
    )
    names = ["contract", "age", "drug", "often", "caught", "home"]
    assert shown_in_preview(author, survey, "home")[0] == names
    # Where one of these is not complete, a filter is left out, and so is its category.
    survey.questions.filter(name="drug").update(kind="single_choice", options=[])
    answers = ("Once", "Some times", "Often", "Prefer not to say")
    assert shown_in_preview(author, survey, "often") == (["often"], answers)


def test_the_preview_of_a_question_that_the_link_answers_says_that_nobody_is_asked(author):
    survey = make_survey(questions=[BATCH, question("x", only_if="batch = First")], budget=9)
    text = visible_text(preview(author, named(survey, "batch")).text)
    assert "Nobody is asked this question." in text
    assert shown_in_preview(author, survey, "x")[0] == ["batch", "x"]


def test_a_question_that_cannot_be_shown_yet_says_so(author):
    survey = make_survey(questions=[{"kind": "single_choice", "options": []}])
    text = visible_text(preview(author, survey.questions.get()).text)
    assert "The preview follows once the question is complete." in text


# --- what can be added ----------------------------------------------------------------------------


def additions(client, survey):
    return {
        each.feature.name: each
        for each in client.get(page(survey, "add_feature")).context["additions"]
    }


@pytest.mark.slow
def test_every_feature_is_offered_with_a_way_to_it(author, draft):
    offered = additions(author, draft)
    assert set(offered) == set(FEATURES)
    shown = visible_text(author.get(page(draft, "add_feature")).text)
    for name, each in offered.items():
        assert str(each.feature.purpose) in shown
        assert each.url or FEATURES[name].mode is not None or each.where
        if each.url and each.at_once:
            assert author.post(each.url).status_code == 302, name
        elif each.url:
            assert author.get(each.url.partition("#")[0]).status_code == 200, name
    assert not any(each.is_used for each in offered.values())


def test_what_is_used_is_marked_and_what_does_not_go_with_it_is_said(author):
    survey = make_survey(questions=[{}, {}, {}], pilot=True)
    offered = additions(author, survey)
    used = [name for name, each in offered.items() if each.is_used]
    assert len(used) == 1
    blocked = [each for each in offered.values() if each.obstacles]
    assert blocked
    shown = visible_text(author.get(page(survey, "add_feature")).text)
    assert all(words in shown for each in blocked for words in each.obstacles)


@pytest.mark.parametrize(
    "name", [feature.name for feature in FEATURES.values() if feature.mode is not None]
)
def test_a_way_to_tell_respondents_apart_is_used_with_what_it_needs(author, name):
    survey = make_survey(linkage="apart")
    answer = author.post(page(survey, "add_feature"), {"feature": name}, follow=True)
    survey.refresh_from_db()
    assert (survey.mode, survey.linkage) == (FEATURES[name].mode.value, "together")
    assert "The answers of one person are kept together" in visible_text(answer.text)
    assert additions(author, survey)[name].is_used


@pytest.mark.slow
def test_no_other_feature_is_used_by_a_click(author, draft):
    others = [name for name, feature in FEATURES.items() if feature.mode is None]
    for name in (*others, "nothing", ""):
        assert author.post(page(draft, "add_feature"), {"feature": name}).status_code == 404


def test_a_launched_survey_takes_no_feature(author, draft):
    launch_survey(survey=draft, actor=None)
    assert author.get(page(draft, "add_feature")).url == page(draft)
    name = next(name for name, feature in FEATURES.items() if feature.mode is not None)
    author.post(page(draft, "add_feature"), {"feature": name})
    draft.refresh_from_db()
    assert draft.mode == "open"


@pytest.mark.slow
def test_a_draft_without_a_title_is_not_launched(author):
    survey = editing.start_survey(owner=make_user("author", author=True), language="en")
    sign_in(author, survey.owner)
    add_question(author, survey)
    write_question(author, survey.questions.get(), text="Ever?")
    assert "untitled" in {each.code for each in lint_survey(survey) if each.blocks}
    with pytest.raises(NotReadyError):
        launch_survey(survey=survey, actor=None)
    write_settings(author, survey, title="Health")
    survey.refresh_from_db()
    assert "untitled" not in {each.code for each in lint_survey(survey)}


@pytest.mark.parametrize(("language", "stored"), [("de", "de"), ("tlh", "en"), ("", "en")])
def test_a_draft_begins_in_a_language_that_respondents_may_read(language, stored):
    survey = editing.start_survey(owner=make_user("author", author=True), language=language)
    assert survey.language == stored
