"""Stored configuration -> engine designs, and the devices that serve them.

In a draft the table DESIGNS turns a question's settings into designs. After launch the frozen
integers speak and nothing else.
"""

import functools
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal
from typing import TYPE_CHECKING, Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

import rr_engine
from surveys.engine_bridge import own
from surveys.engine_bridge.constructors import (
    Build,
    cards,
    k_rr,
    laplace,
    rare_trait,
    searched,
)
from surveys.engine_bridge.remembered import Remembered
from surveys.kinds import KINDS, MOST_FOR_WHOLE_SET, categories
from surveys.parameters import CARDS, CODES, PAGE, Device, Search, coded
from surveys.parameters import Question as FrozenQuestion
from surveys.parameters.budget import text_of
from surveys.parameters.exact import design_of, table_of

if TYPE_CHECKING:
    from surveys.models import Question

DIRECT = "direct"
SEARCHED = "searched"
# Answers from which on a card can show some of them and leave out as many.
LEAST_FOR_CARDS = 4
# The share that is assumed for the category looked at where nobody has guessed one.
ASSUMED_SHARE = 0.1
# Margins closer than this are the same to a reader.
TIE = 0.005
# What a share of a question's epsilon is rounded down to, so that the parts never exceed it.
EPSILON_STEP = Decimal("0.000001")
# Largest guessed share of a rare trait: above it the code that proves something proves a No.
MOST_RARE = Decimal("0.5")

Fits = Callable[["Question"], bool]


@dataclass(frozen=True, slots=True)
class DesignChoice:
    """A device that an author can choose for a question.

    `build(labels, epsilon, parameters)` gives the design; `parameters` are the keys that it reads
    from the question's `design_parameters`, decimals as strings. `relaxed`: it keeps (epsilon,
    delta) only. `per_option`: one device for each option, which share the question's epsilon.
    """

    name: str
    label: Promise
    fits: Fits
    build: Build
    parameters: tuple[str, ...] = ()
    relaxed: bool = False
    per_option: bool = False


def _one_answer(question: "Question") -> bool:
    return not KINDS[question.kind].several


def _several(question: "Question") -> bool:
    return KINDS[question.kind].several


def _small_set(question: "Question") -> bool:
    return _several(question) and len(question.options) <= MOST_FOR_WHOLE_SET


def _in_order(question: "Question") -> bool:
    binary = question.kind == "yes_no" and not question.prefer_not
    return binary or (KINDS[question.kind].ordered and not question.prefer_not)


def _many_answers(question: "Question") -> bool:
    kind = KINDS[question.kind]
    choice = not kind.several and question.kind != "yes_no"
    return choice and len(categories(question)) >= LEAST_FOR_CARDS


def has_table(question: "Question") -> bool:
    """Whether a searched table for this number of answers was adopted."""
    return _one_answer(question) and answers_of_table(question) == len(categories(question))


def answers_of_table(question: "Question") -> int:
    """The number of answers that the stored table of a search is for; 0 without one."""
    table = question.design_parameters.get("table")
    return len(table[0]) if table else 0


def _binary(question: "Question") -> bool:
    return question.kind == "yes_no" and not question.prefer_not


DESIGNS: dict[str, DesignChoice] = {
    choice.name: choice
    for choice in (
        DesignChoice("k_rr", _("Randomized response"), _one_answer, k_rr),
        DesignChoice(CARDS, _("Cards that show several answers"), _many_answers, cards),
        DesignChoice("laplace", _("Laplace noise, rounded to an answer"), _in_order, laplace),
        DesignChoice(
            "optimal_binary",
            _("Rare trait: (epsilon, delta)"),
            _binary,
            rare_trait,
            parameters=("delta", "prevalence"),
            relaxed=True,
        ),
        DesignChoice(
            SEARCHED,
            _("Searched for this question"),
            has_table,
            searched,
            parameters=("table",),
        ),
        DesignChoice(
            "per_option", _("One device for each option"), _several, k_rr, per_option=True
        ),
        DesignChoice("whole_set", _("One device over all combinations"), _small_set, k_rr),
    )
}


def choices_for(question: "Question") -> list[DesignChoice]:
    """The devices that fit a question; the first is the usual one of its kind."""
    return [choice for choice in DESIGNS.values() if choice.fits(question)]


@Remembered
def default_choice(question: "Question") -> DesignChoice:
    """The device of a question whose author has not chosen one.

    The usual one, but cards where those need clearly fewer respondents for the same margin.
    """
    usual, deck = choices_for(question)[0], DESIGNS[CARDS]
    if not question.randomized or not question.epsilon or not deck.fits(question):
        return usual
    try:
        margins = [_margin(question, choice) for choice in (usual, deck)]
    except rr_engine.EngineError:
        return usual
    return deck if margins[1] < (1 - TIE) * margins[0] else usual


def _margin(question: "Question", choice: DesignChoice) -> float:
    """Of the first answer, up to a factor that is the same for every device."""
    design = design_under(question, choice)
    return float(rr_engine.margin_of_error(design, ASSUMED_SHARE, 1, category=0))


def design_under(question: "Question", choice: DesignChoice) -> rr_engine.DesignMatrix:
    """The exact design of another choice; the question itself stays as it is."""
    return draft_design(under(question, choice))


def under(question: "Question", choice: DesignChoice) -> "Question":
    """The same draft with another device; not to be saved."""
    other = copy(question)
    other.design = choice.name
    return other


def choice_of(question: "Question") -> DesignChoice:
    """The device chosen for a draft question; raises ArgumentError where it does not fit."""
    choice = DESIGNS.get(question.design)
    if choice is None or not choice.fits(question):
        names = ", ".join(choice.name for choice in choices_for(question))
        raise rr_engine.ArgumentError(
            "design", question.design, f"be one of {names} here", "unknown_choice"
        )
    return choice


def draft_design(question: "Question") -> rr_engine.DesignMatrix:
    """The exact integer design that this question would be launched with.

    For a question with one device per option it is that of one option: they are all alike.
    """
    if KINDS[question.kind].several and not question.randomized:
        return rr_engine.direct(2)
    if not question.randomized:
        return rr_engine.direct(categories(question))
    choice = choice_of(question)
    epsilon, labels = _epsilon_of_a_device(question, choice), _truths(question, choice)
    stored = question.design_parameters
    given = tuple((name, _hashable(stored.get(name, ""))) for name in choice.parameters)
    exact = _quantized(choice.build, len(labels), epsilon, given, relaxed=choice.relaxed)
    return exact if exact.categories == tuple(labels) else _named(exact, labels)


# A table of 50 answers is some 100 kB, so these are at most 50 MB of a process.
@functools.lru_cache(maxsize=512)
def _quantized(
    build: Build,
    size: int,
    epsilon: Decimal,
    given: tuple[tuple[str, Any], ...],
    *,
    relaxed: bool,
) -> rr_engine.DesignMatrix:
    """Kept, for a page asks for the same designs at every keystroke; a design never changes.

    What the answers are called does not matter to a table, so questions that are alike share it.
    """
    design = build([str(index) for index in range(size)], epsilon, dict(given))
    exact = design.quantized(accept_infinite_epsilon=relaxed)
    return _named(exact, exact.categories)


def _named(exact: rr_engine.DesignMatrix, labels: Sequence[str]) -> rr_engine.DesignMatrix:
    """The same table of these answers; reports are named after them or numbered."""
    return rr_engine.DesignMatrix(
        exact.matrix,
        labels,
        declared_epsilon=exact.declared_epsilon,
        integers=exact.integers,
        denominator=exact.denominator,
        declared_delta=exact.declared_delta,
    )


def _hashable(value: Any) -> Any:
    return tuple(map(_hashable, value)) if isinstance(value, list) else value


def devices_of(questions: Iterable["Question"]) -> tuple[Device, ...]:
    """The devices of a parameters document, in the order of the questions."""
    return tuple(device for question in questions for device in _devices(question))


def frozen_design(device: Device, question: FrozenQuestion) -> rr_engine.DesignMatrix:
    """The design that a launched device is: its integers, reports along the first axis."""
    labels = _frozen_truths(device, question)
    if device.direct:
        return rr_engine.direct(labels)
    return design_of(coded(device.table), tuple(labels))


def question_epsilon_total(questions: Iterable["Question"]) -> Decimal:
    """What these draft questions together may reveal about one person: the sum of what is declared.

    A launch applies `surveys.parameters.budget.spent` to the devices themselves.
    """
    events = [
        rr_engine.Randomized(text_of(question.epsilon))
        for question in questions
        if question.randomized and question.epsilon
    ]
    return rr_engine.total_epsilon(rr_engine.Composition(events))


def subsets(options: int, *, refusal: bool) -> int:
    """Number of answers to a multiple choice as a whole: every subset, and the refusal."""
    return 2**options + int(refusal)


def _truths(question: "Question", choice: DesignChoice) -> list[str]:
    if choice.per_option:
        return ["0", "1"]
    if KINDS[question.kind].several:
        count = subsets(len(question.options), refusal=question.prefer_not)
        return [str(index) for index in range(count)]
    return categories(question)


def _frozen_truths(device: Device, question: FrozenQuestion) -> list[str]:
    labels = question.categories
    if len(labels) == device.table.truths and not question.several:
        return list(labels)
    return [str(index) for index in range(device.table.truths)]


def _epsilon_of_a_device(question: "Question", choice: DesignChoice) -> Decimal:
    if question.epsilon is None:
        raise rr_engine.EpsilonError("epsilon", None, "be given", "not_an_epsilon")
    if not choice.per_option:
        return question.epsilon
    share = question.epsilon / len(categories(question))
    return share.quantize(EPSILON_STEP, rounding=ROUND_DOWN)


def _devices(question: "Question") -> list[Device]:
    """The page's device, or one for each option; then the respondent's own, if there is one."""
    several, design = KINDS[question.kind].several, draft_design(question)
    if several and (not question.randomized or choice_of(question).per_option):
        return [
            _device(question, design, name=f"{question.name}_{index + 1}", option=index)
            for index in range(len(categories(question)))
        ]
    held = own.own_device_of(question)
    return [_device(question, design, name=question.name, option=None)] + ([held] if held else [])


def _device(
    question: "Question", design: rr_engine.DesignMatrix, *, name: str, option: int | None
) -> Device:
    choice = choice_of(question) if question.randomized else None
    searched_for = choice is not None and choice.name == SEARCHED
    return Device(
        id=name,
        questions=(question.name,),
        option=option,
        stratum=PAGE,
        family=_constructor(choice) if choice else DIRECT,
        look=CARDS if choice and choice.name == CARDS else CODES,
        table=table_of(design),
        epsilon=text_of(_epsilon_of_a_device(question, choice)) if choice else None,
        delta=str(question.design_parameters["delta"]) if choice and choice.relaxed else None,
        instructions=(),
        search=_search(question) if searched_for else None,
    )


def _search(question: "Question") -> Search:
    found = question.design_parameters["search"]
    return Search(**{**found, "prior": tuple(found["prior"])})


def _constructor(choice: DesignChoice) -> str:
    """How the table was made; for display, the table is what counts."""
    return "k_rr" if choice.build is k_rr else choice.name
