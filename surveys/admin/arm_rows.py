"""The arms of a survey in words: how many people are in each."""

from collections.abc import Sequence
from dataclasses import dataclass

from surveys import numbers
from surveys.authoring.arm_figures import people_of
from surveys.authoring.arm_words import arm_label
from surveys.authoring.draft_parameters import arms_of
from surveys.models import Question, Survey
from surveys.parameters import PAGE
from surveys.parameters.arms import EVERYBODY


@dataclass(frozen=True, slots=True)
class ArmRow:
    """An arm in words; `share`: of all people, `people`: how many are expected in it."""

    label: str
    share: str
    people: str


def arm_rows(survey: Survey, questions: Sequence[Question]) -> list[ArmRow]:
    """The page's arm and those that some question has; none where everybody is asked alike."""
    arms = arms_of(survey, list(questions))
    shares = {arm.stratum: arm.share for arm in arms}
    others = {name: share for name, share in shares.items() if name != PAGE}
    people = people_of(others, survey.planned_n)
    return [
        ArmRow(
            label=arm_label(name),
            share=numbers.chosen_percent(share / EVERYBODY),
            people=numbers.count(people[name]),
        )
        for name, share in shares.items()
    ]
