"""What a survey whose readers see different versions of the answers needs before its launch."""

from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.authoring.checks.epsilon import Finding
from surveys.authoring.draft_parameters import tiers_of
from surveys.authoring.tiering import chain_of
from surveys.drafts import Draft
from surveys.engine_words import EngineError, refusal, refusal_words
from surveys.exceptions import NotReadyError
from surveys.models import Question, Survey
from surveys.parameters import Tier
from surveys.parameters.tiers import LEAST_TIERS, MOST_TIERS


def tiers(survey: Survey, questions: list[Question]) -> Iterator[Finding]:
    frozen = tiers_of(survey)
    if not frozen:
        return
    for message in tier_problems(frozen):
        yield Finding("bad_tiers", message, blocks=True)
    if survey.mode != Survey.Mode.OPEN:
        message = _(
            "Tiers are for surveys with an open link: under a return code every answer has one "
            "version. Choose “%s”, or remove the tiers."
        )
        yield Finding("tiers_codes", message % Survey.Mode.OPEN.label, blocks=True)
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


def tier_problems(frozen: tuple[Tier, ...]) -> Iterator[str]:
    """What is wrong with the tiers of a draft, in words."""
    if not LEAST_TIERS <= len(frozen) <= MOST_TIERS:
        message = _("A survey has %(least)s to %(most)s tiers, or none.")
        yield message % {"least": LEAST_TIERS, "most": MOST_TIERS}
    if len({tier.name.casefold() for tier in frozen}) < len(frozen):
        yield _("Two tiers have the same name.")
    for first, second in pairwise(frozen):
        if Decimal(second.share) <= Decimal(first.share):
            message = _(
                "The share of “%(second)s” must be above that of “%(first)s”: the lowest tier "
                "comes first."
            )
            yield message % {"first": first.name, "second": second.name}
    if frozen and frozen[-1].share != "1":
        message = _("The share of the highest tier is 1; that of “%(name)s” is %(share)s.")
        share = numbers.decimal(Decimal(frozen[-1].share))
        yield message % {"name": frozen[-1].name, "share": share}


def _chain(question: Question, frozen: tuple[Tier, ...]) -> Iterator[Finding]:
    """Whether its device can be made for every tier."""
    if question.physical_device:
        message = _(
            "“%(name)s” offers a physical randomizer, which makes one report and not one for each "
            "tier. A survey with tiers must do without."
        )
        message %= {"name": question.name}
        yield Finding("tiers_physical", message, True, question.name)
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
