"""The part of a family that a launch freezes: when it fits a question, and how it is built."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from django.utils.functional import Promise

import rr_engine
from surveys.devices.exact_channels import exact_channel
from surveys.devices.served_family import ServedFamily
from surveys.drafts import AskedQuestion, Draft
from surveys.kinds import categories
from surveys.parameters import CARDS, CODES, PAGE, Device, Search, Table
from surveys.parameters.budget import text_of
from surveys.parameters.exact import design_of, matrix_of, table_of
from surveys.parameters.tables import Coded

# The digits of the largest code of a report.
CODE_LENGTH = 10
Settings = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Relaxation:
    """The texts an author reads before a device that keeps only (epsilon, delta) can be chosen."""

    summary: Promise
    warning: Promise
    explanation: Promise


class BuiltFamily(ServedFamily, ABC):
    """A family of devices that the page draws for.

    `settings`: the keys that it reads of what is stored with a question. `relaxation`: it keeps
    (epsilon, delta) only.
    """

    settings: tuple[str, ...] = ()
    relaxation: Relaxation | None = None

    @property
    def follows_epsilon(self) -> bool:
        """Whether it has a table for each epsilon that is typed, and keeps it outright."""
        return not self.relaxed

    @property
    def relaxed(self) -> bool:
        return self.relaxation is not None

    @property
    def sends_codes(self) -> bool:
        """Whether a report is one code, as chains, strata of chance and analyses need."""
        return self.look in (CODES, CARDS)

    @abstractmethod
    def fits(self, draft: Draft) -> bool:
        """Whether it can be chosen for this question, whatever its epsilon."""

    def is_listed(self, draft: Draft) -> bool:
        """Whether an author sees it among the devices at all."""
        return True

    def is_chosen(self, draft: Draft) -> bool:
        return draft.design == self.name

    def stays(self, draft: Draft) -> bool:
        """Whether it stays chosen where it does not fit, until the author decides."""
        return False

    @abstractmethod
    def build(
        self, labels: list[str], epsilon: Decimal, settings: Settings
    ) -> rr_engine.channels.Channel:
        """The channel of one device; raises EngineError. `settings` are its own, hashable.

        A DesignMatrix of floats is rounded to integers afterwards; any other channel has them.
        """

    def epsilon_problem(self, draft: Draft) -> str:
        """Why its epsilon is too small for what is stored; empty where it is not."""
        return ""

    def stored_problem(self, draft: Draft) -> str:
        """Why what is stored for it cannot serve this question; empty where it can."""
        return ""

    def truths(self, draft: Draft) -> list[str]:
        """The true answers of one of its devices."""
        return categories(draft)

    def options(self, draft: Draft) -> list[int | None]:
        """The categories that its devices for one question are about, one each; None for all."""
        return [None]

    def epsilon_of_each(self, draft: Draft) -> Decimal:
        """The part of the question's epsilon that one device has."""
        return epsilon_of(draft)

    def declared_epsilon(self, draft: Draft) -> str | None:
        """The epsilon of a device in the parameters document."""
        return text_of(self.epsilon_of_each(draft))

    def channel(self, draft: Draft) -> rr_engine.channels.Channel:
        """The exact integers that a launch would freeze for one of its devices."""
        stored = draft.design_parameters
        settings = {key: stored.get(key, "") for key in self.settings}
        return exact_channel(self, self.truths(draft), self.epsilon_of_each(draft), settings)

    def design(self, draft: Draft) -> rr_engine.DesignMatrix:
        """Return all entries of `channel`; raises ArgumentError if it is too large."""
        return matrix_of(self.channel(draft))

    def at(self, draft: Draft, epsilon: Decimal) -> rr_engine.channels.Channel:
        """The channel of one answer at another epsilon, in floats, for curves.

        For devices over several answers at once it is that of one option.
        """
        channel = self.build(
            self.truths(draft), self.epsilon_of_each(replace(draft, epsilon=epsilon)), {}
        )
        return self.seen_from_one(channel)

    def seen_from_one(self, channel: rr_engine.channels.Channel) -> rr_engine.channels.Channel:
        """The channel that the precision of one answer rests on."""
        return channel

    def freeze(self, draft: Draft) -> list[Device]:
        """The devices of a parameters document."""
        table, epsilon = self.table(draft), self.declared_epsilon(draft)
        return [
            Device(
                id=id_of(draft, option),
                questions=(draft.name,),
                option=option,
                stratum=PAGE,
                family=self.name,
                look=self.look,
                table=table,
                epsilon=epsilon,
                delta=self.delta(draft),
                instructions=(),
                search=self.search(draft),
                earlier=(),
            )
            for option in self.options(draft)
        ]

    def table(self, draft: Draft) -> Table:
        """The table of one of its devices, as it is frozen."""
        return table_of(self.channel(draft))

    def sharper_table(self, draft: Draft, waves: Sequence[Coded]) -> Table:
        """A table at the draft's epsilon of which those of all waves so far are degraded copies.

        `waves`: the first one first. Raises EngineError where there is none.
        """
        return table_of(
            rr_engine.relaxation.relaxable_next(design_of(waves[-1]), self.design(draft))
        )

    def report_length(self, draft: Draft) -> int:
        """How many characters of JSON one report has at most."""
        return CODE_LENGTH

    def delta(self, draft: Draft) -> str | None:
        return None

    def search(self, draft: Draft) -> Search | None:
        """The problem that its table was searched for."""
        return None


def epsilon_of(draft: Draft) -> Decimal:
    """The epsilon that its author asks for; raises EpsilonError where there is none yet."""
    if draft.epsilon is None:
        raise rr_engine.errors.EpsilonError("epsilon", None, "be given", "not_an_epsilon")
    return draft.epsilon


def id_of(draft: Draft | AskedQuestion, option: int | None) -> str:
    """The name of a device, under which its reports are sent and downloaded."""
    return draft.name if option is None else f"{draft.name}_{option + 1}"
