"""Whatever is sent to the interface, it is answered as it says, and nothing is half stored."""

import copy
import json
import random
from collections import Counter
from typing import Any

import pytest
import schemathesis
from django.apps import apps
from django.core.wsgi import get_wsgi_application
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as of_hypothesis
from hypothesis import strategies as st
from schemathesis import GenerationMode, checks

from surveys.api.application import application
from surveys.api.openapi import openapi
from surveys.models import ApiToken, Question, StoredAnswer, Survey
from tests.app.bodies import all_bodies
from tests.app.calling import Program
from tests.app.test_api_surveys import definition
from tests.builders import launched, make_survey, make_user, owner
from tests.thorough import examples

MUTATIONS = examples(1500, 5000)
SEED = 20260701
# Not whether what fits the schema is taken: rules beyond it are in words.
CHECKED = [
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
    checks.negative_data_rejection,
]
ODD = (
    *(None, True, -1, 0, 2**63, 1e308, "", "\0", "x" * 5000, "\ud83d\ude00", [], {}, [[]]),
    *("9" * 400, "1e400", "NaN", "../..", "2026-13-45", "sha256:", "{}"),
)


def places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place of a document, by the keys that lead there."""
    inner = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    return [at, *(place for key, each in inner for place in places(each, (*at, key)))]


def mutated(document: Any, chance: random.Random) -> bytes:
    """The document with one to three places changed, left out or doubled; or bytes cut off."""
    changed = copy.deepcopy(document)
    for _number in range(chance.choice((1, 1, 2, 3))):
        *way, last = chance.choice([place for place in places(changed) if place])
        holder = changed
        for key in way:
            holder = holder[key]
        act = chance.randrange(4)
        if act == 0:
            holder[last] = copy.deepcopy(chance.choice(ODD))
        elif act == 1:
            del holder[last]
        elif isinstance(holder, dict):
            holder[chance.choice(("more", "", "id", "owner"))] = copy.deepcopy(holder[last])
        else:
            holder.append(copy.deepcopy(holder[last]))
        if not places(changed)[1:]:
            break
    text = json.dumps(changed).encode()
    return text[: chance.randrange(len(text))] if chance.random() < 0.05 else text


def rows() -> Counter[str]:
    """How many rows every table has, without those that a request is counted by."""
    return Counter(
        {
            model._meta.label: model.objects.count()
            for model in (
                *apps.get_app_config("surveys").get_models(),
                *apps.get_app_config("admin").get_models(),
            )
            if model not in (ApiToken, StoredAnswer)
        }
    )


@pytest.mark.django_db
@pytest.mark.any_database
@pytest.mark.slow
def test_mutated_bodies_are_refused_or_stored_whole(settings):
    settings.API_RATE = "1000000/minute"
    chance, program = random.Random(SEED), Program(owner())
    document, draft = definition(address="mutated"), make_survey(slug="to-replace")
    bodies = {
        ("POST", "surveys/validate"): document,
        ("PUT", f"surveys/{draft.pk}/definition"): document,
        ("POST", f"surveys/{draft.pk}/launch"): {"digest": "sha256:0", "confirmed": True},
        ("POST", f"surveys/{draft.pk}/reopen"): {"closes_at": "2030-01-01T00:00:00Z"},
        ("POST", "surveys"): document,
    }
    weights = dict(zip(bodies, (3, 3, 10, 10, 2), strict=True))
    # Whatever else takes a body, of a draft and of a survey that is launched.
    for survey in (draft, launched(slug="open").survey):
        bodies = all_bodies(survey) | bodies
    assert len(bodies) > 30
    odds = [weights.get(key, 1) for key in bodies]
    statuses: Counter[int] = Counter()
    stored = Survey.objects.exclude(pk=draft.pk).filter(slug__startswith="mutated")
    for number in range(MUTATIONS):
        (method, path), body = chance.choices([*bodies.items()], odds)[0]
        before = rows() if number % 20 == 0 else None
        answer = program.call(method, path, mutated(body, chance), If_Match="*")
        statuses[answer.status_code] += 1
        assert answer.status_code < 500, (path, answer.content)
        if answer.status_code >= 400:
            assert answer["Content-Type"] == "application/problem+json"
            assert before is None or rows() == before
        else:
            # And nothing that was refused before.
            assert stored.count() <= (path == "surveys")
            stored.delete()
    assert statuses[422] > MUTATIONS / 4
    assert {200, 400} <= statuses.keys()
    assert not stored.exists()
    assert not Question.objects.exclude(survey__in=Survey.objects.all()).exists()


def cases_of(operation: Any) -> Any:
    """Requests that fit the description, and those that do not, where there are any."""
    takes = operation.path_parameters or operation.query or operation.body
    modes = [GenerationMode.POSITIVE, *([GenerationMode.NEGATIVE] if takes else [])]
    return st.one_of([operation.as_strategy(generation_mode=mode) for mode in modes])


def is_a_key(value: Any) -> bool:
    return isinstance(value, int) and 1 <= value < 2**63


@pytest.mark.django_db(transaction=True)
@pytest.mark.any_database
@pytest.mark.slow
def test_the_interface_answers_as_its_document_says(settings):
    """By schemathesis, in this process, always with the same requests."""
    settings.API_RATE = "1000000/minute"
    launch, _draft = launched(slug="open"), make_survey(slug="draft")
    token = {"Authorization": f"Bearer {Program(launch.survey.owner).secret}"}
    make_user("other", author=True)
    schema = schemathesis.openapi.from_dict(openapi(application()))
    schema.app = get_wsgi_application()
    ran = 0
    for result in schema.get_all_operations():
        operation = result.ok()

        @given(case=cases_of(operation), known=st.booleans())
        @of_hypothesis(
            max_examples=10,
            derandomize=True,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.generate],
        )
        def check(case: Any, known: bool) -> None:
            # A number that is wrong stays: what it breaks is to be refused.
            if known and is_a_key((case.path_parameters or {}).get("survey_id")):
                case.path_parameters["survey_id"] = launch.survey_id
            response = case.call(headers=token)
            case.validate_response(response, checks=CHECKED)

        check()
        ran += 1
    assert ran == len(list(schema.get_all_operations())) > 10
