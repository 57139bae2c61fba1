"""Shares in percent that an author assumes, one field for each category."""

from decimal import Decimal
from typing import NamedTuple, Protocol

from django import forms
from django.utils.translation import gettext as _

from surveys import numbers
from surveys.kinds import kind_of

WHOLE = Decimal(100)


class CategoricalQuestion(Protocol):
    """The question whose shares are given: a frozen question, or its answers alone."""

    @property
    def kind(self) -> str: ...

    @property
    def categories(self) -> tuple[str, ...]: ...

    @property
    def prefer_not(self) -> bool: ...


class Answers(NamedTuple):
    """The answers of a draft question; the last is a refusal where `prefer_not`."""

    kind: str
    categories: tuple[str, ...]
    prefer_not: bool


def default_shares(question: CategoricalQuestion) -> list[Decimal]:
    """The initial values of the fields, in percent."""
    return kind_of(question).default_shares(len(question.categories), refusal=question.prefer_not)


def are_independent(question: CategoricalQuestion) -> bool:
    """Whether the shares are independent of each other and need not add up to 100 %."""
    return kind_of(question).several


def share_fields(question: CategoricalQuestion, names: list[str]) -> dict[str, forms.DecimalField]:
    trios = zip(names, question.categories, default_shares(question), strict=True)
    return {
        name: forms.DecimalField(
            label=label,
            min_value=0,
            max_value=WHOLE,
            decimal_places=2,
            initial=share,
            widget=forms.NumberInput(attrs={"step": "any", "inputmode": "decimal"}),
        )
        for name, label, share in trios
    }


def check_shares(form: forms.Form, question: CategoricalQuestion, names: list[str]) -> None:
    """Attach an error about the sum of the shares to the first field."""
    values = [form.cleaned_data.get(name) for name in names]
    shares = [share for share in values if share is not None]
    total = sum(shares, start=Decimal(0))
    if len(shares) == len(values) and not are_independent(question) and total != WHOLE:
        message = _("The shares add up to %(sum)s; they must add up to 100 %%.")
        form.add_error(names[0], message % {"sum": numbers.chosen_percent(total / WHOLE)})


def part(percent: Decimal) -> float:
    return float(percent / WHOLE)
