"""What stands against analyses and weights in a survey, and what is wrong with margins."""

from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.authoring.analyses.declarations import answers_of, may_be_weighted
from surveys.authoring.analyses.problems import Problem, Questions
from surveys.authoring.features import obstacles_to
from surveys.features.analyses.section import NAME
from surveys.models import Survey
from surveys.parameters import Margin
from surveys.parameters.weighting import MOST_MARGINS


def problems_of_survey(survey: Survey) -> Iterator[Problem]:
    """Yield why a survey can have neither analyses nor weights."""
    yield from problems_of_linkage(survey)
    for message in obstacles_to(NAME, survey, list(survey.questions.all())):
        yield Problem("clash", "", message)


def problems_of_linkage(survey: Survey) -> Iterator[Problem]:
    """Yield that all answers of a person are needed together, where they are not kept so."""
    if survey.linkage == Survey.Linkage.APART:
        message = _(
            "Analyses and weights need the answers of one person kept together. Choose “%s” under "
            "“answers of one person”."
        )
        yield Problem("analyses_apart", "", message % Survey.Linkage.TOGETHER.label)


def problems_of_margins(margins: Sequence[Margin], questions: Questions) -> Iterator[Problem]:
    names = [margin.question for margin in margins]
    yield from problems_of_number(len(names))
    for name, count in Counter(names).items():
        if count > 1:
            yield Problem("margin_number", name, _("“%s” is there more than once.") % name)
    for margin in margins:
        yield from problems_of_margin(margin, questions)


def problems_of_number(margins: int) -> Iterator[Problem]:
    """Yield the problem that there are too many margins, if so."""
    if margins > MOST_MARGINS:
        message = _("There are margins of %(count)s questions; at most %(most)s are possible.")
        values = {"most": numbers.count(MOST_MARGINS), "count": numbers.count(margins)}
        yield Problem("margin_number", "", message % values)


def problems_of_margin(margin: Margin, questions: Questions) -> Iterator[Problem]:
    """Yield what is wrong with the shares of one question."""
    name = margin.question
    question = questions.get(name)
    if question is None:
        message = _("There is no question called “%(name)s”. There are: %(there)s.")
        values = {"name": name, "there": ", ".join(questions) or _("none")}
        yield Problem("margin_question", name, message % values)
        return
    if question.randomized:
        message = _(
            "The answers to “%s” are scrambled, and weights need answers that are known. Weight by "
            "questions that are not sensitive."
        )
        yield Problem("margin_scrambled", name, message % name)
    elif not may_be_weighted(question):
        message = _(
            "“%s” has no list of answers of which one is true. Weight by yes or no, single choice, "
            "a scale, or a number in bins."
        )
        yield Problem("margin_question", name, message % name)
    else:
        yield from _of_shares(margin, len(answers_of(question)))


def _of_shares(margin: Margin, answers: int) -> Iterator[Problem]:
    name, shares = margin.question, [Decimal(share) for share in margin.shares]
    if len(shares) != answers:
        message = _("“%(name)s” has %(answers)s answers, and there are %(count)s shares.")
        counts = {"answers": numbers.count(answers), "count": numbers.count(len(shares))}
        yield Problem("margin_answers", name, message % {"name": name, **counts})
    elif sum(shares) != 1:
        message = _("The shares of “%(name)s” add up to %(sum)s, and not to %(whole)s.")
        total = numbers.with_percent_sign(numbers.decimal(100 * sum(shares)))
        values = {"name": name, "sum": total, "whole": numbers.with_percent_sign("100")}
        yield Problem("margin_sum", name, message % values)
    elif sum(share > 0 for share in shares) < 2:
        message = _("Of “%s” two answers need a share above 0, or there is nothing to weight by.")
        yield Problem("margin_nothing", name, message % name)
