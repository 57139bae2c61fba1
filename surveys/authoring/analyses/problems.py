"""The problems of an analysis or of margins, as an author reads them.

The form reports those of what is typed, and lint those of what is stored, against the questions as
they are now. surveys/features/analyses/section.py has the same rules for what is frozen.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.author_texts import reader_key
from surveys.authoring.analyses.declarations import (
    answers_of,
    has_list,
    may_be_analysed,
    takes_scores,
)
from surveys.authoring.analyses.devices import LINKS_WITH_SCRAMBLED, allows_event
from surveys.authoring.limits import shares_draw
from surveys.devices.registry import sends_codes
from surveys.models import Question
from surveys.parameters import Analysis
from surveys.parameters.analyses import MOST_ANALYSES, MOST_PREDICTORS

Questions = Mapping[str, Question]


class Problem(NamedTuple):
    """One problem; `field` is that of the form."""

    code: str
    field: str
    message: str


def problems_of_names(names: Sequence[str]) -> Iterator[Problem]:
    """Yield what is wrong with the names of all analyses together."""
    alike = Counter(map(reader_key, names))
    for name in {reader_key(name): name for name in names}.values():
        if alike[reader_key(name)] > 1:
            message = _("Another analysis is called “%s” already.")
            yield Problem("same_analysis", "name", message % name)
    if len(names) > MOST_ANALYSES:
        message = _("A survey has %s analyses at most. Remove one first.")
        yield Problem("many_analyses", "", message % numbers.count(MOST_ANALYSES))


def problems_of(analysis: Analysis, questions: Questions, *, weights: bool) -> Iterator[Problem]:
    """Yield what is wrong with an analysis of these questions.

    `weights`: whether there are margins.
    """
    yield from _unfit(analysis.outcome, "outcome", questions)
    outcome = questions.get(analysis.outcome)
    if outcome is not None and may_be_analysed(outcome):
        yield from _of_event(analysis, outcome)
    yield from _of_predictors(analysis, questions)
    yield from _sent_together(analysis, questions)
    yield from _of_scrambled(analysis, questions)
    if analysis.weighted and not weights:
        message = _("There are no margins to weight to.")
        yield Problem("analysis_weights", "weighted", message)


def _unfit(name: str, field: str, questions: Questions) -> Iterator[Problem]:
    question = questions.get(name)
    if question is None:
        message = _(
            "There is no question called “%(name)s”. If it was renamed or removed, remove this and "
            "declare it again. There are: %(there)s."
        )
        values = {"name": name, "there": ", ".join(questions) or _("none")}
        yield Problem("analysis_question", field, message % values)
    elif not has_list(question):
        message = _(
            "“%s” has no list of answers of which one is true. An analysis takes yes or no, single "
            "choice, a scale, or a number in bins."
        )
        yield Problem("analysis_kind", field, message % name)
    elif not sends_codes(question):
        message = _("The device of “%s” sends no codes, which an analysis needs. Choose another.")
        yield Problem("analysis_kind", field, message % name)


def _of_event(analysis: Analysis, outcome: Question) -> Iterator[Problem]:
    codes, size = analysis.event, len(answers_of(outcome))
    if not codes and size < 3:
        message = _("“%s” has two answers: choose which of them counts.")
        yield Problem("analysis_event", "event", message % outcome.name)
    elif not codes and analysis.link != "logit":
        message = _("To tell all answers apart, the model has to be logistic.")
        yield Problem("analysis_link", "link", message)
    elif any(second <= first for first, second in pairwise(codes)) or any(
        code >= size for code in codes
    ):
        message = _("What counts is no answer of “%s”.")
        yield Problem("analysis_event", "event", message % outcome.name)
    elif len(codes) == size:
        message = _("All answers of “%s” count, so there is nothing to compare with. Leave one.")
        yield Problem("analysis_event", "event", message % outcome.name)


def _of_predictors(analysis: Analysis, questions: Questions) -> Iterator[Problem]:
    names = [predictor.question for predictor in analysis.predictors]
    if not 1 <= len(names) <= MOST_PREDICTORS:
        message = _("Choose 1 to %(most)s questions that may explain the answer, not %(count)s.")
        values = {"most": numbers.count(MOST_PREDICTORS), "count": numbers.count(len(names))}
        yield Problem("analysis_predictors", "predictors", message % values)
    for name, count in Counter((analysis.outcome, *names)).items():
        if count > 1:
            message = _("“%s” is there more than once.")
            yield Problem("analysis_predictors", "predictors", message % name)
    for predictor in analysis.predictors:
        yield from _unfit(predictor.question, "predictors", questions)
        question = questions.get(predictor.question)
        if question is None or not predictor.scored or not may_be_analysed(question):
            continue
        if not takes_scores(question):
            message = _(
                "“%s” cannot count as a number: its answers have no order, or it can be refused."
            )
            yield Problem("analysis_scores", "predictors", message % question.name)


def _sent_together(analysis: Analysis, questions: Questions) -> Iterator[Problem]:
    used = [questions[name] for name in dict.fromkeys(analysis.questions) if name in questions]
    joint = [question for question in used if shares_draw(question)]
    for first, second in combinations(joint, 2):
        if first.group == second.group:
            message = _(
                "“%(first)s” and “%(second)s” are sent together, by one draw. Their results are "
                "those of their group; an analysis can have only one of them."
            )
            values = {"first": first.name, "second": second.name}
            yield Problem("analysis_group", "predictors", message % values)


def _of_scrambled(analysis: Analysis, questions: Questions) -> Iterator[Problem]:
    """Yield problems of scrambled predictors, which could be frozen and not be fitted."""
    scrambled = [
        predictor.question
        for predictor in analysis.predictors
        if (question := questions.get(predictor.question)) is not None and question.randomized
    ]
    if scrambled and (not analysis.event or analysis.link not in LINKS_WITH_SCRAMBLED):
        message = _(
            "Where a scrambled answer explains (here %s), the model has to be logistic or probit, "
            "of some answers that count."
        )
        words = ", ".join(_("“%s”") % name for name in scrambled)
        yield Problem("analysis_scrambled", "link", message % words)
    outcome = questions.get(analysis.outcome)
    if outcome is None or not outcome.randomized or not may_be_analysed(outcome):
        return
    size = len(answers_of(outcome))
    is_event = 0 < len(analysis.event) < size and max(analysis.event) < size
    if size > 2 and is_event and not allows_event(outcome, analysis.event):
        message = _(
            "The device of “%s” scrambles its answers in different ways, so that they cannot be "
            "put together. Explain each answer on its own, or choose another device."
        )
        yield Problem("analysis_device", "event", message % outcome.name)


# --- margins -------------------------------------------------------------------------------------
