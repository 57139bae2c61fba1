"""The questions and answers that a statistic of a crowd is composed of: selects, sent with GET."""

from collections.abc import Callable, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys import numbers
from surveys.parameters import Question
from surveys.results.crowd.distribution import Crowd
from surveys.results.crowd.pairs import APART, FEW, KNOWN, SKIPPED
from surveys.results.crowd.statistics import (
    ANSWERS,
    CHANCES,
    PREDICTORS,
    SEPARATOR,
    STATISTICS,
    WHERE,
    questions_of,
)

Choices = list[tuple[str, Any]]
# As much of a long question as it takes to recognize it, in characters.
LONGEST_TEXT = 80
# Why there is no statistic of two questions.
WITHHELD = {
    APART: gettext_lazy(
        "There is no such number: %(first)s and %(second)s were not measured together. Nothing is "
        "known of how answers to the one go with answers to the other."
    ),
    FEW: gettext_lazy(
        "There is no such number: too few people have answered both %(first)s and %(second)s."
    ),
    KNOWN: gettext_lazy(
        "There is no such number: fewer people than the survey's minimum have given some of the "
        "direct answers to %(first)s and %(second)s."
    ),
    SKIPPED: gettext_lazy(
        "There is no such number of %(first)s and %(second)s: so few people have left questions "
        "out that numbers of several answers together could be told apart by them."
    ),
}
# Fields that may be left open.
OPTIONAL = {*ANSWERS[1:], *PREDICTORS[1:], *WHERE}


class CrowdForm(forms.Form):
    """The fields of one statistic. `chosen` has what was chosen."""

    def __init__(self, *args: Any, crowd: Crowd, statistic: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.crowd, self.statistic = crowd, statistic
        for name in STATISTICS[statistic].fields:
            label, choices = _FIELDS[name]
            offered = choices(self)
            required = name not in OPTIONAL
            field = forms.ChoiceField(
                label=label(statistic),
                choices=offered if required else [("", _open_choice(name)), *offered],
                required=required,
            )
            if name == "chance":
                field.initial = "0.5"
            self.fields[name] = field

    def clean(self) -> dict[str, Any]:
        super().clean()
        for first, other in (("question", "second"), ("outcome", "given")):
            self._check_apart(first, [other])
        self._check_apart("question", PREDICTORS)
        if not self.errors:
            self._check_measured()
        return self.cleaned_data

    @property
    def chosen(self) -> dict[str, str]:
        return {name: value for name, value in self.cleaned_data.items() if value}

    def number_choices(self) -> Choices:
        return _question_choices(self.crowd.numeric)

    def question_choices(self) -> Choices:
        return _question_choices(self.crowd.questions)

    def answer_choices(self) -> Choices:
        """The answers of all questions, in groups."""
        return [
            (
                _name(question),
                [
                    (f"{question.id}{SEPARATOR}{index}", f"{label} ({question.id})")
                    for index, label in enumerate(self.crowd.labels(question.id))
                ],
            )
            for question in self.crowd.questions
        ]

    def chance_choices(self) -> Choices:
        return [(chance, numbers.chosen_percent(chance)) for chance in CHANCES]

    def _check_measured(self) -> None:
        """Refuse a statistic of questions that were not measured together."""
        for (first, second), reason in self.crowd.apart(questions_of(self.chosen)).items():
            self.add_error(None, WITHHELD[reason] % {"first": first, "second": second})

    def _check_apart(self, first: str, others: Sequence[str]) -> None:
        """Refuse a question that was chosen twice."""
        seen = {self.cleaned_data.get(first)}
        for name in others:
            value = self.cleaned_data.get(name)
            if value and value in seen:
                self.add_error(name, _("Choose another question: this one is chosen already."))
            seen.add(value)


def _question_choices(questions: Sequence[Question]) -> Choices:
    return [(question.id, _name(question)) for question in questions]


def _name(question: Question) -> str:
    text = question.text
    short = text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 1].rstrip()}…"
    return f"{short} ({question.id})"


def _open_choice(name: str) -> str:
    return _("everybody") if name == WHERE[0] else _("nothing more")


def _question_label(statistic: str) -> str:
    return {
        "correlation": _("First question"),
        "regression": _("Outcome"),
    }.get(statistic, _("Question"))


_FIELDS: dict[str, tuple[Callable[[str], str], Callable[[CrowdForm], Choices]]] = {
    "question": (_question_label, CrowdForm.number_choices),
    "second": (lambda _statistic: _("Second question"), CrowdForm.number_choices),
    "outcome": (lambda _statistic: _("Shares of the answers to"), CrowdForm.question_choices),
    "given": (lambda _statistic: _("Within each answer to"), CrowdForm.question_choices),
    "chance": (lambda _statistic: _("Share that lies below it"), CrowdForm.chance_choices),
    "by1": (lambda _statistic: _("Explained by"), CrowdForm.number_choices),
    "by2": (lambda _statistic: _("and by"), CrowdForm.number_choices),
    "by3": (lambda _statistic: _("and also by"), CrowdForm.number_choices),
    "answer1": (lambda _statistic: _("Answer"), CrowdForm.answer_choices),
    "answer2": (lambda _statistic: _("and answer"), CrowdForm.answer_choices),
    "answer3": (lambda _statistic: _("and also answer"), CrowdForm.answer_choices),
    "where1": (lambda _statistic: _("Only those who answered"), CrowdForm.answer_choices),
    "where2": (lambda _statistic: _("and also answered"), CrowdForm.answer_choices),
}
