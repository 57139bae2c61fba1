"""Arms of a draft, added and removed by one click each, or set question by question."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from msgspec.structs import replace

from surveys.exceptions import UnfitDeclarationError
from surveys.features.arms.allowed import (
    asked_directly,
    has_arms,
    left_out_words,
    obstacles,
    public_words,
    split_problem,
    usual_split,
)
from surveys.features.arms.settings import (
    ArmShares,
    QuestionArms,
    arms_of_question,
    set_arms_of_question,
    set_shares,
    shares_of_survey,
)
from surveys.features.arms.words import with_sentence, without_sentence
from surveys.models import Question, Survey
from surveys.parameters import EVERYBODY
from surveys.services.transitions import lock_draft

# The number of people in a hundred whom chance puts into an arm: the only one, or one of both.
SPLIT_ALONE, SPLIT_OF_BOTH, DIRECT_USUAL = 50, 35, 30
# At least as many stay with the page's own devices when an arm is added.
LEAST_OF_PAGE = 20


@dataclass(frozen=True, slots=True)
class AddedArm:
    """The result of a click: the questions that have the arm now, and why others have not."""

    survey: Survey
    questions: tuple[Question, ...]
    left_out: Mapping[str, str]
    # The number of people in a hundred who are in a direct arm.
    share: int = DIRECT_USUAL


@transaction.atomic
def add_split_sample(*, survey: Survey) -> AddedArm:
    """Ask some people every question that allows it with half of its epsilon.

    Raises UnfitDeclarationError where the survey, or each of its questions, allows no arms.
    """

    def problem(question: Question) -> str:
        return split_problem(question, usual_split(question.epsilon))

    added = _choose_questions(survey, problem)
    for question in added.questions:
        arms = arms_of_question(question)
        if arms.split_epsilon is None:
            _set(question, split_epsilon=usual_split(question.epsilon))
    has_direct = any(map(asked_directly, added.survey.questions.all()))
    _share(added.survey, split=SPLIT_OF_BOTH if has_direct else SPLIT_ALONE)
    return _store(added, both=has_direct)


@transaction.atomic
def add_direct_arm(*, survey: Survey) -> AddedArm:
    """Ask some people every question that allows it directly.

    Raises UnfitDeclarationError where the survey, or each of its questions, allows no arms, and
    where its results are public.
    """
    added = choose_direct(survey=survey)
    for question in added.questions:
        _set(question, asked_directly=True)
    _share(added.survey, direct=DIRECT_USUAL)
    _say_in_consent(added.survey)
    stored = map(arms_of_question, added.survey.questions.all())
    split = any(arms.split_epsilon is not None for arms in stored)
    if split and shares_of_survey(added.survey).split == SPLIT_ALONE:
        _share(added.survey, split=SPLIT_OF_BOTH)
    return _store(added, both=split)


@transaction.atomic
def choose_direct(*, survey: Survey) -> AddedArm:
    """Return what `add_direct_arm` would do; nothing is stored.

    Raises UnfitDeclarationError where the survey, or each of its questions, allows no arms, and
    where its results are public.
    """
    chosen = _choose_questions(survey, lambda _question: "")
    if chosen.survey.results_public:
        raise UnfitDeclarationError([public_words()])
    return chosen


@transaction.atomic
def remove_split_sample(*, survey: Survey) -> int:
    """How many questions had a split sample; none has it afterwards."""
    return _take_away(_locked(survey), split_epsilon=None)


@transaction.atomic
def remove_direct_arm(*, survey: Survey) -> int:
    """How many questions some people were asked directly; nobody is asked so afterwards."""
    survey = _locked(survey)
    if shares_of_survey(survey).split == SPLIT_OF_BOTH:
        _share(survey, split=SPLIT_ALONE)
    survey.consent = without_sentence(survey)
    survey.save(update_fields=["features", "consent"])
    return _take_away(survey, asked_directly=False)


@transaction.atomic
def set_arms(*, survey: Survey, arms: Mapping[str, QuestionArms], shares: ArmShares) -> None:
    """Take these arms by question, and these shares; questions that are not named have none.

    Raises UnfitDeclarationError with all that stands against them.
    """
    survey = _locked(survey)
    questions = list(survey.questions.all())
    problems = []
    for question in questions:
        set_arms_of_question(question, arms.get(question.name, QuestionArms()))
        problems += [f"{question.name}: {words}" for words in _unfit(question)]
    if any(map(has_arms, questions)):
        problems += obstacles(survey, questions)
    if problems:
        raise UnfitDeclarationError(problems)
    set_shares(survey, shares)
    survey.save(update_fields=["features"])
    Question.objects.bulk_update(questions, ["features"])


def _unfit(question: Question) -> list[str]:
    if not has_arms(question):
        return []
    if words := left_out_words(question):
        return [words]
    epsilon = arms_of_question(question).split_epsilon
    words = "" if epsilon is None else split_problem(question, epsilon)
    return [words] if words else []


def _choose_questions(survey: Survey, problem: Callable[[Question], str]) -> AddedArm:
    """The questions that take an arm, and what is to be said about the other sensitive ones."""
    survey = _locked(survey)
    questions = list(survey.questions.all())
    problems = list(obstacles(survey, questions))
    if problems:
        raise UnfitDeclarationError(problems)
    sensitive = [question for question in questions if question.randomized]
    reasons = {each.name: left_out_words(each) or problem(each) for each in sensitive}
    left_out = {name: words for name, words in reasons.items() if words}
    taken = tuple(question for question in sensitive if not reasons[question.name])
    if not taken:
        raise UnfitDeclarationError([_none_words(left_out)])
    return AddedArm(survey, taken, left_out)


def _none_words(left_out: Mapping[str, str]) -> str:
    message = _(
        "No question can have arms: they are for sensitive questions of yes or no, single choice "
        "or a scale."
    )
    return f"{message} {left_out_list(left_out)}".strip()


def left_out_list(left_out: Mapping[str, str]) -> str:
    """The questions that were left out with the reasons, as a sentence; empty without any."""
    if not left_out:
        return ""
    parts = "; ".join(f"{name} ({reason})" for name, reason in left_out.items())
    return _("Left out: %s.") % parts


def _store(added: AddedArm, *, both: bool) -> AddedArm:
    survey = added.survey
    shares = shares_of_survey(survey)
    if both and shares.split + shares.direct > EVERYBODY - LEAST_OF_PAGE:
        set_shares(survey, ArmShares(SPLIT_OF_BOTH, DIRECT_USUAL))
    survey.save(update_fields=["features"])
    Question.objects.bulk_update(added.questions, ["features"])
    return added


def _set(question: Question, **changes: Any) -> None:
    set_arms_of_question(question, replace(arms_of_question(question), **changes))


def _share(survey: Survey, **changes: int) -> None:
    set_shares(survey, replace(shares_of_survey(survey), **changes))


def _take_away(survey: Survey, **changes: Any) -> int:
    """Change the arms of a draft's questions; return how many questions that changes."""
    changed = []
    for question in survey.questions.all():
        before = question.features
        _set(question, **changes)
        if question.features != before:
            changed.append(question)
    Question.objects.bulk_update(changed, ["features"])
    return len(changed)


def _say_in_consent(survey: Survey) -> None:
    """Add the sentence that a launch asks for; raises UnfitDeclarationError without room for it."""
    consent = with_sentence(survey)
    if len(consent) > (Survey._meta.get_field("consent").max_length or 0):
        message = _("The consent text is too long for the sentence about it. Shorten it first.")
        raise UnfitDeclarationError([message])
    survey.consent = consent
    survey.save(update_fields=["consent"])


def _locked(survey: Survey) -> Survey:
    return lock_draft(survey, _("The survey is launched, so its arms can no longer change."))
