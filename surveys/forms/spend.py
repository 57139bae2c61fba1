"""The form for what a budget is to be spent for, as it is chosen beside the budget."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from surveys.authoring.budget_split import GOALS, Plan
from surveys.forms.fields.survey_features import survey_field_names
from surveys.forms.panel_forms import PanelForm

# In points of a share.
LEAST_MARGIN, MOST_MARGIN = 0.1, 50


class SpendForm(PanelForm):
    """The survey's plan, and the goal; a margin is needed for the goal "margin" only."""

    goal = forms.ChoiceField(choices=[(goal, goal) for goal in GOALS])
    margin = forms.FloatField(
        required=False,
        min_value=LEAST_MARGIN,
        max_value=MOST_MARGIN,
        error_messages={"invalid": _("Give a margin in points, such as 5.")},
    )

    def clean(self) -> dict[str, Any]:
        super().clean()
        cleaned = self.cleaned_data
        if cleaned.get("goal") != "margin":
            self.errors.pop("margin", None)
        elif cleaned.get("margin") is None and "margin" not in self.errors:
            self.add_error("margin", _("Give a margin in points, such as 5."))
        for field in (*survey_field_names(), "language"):
            # They have no part in it; what is wrong with them is said beside them.
            self.errors.pop(field, None)
        return cleaned

    def plan(self) -> Plan:
        """Return the plan that was asked for; only of a form without errors."""
        values = self.cleaned_data
        return Plan(
            budget=values["budget"],
            planned_n=values["planned_n"],
            goal=values["goal"],
            margin=(values.get("margin") or 0) / 100,
        )
