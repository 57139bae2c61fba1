"""The contents of the page of arms, for a survey and its questions."""

from dataclasses import dataclass

from django.forms import BoundField
from django.utils.translation import gettext as _

from surveys import numbers
from surveys.drafts import Draft
from surveys.features.arms.allowed import has_arms, left_out_words
from surveys.features.arms.figures import arm_figures
from surveys.features.arms.forms import ArmsForm
from surveys.features.arms.settings import arms_of_question
from surveys.models import Question


@dataclass(frozen=True, slots=True)
class QuestionView:
    """A sensitive question: its fields in a draft, its arms in words, and their figures."""

    question: Question
    left_out: str
    fields: list[BoundField]
    facts: list[tuple[str, str]]


def question_view(question: Question, planned_n: int, form: ArmsForm | None) -> QuestionView:
    left_out = left_out_words(question)
    fields = form.fields_of(question) if form is not None else []
    facts = []
    if has_arms(question) and not left_out:
        facts = [*([] if fields else _arms(question)), *_facts(question, planned_n)]
    return QuestionView(question, left_out, fields, facts)


def _arms(question: Question) -> list[tuple[str, str]]:
    """Return the arms of a question as labels and texts, for a page without fields for them."""
    arms = arms_of_question(question)
    split = arms.split_epsilon
    return [
        (_("Epsilon"), numbers.decimal(question.epsilon or 0)),
        (_("Epsilon in the split sample"), numbers.decimal(split) if split else _("the same")),
        (_("Asked directly"), _("yes") if arms.asked_directly else _("no")),
    ]


def _facts(question: Question, planned_n: int) -> list[tuple[str, str]]:
    figures, arms = arm_figures(Draft.of(question), planned_n), arms_of_question(question)
    facts = []
    if arms.split_epsilon is not None:
        label = _("Smallest difference found, split sample")
        facts.append((label, _difference(figures.split)))
    if arms.asked_directly:
        label = _("Smallest difference found, direct arm")
        facts.append((label, _difference(figures.direct)))
    facts.append((_("Margin if everybody were asked alike"), _margin(figures.margin_without)))
    return [*facts, (_("Margin with these arms"), _margin(figures.margin))]


def _difference(value: float | None) -> str:
    if value is None:
        return _("none, however large")
    return _("%s points") % numbers.points(value, 1)


def _margin(value: float | None) -> str:
    return numbers.UNKNOWN if value is None else numbers.margin(value)
