"""The features of a draft: which it uses, which go together, and which it has to lose."""

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import combinations

from django.utils.translation import gettext as _

from surveys.devices import question_epsilon_total
from surveys.features import FEATURES, Feature, Trait
from surveys.features.parts import Run, Selection
from surveys.models import Question, Survey


def refit(question: Question) -> list[str]:
    """Take away what the question can no longer have; return the warnings of its features."""
    return [words for each in FEATURES.values() if (words := each.author.refit(question))]


def used_in_draft(survey: Survey, questions: Sequence[Question]) -> list[Feature]:
    return [each for each in FEATURES.values() if each.is_used_in_draft(survey, questions)]


def has_trait(survey: Survey, questions: Sequence[Question], trait: Trait) -> bool:
    """Whether a draft has a trait because of a feature that it uses."""
    return any(trait in feature.traits for feature in used_in_draft(survey, questions))


def selection_of(survey: Survey) -> Selection | None:
    """Return the part of its questions that one person is asked; None where it is all of them."""
    selections = (feature.author.selection(survey) for feature in FEATURES.values())
    return next(filter(None, selections), None)


def runs_of(questions: Sequence[Question]) -> Sequence[Run]:
    """Return the questions of a draft in the parts in which they are asked, or all in one."""
    runs = (feature.author.runs(questions) for feature in FEATURES.values())
    return next(filter(None, runs), [Run(questions)])


def epsilon_of_person(survey: Survey, questions: Iterable[Question]) -> Decimal:
    """Return what the questions of a draft that one person is asked spend as typed, at worst."""
    selection = selection_of(survey)
    return question_epsilon_total(questions, most=selection and selection.most)


def feature_notices(questions: Sequence[Question], one: Question) -> list[str]:
    """Return what stands against the features of one of these questions, which are all."""
    place = [question.pk for question in questions].index(one.pk)
    problems = (each for x in FEATURES.values() for each in x.desk.question_problems(questions))
    return [words for index, _field, words in problems if index == place]


def clashes(survey: Survey, questions: Sequence[Question]) -> Iterator[str]:
    """Yield why two of the features that a draft uses do not go together."""
    for one, other in combinations(used_in_draft(survey, questions), 2):
        if words := clash_words(one, other, questions):
            yield words


def obstacles_to(name: str, survey: Survey, questions: Sequence[Question]) -> Iterator[str]:
    """Yield why a draft cannot have a feature beside those that it uses."""
    for other in used_in_draft(survey, questions):
        if words := clash_words(FEATURES[name], other, questions):
            yield words


def clash_words(one: Feature, other: Feature, questions: Sequence[Question] = ()) -> str:
    """Return why no survey has both, and what an author can do; empty where one can.

    Features that clash in some questions only are refused by a rule of their own. Of `questions`
    those are named that use one of the two.
    """
    clash = one.clash_with(other)
    if clash is None or clash.within:
        return ""
    message = _(
        "%(one)s and %(other)s do not go together: %(reason)s. Either %(removal)s, or "
        "%(other_removal)s."
    )
    return message % {
        "one": _with_names(one, questions),
        "other": _with_names(other, questions),
        "reason": _(clash.reason),
        "removal": one.removal,
        "other_removal": other.removal,
    }


def _with_names(feature: Feature, questions: Sequence[Question]) -> str:
    """Return how a feature is called, with the questions that use it."""
    label = _("“%s”") % feature.label
    names = [question.name for question in questions if feature.author.is_used_by(question)]
    return f"{label} ({', '.join(names)})" if names else label
