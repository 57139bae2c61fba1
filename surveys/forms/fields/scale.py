"""The fields of a number's range, its step, its unit and its bins."""

import re
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys import numbers
from surveys.forms.fields.author_texts import LineField
from surveys.kinds import MAX_OPTIONS
from surveys.kinds.bounded_number import equal_starts
from surveys.models import Question
from surveys.parameters import Scale, scale_of_json, to_json
from surveys.parameters.budget import text_of
from surveys.parameters.scale import MOST_IN_A_UNIT, MOST_STEPS

# While what was typed is no range yet, devices are fitted to this one.
STAND_IN = Scale(lower="0", upper="100", step="1", unit="", bins=equal_starts(100, 10))
RANGE = ("lower", "upper", "step")
OWN_BINS = ("lowest_alone", "highest_alone")
SCALE_FIELDS = (*RANGE, "unit", "bins", *OWN_BINS)
USUAL_BINS = "10"


class BinsError(ValueError):
    """The bins that were typed do not fit the range; its text says why."""


def _number_field(label: Any, help_text: Any = "") -> forms.DecimalField:
    return forms.DecimalField(
        label=label,
        help_text=help_text,
        required=False,
        max_digits=15,
        decimal_places=6,
        widget=forms.NumberInput(attrs={"step": "any", "inputmode": "decimal"}),
    )


class ScaleFields(forms.Form):
    """They count for a number only; of any other kind what was typed is forgotten."""

    instance: Question

    lower = _number_field(gettext_lazy("Lowest value"))
    upper = _number_field(gettext_lazy("Highest value"))
    step = _number_field(gettext_lazy("Step"), gettext_lazy("Such as 1, or 0.5."))
    unit = LineField(
        label=gettext_lazy("Unit"),
        required=False,
        max_length=MOST_IN_A_UNIT,
        help_text=gettext_lazy("Such as “hours”; it may be empty."),
    )
    bins = forms.CharField(
        label=gettext_lazy("Bins"),
        required=False,
        max_length=1000,
        help_text=gettext_lazy(
            "Empty: only the mean can be estimated. A number, such as 10: so many equal bins. "
            "Several numbers with spaces between them, such as 18 30 45 65: where the bins begin."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    lowest_alone = forms.BooleanField(
        label=gettext_lazy("A bin of its own for the lowest value"),
        required=False,
        help_text=gettext_lazy(
            "Where many people have the same number at an end, such as 0 times: its share is then "
            "estimated, and the quartiles are not blurred by it."
        ),
    )
    highest_alone = forms.BooleanField(
        label=gettext_lazy("A bin of its own for the highest value"), required=False
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, value in _initial(self.instance).items():
            self.initial.setdefault(name, value)

    def fit_scale(self, cleaned: dict[str, Any], *, numeric: bool) -> None:
        """Put the scale among the cleaned values, or the error beside the field to be changed."""
        self.instance.scale = None
        if not numeric:
            for name in SCALE_FIELDS:
                self.errors.pop(name, None)
            cleaned["scale"] = None
            return
        self._require_range(cleaned)
        scale = None if self.scale_is_wrong() else self._read_scale(cleaned)
        cleaned["scale"] = scale or STAND_IN
        if scale is not None:
            self.instance.scale = to_json(scale)

    def scale_is_wrong(self) -> bool:
        return not self.errors.keys().isdisjoint(SCALE_FIELDS)

    def _require_range(self, cleaned: dict[str, Any]) -> None:
        for name, field in ((name, self.fields[name]) for name in RANGE):
            if cleaned.get(name) is None and name not in self.errors:
                self.add_error(name, _("“%s” is missing.") % field.label)

    def _read_scale(self, cleaned: dict[str, Any]) -> Scale | None:
        lower, upper, step = (cleaned[name] for name in RANGE)
        problem = _range_problem(lower, upper, step)
        if problem:
            self.add_error("step" if step <= 0 or lower < upper else "upper", problem)
            return None
        scale = Scale(
            lower=_text(lower),
            upper=_text(upper),
            step=_text(step),
            unit=cleaned.get("unit") or "",
            bins=(),
        )
        return self._with_bins(scale, cleaned)

    def _with_bins(self, scale: Scale, cleaned: dict[str, Any]) -> Scale | None:
        try:
            lowest, highest = (bool(cleaned.get(name)) for name in OWN_BINS)
            starts = bin_starts(cleaned.get("bins") or "", scale, lowest=lowest, highest=highest)
        except BinsError as error:
            self.add_error("bins", str(error))
            return None
        problem = "" if starts else _needs_bins(cleaned)
        if problem:
            self.add_error("bins", problem)
            return None
        return scale_of_json({**to_json(scale), "bins": starts})


def bin_starts(text: str, scale: Scale, *, lowest: bool, highest: bool) -> list[int]:
    """The steps at which the bins begin that were typed, none for an empty text.

    `lowest`, `highest`: whether that value has a bin of its own.
    """
    places = [_place(word, scale) for word in re.split(r"[;\s]+|,\s+", text.strip()) if word]
    if not places:
        if lowest or highest:
            raise BinsError(_("Say how the other values are cut: a number of bins, such as 10."))
        return []
    if len(places) == 1:
        count = _bin_count(text.strip(), scale, lowest + highest)
        return list(equal_starts(scale.steps, count, lowest=lowest, highest=highest))
    steps = [_step(place, scale) for place in places]
    starts = steps if steps[0] == 0 else [0, *steps]
    if any(first >= second for first, second in pairwise(starts)):
        raise BinsError(_("Give where the bins begin from low to high, each once."))
    starts = sorted({*starts, *([1] if lowest else []), *([scale.steps] if highest else [])})
    if len(starts) > MAX_OPTIONS:
        raise BinsError(_too_many(len(starts)))
    return starts


def _place(word: str, scale: Scale) -> Decimal:
    try:
        place = Decimal(word.replace(",", "."))
    except ArithmeticError:
        raise BinsError(_("“%s” is not a number.") % word) from None
    if not place.is_finite():
        raise BinsError(_("“%s” is not a number.") % word)
    return place


def _step(place: Decimal, scale: Scale) -> int:
    step = (Fraction(place) - Fraction(scale.lower)) / Fraction(scale.step)
    if step.denominator != 1 or not 0 <= step <= scale.steps:
        text = _("No bin can begin at %(place)s: from %(lower)s to %(upper)s in steps of %(step)s.")
        ends = {name: numbers.decimal(getattr(scale, name)) for name in RANGE}
        raise BinsError(text % {"place": numbers.decimal(place), **ends})
    return int(step)


def _bin_count(text: str, scale: Scale, own: int) -> int:
    """How many equal bins were asked for, beside those of single values at the ends."""
    least, most = max(2 - own, 1), min(MAX_OPTIONS, scale.steps + 1) - own
    if not text.isdecimal() or not least <= int(text[:9]) <= most:
        message = _("There can be %(least)s to %(most)s equal bins here.")
        raise BinsError(message % {"least": numbers.count(least), "most": numbers.count(most)})
    return int(text)


def _too_many(count: int) -> str:
    message = _("These are %(count)s bins; at most %(most)s are possible.")
    return message % {"count": numbers.count(count), "most": numbers.count(MAX_OPTIONS)}


def _range_problem(lower: Decimal, upper: Decimal, step: Decimal) -> str:
    if step <= 0:
        return _("The step must be above 0.")
    if lower >= upper:
        return _("The highest value must be above the lowest.")
    steps = (Fraction(upper) - Fraction(lower)) / Fraction(step)
    values = {
        "lower": numbers.decimal(lower),
        "upper": numbers.decimal(upper),
        "step": numbers.decimal(step),
    }
    if steps.denominator != 1:
        text = _("No whole number of steps of %(step)s leads from %(lower)s to %(upper)s.")
        return text % values
    if steps > MOST_STEPS:
        text = _("This range has %(steps)s steps; at most %(most)s are possible. Take larger ones.")
        counts = {"steps": numbers.count(int(steps)), "most": numbers.count(MOST_STEPS)}
        return text % counts
    return ""


def _needs_bins(cleaned: dict[str, Any]) -> str:
    """Why there must be bins; empty where there need not be."""
    if cleaned.get("randomized") is False:
        return _(
            "A number that is sent as it is needs bins: an exact number can single people out."
        )
    if cleaned.get("prefer_not"):
        return _(
            "“Prefer not to say” needs bins: it becomes the last one. One bit has no place for it, "
            "because a refusal is no number."
        )
    return ""


def _initial(question: Question) -> dict[str, Any]:
    """Return what the fields show of a stored scale; for a new question a step and a bin count."""
    if not question.scale:
        return {"step": "1", "bins": USUAL_BINS}
    scale = scale_of_json(question.scale)
    text, *alone = _typed(scale)
    own = dict(zip(OWN_BINS, alone, strict=True))
    return {**{name: getattr(scale, name) for name in (*RANGE, "unit")}, "bins": text, **own}


def _typed(scale: Scale) -> tuple[str, bool, bool]:
    """The bins as an author types them, and whether the lowest and the highest have their own."""
    for lowest, highest in product((False, True), repeat=2) if scale.bins else ():
        count = len(scale.bins) - lowest - highest
        # Two bins of which one is of a single value are typed by where they begin.
        fits = 2 <= count <= scale.steps + 1 - lowest - highest
        if fits and scale.bins == equal_starts(scale.steps, count, lowest=lowest, highest=highest):
            return str(count), lowest, highest
    return " ".join(text_of(scale.value(start)) for start in scale.bins), False, False


def _text(number: Decimal) -> str:
    """One text for one number; `+ 0` takes a minus before 0 away."""
    return text_of(number + 0)
