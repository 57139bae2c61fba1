"""Joint devices: one draw over the answers to several questions.

The epsilons of the questions add up to that of their device, so that joining them leaves the budget
as it is (Domingo-Ferrer 2018; docs/methods/joint.md).
"""

from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import rr_engine
from surveys import numbers
from surveys.devices.built_family import epsilon_of
from surveys.devices.served_family import ServedFamily
from surveys.drafts import AskedQuestion, Draft
from surveys.kinds import categories, kind_of
from surveys.parameters import (
    CODES,
    PAGE,
    Device,
    Uniform,
    joint_id,
)
from surveys.parameters.budget import text_of
from surveys.parameters.exact import table_of
from surveys.results_document.devices import UsedDevice

JointDevice = rr_engine.channels.JointChannel | rr_engine.channels.UniformChannel
# Any of its probabilities is a multiple of one over two to the power of this.
BITS = 32
# Which of two devices has less error does not depend on the number of people.
COMPARED = 1_000
# The paper's device may make the table of all combinations so many times less precise.
MOST_LOST = 1.5


class Joint(ServedFamily):
    """A report is the likelier the fewer of the answers it changes (Eq. 11)."""

    name = "joint"
    form = "changes"
    description = _("One draw for several questions: the more answers changed, the less likely.")

    def explanation(self, device: UsedDevice) -> str:
        """How the answer to one question is randomized: the margin of the joint device."""
        table = device.table
        if not isinstance(table, Uniform):
            return str(self.description)
        values = {"kept": numbers.percent(table.kept / table.denominator, 2)}
        words = gettext(
            "One draw for all questions that are sent together keeps this answer (%(kept)s) or "
            "sends one of the others, all equally likely."
        )
        return words % values


class Combinations(Joint):
    """All combinations but the real one are equally likely: k-ary randomized response on them."""

    name = "combinations"
    form = "uniform"
    description = _("One draw for several questions: all other combinations are equally likely.")


JOINT_FAMILIES: tuple[Joint, ...] = (Joint(), Combinations())


def by_draw(questions: Sequence[AskedQuestion | Draft]) -> list[list[Draft]]:
    """Return the questions in their order, those of one draw at the place of its first one."""
    drafts = [Draft.of(question) for question in questions]
    together: dict[object, list[Draft]] = {}
    for index, draft in enumerate(drafts):
        alone = draft.group is None or not draft.randomized
        together.setdefault(("alone", index) if alone else ("together", draft.group), []).append(
            draft
        )
    return list(together.values())


def joint_epsilon(drafts: Sequence[Draft]) -> Decimal:
    """Return what these questions may reveal together."""
    return sum((epsilon_of(draft) for draft in drafts), Decimal(0))


def joint_sizes(drafts: Sequence[Draft]) -> tuple[int, ...]:
    """Return how many answers each question has."""
    return tuple(len(categories(draft)) for draft in drafts)


def joint_channel(drafts: Sequence[Draft], form: str) -> JointDevice:
    """Return their joint device in exact integers; raises EngineError where there is none."""
    return channel_of_sizes(joint_sizes(drafts), joint_epsilon(drafts), form)


# A page asks for the same ones at every keystroke; both kinds are a few integers.
@lru_cache(maxsize=512)
def channel_of_sizes(sizes: tuple[int, ...], epsilon: Decimal, form: str) -> JointDevice:
    """Return the channel for these numbers of answers and what the device may reveal."""
    return rr_engine.channels.joint_design(sizes, epsilon=text_of(epsilon), bits=BITS, form=form)


def joint_family(drafts: Sequence[Draft]) -> Joint:
    """The family that expects less error in pairs of answers, which a joint device is for."""
    return family_of_sizes(joint_sizes(drafts), joint_epsilon(drafts))


@lru_cache(maxsize=512)
def family_of_sizes(sizes: tuple[int, ...], epsilon: Decimal) -> Joint:
    """Return the family for these numbers of answers and what the device may reveal.

    The paper's family is not used where the table of all combinations pays for it: near some
    epsilons its weights tell nothing about that table (docs/methods/joint-devices.md).
    """
    ways = rr_engine.spending.compare_joint(sizes, text_of(epsilon), COMPARED, bits=BITS)
    errors = {way.way: way for way in ways}
    papers, other = JOINT_FAMILIES
    changes, uniform = errors.get(papers.form), errors[other.form]
    if changes is None or changes.table > MOST_LOST * uniform.table:
        return other
    return papers if changes.pairs < uniform.pairs else other


def margin_of(channel: JointDevice, place: int) -> rr_engine.channels.UniformChannel:
    """The device of one question in thought: what the joint one does with its answer."""
    margin = channel.margin([place])
    if not isinstance(margin, rr_engine.channels.UniformChannel):
        raise TypeError("the margin of one question has one probability for all other answers")
    return margin


def freeze_for_everybody(drafts: Sequence[Draft], first: int) -> Device:
    """Return the joint device of everybody; `first`: the place of its first question, from 0 on."""
    return freeze_joint(drafts, joint_id(first), PAGE)


def freeze_joint(drafts: Sequence[Draft], name: str, stratum: str) -> Device:
    """The device of these questions together, under a name and for a stratum."""
    family = joint_family(drafts)
    return Device(
        id=name,
        questions=tuple(draft.name for draft in drafts),
        option=None,
        stratum=stratum,
        family=family.name,
        look=CODES,
        table=table_of(joint_channel(drafts, family.form)),
        epsilon=text_of(joint_epsilon(drafts)),
        delta=None,
        instructions=(),
        search=None,
        earlier=(),
    )


def may_be_joint(draft: Draft) -> bool:
    """Whether a question has one answer out of a list, which a device over several takes."""
    kind = kind_of(draft)
    listed = kind.has_margin and kind.is_categorical(draft)
    return listed and not kind.several and not kind.numeric
