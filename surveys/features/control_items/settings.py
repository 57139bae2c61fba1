"""The known share that an author has set for a control item."""

from decimal import Decimal

import msgspec

from surveys.features.control_items.section import NAME
from surveys.features.settings import (
    HasFeatures,
    WithFeatures,
    read_settings,
    stored,
    write_settings,
)
from surveys.parameters.budget import text_of


@stored
class KnownShare(msgspec.Struct, frozen=True):
    """`share`: of people of whom “Yes” is true; None of a question that is no control item."""

    share: Decimal | None = None


def share_of(question: WithFeatures) -> Decimal | None:
    return read_settings(question.features, NAME, KnownShare).share


def share_text(question: WithFeatures) -> str | None:
    share = share_of(question)
    return None if share is None else text_of(share)


def is_control_item(question: WithFeatures) -> bool:
    return share_of(question) is not None


def set_share(question: HasFeatures, share: Decimal | None) -> None:
    write_settings(question, NAME, KnownShare(share))
