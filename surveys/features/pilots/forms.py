"""The field that makes a survey a pilot, and the plan of a main survey by its clusters."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys import numbers
from surveys.authoring.panel.words import MOST_RESPONDENTS
from surveys.features.pilots.clusters import BEST, METHODS, Names
from surveys.models import Question

METHOD_LABELS = {
    BEST: gettext_lazy("The best of all"),
    "pic": gettext_lazy("Power iteration clustering"),
    "hierarchical": gettext_lazy("Average linkage"),
    "spectral": gettext_lazy("Spectral clustering"),
}
# The least epsilon that each sensitive question keeps.
LEAST_EACH = Decimal("0.01")
FIELD = "pilot"


def pilot_field() -> forms.BooleanField:
    return forms.BooleanField(
        label=gettext_lazy("Pilot"),
        required=False,
        help_text=gettext_lazy(
            "Ask each person two of the sensitive questions, which chance picks, to learn which "
            "of them belong together."
        ),
    )


class ClusterForm(forms.Form):
    """`clusters` are those that the form starts with; a posted form has its own."""

    total = forms.DecimalField(
        label=gettext_lazy("Total epsilon"),
        max_value=100,
        max_digits=7,
        decimal_places=4,
        help_text=gettext_lazy(
            "What all questions of the main survey together may reveal about one person. It is "
            "divided in the proportions of the pilot."
        ),
    )
    planned_n = forms.IntegerField(
        label=gettext_lazy("Planned respondents"), min_value=2, max_value=MOST_RESPONDENTS
    )
    method = forms.ChoiceField(
        label=gettext_lazy("Method"),
        required=False,
        choices=[(name, METHOD_LABELS[name]) for name in METHODS],
    )
    k = forms.IntegerField(
        label=gettext_lazy("Number of clusters"),
        required=False,
        min_value=1,
        help_text=gettext_lazy(
            "Leave it empty for the division that keeps most of the dependence, with ten people "
            "for every combination of answers in a cluster."
        ),
    )

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        questions: Sequence[Question],
        clusters: Names | None = None,
        initial: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(data, initial=initial)
        self.questions = questions
        most = len(questions)
        self.fields["total"].validators.append(MinValueValidator(LEAST_EACH * most))
        self.fields["k"].validators.append(MaxValueValidator(most))
        self.fields["k"].widget.attrs["max"] = most
        numbered = [(str(number), cluster_name(number)) for number in range(1, most + 1)]
        cluster_of = {
            name: number for number, names in enumerate(clusters or [], 1) for name in names
        }
        for question in questions:
            self.fields[field_name(question)] = forms.ChoiceField(
                label=question.text,
                choices=numbered,
                initial=str(cluster_of.get(question.name, 1)),
            )

    def without_clusters(self) -> None:
        """Read the plan only: the clusters are to be proposed."""
        for question in self.questions:
            del self.fields[field_name(question)]

    def clusters(self) -> Names:
        """The questions of each cluster that has some, in the order of their first ones."""
        members: dict[str, list[str]] = {}
        for question in self.questions:
            members.setdefault(self.cleaned_data[field_name(question)], []).append(question.name)
        return list(members.values())

    def choices(self) -> list[forms.BoundField]:
        return [self[field_name(question)] for question in self.questions]


def field_name(question: Question) -> str:
    return f"cluster-{question.name}"


def cluster_name(number: int) -> str:
    return _("Cluster %s") % numbers.count(number)
