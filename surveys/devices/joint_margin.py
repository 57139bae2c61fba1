"""The device of one of several joint questions, in thought: what their draw does with its answer.

Every figure of such a question rests on it, as its results do (`surveys.parameters.joint`).
"""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

import rr_engine
from surveys import numbers
from surveys.devices.built_family import Settings
from surveys.devices.family import Family
from surveys.devices.joint import (
    by_draw,
    channel_of_sizes,
    family_of_sizes,
    joint_epsilon,
    joint_sizes,
    margin_of,
    may_be_joint,
)
from surveys.drafts import AskedQuestion, Draft, Membership
from surveys.kinds import KINDS, kind_of
from surveys.parameters.tables import MOST_COMBINATIONS

if TYPE_CHECKING:
    from surveys.models import Question


class JointMargin(Family):
    """The margin of a joint device; nobody chooses it, and no table of it is frozen."""

    name = "group"
    label = _("The joint device")
    needs = _("It takes questions that are sent together.")
    description = _("One draw for all questions that are sent together.")

    def fits(self, draft: Draft) -> bool:
        return draft.membership is not None

    def is_chosen(self, draft: Draft) -> bool:
        return self.fits(draft)

    def build(
        self, labels: list[str], epsilon: Decimal, settings: Settings
    ) -> rr_engine.channels.Channel:
        rule = "be built for a whole group"
        raise rr_engine.errors.ArgumentError("design", self.name, rule, "unknown_choice")

    def epsilon_of_each(self, draft: Draft) -> Decimal:
        """Return the whole report's epsilon: it can tell as much about one answer as about all."""
        return _membership(draft).epsilon

    def channel(self, draft: Draft) -> rr_engine.channels.Channel:
        return margin_of(_whole(draft), _membership(draft).place)

    def note(self, draft: Draft) -> str:
        membership = _membership(draft)
        return str(family_of_sizes(membership.sizes, membership.epsilon).description)

    def epsilon_words(self, draft: Draft, own: float) -> str:
        return numbers.decimal(self.epsilon_of_each(draft))


JOINT_MARGIN = JointMargin()


def join_questions(questions: Sequence["Question"]) -> None:
    """Tell each question what it must know of those that share its draw, in the order given.

    A draw that is not complete, of one question or of questions without answers yet, is none.
    """
    drafts = [replace(Draft.of(question), name=str(i)) for i, question in enumerate(questions)]
    memberships = {
        draft.name: Membership(joint_sizes(together), place, joint_epsilon(together))
        for together in by_draw(drafts)
        if is_complete_draw(together)
        for place, draft in enumerate(together)
    }
    for index, question in enumerate(questions):
        question.membership = memberships.get(str(index))


def is_complete_draw(drafts: Sequence[Draft]) -> bool:
    """Whether a device over these questions can be computed."""
    return (
        len(drafts) > 1
        and all(_is_complete(draft) for draft in drafts)
        and prod(joint_sizes(drafts)) <= MOST_COMBINATIONS
    )


def report_epsilon(question: AskedQuestion | Draft) -> Decimal | None:
    """Return what the report with this question's answer may reveal: of a joint one the sum."""
    membership = question.membership
    return question.epsilon if membership is None else membership.epsilon


def report_ratio(draft: Draft) -> Fraction | None:
    """The likelihood-ratio bound of the whole report, and of what it tells of one answer.

    That of the question's own margin is smaller: the codes of the others tell of it as well, where
    answers go together.
    """
    return _whole(draft).likelihood_ratio_bound


def _is_complete(draft: Draft) -> bool:
    return (
        draft.kind in KINDS
        and may_be_joint(draft)
        and kind_of(draft).is_complete(draft)
        and bool(draft.epsilon and draft.epsilon > 0)
    )


def _whole(draft: Draft) -> rr_engine.channels.JointChannel | rr_engine.channels.UniformChannel:
    membership = _membership(draft)
    family = family_of_sizes(membership.sizes, membership.epsilon)
    return channel_of_sizes(membership.sizes, membership.epsilon, family.form)


def _membership(draft: Draft) -> Membership:
    if draft.membership is None:
        rule = "be sent together with others"
        raise rr_engine.errors.ArgumentError("design", JOINT_MARGIN.name, rule, "unknown_choice")
    return draft.membership
