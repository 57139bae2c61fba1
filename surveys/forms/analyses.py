"""An analysis to declare, and margins to weight to, from a table or one question at a time."""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any, Self

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.authoring.analyses.declarations import analyses_of, takes_scores
from surveys.authoring.analyses.problems import (
    Problem,
    problems_of,
    problems_of_margin,
    problems_of_names,
)
from surveys.authoring.reading.margins import (
    Answers,
    parts_of_one,
    read_margins,
    rescaled_notes,
    rescaled_words,
    share_text,
    slack,
)
from surveys.forms.fields.author_texts import LineField
from surveys.forms.fields.typed_tables import TypedTableForm
from surveys.kinds import KINDS
from surveys.models import Question, Survey
from surveys.parameters import Analysis, Margin, Predictor
from surveys.parameters.analyses import MOST_IN_A_NAME
from surveys.results.regression.words import LINKS

PREDICTOR = "predictor_"
SHARE = "share_"
LEFT_OUT, CATEGORIES, NUMBER = "", "categories", "number"


class AnalysisForm(forms.Form):
    """`outcome`: the question that is explained. `others`: those that may explain it.

    `labels`: the answers to the outcome, as respondents read them.
    """

    def __init__(
        self,
        *args: Any,
        outcome: Question,
        others: Sequence[Question],
        labels: Sequence[str],
        survey: Survey,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self._outcome, self._others = outcome, others
        self._taken = [analysis.name for analysis in analyses_of(survey)]
        self._weights = survey.weighting is not None
        self.fields["name"] = _name_field()
        self.fields["event"] = _event_field(outcome, labels)
        self.fields["link"] = forms.ChoiceField(label=_("Model"), choices=list(LINKS.items()))
        for question in others:
            self.fields[PREDICTOR + question.name] = _predictor_field(question)
        if self._weights:
            label = _("Weight respondents to the margins")
            self.fields["weighted"] = forms.BooleanField(label=label, required=False)

    @property
    def predictor_fields(self) -> list[forms.BoundField]:
        return [self[PREDICTOR + question.name] for question in self._others]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors:
            questions = {each.name: each for each in (self._outcome, *self._others)}
            analysis = self.analysis()
            for problem in self.problems_of_name(analysis.name):
                self._add(problem)
            for problem in problems_of(analysis, questions, weights=self._weights):
                self._add(problem)
        return cleaned

    def problems_of_name(self, name: str) -> Iterable[Problem]:
        return problems_of_names([*self._taken, name])

    def _add(self, problem: Problem) -> None:
        field = problem.field if problem.field in self.fields else None
        self.add_error(field, problem.message)

    def analysis(self) -> Analysis:
        """Return what a valid form declares."""
        chosen = {each.name: self.cleaned_data[PREDICTOR + each.name] for each in self._others}
        return Analysis(
            name=self.cleaned_data["name"],
            outcome=self._outcome.name,
            event=tuple(sorted(self.cleaned_data["event"])),
            link=self.cleaned_data["link"],
            predictors=tuple(
                Predictor(question=name, scored=how == NUMBER)
                for name, how in chosen.items()
                if how != LEFT_OUT
            ),
            weighted=self.cleaned_data.get("weighted", False),
        )


def _name_field() -> LineField:
    return LineField(
        label=_("Name of the analysis"),
        max_length=MOST_IN_A_NAME,
        help_text=_("Readers of the results see it, such as “Who uses drugs at work”."),
    )


def _event_field(outcome: Question, labels: Sequence[str]) -> forms.TypedMultipleChoiceField:
    words = _("Tick none to explain each answer on its own (multinomial).")
    return forms.TypedMultipleChoiceField(
        label=_("Which answers count"),
        choices=list(enumerate(labels)),
        coerce=int,
        required=False,
        initial=[1] if KINDS[outcome.kind].opposites else [],
        help_text=words if len(labels) > 2 else "",
        widget=forms.CheckboxSelectMultiple,
    )


def _predictor_field(question: Question) -> forms.ChoiceField:
    choices = [(LEFT_OUT, _("leave out")), (CATEGORIES, _("as categories"))]
    if takes_scores(question):
        choices.append((NUMBER, _("as a number")))
    return forms.ChoiceField(
        label=question.name, choices=choices, required=False, help_text=question.text
    )


class MarginForm(forms.Form):
    """The shares of the answers to one question, in percent."""

    def __init__(
        self,
        *args: Any,
        question: Question,
        labels: Sequence[str],
        shares: Sequence[str],
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self._question = question
        for place, label in enumerate(labels):
            self.fields[f"{SHARE}{place}"] = forms.DecimalField(
                label=label,
                min_value=0,
                max_value=100,
                widget=forms.NumberInput(attrs={"step": "any", "inputmode": "decimal"}),
            )
        for place, share in enumerate(shares):
            self.initial[f"{SHARE}{place}"] = format((100 * Decimal(share)).normalize(), "f")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors:
            questions = {self._question.name: self._question}
            for problem in problems_of_margin(self.margin(), questions):
                self.add_error(None, problem.message)
        return cleaned

    def margin(self) -> Margin:
        """Return the margin that a valid form declares."""
        amounts = self._amounts()
        shares = parts_of_one(amounts) if self._is_whole() else [each / 100 for each in amounts]
        return Margin(question=self._question.name, shares=tuple(map(share_text, shares)))

    def note(self) -> str:
        """Return what a valid form does with shares that were rounded; empty for all others."""
        total = sum(self._amounts(), Decimal(0))
        return "" if total == 100 else rescaled_words(self._question.name, total)

    def _amounts(self) -> list[Decimal]:
        return [self.cleaned_data[name] for name in self.fields]

    def _is_whole(self) -> bool:
        """Whether the shares add up to 100 but for rounding."""
        amounts = self._amounts()
        exponents = [each.as_tuple().exponent for each in amounts]
        decimals = max(-each if isinstance(each, int) and each < 0 else 0 for each in exponents)
        return abs(sum(amounts, Decimal(0)) - 100) <= slack(len(amounts), decimals, 100)


class MarginsForm(TypedTableForm[Margin]):
    """All margins: a file, or rows that are typed or pasted from a spreadsheet."""

    columns = "question,answer,share"
    columns_help = gettext_lazy(
        "The first row says what the columns are, here as in a file: question, answer and share."
    )
    none_given = gettext_lazy("There are no margins yet: choose a file, or type the rows.")
    both_given = gettext_lazy("There are two tables: a file and typed rows. Leave one out.")

    def __init__(self, *args: Any, answers: Answers, **kwargs: Any) -> None:
        super().__init__(*args, reader=lambda text: read_margins(text, answers), **kwargs)
        self._answers = answers

    def cells(self, rows: Sequence[Margin]) -> list[list[str]]:
        shares = (
            [each.question, label, format((100 * Decimal(share)).normalize(), "f")]
            for each in rows
            for label, share in zip(self._answers[each.question], each.shares, strict=True)
        )
        return [[_("question"), _("answer"), _("share")], *shares]

    def further_notes(self, text: str) -> list[str]:
        return rescaled_notes(text, self._answers)

    def again(self, initial: dict[str, str]) -> Self:
        return type(self)(answers=self._answers, initial=initial)
