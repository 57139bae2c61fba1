"""The field of the licence in the form of a survey."""

from typing import Final

from django import forms
from django.utils.translation import gettext_lazy

FIELD: Final = "data_licence"
CHOICES = (
    ("", gettext_lazy("Not stated")),
    ("CC0-1.0", gettext_lazy("CC0 1.0: no rights reserved")),
    ("CC-BY-4.0", gettext_lazy("CC BY 4.0: whoever uses them names you")),
    ("CC-BY-SA-4.0", gettext_lazy("CC BY-SA 4.0: the same, and passes them on alike")),
    ("CC-BY-NC-4.0", gettext_lazy("CC BY-NC 4.0: names you, and sells nothing")),
    ("PDDL-1.0", gettext_lazy("PDDL 1.0: a database in the public domain")),
    ("ODC-By-1.0", gettext_lazy("ODC-By 1.0: a database whose users name you")),
    ("ODbL-1.0", gettext_lazy("ODbL 1.0: the same, and databases made of it are passed on alike")),
    ("LicenseRef-All-Rights-Reserved", gettext_lazy("All rights reserved")),
)


def licence_field() -> forms.ChoiceField:
    return forms.ChoiceField(
        label=gettext_lazy("Licence of the data"),
        choices=CHOICES,
        required=False,
        help_text=gettext_lazy(
            "What the replication bundle says that others may do with its data. It publishes "
            "nothing by itself and opens no file to anybody. Not stated means that they have to "
            "ask you."
        ),
    )
