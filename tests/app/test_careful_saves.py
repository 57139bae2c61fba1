"""Two tabs of one draft, and a session that ends: nothing is put back, nothing typed is lost."""

import re
from html.parser import HTMLParser

import pytest
from django.test import Client

from surveys.models import Survey
from surveys.services.launches import launch_survey
from tests.app.author_posts import ADD, errors_of, page, sign_in
from tests.builders import make_survey, make_user, owner

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


class Fields(HTMLParser):
    """The fields that a browser posts of the form with this id or, without one, that of arms."""

    def __init__(self, text: str, form: str) -> None:
        super().__init__()
        self.form, self.inside, self.template = form, False, 0
        self.posted: dict[str, list[str]] = {}
        self.select = self.textarea = ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        values = {name: value or "" for name, value in attrs}
        self.template += tag == "template"
        if tag == "form":
            self.inside = self.form in (values.get("id"), "data-typed" in values and "typed")
        name = values.get("name", "")
        if not self.inside or self.template:
            return
        if tag == "input" and name:
            is_box = values.get("type") in ("checkbox", "radio")
            if ("checked" in values or not is_box) and values.get("type") != "submit":
                usual = "on" if is_box else ""
                self.posted.setdefault(name, []).append(values.get("value", usual))
        elif tag == "textarea":
            self.textarea = name
            self.posted[name] = [""]
        elif tag == "select":
            self.select = name
        elif tag == "option" and "selected" in values:
            self.posted.setdefault(self.select, []).append(values["value"])

    def handle_endtag(self, tag):
        self.template -= tag == "template"
        self.inside = self.inside and tag != "form"
        self.textarea = "" if tag == "textarea" else self.textarea

    def handle_data(self, data):
        if self.textarea:
            text = self.posted[self.textarea][0] + data
            self.posted[self.textarea] = [text.removeprefix("\n")]


def load(client, address, form="survey_form"):
    response = client.get(address)
    assert response.status_code == 200
    return Fields(response.text, form).posted


def again(response, form="survey_form"):
    """Return what the page of a refused save would post."""
    assert response.status_code == 200, errors_of(response)
    return Fields(response.text, form).posted


def save(client, address, posted, **changes):
    changes = {name.replace("__", "-"): value for name, value in changes.items()}
    data = {**posted, **changes}
    return client.post(address, {name: v for name, v in data.items() if v is not None})


@pytest.fixture
def draft():
    return make_survey(questions=[{"text": "First?"}, {"text": "Second?"}])


@pytest.fixture
def author(client):
    return sign_in(client)


def texts(survey):
    return list(survey.questions.order_by("position", "pk").values_list("text", flat=True))


def test_what_only_another_save_has_changed_stays_changed(author, draft):
    here = there = load(author, page(draft))
    response = save(author, page(draft), there, title="Work", questions__0__text="Ever?")
    assert response.status_code == 302, errors_of(response)
    response = save(author, page(draft), here, consent="I agree.")
    assert response.status_code == 302, errors_of(response)
    draft.refresh_from_db()
    assert (draft.title, draft.consent) == ("Work", "I agree.")
    assert texts(draft) == ["Ever?", "Second?"]
    told = author.get(page(draft)).text
    assert "changed meanwhile" in told
    assert "Title; Ever? (Question)" in told


def test_both_versions_of_what_both_have_changed_are_shown_and_one_is_chosen(author, draft):
    here = there = load(author, page(draft))
    save(author, page(draft), there, title="Theirs", questions__1__help_text="Their help")
    mine = {"title": "Mine", "consent": "I agree.", "questions__1__help_text": "My help"}
    refused = save(author, page(draft), here, **mine)
    shown = again(refused)
    draft.refresh_from_db()
    assert (draft.title, draft.consent) == ("Theirs", "Taking part is voluntary.")
    assert [(each.key, each.mine, each.theirs) for each in refused.context["conflicts"]] == [
        ("title", "Mine", "Theirs"),
        ("questions-1-help_text", "My help", "Their help"),
    ]
    assert (shown["title"], shown["consent"]) == (["Mine"], ["I agree."])
    assert shown["questions-1-help_text"] == ["My help"]
    # Without a choice it is refused again, with the same on the page.
    shown = again(save(author, page(draft), shown))
    assert shown["title"] == ["Mine"]
    chosen = {"choose:title": "mine", "choose:questions-1-help_text": "theirs"}
    assert save(author, page(draft), shown, **chosen).status_code == 302
    draft.refresh_from_db()
    assert (draft.title, draft.consent) == ("Mine", "I agree.")
    assert draft.questions.last().help_text == "Their help"


def test_a_choice_is_about_what_was_shown_and_no_later_save(author, draft):
    here = load(author, page(draft))
    save(author, page(draft), here, title="Theirs")
    shown = again(save(author, page(draft), here, title="Mine"))
    Survey.objects.update(title="Later")
    chosen = {"choose:title": "mine"}
    refused = save(author, page(draft), shown, **chosen)
    assert [each.theirs for each in refused.context["conflicts"]] == ["Later"]


def test_what_belongs_together_in_a_question_is_not_mixed(author, draft):
    here = there = load(author, page(draft))
    save(author, page(draft), there, questions__0__epsilon="0.5")
    refused = save(author, page(draft), here, questions__0__prefer_not="on")
    assert [(each.key, each.mine, each.theirs) for each in refused.context["conflicts"]] == [
        ("questions-0-epsilon", "1", "0.5")
    ]


def test_questions_that_were_added_removed_or_moved_elsewhere_stay_so(author, draft):
    here = there = load(author, page(draft))
    new = {name.replace("-0-", "-2-"): value for name, value in there.items() if "-0-" in name}
    new |= {"questions-2-id": "", "questions-2-name": "q3", "questions-2-text": "Third?"}
    new |= {"questions-TOTAL_FORMS": "3", "questions-2-position": "1", "questions-0-position": "3"}
    response = author.post(page(draft), {**there, **new, "questions-1-DELETE": "on"})
    assert response.status_code == 302, errors_of(response)
    assert texts(draft) == ["Third?", "First?"]
    response = save(author, page(draft), here, title="Mine", questions__0__help_text="Help")
    assert response.status_code == 302, response.context["conflicts"]
    assert texts(draft) == ["Third?", "First?"]
    assert draft.questions.get(text="First?").help_text == "Help"
    told = author.get(page(draft)).text
    assert "Third? (added)" in told
    assert "Second? (removed)" in told


def conflict_of(author, draft, theirs, mine):
    """The one conflict of what both have changed, and the page that asks about it."""
    here = there = load(author, page(draft))
    save(author, page(draft), there, **theirs)
    refused = save(author, page(draft), here, **mine)
    (conflict,) = refused.context["conflicts"]
    return conflict, again(refused)


def texts_after(author, draft, shown, name, choice):
    response = save(author, page(draft), shown, **{f"choose:questions-{name}": choice})
    assert response.status_code == 302, errors_of(response)
    return texts(draft)


@pytest.mark.parametrize(
    ("choice", "left"), [("mine", ["First?", "Mine?"]), ("theirs", ["First?"])]
)
def test_a_question_that_was_removed_while_it_was_edited_is_asked_about(
    author, draft, choice, left
):
    removed, edited = {"questions__1__DELETE": "on"}, {"questions__1__text": "Mine?"}
    conflict, shown = conflict_of(author, draft, removed, edited)
    assert (conflict.key, conflict.mine) == ("questions-1", "Mine?")
    assert texts(draft) == ["First?"]
    assert texts_after(author, draft, shown, "1", choice) == left


@pytest.mark.parametrize(
    ("choice", "left"), [("mine", ["Second?"]), ("theirs", ["Ever?", "Second?"])]
)
def test_a_question_that_was_edited_elsewhere_is_not_removed_unasked(author, draft, choice, left):
    edited, removed = {"questions__0__text": "Ever?"}, {"questions__0__DELETE": "on"}
    conflict, shown = conflict_of(author, draft, edited, removed)
    assert conflict.theirs == "Ever?"
    assert texts_after(author, draft, shown, "0-DELETE", choice) == left


@pytest.mark.parametrize(("choice", "order"), [("mine", "321"), ("theirs", "213")])
def test_questions_that_both_have_moved_are_asked_about(author, choice, order):
    draft = make_survey(questions=[{"text": "1"}, {"text": "2"}, {"text": "3"}])
    theirs = {"questions__0__position": "2", "questions__1__position": "1"}
    mine = {"questions__0__position": "3", "questions__2__position": "1"}
    conflict, shown = conflict_of(author, draft, theirs, mine)
    assert (conflict.mine, conflict.theirs) == ("3\n2\n1", "2\n1\n3")
    assert "".join(texts_after(author, draft, shown, "order", choice)) == order


def test_a_reader_who_was_removed_is_not_put_back(author, draft):
    reader = make_user("reader")
    draft.researchers.add(reader)
    here = load(author, page(draft))
    draft.researchers.clear()
    assert save(author, page(draft), here, title="Mine").status_code == 302
    assert not draft.researchers.exists()


def test_arms_of_another_tab_are_not_put_back(author, draft):
    address = page(draft, "arms")
    here = there = load(author, address, "typed")
    assert save(author, address, there, split_q1="0.5", split_share="40").status_code == 302
    assert save(author, address, here, split_q2="0.25").status_code == 302
    assert [each.features["arms"] for each in draft.questions.all()] == [
        {"split_epsilon": "0.5"},
        {"split_epsilon": "0.25"},
    ]
    refused = save(author, address, here, split_q1="0.75")
    assert [(each.key, each.mine) for each in refused.context["conflicts"]] == [
        ("split_q1", "0.75")
    ]


def test_what_was_typed_into_a_survey_that_is_launched_by_now_is_shown(author, draft):
    here = load(author, page(draft))
    launch_survey(survey=draft, actor=None)
    response = save(author, page(draft), here, consent="Typed in vain", questions__1__text="Vain?")
    assert response.context["unsaved_texts"] == [
        ("Consent", "Typed in vain"),
        ("Vain?, Question", "Vain?"),
    ]
    assert "Typed in vain" in response.text


@pytest.mark.parametrize(
    "seen", ["", "{", "[]", '{"fields": 1}', '{"fields": {}, "rows": {"q": 5}}']
)
def test_a_page_without_its_record_is_saved_as_before(author, draft, seen):
    here = load(author, page(draft))
    assert save(author, page(draft), here, title="Mine", seen=seen).status_code == 302
    assert Survey.objects.get(pk=draft.pk).title == "Mine"


def sign_out(client):
    client.cookies.pop("sessionid")


@pytest.mark.parametrize("is_new", [False, True])
def test_what_was_typed_is_there_again_after_the_session_had_ended(author, draft, is_new):
    address = ADD if is_new else page(draft)
    here = load(author, address)
    sign_out(author)
    response = save(author, address, here, title="Typed", slug="typed")
    assert response.status_code == 302
    sign_in(author)
    response = author.get(address)
    shown = again(response)
    assert (shown["title"], shown["slug"]) == (["Typed"], ["typed"])
    assert "signed out before this was saved" in response.text
    assert not Survey.objects.filter(title="Typed").exists()
    # It is shown once, and saved when it is sent again.
    assert load(author, address)["title"] == ([""] if is_new else [draft.title])
    response = author.post(address, shown)
    assert response.status_code == 302, errors_of(response)
    assert Survey.objects.filter(title="Typed").exists()


def test_what_was_changed_while_nobody_was_signed_in_is_not_put_back(author, draft):
    here = load(author, page(draft))
    sign_out(author)
    save(author, page(draft), here, title="Mine")
    Survey.objects.update(title="Theirs")
    refused = sign_in(author).get(page(draft))
    assert [(each.mine, each.theirs) for each in refused.context["conflicts"]] == [
        ("Mine", "Theirs")
    ]


def test_another_account_never_sees_what_was_typed(author, draft):
    here = load(author, page(draft))
    sign_out(author)
    save(author, page(draft), here, title="Private")
    sign_in(author, make_user("root", superuser=True))
    assert "Private" not in author.get(page(draft)).text
    sign_in(author, owner())
    assert "Private" not in author.get(page(draft)).text


@pytest.mark.parametrize("mark", [None, "", "1:/", "forged"])
def test_nothing_is_kept_of_a_form_that_was_not_made_for_the_address(client, draft, mark):
    data = {"title": "Planted"} | ({} if mark is None else {"typed_by": mark})
    assert client.post(page(draft), data).status_code == 302
    assert "Planted" not in sign_in(client).get(page(draft)).text
    other = load(client, ADD)
    sign_out(client)
    save(client, page(draft), other, title="Planted")
    assert "Planted" not in sign_in(client).get(page(draft)).text


def test_a_sign_in_in_another_tab_loses_nothing_typed(draft):
    """Signing in replaces the token of every open form."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(owner())
    here = load(client, page(draft))
    client.cookies.pop("csrftoken")
    response = save(client, page(draft), here, title="Typed")
    assert response.status_code == 302
    assert again(client.get(response.url))["title"] == ["Typed"]
    planted = {name: value for name, value in here.items() if name != "typed_by"}
    assert save(client, page(draft), planted, title="Planted").status_code == 403


def test_forms_of_the_other_pages_carry_what_was_typed_too(author, draft):
    address = page(draft, "arms")
    here = load(author, address, "typed")
    sign_out(author)
    save(author, address, here, split_share="41")
    response = sign_in(author).get(address)
    assert response.context["kept"]["split_share"] == ["41"]
    assert re.search(r'id="kept-fields"[^>]*>[^<]*"split_share": \["41"\]', response.text)
    draft.refresh_from_db()
    assert draft.features == {}
