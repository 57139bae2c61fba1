"""What a launch freezes, in the words of the pages that show it, before the launch and after."""

import dataclasses
from typing import Any

from surveys import numbers
from surveys.authoring.checks.survey import lint_survey
from surveys.authoring.device_comparison import device_note
from surveys.authoring.features import selection_of
from surveys.authoring.limits import shares_draw
from surveys.authoring.panel.words import budget_of, panel_of, physical_preview
from surveys.devices import family_of
from surveys.devices.joint_margin import join_questions, report_epsilon
from surveys.devices.physical.registry import PHYSICAL_DEVICES
from surveys.drafts import Draft
from surveys.exceptions import NotReadyError
from surveys.features import FEATURES, sections_of
from surveys.kinds import KINDS
from surveys.models import Question, Survey
from surveys.parameters import Parameters
from surveys.parameters.budget import spent
from surveys.services.launches import parameters_to_serve


def frozen_context(survey: Survey) -> dict[str, Any]:
    """Return what a launch freezes, with its digest, or the problems that prevent the launch."""
    questions = list(survey.questions.all())
    context = {
        "findings": lint_survey(survey),
        "budget": budget_of(
            questions=questions, budget=survey.budget, selection=selection_of(survey)
        ),
        "document": None,
        "feature_facts": feature_facts(survey, questions),
    }
    try:
        served_parameters = parameters_to_serve(survey=survey)
    except NotReadyError:
        return context
    return context | {
        "document": served_parameters.parameters,
        "digest": served_parameters.digest,
        "frozen_questions": frozen_questions(survey, served_parameters.parameters),
    }


def feature_facts(
    survey: Survey, questions: list[Question], *, without_fields: bool = False
) -> list[tuple[Any, Any]]:
    """Return what features freeze; `without_fields`: of those without a field in the settings."""
    features = [
        feature
        for feature in FEATURES.values()
        if not (without_fields and feature.desk.survey_field)
    ]
    return [fact for each in features for fact in each.desk.launch_facts(survey, questions)]


def frozen_questions(survey: Survey, parameters: Parameters) -> list[dict[str, Any]]:
    """The questions of a parameters document with their devices and what epsilon means."""
    questions = list(survey.questions.all())
    join_questions(questions)
    rows = {question.name: question for question in questions}
    shown = {
        question.id: {
            "question": question,
            "kind_label": KINDS[question.kind].label,
            "randomized": question.randomized,
            "shares_draw": shares_draw(rows[question.id]),
        }
        for question in parameters.questions
    }
    for feature in FEATURES.values():
        for name, more in feature.desk.frozen_questions(survey, questions, parameters).items():
            shown[name] |= more
    for name, row in shown.items():
        if row["randomized"] and "device_label" not in row:
            row |= _sensitive(survey, rows[name], parameters)
    return list(shown.values())


def _sensitive(survey: Survey, question: Question, parameters: Parameters) -> dict[str, Any]:
    """The sensitive questions. Their rows are frozen too, so they agree with the parameters, but
    for the epsilon of a later wave.
    """
    device = PHYSICAL_DEVICES.get(question.physical_device)
    draft = Draft.of(question)
    if parameters.wave > 1:
        devices = parameters.devices_of(parameters.question(question.name))
        draft = dataclasses.replace(draft, epsilon=spent(devices))
    family = family_of(draft)
    delta = family.delta(draft)
    return {
        "pk": question.pk,
        "epsilon": numbers.epsilon(report_epsilon(draft) or 0),
        "device_label": family.label,
        "device_note": device_note(question),
        "delta": numbers.decimal(delta) if delta else None,
        "setting_note": family.setting_note(draft.design_parameters),
        "physical_label": device.label if device else None,
        "physical": physical_preview(question, survey.language) if device else {},
        "panel": panel_of(
            draft=draft,
            planned_n=survey.planned_n,
            language=survey.language,
            sections=sections_of(parameters),
        ),
    }
