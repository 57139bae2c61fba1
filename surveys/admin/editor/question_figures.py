"""What the open question means: its figures, its devices side by side, its randomizers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.authoring.checks.physical_devices import form_lacks, physical_device_problem
from surveys.authoring.device_comparison import Comparison, comparison_of
from surveys.authoring.limits import shares_draw
from surveys.authoring.panel.words import Panel, panel_of, physical_preview
from surveys.devices import FAMILIES
from surveys.devices.joint_margin import join_questions
from surveys.devices.physical.registry import PHYSICAL_DEVICES
from surveys.devices.registry import fitting_physical_devices, stored_problem
from surveys.drafts import Draft
from surveys.forms.edited_question import EditedQuestionForm
from surveys.forms.fields.device import refusal_hint
from surveys.forms.fields.survey_features import survey_fields
from surveys.kinds import KINDS
from surveys.models import Question, Survey


@dataclass(frozen=True, slots=True)
class QuestionFigures:
    """`panel` has an error in place of figures where they cannot be computed.

    `notes`: what the settings of the chosen device mean, by its name. `unreachable`: why physical
    randomizers are not offered. `form_lacks`: what the form without JavaScript still lacks in this
    draft.
    """

    panel: Panel = field(default_factory=Panel)
    comparison: Comparison = field(default_factory=lambda: Comparison([]))
    fitting: Sequence[str] = ()
    refusal: str = ""
    notes: Mapping[str, str] = field(default_factory=dict)
    physical: Mapping[str, Any] = field(default_factory=dict)
    offered: Sequence[str] = ()
    unreachable: Sequence[str] = ()
    form_lacks: str = ""


def figures_of(
    form: EditedQuestionForm, survey: Survey, questions: Sequence[Question]
) -> QuestionFigures:
    """`form`: validated. `questions`: all of the draft, in their order."""
    opened = form.instance
    draft_now = [opened if each.pk == opened.pk else each for each in questions]
    return replace(_figures(form, survey, draft_now), form_lacks=form_lacks(draft_now))


def _figures(
    form: EditedQuestionForm, survey: Survey, questions: Sequence[Question]
) -> QuestionFigures:
    """`questions`: those of the draft, with the row of the form at its place."""
    if form.cleaned_data.get("kind") not in KINDS or "kind" in form.errors:
        return QuestionFigures()
    draft = form.draft(form.cleaned_data)
    chosen = FAMILIES.get(draft.design)
    note = chosen.setting_note(form.cleaned_data) if chosen else ""
    figures = QuestionFigures(
        fitting=form.fitting(form.cleaned_data),
        refusal=refusal_hint(draft),
        notes={draft.design: note} if note else {},
    )
    if form.errors:
        problems = (str(message) for messages in form.errors.values() for message in messages)
        return replace(figures, panel=Panel(error=" ".join(problems)))
    question = form.instance
    if not question.randomized:
        return figures
    question.membership = None
    join_questions(questions)
    panel = _panel(question, survey)
    offered = fitting_physical_devices(
        replace(draft, of_features=Draft.of(question).of_features, physical_device="")
    )
    figures = replace(
        figures,
        panel=panel,
        physical=physical_preview(question, survey.language),
        offered=[device.name for device in offered],
        unreachable=_unreachable(Draft.of(question), {device.name for device in offered}),
    )
    if panel.figures and question.membership is None:
        comparison = comparison_of(draft=question, planned_n=survey.planned_n)
        figures = replace(figures, comparison=comparison)
    return figures


def _panel(question: Question, survey: Survey) -> Panel:
    if shares_draw(question) and question.membership is None:
        return Panel(error=_("The figures follow once all questions sent together are complete."))
    if problem := stored_problem(question):
        return Panel(error=problem)
    sections = {name: each.read(survey) for name, each in survey_fields().items()}
    return panel_of(
        draft=question,
        planned_n=survey.planned_n,
        language=survey.language,
        sections=sections,
    )


def _unreachable(draft: Draft, offered: set[str]) -> list[str]:
    """Return why each other randomizer that fits the answers is not offered at this strength."""
    return [
        physical_device_problem(draft, name)
        for name, device in PHYSICAL_DEVICES.items()
        if name not in offered and device.fits(draft)
    ]


def get_words(panel: Panel) -> str:
    """Return what an author gets of the question at the planned number of people, in a sentence."""
    if not panel.texts.get("margin"):
        return ""
    text = _("With %(n)s respondents its share will be known to %(margin)s.")
    return text % {"n": panel.texts["planned"], "margin": panel.texts["margin"]}


def reads_words(panel: Panel) -> str:
    """Return what a respondent reads of the protection."""
    return panel.texts.get("frequencies", "")


def example_words(panel: Panel) -> str:
    """Return the margin as an answer that will be printed, of a share that is met often."""
    prior, margin = panel.figures.get("prior"), panel.figures.get("margin_at_planned_n")
    if prior is None or margin is None or "mean" in panel.figures:
        return ""
    text = _("“About %(share)s of 100, give or take %(margin)s”, at %(n)s respondents")
    values = {"share": numbers.count(round(100 * prior)), "n": panel.texts["planned"]}
    return text % {**values, "margin": numbers.count(round(100 * margin))}
