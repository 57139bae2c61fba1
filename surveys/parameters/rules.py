"""The rules for a whole document beyond the form of its fields.

static/js/rr/wire.js and device.js check the same before a question is asked, with the same codes;
docs/protocol.md, section 3, has the rules in words.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from decimal import Decimal
from itertools import pairwise
from math import factorial

from surveys.features import Trait, has_trait, problems_of_features
from surveys.parameters import budget, joint
from surveys.parameters.chance_strata import is_of_chance
from surveys.parameters.document import (
    MEMBERS,
    NUMBER,
    OPEN,
    PAGE,
    RANKING,
    TEXT,
    Device,
    Parameters,
    Question,
    is_drawn,
)
from surveys.parameters.earlier import SentAgain, is_degraded
from surveys.parameters.exact import keeps
from surveys.parameters.reading import ParametersError, read_back
from surveys.parameters.scale import scale_problem
from surveys.parameters.table_rules import problems_of_look, problems_of_table
from surveys.parameters.tables import (
    LEAST_RANKED,
    MOST_RANKED,
    Bloom,
    Chain,
    Coded,
    Linear,
    Ranking,
    Table,
    Ties,
    columns_of,
)
from surveys.parameters.types import Problem

INSTRUCTIONS = "instructions are for a physical randomizer, and needed there"
# No device may declare more than this, whatever a server is set to.
EPSILON_CAP = Decimal(8)


def check(parameters: Parameters) -> Parameters:
    """Return what may be asked; raise ParametersError for the first rule that is broken."""
    for code, field, rule in _problems(parameters):
        raise ParametersError(code, field, rule)
    return parameters


def to_freeze(parameters: Parameters) -> Parameters:
    """Return what a launch may freeze: the parameters as they will be read, and checked.

    Raises ParametersError, "shape" among its codes.
    """
    return check(read_back(parameters))


def check_device(device: Device) -> None:
    """Raise ParametersError for the first rule that a device breaks on its own."""
    for code, field, rule in _of_device(read_back(device), ""):
        raise ParametersError(code, field.removeprefix("."), rule)


def _problems(parameters: Parameters) -> Iterator[Problem]:
    yield from _unique((question.id for question in parameters.questions), "questions")
    for index, question in enumerate(parameters.questions):
        yield from _of_question(question, f"questions.{index}")
    yield from _of_mode(parameters)
    for index, device in enumerate(parameters.devices):
        yield from _of_device(device, f"devices.{index}")
        yield from _of_stratum(device, parameters, f"devices.{index}")
        yield from _of_waves(device, parameters.wave, f"devices.{index}.earlier")
    yield from joint.problems(parameters)
    yield from problems_of_features(parameters)
    yield from _coverage(parameters)
    yield from _budget(parameters)


def _unique(names: Iterable[object], field: str) -> Iterator[Problem]:
    for name, count in Counter(names).items():
        if count > 1:
            yield "duplicate", field, f"{name!r} may be there once only"


def _of_question(question: Question, field: str) -> Iterator[Problem]:
    if len(set(question.categories)) < len(question.categories):
        yield "bad_labels", f"{field}.categories", "the categories must differ"
    if question.control == TEXT:
        if question.answer_count:
            yield "wrong_length", f"{field}.categories", "of a short text only the refusal"
    elif question.control == RANKING and not LEAST_RANKED <= question.answer_count <= MOST_RANKED:
        rule = f"{LEAST_RANKED} to {MOST_RANKED} items are ranked"
        yield "wrong_length", f"{field}.categories", rule
    elif question.control != MEMBERS and question.answer_count < 2:
        yield "wrong_length", f"{field}.categories", "two answers at least"
    if (question.control == TEXT) != (question.characters is not None):
        rule = "a short text has a largest number of characters, and nothing else has one"
        yield "bad_characters", f"{field}.characters", rule
    yield from _of_scale(question, field)


def _of_scale(question: Question, field: str) -> Iterator[Problem]:
    """A scale is there for a number, and its categories are its bins or the ends of its range."""
    scale = question.scale
    if (question.control == NUMBER) != (scale is not None):
        yield "bad_scale", f"{field}.scale", "a number has a scale, and nothing else has one"
    if scale is None:
        return
    problem = scale_problem(scale)
    if problem:
        yield "bad_scale", f"{field}.scale", problem
    elif question.answer_count != (len(scale.bins) or 2):
        yield "wrong_length", f"{field}.categories", "one for each bin; without bins the two ends"
    elif question.other_count and not scale.bins:
        yield "bad_scale", f"{field}.prefer_not", "what is no number has a place beside bins only"


def _of_mode(parameters: Parameters) -> Iterator[Problem]:
    """Only who comes back is asked again, and reports of who is told apart are kept together."""
    if (parameters.wave == 1) != (parameters.previous is None):
        yield "bad_previous", "previous", "the digest of the wave before, null in the first wave"
    if parameters.wave > 1 and not has_trait(parameters, Trait.RETURNING):
        yield "not_pseudonymous", "wave", "only those who have a code can be asked again"
    if parameters.mode != OPEN and parameters.linkage != "together":
        yield "not_together", "mode", "the reports under a code or a link are kept together"


# --- one device ---------------------------------------------------------------------------------


def _of_device(device: Device, field: str) -> Iterator[Problem]:
    in_hand = not is_drawn(device)
    if in_hand and (device.stratum == PAGE or joint.is_joint(device)):
        yield "bad_text", f"{field}.instructions", INSTRUCTIONS
    if device.search is not None and in_hand:
        yield "bad_search", f"{field}.search", "only a device of the page is searched"
    yield from problems_of_table(device.table, f"{field}.table", in_hand=in_hand)
    yield from _of_earlier(device, field)
    yield from _of_direct(device, field) if device.direct else _check_declaration(device, field)
    yield from problems_of_look(device, _steps(device.table), field)


def _of_stratum(device: Device, parameters: Parameters, field: str) -> Iterator[Problem]:
    """Check that a stratum other than the page's is of chance or of a physical randomizer."""
    of_chance = joint.is_joint(device) or is_of_chance(device, parameters)
    if device.stratum != PAGE and not of_chance and not device.instructions:
        yield "bad_text", f"{field}.instructions", INSTRUCTIONS


def _steps(table: Table) -> tuple[Table, ...]:
    return table.steps if isinstance(table, Chain) else (table,)


def _of_waves(device: Device, wave: int, field: str) -> Iterator[Problem]:
    """Check that a device that scrambles has a table for each earlier wave, and others none."""
    waves = [] if device.direct else list(range(1, wave))
    if [earlier.wave for earlier in device.earlier] != waves:
        yield "bad_earlier", field, "the tables of all earlier waves in their order"


def _of_earlier(device: Device, field: str) -> Iterator[Problem]:
    for index, earlier in enumerate(device.earlier):
        part = f"{field}.earlier.{index}"
        yield from problems_of_table(earlier.table, f"{part}.table", in_hand=False)
        if not isinstance(device.table, Coded | SentAgain):
            yield (
                "not_relaxed",
                part,
                "only codes are relaxed; texts, bits and groups are sent again",
            )
        elif not is_degraded(earlier.table, device.table, earlier.degradation):
            yield "not_relaxed", part, "the earlier table must be this one, exactly as degraded"


def _of_direct(device: Device, field: str) -> Iterator[Problem]:
    if device.delta is not None:
        yield "not_null", f"{field}.delta", "nothing is promised of a direct answer"
    if not _is_identity(device.table):
        yield "not_identity", f"{field}.table", "without an epsilon every answer is sent as it is"


def _is_identity(table: Table) -> bool:
    if not isinstance(table, Coded) or table.denominator != 1 or table.truths != len(table.reports):
        return False
    return all(column[truth] == 1 for truth, column in enumerate(columns_of(table)))


def _check_declaration(device: Device, field: str) -> Iterator[Problem]:
    delta = None if device.delta is None else Decimal(device.delta)
    if isinstance(device.table, Chain):
        if delta is not None:
            yield "not_null", f"{field}.delta", "only reports without a delta are chained"
        yield from _of_epsilons(device, device.table, field)
    yield from _of_promise(device.table, device.epsilon or "0", delta, field, "epsilon")


def _of_epsilons(device: Device, chain: Chain, field: str) -> Iterator[Problem]:
    """Every step keeps its own epsilon, and the last one has that of the device."""
    names = [f"table.epsilons.{index}" for index in range(len(chain.steps))]
    for step, epsilon, name in zip(chain.steps, chain.epsilons, names, strict=True):
        yield from _of_promise(step, epsilon, None, field, name)
    if chain.epsilons[-1] != device.epsilon:
        yield "bad_epsilons", f"{field}.{names[-1]}", "the last one is that of the device"
    epsilons = map(Decimal, chain.epsilons)
    for name, (before, later) in zip(names[1:], pairwise(epsilons), strict=True):
        if later <= before:
            yield "bad_epsilons", f"{field}.{name}", "above that of the step before"


def _of_promise(
    table: Table, declared: str, delta: Decimal | None, field: str, name: str
) -> Iterator[Problem]:
    epsilon = Decimal(declared)
    if epsilon <= 0:
        yield "not_positive", f"{field}.{name}", "above 0"
    elif epsilon > EPSILON_CAP:
        yield "over_cap", f"{field}.{name}", f"{EPSILON_CAP} at most"
    elif delta is not None and not 0 < delta < 1:
        yield "not_a_share", f"{field}.delta", "above 0 and below 1"
    elif not keeps(table, epsilon, delta):
        name = name if delta is None else "delta"
        yield "too_revealing", f"{field}.{name}", "the table must keep what is declared"


# --- devices and questions ----------------------------------------------------------------------


def _coverage(parameters: Parameters) -> Iterator[Problem]:
    """Every question is covered on the page, and by the same devices wherever else it has any.

    A response names devices, so those of a question must be the same whoever draws.
    """
    questions = {question.id: question for question in parameters.questions}
    for index, device in enumerate(parameters.devices):
        if not joint.is_joint(device):
            yield from _fit(device, questions, f"devices.{index}")
            yield from _scrambling(device, parameters, f"devices.{index}")
    yield from _unique((device.key for device in parameters.devices), "devices")
    others = {each.stratum for each in parameters.devices if not joint.is_joint(each)}
    picked = joint.picked_questions(parameters)
    for index, question in enumerate(parameters.questions):
        # A feature has the rules of those that the page picks.
        for stratum in () if question in picked else {PAGE, *others}:
            devices = parameters.devices_of(question, stratum)
            if (devices or stratum == PAGE) and not _covers(question, devices):
                rule = f"one device in stratum {stratum!r}, or one for each category"
                yield "not_covered", f"questions.{index}", rule
            elif devices and _ids(devices) != _ids(parameters.devices_of(question, PAGE)):
                rule = f"the same devices in stratum {stratum!r} as on the page"
                yield "not_covered", f"questions.{index}", rule


def _fit(device: Device, questions: dict[str, Question], field: str) -> Iterator[Problem]:
    question = questions.get(device.questions[0])
    if question is None:
        yield "unknown_question", f"{field}.questions", "a question of the survey"
        return
    option = device.option
    if option is not None and not (question.several and option < len(question.categories)):
        yield "bad_option", f"{field}.option", "a category of a question with several answers"
    if device.id != (question.id if option is None else f"{question.id}_{option + 1}"):
        yield "bad_name", f"{field}.id", "the question's id, with the number of its option"
    linear = [isinstance(step, Linear) for step in _steps(device.table)]
    if linear != [question.whole_scale is not None] * len(linear):
        yield "bad_scale", f"{field}.table", "a linear one for a number without bins, and only then"
    elif isinstance(device.table, Bloom) != (question.control == TEXT):
        yield "bad_form", f"{field}.table", "a Bloom filter for a short text, and only then"
    elif isinstance(device.table, Ties) != (question.control == MEMBERS):
        yield "bad_form", f"{field}.table", "ties for members, and only then"
    elif isinstance(device.table, Ranking) != (question.control == RANKING):
        yield "bad_form", f"{field}.table", "orders for a ranking, and only then"
    elif device.table.truths != truths_of(question, device):
        yield "wrong_length", f"{field}.table", "one column for each true answer"


def _scrambling(device: Device, parameters: Parameters, field: str) -> Iterator[Problem]:
    """Check that of a sensitive question only a stratum of chance sends answers as they are."""
    asked = [each for each in parameters.questions if each.id == device.questions[0]]
    by_chance = device.direct and is_of_chance(device, parameters)
    if asked and device.direct == asked[0].randomized and not by_chance:
        yield "bad_choice", f"{field}.epsilon", "there is one where the question is randomized"


def truths_of(question: Question, device: Device) -> int | None:
    """How many true answers the device tells apart; None for texts and sets of people."""
    if question.control in (TEXT, MEMBERS):
        return None
    if device.option is not None:
        return 2
    if question.control == RANKING:
        return factorial(question.answer_count) + question.prefer_not
    if question.several:
        return 2**question.answer_count + question.prefer_not
    if question.whole_scale is not None:
        return question.whole_scale.steps + 1
    return len(question.categories)


def _covers(question: Question, devices: tuple[Device, ...]) -> bool:
    options = [device.option for device in devices]
    return options == [None] or options == list(range(len(question.categories)))


def _ids(devices: tuple[Device, ...]) -> list[str]:
    return [device.id for device in devices]


def _budget(parameters: Parameters) -> Iterator[Problem]:
    total = budget.spent(parameters.devices)
    if total > Decimal(parameters.epsilon):
        yield "over_budget", "epsilon", f"the devices of one person add up to {total}"
    delta = budget.spent_delta(parameters.devices)
    if delta > budget.DELTA_LIMIT:
        rule = f"the deltas of one person add up to {delta}, above {budget.DELTA_LIMIT}"
        yield "over_delta", "devices", rule
    if total > budget.PERSON_LIMIT and not parameters.reason.strip():
        yield "no_reason", "reason", f"above a total of {budget.PERSON_LIMIT} a reason is needed"
    for index, question in enumerate(parameters.questions):
        exceeds_limit = budget.spent(parameters.devices_of(question)) > budget.QUESTION_LIMIT
        if exceeds_limit and not question.reason.strip():
            rule = f"above an epsilon of {budget.QUESTION_LIMIT} a reason is needed"
            yield "no_reason", f"questions.{index}.reason", rule
