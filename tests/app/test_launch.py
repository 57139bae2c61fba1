"""Launching freezes a draft: what is frozen, what blocks it, and that it stays frozen."""

import json
from decimal import Decimal

import pytest
from django.db import DatabaseError, transaction
from django.urls import reverse
from django.utils import timezone

from surveys.authoring.checks.survey import lint_survey
from surveys.authoring.draft_parameters import draft_parameters
from surveys.exceptions import NotReadyError, WrongStateError
from surveys.models import Launch, Question, Survey, Transition
from surveys.parameters import canonical_json, digest_of, digest_of_json, read, to_json
from surveys.services.definitions import clone_survey
from surveys.services.launches import launch_survey
from surveys.services.transitions import (
    close_if_due,
    close_survey,
    delete_survey,
    move_survey,
    reopen_survey,
)
from tests.builders import launched, make_survey, make_user, owner
from tests.devices import columns_of

pytestmark = [pytest.mark.django_db, pytest.mark.each_database]


def test_launch_freezes_the_draft_under_its_digest(client):
    survey = make_survey(questions=[{"prefer_not": True}, {"randomized": False}])

    launch = launch_survey(survey=survey, actor=survey.owner)

    survey.refresh_from_db()
    assert survey.state == Survey.State.OPEN
    assert launch.digest == digest_of(launch.parameters)
    document = client.get(reverse("parameters", args=[survey.slug])).json()
    assert document == {**to_json(launch.parameters), "digest": launch.digest}
    assert digest_of_json(document) == document["digest"]
    sensitive, direct = document["devices"]
    table = sensitive["table"]
    assert (table["form"], table["reports"]) == ("uniform", ["A", "B", "C"])
    assert table["kept"] + 2 * table["other"] == table["denominator"] == 2**32
    assert sensitive["epsilon"] == "1"
    assert columns_of(direct["table"]) == [[1, 0], [0, 1]]
    assert (direct["table"]["denominator"], direct["epsilon"]) == (1, None)


def test_the_document_speaks_the_surveys_language():
    survey = make_survey(language="de", questions=[{"prefer_not": True}])
    parameters = draft_parameters(survey=survey)
    assert parameters.language == "de"
    assert read(json.loads(canonical_json(to_json(parameters)))) == parameters


def test_launch_is_written_down_and_happens_once():
    survey = make_survey()
    launch_survey(survey=survey, actor=survey.owner)

    with pytest.raises(WrongStateError):
        launch_survey(survey=survey, actor=survey.owner)
    assert Launch.objects.count() == 1
    move = Transition.objects.get()
    assert (move.source, move.target, move.actor) == ("draft", "open", survey.owner)


@pytest.mark.parametrize(
    ("survey", "code"),
    [
        ({"questions": []}, "no_questions"),
        ({"budget": Decimal("0.9")}, "over_budget"),
        ({"questions": [{"epsilon": Decimal("8.5")}], "budget": 20}, "epsilon_over_cap"),
        ({"questions": [{"kind": "single_choice", "options": ["one"]}]}, "option_count"),
        (
            {"questions": [{"kind": "single_choice", "options": ["same", "Same"]}]},
            "same_option",
        ),
        ({"questions": [{"kind": "single_choice", "options": ["a", " "]}]}, "empty_option"),
        ({"questions": [{"text": " "}]}, "no_text"),
        ({"questions": [{"kind": "essay"}]}, "unknown_kind"),
    ],
)
def test_what_blocks_a_launch(survey, code):
    draft = make_survey(**survey)

    blocking = {finding.code for finding in lint_survey(draft) if finding.blocks}

    assert code in blocking
    with pytest.raises(NotReadyError):
        launch_survey(survey=draft, actor=None)
    draft.refresh_from_db()
    assert draft.is_draft
    assert not Launch.objects.exists()


def test_a_closing_time_in_the_past_blocks_a_launch():
    draft = make_survey(closes_at=timezone.now())
    assert "closes_in_past" in {finding.code for finding in lint_survey(draft) if finding.blocks}


def test_doubts_are_told_and_block_nothing():
    draft = make_survey(
        consent="",
        contact="",
        planned_n=10,
        release_threshold=50,
        release_batch=5,
        questions=[{"text": "Did you drink? Did you drive?"}],
    )
    findings = lint_survey(draft)
    assert {finding.code for finding in findings} == {
        "no_consent",
        "no_contact",
        "threshold_above_planned",
        "double_barrelled",
        "imprecise",
    }
    assert not any(finding.blocks for finding in findings)


def test_the_budget_is_compared_exactly():
    """0.1 + 0.2 is 0.3 here, though not in floating point."""
    draft = make_survey(
        budget=Decimal("0.3"),
        questions=[{"epsilon": Decimal("0.1")}, {"epsilon": Decimal("0.2")}],
    )
    assert "over_budget" not in {finding.code for finding in lint_survey(draft)}


@pytest.mark.parametrize(
    "change",
    [
        lambda launch: Question.objects.update(text="Something else?"),
        lambda launch: Question.objects.all().delete(),
        lambda launch: Question.objects.create(
            survey=launch.survey, name="late", text="Late?", epsilon=1
        ),
        lambda launch: Survey.objects.update(title="Another title"),
        lambda launch: Survey.objects.update(consent="You agree to everything."),
        lambda launch: Survey.objects.update(budget=9),
        lambda launch: Survey.objects.update(linkage="together"),
        lambda launch: Survey.objects.update(release_threshold=2),
        lambda launch: Survey.objects.update(state="draft"),
        lambda launch: Launch.objects.update(parameters={}),
        lambda launch: Launch.objects.update(digest="sha256:0"),
        lambda launch: Launch.objects.all().delete(),
    ],
)
@pytest.mark.parametrize("state", ["open", "closed"])
def test_the_database_refuses_to_change_what_is_frozen(change, state):
    launch = launched()
    if state == "closed":
        close_survey(survey=launch.survey, actor=None)
    with pytest.raises(DatabaseError, match="frozen at launch"), transaction.atomic():
        change(launch)


def test_the_database_lets_the_rest_be_changed():
    launch = launched()
    Survey.objects.update(closes_at=timezone.now(), results_public=True, planned_n=7)
    Launch.objects.update(aggregated=3, translations={"de": {}})
    assert Launch.objects.get(pk=launch.pk).aggregated == 3


def test_close_reopen_and_their_refusals():
    survey = launched().survey
    close_survey(survey=survey, actor=survey.owner)
    with pytest.raises(WrongStateError):
        close_survey(survey=survey, actor=survey.owner)

    reopen_survey(survey=survey, actor=survey.owner)
    assert Survey.objects.get().state == Survey.State.OPEN
    assert Launch.objects.count() == 1


def test_reopening_needs_a_closing_time_ahead():
    survey = launched().survey
    close_survey(survey=survey, actor=None)
    survey.closes_at = timezone.now()
    survey.save(update_fields=["closes_at"])
    with pytest.raises(WrongStateError):
        reopen_survey(survey=survey, actor=None)


def test_the_clock_closes_a_survey_once():
    survey = launched().survey
    Survey.objects.update(closes_at=timezone.now())
    (due,) = Survey.objects.due_to_close()
    close_if_due(survey=due)
    close_if_due(survey=due)
    assert [move.actor for move in Transition.objects.filter(target="closed")] == [None]
    assert not Survey.objects.due_to_close().exists()
    assert Survey.objects.get(pk=survey.pk).state == Survey.State.CLOSED


def test_a_move_that_the_table_does_not_know_is_refused():
    survey = make_survey()
    with pytest.raises(WrongStateError):
        move_survey(survey=survey, source="draft", target="closed", actor=None)


def test_deleting_takes_everything_along_but_not_while_open():
    launch = launched()
    with pytest.raises(WrongStateError):
        delete_survey(survey=launch.survey, actor=None)
    close_survey(survey=launch.survey, actor=None)

    delete_survey(survey=Survey.objects.get(), actor=None)

    assert not Survey.objects.exists()
    assert not Launch.objects.exists()
    assert not Question.objects.exists()


def test_a_clone_is_a_draft_of_its_own():
    survey = launched(questions=[{"name": "a"}, {"name": "b"}]).survey
    colleague = make_user("colleague", author=True)

    first = clone_survey(survey=survey, owner=colleague)
    second = clone_survey(survey=first, owner=colleague)

    assert (first.state, first.slug, first.owner) == ("draft", "health-2", colleague)
    assert second.slug == "health-2-2"
    assert [question.name for question in second.questions.all()] == ["a", "b"]
    assert survey.questions.count() == 2


def test_who_may_see_results():
    survey = launched().survey
    colleague = make_user("colleague", author=True)
    researcher = make_user("researcher")
    chief = make_user("chief", superuser=True)
    survey.researchers.add(researcher)

    def seen_by(user):
        return Survey.objects.results_visible_to(user).exists()

    assert [seen_by(user) for user in (owner(), researcher, chief, colleague)] == [
        True,
        True,
        True,
        False,
    ]
    Survey.objects.update(results_public=True)
    assert seen_by(colleague)
    assert not Survey.objects.editable_by(colleague).exists()
