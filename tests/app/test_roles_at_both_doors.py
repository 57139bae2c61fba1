"""Who may do what: every operation beside the page that does the same, for every role.

The operations are those of the OpenAPI document: a new one fails until its page is named.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from surveys.definitions import definition_of, written
from surveys.features.pilots.models import DependenceRun
from surveys.models import AnalysisFit, Survey
from surveys.parameters import Analysis, Predictor
from surveys.services.analysis_fits import ask_analysis, fitted_values
from surveys.services.comments import add_comment
from tests import rosters
from tests.app.bodies import address, body_of, operations
from tests.app.calling import Program
from tests.app.pilots import answered, pilot_launch, planted_run
from tests.app.search_cases import made
from tests.app.test_admin_search import CHOICE, SETTINGS
from tests.builders import make_survey, make_user, owner, shared
from tests.released import QUESTIONS, released, varied
from tests.tiers import tiered
from tests.translations import HEBREW, translate
from tests.waves import coded_launch

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.slow]
ROLES = ("owner", "edit", "comment", "read", "researcher", "superuser", "stranger", "nobody")
# Refusals for a role; whatever else is answered, somebody with that role has come to a rule.
REFUSED = (401, 403, 404)


@dataclass
class Room:
    """A survey with all that addresses can name; `names`: the values for them."""

    survey: Survey
    names: dict[str, Any]

    def people(self) -> dict[str, Any]:
        """An account of each role in it."""
        survey = self.survey
        researcher = make_user("researcher")
        survey.researchers.add(researcher)
        return {
            "owner": survey.owner,
            **{role: shared(survey, role) for role in ("edit", "comment", "read")},
            "researcher": researcher,
            "superuser": make_user("root", superuser=True),
            "stranger": make_user("stranger", author=True),
            "nobody": make_user("nobody"),
        }


def draft() -> Room:
    survey = make_survey(questions=[CHOICE])
    translate(survey)
    question = survey.questions.get()
    target = make_user("target", author=True)
    co_author = survey.co_authors.create(user=target, role="read")
    survey.researchers.add(target)
    comment = add_comment(survey=survey, question_id=None, author=owner(), text="Why?")
    names = {"question": question.name, "question_id": question.pk, "reader_id": target.pk}
    names |= {"search_id": made(question).pk, "co_author_id": co_author.pk}
    return Room(survey, names | {"comment_id": comment.pk, "language": HEBREW})


def results() -> Room:
    launch = released(varied(60), questions=QUESTIONS, linkage="together")
    predictors = (Predictor(question="absence", scored=False),)
    analysis = Analysis("Mine", "drug", (1,), "logit", predictors, False)
    fit = ask_analysis(launch=launch, step=0, analysis=analysis, user=launch.survey.owner)
    AnalysisFit.objects.filter(pk=fit.pk).update(**fitted_values(fit))
    names = {"number": fit.number, "name": "estimates.csv", "statistic": "share"}
    return Room(launch.survey, names)


def waves() -> Room:
    return Room(coded_launch().survey, {})


def pilot() -> Room:
    launch = answered(pilot_launch(release_threshold=5, planned_n=300), 60)
    run = planted_run(launch)
    assert run.state == DependenceRun.State.DONE
    return Room(launch.survey, {"run_id": run.pk})


def tiers() -> Room:
    survey = tiered().survey
    reader = make_user("target")
    survey.tiers.first().readers.add(reader)
    return Room(survey, {"number": 1, "reader_id": reader.pk})


def roster() -> Room:
    return Room(rosters.rostered(), {"code": "a1"})


@dataclass(frozen=True)
class Twin:
    """The page that does what an operation does. `parts`: the names of what its address has.

    `body`, `names`: where the operation needs others than those of its description and room.
    """

    room: Callable[[], Room]
    page: str
    posted: dict[str, Any] | None = None
    parts: tuple[str, ...] = ()
    body: Any = None
    names: tuple[tuple[str, Any], ...] = ()
    query: str = ""


def _own_definition(room: Room) -> Any:
    return json.loads(written(definition_of(room.survey)))


def _search(act: str, posted: dict[str, Any] | None) -> Twin:
    name = f"admin:survey_search{act}"
    return Twin(draft, name, posted, ("question_id", "search_id"))


ADDED = {"person": "nobody of this name", "role": "read"}
CHOSEN = {"name": "Mine", "event": ["1"], "link": "probit", "predictor_absence": "categories"}
ANALYSIS = {
    **{"name": "Mine", "outcome": "drug", "event": [1], "link": "probit", "weighted": False},
    "predictors": [{"question": "absence", "scored": False}],
}
PEOPLE, COMMENTS = "admin:survey_people", "admin:survey_comments"
READERS = Twin(draft, "admin:survey_settings")
TIER_READERS = Twin(tiers, "admin:survey_tier_readers")
TWINS = {
    "get_survey": Twin(draft, "admin:survey_read"),
    "delete_draft": Twin(draft, "admin:surveys_survey_delete", {"post": "yes"}),
    "get_definition": Twin(draft, "admin:survey_definition"),
    "put_definition": Twin(draft, "admin:survey_settings", body=_own_definition),
    "get_parameters": Twin(draft, "admin:survey_preview"),
    "get_checks": Twin(draft, "admin:survey_launch"),
    "launch": Twin(draft, "admin:survey_launch", {"digest": "sha256:0"}),
    "close": Twin(waves, "admin:survey_close", {}),
    "reopen": Twin(waves, "admin:survey_reopen", {}),
    "list_co_authors": Twin(draft, PEOPLE),
    "create_co_author": Twin(draft, PEOPLE, ADDED, body=ADDED),
    "put_role": Twin(
        draft, PEOPLE, {"co_author": "1", "role": "read", "change": "yes"}, body={"role": "read"}
    ),
    "delete_co_author": Twin(draft, PEOPLE, {"co_author": "1", "remove": "yes"}),
    "list_readers": READERS,
    "create_reader": READERS,
    "delete_reader": READERS,
    "list_tiers": TIER_READERS,
    "create_tier_reader": TIER_READERS,
    "delete_tier_reader": TIER_READERS,
    "list_comments": Twin(draft, COMMENTS),
    "create_comment": Twin(
        draft, COMMENTS, {"add": "yes", "comment--text": "a"}, body={"text": "a"}
    ),
    "resolve_comment": Twin(draft, COMMENTS, {"resolve": "1"}),
    "reopen_comment": Twin(draft, COMMENTS, {"reopen": "1"}),
    "delete_comment": Twin(draft, COMMENTS, {"remove": "1"}),
    "list_languages": Twin(draft, "admin:survey_languages"),
    "get_language": Twin(draft, "admin:survey_language", None, ("language",)),
    "put_language": Twin(draft, "admin:survey_language", {}, ("language",), body={"texts": []}),
    "delete_language": Twin(draft, "admin:survey_language_remove", {}, ("language",)),
    "list_searches": Twin(draft, "admin:survey_workbench", None, ("question_id",)),
    "start": Twin(draft, "admin:survey_workbench", SETTINGS, ("question_id",), body={}),
    "get_search": _search("", None),
    "remove_search": _search("_delete", {}),
    "stop": _search("_stop", {}),
    "adopt_found": _search("_adopt", {"point": "certified:0"}),
    "list_waves": Twin(waves, "admin:survey_next_wave"),
    "check_wave": Twin(waves, "admin:survey_next_wave", {}),
    "launch_wave": Twin(waves, "admin:survey_next_wave", {"digest": "sha256:0"}),
    "list_runs": Twin(pilot, "admin:survey_clusters"),
    "get_run": Twin(pilot, "admin:survey_clusters"),
    "start_estimate": Twin(pilot, "admin:survey_clusters_start", {}),
    "stop_estimate": Twin(pilot, "admin:survey_clusters_stop", {}, ("run_id",)),
    "create_main_survey": Twin(
        pilot, "admin:survey_main_survey", {}, body={"total": "4", "planned_n": 500}
    ),
    "list_members": Twin(roster, "admin:survey_roster"),
    "put_members": Twin(roster, "admin:survey_roster_remove", {}),
    "remove_names": Twin(roster, "admin:survey_roster_names", {}),
    "make_personal_links": Twin(roster, "admin:survey_links_make", {}, body={}),
    "revoke_link": Twin(roster, "admin:survey_link_revoke", {}, ("place",)),
    "get_status": Twin(results, "results-status"),
    "get_results": Twin(results, "results-json"),
    "get_crowd": Twin(results, "results-crowd", query="?answer1=drug:1"),
    "list_files": Twin(results, "results"),
    "get_file": Twin(results, "estimates-csv"),
    "make_file": Twin(
        *(results, "results-file-again", {}, ("name",)), names=(("name", "summary.pdf"),)
    ),
    "get_rows": Twin(results, "reports-csv", names=(("name", "reports.csv"),)),
    "make_rows": Twin(
        *(results, "results-file-again", {}, ("name",)), names=(("name", "reports.csv"),)
    ),
    "get_bundle": Twin(results, "bundle-zip"),
    "make_bundle": Twin(
        *(results, "results-file-again", {}, ("name",)), names=(("name", "bundle.zip"),)
    ),
    # The page has one bundle, with the reports for those who may have these.
    "get_bundle_with_rows": Twin(results, "reports-csv"),
    "make_bundle_with_rows": Twin(
        *(results, "results-file-again", {}, ("name",)), names=(("name", "reports.csv"),)
    ),
    "list_analyses": Twin(results, "results-analyses"),
    "ask_for_analysis": Twin(results, "results-analyses", CHOSEN, body=ANALYSIS),
    "get_analysis": Twin(results, "results-analysis", None, ("number",)),
    "get_analysis_file": Twin(
        *(results, "analysis-csv", None, ("number",)), names=(("name", "analysis.csv"),)
    ),
    "fit_again": Twin(results, "analysis-again", {}, ("number",)),
    "remove_analysis": Twin(results, "analysis-delete", {}, ("number",)),
}
OPERATIONS = operations()
ABOUT_A_SURVEY = {name for name, (_m, path, _o) in OPERATIONS.items() if "{survey_id}" in path}


def test_every_operation_on_a_survey_has_its_page():
    assert TWINS.keys() == ABOUT_A_SURVEY


def _page(twin: Twin, room: Room, user: Any) -> bool:
    """Whether the page lets somebody in."""
    names = room.names | dict(twin.names) | {"place": 1}
    first = room.survey.pk if twin.page.startswith("admin:") else room.survey.slug
    at = reverse(twin.page, args=[first, *(names[part] for part in twin.parts)])
    at += "?outcome=drug" if twin.page == "results-analyses" else ""
    browser = Client()
    browser.force_login(user)
    with transaction.atomic():
        answer = browser.get(at) if twin.posted is None else browser.post(at, twin.posted)
        transaction.set_rollback(True)
    signs_in = answer.status_code == 302 and "/login/" in answer["Location"]
    return answer.status_code not in REFUSED and not signs_in


def _call(name: str, twin: Twin, room: Room, user: Any) -> tuple[bool, bytes]:
    """Whether the operation lets somebody in, and what it says."""
    method, path, operation = OPERATIONS[name]
    body = body_of(operation) if twin.body is None else twin.body
    body = body(room) if callable(body) else body
    values = {"survey_id": room.survey.pk, **room.names, **dict(twin.names)}
    with transaction.atomic():
        program = Program(user)
        answer = program.call(method, address(path, **values) + twin.query, body, If_Match="*")
        transaction.set_rollback(True)
    said = b"" if answer.streaming else answer.content
    return answer.status_code not in REFUSED, said


@pytest.mark.parametrize("name", sorted(TWINS))
def test_whom_a_page_lets_in_an_operation_lets_in_and_nobody_else(name):
    twin = TWINS[name]
    room = twin.room()
    people = room.people()
    assert {*people} == {*ROLES}
    by_page = {role: _page(twin, room, person) for role, person in people.items()}
    called = {role: _call(name, twin, room, person) for role, person in people.items()}
    assert by_page == {role: is_let_in for role, (is_let_in, _said) in called.items()}, called
    # Else the names of an address are wrong, and nobody's role was asked for.
    assert by_page["owner"]
    assert not by_page["stranger"]
