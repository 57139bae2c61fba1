"""The quotas of a document, and what must hold of them; docs/protocol.md, section 28.

A quota is about people with certain direct answers. Whoever is in one that is full, or of which
nobody is wanted, is told before a scrambled question is asked; nothing is sent of them.
static/js/features/quotas/rules.js has the twin of the rules.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Annotated, Final

import msgspec

from surveys.features.feature import FEATURES
from surveys.features.parts import DocumentPart
from surveys.parameters.document import Parameters
from surveys.parameters.joint import LISTED
from surveys.parameters.types import Entry, Frozen, Problem, QuestionName

NAME: Final = "quotas"
BAD: Final = "bad_quota"
MOST_QUOTAS = 60
TOGETHER: Final = "together"


class Given(Frozen, frozen=True):
    """`answers`: those of a direct question by which people are in a quota, as categories."""

    question: QuestionName
    answers: Annotated[tuple[Entry, ...], msgspec.Meta(min_length=1)]


class Quota(Frozen, frozen=True):
    """`given`: the answers of the people whom it is about, to one question or two. `wanted`: how
    many responses of such people are wanted; 0 of people whom the survey is not for.
    """

    given: Annotated[tuple[Given, ...], msgspec.Meta(min_length=1, max_length=2)]
    wanted: Entry


Quotas = Annotated[tuple[Quota, ...], msgspec.Meta(min_length=1, max_length=MOST_QUOTAS)]


def quotas_of(parameters: Parameters) -> tuple[Quota, ...]:
    """Return the quotas of a document; none where it has none."""
    return parameters.section(NAME) or ()


class QuotasInDocument(DocumentPart):
    optional_sections = {NAME: Quotas}

    def crossed(self, parameters: Parameters) -> Sequence[tuple[str, str]]:
        pairs = (tuple(x.question for x in quota.given) for quota in quotas_of(parameters))
        return [*dict.fromkeys((pair[0], pair[1]) for pair in pairs if len(pair) > 1)]

    def problems(self, parameters: Parameters) -> Iterator[Problem]:
        quotas = quotas_of(parameters)
        places = {question.id: place for place, question in enumerate(parameters.questions)}
        for index, quota in enumerate(quotas):
            field = f"{NAME}.{index}"
            if any(x.question not in places for x in quota.given):
                yield "unknown_question", f"{field}.given", "questions of the survey"
                continue
            order = [places[x.question] for x in quota.given]
            if any(later <= earlier for earlier, later in pairwise(order)):
                yield BAD, f"{field}.given", "two questions, in the order of the survey"
            for given in quota.given:
                yield from _of_given(given, parameters, places, f"{field}.given")
            if 0 < quota.wanted < parameters.release_threshold:
                rule = "0, or at least the release threshold"
                yield BAD, f"{field}.wanted", rule
        if self.crossed(parameters) and parameters.linkage != TOGETHER:
            yield (
                "not_together",
                NAME,
                "quotas on two questions need the reports of a person together",
            )


def _of_given(
    given: Given, parameters: Parameters, places: Mapping[str, int], field: str
) -> Iterator[Problem]:
    question = parameters.question(given.question)
    rising = all(first < second for first, second in pairwise(given.answers))
    if not rising or given.answers[-1] >= len(question.categories):
        yield BAD, field, "some of the answers to a question"
    if question.randomized or not question.required or question.control not in LISTED:
        yield BAD, field, "a question with listed answers that everybody answers as it is"
    scrambled = [each.id for each in parameters.questions if each.randomized]
    if any(
        places[other] < places[question.id] or _may_come_first(parameters, other, question.id)
        for other in scrambled
    ):
        yield BAD, field, "questions that are always asked before the first scrambled one"


def _may_come_first(parameters: Parameters, later: str, earlier: str) -> bool:
    return any(
        feature.document.may_come_first(parameters, later, earlier) for feature in FEATURES.values()
    )
