"""The filters of a document, and what must hold of them; docs/protocol.md, section 22.

Whether a question is for somebody follows from their real answers to earlier ones. Their browser
finds out, in its memory. Of a scrambled question whoever it is not for reports “does not apply”,
one more answer of its device, so that nothing that is sent says whom it was for.
static/js/features/filters/rules.js has the twin of the rules.
"""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Annotated, Any, Final

import msgspec

from surveys.features.feature import FEATURES, asked_together
from surveys.features.parts import DocumentPart
from surveys.parameters.document import BOXES, NUMBER, Parameters, Question
from surveys.parameters.joint import LISTED, is_joint
from surveys.parameters.scale import Scale
from surveys.parameters.types import Entry, Frozen, Problem, QuestionName, SignedDecimal

NAME: Final = "filters"
MOST_COMPARISONS = 10
BAD: Final = "bad_filter"


class Comparison(Frozen, frozen=True):
    """A comparison of the real answer to an earlier question, which is true of some people.

    `answers`: true of whoever gives one of these; of a number there are none, and it is true of
    numbers `above` and `below` these. `negated`: true of whoever it would not be true of, and who
    answers the question.
    """

    question: QuestionName
    answers: tuple[Entry, ...]
    above: SignedDecimal | None
    below: SignedDecimal | None
    negated: bool


# Some lists, all comparisons of one of which have to be true.
Alternatives = Annotated[
    tuple[Annotated[tuple[Comparison, ...], msgspec.Meta(min_length=1)], ...],
    msgspec.Meta(min_length=1),
]


class Filter(Frozen, frozen=True):
    """`question`: the one that is for some people only. `unasked`: whether nothing is reported of
    others; this is so where everybody may know who they are, because all that is compared is sent
    as it is.
    """

    question: QuestionName
    any: Alternatives
    unasked: bool

    @property
    def comparisons(self) -> Iterator[Comparison]:
        for alternative in self.any:
            yield from alternative

    def holds(self, answers: Mapping[str, Any]) -> bool:
        """Whether the question is for somebody with these true answers, by question.

        An answer is a category, a set of those of boxes, or a number; what is left out is true of
        no comparison.
        """
        return any(all(_is_true(each, answers) for each in every) for every in self.any)

    def left(self, known: Mapping[str, Any]) -> "Alternatives":
        """Return what is still to find out of somebody of whom some true answers are known.

        An alternative without comparisons is true; without alternatives the question is not for
        them.
        """
        return tuple(
            tuple(each for each in every if each.question not in known)
            for every in self.any
            if all(_is_true(each, known) for each in every if each.question in known)
        )


def _is_true(comparison: Comparison, answers: Mapping[str, Any]) -> bool:
    given = answers.get(comparison.question)
    if given is None:
        return False
    if isinstance(given, Decimal):
        found = _is_between(comparison, given)
    else:
        chosen = given if isinstance(given, (set, frozenset)) else {given}
        found = not chosen.isdisjoint(comparison.answers)
    return found != comparison.negated


def filters_of(parameters: Parameters) -> tuple[Filter, ...]:
    """Return the filters of a document, in the order of their questions; none where all is asked
    of everybody.
    """
    return parameters.section(NAME) or ()


def filter_of(parameters: Parameters, question: str) -> Filter | None:
    return next((each for each in filters_of(parameters) if each.question == question), None)


class FiltersInDocument(DocumentPart):
    optional_sections = {NAME: Annotated[tuple[Filter, ...], msgspec.Meta(min_length=1)]}

    def problems(self, parameters: Parameters) -> Iterator[Problem]:
        filters = filters_of(parameters)
        places = {question.id: place for place, question in enumerate(parameters.questions)}
        for index, each in enumerate(filters):
            field = f"{NAME}.{index}"
            if each.question not in places:
                yield "unknown_question", f"{field}.question", "a question of the survey"
            else:
                yield from _of_filter(each, parameters, places, field)
        known = [places[each.question] for each in filters if each.question in places]
        if any(later <= earlier for earlier, later in pairwise(known)):
            yield BAD, NAME, "one filter of a question, in the order of the questions"
        for names in asked_together(parameters):
            found = (filter_of(parameters, name) for name in names)
            if len({each and (each.any, each.unasked) for each in found}) > 1:
                yield BAD, NAME, "the same filter of all questions that stand on one page"
        reporting = {each.question for each in filters if not each.unasked}
        for index, question in enumerate(parameters.questions):
            if bool(question.not_applicable) != (question.id in reporting):
                rule = "there where a filter lets people report that the question does not apply"
                yield BAD, f"questions.{index}.not_applicable", rule

    def leaves_out(self, parameters: Parameters, question: str) -> bool:
        each = filter_of(parameters, question)
        return each is not None and each.unasked


def _of_filter(
    each: Filter, parameters: Parameters, places: Mapping[str, int], field: str
) -> Iterator[Problem]:
    question = parameters.question(each.question)
    if _is_sent_together(question, parameters):
        yield BAD, f"{field}.question", "a question that is sent on its own"
    if sum(1 for _ in each.comparisons) > MOST_COMPARISONS:
        yield BAD, f"{field}.any", f"{MOST_COMPARISONS} comparisons at most"
    sources = list(_sources(each, parameters, places))
    if any(
        _may_come_first(parameters, each.question, source.id) for _comparison, source in sources
    ):
        yield BAD, f"{field}.any", "comparisons with questions that are always asked before"
    if len(sources) < sum(1 for _ in each.comparisons):
        yield BAD, f"{field}.any", "comparisons with earlier questions"
    for comparison, source in sources:
        if _is_sent_together(source, parameters) or not _fits(comparison, source):
            rule = "some of the answers to a question, or bounds of a number"
            yield BAD, f"{field}.any", rule
    known = not any(source.randomized for _comparison, source in sources)
    if each.unasked and not known:
        yield BAD, f"{field}.unasked", "only where all that is compared is sent as it is"
    elif each.unasked and any(
        source.scale and bins_within(comparison, source.scale) is None
        for comparison, source in sources
    ):
        yield BAD, f"{field}.any", "bounds between the bins of a number that is sent as it is"
    if not each.unasked:
        yield from _of_reporting(question, parameters, field)


def _of_reporting(question: Question, parameters: Parameters, field: str) -> Iterator[Problem]:
    if not takes_not_applicable(question):
        rule = "a scrambled question of which one listed answer is true"
        yield BAD, f"{field}.question", rule
    elif any(device.direct for device in parameters.devices_of(question)):
        yield BAD, f"{field}.question", "a question that nobody is asked directly"
    elif not question.required:
        # Only those whom it is for would leave it out.
        yield BAD, f"{field}.question", "a question that nobody leaves out"


def takes_not_applicable(question: Question) -> bool:
    """Whether “does not apply” can be one of the answers to a question."""
    in_bins = question.control == NUMBER and question.whole_scale is None
    return question.randomized and (question.control in LISTED or in_bins)


def _sources(
    each: Filter, parameters: Parameters, places: Mapping[str, int]
) -> Iterator[tuple[Comparison, Question]]:
    """The comparisons with earlier questions, each with its question."""
    for comparison in each.comparisons:
        place = places.get(comparison.question)
        if place is not None and place < places[each.question]:
            yield comparison, parameters.questions[place]


def bins_within(comparison: Comparison, scale: Scale) -> frozenset[int] | None:
    """Return the bins of whose numbers a comparison is true, before it is negated.

    None where it divides a bin: then it tells more of a number than its bin.
    """
    found = set[int]()
    for index, (first, after) in enumerate(pairwise((*scale.bins, scale.steps + 1))):
        inside = {_is_between(comparison, scale.value(step)) for step in range(first, after)}
        if len(inside) > 1:
            return None
        if inside == {True}:
            found.add(index)
    return frozenset(found)


def _is_between(comparison: Comparison, number: Decimal) -> bool:
    above = comparison.above is None or number > Decimal(comparison.above)
    return above and (comparison.below is None or number < Decimal(comparison.below))


def _may_come_first(parameters: Parameters, later: str, earlier: str) -> bool:
    return any(
        feature.document.may_come_first(parameters, later, earlier) for feature in FEATURES.values()
    )


def _is_sent_together(question: Question, parameters: Parameters) -> bool:
    return any(is_joint(device) for device in parameters.devices_of(question))


def _fits(comparison: Comparison, source: Question) -> bool:
    bounds = [Decimal(each) for each in (comparison.above, comparison.below) if each is not None]
    if source.control == NUMBER:
        rising = len(bounds) < 2 or bounds[0] < bounds[1]
        return bool(bounds) and rising and not comparison.answers
    listed = source.control in LISTED or source.control == BOXES
    return listed and not bounds and _are_places(comparison.answers, len(source.categories))


def _are_places(answers: Sequence[int], count: int) -> bool:
    rising = all(first < second for first, second in pairwise(answers))
    return bool(answers) and rising and answers[-1] < count
