"""The form for a physical randomizer: what it asks, what it takes, what it refuses."""

import re
import uuid
from datetime import timedelta
from decimal import Decimal
from html.parser import HTMLParser
from urllib.parse import urlencode

import pytest
from django.urls import reverse
from django.utils import timezone

from surveys.devices.physical.registry import PHYSICAL_DEVICES
from surveys.models import Receipt, ReportSet, Submission, Survey
from surveys.responses import tallies
from surveys.services.transitions import close_survey
from tests.builders import launched, make_survey
from tests.devices import devices_of

pytestmark = pytest.mark.django_db

COINS = {"name": "drug", "epsilon": Decimal("1.1"), "physical_device": "two_coins"}
BIRTHDAY = {
    "name": "theft",
    "text": "Did you take something home?",
    "epsilon": Decimal("1.2"),
    "physical_device": "crosswise_birthday",
    "required": False,
}
SCALE = {
    "name": "unsafe",
    "text": "How often did you feel unsafe?",
    "kind": "scale",
    "options": ["Never", "Rarely", "Often"],
    "prefer_not": True,
    "epsilon": Decimal("1.5"),
    "physical_device": "phone_digits",
}
SHIFT = {
    "name": "shift",
    "text": "Which shift do you work?",
    "kind": "single_choice",
    "options": ["Day", "Night"],
    "randomized": False,
}
TOOLS = {
    "name": "tools",
    "text": "Which of these do you use?",
    "kind": "multiple_choice",
    "options": ["Saw", "Drill"],
    "randomized": False,
    "required": False,
}
PAGE_ONLY = {"name": "ill", "text": "Ill without being ill?", "required": False}
ALL = [COINS, BIRTHDAY, SCALE, SHIFT, TOOLS, PAGE_ONLY]
ANSWERS = {
    "report-drug": "B",
    "report-theft": "A",
    "report-unsafe": "D",
    "report-shift": "A",
    "report-tools": ["tools_2"],
}


class Controls(HTMLParser):
    """The controls of a page that a browser sends, with their values."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.inputs: list[dict] = []
        self.tags: list[tuple[str, dict]] = []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.tags.append((tag, values))
        if tag in ("input", "select", "textarea", "option", "button"):
            self.inputs.append({"tag": tag, **values})


@pytest.fixture
def launch():
    return launched(slug="work", budget=Decimal(9), questions=ALL)


@pytest.fixture
def load(client):
    def get(slug="work"):
        return client.get(reverse("physical", args=[slug]))

    return get


@pytest.fixture
def post(client):
    def send(data, *, slug="work", **headers):
        headers.setdefault("content_type", "application/x-www-form-urlencoded")
        body = data if isinstance(data, bytes) else urlencode(data, doseq=True)
        return client.post(reverse("physical", args=[slug]), body, **headers)

    return send


def filled(launch, answers=None, **values):
    """A completed form: its hidden fields, and the answers."""
    hidden = {"digest": launch.digest, "submission": str(uuid.uuid4())}
    return {**hidden, **(ANSWERS if answers is None else answers), **values}


def text_of(answer) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


def assert_refused(answer, status, words=""):
    """Nothing of it was stored, and the page says why."""
    assert answer.status_code == status
    assert words in text_of(answer)
    assert not Receipt.objects.exists()


def receipt_of(answer) -> str:
    return re.search(r"[A-Z2-7]{4}(?:-[A-Z2-7]{4}){3}", answer.content.decode())[0]


# --- the page -----------------------------------------------------------------------------------


def test_the_form_has_no_script_no_cookie_and_is_kept_by_no_cache_on_the_way(load, launch, client):
    page = load()
    assert page.status_code == 200
    tags = {tag for tag, _ in Controls(page.content.decode()).tags}
    assert not tags & {"script", "iframe", "object", "img"}
    assert "script-src 'none'" in page["Content-Security-Policy"]
    assert "form-action 'self'" in page["Content-Security-Policy"]
    assert not client.cookies
    assert not page.cookies
    assert page["Cache-Control"] == "private, max-age=0"
    assert page["Content-Language"] == "en"


def test_of_many_answers_all_letters_are_posted_in_one_width(post, load):
    options = [f"Option {number}" for number in range(30)]
    choice = {"name": "shift", "kind": "single_choice", "options": options, "randomized": False}
    questions = [COINS, {**choice, "required": False}]
    launch = launched(slug="work", budget=Decimal(9), questions=questions)
    shown = Controls(load().content.decode()).inputs
    values = [control["value"] for control in shown if control.get("name") == "report-shift"]
    assert values == [*(f"{chr(65 + n)}." for n in range(26)), "AA", "AB", "AC", "AD", ".."]
    for number in (0, 29, 30):
        assert (
            post(filled(launch, {"report-drug": "A", "report-shift": values[number]})).status_code
            == 201
        )
    stored = [each.content["reports"].get("shift") for each in Submission.objects.all()]
    assert sorted(stored, key=str) == [0, 29, None]


def test_a_question_that_chance_protects_has_letters_and_nothing_else(load, launch):
    """No name, value or label of a control of such a question says a real answer."""
    page = load().content.decode()
    document = launch.document
    physical = {d["id"]: d for d in devices_of(launch) if d["stratum"] == "physical"}
    for question in document["questions"]:
        name = f"report-{question['id']}"
        controls = [c for c in Controls(page).inputs if c.get("name") == name]
        if question["id"] in physical:
            letters = physical[question["id"]]["reports"]
            # Whatever is chosen, and nothing, is posted in as many bytes.
            optional = [] if question["required"] else ["."]
            assert [c["value"] for c in controls] == [*letters, *optional]
            assert {len(c["value"]) for c in controls} == {1}
            labels = re.findall(rf'<label[^>]*for="{name}_\d+".*?<span>(.*?)</span>', page)
            assert labels == [*letters, *["Leave this question out" for _ in optional]]
        elif question["randomized"]:
            assert controls == []
    assert {c["tag"] for c in Controls(page).inputs} == {"input", "button"}
    names = {c["name"] for c in Controls(page).inputs if c["tag"] == "input"}
    control_names = {f"report-{name}" for name in ("drug", "theft", "unsafe", "shift", "tools")}
    assert names == {"digest", "submission"} | control_names


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.slow
def test_with_every_device_there_are_letters_only(load, language):
    questions = [
        {"name": name, "epsilon": Decimal("2.5"), "physical_device": name}
        for name in PHYSICAL_DEVICES
    ]
    launch = launched(slug="work", budget=Decimal(99), language=language, questions=questions)
    page = load().content.decode()
    for device in devices_of(launch):
        controls = [c for c in Controls(page).inputs if c.get("name") == f"report-{device['id']}"]
        assert [(c["type"], c["value"]) for c in controls] == [("radio", "A"), ("radio", "B")]
    labels = set(re.findall(r"<label.*?<span>(.*?)</span>", page))
    assert labels == {"A", "B"}


def test_it_shows_the_frozen_instructions_word_for_word(load, launch):
    text = text_of(load())
    for device in devices_of(launch):
        for sentence in device["instructions"]:
            assert sentence in text.replace("&quot;", '"')


def test_it_tells_what_letters_mean_as_natural_frequencies(load, launch):
    """Two tosses: 3 of 4. Four letters at 1.5: 100 / (e^1.5 + 3) = 13.4, so 14 force each."""
    text = text_of(load())
    assert "Of 100 people who mean “No”, 75 choose A and 25 choose B." in text
    assert "Of 100 people who mean “Yes”, 25 choose A and 75 choose B." in text
    assert "people with the same answer, 58 choose its letter and 42 choose another" in text


def test_direct_questions_say_that_they_are_sent_as_they_are(load, launch):
    assert text_of(load()).count("This one is sent as it is.") == 2


def test_an_optional_question_without_a_device_is_left_out_and_said_so(load, launch):
    text = text_of(load())
    assert "Ill without being ill? This one cannot be asked without the other page" in text


def test_what_is_read_before_the_first_question_is_short(load, launch):
    """Under 120 words of ours (PRODUCT, 2); what the author writes is the author's."""
    main = load().content.decode().split("<main")[1].split('class="physical__first"')[0]
    main = re.sub(r'<p class="(?:who )?author-text[^>]*>.*?</p>', "", main)
    words = [word for word in re.sub(r"<[^>]*>", " ", main).split() if re.search(r"\w", word)]
    assert len(words) < 120


def test_each_form_has_an_id_of_its_own(load, launch):
    ids = {
        control["value"]
        for _ in range(5)
        for control in Controls(load().content.decode()).inputs
        if control.get("name") == "submission"
    }
    assert len(ids) == 5
    assert {uuid.UUID(value).version for value in ids} == {4}


def test_it_may_be_embedded_where_the_survey_may(client):
    launched(slug="work", questions=[COINS], embed_origins="https://www.example.org")
    page = client.get(reverse("physical", args=["work"]))
    policy = page["Content-Security-Policy"]
    assert "frame-ancestors 'self' https://www.example.org" in policy
    assert "script-src 'none'" in policy
    assert "X-Frame-Options" not in page


def test_it_may_not_be_embedded_otherwise(load, launch):
    page = load()
    assert page["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in page["Content-Security-Policy"]


def test_it_speaks_the_surveys_language(client):
    launched(slug="work", language="de", questions=[COINS])
    page = client.get(reverse("physical", args=["work"]), headers={"accept-language": "en"})
    assert page["Content-Language"] == "de"
    assert '<html lang="de">' in page.content.decode()
    assert "Werfen Sie zweimal eine Münze" in page.content.decode()


# --- when it is offered --------------------------------------------------------------------------


def test_the_survey_links_to_it_where_it_is_offered(client, launch):
    page = client.get(reverse("respond", args=["work"])).content.decode()
    link = f'href="{reverse("physical", args=["work"])}"'
    inside = re.search(r"<noscript>(.*?)</noscript>", page, re.DOTALL)[1]
    assert link in inside
    assert page.count(link) == 2


@pytest.mark.parametrize(
    "questions",
    [
        [{"name": "q1"}],
        [SHIFT],
        [COINS, {**PAGE_ONLY, "required": True}],
    ],
    ids=["no physical randomizer", "nothing sensitive", "a required one needs the page"],
)
def test_it_is_not_offered_where_something_would_stay_unanswered(client, post, questions):
    launch = launched(slug="work", questions=questions)
    address = reverse("physical", args=["work"])
    page = client.get(address)
    assert page.status_code == 404
    assert "Switch JavaScript on" in text_of(page)
    assert reverse("respond", args=["work"]) in page.content.decode()
    survey_page = client.get(reverse("respond", args=["work"])).content.decode()
    assert f'href="{address}"' not in survey_page
    assert "This survey needs JavaScript" in survey_page
    assert post(filled(launch, {"report-q1": "A"})).status_code == 404
    assert not Receipt.objects.exists()


@pytest.mark.parametrize("slug", ["draft", "nothing"])
def test_a_draft_and_an_unknown_survey_do_not_exist(load, post, slug):
    make_survey(slug="draft", questions=[COINS])
    assert load(slug).status_code == 404
    assert post({"digest": "x"}, slug=slug).status_code == 404
    assert "There is no survey here" in text_of(load(slug))


def test_before_opening_and_after_closing_it_shows_the_surveys_state(load, launch):
    hour = timedelta(hours=1)
    Survey.objects.update(opens_at=timezone.now() + hour)
    assert "Not open yet" in text_of(load())
    Survey.objects.update(opens_at=None, closes_at=timezone.now() - hour)
    assert "This survey is closed" in text_of(load())


def test_a_preview_has_no_link_to_it(launch, rf):
    from surveys.views.respond import render_form

    page = render_form(
        rf.get("/"), survey=launch.survey, served_parameters=launch.served_parameters, preview=True
    )
    assert reverse("physical", args=["work"]) not in page.content.decode()


# --- what is stored ------------------------------------------------------------------------------


def test_letters_become_reports_of_the_physical_stratum(post, launch):
    data = filled(launch)
    answer = post(data)
    assert answer.status_code == 201
    submission = Submission.objects.get(pk=data["submission"])
    assert submission.content == {
        "reports": {"drug": 1, "theft": 0, "unsafe": 3, "shift": 0, "tools_1": 0, "tools_2": 1},
        "strata": {
            "drug": "physical",
            "theft": "physical",
            "unsafe": "physical",
            "shift": "page",
            "tools_1": "page",
            "tools_2": "page",
        },
    }


def test_the_last_page_says_what_was_sent_letter_by_letter(post, launch):
    text = text_of(post(filled(launch)))
    assert "Thank you. It is stored." in text
    assert "Have you ever used a drug at work? The letter B" in text
    assert "Did you take something home? The letter A" in text
    assert "How often did you feel unsafe? The letter D" in text
    assert "Which shift do you work? Sent as it is: Day" in text
    assert "Which of these do you use? Sent as it is: Drill" in text
    assert "Ill without being ill? Nothing was sent for this question." in text


def test_the_last_page_is_stored_nowhere_and_has_no_cookie(post, launch, client):
    answer = post(filled(launch))
    assert "no-store" in answer["Cache-Control"]
    assert "script-src 'none'" in answer["Content-Security-Policy"]
    assert not client.cookies


def test_optional_questions_may_be_left_out(post, launch):
    answers = {"report-drug": "A", "report-theft": "", "report-unsafe": "A", "report-shift": "B"}
    data = filled(launch, answers)
    assert post(data).status_code == 201
    content = Submission.objects.get().content
    assert content["reports"] == {"drug": 0, "unsafe": 0, "shift": 1}


def test_none_of_these_is_an_answer_to_every_option(post, launch):
    answer = post(filled(launch, **{"report-tools": "none"}))
    assert answer.status_code == 201
    assert "Sent as it is: None of these" in text_of(answer)
    reports = Submission.objects.get().content["reports"]
    assert (reports["tools_1"], reports["tools_2"]) == (0, 0)


def test_a_required_multiple_choice_needs_a_tick_or_none_of_these(post, client):
    launch = launched(slug="work", questions=[COINS, {**TOOLS, "required": True}])
    bare = {"report-drug": "A"}
    assert "Tick what applies" in text_of(post(filled(launch, bare)))
    assert post(filled(launch, {**bare, "report-tools": "none"})).status_code == 201


def test_questions_named_like_fields_of_the_form_are_no_trouble(post, client):
    names = ["digest", "submission", "none", "report"]
    questions = [{**COINS, "name": name} for name in names]
    launch = launched(slug="work", budget=Decimal(9), questions=questions)
    answer = post(filled(launch, {f"report-{name}": "B" for name in names}))
    assert answer.status_code == 201
    assert Submission.objects.get().content["reports"] == dict.fromkeys(names, 1)


def test_a_form_sent_again_is_stored_once_with_the_same_receipt(post, launch):
    data = filled(launch)
    first = post(data)
    repeats = [post(data) for _ in range(3)]
    assert [answer.status_code for answer in repeats] == [200, 200, 200]
    assert {receipt_of(answer) for answer in repeats} == {receipt_of(first)}
    assert "This form had arrived before" in text_of(repeats[0])
    assert Submission.objects.count() == Receipt.objects.count() == 1


def test_other_letters_under_the_same_id_do_not_replace_the_first(post, launch):
    data = filled(launch)
    post(data)
    response = post({**data, "report-drug": "A"})
    assert "stored once, as it was sent the first time" in text_of(response)
    assert Submission.objects.get().content["reports"]["drug"] == 1


def test_a_repeat_gets_its_receipt_after_the_aggregation_and_after_closing(post, launch):
    data = filled(launch)
    first = receipt_of(post(data))
    tallies.aggregate_waiting(launch.pk)
    assert not Submission.objects.exists()
    assert receipt_of(post(data)) == first
    close_survey(survey=launch.survey, actor=None)
    assert receipt_of(post(data)) == first
    assert not Submission.objects.exists()


def test_both_entrances_share_one_receipt(post, launch, client):
    """The page's JSON under the same id: one response, one receipt."""
    import json

    data = filled(launch)
    first = receipt_of(post(data))
    body = {
        "digest": launch.digest,
        "submission": data["submission"],
        "reports": {"drug": 0, "unsafe": 0, "shift": 0},
    }
    address = reverse("responses", args=["work"])
    answer = client.post(address, json.dumps(body), content_type="application/json")
    assert (answer.status_code, answer.json()["receipt"]) == (200, first)


# --- what is counted -----------------------------------------------------------------------------


@pytest.mark.parametrize("linkage", ["together", "apart"])
def test_the_aggregation_counts_the_strata_apart_and_a_recount_agrees(client, post, linkage):
    launch = launched(slug="work", budget=Decimal(9), questions=ALL, linkage=linkage)
    for letter in "AAB":
        assert post(filled(launch, **{"report-drug": letter})).status_code == 201
    page_response(client, launch, {"drug": 1, "unsafe": 0, "shift": 1})
    tallies.aggregate_waiting(launch.pk)
    _, counts = tallies.snapshot(launch.pk)
    assert counts["drug", "physical"] == [2, 1]
    assert counts["drug", "page"] == [0, 1]
    assert counts["shift", "page"] == [3, 1]
    assert counts["tools_2", "page"] == [0, 3]
    assert tallies.recount(launch) == counts
    assert ReportSet.objects.count() == (4 if linkage == "together" else 3 * 6 + 3)


def page_response(client, launch, reports):
    import json

    body = {"digest": launch.digest, "submission": str(uuid.uuid4()), "reports": reports}
    address = reverse("responses", args=[launch.survey.slug])
    answer = client.post(address, json.dumps(body), content_type="application/json")
    assert answer.status_code == 201


def test_the_budget_counts_a_question_once_whichever_device_is_used(launch):
    """Two strata of a question are alternatives: the larger epsilon is the page's."""
    by_question = {}
    for device in devices_of(launch):
        if device["epsilon"] is not None:
            by_question.setdefault(device["id"], {})[device["stratum"]] = Decimal(device["epsilon"])
    assert all(each.get("physical", Decimal(0)) <= each["page"] for each in by_question.values())
    assert sum(max(each.values()) for each in by_question.values()) <= Decimal(
        launch.document["epsilon"]
    )


# --- what is refused -----------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "field", "message"),
    [
        ({"report-drug": ""}, "report-drug", "Choose a letter."),
        ({"report-drug": "C"}, "report-drug", "Choose a letter."),
        ({"report-drug": "Yes"}, "report-drug", "Choose a letter."),
        ({"report-drug": "1"}, "report-drug", "Choose a letter."),
        ({"report-drug": "b"}, "report-drug", "Choose a letter."),
        ({"report-unsafe": "\x00"}, "report-unsafe", "Choose a letter."),
        ({"report-theft": "Z"}, "report-theft", "Choose a letter."),
        ({"report-shift": "Night"}, "report-shift", "Choose an answer."),
        ({"report-tools": "saw"}, "report-tools", "Tick what applies, or “None of these”."),
        (
            {"report-tools": ["tools_1", "none"]},
            "report-tools",
            "“None of these” goes with no other tick.",
        ),
    ],
)
def test_a_bad_answer_is_refused_with_the_form_and_the_other_letters_kept(
    post, launch, change, field, message
):
    data = filled(launch, **change)
    answer = post(data)
    assert answer.status_code == 422
    html = answer.content.decode()
    assert f'<a href="#{field}_0">' in html
    assert message in text_of(answer)
    letters = {
        (control["name"], control["value"])
        for control in Controls(html).inputs
        if "checked" in control
    }
    for name, value in ANSWERS.items():
        if name not in change:
            assert (name, value if isinstance(value, str) else value[0]) in letters
    hidden = {c["name"]: c["value"] for c in Controls(html).inputs if c.get("type") == "hidden"}
    assert hidden == {"digest": data["digest"], "submission": data["submission"]}
    assert "no-store" in answer["Cache-Control"]
    assert not Submission.objects.exists()
    assert not Receipt.objects.exists()


def test_every_missing_answer_is_named_at_once(post, launch):
    answer = post(filled(launch, {}))
    summary = re.findall(r'<a href="#(report-\w+)_0">', answer.content.decode())
    assert summary == ["report-drug", "report-unsafe", "report-shift"]
    assert "Not sent yet" in text_of(answer)
    assert re.search(r"<title>Not sent yet: ", answer.content.decode())


def test_the_summary_leads_to_controls_that_exist(post, launch):
    html = post(filled(launch, {})).content.decode()
    ids = [attributes["id"] for _, attributes in Controls(html).tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', html)) <= set(ids)
    for name in re.findall(r'aria-describedby="([^"]+)"', html):
        assert set(name.split()) <= set(ids)


@pytest.mark.parametrize(
    "extra",
    [
        {"truth": "Yes"},
        {"report-ill": "A"},
        {"report-drug": ["A", "B"]},
        {"submission": [str(uuid.uuid4()), str(uuid.uuid4())]},
        {"report-nothing": "A"},
    ],
    ids=["a field of no question", "one left out", "two letters", "two ids", "an unknown question"],
)
def test_a_form_that_was_changed_is_refused_whole(post, launch, extra):
    assert_refused(post(filled(launch, **extra)), 422, "This form was changed on its way.")


def test_a_form_without_any_answer_is_refused(post, client):
    launch = launched(slug="work", questions=[{**COINS, "required": False}])
    assert_refused(post(filled(launch, {})), 422, "Answer at least one question.")


@pytest.mark.parametrize(
    "change",
    [
        {"submission": ""},
        {"submission": "not-a-uuid"},
        {"submission": str(uuid.uuid4()).upper()},
        {"submission": str(uuid.uuid1())},
        {"submission": "9" * 400},
        {"submission": "\ud800".encode("utf-8", "surrogatepass")},
        {"digest": ""},
        {"digest": "x" * 72},
    ],
)
def test_a_form_without_its_ids_gets_a_clear_page(post, launch, change):
    answer = post(filled(launch, **change))
    assert_refused(answer, 422, "This form did not arrive whole.")
    assert reverse("physical", args=["work"]) in answer.content.decode()


def test_a_form_of_other_parameters_is_stale(post, launch):
    answer = post(filled(launch, digest="sha256:" + "0" * 64))
    assert_refused(answer, 409, "The survey has changed since this form was loaded.")


def test_a_stale_form_says_so_even_with_answers_missing(post, launch):
    assert_refused(post(filled(launch, {}, digest="sha256:" + "0" * 64)), 409)


@pytest.mark.parametrize("answers", [ANSWERS, {}], ids=["whole", "unfinished"])
def test_a_closed_survey_takes_no_form(post, launch, answers):
    close_survey(survey=launch.survey, actor=None)
    assert_refused(post(filled(launch, answers)), 409, "Nothing of this form was stored.")


def test_the_id_of_another_survey_is_refused(post, launch):
    other = launched(slug="other", questions=[COINS])
    data = filled(other, {"report-drug": "A"})
    assert post(data, slug="other").status_code == 201
    answer = post(filled(launch, submission=data["submission"]))
    assert answer.status_code == 422
    assert "This form belongs to another survey." in text_of(answer)
    assert Receipt.objects.count() == 1


@pytest.mark.parametrize(
    "headers",
    [
        {"HTTP_ORIGIN": "https://evil.example"},
        {"HTTP_ORIGIN": "null"},
        {"HTTP_SEC_FETCH_SITE": "cross-site"},
        {"HTTP_SEC_FETCH_SITE": "same-site"},
    ],
)
def test_another_site_can_link_to_the_form_but_not_send_it(client, post, launch, headers):
    assert client.get(reverse("physical", args=["work"]), **headers).status_code == 200
    assert_refused(post(filled(launch), **headers), 403)


def test_its_own_page_can_send_it(post, launch):
    headers = {"HTTP_ORIGIN": "http://testserver", "HTTP_SEC_FETCH_SITE": "same-origin"}
    assert post(filled(launch), **headers).status_code == 201


@pytest.mark.parametrize("content_type", ["application/json", "text/plain", "multipart/form-data"])
def test_other_content_types_are_refused(post, launch, content_type):
    assert_refused(post(b"digest=1", content_type=content_type), 415, "This cannot be read")


@pytest.mark.parametrize("field", ["report-drug=", "a&"])
def test_a_large_body_is_refused(post, launch, field):
    assert_refused(post(field.encode() * 40_000), 413, "larger than any response")


@pytest.mark.parametrize(
    "body",
    [b"&&&", b"%", b"%00=%00", b"digest=%ff&submission=%fe", b"=", b"a=b;c=d", b"\xff\xfe"],
)
def test_a_hostile_body_gets_a_page_and_never_an_error(post, launch, body):
    assert_refused(post(body), 422)


def test_thousands_of_fields_are_refused_without_being_repeated(post, launch):
    data = filled(launch, **{f"x{number}": "1" for number in range(4_000)})
    answer = post(data)
    assert answer.status_code == 422
    assert "x3999" not in answer.content.decode()


def test_more_fields_than_any_form_has_are_no_error_of_ours(post, launch):
    assert post(b"a&" * 20_000).status_code == 400


@pytest.mark.parametrize("method", ["put", "delete", "patch", "options"])
def test_only_get_and_post_are_allowed(client, launch, method):
    assert getattr(client, method)(reverse("physical", args=["work"])).status_code == 405


def test_posts_count_with_those_of_the_page(post, launch, settings):
    settings.THROTTLE_EXEMPT = []
    settings.SUBMIT_RATE = "2/hour"
    assert [post(filled(launch)).status_code for _ in range(3)] == [201, 201, 429]
    answer = post(filled(launch))
    assert int(answer["Retry-After"]) > 0
    assert "Nothing was stored" in text_of(answer)
    assert Receipt.objects.count() == 2


def test_nothing_of_a_response_reaches_the_log(post, launch, caplog):
    data = filled(launch)
    with caplog.at_level("DEBUG"):
        post(data)
        post({**data, "report-drug": "?"})
    assert data["submission"] not in caplog.text
    assert "report-" not in caplog.text
