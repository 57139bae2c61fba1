"""The part of pilots for authors: what they are told before launch, and its devices."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from django.utils.translation import gettext as _

from surveys.authoring.checks.epsilon import Finding
from surveys.devices import family_of
from surveys.devices.grouped import freeze_joint
from surveys.drafts import Draft
from surveys.features.parts import AuthorPart, Selection
from surveys.features.pilots.figures import pilot_words
from surveys.features.pilots.findings import findings_of_pilot
from surveys.features.pilots.section import ASKED, PAIR, pair_stratum
from surveys.features.pilots.settings import is_pilot, pilot_settings, set_made_from
from surveys.models import Question, Survey
from surveys.parameters import Device


class PilotsForAuthors(AuthorPart):
    def is_used(self, survey: Survey, questions: Sequence[Question]) -> bool:
        return is_pilot(survey)

    def devices(
        self, survey: Survey, questions: Sequence[Question], section: Any
    ) -> Sequence[Device]:
        return paired_devices(questions) if is_pilot(survey) else ()

    def selection(self, survey: Survey) -> Selection | None:
        if not is_pilot(survey):
            return None
        words = _("%s Each person is asked two sensitive questions; the largest two count.")
        return Selection(ASKED, words, pilot_words)

    def clone(self, survey: Survey, copy: Survey) -> None:
        """Let a copy forget from which pilot the survey was made: it is the author's own."""
        if pilot_settings(survey).made_from is not None:
            set_made_from(copy, None)
            copy.save(update_fields=["features"])

    def findings(self, survey: Survey, questions: Sequence[Question]) -> Iterator[Finding]:
        return findings_of_pilot(survey, questions)


def paired_devices(questions: Sequence[Question]) -> tuple[Device, ...]:
    """Return one device for each pair of the sensitive questions, and the direct ones."""
    drafts = [Draft.of(question) for question in questions]
    sensitive = [(place, draft) for place, draft in enumerate(drafts) if draft.randomized]
    pairs = (
        freeze_joint([one, other], PAIR, pair_stratum(first, second))
        for (first, one), (second, other) in combinations(sensitive, 2)
    )
    direct = (draft for draft in drafts if not draft.randomized)
    return (*pairs, *(device for draft in direct for device in family_of(draft).freeze(draft)))
