"""A launch freezes what can be read again; anything else stops the launch in clear words."""

from decimal import Decimal

import pytest
from django.test import Client
from django.utils import translation
from msgspec.structs import replace

from surveys.authoring.checks.document import TRANSLATED, rule_words
from surveys.authoring.checks.survey import lint_survey
from surveys.authoring.draft_parameters import draft_parameters
from surveys.authoring.workbench.searching import run_request
from surveys.exceptions import NotReadyError
from surveys.models import DesignSearch, Launch, Survey
from surveys.parameters import ParametersError, check_device, to_freeze
from surveys.parameters.types import PATTERN_RULES
from surveys.services.launches import launch_survey, parameters_to_serve
from surveys.services.searches import UnfitTableError, adopt
from tests.app.author_posts import page
from tests.app.searched_tables import LABELS, searched_parameters
from tests.builders import launched, make_survey, make_user

pytestmark = pytest.mark.django_db


def searched(**record):
    """A question with an adopted table, whose record of the search is changed."""
    stored = searched_parameters()
    stored["search"] |= record
    kind = {"kind": "single_choice", "options": LABELS, "design": "searched"}
    return {**kind, "epsilon": Decimal("0.81"), "design_parameters": stored}


def rare(delta):
    settings = {"delta": delta, "prevalence": "0.02"}
    return {"design": "optimal_binary", "design_parameters": settings}


UNREADABLE = [
    ({"title": ""}, None, "“title”", "a text that is not empty"),
    ({"language": ""}, None, "“language”", "a text that is not empty"),
    ({"title": "\ud800"}, None, "“document”", "a text without lone surrogates"),
    ({"questions": [{}, rare("1e-5")]}, "q2", "“delta”", "a decimal such as 0.01"),
    (
        {"questions": [searched(least_error="1e9")]},
        "q1",
        "“search.least_error”",
        "at most 31 digits before the point",
    ),
]


@pytest.mark.parametrize(("values", "name", "field", "rule"), UNREADABLE)
@pytest.mark.parametrize("service", [launch_survey, parameters_to_serve])
def test_what_nobody_can_read_is_neither_launched_nor_previewed(
    monkeypatch, values, name, field, rule, service
):
    survey = make_survey(slug="draft", questions=values.get("questions"))
    changed = {key: value for key, value in values.items() if key != "questions"}
    drafted = replace(draft_parameters(survey=survey), **changed)
    for module in ("authoring.checks.document", "services.launches"):
        monkeypatch.setattr(f"surveys.{module}.draft_parameters", lambda **_: drafted)
    (finding,) = [finding for finding in lint_survey(survey) if finding.blocks]
    assert (finding.code, finding.question) == ("unfit_document", name)
    assert field in finding.message
    assert rule in finding.message
    assert finding.message.startswith(f"{name}: " if name else "This cannot be launched")
    with pytest.raises(NotReadyError) as error:
        service(survey=survey, **({"actor": None} if service is launch_survey else {}))
    assert error.value.problems == [finding.message]
    assert not Launch.objects.exists()


def test_every_rule_that_is_translated_is_one_that_a_document_breaks():
    rules = {*PATTERN_RULES.values(), *(rule for _values, _name, _field, rule in UNREADABLE)}
    parameters = launched().parameters
    with pytest.raises(ParametersError) as error:
        check_device(replace(parameters.devices[0], epsilon="0.5"))
    assert rules.union([error.value.rule]).issuperset(TRANSLATED)
    with translation.override("de"):
        assert rule_words(error.value) != error.value.rule


def test_the_launch_page_shows_what_cannot_be_read():
    survey = make_survey(questions=[rare("1e-5")])
    browser = Client()
    browser.force_login(make_user("root", superuser=True))
    for answer in (
        browser.get(page(survey, "launch")),
        browser.post(page(survey, "launch"), {"digest": "x"}),
    ):
        assert answer.status_code == 200
        assert "q1: This cannot be launched: “delta” of the parameters" in answer.text
    survey.refresh_from_db()
    assert survey.state == Survey.State.DRAFT


def test_a_broken_rule_beyond_the_schema_is_a_finding_too(monkeypatch):
    survey = make_survey(questions=[{}, {}])
    parameters = draft_parameters(survey=survey)
    devices = tuple(replace(device, family="k_rr", epsilon="0.9") for device in parameters.devices)
    drafted = replace(parameters, devices=devices)
    where = "surveys.authoring.checks.document.draft_parameters"
    monkeypatch.setattr(where, lambda **_: drafted)
    (finding,) = [finding for finding in lint_survey(survey) if finding.blocks]
    assert finding.code == "unfit_document"
    assert finding.message.startswith("q1: ")
    assert "“epsilon” of the parameters breaks a rule (the table must keep" in finding.message


def test_an_error_bound_of_millions_is_launched_and_read_again():
    """Where next to nothing is known of an answer, the least possible error is that large."""
    launch = launched(questions=[searched(least_error="1953125.183007576219")])
    launch.refresh_from_db()
    (device,) = launch.parameters.devices
    assert device.search.least_error == "1953125.183007576219"


LABELS_OF_FOUR = ["North", "East", "South", "West"]


def finished_search(question):
    """Four answers at 25 % each, and hardly any certainty allowed after a report."""
    request = {
        "format": 1, "labels": LABELS_OF_FOUR, "prior": ["0.25"] * 4, "origin": {"kind": "typed"},
        "n": 1000, "delta": "0.2501", "epsilon": None, "methods": ["certified", "local"],
        "generations": 1, "levels": 2, "seed": 0,
    }  # fmt: skip
    content = run_request(request, lambda _share, _content: True)
    return DesignSearch.objects.create(
        question=question, request=request, content=content, state="done", progress=1
    )


def test_a_table_at_the_end_of_the_front_is_adopted_launched_and_shown():
    """Seen before: the launch went well, and every page of the survey failed from then on."""
    choice = {"kind": "single_choice", "options": LABELS_OF_FOUR}
    survey = make_survey(questions=[choice])
    search = finished_search(survey.questions.get())
    last = len(search.content["fronts"]["local"]["members"]) - 1
    question = adopt(search=search, method="local", index=last)
    assert float(question.design_parameters["search"]["least_error"]) > 1_000_000
    launch = launch_survey(survey=survey, actor=None)
    assert Launch.objects.get().parameters == launch.parameters
    browser = Client()
    browser.force_login(make_user("root", superuser=True))
    for address in ("/s/health/", "/s/health/parameters.json", "/s/health/results/"):
        assert browser.get(address).status_code == 200
    assert browser.get(page(survey, "share")).status_code == 200


def test_a_table_that_no_launch_could_freeze_is_not_adopted(monkeypatch):
    choice = {"kind": "single_choice", "options": LABELS_OF_FOUR}
    question = make_survey(questions=[choice]).questions.get()
    search = finished_search(question)
    huge = f"1{'0' * 31}"
    monkeypatch.setattr("surveys.authoring.workbench.adopting._text", lambda number: huge)
    with pytest.raises(UnfitTableError, match=r"its “search\.privacy” breaks a rule"):
        adopt(search=search, method="local", index=0)
    question.refresh_from_db()
    assert question.design != "searched"


def test_a_device_alone_is_checked_like_one_of_a_document():
    device = launched().parameters.devices[0]
    check_device(device)
    with pytest.raises(ParametersError) as error:
        check_device(replace(device, delta="1e-5"))
    assert (error.value.code, error.value.field) == ("shape", "delta")
    with pytest.raises(ParametersError) as error:
        check_device(replace(device, epsilon="0.5"))
    assert (error.value.code, error.value.field) == ("too_revealing", "epsilon")


def test_what_is_frozen_is_what_was_read():
    parameters = launched().parameters
    assert to_freeze(parameters) == parameters
    with pytest.raises(ParametersError) as error:
        to_freeze(replace(parameters, wave=0))
    assert (error.value.code, error.value.field) == ("shape", "wave")
