"""What the reports of all arms of a question tell together, as one channel.

Its rows are the reports of each arm, one below the other: chance puts somebody into an arm and then
draws a report. Whoever is asked directly sends no report that an estimate uses; that row is the
same for all answers, so that it tells nothing. Precision per planned person follows from it.
"""

import numpy as np

import rr_engine
from surveys.devices import draft_channel, family_of
from surveys.devices.registry import split_draft
from surveys.drafts import Draft
from surveys.models import Question
from surveys.parameters.arms import EVERYBODY
from surveys.parameters.exact import matrix_of


def asked_channel(draft: Draft, page: rr_engine.Channel) -> rr_engine.Channel:
    """The channel of all who are planned; that of the page where everybody is asked alike.

    With arms it is a table: `surveys.authoring.draft_arms` lets no other device in.
    """
    if not draft.split_share and not draft.direct_share:
        return page
    rest = EVERYBODY - draft.split_share - draft.direct_share
    rows = [rest * matrix_of(page).matrix]
    if draft.split_share:
        split = split_draft(draft)
        channel = family_of(split).seen_from_one(draft_channel(split))
        rows.append(draft.split_share * matrix_of(channel).matrix)
    if draft.direct_share:
        rows.append(np.full((1, page.truth_size), float(draft.direct_share)))
    return rr_engine.DesignMatrix(np.vstack(rows) / EVERYBODY)


def people_through_devices(question: Question) -> int:
    """How many of those who are planned answer a question through a device, and not directly."""
    asked = question.planned_n * (EVERYBODY - question.direct_share)
    return max(1, round(asked / EVERYBODY))
