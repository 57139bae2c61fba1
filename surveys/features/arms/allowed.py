"""The questions of a draft that can have arms, and what stands against arms in a survey.

Services, forms and launch checks show these reasons to the author. The rules of a launched document
are in section.py.
"""

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal

from django.utils.translation import gettext as _
from msgspec.structs import replace

from surveys.authoring.features import obstacles_to
from surveys.authoring.limits import shares_draw
from surveys.devices import draft_channel
from surveys.devices.registry import sends_codes
from surveys.drafts import AskedQuestion, Draft
from surveys.engine_words import EngineError
from surveys.features.arms.draft import split_draft
from surveys.features.arms.section import DIRECTLY, NAME, SPLIT, Arm
from surveys.features.arms.settings import (
    ArmShares,
    QuestionArms,
    arms_of_question,
    set_arms_of_question,
    shares_of_survey,
)
from surveys.features.feature import FEATURES
from surveys.features.settings import WithFeatures
from surveys.kinds import KINDS
from surveys.models import Question, Survey
from surveys.parameters import EVERYBODY, PAGE
from surveys.parameters.joint import LISTED

# The least epsilon of a split sample: below it, reports say next to nothing.
LEAST_SPLIT = Decimal("0.05")
# The last decimal place of Question.split_epsilon.
STEP = Decimal("0.0001")


def used_shares(asked: Iterable[QuestionArms], shares: ArmShares) -> dict[str, int]:
    """Return of how many people in a hundred each arm is that some question has, by stratum."""
    asked = list(asked)
    used = {
        SPLIT: shares.split if any(arms.split_epsilon is not None for arms in asked) else 0,
        DIRECTLY: shares.direct if any(arms.asked_directly for arms in asked) else 0,
    }
    return {stratum: share for stratum, share in used.items() if share}


def shares_of_draft(survey: Survey, questions: Iterable[Question]) -> dict[str, int]:
    """Return `used_shares` of a draft."""
    return used_shares(map(arms_of_question, questions), shares_of_survey(survey))


def frozen_arms(survey: Survey, questions: Iterable[Question]) -> tuple[Arm, ...]:
    """Return the arms as they would be frozen: those that some question has, and the page's."""
    shares = shares_of_draft(survey, questions)
    others = [Arm(stratum=name, share=share) for name, share in shares.items()]
    rest = EVERYBODY - sum(arm.share for arm in others)
    return (Arm(stratum=PAGE, share=rest), *others) if others else ()


def left_out_words(question: Question) -> str:
    """Why a question can have no arms; empty where it can."""
    kind = KINDS.get(question.kind)
    if not question.randomized:
        return _("it is not sensitive")
    for feature in FEATURES.values():
        if words := feature.author.why_alike(question):
            return words
    if shares_draw(question):
        return _("it is sent together with others")
    if kind is None or kind.control not in LISTED:
        return _("it has no list of answers of which one is true")
    if not sends_codes(question):
        return _("its device sends no codes")
    return ""


def takes_arms(question: Question) -> bool:
    return not left_out_words(question)


def has_arms(question: WithFeatures) -> bool:
    return bool(arms_of_question(question))


def asked_directly(question: WithFeatures) -> bool:
    return arms_of_question(question).asked_directly


def usual_split(epsilon: Decimal | None) -> Decimal:
    """The epsilon of a new split sample: half of the question's."""
    return max(LEAST_SPLIT, (Decimal(epsilon or 0) / 2).quantize(STEP))


def split_problem(question: AskedQuestion | Draft, epsilon: Decimal) -> str:
    """Why a question cannot be asked with this epsilon in the split sample; empty if it can."""
    draft = Draft.of(question)
    if draft.epsilon is None or not LEAST_SPLIT <= epsilon < draft.epsilon:
        return _("its epsilon leaves no room for a smaller one")
    try:
        draft_channel(split_draft(draft, epsilon))
    except (EngineError, KeyError, ValueError):
        return _("it has no device at the smaller epsilon")
    return ""


def fit_arms(question: Question) -> bool:
    """Take away what a changed question can no longer have; whether there was anything."""
    before = after = arms_of_question(question)
    if not takes_arms(question):
        after = QuestionArms()
    elif before.split_epsilon is not None and split_problem(question, before.split_epsilon):
        usual = usual_split(question.epsilon)
        after = replace(before, split_epsilon=None if split_problem(question, usual) else usual)
    if before != after:
        set_arms_of_question(question, after)
    return before != after


def obstacles(survey: Survey, questions: Sequence[Question]) -> Iterator[str]:
    """Yield what stands against arms in a survey, in words."""
    yield from obstacles_to(NAME, survey, questions)
    yield from public_problem(survey, questions)


def public_problem(survey: Survey, questions: Sequence[Question]) -> Iterator[str]:
    """Yield why a survey with a direct arm has no public results, if it would have both."""
    if survey.results_public and any(map(asked_directly, questions)):
        yield public_words()


def public_words() -> str:
    """Why a survey with a direct arm has no public results."""
    return _(
        "A survey with a direct arm has no public results: anybody with an open link can answer "
        "often, so that a stranger who knows these answers could subtract them and find the true "
        "answer of one person. Untick “anyone with the link may see the results” and name the "
        "researchers who may see them, or remove the direct arm."
    )


def physical_words(name: str) -> str:
    message = _(
        "“%s” offers a physical randomizer, and a survey with arms has none: chance puts people "
        "into arms on the page. Take it away, or remove the arms."
    )
    return message % name
