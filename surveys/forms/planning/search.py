"""The form of a search for a question's best device: a guess, bounds and methods."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django import forms
from django.conf import settings
from django.http import QueryDict
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys import numbers
from surveys.authoring.chance_designs import people_through_devices
from surveys.authoring.panel.words import MOST_RESPONDENTS
from surveys.forms.fields.shares import WHOLE, Answers, check_shares, share_fields
from surveys.kinds import categories
from surveys.models import Question
from surveys.parameters.budget import text_of

FORMAT = 1
# With more answers the methods take longer than their labels state.
FEW_ANSWERS = 10
LEAST_EPSILON = Decimal("0.01")
MOST_GENERATIONS, MOST_LEVELS, MOST_SEED = 50_000, 100, 2**32 - 1
USUAL_DELTA = Decimal(75)
METHODS = (
    ("certified", gettext_lazy("The best with any number of reports, certified: seconds")),
    ("local", gettext_lazy("Square tables, improved step by step: about half a minute")),
    ("optrr", gettext_lazy("OptRR as published, square tables: about ten seconds")),
)
_DECIMAL = {"step": "any", "inputmode": "decimal"}


class SearchForm(forms.Form):
    """`start` has initial values from an earlier search or an estimate; they can be edited."""

    # The origin of the guess: a launch and a variable name; empty if it was typed.
    origin = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)
    n = forms.IntegerField(
        label=gettext_lazy("Respondents planned"),
        min_value=2,
        max_value=MOST_RESPONDENTS,
        help_text=gettext_lazy("It sets the margins that are shown; the best table hardly moves."),
    )
    delta = forms.DecimalField(
        label=gettext_lazy("After one report, nobody may be more than … % sure of an answer"),
        decimal_places=2,
        widget=forms.NumberInput(attrs=_DECIMAL),
        help_text=gettext_lazy(
            "For somebody who knows your guess and sees one report. Above your largest share, "
            "because that much is known without any report."
        ),
    )
    epsilon = forms.DecimalField(
        label=gettext_lazy("Epsilon at most"),
        required=False,
        min_value=LEAST_EPSILON,
        max_digits=7,
        decimal_places=4,
        widget=forms.NumberInput(attrs=_DECIMAL),
        help_text=gettext_lazy(
            "Left empty, some reports may rule an answer out altogether. Such a design can be "
            "looked at, but not asked."
        ),
    )
    methods = forms.MultipleChoiceField(
        label=gettext_lazy("Methods"),
        choices=METHODS,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": gettext_lazy("Choose at least one method.")},
    )
    generations = forms.IntegerField(
        label=gettext_lazy("Generations of OptRR"), min_value=1, max_value=MOST_GENERATIONS
    )
    levels = forms.IntegerField(
        label=gettext_lazy("Levels of privacy"),
        min_value=2,
        max_value=MOST_LEVELS,
        help_text=gettext_lazy("Of the other two: how many points the front is made of."),
    )
    seed = forms.IntegerField(
        label=gettext_lazy("Seed"),
        min_value=0,
        max_value=MOST_SEED,
        help_text=gettext_lazy("The same settings and seed find the same designs."),
    )

    def __init__(
        self,
        data: QueryDict | None,
        *,
        question: Question,
        language: str,
        start: Mapping[str, Any] | None = None,
    ) -> None:
        with translation.override(language):
            self.labels = categories(question)
        self.answers = answers = Answers(question.kind, tuple(self.labels), question.prefer_not)
        self.names = share_names(len(self.labels))
        fields = share_fields(answers, self.names)
        usual = {name: field.initial for name, field in fields.items()} | usual_start(question)
        usual |= start or {}
        usual.setdefault("delta", usual_delta([usual[name] for name in self.names]))
        super().__init__(data, initial=usual)
        self.fields |= fields
        if len(self.labels) > FEW_ANSWERS:
            self.fields["methods"].help_text = _(
                "With more than %(few)s answers each takes some minutes. You need not wait for it."
            ) % {"few": FEW_ANSWERS}

    def clean_epsilon(self) -> Decimal | None:
        epsilon = self.cleaned_data["epsilon"]
        if epsilon is not None and epsilon > Decimal(settings.EPSILON_CAP):
            message = _("This site allows an epsilon of %s at most. Lower it.")
            raise forms.ValidationError(message % numbers.decimal(settings.EPSILON_CAP))
        return epsilon

    def clean(self) -> dict[str, Any]:
        super().clean()
        cleaned = self.cleaned_data
        check_shares(self, self.answers, self.names)
        for name in self.names:
            if cleaned.get(name) == 0:
                self.add_error(name, _("Nobody at all? Guess at least 0.01 %."))
        if not self.errors.keys() & {*self.names, "delta"}:
            self._check_delta(cleaned["delta"])
        return cleaned

    def _check_delta(self, delta: Decimal) -> None:
        largest = max(self.shares())
        if not largest < delta < WHOLE:
            message = _(
                "Your largest share is %(percent)s: everybody is that sure already. Choose more "
                "than %(share)s and less than 100."
            )
            limits = {
                "share": numbers.decimal(largest),
                "percent": numbers.chosen_percent(largest / WHOLE),
            }
            self.add_error("delta", message % limits)

    def shares(self) -> list[Decimal]:
        """The guess, in percent."""
        return [self.cleaned_data[name] for name in self.names]

    def request(self, origin: Mapping[str, Any]) -> dict[str, Any]:
        """The request of the search, which is stored: plain JSON types, decimals as strings."""
        cleaned = self.cleaned_data
        epsilon = cleaned["epsilon"]
        methods = set(cleaned["methods"])
        return {
            "format": FORMAT,
            "labels": self.labels,
            "prior": [_part(share) for share in self.shares()],
            "origin": dict(origin),
            "n": cleaned["n"],
            "delta": _part(cleaned["delta"]),
            "epsilon": text_of(epsilon) if epsilon is not None else None,
            "methods": [name for name, _label in METHODS if name in methods],
            **{name: cleaned[name] for name in ("generations", "levels", "seed")},
        }

    def share_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.names]

    @property
    def advanced_is_open(self) -> bool:
        return bool(self.errors.keys() & {"generations", "levels", "seed"})


def share_names(count: int) -> list[str]:
    return [f"share-{index}" for index in range(count)]


def usual_start(question: Question) -> dict[str, Any]:
    return {
        "n": people_through_devices(question),
        "epsilon": text_of(question.epsilon) if question.epsilon else "",
        "methods": ["certified", "local"],
        "generations": 2000,
        "levels": 25,
        "seed": 0,
        "origin": "",
    }


def start_again(request: Mapping[str, Any]) -> dict[str, Any]:
    """The form's initial values from the request of an earlier search."""
    names = share_names(len(request["prior"]))
    shares = [_percent(share) for share in request["prior"]]
    same = {name: request[name] for name in ("n", "methods", "generations", "levels", "seed")}
    epsilon = request["epsilon"] or ""
    delta = _percent(request["delta"])
    return {**dict(zip(names, shares, strict=True)), **same, "delta": delta, "epsilon": epsilon}


def usual_delta(shares: list[Decimal]) -> Decimal:
    """75 %, or the middle between the largest share and 1 if that share is near 75 %."""
    largest = max(Decimal(share) for share in shares)
    if largest <= USUAL_DELTA - 5:
        return USUAL_DELTA
    return ((largest + WHOLE) / 2).quantize(Decimal("0.1"))


def _part(percent: Decimal) -> str:
    return text_of(percent / WHOLE)


def _percent(part: str) -> str:
    return text_of(Decimal(part) * WHOLE)
