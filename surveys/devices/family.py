"""The base class of a family of devices: when it fits, how it is built, its words.

The rest of the app asks these objects and compares no family's name. docs/extending.md says how
another one is added.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

import numpy as np
from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext as _

import rr_engine
from surveys import numbers
from surveys.devices.exact_channels import exact_channel
from surveys.devices.frequency_words import kept_of_people, most_of_a_code
from surveys.drafts import AskedQuestion, Draft
from surveys.kinds import categories
from surveys.parameters import CARDS, CODES, PAGE, Device, Question, Search, Table
from surveys.parameters.budget import text_of
from surveys.parameters.exact import design_of, matrix_of, table_of
from surveys.parameters.tables import Coded

Certificate = dict[str, Any]
# The digits of the largest code of a report.
CODE_LENGTH = 10
Settings = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Relaxation:
    """What an author reads before a device that keeps (epsilon, delta) only can be chosen."""

    summary: Promise
    warning: Promise
    explanation: Promise


@dataclass(frozen=True, slots=True)
class DeviceFinding:
    """What a launch check reports of a draft's device; what `blocks` stops the launch."""

    code: str
    message: str
    blocks: bool


class ServedFamily:
    """The family of a launched device, as results and their readers need it.

    `names_answers`: report u stands for answer u.
    """

    name: str
    look = CODES
    names_answers = True
    # How it scrambles an answer; its name where nothing is said.
    description: Promise | str = ""

    def explanation(self, device: Mapping[str, Any]) -> str:
        """How a device of the results document randomizes, in words."""
        return str(self.description or self.name)

    def certificate(
        self, question: Question, device: Device, shares: Sequence[float] | None
    ) -> Certificate | None:
        """How far a device is from the best that any could be; None where no bound is known.

        `shares` are the maximum-likelihood estimates, or None. A pure function of what it is given.
        """
        return None

    def certificate_words(self, certificate: Certificate, epsilon: str) -> list[str]:
        """The certificate in sentences for the results page."""
        return []


class Family(ServedFamily, ABC):
    """A family of devices that the page draws for.

    `settings`: the keys that it reads of what is stored with a question. `relaxation`: it keeps
    (epsilon, delta) only. `rival`: it becomes the default where it is clearly more accurate than
    the usual device.
    """

    # Both are there for what an author chooses; `needs` is what it takes, said where it was chosen
    # for a question that it does not fit.
    label: Promise
    needs: Promise
    # In a figure beside others; its label where it has none.
    short_label: Promise | None = None
    # How long its note is, "short" or "long": a comparison keeps room for it from the start.
    note_room = ""
    settings: tuple[str, ...] = ()
    relaxation: Relaxation | None = None
    rival = False

    @property
    def follows_epsilon(self) -> bool:
        """Whether it has a table for each epsilon that is typed, and keeps it outright."""
        return not self.relaxed

    @property
    def sends_codes(self) -> bool:
        """Whether a report is one code, as tiers, strata of chance and analyses need."""
        return self.look in (CODES, CARDS)

    @property
    def relaxed(self) -> bool:
        return self.relaxation is not None

    # --- building -------------------------------------------------------------------------------

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
    def build(self, labels: list[str], epsilon: Decimal, settings: Settings) -> rr_engine.Channel:
        """The channel of one device; raises EngineError. `settings` are its own, hashable.

        A DesignMatrix of floats is rounded to integers afterwards; any other channel has them.
        """

    def needs_words(self) -> str:
        return str(self.needs)

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

    def channel(self, draft: Draft) -> rr_engine.Channel:
        """The exact integers that a launch would freeze for one of its devices."""
        stored = draft.design_parameters
        settings = {key: stored.get(key, "") for key in self.settings}
        return exact_channel(self, self.truths(draft), self.epsilon_of_each(draft), settings)

    def design(self, draft: Draft) -> rr_engine.DesignMatrix:
        """The same with every entry written down; raises ArgumentError where that is too large."""
        return matrix_of(self.channel(draft))

    def at(self, draft: Draft, epsilon: Decimal) -> rr_engine.Channel:
        """The channel of one answer at another epsilon, in floats, for curves.

        For devices over several answers at once it is that of one option.
        """
        channel = self.build(
            self.truths(draft), self.epsilon_of_each(replace(draft, epsilon=epsilon)), {}
        )
        return self.seen_from_one(channel)

    def seen_from_one(self, channel: rr_engine.Channel) -> rr_engine.Channel:
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
        return table_of(rr_engine.relaxable_next(design_of(waves[-1]), self.design(draft)))

    def report_length(self, draft: Draft) -> int:
        """How many characters of JSON one report has at most."""
        return CODE_LENGTH

    def delta(self, draft: Draft) -> str | None:
        return None

    def search(self, draft: Draft) -> Search | None:
        """The problem that its table was searched for."""
        return None

    # --- settings beside epsilon ----------------------------------------------------------------

    def setting_fields(self) -> dict[str, forms.Field]:
        """The fields of its settings on the author's page, by their names in `settings`.

        Families that have a setting of the same name share it. A field's `initial` stands where
        nothing is stored.
        """
        return {}

    def setting_problems(self, values: Settings) -> dict[str, str]:
        """What is wrong with each setting beyond the form of its field; empty where nothing is."""
        return {}

    def setting_note(self, values: Settings) -> str:
        """What these settings mean for the people who are asked, in words."""
        return ""

    def findings(self, draft: Draft, planned_n: int) -> Iterator[DeviceFinding]:
        """What an author should know, or change, before a launch with this device."""
        yield from ()

    # --- guesses --------------------------------------------------------------------------------

    def planning_prior(self, draft: Draft) -> list[float] | None:
        """The guessed shares stored with the question; every device is judged by them."""
        return None

    def planning_share(self, draft: Draft) -> float | None:
        """The guessed share of the focal answer, where only that one was guessed."""
        return None

    def weighting_prior(self, draft: Draft) -> list[float] | None:
        """The shares by which results will weight its reports; None for equal shares."""
        return None

    # --- for the author -------------------------------------------------------------------------

    def retention_probabilities(self, channel: rr_engine.Channel) -> list[float]:
        """The probability that a report stands for the real answer, by answer.

        Where no report stands for one: the probabilities of all codes that an answer can send.
        """
        matrix = matrix_of(channel).matrix
        if self.names_answers:
            return np.diag(matrix).tolist()
        return [float(chance) for chance in matrix.ravel() if chance]

    def told_probabilities(self, channel: rr_engine.Channel) -> list[float]:
        """The probabilities that natural frequencies tell, of which none may be rounded away."""
        return self.retention_probabilities(channel)

    def retention_label(self) -> str:
        return _("Answers kept as they are") if self.names_answers else _("Chance of any one code")

    def belief_label(self) -> str:
        """With %(answer)s and %(prior)s."""
        if self.names_answers:
            return _("Belief in “%(answer)s” after its code, from %(prior)s")
        return _("Belief in “%(answer)s” after the code that says most for it, from %(prior)s")

    def frequencies_of_many(self, channel: rr_engine.Channel, base: int) -> str:
        """The reports of `base` people with the same real answer, of more than two answers."""
        shares = self.retention_probabilities(channel)
        if not self.names_answers:
            return most_of_a_code(channel.tally_size, max(shares))
        return kept_of_people(shares, base, others=channel.tally_size - 1)

    def frequency_columns(self, draft: Draft) -> list[tuple[str, list[float]]]:
        """Real answers with the probabilities of their reports, for natural frequencies.

        Empty where those of the answers themselves are told.
        """
        return []

    def note(self, draft: Draft) -> str:
        """A note on its construction, for a comparison; empty where there is none."""
        return ""

    def epsilon_words(self, draft: Draft, own: float) -> str:
        """The declared epsilon; after it the device's own where that is clearly smaller."""
        epsilon = epsilon_of(draft)
        declared = numbers.decimal(epsilon)
        if own >= float(epsilon) * 0.99:
            return declared
        values = {"own": numbers.fixed_decimals(own, 2), "epsilon": declared}
        return _("%(own)s of %(epsilon)s") % values


def epsilon_of(draft: Draft) -> Decimal:
    """The epsilon that its author asks for; raises EpsilonError where there is none yet."""
    if draft.epsilon is None:
        raise rr_engine.EpsilonError("epsilon", None, "be given", "not_an_epsilon")
    return draft.epsilon


def id_of(draft: Draft | AskedQuestion, option: int | None) -> str:
    """The name of a device, under which its reports are sent and downloaded."""
    return draft.name if option is None else f"{draft.name}_{option + 1}"
