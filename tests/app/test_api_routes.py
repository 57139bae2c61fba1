"""Every operation of the interface, by every role and with every scope but its own.

The operations are those of the OpenAPI document: a new one is asked without being listed here.
"""

from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from surveys.models.api_token import Scope
from tests.app.bodies import address, operations
from tests.app.calling import EVERY_SCOPE, Program
from tests.app.test_api_surveys import definition
from tests.builders import launched, make_survey, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
OPERATIONS = [*operations().values()]
IDS = [f"{method} {path}" for method, path, _operation in OPERATIONS]
READS = "GET"


def asked(program: Program, method: str, path: str, survey: Any, document: Any) -> Any:
    """The answer, of which nothing stays."""
    with transaction.atomic():
        body = document if method in ("POST", "PUT") else None
        answer = program.call(method, address(path, survey_id=survey.pk), body, If_Match="*")
        transaction.set_rollback(True)
    return answer


def takes(operation: dict[str, Any]) -> Any:
    """A body that an operation takes: the definition of a survey, or what its example says."""
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    reference = content.get("schema", {}).get("$ref", "")
    if reference.endswith("/Definition"):
        return definition(address="of-a-program")
    return {"digest": "sha256:" + "0" * 64} if reference.endswith("LaunchOrder") else {}


@pytest.mark.slow
@pytest.mark.parametrize(("method", "path", "operation"), OPERATIONS, ids=IDS)
def test_an_operation_needs_its_scope_and_no_cookie(method, path, operation):
    (wanted,) = operation["security"]
    survey, document = make_survey(), takes(operation)
    others = [scope for scope in EVERY_SCOPE if scope not in wanted["token"]]
    assert len(wanted["token"]) <= 1
    signed_in = Client()
    signed_in.force_login(survey.owner)
    refused = signed_in.generic(
        method, "/api/v1/" + address(path, survey_id=survey.pk), content_type="application/json"
    )
    assert refused.status_code == 401
    with_others = asked(Program(survey.owner, others), method, path, survey, document)
    if wanted["token"]:
        assert with_others.status_code == 403
        assert with_others.json()["code"] == "scope"
        assert wanted["token"][0] in with_others.json()["detail"]
    own = asked(Program(survey.owner, wanted["token"]), method, path, survey, document)
    assert own.status_code not in (401, 405)
    assert own.json()["code"] != "scope" if own.status_code == 403 else True


@pytest.mark.slow
@pytest.mark.parametrize(("method", "path", "operation"), OPERATIONS, ids=IDS)
def test_who_may_not_open_a_page_gets_nothing_from_an_operation(method, path, operation):
    document, own = takes(operation), {"title": "Nobody else reads this title"}
    for survey in (make_survey(slug="draft", **own), launched(slug="open", **own).survey):
        program = Program(make_user(f"stranger-{survey.slug}", author=True))
        answer = asked(program, method, path, survey, document)
        known = asked(program, method, path, type(survey)(pk=987_654), document)
        if "{survey_id}" not in path:
            assert survey.title not in answer.content.decode()
            continue
        # The same as of a survey that is not there.
        assert answer.status_code in (404, 422)
        assert answer.content == known.content
        outsider = Program(make_user(f"outsider-{survey.slug}"))
        assert asked(outsider, method, path, survey, document).status_code in (403, 404, 422)


@pytest.mark.slow
@pytest.mark.parametrize(("method", "path", "operation"), OPERATIONS, ids=IDS)
def test_a_co_author_who_only_reads_changes_nothing(method, path, operation):
    if method == READS or "{survey_id}" not in path:
        return
    document = takes(operation)
    for survey in (make_survey(slug="draft"), launched(slug="open").survey):
        person = make_user(f"reader-{survey.slug}", author=True)
        survey.co_authors.create(user=person, role="read")
        answer = asked(Program(person), method, path, survey, document)
        assert answer.status_code in (403, 404, 422)


def test_every_scope_is_asked_for_by_some_operation():
    wanted = {
        scope for _m, _p, each in OPERATIONS for x in each["security"] for scope in x["token"]
    }
    assert wanted <= {*Scope.values}
