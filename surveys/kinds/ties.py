"""Ties: which of the other members of a survey.

The answer is a set of people, its report a bit for each of them. Results are statistics of the
whole network; docs/methods/networks.md.
"""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import numpy.typing as npt
from django.utils.translation import gettext_lazy as _
from msgspec.structs import replace

from surveys.kinds.drawn_networks import drawn_network, without_oneself
from surveys.kinds.estimation_inputs import Answered
from surveys.kinds.kind import UNKNOWN
from surveys.kinds.network_estimates import network_estimates
from surveys.kinds.unlisted import Unlisted
from surveys.parameters import MEMBERS, Device, Question, Ties
from surveys.results_document.questions import QuestionResults


class MemberTies(Unlisted):
    name = "roster_ties"
    label = _("Ties: which of the other members")
    control = MEMBERS
    about_members = True
    refusable = False

    # --- answers --------------------------------------------------------------------------------

    def default_shares(self, answers: int, *, refusal: bool) -> list[Decimal]:
        """There are no answers of which shares could be guessed."""
        return []

    # --- results --------------------------------------------------------------------------------

    def estimates(self, found: QuestionResults, answered: Answered) -> QuestionResults:
        """There are no categories: the network has statistics of its own.

        All reports are of one launch, and of the page's device.
        """
        ((device_input,),) = (stratum.inputs for stratum in answered.strata)
        table, rows, members = device_input.device.table, device_input.rows, answered.members
        if members is None or rows is None or not isinstance(table, Ties):
            raise TypeError("the reports of members have their senders and a table of ties")
        network, notes = network_estimates(answered.question, members, table, rows)
        return replace(found, **UNKNOWN, network=network, notes=notes)

    # --- simulation -----------------------------------------------------------------------------

    def draw_answers(
        self, question: Question, shares: Sequence[float], n: int, generator: np.random.Generator
    ) -> npt.NDArray[np.int64]:
        """The ties of `n` members, who are all there are: zeros and ones of shape (n, n - 1).

        `shares`: the density, and of directed ties the share that is returned, or as many as
        chance returns.
        """
        density, *rest = shares
        returned = (rest or [density])[0] if question.directed else None
        return without_oneself(drawn_network(n, density, returned, generator))

    def simulated_counts(
        self,
        question: Question,
        device: Device,
        shares: Sequence[float],
        n: int,
        generator: np.random.Generator,
        texts: Sequence[str] = (),
    ) -> Any:
        """The tally of `n` members, who are all there are."""
        answers = self.draw_answers(question, shares, n, generator)
        reports = self.draw_reports(question, device, answers, (), generator.bytes)
        return {str(place): int(report, 2) for place, report in enumerate(reports)}
