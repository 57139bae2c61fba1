"""An exploratory analysis, which a reader of the results composes after the answers came in."""

from collections.abc import Iterable, Mapping
from typing import Any

from surveys.authoring.analyses.declarations import may_be_analysed
from surveys.authoring.analyses.problems import Problem
from surveys.devices.joint_margin import join_questions
from surveys.features import weighting_of
from surveys.forms.analyses import AnalysisForm
from surveys.models import Launch, Question


class ExploratoryForm(AnalysisForm):
    """The form of a declared analysis, of which there may be many, and two of one name."""

    def problems_of_name(self, name: str) -> Iterable[Problem]:
        return ()


def outcomes_of(launch: Launch) -> dict[str, Question]:
    """The questions that an analysis can explain, by name."""
    questions = list(launch.survey.questions.all())
    join_questions(questions)
    return {each.name: each for each in questions if may_be_analysed(each)}


def exploratory_form(
    launch: Launch, outcome: Question, questions: Mapping[str, Question], posted: Any = None
) -> ExploratoryForm:
    return ExploratoryForm(
        posted,
        outcome=outcome,
        others=[each for each in questions.values() if each.name != outcome.name],
        labels=launch.parameters.question(outcome.name).categories,
        weights=weighting_of(launch.parameters) is not None,
    )
