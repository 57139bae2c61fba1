"""The part of tiers for authors: what they are told before launch, and what a launch freezes."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from surveys.authoring.checks.epsilon import Finding
from surveys.drafts import Draft
from surveys.engine_words import EngineError, refusal, refusal_words
from surveys.exceptions import NotReadyError
from surveys.features.parts import AuthorPart
from surveys.features.tiers.figures import chain_of, tiered_devices
from surveys.features.tiers.reading import tier_problems, tiers_of
from surveys.features.tiers.section import NAME, Tier
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

    def findings(self, survey: Survey, questions: Sequence[Question]) -> Iterator[Finding]:
        frozen = tiers_of(survey)
        if not frozen:
            return
        for message in tier_problems(frozen):
            yield Finding("bad_tiers", message, blocks=True)
        if survey.researchers.exists():
            message = _(
                "The survey has tiers and researchers beside them. Name these people as readers of "
                "a tier, and take them off the researchers."
            )
            yield Finding("researchers_beside_tiers", message, blocks=True)
        direct = [question.name for question in questions if not question.randomized]
        if direct:
            message = _(
                "Every tier reads the answers to %(names)s as they are: nothing scrambles them."
            )
            yield Finding("tiers_direct", message % {"names": ", ".join(direct)}, blocks=False)
        if not [*tier_problems(frozen)]:
            for question in questions:
                if question.randomized:
                    yield from _chain(question, frozen)

    def panel_text(self, draft: Draft, section: Any = None) -> str:
        return tier_words(draft, section or ())


def _chain(question: Question, frozen: tuple[Tier, ...]) -> Iterator[Finding]:
    """Whether its device can be made for every tier."""
    try:
        chain_of(Draft.of(question), frozen)
    except (EngineError, KeyError, ValueError) as error:
        words = [refusal_words(refusal(error))]
    except NotReadyError as error:
        words = error.problems
    else:
        return
    for text in words:
        message = _("%(name)s: It cannot be asked for several tiers. %(words)s")
        message %= {"name": question.name, "words": text}
        yield Finding("no_chain", message, True, question.name)
