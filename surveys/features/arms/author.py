"""The part of arms for authors: what they are told before launch, and what a launch freezes."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from surveys.authoring.checks.epsilon import Finding
from surveys.drafts import Draft
from surveys.features.arms.allowed import fit_arms, frozen_arms, has_arms
from surveys.features.arms.findings import findings_of_arms
from surveys.features.arms.section import NAME
from surveys.features.arms.words import arm_words
from surveys.features.parts import AuthorPart
from surveys.models import Question, Survey


class ArmsForAuthors(AuthorPart):
    has_panel_text = True

    def is_used_by(self, question: Question) -> bool:
        return has_arms(question)

    def freeze(self, survey: Survey, questions: Sequence[Question]) -> Mapping[str, Any]:
        return {NAME: frozen_arms(survey, questions)}

    def findings(self, survey: Survey, questions: Sequence[Question]) -> Iterator[Finding]:
        return findings_of_arms(survey, questions)

    def panel_text(self, draft: Draft, section: Any = None) -> str:
        return arm_words(draft)

    def refit(self, question: Question) -> str:
        if not fit_arms(question):
            return ""
        return _("What you changed changes their arms too; look at the page of arms: %s.")
