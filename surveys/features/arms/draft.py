"""The arms of a question that is not launched yet, as its devices see them."""

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from surveys.devices.chance_strata import ChanceStratum
from surveys.devices.registry import fitting, stored_problem
from surveys.drafts import AskedQuestion, Draft
from surveys.features.arms.section import DIRECTLY, NAME, SPLIT
from surveys.features.arms.settings import arms_of_question, shares_of_its_survey
from surveys.features.parts import DraftPart


class ArmsOfDraft(DraftPart):
    def strata(self, draft: Draft) -> list[ChanceStratum]:
        arms, strata = arms_of_question(draft), list[ChanceStratum]()
        if not arms:
            return strata
        shares = shares_of_its_survey(draft)
        if arms.split_epsilon is not None:
            split = split_draft(draft, arms.split_epsilon)
            strata.append(ChanceStratum(SPLIT, shares.split, split))
        if arms.asked_directly:
            direct = replace(without_arms(draft), randomized=False, epsilon=None)
            strata.append(ChanceStratum(DIRECTLY, shares.direct, direct))
        return strata

    def epsilons(self, question: AskedQuestion | Draft) -> Iterator[Decimal]:
        epsilon = arms_of_question(question).split_epsilon
        if epsilon is not None:
            yield epsilon


def without_arms(draft: Draft) -> Draft:
    """Return the same question where everybody is asked alike."""
    return draft.without_feature(NAME)


def split_draft(draft: Draft, epsilon: Decimal) -> Draft:
    """Return a question as people in a split sample with this epsilon are asked it.

    It has the same device at another epsilon; the usual one, where that is made for one epsilon.
    """
    split = replace(without_arms(draft), epsilon=epsilon)
    families = fitting(split)
    fits = any(family.name == split.design for family in families)
    return split if fits and not stored_problem(split) else split.with_device(families[0].name)
