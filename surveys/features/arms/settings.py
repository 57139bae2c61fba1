"""The settings that an author makes for arms, of a question and of its survey."""

from decimal import Decimal

import msgspec

from surveys.drafts import Draft
from surveys.features.arms.section import NAME
from surveys.features.settings import (
    HasFeatures,
    WithFeatures,
    read_settings,
    stored,
    write_settings,
)


@stored
class QuestionArms(msgspec.Struct, frozen=True):
    """The arms of one question.

    `split_epsilon`: with how much the people in the split sample are asked it; None without one.
    `asked_directly`: whether those in the direct arm are asked it as it is.
    """

    split_epsilon: Decimal | None = None
    asked_directly: bool = False

    def __bool__(self) -> bool:
        return self.split_epsilon is not None or self.asked_directly


@stored
class ArmShares(msgspec.Struct, frozen=True):
    """How many people in a hundred chance puts into an arm, where some question has it."""

    split: int = 50
    direct: int = 30


def arms_of_question(question: WithFeatures) -> QuestionArms:
    return read_settings(question.features, NAME, QuestionArms)


def shares_of_survey(survey: WithFeatures) -> ArmShares:
    return read_settings(survey.features, NAME, ArmShares)


def shares_of_its_survey(draft: Draft) -> ArmShares:
    """Return the shares of the survey of a draft question; none before there is a survey."""
    features = draft.survey_features
    return ArmShares(0, 0) if features is None else read_settings(features, NAME, ArmShares)


def set_arms_of_question(question: HasFeatures, arms: QuestionArms) -> None:
    write_settings(question, NAME, arms)


def set_shares(survey: HasFeatures, shares: ArmShares) -> None:
    write_settings(survey, NAME, shares)
