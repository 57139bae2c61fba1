"""What a launch freezes of filters, and what stands against a launch."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from surveys.authoring.checks.epsilon import Finding
from surveys.devices.chance_strata import chance_strata
from surveys.drafts import Draft
from surveys.features.feature import FEATURES
from surveys.features.filters.draft import takes_not_applicable
from surveys.features.filters.reading import UnreadableFilterError, read_filter
from surveys.features.filters.section import NAME, Alternatives, Comparison, Filter
from surveys.features.filters.settings import filter_of_question
from surveys.features.filters.words import cost_words
from surveys.features.parts import AuthorPart
from surveys.kinds import kind_of
from surveys.models import Question, Survey
from surveys.parameters.document import MEMBERS


class FiltersForAuthors(AuthorPart):
    has_panel_text = True

    def is_used_by(self, question: Question) -> bool:
        return bool(filter_of_question(question).only_if)

    def freeze(self, survey: Survey, questions: Sequence[Question]) -> Mapping[str, Any]:
        filters = tuple(_readable(questions))
        return {NAME: filters} if filters else {}

    def rests_on(self, questions: Sequence[Question]) -> Mapping[str, frozenset[str]]:
        return {
            each.question: frozenset(comparison.question for comparison in each.comparisons)
            for each in _readable(questions)
        }

    def panel_text(self, draft: Draft, section: Any = None) -> str:
        return cost_words(draft)

    def stand_alone(self, question: Question, shown: Sequence[Question]) -> None:
        if question.name not in self.rests_on(shown):
            question.features = {name: of for name, of in question.features.items() if name != NAME}

    def leaves_out(self, question: Question) -> bool:
        return self.is_used_by(question) and is_unasked(question)

    def findings(self, survey: Survey, questions: Sequence[Question]) -> Iterator[Finding]:
        yield from filter_findings(questions)
        if survey.layout == Survey.Layout.ALL and any(map(self.is_used_by, questions)):
            message = _(
                "A survey with filters asks one question at a time: for whom a question is, is "
                "known once those before it are answered."
            )
            yield Finding("filters_one_by_one", message, blocks=False)


def _readable(questions: Sequence[Question]) -> Iterator[Filter]:
    """Yield the filters of these questions; of one that cannot be read a finding says so, and
    there is no launch.
    """
    for _place, question, alternatives in _read(questions):
        if not isinstance(alternatives, UnreadableFilterError):
            yield Filter(question=question.name, any=alternatives, unasked=is_unasked(question))


def _read(
    questions: Sequence[Question],
) -> Iterator[tuple[int, Question, Alternatives | UnreadableFilterError]]:
    """Yield the place, the question and what is compared, or why that cannot be read."""
    for place, question in enumerate(questions):
        only_if = filter_of_question(question).only_if
        if not only_if:
            continue
        try:
            yield place, question, read_filter(only_if, questions[:place])
        except UnreadableFilterError as error:
            yield place, question, error


def is_unasked(question: Question) -> bool:
    """Whether nothing is reported of those whom a question is not for."""
    return not question.randomized or filter_of_question(question).unasked


def filter_findings(questions: Sequence[Question]) -> Iterator[Finding]:
    """Yield what stands against the filters of these questions, which are all of a survey."""
    for place, question, alternatives in _read(questions):
        if isinstance(alternatives, UnreadableFilterError):
            yield Finding.of(question, "unreadable_filter", str(alternatives), blocks=True)
            continue
        earlier = {each.name: each for each in questions[:place]}
        yield from _of_filter(question, alternatives, earlier)
        names = {each.question for every in alternatives for each in every}
        moving = sorted(
            name
            for name in names
            if any(
                feature.author.may_come_first(questions, question, earlier[name])
                for feature in FEATURES.values()
            )
        )
        if moving:
            message = _(
                "Chance may ask this before “%s”, and then nobody knows for whom it is. Put both "
                "where chance does not change their order."
            )
            yield Finding.of(question, "filter_order", message % ", ".join(moving), blocks=True)


def _of_filter(
    question: Question,
    alternatives: Sequence[Sequence[Comparison]],
    earlier: Mapping[str, Question],
) -> Iterator[Finding]:
    compared = [earlier[each.question] for every in alternatives for each in every]
    scrambled = sorted({each.name for each in compared if each.randomized})
    if scrambled and not question.randomized:
        message = _(
            "This answer is sent as it is, so whoever answers it would give away what they "
            "answered to “%s”, which is scrambled. Scramble this question as well, or ask it of "
            "everybody."
        )
        yield Finding.of(question, "filter_leaks", message % ", ".join(scrambled), blocks=True)
    elif scrambled and filter_of_question(question).unasked:
        message = _(
            "Whoever is not asked would give away what they answered to “%s”, which is scrambled. "
            "Let them report that the question does not apply."
        )
        yield Finding.of(question, "filter_leaks", message % ", ".join(scrambled), blocks=True)
    if question.group is not None or any(each.group is not None for each in compared):
        message = _("Questions that are sent together have no filter, and none rests on them.")
        yield Finding.of(question, "filter_in_group", message, blocks=True)
    if any(stratum.directly for stratum in chance_strata(question)):
        message = _(
            "Whoever is asked this directly would tell whether it applies to them. Ask it of "
            "everybody, or of nobody directly."
        )
        yield Finding.of(question, "filter_direct", message, blocks=True)
    if not (is_unasked(question) or question.required):
        message = _(
            "Whoever leaves it out would tell that it is for them: others report that it does not "
            "apply. Make it required, and offer “prefer not to say”, which is scrambled."
        )
        yield Finding.of(question, "filter_optional", message, blocks=True)
    if not is_unasked(question) and not takes_not_applicable(question):
        message = _(
            "“Does not apply” can be one of the answers to a yes/no question, a choice, a scale, "
            "or a number with bins. Change the kind of the question, or ask it of everybody."
        )
        yield Finding.of(question, "filter_without_category", message, blocks=True)
    elif is_unasked(question) and kind_of(question).control == MEMBERS:
        message = _("A question about the members of a survey is asked of everybody.")
        yield Finding.of(question, "filter_without_category", message, blocks=True)
