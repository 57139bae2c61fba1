"""Two pages of one draft, and a session that ends: nothing is put back, nothing typed is lost."""

import json
import re
from urllib.parse import urlsplit

import pytest
from django.test import Client

from surveys.authoring.checks.survey import lint_survey
from surveys.models import Question, Survey
from surveys.services.launches import launch_survey
from tests.app.author_posts import (
    ADD,
    SCRIPT,
    opened,
    page,
    question_page,
    sign_in,
    started,
    write_question,
    write_settings,
)
from tests.app.posted_fields import Fields
from tests.app.visible_text import visible_text
from tests.builders import make_survey, make_user, owner

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
SETTINGS, OPEN, TITLE, OTHER_PAGE = "survey_form", "data-question-form", "data-sheet", "data-typed"


@pytest.fixture
def draft():
    return make_survey(questions=[{"text": "First?"}, {"text": "Second?"}])


@pytest.fixture
def author(client):
    return sign_in(client)


@pytest.fixture
def first(draft):
    return draft.questions.first()


def load(client, address, form):
    """What a browser posts of a form as it was loaded."""
    response = client.get(address)
    assert response.status_code == 200
    return Fields(response.text, form).posted


def load_settings(client, survey):
    return load(client, page(survey, "settings"), SETTINGS)


def load_question(client, question):
    return load(client, question_page(question), OPEN)


def send(client, address, posted, **changes):
    """Send a form with changes, without its script; None unticks a box."""
    data = {**posted, **changes}
    data = {name: value for name, value in data.items() if value is not None}
    return client.post(address, data)


def save(client, address, posted, **changes):
    """Send a form with changes as its script does; return the answer."""
    data = {**posted, **changes}
    data = {name: value for name, value in data.items() if value is not None}
    response = client.post(address, data, headers=SCRIPT)
    assert response.status_code == 200, response.text
    return response.json()


def seen_after(posted, answer):
    """What a form carries after a save: as much as before, and what is stored now."""
    known = json.loads(posted["seen"][0])
    return json.dumps({name: answer["seen"][name] for name in known})


def save_settings(client, survey, posted, **changes):
    return save(client, page(survey, "settings"), posted, **changes)


def save_question(client, question, posted, **changes):
    return save(client, question_page(question), posted, **changes)


def finding_codes(survey):
    return {each.code for each in lint_survey(Survey.objects.get(pk=survey.pk)) if each.blocks}


def question_now(question):
    return Question.objects.get(pk=question.pk)


# --- one page -------------------------------------------------------------------------------------


def test_what_is_right_is_stored_and_what_is_not_is_kept_as_it_was_typed(author, draft, first):
    here = load_question(author, first)
    answer = save_question(author, first, here, text="Ever?", epsilon="much")
    assert answer["state"] == "unfinished"
    assert list(answer["errors"]) == ["epsilon"]
    # The sheet is stored as a whole: nothing of it before all of it is right.
    stored = question_now(first)
    assert (stored.text, stored.epsilon) == ("First?", 1)
    assert finding_codes(draft) == {"unfinished"}
    shown = load_question(author, first)
    assert (shown["text"], shown["epsilon"]) == (["Ever?"], ["much"])
    answer = save_question(author, first, shown, epsilon="2")
    assert (answer["state"], answer["errors"]) == ("saved", {})
    stored = question_now(first)
    assert (stored.text, stored.epsilon, stored.typed) == ("Ever?", 2, None)
    assert finding_codes(draft) == set()


def test_settings_that_are_not_right_stop_the_launch_and_are_shown_again(author, draft):
    here = load_settings(author, draft)
    answer = save_settings(author, draft, here, budget="much", consent="I agree.")
    assert (answer["state"], list(answer["errors"])) == ("unfinished", ["budget"])
    assert finding_codes(draft) == {"unfinished"}
    draft.refresh_from_db()
    assert (draft.budget, draft.consent) == (3, "Taking part is voluntary.")
    shown = load_settings(author, draft)
    assert (shown["budget"], shown["consent"]) == (["much"], ["I agree."])
    answer = save_settings(author, draft, shown, budget="4")
    assert (answer["state"], answer["errors"]) == ("saved", {})
    draft.refresh_from_db()
    assert (draft.budget, draft.consent, draft.typed) == (4, "I agree.", None)


def test_what_does_not_count_for_a_kind_is_there_again_with_the_kind(author, first):
    here = load_question(author, first)
    typed = {"kind": "single_choice", "options": "Never\nOften"}
    answer = save_question(author, first, here, **typed)
    here |= {name: [text] for name, text in typed.items()} | {"seen": [seen_after(here, answer)]}
    answer = save_question(author, first, here, kind="yes_no")
    assert (answer["state"], question_now(first).options) == ("saved", [])
    # It stops no launch, and the page shows it again, with the kind or without.
    assert load_question(author, first)["options"] == ["Never\nOften"]
    again = load_question(author, first)
    answer = save_question(author, first, again, kind="single_choice")
    assert (answer["state"], answer["errors"]) == ("saved", {})
    assert question_now(first).options == ["Never", "Often"]
    assert question_now(first).typed is None


def test_an_answer_says_what_is_stored_otherwise_than_it_was_typed(author, draft, first):
    here = load_question(author, first)
    answer = save_question(author, first, here, text="Ever\u200b?")
    assert answer["changed"]["text"] == ["Ever?"]
    # The page goes on from what is stored.
    answer = save_question(author, first, here, text="Never?", seen=seen_after(here, answer))
    assert (answer["notes"], answer["disagrees"]) == ([], False)
    assert question_now(first).text == "Never?"


def test_a_page_without_script_is_led_back_to_where_it_was(author, draft, first):
    answer = send(author, question_page(first), load_question(author, first), text="Ever?")
    assert answer.url == question_page(first)
    answer = send(author, page(draft, "settings"), load_settings(author, draft), title="Work")
    assert answer.url == page(draft, "settings")
    title = load(author, page(draft), TITLE)
    assert send(author, page(draft, "settings"), title, title="Works").url == page(draft)
    draft.refresh_from_db()
    assert (draft.title, question_now(first).text) == ("Works", "Ever?")


def test_the_title_changes_the_address_until_its_author_writes_one(author):
    survey = started(author)
    typed = load(author, page(survey), TITLE)
    answer = save(author, page(survey, "settings"), typed, title="Health at Work")
    survey.refresh_from_db()
    assert (survey.title, survey.slug) == ("Health at Work", "health-at-work")
    seen = seen_after(typed, answer)
    save(author, page(survey, "settings"), typed, title="Health", seen=seen)
    survey.refresh_from_db()
    assert survey.slug == "health"
    write_settings(author, survey, slug="mine")
    write_settings(author, survey, title="Another title")
    survey.refresh_from_db()
    assert (survey.title, survey.slug) == ("Another title", "mine")


def test_a_title_that_another_survey_has_gets_a_free_address(author):
    make_survey(slug="health")
    survey = started(author)
    write_settings(author, survey, title="Health")
    survey.refresh_from_db()
    assert survey.slug == "health-2"


def test_the_form_of_the_title_leaves_everything_else_alone(author, draft):
    """Above all boxes, which a form that shows none of them does not tick."""
    Survey.objects.update(results_public=True)
    typed = load(author, page(draft), TITLE)
    assert "results_public" not in typed
    save(author, page(draft, "settings"), typed, title="Work")
    draft.refresh_from_db()
    assert (draft.title, draft.results_public, draft.consent) == (
        "Work",
        True,
        "Taking part is voluntary.",
    )


def test_a_box_that_the_page_showed_is_unticked(author, draft, first):
    Survey.objects.update(results_public=True)
    Question.objects.update(required=True)
    save_settings(author, draft, load_settings(author, draft), results_public=None)
    save_question(author, first, load_question(author, first), required=None)
    draft.refresh_from_db()
    assert (draft.results_public, question_now(first).required) == (False, False)


@pytest.mark.parametrize(
    "seen", [None, "", "{", "[]", "null", '{"text": 1, "title": {}}', '{"gone": "x"}']
)
def test_a_page_without_a_record_of_what_it_showed_loses_nothing(author, draft, first, seen):
    """A forged record can say that what is stored was not seen: then both are kept."""
    here = load_question(author, first)
    answer = save_question(author, first, here, text="Mine?", seen=seen)
    shown = [question_now(first).text]
    for each in (question_now(first).typed or {}).get("others", {}).get("text", []):
        shown += each["texts"]
    assert "Mine?" in shown or seen == '{"gone": "x"}'
    assert shown[0] in ("Mine?", "First?")
    assert answer["errors"] == {}


# --- two pages ------------------------------------------------------------------------------------


def test_what_only_another_page_has_changed_stays_changed(author, draft, first):
    here, there = load_question(author, first), load_question(author, first)
    save_question(author, first, there, text="Ever?")
    answer = save_question(author, first, here, help_text="Help")
    assert (answer["changed"], answer["disagrees"]) == ({"text": ["Ever?"]}, False)
    assert "Changed meanwhile" in answer["notes"][0]
    assert "Question" in answer["notes"][0]
    stored = question_now(first)
    assert (stored.text, stored.help_text, stored.typed) == ("Ever?", "Help", None)


def test_changes_of_two_pages_to_what_belongs_together_are_both_stored_and_told(
    author, draft, first
):
    """A device or an answer less may follow; whoever saves second reads what was taken over."""
    choice = {"kind": "single_choice", "options": "A\nB\nC\nD"}
    write_question(author, first, **choice)
    here, there = load_question(author, first), load_question(author, first)
    save_question(author, first, there, options="A", epsilon="2")
    answer = save_question(author, first, here, prefer_not="on")
    assert answer["state"] == "unfinished"
    assert list(answer["errors"]) == ["options"]
    assert "Options" in answer["notes"][-1]
    assert "Epsilon" in answer["notes"][-1]
    shown = load_question(author, first)
    assert (shown["options"], shown["epsilon"], shown["prefer_not"]) == (["A"], ["2"], ["on"])


def test_what_only_another_page_has_changed_in_the_settings_stays_changed(author, draft):
    here, there = load_settings(author, draft), load_settings(author, draft)
    save_settings(author, draft, there, title="Work", results_public="on")
    answer = save_settings(author, draft, here, consent="I agree.")
    assert answer["changed"] == {"title": ["Work"], "results_public": ["on"]} | {
        name: texts for name, texts in answer["changed"].items() if name == "slug"
    }
    draft.refresh_from_db()
    assert (draft.title, draft.consent, draft.results_public) == ("Work", "I agree.", True)


def test_a_save_without_script_says_what_was_taken_over(author, draft, first):
    here, there = load_question(author, first), load_question(author, first)
    save_question(author, first, there, text="Ever?")
    send(author, question_page(first), here, help_text="Help")
    assert "taken over: Question" in visible_text(opened(author, first).text)


def disagree(client, question):
    """Two pages that have changed one field in different ways."""
    here, there = load_question(client, question), load_question(client, question)
    save_question(client, question, there, text="Theirs?")
    return save_question(client, question, here, text="Mine?", help_text="My help")


def test_both_versions_of_what_both_have_changed_are_kept_and_shown(author, draft, first):
    answer = disagree(author, first)
    assert answer["disagrees"]
    assert answer["changed"]["text"] == ["Theirs?"]
    stored = question_now(first)
    # Everything else of the page is saved.
    assert (stored.text, stored.help_text) == ("Theirs?", "My help")
    response = opened(author, first)
    (found,) = response.context["disagreements"]
    assert (found.field, found.stored) == ("text", "Theirs?")
    assert [(each.text, each.choice) for each in found.versions] == [("Mine?", "0")]
    assert "What owner typed" in visible_text(response.text)
    assert "Not finished" in visible_text(author.get(page(draft)).text)
    assert "unfinished" in finding_codes(draft)


@pytest.mark.parametrize(("choice", "text"), [("0", "Mine?"), ("stored", "Theirs?")])
def test_a_version_is_chosen(author, draft, first, choice, text):
    disagree(author, first)
    answer = author.post(question_page(first, "question_choose"), {"version": f"text:{choice}"})
    assert answer.url == question_page(first)
    stored = question_now(first)
    assert (stored.text, stored.typed) == (text, None)
    assert opened(author, first).context["disagreements"] == []
    assert finding_codes(draft) == set()


def test_no_other_choice_changes_anything(author, draft, first):
    disagree(author, first)
    before = Question.objects.values().get(pk=first.pk)
    for version in ("", "text", "text:", "text:1", "text:-1", "name:0", "0", ":0"):
        author.post(question_page(first, "question_choose"), {"version": version})
        assert Question.objects.values().get(pk=first.pk) == before, version


def test_three_versions_are_kept_until_one_is_chosen(author, draft, first):
    pages = [load_question(author, first) for _ in range(4)]
    for number, typed in enumerate(pages):
        save_question(author, first, typed, text=f"Version {number}?")
    # Whoever sends the same once more adds no version.
    save_question(author, first, pages[2], text="Version 2?")
    (found,) = opened(author, first).context["disagreements"]
    assert found.stored == "Version 0?"
    assert [each.text for each in found.versions] == [f"Version {n}?" for n in (1, 2, 3)]
    author.post(question_page(first, "question_choose"), {"version": "text:1"})
    assert question_now(first).text == "Version 2?"


def test_versions_of_two_fields_are_chosen_one_by_one(author, draft, first):
    here, there = load_question(author, first), load_question(author, first)
    save_question(author, first, there, text="Theirs?", epsilon="2")
    save_question(author, first, here, text="Mine?", epsilon="0.5")
    fields = [each.field for each in opened(author, first).context["disagreements"]]
    assert sorted(fields) == ["epsilon", "text"]
    address = question_page(first, "question_choose")
    author.post(address, {"version": "epsilon:0"})
    stored = question_now(first)
    assert (float(stored.epsilon), stored.text) == (0.5, "Theirs?")
    assert "unfinished" in finding_codes(draft)
    author.post(address, {"version": "text:0"})
    assert question_now(first).text == "Mine?"
    assert finding_codes(draft) == set()


def test_a_chosen_version_may_be_wrong_itself(author, draft, first):
    here, there = load_question(author, first), load_question(author, first)
    save_question(author, first, there, epsilon="2")
    save_question(author, first, here, epsilon="much")
    author.post(question_page(first, "question_choose"), {"version": "epsilon:0"})
    assert load_question(author, first)["epsilon"] == ["much"]
    assert finding_codes(draft) == {"unfinished"}
    assert question_now(first).epsilon == 2


def test_a_version_can_be_chosen_while_something_else_is_not_right(author, draft, first):
    here, there = load_question(author, first), load_question(author, first)
    save_question(author, first, there, text="Theirs?")
    save_question(author, first, here, text="Mine?", epsilon="much")
    author.post(question_page(first, "question_choose"), {"version": "text:0"})
    shown = load_question(author, first)
    assert (shown["text"], shown["epsilon"]) == (["Mine?"], ["much"])
    write_question(author, first, epsilon="1")
    assert question_now(first).text == "Mine?"


def test_a_setting_that_both_have_changed_is_chosen_too(author, draft):
    here, there = load_settings(author, draft), load_settings(author, draft)
    save_settings(author, draft, there, title="Theirs")
    answer = save_settings(author, draft, here, title="Mine", consent="I agree.")
    assert answer["disagrees"]
    draft.refresh_from_db()
    assert (draft.title, draft.consent) == ("Theirs", "I agree.")
    (found,) = author.get(page(draft, "settings")).context["disagreements"]
    assert (found.stored, [each.text for each in found.versions]) == ("Theirs", ["Mine"])
    author.post(page(draft, "setting_choose"), {"version": "title:0"})
    draft.refresh_from_db()
    assert (draft.title, draft.typed) == ("Mine", None)


def test_the_title_above_the_questions_says_where_a_version_is_chosen(author, draft):
    here, there = (load(author, page(draft), TITLE) for _ in range(2))
    save(author, page(draft, "settings"), there, title="Theirs")
    answer = save(author, page(draft, "settings"), here, title="Mine")
    assert any("Choose in the settings which version stays." in note for note in answer["notes"])


def test_a_reader_who_was_removed_is_not_put_back(author, draft):
    draft.researchers.add(make_user("reader"))
    here = load_settings(author, draft)
    draft.researchers.clear()
    save_settings(author, draft, here, title="Mine")
    assert not draft.researchers.exists()


def test_the_other_person_is_named(author, draft, first):
    here = load_question(author, first)
    root = sign_in(Client(), make_user("root", superuser=True))
    there = load_question(root, first)
    save_question(author, first, here, text="Of the owner?")
    save_question(root, first, there, text="Of root?")
    assert "What root typed" in visible_text(opened(author, first).text)


# --- removed and launched meanwhile ---------------------------------------------------------------


def test_a_question_that_was_removed_while_it_was_edited_keeps_what_was_typed(author, draft, first):
    here = load_question(author, first)
    author.post(question_page(first, "question_remove"))
    data = {**here, "text": "Mine?", "epsilon": "2"}
    response = author.post(question_page(first), data, headers=SCRIPT)
    assert response.status_code == 409
    assert response.json()["state"] == "removed"
    removed = draft.removed_questions.get()
    assert (response.json()["removed"], removed.text) == (removed.pk, "Mine?")
    author.post(put_back_page(draft, removed))
    back = draft.questions.get(name="q1")
    assert (back.text, float(back.epsilon), back.typed) == ("Mine?", 2, None)


def test_what_was_typed_wrong_into_a_removed_question_is_wrong_when_it_is_back(
    author, draft, first
):
    here = load_question(author, first)
    author.post(question_page(first, "question_remove"))
    shown = author.post(question_page(first), {**here, "epsilon": "much"}, follow=True)
    assert "was removed meanwhile" in visible_text(shown.text)
    author.post(put_back_page(draft, draft.removed_questions.get()))
    back = draft.questions.get(name="q1")
    assert load_question(author, back)["epsilon"] == ["much"]
    assert finding_codes(draft) == {"unfinished"}


def put_back_page(survey, removed):
    return page(survey, "question_put_back", removed.pk)


def test_a_question_that_never_was_is_not_there(author, draft, first):
    here = load_question(author, first)
    other = make_survey(slug="other").questions.get()
    for question in (
        Question(pk=first.pk + 999, survey=draft),
        Question(pk=other.pk, survey=draft),
    ):
        assert author.get(question_page(question)).status_code == 404
        assert author.post(question_page(question), here, headers=SCRIPT).status_code == 404


def test_the_page_of_a_removed_question_leads_to_the_list(author, draft, first):
    author.post(question_page(first, "question_remove"))
    answer = author.get(question_page(first), follow=True)
    assert answer.redirect_chain[-1][0] == page(draft)
    assert "This question was removed." in visible_text(answer.text)


def test_what_was_typed_into_a_survey_that_is_launched_by_now_is_shown(author, draft, first):
    question, settings = load_question(author, first), load_settings(author, draft)
    launch_survey(survey=draft, actor=None)
    before = Survey.objects.values().get(), list(Question.objects.values())
    shown = send(author, question_page(first), question, text="Typed in vain?")
    assert "Typed in vain?" in shown.text
    assert "launched meanwhile" in visible_text(shown.text)
    shown = send(author, page(draft, "settings"), settings, consent="Typed in vain")
    assert "Typed in vain" in shown.text
    for address, typed in ((question_page(first), question), (page(draft, "settings"), settings)):
        answer = author.post(address, typed, headers=SCRIPT)
        assert (answer.status_code, answer.json()["state"]) == (409, "launched")
    assert (Survey.objects.values().get(), list(Question.objects.values())) == before


def test_what_stays_open_after_the_launch_is_saved_or_said(author, draft):
    launch_survey(survey=draft, actor=None)
    answer = write_settings(author, draft, planned_n="0")
    assert list(answer["errors"]) == ["planned_n"]
    assert load_settings(author, draft)["planned_n"] == ["0"]
    assert write_settings(author, draft, planned_n="700")["errors"] == {}
    draft.refresh_from_db()
    assert (draft.planned_n, draft.typed) == (700, None)


# --- a session that ends --------------------------------------------------------------------------


def sign_out(client):
    client.cookies.pop("sessionid")


def forms_of(draft):
    first = draft.questions.first()
    return {
        "a question": (question_page(first), OPEN, "text", "First?"),
        "settings": (page(draft, "settings"), SETTINGS, "title", "Health at work"),
    }


@pytest.mark.parametrize("name", ["a question", "settings"])
def test_what_was_typed_is_there_again_after_the_session_had_ended(author, draft, name):
    address, form, field, before = forms_of(draft)[name]
    here = load(author, address, form)
    sign_out(author)
    assert send(author, address, here, **{field: "Typed"}).status_code == 302
    response = sign_in(author).get(address)
    shown = Fields(response.text, form).posted
    assert shown[field] == ["Typed"]
    assert "signed out before this was saved" in response.text
    # Nothing of it is saved before it is sent again, and it is shown once.
    assert load(author, address, form)[field] == [before]
    answer = save(author, address, shown)
    assert answer["errors"] == {}
    assert load(author, address, form)[field] == ["Typed"]


@pytest.mark.parametrize("name", ["a question", "settings"])
def test_what_was_changed_while_nobody_was_signed_in_is_not_put_back(author, draft, name):
    address, form, field, _before = forms_of(draft)[name]
    here = load(author, address, form)
    sign_out(author)
    send(author, address, here, **{field: "Mine"})
    other = sign_in(Client(), make_user("root", superuser=True))
    save(other, address, load(other, address, form), **{field: "Theirs"})
    shown = Fields(sign_in(author).get(address).text, form).posted
    assert save(author, address, shown)["disagrees"]
    (found,) = author.get(address).context["disagreements"]
    assert (found.stored, [each.text for each in found.versions]) == ("Theirs", ["Mine"])


@pytest.mark.parametrize("name", ["a question", "settings"])
def test_another_account_never_sees_what_was_typed(author, draft, name):
    address, form, field, _before = forms_of(draft)[name]
    here = load(author, address, form)
    sign_out(author)
    send(author, address, here, **{field: "Private"})
    sign_in(author, make_user("root", superuser=True))
    assert "Private" not in author.get(address).text
    sign_in(author, owner())
    assert "Private" not in author.get(address).text


@pytest.mark.parametrize("mark", [None, "", "1:/", "forged"])
def test_nothing_is_kept_of_a_form_that_was_not_made_for_the_address(client, draft, mark):
    address = page(draft, "settings")
    data = {"title": "Planted"} | ({} if mark is None else {"typed_by": mark})
    assert client.post(address, data).status_code == 302
    assert "Planted" not in sign_in(client).get(address).text
    other = load_question(client, draft.questions.first())
    sign_out(client)
    send(client, address, other, title="Planted")
    assert "Planted" not in sign_in(client).get(address).text


def test_a_sign_in_in_another_tab_loses_nothing_typed(draft, first):
    """Signing in replaces the token of every open form."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(owner())
    address = question_page(first)
    here = load_question(client, first)
    client.cookies.pop("csrftoken")
    response = send(client, address, here, text="Typed?")
    assert (response.status_code, urlsplit(response.url).path) == (302, address)
    assert Fields(client.get(response.url).text, OPEN).posted["text"] == ["Typed?"]
    assert question_now(first).text == "First?"
    planted = {name: value for name, value in here.items() if name != "typed_by"}
    assert send(client, address, planted, text="Planted?").status_code == 403


def test_nobody_begins_or_changes_a_draft_without_the_token(draft, first):
    client = Client(enforce_csrf_checks=True)
    client.force_login(owner())
    before = list(Question.objects.values())
    acts = ("question_duplicate", "question_move", "question_remove", "question_choose")
    for address in (ADD, page(draft, "question_add"), *(question_page(first, x) for x in acts)):
        assert client.post(address, {"kind": "yes_no", "way": "down"}).status_code == 403
    assert list(Question.objects.values()) == before
    assert Survey.objects.count() == 1


# --- pages that do not save themselves ------------------------------------------------------------


def test_arms_of_another_tab_are_not_put_back(author, draft):
    address = page(draft, "arms")
    here = there = load(author, address, OTHER_PAGE)
    assert send(author, address, there, split_q1="0.5", split_share="40").status_code == 302
    assert send(author, address, here, split_q2="0.25").status_code == 302
    assert [each.features["arms"] for each in draft.questions.all()] == [
        {"split_epsilon": "0.5"},
        {"split_epsilon": "0.25"},
    ]
    refused = send(author, address, here, split_q1="0.75")
    assert [(each.key, each.mine) for each in refused.context["conflicts"]] == [
        ("split_q1", "0.75")
    ]


def test_a_choice_is_about_what_was_shown_and_no_later_save(author, draft):
    address = page(draft, "arms")
    here = load(author, address, OTHER_PAGE)
    send(author, address, here, split_q1="0.5")
    shown = Fields(send(author, address, here, split_q1="0.75").text, OTHER_PAGE).posted
    # Without a choice it is refused again, with the same on the page.
    assert Fields(send(author, address, shown).text, OTHER_PAGE).posted["split_q1"] == ["0.75"]
    draft.questions.filter(name="q1").update(features={"arms": {"split_epsilon": "0.6"}})
    refused = send(author, address, shown, **{"choose:split_q1": "mine"})
    assert [each.theirs for each in refused.context["conflicts"]] == ["0.6"]
    shown = Fields(refused.text, OTHER_PAGE).posted
    assert send(author, address, shown, **{"choose:split_q1": "mine"}).status_code == 302
    assert draft.questions.first().features["arms"] == {"split_epsilon": "0.75"}


def test_forms_of_the_other_pages_carry_what_was_typed_too(author, draft):
    address = page(draft, "arms")
    here = load(author, address, OTHER_PAGE)
    sign_out(author)
    send(author, address, here, split_share="41")
    response = sign_in(author).get(address)
    assert response.context["kept"]["split_share"] == ["41"]
    assert re.search(r'id="kept-fields"[^>]*>[^<]*"split_share": \["41"\]', response.text)
    draft.refresh_from_db()
    assert draft.features == {}
