"""A survey's definition: written, read, and made a draft again; what is none gets a clear error."""

import copy
import json
import random
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
from django.db import transaction
from django.urls import reverse

from surveys.authoring.workbench.points import DECIMALS
from surveys.definitions import BadDefinitionError, definition_of, read_definition, written
from surveys.definitions.document import definition_schema
from surveys.features.roster.changes import replace_roster
from surveys.models import Launch, Question, Survey
from surveys.services.definitions import import_definition
from surveys.services.launches import launch_survey
from tests import rosters, tiers
from tests.app.author_posts import page, sign_in
from tests.app.composed import LAUNCHES, all_sorts
from tests.app.contract.cases import EACH, FITTING, covering, register_for_cases
from tests.app.contract.launches import launch_of
from tests.app.visible_text import visible_text
from tests.builders import make_survey, make_user, owner
from tests.thorough import THOROUGH

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
SCHEMA = jsonschema.Draft202012Validator(definition_schema())


def exported(make: Callable[[], Launch]) -> tuple[bytes, Launch]:
    """The definition of a launched survey, which is no longer there."""
    with transaction.atomic():
        launch = make()
        content = written(definition_of(launch.survey))
        transaction.set_rollback(True)
    return content, launch


def imported(content: bytes) -> Survey:
    return import_definition(definition=read_definition(content), owner=owner()).survey


@pytest.mark.slow
@pytest.mark.parametrize("name", LAUNCHES)
def test_what_is_exported_and_imported_is_launched_with_the_same_digest(name):
    content, before = exported(LAUNCHES[name])
    SCHEMA.validate(json.loads(content))
    survey = imported(content)
    # What a form adds by itself, such as the usual setting of a device, it adds once.
    again = definition_of(survey)
    second = definition_of(imported(written(again)))
    assert msgspec.structs.replace(second, address=again.address) == again
    assert launch_survey(survey=survey, actor=None).digest == before.digest


@pytest.mark.slow
def test_each_device_of_each_kind_is_exported_and_imported():
    """But for searched tables that these cases make up: nothing proves them."""
    tried = [
        case for case in FITTING if case.device.name != "searched" and not case.kind.about_members
    ]
    assert len(tried) > 100
    # Each device and each kind, and in a thorough run each device with each kind.
    chosen = covering(tried) if THOROUGH else [case for case in EACH if case in tried]
    with register_for_cases():
        for case in chosen:
            content, before = exported(lambda case=case: launch_of(case))
            with transaction.atomic():
                launch = launch_survey(survey=imported(content), actor=None)
                assert launch.digest == before.digest, str(case)
                transaction.set_rollback(True)


def test_a_roster_is_no_part_of_it_and_whoever_has_the_file_gets_the_same_digest():
    rows = rosters.roster_rows(12)
    content, before = exported(lambda: rosters.launched_network(rows))
    assert rows[0].name.encode() not in content
    survey = imported(content)
    replace_roster(survey=survey, rows=rows)
    survey = Survey.objects.get(pk=survey.pk)
    assert launch_survey(survey=survey, actor=None).digest == before.digest


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (rosters.launched_network, "Upload the roster: a definition has no names."),
        (tiers.tiered, "Name the readers of each tier: a definition has no accounts."),
    ],
)
def test_what_is_still_missing_is_said(make, words):
    definition = read_definition(exported(make)[0])
    assert import_definition(definition=definition, owner=owner()).changed == [words]


def test_a_taken_address_and_a_schedule_that_is_over_are_changed_and_said():
    survey = make_survey(slug="health", questions=[{}])
    document = json.loads(written(definition_of(survey)))
    times = {"opens_at": "2020-01-01T08:00:00Z", "closes_at": "2020-02-01T08:00:00Z"}
    content = json.dumps({**document, **times}).encode()
    result = import_definition(definition=read_definition(content), owner=owner())
    assert (result.survey.slug, result.survey.closes_at) == ("health-2", None)
    assert result.changed == [
        "The address “health” is taken here. This draft has “health-2”.",
        "The times at which it opens and closes have passed: set others, or none.",
    ]


# --- what is no definition ------------------------------------------------------------------------


def test_each_error_names_its_place_its_value_and_the_rule():
    document = json.loads(written(definition_of(make_survey(questions=[{}, {}]))))
    first = document["questions"][0]
    wrong = {
        "$.questions[0].epsilon": {"epsilon": "0"},
        "questions[0].kind": {"kind": "guess"},
        "questions[0].design": {"design": "dice"},
        "questions[0].colour": {"colour": "red"},
    }
    messages = []
    for change in wrong.values():
        messages += problems_of({**document, "questions": [{**first, **change}]})
    assert messages == [
        "questions[0]: A sensitive question needs an epsilon above 0; a direct one has none.",
        "questions[0].kind: Select a valid choice. guess is not one of the available choices.",
        "questions[0].design: Select a valid choice. dice is not one of the available choices.",
        "questions[0]: Object contains unknown field `colour`",
    ]
    (twice,) = problems_of({**document, "questions": [first, first]})
    assert twice.startswith("questions[1].name: Another question is called “q1” already.")
    (naive,) = problems_of({**document, "opens_at": "2999-01-01T08:00:00"})
    assert naive.startswith("opens_at: ")
    assert problems_of({**document, "address": "else", "budget": "1e1"}) == []


def problems_of(document: Any) -> list[str]:
    """What stands against it; nothing is stored then. Nothing where it is taken."""
    before = counts()
    content = document if isinstance(document, bytes) else json.dumps(document).encode()
    try:
        with transaction.atomic():
            imported(content)
            transaction.set_rollback(True)
    except BadDefinitionError as error:
        problems = error.problems
    else:
        return []
    assert counts() == before
    assert all(problem.message for problem in problems)
    return [*map(str, problems)]


def counts() -> tuple[int, int]:
    return Survey.objects.count(), Question.objects.count()


def test_a_searched_table_that_claims_what_is_not_proved_is_refused():
    content, _launch = exported(all_sorts)
    document = json.loads(content)
    found = document["questions"][4]["found_table"]
    search, certificate = found["search"], found["certificate"]
    # A larger bound, and the record that would follow from it.
    bound = 1.01 * certificate["bound"]
    digits = int(Fraction(bound) * search["respondents"] * 10**DECIMALS)
    claimed = format(Decimal(digits).scaleb(-DECIMALS).normalize(), "f")
    wrong = {
        "Its least error is not what its certificate proves.": {
            "search": {**search, "least_error": claimed},
            "certificate": {**certificate, "bound": bound},
        },
        "Its privacy is another than its table has.": {"search": {**search, "privacy": "0.999"}},
        "This is no table that a search has found.": {"certificate": None},
    }
    for words, change in wrong.items():
        mutant = copy.deepcopy(document)
        mutant["questions"][4]["found_table"] = {**found, **change}
        assert problems_of(mutant) == [f"questions[4].found_table: {words}"]
    assert problems_of({**document, "address": "else"}) == []


@pytest.mark.slow
def test_a_hundred_mutated_files_get_an_error_and_change_nothing():
    """Each of them is wrong at one place, wherever chance puts it (seed 28)."""
    content, _launch = exported(all_sorts)
    document, chance = json.loads(content), random.Random(28)
    refused = 0
    for _number in range(150):
        mutant = copy.deepcopy(document)
        place, key = chance.choice([*places(mutant)])
        mutate(place, key, chance)
        if mutant == document:
            continue
        refused += bool(problems_of(mutant))
    assert refused >= 100


def places(part: Any) -> Iterator[tuple[Any, Any]]:
    """Every container of a document, with each of its keys."""
    keys = part.keys() if isinstance(part, dict) else range(len(part))
    for key in keys:
        yield part, key
        if isinstance(part[key], dict | list):
            yield from places(part[key])


STRANGE: list[Any] = [None, True, -1, 1.5, 10**30, "1e99999", "NaN", "\0", "\ud800"]
STRANGE += [[], {}, [None], {"a": 1}]


def mutate(place: Any, key: Any, chance: random.Random) -> None:
    """Give a value another type, an impossible one, or a key that nobody knows."""
    if isinstance(place, dict) and chance.random() < 0.2:
        place[f"{key}_"] = place.pop(key)
    else:
        place[key] = copy.deepcopy(chance.choice(STRANGE))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "This file is no JSON"),
        (b"\xff\xfe", "This file is no JSON"),
        (b"[]", "Expected `object`, got `array`"),
        (b"[" * 100_000, "Expected `object`, got `array`"),
        (b"{}", "missing required field `format`"),
        (b'{"format": "candor-survey/9"}', "Invalid enum value 'candor-survey/9'"),
        (b" " * 2_000_001, "larger than 2 MB"),
    ],
)
def test_what_is_no_definition_at_all_is_said(content, message):
    (problem,) = problems_of(content)
    assert message in problem


# --- its pages ------------------------------------------------------------------------------------


def test_an_author_downloads_it_and_makes_a_draft_of_it(client):
    survey = make_survey(slug="health", questions=[{"text": "Did you?"}])
    file = sign_in(client).get(page(survey, "definition"))
    assert file["Content-Disposition"] == 'attachment; filename="health.candor.json"'
    answer = client.post(reverse("admin:survey_import"), {"pasted": file.text}, follow=True)
    copied = Survey.objects.exclude(pk=survey.pk).get()
    assert answer.redirect_chain[-1][0] == page(copied)
    text = visible_text(answer.text)
    assert "This draft is made from the definition." in text
    assert "The address “health” is taken here. This draft has “health-2”." in text
    assert copied.questions.get().text == "Did you?"


def test_a_wrong_file_is_refused_in_its_place_and_what_was_pasted_stays(client):
    url = reverse("admin:survey_import")
    assert "Make a draft of it" in visible_text(sign_in(client).get(url).text)
    answer = client.post(url, {"pasted": '{"format": 1}'})
    assert "Expected `str`, got `int`" in visible_text(answer.text)
    assert "{&quot;format&quot;: 1}" in answer.text
    assert "There is no definition yet" in visible_text(client.post(url, {}).text)
    assert Survey.objects.count() == 0


def test_it_is_for_those_who_may_compose_surveys(client):
    survey = make_survey(questions=[{}])
    clerk = make_user("clerk")
    clerk.is_staff = True
    clerk.save()
    sign_in(client, clerk)
    assert client.get(reverse("admin:survey_import")).status_code == 403
    assert client.get(page(survey, "definition")).status_code in (403, 404)


def test_the_example_of_the_docs_is_imported():
    docs = (Path(__file__).parents[2] / "docs" / "definitions.md").read_text(encoding="utf-8")
    example = docs.split("```json definition\n")[1].split("```")[0]
    survey = imported(example.encode())
    assert list(survey.questions.values_list("name", flat=True)) == ["drug", "size"]
    assert launch_survey(survey=survey, actor=None).parameters.section("tables") == (
        ("drug", "size"),
    )
