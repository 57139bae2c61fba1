"""Margins to weight to, from a table or one question at a time."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Self

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.features.analyses.allowed import problems_of_margin
from surveys.features.analyses.reading import (
    Answers,
    parts_of_one,
    read_margins,
    rescaled_notes,
    rescaled_words,
    share_text,
    slack,
)
from surveys.forms.fields.typed_tables import TypedTableForm
from surveys.models import Question
from surveys.parameters import Margin

SHARE = "share_"


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
