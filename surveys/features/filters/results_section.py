"""What a filter adds to the results of its question."""

from typing import Final

from surveys.results_document.parts import Interval, Part, Share

KEY: Final = "of_asked"


class ShareOfAsked(Share, frozen=True, kw_only=True):
    """The share of an answer among those whom the question is for."""

    label: str
    interval_50: Interval


class OfAsked(Part, frozen=True, kw_only=True):
    """`asked`: the share of those whom the question is for, among everybody who reported.

    `categories`: a refusal among them, as one of the answers that they can give.
    """

    asked: Share
    categories: tuple[ShareOfAsked, ...]
