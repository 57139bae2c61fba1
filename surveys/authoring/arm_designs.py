"""What the reports of all arms of a question tell together, as one design.

Its rows are the reports of each arm, one below the other: chance puts somebody into an arm and then
draws a report. Whoever is asked directly sends no report that an estimate uses; that row is the
same for all answers, so that it tells nothing. Precision per planned person follows from it.
"""

import numpy as np

import rr_engine
from surveys.devices import draft_design, family_of
from surveys.devices.registry import split_draft
from surveys.drafts import Draft
from surveys.models import Question
from surveys.parameters.arms import EVERYBODY


def asked_design(draft: Draft, page: rr_engine.DesignMatrix) -> rr_engine.DesignMatrix:
    """The design of all who are planned; that of the page where everybody is asked alike."""
    if not draft.split_share and not draft.direct_share:
        return page
    rest = EVERYBODY - draft.split_share - draft.direct_share
    rows = [rest * page.matrix]
    if draft.split_share:
        split = split_draft(draft)
        design = family_of(split).seen_from_one(draft_design(split))
        rows.append(draft.split_share * design.matrix)
    if draft.direct_share:
        rows.append(np.full((1, page.matrix.shape[1]), float(draft.direct_share)))
    return rr_engine.DesignMatrix(np.vstack(rows) / EVERYBODY)


def people_through_devices(question: Question) -> int:
    """How many of those who are planned answer a question through a device, and not directly."""
    asked = question.planned_n * (EVERYBODY - question.direct_share)
    return max(1, round(asked / EVERYBODY))
