"""Randomized response over all combinations of the options of a multiple choice."""

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import rr_engine
from surveys import numbers
from surveys.devices.randomized_response import RandomizedResponse
from surveys.drafts import Draft
from surveys.kinds import kind_of
from surveys.kinds.multiple_choice import option_design, subsets
from surveys.parameters import coded, columns_of
from surveys.results_document.devices import UsedDevice

# A device over all subsets of the options has two to the power of this many answers.
MOST_OPTIONS = 5


class WholeSet(RandomizedResponse):
    name = "whole_set"
    label = _("One device over all combinations")
    needs = _("It takes multiple choice with %s options at most.")

    def fits(self, draft: Draft) -> bool:
        return kind_of(draft).several and len(draft.options) <= MOST_OPTIONS

    def needs_words(self) -> str:
        return str(self.needs) % MOST_OPTIONS

    def truths(self, draft: Draft) -> list[str]:
        count = subsets(len(draft.options), refusal=draft.prefer_not)
        return [str(index) for index in range(count)]

    def seen_from_one(self, channel: rr_engine.channels.Channel) -> rr_engine.DesignMatrix:
        """An odd code out, the last, is a refusal."""
        refusal = channel.truth_size % 2 == 1
        return option_design(channel, 0, refusal=refusal)[0]

    def explanation(self, device: UsedDevice) -> str:
        table = coded(device.table)
        retained, other = columns_of(table)[0][:2]
        return gettext(
            "Chance keeps the whole set of ticks (%(kept)s) or sends one of the %(count)s other "
            "sets (each %(other)s)."
        ) % {
            "kept": numbers.percent(retained / table.denominator, 2),
            "other": numbers.percent(other / table.denominator, 2),
            "count": numbers.count(table.truths - 1),
        }
