"""The fields of the order of answers at the author's desk, and what of it freezes."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.forms import Form
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from surveys.features.option_orders import forms
from surveys.features.option_orders.author import problem_of, stays_last, why_not
from surveys.features.option_orders.settings import change_order, order_of
from surveys.features.parts import DeskPart, Facts, OwnField
from surveys.models import Question, Survey

_LABELS = dict(forms.CHOICES)


class OptionOrdersAtDesk(DeskPart):
    question_field = OwnField(
        forms.BY,
        forms.by_field,
        read=lambda question: order_of(question).by,
        store=lambda question, typed: change_order(question, by=typed or ""),
        text=lambda by: str(_LABELS[by]),
    )
    further_question_fields = (
        OwnField(
            forms.LAST,
            forms.last_field,
            read=lambda question: order_of(question).last,
            store=lambda question, typed: change_order(question, last=typed),
            text=lambda last: "" if last is None else str(last),
        ),
        OwnField(
            forms.KEPT,
            forms.kept_field,
            read=lambda question: order_of(question).kept,
            store=lambda question, typed: change_order(question, kept=bool(typed)),
        ),
    )

    def clean_question(self, form: Form, cleaned: dict[str, Any]) -> None:
        if not cleaned.get(forms.BY):
            cleaned |= {forms.LAST: None, forms.KEPT: False}

    def question_problems(self, asked: Sequence[Question]) -> Iterator[tuple[int, str, str]]:
        for place, question in enumerate(asked):
            if problem := why_not(question, asked):
                yield place, forms.BY, problem

    def launch_facts(self, survey: Survey, questions: Sequence[Question]) -> Facts:
        lines = [_line(question) for question in questions if order_of(question).by]
        return [(_("Order of the answers"), lines)] if lines else []


def _line(question: Question) -> str:
    words = f"{question.name}: {_LABELS[order_of(question).by]}"
    last = 0 if problem_of(question) else stays_last(question)
    stays = ngettext("The last one stays.", "The last %(count)s stay.", last) % {"count": last}
    kept = _("Each response says which order was drawn.")
    notes = [words + ".", stays if last else "", kept if order_of(question).kept else ""]
    return " ".join(filter(None, notes))
