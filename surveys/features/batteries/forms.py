"""The fields of a question that is an item of a battery, and the form that makes a battery."""

from collections.abc import Iterable
from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.author_texts import one_line
from surveys.features.batteries.section import FEWEST, MOST
from surveys.forms.fields.author_texts import ParagraphsField
from surveys.forms.fields.shared_number import SharedNumberField, shared_numbers
from surveys.kinds import KINDS
from surveys.parameters.joint import LISTED

NUMBER: Final = "battery"
TEXT: Final = "battery_text"
RANDOM: Final = "battery_random"
LONGEST_TEXT = 2000
LONGEST_ITEM = 500


def number_field() -> SharedNumberField:
    return SharedNumberField(
        label=gettext_lazy("Battery"),
        required=False,
        help_text=gettext_lazy(
            "Questions of one battery stand below one text, in one table, and one press "
            "scrambles all of them."
        ),
    )


def number_choices(numbers: Iterable[int]) -> list[tuple[str | int, str]]:
    named = ((number, _("Battery %s") % number) for number in shared_numbers(numbers))
    return [("", _("In none")), *named]


def text_field() -> forms.CharField:
    return ParagraphsField(
        label=gettext_lazy("Text above the battery"),
        required=False,
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 2, "cols": 60}),
        help_text=gettext_lazy("Written at one of its questions, it stands above all of them."),
    )


def random_field() -> forms.BooleanField:
    return forms.BooleanField(
        label=gettext_lazy("Items in an order that chance picks"),
        required=False,
        help_text=gettext_lazy("The respondent's browser picks it, and it is not sent."),
    )


class LinesField(forms.CharField):
    """Texts of one line each; what has nothing to be seen is none."""

    widget = forms.Textarea(attrs={"rows": 6, "cols": 60})

    def clean(self, value: Any) -> list[str]:
        lines = [one_line(line) for line in super().clean(value).splitlines()]
        return [line for line in lines if line]


class TextForm(forms.Form):
    """Changes the text above a battery, and whether chance picks the order of its items."""

    text = ParagraphsField(
        label=gettext_lazy("Text above the battery"),
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 2, "cols": 60}),
    )
    random = random_field()

    field_order = ("text", "kind", "answers", "items", "random", "randomized")


class BatteryForm(TextForm):
    """Makes the questions of a battery: what they have in common, and a line for each."""

    kind = forms.ChoiceField(label=gettext_lazy("Kind"))
    answers = LinesField(
        label=gettext_lazy("Answers, one per line"),
        required=False,
        help_text=gettext_lazy("The same for all items. Yes and no need none."),
    )
    items = LinesField(
        label=gettext_lazy("Items, one per line"),
        help_text=gettext_lazy("Each becomes a question of its own; they can be changed later."),
    )
    randomized = forms.BooleanField(
        label=gettext_lazy("Sensitive: scrambled before it is sent"), required=False, initial=True
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field: Any = self.fields["kind"]
        listed = [kind for kind in KINDS.values() if kind.control in LISTED]
        field.choices = [(kind.name, kind.label) for kind in listed]

    def clean_items(self) -> list[str]:
        items: list[str] = self.cleaned_data["items"]
        if not FEWEST <= len(items) <= MOST:
            message = _("A battery has %(fewest)s to %(most)s items; this list has %(count)s.")
            values = {"fewest": FEWEST, "most": MOST, "count": len(items)}
            raise forms.ValidationError(message % values)
        if any(len(item) > LONGEST_ITEM for item in items):
            raise forms.ValidationError(_("An item has %s characters at most.") % LONGEST_ITEM)
        return items

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        kind = KINDS.get(cleaned.get("kind", ""))
        if kind and not kind.with_options:
            cleaned["answers"] = []
        elif kind and (problem := kind.options_problem(cleaned.get("answers", []))):
            self.add_error("answers", problem)
        return cleaned
