"""A roster from a file or typed, and what an author confirms before it is used."""

from collections.abc import Sequence
from typing import Any, Self

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.features.roster.reading import RosterRow, read_roster, roster_warnings
from surveys.forms.fields.author_texts import LineField
from surveys.forms.fields.typed_tables import TypedTableForm


class RosterForm(TypedTableForm[RosterRow]):
    """A whole roster: a file, or rows that are typed or pasted from a spreadsheet."""

    columns = "code,name,group"
    columns_help = gettext_lazy(
        "The first row says what the columns are, here as in a file: code, name and, if there "
        "are groups, group."
    )
    none_given = gettext_lazy("There is no roster yet: choose a file, or type the rows.")
    both_given = gettext_lazy("There are two rosters: a file and typed rows. Leave one out.")
    height = 8

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, reader=read_roster, **kwargs)

    def cells(self, rows: Sequence[RosterRow]) -> list[list[str]]:
        grouped = any(row.group for row in rows)
        header = [_("code"), _("name"), *([_("group")] if grouped else [])]
        return [
            header,
            *([row.code, row.name, *([row.group] if grouped else [])] for row in rows),
        ]

    def further_notes(self, text: str) -> list[str]:
        return roster_warnings(self.table())

    def again(self, initial: dict[str, str]) -> Self:
        return type(self)(initial=initial)


class KnownAnswersForm(forms.Form):
    """The statement that an author has read what personal links tell about respondents."""

    understood = forms.BooleanField(
        label=gettext_lazy("I tell everybody on the roster that it is known who answered."),
        error_messages={
            "required": gettext_lazy(
                "Confirm that you tell everybody on the roster that it is known who answered."
            )
        },
    )


class FindMemberForm(forms.Form):
    """A part of a code, a name or a group; posted, so that no name is in an address."""

    looked_for = LineField(
        label=gettext_lazy("Find by code, name or group"),
        required=False,
        max_length=200,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
