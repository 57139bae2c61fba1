"""The figures and words of a family beside its epsilon, for authors and respondents."""

import numpy as np
from django.utils.translation import gettext as _

import rr_engine
from surveys import numbers
from surveys.devices.built_family import epsilon_of
from surveys.devices.frequency_words import kept_of_people, most_of_a_code
from surveys.devices.served_family import ServedFamily
from surveys.drafts import Draft
from surveys.parameters.exact import matrix_of


class ToldFamily(ServedFamily):
    """Natural frequencies, labels and notes; all rest on the exact channel of a draft."""

    def retention_probabilities(self, channel: rr_engine.channels.Channel) -> list[float]:
        """The probability that a report stands for the real answer, by answer.

        Where no report stands for one: the probabilities of all codes that an answer can send.
        """
        matrix = matrix_of(channel).matrix
        if self.names_answers:
            return np.diag(matrix).tolist()
        return [float(chance) for chance in matrix.ravel() if chance]

    def told_probabilities(self, channel: rr_engine.channels.Channel) -> list[float]:
        """The probabilities that natural frequencies tell, of which none may be rounded away."""
        return self.retention_probabilities(channel)

    def retention_label(self) -> str:
        return _("Answers kept as they are") if self.names_answers else _("Chance of any one code")

    def belief_label(self) -> str:
        """Return the label, with placeholders %(answer)s and %(prior)s."""
        if self.names_answers:
            return _("Belief in “%(answer)s” after its code, from %(prior)s")
        return _("Belief in “%(answer)s” after the code that says most for it, from %(prior)s")

    def frequencies_of_many(self, channel: rr_engine.channels.Channel, base: int) -> str:
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
