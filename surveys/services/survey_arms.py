"""Arms of a draft, added and removed by one click each, or set question by question."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from surveys.authoring.direct_consent import with_sentence, without_sentence
from surveys.authoring.draft_arms import (
    QuestionArms,
    has_arms,
    left_out_words,
    obstacles,
    public_words,
    split_problem,
    usual_split,
)
from surveys.exceptions import UnfitDeclarationError, WrongStateError
from surveys.models import Question, Survey

# Of how many people in a hundred chance puts into an arm: the only one, or one of both.
SPLIT_ALONE, SPLIT_OF_BOTH, DIRECT_USUAL = 50, 35, 30
# At least as many stay with the page's own devices when an arm is added.
LEAST_OF_PAGE = 20
ARM_FIELDS = ("split_epsilon", "asked_directly")
SHARE_FIELDS = ("split_share", "direct_share")


@dataclass(frozen=True, slots=True)
class AddedArm:
    """What a click has done: the questions that have the arm now, and why others have not."""

    survey: Survey
    questions: tuple[Question, ...]
    left_out: Mapping[str, str]
    # Of how many people in a hundred a direct arm is.
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
        if question.split_epsilon is None:
            question.split_epsilon = usual_split(question.epsilon)
    has_direct = any(question.asked_directly for question in added.survey.questions.all())
    added.survey.split_share = SPLIT_OF_BOTH if has_direct else SPLIT_ALONE
    return _store(added, both=has_direct)


@transaction.atomic
def add_direct_arm(*, survey: Survey) -> AddedArm:
    """Ask some people every question that allows it directly.

    Raises UnfitDeclarationError where the survey, or each of its questions, allows no arms, and
    where its results are public.
    """
    added = choose_direct(survey=survey)
    for question in added.questions:
        question.asked_directly = True
    added.survey.direct_share = DIRECT_USUAL
    _say_in_consent(added.survey)
    split = added.survey.questions.filter(split_epsilon__isnull=False).exists()
    if split and added.survey.split_share == SPLIT_ALONE:
        added.survey.split_share = SPLIT_OF_BOTH
    return _store(added, both=split)


@transaction.atomic
def choose_direct(*, survey: Survey) -> AddedArm:
    """What `add_direct_arm` would do; nothing is stored.

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
    survey = _lock_draft(survey)
    return survey.questions.filter(split_epsilon__isnull=False).update(split_epsilon=None)


@transaction.atomic
def remove_direct_arm(*, survey: Survey) -> int:
    """How many questions some people were asked directly; nobody is asked so afterwards."""
    survey = _lock_draft(survey)
    if survey.split_share == SPLIT_OF_BOTH:
        survey.split_share = SPLIT_ALONE
    survey.consent = without_sentence(survey)
    survey.save(update_fields=["split_share", "consent"])
    return survey.questions.filter(asked_directly=True).update(asked_directly=False)


@transaction.atomic
def set_arms(
    *, survey: Survey, arms: Mapping[str, QuestionArms], split_share: int, direct_share: int
) -> None:
    """Take these arms by question, and these shares; questions that are not named have none.

    Raises UnfitDeclarationError with all that stands against them.
    """
    survey = _lock_draft(survey)
    questions = list(survey.questions.all())
    problems = []
    for question in questions:
        wanted = arms.get(question.name, QuestionArms())
        question.split_epsilon = wanted.split_epsilon
        question.asked_directly = wanted.asked_directly
        problems += [f"{question.name}: {words}" for words in _unfit(question)]
    if any(map(has_arms, questions)):
        problems += obstacles(survey, questions)
    if problems:
        raise UnfitDeclarationError(problems)
    survey.split_share, survey.direct_share = split_share, direct_share
    survey.save(update_fields=SHARE_FIELDS)
    Question.objects.bulk_update(questions, ARM_FIELDS)


def _unfit(question: Question) -> list[str]:
    if not has_arms(question):
        return []
    if words := left_out_words(question):
        return [words]
    epsilon = question.split_epsilon
    words = "" if epsilon is None else split_problem(question, epsilon)
    return [words] if words else []


def _choose_questions(survey: Survey, problem: Callable[[Question], str]) -> AddedArm:
    """The questions that take an arm, and what is to be said about the other sensitive ones."""
    survey = _lock_draft(survey)
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
    if both and survey.split_share + survey.direct_share > 100 - LEAST_OF_PAGE:
        survey.split_share, survey.direct_share = SPLIT_OF_BOTH, DIRECT_USUAL
    survey.save(update_fields=SHARE_FIELDS)
    Question.objects.bulk_update(added.questions, ARM_FIELDS)
    return added


def _say_in_consent(survey: Survey) -> None:
    """Add the sentence that a launch asks for; raises UnfitDeclarationError without room for it."""
    consent = with_sentence(survey)
    if len(consent) > (Survey._meta.get_field("consent").max_length or 0):
        message = _("The consent text is too long for the sentence about it. Shorten it first.")
        raise UnfitDeclarationError([message])
    survey.consent = consent
    survey.save(update_fields=["consent"])


def _lock_draft(survey: Survey) -> Survey:
    survey = Survey.objects.select_for_update().get(pk=survey.pk)
    if not survey.is_draft:
        raise WrongStateError(_("The survey is launched, so its arms can no longer change."))
    return survey
