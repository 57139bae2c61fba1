"""The form of an analysis, which an author declares or a reader composes afterwards."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from surveys.authoring.analyses.declarations import may_be_analysed, takes_scores
from surveys.authoring.analyses.problems import Problem, problems_of, problems_of_names
from surveys.devices.joint_margin import join_questions
from surveys.features import weighting_of
from surveys.forms.fields.author_texts import LineField
from surveys.kinds import KINDS
from surveys.models import Launch, Question
from surveys.parameters import Analysis, Parameters, Predictor
from surveys.parameters.analyses import MOST_IN_A_NAME
from surveys.results.regression.words import LINKS

PREDICTOR = "predictor_"
LEFT_OUT, CATEGORIES, NUMBER = "", "categories", "number"


class AnalysisForm(forms.Form):
    """`outcome`: the question that is explained. `others`: those that may explain it.

    `labels`: the answers to the outcome, as respondents read them. `weights`: whether respondents
    can be weighted. `taken`: the names of analyses that are declared already.
    """

    def __init__(
        self,
        *args: Any,
        outcome: Question,
        others: Sequence[Question],
        labels: Sequence[str],
        weights: bool,
        taken: Sequence[str] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self._outcome, self._others = outcome, others
        self._taken, self._weights = taken, weights
        self.fields["name"] = _name_field()
        self.fields["event"] = _event_field(outcome, labels)
        self.fields["link"] = forms.ChoiceField(label=_("Model"), choices=list(LINKS.items()))
        for question in others:
            self.fields[PREDICTOR + question.name] = _predictor_field(question)
        if self._weights:
            label = _("Weight respondents to the margins")
            self.fields["weighted"] = forms.BooleanField(label=label, required=False)

    @property
    def predictor_fields(self) -> list[forms.BoundField]:
        return [self[PREDICTOR + question.name] for question in self._others]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors:
            questions = {each.name: each for each in (self._outcome, *self._others)}
            analysis = self.analysis()
            for problem in self.problems_of_name(analysis.name):
                self._add(problem)
            for problem in problems_of(analysis, questions, weights=self._weights):
                self._add(problem)
        return cleaned

    def problems_of_name(self, name: str) -> Iterable[Problem]:
        return problems_of_names([*self._taken, name])

    def _add(self, problem: Problem) -> None:
        field = problem.field if problem.field in self.fields else None
        self.add_error(field, problem.message)

    def analysis(self) -> Analysis:
        """Return what a valid form declares."""
        chosen = {each.name: self.cleaned_data[PREDICTOR + each.name] for each in self._others}
        return Analysis(
            name=self.cleaned_data["name"],
            outcome=self._outcome.name,
            event=tuple(sorted(self.cleaned_data["event"])),
            link=self.cleaned_data["link"],
            predictors=tuple(
                Predictor(question=name, scored=how == NUMBER)
                for name, how in chosen.items()
                if how != LEFT_OUT
            ),
            weighted=self.cleaned_data.get("weighted", False),
        )


def _name_field() -> LineField:
    return LineField(
        label=_("Name of the analysis"),
        max_length=MOST_IN_A_NAME,
        help_text=_("Readers of the results see it, such as “Who uses drugs at work”."),
    )


def _event_field(outcome: Question, labels: Sequence[str]) -> forms.TypedMultipleChoiceField:
    words = _("Tick none to explain each answer on its own (multinomial).")
    return forms.TypedMultipleChoiceField(
        label=_("Which answers count"),
        choices=list(enumerate(labels)),
        coerce=int,
        required=False,
        initial=[1] if KINDS[outcome.kind].opposites else [],
        help_text=words if len(labels) > 2 else "",
        widget=forms.CheckboxSelectMultiple,
    )


def _predictor_field(question: Question) -> forms.ChoiceField:
    choices = [(LEFT_OUT, _("leave out")), (CATEGORIES, _("as categories"))]
    if takes_scores(question):
        choices.append((NUMBER, _("as a number")))
    return forms.ChoiceField(
        label=question.name, choices=choices, required=False, help_text=question.text
    )


class ExploratoryForm(AnalysisForm):
    """The form of a declared analysis, of which there may be many, and two of one name."""

    def problems_of_name(self, name: str) -> Iterable[Problem]:
        return ()


def outcomes_of(launch: Launch, parameters: Parameters) -> dict[str, Question]:
    """The questions that an analysis can explain, by name, with the texts of these parameters."""
    questions = list(launch.survey.questions.all())
    join_questions(questions)
    outcomes = {each.name: each for each in questions if may_be_analysed(each)}
    for name, each in outcomes.items():
        each.text = parameters.question(name).text
    return outcomes


def exploratory_form(
    parameters: Parameters,
    outcome: Question,
    questions: Mapping[str, Question],
    posted: Any = None,
) -> ExploratoryForm:
    return ExploratoryForm(
        posted,
        outcome=outcome,
        others=[each for each in questions.values() if each.name != outcome.name],
        labels=parameters.question(outcome.name).categories,
        weights=weighting_of(parameters) is not None,
    )
