"""The contract if a device does not fit a kind: an error with a code and a message."""

import pytest
from django.conf import settings
from django.utils import translation

import rr_engine
from surveys.authoring.checks.survey import lint_survey
from surveys.devices import DIRECT, FAMILIES, family_of
from surveys.devices.physical.registry import PHYSICAL_DEVICES
from surveys.devices.registry import physical_device_of
from surveys.forms.question import QuestionForm
from surveys.kinds import KINDS
from surveys.models import Question
from tests.app.contract.cases import (
    FITTING,
    REFUSED,
    STAYING,
    Case,
    covering,
    question_of,
    survey_of,
)
from tests.builders import make_survey

LANGUAGES = [code for code, _name in settings.LANGUAGES]
# A direct question has no device to be named: what must be scrambled is said beside that choice.
MISFITS = [case for case in REFUSED if case not in STAYING and case.device is not DIRECT]


def form_of(case: Case) -> QuestionForm:
    """The form with the posted values of this question."""
    question = question_of(case.draft())
    options = "\n".join(question["options"])
    parameters = {name: question.pop(name) for name in ("design_parameters", "prefer_not")}
    scale = question.pop("scale") or {}
    typed = {**scale, "bins": str(len(scale.get("bins", [])) or "")}
    ticked = {"prefer_not": "on"} if parameters["prefer_not"] else {}
    relaxed = {"delta_understood": "on", "delta": "0.01", "prevalence": "0.02"}
    text = {"text": "Wie kommen Sie?", "position": "1", "epsilon_reason": ""}
    data = {**question, **typed, **text, **relaxed, **ticked, "options": options}
    return QuestionForm(data, instance=Question(design_parameters=parameters["design_parameters"]))


@pytest.mark.parametrize("case", REFUSED, ids=str)
def test_what_does_not_fit_is_refused_by_its_code(case):
    with pytest.raises(rr_engine.errors.ArgumentError) as error:
        physical_device_of(case.draft()) if case.physical else family_of(case.draft())
    assert error.value.code == "unknown_choice"


@pytest.mark.django_db
@pytest.mark.parametrize("case", covering(REFUSED), ids=str)
def test_lint_stops_what_does_not_fit(case):
    survey = make_survey(questions=[question_of(case.draft())], **survey_of(case))
    blocking = {finding.code for finding in lint_survey(survey) if finding.blocks}
    expected = {"physical_device" if case.physical else "no_device"}
    # A survey that knows who answers has no direct questions and no devices in hand at all.
    if case.kind.about_members and case.physical:
        expected.add("clash")
    if case.kind.about_members and case.device is DIRECT:
        expected = {"links_direct"}
    assert blocking == expected


@pytest.mark.django_db
@pytest.mark.parametrize("case", covering(MISFITS), ids=str)
def test_the_form_names_what_does_not_fit_and_what_it_needs(case):
    for language in LANGUAGES:
        with translation.override(language):
            (message,) = form_of(case).errors["physical_device" if case.physical else "design"]
            assert str(case.device.label) in message
            assert (
                case.device.mismatch() if case.physical else case.device.needs_words()
            ) in message


@pytest.mark.django_db
@pytest.mark.parametrize("case", covering(FITTING), ids=str)
def test_the_form_takes_what_fits(case):
    assert not form_of(case).errors


def test_every_device_fits_a_kind_and_every_kind_has_devices():
    """Otherwise the contract would hold vacuously for it."""
    names = {case.device.name for case in FITTING}
    assert names == {*FAMILIES, DIRECT.name, *PHYSICAL_DEVICES}
    assert {case.kind.name for case in FITTING if case.device is not DIRECT} == {*KINDS}
    assert STAYING
