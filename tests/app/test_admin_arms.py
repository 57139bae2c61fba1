"""An author's changes keep the arms of a survey sensible, or are refused with words."""

from decimal import Decimal

import pytest
from django.urls import reverse

from surveys.authoring.checks.survey import lint_survey
from surveys.exceptions import NotReadyError, UnfitDeclarationError
from surveys.features.arms.changes import (
    add_direct_arm,
    add_split_sample,
    remove_direct_arm,
)
from surveys.features.arms.settings import ArmShares, arms_of_question, shares_of_survey
from surveys.features.arms.words import consent_sentence
from surveys.forms.planning.search import usual_start
from surveys.models import Survey
from surveys.services.launches import launch_survey
from tests.app.author_posts import (
    opened,
    page,
    sign_in,
    typed_figures,
    write_question,
    write_settings,
)
from tests.app.visible_text import visible_text
from tests.arms import change_shares
from tests.builders import make_survey, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
PLAIN = {"release_threshold": 20, "release_batch": 5, "budget": 9, "planned_n": 4000}


def armed(**values):
    survey = make_survey(**{**PLAIN, "questions": [{}, {}], **values})
    add_split_sample(survey=survey)
    add_direct_arm(survey=survey)
    return Survey.objects.get(pk=survey.pk)


def write(client, survey, *changes):
    """Type into the questions, and return what is said of each."""
    sign_in(client)
    pairs = zip(survey.questions.all(), changes, strict=False)
    return [write_question(client, question, **typed) for question, typed in pairs]


def stored(survey):
    arms = map(arms_of_question, survey.questions.all())
    return [(each.split_epsilon, each.asked_directly) for each in arms]


UNTOUCHED = (Decimal("0.5"), True)
GONE = (None, False)


@pytest.mark.parametrize(
    ("change", "left"),
    [
        ({"text": "Have you used a drug at work this year?"}, UNTOUCHED),
        ({"randomized": "False"}, GONE),
        ({"known_share": "0"}, GONE),
        ({"kind": "multiple_choice", "options": "a\nb", "design": "per_option"}, GONE),
        ({"kind": "single_choice", "options": "a\nb\nc"}, UNTOUCHED),
        ({"epsilon": "0.4"}, (Decimal("0.2"), True)),
        ({"epsilon": "0.05"}, (None, True)),
    ],
)
def test_a_question_that_changes_keeps_only_the_arms_that_it_can_have(client, change, left):
    survey = armed()
    (answer,) = write(client, survey, change)
    assert answer["errors"] == {}
    assert stored(survey) == [left, UNTOUCHED]
    said = "changes their arms too" in " ".join(answer["notes"])
    assert said == (left != UNTOUCHED)


def test_questions_that_are_sent_together_have_no_arms(client):
    survey = armed()
    write(client, survey, {"group": "1"}, {"group": "1"})
    assert stored(survey) == [GONE, GONE]


@pytest.mark.parametrize(
    ("changes", "field", "says"),
    [
        ({"mode": "pseudonymous", "linkage": "together"}, "mode", "“Return codes” and “Arms”"),
        ({"mode": "personal", "linkage": "together"}, "mode", "“Personal links” and “Arms”"),
        ({"pilot": "on"}, "pilot", "“A pilot” and “Arms”"),
        ({"tiers": "The public: 0.5\nThe team: 1"}, "tiers", "“Tiers” and “Arms”"),
        ({"results_public": "on"}, "results_public", "direct arm has no public results"),
    ],
)
def test_what_excludes_arms_is_said_at_its_field_or_stops_the_launch(client, changes, field, says):
    survey = armed()
    answer = write_settings(sign_in(client), survey, **changes)
    survey.refresh_from_db()
    said = answer["errors"].get(field, [])
    if not said:
        said = [each.message for each in lint_survey(survey) if each.code == "clash"]
    assert says in " ".join(said)
    write(client, survey, {"randomized": "False"}, {"known_share": "0"})
    answer = write_settings(client, survey, **changes)
    assert field not in answer["errors"]
    clashes = [each.message for each in lint_survey(survey) if each.code == "clash"]
    assert says not in " ".join(clashes)


def test_results_with_a_direct_arm_are_never_published(client):
    """Nor do they exist for a stranger where the survey's row says so all the same."""
    survey = armed()
    launch_survey(survey=survey, actor=None)
    answer = write_settings(sign_in(client), survey, results_public="on")
    (words,) = answer["errors"]["results_public"]
    assert "name the researchers who may see them, or remove the direct arm" in words
    Survey.objects.update(results_public=True)
    address = reverse("results", args=[survey.slug])
    assert client.get(address).status_code == 200
    client.force_login(make_user("stranger"))
    assert client.get(address).status_code == 404
    client.logout()
    assert client.get(address).status_code == 302


def test_a_physical_randomizer_has_no_place_beside_arms(client):
    survey = armed()
    write(client, survey, {}, {"physical_device": "die", "epsilon": "2"})
    second = opened(client, survey.questions.last()).context["notices"]
    assert any("a survey with arms has none" in words for words in second)
    assert "clash" in {each.code for each in lint_survey(survey) if each.blocks}


@pytest.mark.parametrize(
    ("values", "code", "blocks"),
    [
        ({"mode": "pseudonymous", "linkage": "together"}, "clash", True),
        ({"features": {"pilots": {"on": True}}}, "clash", True),
        ({"results_public": True}, "arms_unfit", True),
        ({"features": {"arms": {"split": 80, "direct": 20}}}, "arms_of_everybody", True),
        ({"planned_n": 30}, "small_arm", False),
        ({"planned_n": 60}, "arm_below_threshold", False),
    ],
)
def test_a_launch_checks_the_survey_of_the_arms(values, code, blocks):
    survey = armed()
    Survey.objects.filter(pk=survey.pk).update(**values)
    found = {(finding.code, finding.blocks) for finding in lint_survey(Survey.objects.get())}
    assert (code, blocks) in found


@pytest.mark.parametrize(
    "values",
    [
        {"features": {"control_items": {"share": "0"}}},
        {"randomized": False, "epsilon": None},
        {"epsilon": Decimal("0.5")},
    ],
)
def test_a_launch_checks_the_questions_of_the_arms(values):
    survey = armed()
    question = survey.questions.get(name="q1")
    features = question.features | values.get("features", {})
    survey.questions.filter(pk=question.pk).update(**{**values, "features": features})
    found = {(finding.code, finding.question) for finding in lint_survey(survey) if finding.blocks}
    assert ("question_without_arms", "q1") in found


def test_a_direct_arm_is_named_before_the_launch():
    survey = armed()
    survey.questions.filter(name="q2").update(required=False)
    messages = {finding.code: finding.message for finding in lint_survey(survey)}
    assert "of about 1,200 people are stored" in messages["direct_arm"]
    assert messages["required_direct_arm"].endswith("required: q1.")
    assert "small_arm" not in messages


def test_the_figures_count_arms_in(client):
    survey = armed()
    sign_in(client)
    for question in survey.questions.all():
        shown = visible_text(opened(client, question).text)
        assert shown.count("30 of 100 people are asked this directly") == 1
    Survey.objects.update(planned_n=1000)
    survey.refresh_from_db()
    panel = typed_figures(survey.questions.get(name="q1")).panel
    assert "35 of 100 people are asked this with an epsilon of 0.5" in panel.texts["arms"]
    assert "30 of 100 people are asked this directly" in panel.texts["arms"]
    assert panel.texts["margin"] == "± 9.4 points"


def test_searches_and_comparisons_start_with_the_people_who_answer_through_a_device(client):
    question = armed().questions.get(name="q1")
    assert usual_start(question)["n"] == 2800
    compare = reverse("admin:survey_compare", args=[question.survey_id, question.pk])
    assert 'name="n" value="2800"' in sign_in(client).get(compare).text


def arm_fields(**changes):
    fields = {"split_share": "40", "direct_share": "20", "split_q1": "0.25", "direct_q2": "on"}
    return {name: value for name, value in {**fields, **changes}.items() if value is not None}


def test_the_page_of_arms_sets_them_question_by_question(client):
    survey = make_survey(**PLAIN, questions=[{}, {}, {"known_share": Decimal(0)}])
    sign_in(client)
    # Where nobody is asked directly, this page cannot begin with it.
    client.post(page(survey, "arms"), arm_fields())
    assert stored(survey) == [(Decimal("0.25"), False), GONE, GONE]
    assert page(survey, "direct_add") in client.get(page(survey, "arms")).text
    client.post(page(survey, "arms"), arm_fields(split_q1=""))
    add_direct_arm(survey=survey)
    change_shares(survey, direct=30)
    shown = visible_text(client.get(page(survey, "arms")).text)
    assert "No arms: it is a control item." in shown
    shown = visible_text(client.post(page(survey, "arms"), arm_fields(), follow=True).text)
    assert stored(survey) == [(Decimal("0.25"), False), (None, True), GONE]
    survey.refresh_from_db()
    assert shares_of_survey(survey) == ArmShares(40, 20)
    assert "40 %, about 1,600 of 4,000 planned people" in shown
    assert "Margin with these arms" in shown


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"split_q1": "1"}, "at least 0.05 and below 1"),
        ({"split_q1": "0.01"}, "at least 0.05 and below 1"),
        ({"split_share": "80"}, "0 of 100 people would be left"),
        ({"direct_share": "3"}, "greater than or equal to 5"),
    ],
)
def test_what_cannot_be_is_said_at_its_field(client, changes, says):
    survey = make_survey(**PLAIN, questions=[{}, {}])
    add_direct_arm(survey=survey)
    answer = sign_in(client).post(page(survey, "arms"), arm_fields(**changes))
    assert says in visible_text(answer.text)
    assert stored(survey) == [(None, True)] * 2


def test_where_no_arms_can_be_the_page_says_why(client):
    survey = make_survey(**PLAIN, mode="pseudonymous", linkage="together")
    assert "divide everybody as before" in sign_in(client).get(page(survey, "arms")).text
    answer = client.post(page(survey, "arms"), arm_fields(direct_q1="on"), follow=True)
    assert "divide everybody as before" in answer.text
    assert stored(survey) == [GONE]


def test_after_the_launch_the_page_is_read_only(client):
    survey = armed()
    sign_in(client)
    launch = visible_text(client.get(page(survey, "launch")).text)
    assert "Direct arm: asked as it is: 30 %, about 1,200 people" in launch
    launch_survey(survey=survey, actor=None)
    shown = client.get(page(survey, "arms")).text
    assert "Smallest difference found, direct arm" in shown
    assert "Save the arms" not in shown
    client.post(page(survey, "arms"), arm_fields())
    assert stored(survey) == [UNTOUCHED, UNTOUCHED]
    assert page(survey, "arms") in client.get(page(survey)).text
    assert page(survey, "split_remove") not in client.get(page(survey)).text


def test_people_are_asked_directly_after_a_page_that_says_what_they_lose(client):
    survey = make_survey(**PLAIN, questions=[{}, {}], linkage="together")
    address = page(survey, "direct_add")
    assert address not in sign_in(client).get(page(survey)).text
    shown = visible_text(client.get(address).text)
    lost = "Of 30 in 100 people, about 1,200 in all, the real answers to 2 sensitive questions"
    assert lost in shown
    assert "whoever knows a person by the one finds the other" in shown
    # Neither a look nor a press without the tick adds anything.
    assert "Confirm that you know" in visible_text(client.post(address).text)
    assert stored(survey) == [GONE, GONE]
    client.post(address, {"understood": "on"})
    assert stored(survey) == [(None, True)] * 2
    survey.refresh_from_db()
    assert survey.consent.endswith("\n\n" + consent_sentence("en"))


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_launch_wants_the_sentence_and_a_tick(client, language):
    survey = armed(language=language)
    sentence, consent = consent_sentence(language), Survey.objects.get().consent
    Survey.objects.update(consent=consent.replace(sentence, "Taking part is voluntary."))
    codes = {finding.code: finding.blocks for finding in lint_survey(Survey.objects.get())}
    assert codes["direct_arm_without_consent"]
    with pytest.raises(NotReadyError):
        launch_survey(survey=survey, actor=None)
    # Where it stands, and how its lines are broken, is the author's.
    broken = sentence.replace(" ", "\n", 3)
    Survey.objects.update(consent=f"Welcome. {broken} Thank you.")
    shown = sign_in(client).get(page(survey, "launch"))
    assert "What people lose who are asked directly" in shown.text
    digest = {"digest": shown.context["digest"]}
    assert "Confirm that you know" in visible_text(client.post(page(survey, "launch"), digest).text)
    assert Survey.objects.get().is_draft
    client.post(page(survey, "launch"), {**digest, "understood": "on"})
    assert not Survey.objects.get().is_draft


def test_the_sentence_goes_with_the_arm_and_needs_room():
    survey = armed()
    remove_direct_arm(survey=survey)
    assert Survey.objects.get().consent == "Taking part is voluntary."
    Survey.objects.update(consent="x" * 3990)
    with pytest.raises(UnfitDeclarationError, match="too long"):
        add_direct_arm(survey=survey)
    assert stored(survey) == [(Decimal("0.5"), False)] * 2


def test_a_coin_that_leaves_questions_out_is_offered_with_that_sentence(client):
    coin = {"physical_device": "two_dice", "required": False}
    others = [{"required": False}] * 3
    survey = make_survey(slug="coin", questions=[coin, *others], budget=9)
    message = {finding.code: finding.message for finding in lint_survey(survey)}
    assert "1 of the 4 sensitive questions; q2, q3, q4" in message["physical_leaves_out"]
    launch_survey(survey=survey, actor=None)
    text = visible_text(client.get("/s/coin/").text)
    left_out = "There 3 of the 4 sensitive questions are left out."
    assert f"Answer with a device of your own . {left_out}" in text
    assert f"Rather use a coin or a die of your own? {left_out}" in text
    whole = make_survey(slug="whole", questions=[coin])
    assert "physical_leaves_out" not in {finding.code for finding in lint_survey(whole)}
    launch_survey(survey=whole, actor=None)
    assert "sensitive questions are left out" not in visible_text(client.get("/s/whole/").text)
