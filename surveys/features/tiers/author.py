"""The part of tiers for authors: what they are told before launch, and what a launch freezes."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from surveys.authoring.checks.epsilon import Finding
from surveys.drafts import Draft
from surveys.features.parts import AuthorPart
from surveys.features.tiers.figures import tiered_devices
from surveys.features.tiers.findings import findings_of_tiers
from surveys.features.tiers.models import Tier as TierRow
from surveys.features.tiers.reading import tiers_of
from surveys.features.tiers.section import NAME
from surveys.features.tiers.words import tier_words
from surveys.models import Question, Survey
from surveys.parameters import Device


class TiersForAuthors(AuthorPart):
    has_panel_text = True

    def is_used(self, survey: Survey, questions: Sequence[Question]) -> bool:
        return bool(tiers_of(survey))

    def freeze(self, survey: Survey, questions: Sequence[Question]) -> Mapping[str, Any]:
        return {NAME: tiers_of(survey)}

    def devices(
        self, survey: Survey, questions: Sequence[Question], section: Any
    ) -> Sequence[Device]:
        return tiered_devices(questions, section) if section else ()

    def clone(self, survey: Survey, copy: Survey) -> None:
        TierRow.objects.bulk_create(
            TierRow(survey=copy, position=row.position, name=row.name, share=row.share)
            for row in TierRow.objects.filter(survey=survey)
        )

    def findings(self, survey: Survey, questions: Sequence[Question]) -> Iterator[Finding]:
        return findings_of_tiers(survey, questions)

    def panel_text(self, draft: Draft, section: Any = None) -> str:
        return tier_words(draft, section or ())
