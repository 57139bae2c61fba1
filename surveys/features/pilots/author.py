"""The part of pilots for authors: what they are told before launch, and its devices."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import combinations
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from surveys import numbers
from surveys.authoring.checks.epsilon import Finding
from surveys.authoring.checks.strength_findings import respondents_read
from surveys.devices import family_of, question_epsilon_total
from surveys.devices.joint import freeze_joint, may_be_joint
from surveys.drafts import Draft
from surveys.features.parts import AuthorPart, Selection
from surveys.features.pilots.figures import pilot_words
from surveys.features.pilots.section import ASKED, LEAST_PAIRED, MOST_PAIRED, PAIR, pair_stratum
from surveys.features.pilots.settings import is_pilot
from surveys.kinds import KINDS, categories
from surveys.models import Question, Survey
from surveys.parameters import Device
from surveys.parameters.budget import QUESTION_LIMIT
from surveys.strength import QUESTION_WARNING, hundredths
from surveys.strength_words import question_words

# The sum of the cubes of the combinations of all pairs: about half a minute for the results.
MOST_WORK = 20_000_000_000


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

    def findings(self, survey: Survey, questions: Sequence[Question]) -> Iterator[Finding]:
        if not is_pilot(survey):
            return
        sensitive = [question for question in questions if question.randomized]
        yield from _number(sensitive)
        yield from _epsilons(sensitive)
        yield from _combinations(sensitive)
        if len({question.required for question in sensitive}) > 1:
            message = _(
                "A pair is sent as a whole or not at all: either all sensitive questions of a "
                "pilot are required, or none."
            )
            yield Finding("pilot_required", message, blocks=True)
        for question in sensitive:
            yield from _of_question(question)


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


def _number(sensitive: Sequence[Question]) -> Iterator[Finding]:
    if not LEAST_PAIRED <= len(sensitive) <= MOST_PAIRED:
        message = _(
            "A pilot has %(least)s to %(most)s sensitive questions; this one has %(count)s."
        )
        values = {
            "least": numbers.count(LEAST_PAIRED),
            "most": numbers.count(MOST_PAIRED),
            "count": numbers.count(len(sensitive)),
        }
        yield Finding("pilot_questions", message % values, blocks=True)


def _epsilons(sensitive: Sequence[Question]) -> Iterator[Finding]:
    """A report can reveal as much about one of its answers as about both."""
    largest = question_epsilon_total(sensitive, most=ASKED)
    limit = min(QUESTION_LIMIT, Decimal(settings.EPSILON_CAP))
    if largest > limit:
        message = _(
            "The two largest epsilons add up to %(sum)s, which is what one report of a pair could "
            "reveal about either answer; at most %(limit)s is allowed. Lower one of them."
        )
        values = {"sum": numbers.decimal(largest), "limit": numbers.decimal(limit)}
        yield Finding("pilot_epsilon", message % values, blocks=True)
    else:
        yield from _strength(largest)


def _strength(epsilon: Decimal) -> Iterator[Finding]:
    """A warning for the two questions with the largest epsilons, which add up to this one."""
    if epsilon >= QUESTION_WARNING:
        total = _("The two largest epsilons add up to %s.") % numbers.decimal(epsilon)
        words = f"{total} {question_words(hundredths(epsilon))} {respondents_read()}"
        yield Finding("weak_pair", words, blocks=False)


def _combinations(sensitive: Sequence[Question]) -> Iterator[Finding]:
    """The estimate of a pair takes a time like the cube of its combinations."""
    sizes = [
        len(categories(question))
        for question in sensitive
        if question.kind in KINDS and may_be_joint(Draft.of(question))
    ]
    pairs = [first * second for first, second in combinations(sizes, 2)]
    if sum(cells**3 for cells in pairs) > MOST_WORK:
        message = _(
            "Pairs of these questions have up to %(cells)s combinations of answers, too many to be "
            "estimated for %(pairs)s pairs. Merge answers, or ask fewer questions."
        )
        values = {"cells": numbers.count(max(pairs)), "pairs": numbers.count(len(pairs))}
        yield Finding("pilot_combinations", message % values, blocks=True)


def _of_question(question: Question) -> Iterator[Finding]:
    draft = Draft.of(question)
    if draft.kind in KINDS and not may_be_joint(draft):
        message = _(
            "In a pilot a sensitive question has one answer out of a list: yes or no, single "
            "choice, scale. Leave this one for the main survey."
        )
        yield Finding.of(question, "pilot_kind", message, blocks=True)
