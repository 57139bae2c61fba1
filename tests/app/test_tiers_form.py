"""Tiers in the author's hands: written one per line, checked, frozen, cloned and shown."""

import pytest
from django.db import DatabaseError, transaction

from surveys.authoring.checks.survey import lint_survey
from surveys.authoring.draft_parameters import questions_of
from surveys.authoring.features import clashes
from surveys.features.tiers.models import Tier
from surveys.features.tiers.reading import parse_tiers, tier_problems, usual_tiers
from surveys.models import Survey
from surveys.services.definitions import clone_survey
from tests.app.author_posts import (
    page,
    sign_in,
    stored_question,
    typed_figures,
    write_settings,
)
from tests.builders import launched, make_survey, owner

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
TIERS = (("The public", "0.25"), ("Partners", "0.5"), ("Our own team", "1"))
TEXT = "The public: 0.25\nPartners: 0.5\nOur own team: 1"

ASKED = {"kind": "yes_no", "randomized": "True", "epsilon": "2", "design": "k_rr"}


def rows(survey):
    return [(tier.name, f"{tier.share.normalize():f}") for tier in survey.tiers.all()]


def posted(client, text, survey=None, **values):
    survey = survey or make_survey(questions=[])
    return survey, write_settings(sign_in(client), survey, tiers=text, **values)


def test_what_is_offered_can_be_saved(client):
    assert usual_tiers() == TEXT
    survey, answer = posted(client, usual_tiers())
    assert answer["state"] == "saved"
    assert rows(survey) == list(TIERS)
    assert TEXT in client.get(page(survey, "settings")).text


@pytest.mark.parametrize(
    ("line", "name", "share"),
    [
        ("The public: 0.25", "The public", "0.25"),
        ("The public , 0,25", "The public", "0.25"),
        ("A: b: 1", "A: b", "1"),
        ("Staff = 0.1250", "Staff", "0.125"),
        ("x:1", "x", "1"),
    ],
)
def test_a_line_is_a_name_and_a_share(line, name, share):
    (tier,), problems = parse_tiers(line)
    assert (tier.name, tier.share, problems) == (name, share, [])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The public\nAll: 1", "Line 1: write “name: share”"),
        ("\nThe public: half\nAll: 1", "Line 2: write “name: share”"),
        (": 0.5\nAll: 1", "Line 1: write “name: share”"),
        ("The public: 0\nAll: 1", "Line 1: a share is from 0.01 to 1"),
        ("The public: 0.5\nAll: 1.5", "Line 2: a share is from 0.01 to 1"),
        (f"{'x' * 61}: 0.5\nAll: 1", "Line 1: a name has 60 characters at most"),
        ("All: 1", "A survey has 2 to 5 tiers, or none"),
        ("\n".join(f"T{i}: 0.{i}" for i in range(1, 6)) + "\nAll: 1", "A survey has 2 to 5 tiers"),
        ("all: 0.5\nAll: 1", "Two tiers have the same name"),
        ("A: 0.5\nB: 0.5\nAll: 1", "The share of “B” must be above that of “A”"),
        ("A: 0.5\nB: 0.75", "The share of the highest tier is 1; that of “B” is 0.75"),
    ],
)
def test_what_breaks_a_rule_is_said_at_the_field(client, text, words):
    survey, answer = posted(client, text)
    assert any(words in message for message in answer["errors"]["tiers"])
    assert 'href="#id_tiers"' in client.get(page(survey, "settings")).text
    assert not survey.tiers.exists()


def test_tiers_and_return_codes_exclude_each_other(client):
    _, answer = posted(client, TEXT, mode="pseudonymous", linkage="together")
    assert "open link" in answer["errors"]["tiers"][0]


def test_a_tier_that_keeps_its_name_keeps_its_row(client):
    survey = make_survey(questions=[], tiers=TIERS)
    before = {tier.name: tier.pk for tier in survey.tiers.all()}
    _, answer = posted(client, "Press: 0.1\nPartners: 0.6\nOur own team: 1", survey)
    assert answer["state"] == "saved"
    after = {tier.name: tier.pk for tier in survey.tiers.all()}
    assert rows(survey) == [("Press", "0.1"), ("Partners", "0.6"), ("Our own team", "1")]
    assert after["Partners"] == before["Partners"]
    posted(client, "", survey)
    assert rows(survey) == []


def test_a_launched_survey_shows_its_tiers_and_takes_no_others(client):
    survey = launched(tiers=TIERS).survey
    html = sign_in(client).get(page(survey)).text
    assert 'name="tiers"' not in html
    assert "The public: 0.25" in html
    answer = write_settings(client, survey, tiers="A: 0.5\nB: 1", planned_n="901")
    assert answer["errors"] == {}
    survey.refresh_from_db()
    assert survey.planned_n == 901
    assert rows(survey) == list(TIERS)


@pytest.mark.each_database
@pytest.mark.parametrize(
    "change",
    [
        lambda survey: Tier.objects.filter(survey=survey).update(share="0.3"),
        lambda survey: Tier.objects.filter(survey=survey, position=0).update(name="Press"),
        lambda survey: Tier.objects.filter(survey=survey).update(position=7),
        lambda survey: Tier.objects.filter(survey=survey).delete(),
        lambda survey: Tier.objects.create(survey=survey, name="New", share="0.7"),
    ],
    ids=["share", "name", "position", "delete", "insert"],
)
def test_the_database_refuses_a_change_after_launch(change):
    survey = launched(tiers=TIERS).survey
    with pytest.raises(DatabaseError, match="frozen at launch"), transaction.atomic():
        change(survey)
    assert rows(survey) == list(TIERS)


def test_a_survey_that_is_being_deleted_takes_its_tiers_along():
    survey = make_survey(tiers=TIERS)
    survey.delete()
    assert not Tier.objects.exists()


def test_a_clone_has_tiers_of_its_own():
    survey = launched(tiers=TIERS).survey
    copy = clone_survey(survey=survey, owner=owner())
    assert rows(copy) == list(TIERS)
    copy.tiers.all().delete()
    assert rows(survey) == list(TIERS)


def codes(survey):
    return {finding.code for finding in lint_survey(survey) if finding.blocks}


def test_launch_checks_name_what_a_survey_with_tiers_cannot_have():
    survey = make_survey(
        tiers=TIERS,
        mode="pseudonymous",
        linkage="together",
        questions=[{"physical_device": "two_dice"}],
    )
    assert sum("“Tiers” and" in text for text in clashes(survey, questions_of(survey))) == 2
    Survey.objects.filter(pk=survey.pk).update(mode="open")
    survey.refresh_from_db()
    (message,) = clashes(survey, questions_of(survey))
    assert message.startswith("“Tiers” and “A physical randomizer” (q1) do not go together")
    assert codes(survey) == {"clash"}


def test_launch_checks_say_that_every_tier_reads_direct_answers():
    survey = make_survey(tiers=TIERS, questions=[{}, {"randomized": False}])
    findings = {finding.code: finding for finding in lint_survey(survey)}
    assert not findings["tiers_direct"].blocks
    assert "q2" in findings["tiers_direct"].message


def test_rows_that_no_form_would_save_stop_the_launch():
    survey = make_survey(tiers=(("A", "0.5"), ("B", "0.4")))
    messages = [finding.message for finding in lint_survey(survey) if finding.code == "bad_tiers"]
    assert len(messages) == 2


def tiers_told(**asked):
    panel = typed_figures(stored_question(**asked), **asked).panel
    return panel.texts["tiers"], panel.texts["margin"]


def test_the_figures_say_what_each_tier_gets():
    survey = make_survey(planned_n=1000, tiers=TIERS)
    words, _margin = tiers_told(**ASKED)
    assert [name for name, _share in TIERS if f"{name}: ε = " in words] == [n for n, _ in TIERS]
    assert "The public: ε = 0.5," in words
    survey.tiers.all().delete()
    told, margin = tiers_told(**{**ASKED, "epsilon": "0.5"})
    assert f"The public: ε = 0.5, margin {margin}." in words
    assert told == ""


def test_the_figures_leave_out_tiers_that_are_not_right(client):
    _survey, answer = posted(client, "A: 0.5", make_survey())
    assert answer["state"] == "unfinished"
    assert tiers_told(**ASKED)[0] == ""


def test_no_problem_is_found_with_no_tiers():
    assert list(tier_problems(())) == []


def test_the_launch_page_lists_the_tiers_and_what_each_gets(client):
    survey = make_survey(tiers=TIERS)
    html = sign_in(client).get(page(survey, "launch")).text
    assert "The public: 0.25<br>Partners: 0.5<br>Our own team: 1" in html
    assert "Partners: ε = 0.5, margin" in html
    plain = client.get(page(make_survey(slug="plain"), "launch")).text
    assert "Tiers" not in plain
