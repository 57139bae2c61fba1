"""The contents of the page of analyses, from a draft or from what a launch froze."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from math import exp, isfinite
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _

from surveys import features, numbers
from surveys.author_texts import one_line
from surveys.authoring.analyses.declarations import may_be_analysed, may_be_weighted
from surveys.authoring.analyses.problems import problems_of
from surveys.devices.joint_margin import join_questions
from surveys.features.analyses.declarations import (
    analyses_of,
    changed_margins,
    changed_outcomes,
    weighting_of,
)
from surveys.features.analyses.figures import Detectable, Of, detectable_effects, figures_of
from surveys.kinds import categories
from surveys.models import Question, Survey
from surveys.parameters import Analysis, Margin, Weighting
from surveys.results.regression.words import link_words, outcome_words, predictor_words

# The ratio of a larger logarithm is not shown, as nobody needs it.
HUGE = 100.0


def questions_of(survey: Survey) -> dict[str, Question]:
    """The questions of a survey by name, with what those of one draw know of each other."""
    questions = list(survey.questions.all())
    join_questions(questions)
    return {question.name: question for question in questions}


def labels_of(survey: Survey, question: Question) -> list[str]:
    """The answers as respondents read them."""
    with translation.override(survey.language):
        return categories(question)


def weighting_answers(survey: Survey, questions: Mapping[str, Question]) -> dict[str, list[str]]:
    """The answers of each question that respondents may be weighted by."""
    return {
        name: labels_of(survey, question)
        for name, question in questions.items()
        if may_be_weighted(question)
    }


def declared_in(survey: Survey) -> tuple[Sequence[Analysis], Weighting | None]:
    """Return the analyses and the weighting of a draft, or of what was launched."""
    launch = survey.current_launch()
    if launch is None:
        return analyses_of(survey), weighting_of(survey)
    return features.analyses_of(launch.parameters), features.weighting_of(launch.parameters)


def analysis_view(
    analysis: Analysis, survey: Survey, questions: Mapping[str, Question]
) -> dict[str, Any]:
    """One analysis in words, with its figures; or with what is wrong with it in a draft."""
    weights = declared_in(survey)[1] is not None
    problems = [each.message for each in problems_of(analysis, questions, weights=weights)]
    outcome = questions.get(analysis.outcome)
    listed = outcome is not None and may_be_analysed(outcome)
    labels = labels_of(survey, outcome) if outcome is not None and listed else []
    changed = analysis.name in changed_outcomes(survey, questions)
    figures = None if problems else figures_of(analysis, questions, survey.planned_n)
    worth = figures.worth if figures else None
    return {
        "name": analysis.name,
        "outcome": outcome_words(analysis, labels),
        "model": link_words(analysis),
        "predictors": predictor_words(analysis),
        "weighted": analysis.weighted,
        "problems": problems,
        "changed": changed,
        "coefficients": numbers.count(figures.coefficients) if figures else "",
        "worth": "" if worth is None else numbers.count(worth),
        "scrambled": bool(outcome and outcome.randomized),
        "effects": [] if problems else _effects(analysis, survey, questions),
    }


def _effects(analysis: Analysis, survey: Survey, questions: Mapping[str, Question]) -> list[str]:
    """The smallest effects that would probably be found, a line for each predictor."""
    weighting = declared_in(survey)[1]
    known = {each.question: each.shares for each in weighting.margins} if weighting else {}
    found = detectable_effects(analysis, questions, survey.planned_n, known)
    return [effect_words(each, analysis.link) for each in found]


def effect_words(effect: Detectable, link: str) -> str:
    """Odds ratios where the model has them, differences of shares of a straight line, else
    coefficients; as long as any would be found."""
    above, below = (_size_words(sizes, link) for sizes in (effect.above, effect.below))
    messages = {
        "identity": (
            _("%(name)s: differences above %(above)s or below %(below)s percentage points"),
            _("%(name)s: differences above %(above)s percentage points, and none below 0"),
            _("%(name)s: differences below %(below)s percentage points, and none above 0"),
        ),
        "logit": (
            _("%(name)s: odds ratios above %(above)s or below %(below)s"),
            _("%(name)s: odds ratios above %(above)s, and none below 1"),
            _("%(name)s: odds ratios below %(below)s, and none above 1"),
        ),
    }
    of_coefficients = (
        _("%(name)s: coefficients above %(above)s or below %(below)s"),
        _("%(name)s: coefficients above %(above)s, and none below 0"),
        _("%(name)s: coefficients below %(below)s, and none above 0"),
    )
    both, only_above, only_below = messages.get(link, of_coefficients)
    if above:
        message = both if below else only_above
    else:
        message = only_below if below else _("%(name)s: none, however large")
    return message % {"name": _effect_name(effect), "above": above, "below": below}


def _effect_name(effect: Detectable) -> str:
    """The predictor, and what its effect is of where a model tells all answers apart."""
    messages = {
        Of.EVENT: "%s",
        Of.PAIR: _("%s, of one answer against another"),
        Of.ANY: _("%s, of one answer against all others, by the test of the predictor"),
    }
    return messages[effect.of] % effect.predictor


def _size_words(sizes: tuple[float, float], link: str) -> str:
    """Return the sizes of the surest and of the least sure found category; empty without any."""
    found = [size for size in sizes if isfinite(size) and abs(size) < HUGE]
    shown = [numbers.three_digits(_shown_size(size, link)) for size in found]
    return numbers.from_to(shown[0], shown[-1]) if shown else ""


def _shown_size(size: float, link: str) -> float:
    """The odds ratio of a coefficient, or a difference of shares in percentage points."""
    if link == "logit":
        return exp(size)
    return 100 * size if link == "identity" else size


def margin_view(
    margin: Margin, survey: Survey, questions: Mapping[str, Question]
) -> dict[str, Any]:
    question = questions.get(margin.question)
    listed = question is not None and may_be_analysed(question)
    labels = labels_of(survey, question) if question is not None and listed else []
    shares = _percents(margin)
    return {
        "name": margin.question,
        "rows": list(zip(labels, shares, strict=False)) if len(labels) == len(shares) else [],
        "changed": not listed or margin.question in changed_margins(survey, questions),
    }


def frozen_lines(survey: Survey, questions: Sequence[Question]) -> tuple[list[str], list[str]]:
    """Return what is frozen of the analyses and of the margins of a draft, a line each."""
    with translation.override(survey.language):
        answers = {each.name: [*map(one_line, categories(each))] for each in questions}
    weighting = weighting_of(survey)
    # What fits the questions no longer is among the findings.
    return (
        [
            _analysis_line(each, answers[each.outcome])
            for each in analyses_of(survey)
            if each.outcome in answers
        ],
        [
            _margin_line(margin, answers[margin.question])
            for margin in (weighting.margins if weighting else ())
            if len(answers.get(margin.question, ())) == len(margin.shares)
        ],
    )


def _analysis_line(analysis: Analysis, answers: Sequence[str]) -> str:
    message = _("%(name)s (%(outcome)s; %(model)s; explained by %(predictors)s)")
    weighted = _("%(name)s (%(outcome)s; %(model)s; explained by %(predictors)s; weighted)")
    return (weighted if analysis.weighted else message) % {
        "name": analysis.name,
        "outcome": outcome_words(analysis, answers),
        "model": link_words(analysis),
        "predictors": ", ".join(predictor_words(analysis)),
    }


def _margin_line(margin: Margin, answers: Sequence[str]) -> str:
    shares = _percents(margin)
    pairs = zip(answers, shares, strict=True)
    return f"{margin.question}: {', '.join(f'{label} {share}' for label, share in pairs)}"


def _percents(margin: Margin) -> list[str]:
    """The shares with all their digits: they have to add up."""
    points = [numbers.decimal(100 * Decimal(share)) for share in margin.shares]
    return [numbers.with_percent_sign(text) for text in points]
