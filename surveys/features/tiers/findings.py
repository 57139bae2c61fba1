"""Launch checks of a survey whose readers see different versions of the answers."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from surveys.authoring.checks.epsilon import Finding
from surveys.drafts import Draft
from surveys.engine_words import EngineError, refusal, refusal_words
from surveys.exceptions import NotReadyError
from surveys.features.tiers.figures import chain_of
from surveys.features.tiers.reading import tier_problems, tiers_of
from surveys.features.tiers.section import Tier
from surveys.models import Question, Survey


def findings_of_tiers(survey: Survey, questions: Sequence[Question]) -> Iterator[Finding]:
    frozen = tiers_of(survey)
    if not frozen:
        return
    for message in tier_problems(frozen):
        yield Finding("bad_tiers", message, blocks=True)
    if survey.researchers.exists():
        message = _(
            "The survey has tiers and researchers beside them. Name these people as readers of a "
            "tier, and take them off the researchers."
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
