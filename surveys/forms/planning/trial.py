"""The assumed truth of a test fill: a share for every category."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.forms.fields.shares import Answers, are_independent, check_shares, part, share_fields
from surveys.forms.planning.networks import NetworkFields, answering_field
from surveys.kinds import kind_of
from surveys.parameters import Parameters, Question
from surveys.parameters.steps import at_step, versions_of


class TrialForm(forms.Form):
    respondents = forms.IntegerField(
        label=gettext_lazy("Simulated respondents"), min_value=10, max_value=1_000_000, initial=1000
    )

    def __init__(
        self,
        *args: Any,
        parameters: Parameters,
        texts: Mapping[str, Sequence[str]] | None = None,
        ties: Mapping[str, Decimal] | None = None,
        answering: int | None = None,
        **kwargs: Any,
    ) -> None:
        """`texts`: of each question that takes a text those that occur. `ties`: of each question
        about members how many a member is expected to have. `answering`: how many members are
        expected to answer, where there are members.
        """
        super().__init__(*args, **kwargs)
        self.questions = parameters.questions
        self.networks = {
            question.id: NetworkFields(question, parameters.members)
            for question in self.questions
            if parameters.members and kind_of(question).about_members
        }
        if parameters.members:
            self.fields["respondents"] = answering_field(parameters.members, answering)
        self.answers = {
            question.id: Answers(
                question.kind,
                (*(texts or {}).get(question.id, ()), *question.categories),
                question.prefer_not,
            )
            for question in self.questions
        }
        if versions := versions_of(parameters):
            self.fields["readers"] = _readers_field(versions)
        for question in self.questions:
            network = self.networks.get(question.id)
            self.fields |= (
                network.fields((ties or {}).get(question.id))
                if network
                else share_fields(self.answers[question.id], self._names(question))
            )

    def clean(self) -> dict[str, Any]:
        super().clean()
        cleaned = self.cleaned_data
        for question in self.questions:
            if question.id in self.networks:
                self.networks[question.id].check(self)
            else:
                check_shares(self, question, self._names(question))
        return cleaned

    def seen(self, parameters: Parameters) -> Parameters:
        """Return what the chosen readers see of the survey; where all read alike all of it."""
        step = self.cleaned_data.get("readers")
        return parameters if step is None else at_step(parameters, step)

    def truth(self) -> dict[str, list[float]]:
        """Shares by question: summing to 1, or one for each option of a multiple choice; of one
        about members the density, and of directed ties the share that is returned.
        """
        return {question.id: self._truth(question) for question in self.questions}

    def _truth(self, question: Question) -> list[float]:
        if question.id in self.networks:
            return self.networks[question.id].truth(self.cleaned_data)
        return [part(self.cleaned_data[name]) for name in self._names(question)]

    @property
    def parts(self) -> dict[str, str]:
        """The question of each field, for errors."""
        return {
            name: _("Question %s") % number
            for number, question in enumerate(self.questions, 1)
            for name in self._names(question)
        }

    def groups(self) -> list[dict[str, Any]]:
        """The fields by question, for the page."""
        return [
            {
                "question": question,
                "is_independent": are_independent(question),
                "is_network": question.id in self.networks,
                "fields": [self[name] for name in self._names(question)],
            }
            for question in self.questions
        ]

    def _names(self, question: Question) -> list[str]:
        if question.id in self.networks:
            return self.networks[question.id].names
        count = len(self.answers[question.id].categories)
        return [f"{question.id}-{index}" for index in range(count)]


def _readers_field(versions: Sequence[str]) -> forms.TypedChoiceField:
    """The readers whose results are simulated: at first the highest step, which sees most."""
    names = list(enumerate(versions))
    return forms.TypedChoiceField(
        label=_("As these readers would see it"), choices=names, coerce=int, initial=names[-1][0]
    )
