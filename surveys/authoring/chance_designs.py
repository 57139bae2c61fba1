"""The reports of all strata of chance of a question together, as one channel.

Its rows are the reports of each stratum, one below the other: chance puts somebody into a stratum
and then draws a report. Whoever is asked directly sends no report that an estimate uses; that row
is the same for all answers, so that it tells nothing. Precision per planned person follows from it.
"""

from collections.abc import Sequence

import numpy as np

import rr_engine
from surveys.devices import draft_channel, family_of
from surveys.devices.chance_strata import ChanceStratum, chance_strata
from surveys.drafts import Draft
from surveys.models import Question
from surveys.parameters import EVERYBODY
from surveys.parameters.exact import matrix_of


def strata_with_people(question: Question | Draft) -> list[ChanceStratum]:
    """Return the strata of a question besides the page's into which somebody is put."""
    return [stratum for stratum in chance_strata(question) if stratum.share]


def share_of_page(strata: Sequence[ChanceStratum]) -> int:
    """Return of how many people in a hundred the page's own stratum is."""
    return EVERYBODY - sum(stratum.share for stratum in strata)


def asked_channel(draft: Draft, page: rr_engine.channels.Channel) -> rr_engine.channels.Channel:
    """Return the channel of all who are planned; the page's where everybody is asked alike.

    With other strata it is a table: no other device is let in.
    """
    return pooled_channel(strata_with_people(draft), page)


def pooled_channel(
    strata: Sequence[ChanceStratum], page: rr_engine.channels.Channel
) -> rr_engine.channels.Channel:
    """Return the channel of all people of the page and of these strata."""
    if not strata:
        return page
    rows = [share_of_page(strata) * matrix_of(page).matrix]
    for stratum in strata:
        if stratum.directly:
            rows.append(np.full((1, page.truth_size), float(stratum.share)))
        else:
            channel = family_of(stratum.draft).seen_from_one(draft_channel(stratum.draft))
            rows.append(stratum.share * matrix_of(channel).matrix)
    return rr_engine.DesignMatrix(np.vstack(rows) / EVERYBODY)


def people_through_devices(question: Question) -> int:
    """Return how many of those who are planned answer a question through a device."""
    directly = sum(stratum.share for stratum in strata_with_people(question) if stratum.directly)
    return max(1, round(question.planned_n * (EVERYBODY - directly) / EVERYBODY))
