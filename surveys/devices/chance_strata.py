"""A question of a draft as people are asked it whom chance puts into a stratum of their own."""

from collections.abc import Sequence
from dataclasses import dataclass

from surveys.drafts import AskedQuestion, Draft
from surveys.features import FEATURES


@dataclass(frozen=True, slots=True)
class ChanceStratum:
    """`share`: of how many people in a hundred it is, 0 where no survey says it.

    `draft`: the question as they are asked it, scrambled by another device or, if it is no longer
    randomized, sent as it is.
    """

    name: str
    share: int
    draft: Draft

    @property
    def directly(self) -> bool:
        return not self.draft.randomized


def chance_strata(question: AskedQuestion | Draft) -> Sequence[ChanceStratum]:
    """Return the strata of a question besides the page's; none where all are asked alike."""
    draft = Draft.of(question)
    return [each for feature in FEATURES.values() for each in feature.draft.strata(draft)]


def as_on_page(draft: Draft) -> Draft:
    """Return the question with no other strata than the page's."""
    for name, feature in FEATURES.items():
        if feature.draft.strata(draft):
            draft = draft.without_feature(name)
    return draft
