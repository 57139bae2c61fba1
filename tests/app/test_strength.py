"""No page reassures falsely: what is said of the protection follows from the numbers."""

import json
import re
from decimal import Decimal
from html import unescape
from urllib.parse import urlencode
from uuid import uuid4

import msgspec
import pytest
from django.urls import reverse

from surveys.authoring.checks.survey import lint_survey
from surveys.authoring.draft_parameters import draft_parameters
from surveys.features.return_codes import demo
from surveys.parameters import Device
from surveys.services.launches import launch_survey
from surveys.strength import right_guesses, strength_of
from surveys.strength_words import question_strength_words, strength_words
from surveys.views.physical import FORM_TYPE
from tests.app.author_posts import page, saved, sign_in
from tests.builders import launched, make_survey, owner
from tests.vectors.case_lines import read_vectors
from tests.vectors.make_strength_vectors import strength_vectors

VECTORS = read_vectors("strength.json")
NO_REASON = {"budget_reason": "", "release_threshold": 20, "release_batch": 5}
HINT = "What is sent here can be a strong hint at your real answer."
MUCH = "What is sent here can give away much about your real answer."
VERY_MUCH = "What is sent here can give away very much about your real answer. It can make other "
VERY_MUCH += "answers next to impossible."
TOGETHER = "All your scrambled answers together can give away"


def questions(total, *, epsilon=Decimal(1), **values):
    """Questions with this total epsilon."""
    return [{"epsilon": epsilon, **values} for _ in range(int(total / epsilon))]


def text_of(answer):
    """The words of a page, without its tags and scripts."""
    body = re.sub(r"<script.*?</script>", "", answer.content.decode(), flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", body)).split())


def findings(survey):
    return {finding.code: finding for finding in lint_survey(survey)}


def test_the_vectors_are_what_their_script_writes():
    assert json.loads(json.dumps(strength_vectors())) == VECTORS


@pytest.mark.parametrize("case", VECTORS["surveys"], ids=lambda case: case["name"])
def test_the_rule_is_that_of_the_vectors(case):
    strength = strength_of(msgspec.convert(case["devices"], list[Device]))
    assert {name: getattr(strength, name) for name in case["strength"]} == case["strength"]
    assert strength.question_level == case["question_level"]
    assert strength.person_level == case["person_level"]
    for name in ("question", "person"):
        guess = case[f"{name}_guess"]
        assert right_guesses(getattr(strength, name)) == (tuple(guess) if guess else None)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("epsilon", "reason", "code", "blocks"),
    [
        ("1.99", "", None, False),
        ("2", "", "weak_question", False),
        ("4", "", "weak_question", False),
        ("4.0001", "", "question_without_reason", True),
        ("4.0001", " \n", "question_without_reason", True),
        ("8", "", "question_without_reason", True),
        ("8", "Asked aloud anyway.", "weak_question", False),
    ],
)
def test_a_question_is_warned_of_from_2_and_needs_a_reason_above_4(epsilon, reason, code, blocks):
    question = {"epsilon": Decimal(epsilon), "epsilon_reason": reason}
    codes = findings(make_survey(budget=Decimal(8), questions=[question]))
    assert_warned(codes, {"weak_question", "question_without_reason"}, code, blocks)


def assert_warned(codes, possible, code, blocks):
    """Of the possible findings there is this one alone, or none."""
    assert possible & codes.keys() == ({code} if code else set())
    assert code is None or codes[code].blocks == blocks


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("total", "reason", "code", "blocks"),
    [
        ("4.9", "", None, False),
        ("5", "", "weak_total", False),
        ("10", "", "weak_total", False),
        ("10.5", "", "person_without_reason", True),
        ("10.5", "Everything is public already.", "weak_total", False),
    ],
)
def test_a_person_is_warned_of_from_5_and_needs_a_reason_above_10(total, reason, code, blocks):
    question_list = questions(
        Decimal(total), epsilon=Decimal("0.7" if total != "5" and total != "10" else 1)
    )
    codes = findings(make_survey(budget=Decimal(60), budget_reason=reason, questions=question_list))
    assert_warned(codes, {"weak_total", "person_without_reason"}, code, blocks)


@pytest.mark.django_db
def test_no_survey_is_launched_above_the_limits_without_reasons(client):
    draft = make_survey(
        budget=Decimal(60),
        questions=questions(16, epsilon=Decimal(8), epsilon_reason=""),
        **NO_REASON,
    )
    html = sign_in(client).get(page(draft, "launch")).content.decode()
    assert html.count("Stops the launch") == 3
    assert "9,997 times in 10,000" in html
    draft.questions.update(epsilon_reason="It is a game.")
    draft.budget_reason = "For a class on privacy."
    draft.save()
    launch = launch_survey(survey=draft, actor=None)
    assert launch.document["reason"] == "For a class on privacy."
    assert {question["reason"] for question in launch.document["questions"]} == {"It is a game."}


@pytest.mark.django_db
def test_a_reason_that_is_not_needed_is_not_frozen():
    draft = make_survey(questions=[{"epsilon_reason": "Once it was 8."}], budget_reason="So what.")
    parameters = draft_parameters(survey=draft)
    assert parameters.reason == parameters.questions[0].reason == ""


@pytest.mark.django_db
@pytest.mark.slow
def test_an_author_writes_the_reasons_on_the_page(client):
    asked = {"epsilon": "5", "epsilon_reason": "Asked aloud."}
    survey = saved(client, asked, budget_reason="Many.")
    assert (survey.budget_reason, survey.questions.get().epsilon_reason) == (
        "Many.",
        "Asked aloud.",
    )


WEAKNESS = {".5": (0, ""), "1": (0, ""), "2": (1, HINT), "4": (1, HINT), "5": (2, MUCH)}
WEAKNESS["8"] = (3, VERY_MUCH)


@pytest.mark.django_db
@pytest.mark.parametrize("epsilon", WEAKNESS)
def test_what_a_respondent_reads_first_follows_from_epsilon(client, epsilon):
    level, words = WEAKNESS[epsilon]
    question = {"epsilon": Decimal(epsilon), "epsilon_reason": "Nobody minds."}
    launch = launched(budget=Decimal(8), questions=[question])
    text = text_of(client.get(f"/s/{launch.survey.slug}/"))
    assert {HINT, MUCH, VERY_MUCH} & set(re.findall("|".join((HINT, MUCH, VERY_MUCH)), text)) == (
        {words} if words else set()
    )
    assert ("Others can tell much from what is sent." in text) == (level == 2)
    assert ("never the answer of one person" in text) == (level < 1)


@pytest.mark.django_db
@pytest.mark.parametrize(("total", "words"), [(3, None), (10, "much"), (60, "very much")])
def test_what_a_respondent_reads_first_follows_from_the_total(client, total, words):
    launch = launched(
        budget=Decimal(60), budget_reason="A long life.", questions=questions(Decimal(total))
    )
    text = text_of(client.get(f"/s/{launch.survey.slug}/"))
    assert (TOGETHER in text) == (words is not None)
    if words:
        assert f"{TOGETHER} {words} about you." in text
        assert f"Others can tell {words} from what is sent." in text
        assert "never the answer of one person" not in text
    assert ("The reason that the author gives: A long life." in text) == (total > 10)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("epsilon", "device", "words", "guess"),
    [
        # 22 to 14, 31 to 5 and 34 to 2 of 36 throws; 99 to 1 of 100 numbers, whose loss of 4.595 is
        # rounded up to 4.6.
        ("0.5", "two_dice", "", "right at most 62 times in 100"),
        ("2", "two_dice", "", "right at most 87 times in 100"),
        ("3", "two_dice", HINT, "right at most 95 times in 100"),
        ("5", "phone_digits", MUCH, "right at most 991 times in 1,000"),
    ],
)
def test_the_form_without_javascript_speaks_of_its_physical_randomizers(
    client, epsilon, device, words, guess
):
    question = {
        "epsilon": Decimal(epsilon),
        "physical_device": device,
        "epsilon_reason": "Nobody minds.",
    }
    launch = launched(slug="work", budget=Decimal(8), questions=[question])
    text = text_of(client.get(reverse("physical", args=["work"])))
    assert guess in text
    assert words in text
    assert ("no letter proves an answer" in text) == (not words)
    assert ("Nobody minds." in text) == (epsilon == "5")
    assert "factor" not in text
    values = {"digest": launch.digest, "submission": str(uuid4()), "report-q1": "A"}
    answer = client.post(
        reverse("physical", args=["work"]), urlencode(values), content_type=FORM_TYPE
    )
    assert answer.status_code == 201
    page_text = text_of(answer)
    assert guess in page_text
    assert words in page_text


@pytest.mark.django_db
def test_researchers_read_the_factors_in_words_and_the_reasons(client):
    questions_asked = [{"epsilon": Decimal(8), "epsilon_reason": "It is a game."}] * 2
    survey = launched(
        budget=Decimal(60),
        budget_reason="For a class.",
        questions=questions_asked,
        results_public=True,
    ).survey
    text = text_of(client.get(reverse("results", args=[survey.slug])))
    single = text.index("right at most 9,997 times in 10,000")
    assert single < text.index("practically always right")
    assert "A report can give away very much about the real answer" in text
    assert "All reports of one person together can give away very much about them." in text
    assert "The reason that the author gives: For a class." in text
    shared = text_of(sign_in(client).get(page(survey, "share")))
    assert "practically always right" in shared


def vector(name):
    case = next(survey for survey in VECTORS["surveys"] if survey["name"] == name)
    return msgspec.convert(case["devices"], list[Device])


def test_of_one_question_nothing_is_said_of_all_reports_together():
    strength = strength_of(vector("one question at 8"))
    together = "All reports of one person together"
    assert together in strength_words(strength)
    assert together not in question_strength_words(strength)
    assert "A report can give away very much" in question_strength_words(strength)


def test_a_device_that_proves_claims_no_limit():
    words = strength_words(strength_of(vector("a report that proves")))
    assert words.startswith("Some reports can prove an answer.")
    assert "at most" not in words


@pytest.mark.django_db
def test_the_demo_stays_at_a_total_of_3():
    launch = demo.launch_demo(owner=owner())
    for wave in (launch, demo.launch_second_wave(launch)):
        strength = strength_of(wave.parameters.devices)
        assert (strength.question_level, strength.person_level) == (0, 0)
        assert strength.person <= 300
    # As authors are told to, down to the last warning.
    assert lint_survey(launch.survey) == []
