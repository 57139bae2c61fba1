"""Physical randomizers: the sentences, the table and the epsilon are one thing.

The sentences are read back as a person would read them; every outcome and every real answer is
gone through, and the table that follows must be the frozen one, to the last integer.
"""

import math
import re
from collections import Counter
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from itertools import product

import pytest
from django.utils import translation
from django.utils.dates import MONTHS

import rr_engine
from surveys.devices import devices_of
from surveys.devices.physical.registry import PHYSICAL_DEVICES
from surveys.devices.registry import (
    fitting_physical_devices,
    physical_device_of,
    smallest_physical_epsilon,
)
from surveys.kinds import categories
from surveys.models import Question
from surveys.parameters import to_json
from surveys.parameters.exact import design_of
from tests.devices import expanded_device

pytestmark = pytest.mark.slow

EPSILONS = [Decimal(text) for text in ("0.3", "0.5", "0.7", "0.8473", "1", "1.1", "1.5", "2", "4")]
SIZES = range(2, 13)
FORCED = ("two_coins", "three_coins", "die", "two_dice", "phone_digit", "phone_digits")
CROSSWISE = ("crosswise_digit", "crosswise_birthday")
LANGUAGES = ("en", "de")
# The outcomes that a person can get, written here anew: independent of the code under test.
SIDES = {"en": ("heads", "tails"), "de": ("Kopf", "Zahl")}
NUMBERS = {
    "die": [str(face) for face in range(1, 7)],
    "two_dice": [f"{first}{second}" for first in range(1, 7) for second in range(1, 7)],
    "phone_digit": [str(digit) for digit in range(10)],
    "phone_digits": [f"{number:02d}" for number in range(100)],
}


def question_of(categories_count: int, epsilon: Decimal, **values) -> Question:
    """A question with this many answers: Yes or No, three with a refusal, more as a scale."""
    if categories_count < 4:
        kind = {"kind": "yes_no", "prefer_not": categories_count == 3}
    else:
        kind = {"kind": "scale", "options": [f"Step {i}" for i in range(categories_count)]}
    return Question(name="q1", randomized=True, epsilon=epsilon, **{**kind, **values})


def everything_possible():
    for size, epsilon in product(SIZES, EPSILONS):
        for device in fitting_physical_devices(question_of(size, epsilon)):
            yield device.name, size, epsilon


POSSIBLE = list(everything_possible())
# One test for each device, which goes through all its sizes and epsilons.
DEVICES = list(dict.fromkeys(name for name, _, _ in POSSIBLE))


def outcomes_of(name: str, language: str) -> list[str]:
    if name in NUMBERS:
        return NUMBERS[name]
    tosses = 2 if name == "two_coins" else 3
    return ["-".join(sides) for sides in product(SIDES[language], repeat=tosses)]


def read_outcomes(text: str, outcomes: list[str]) -> list[str]:
    """The outcomes of a text such as “3”, “1, 2 or 3” or “00 to 16”."""
    words = re.findall(r"[\w-]*\d[\w-]*|\b(?:\w+-)+\w+\b", text)
    assert words, text
    if re.search(r"\b(?:to|bis)\b", text):
        first, last = map(outcomes.index, words)
        return outcomes[first : last + 1]
    return words


def built(name: str, question: Question) -> dict:
    return expanded_device(to_json(PHYSICAL_DEVICES[name].freeze(question)))


def table_of_sentences(device: dict, labels: list[str], outcomes: list[str]) -> list[list[int]]:
    """The columns that follow from the sentences alone, by enumerating outcomes and answers."""
    conditions = [line for line in device["instructions"] if ": " in line][-len(labels) - 1 :]
    rules, key = [], {}
    for line in conditions:
        condition, command = line.split(": ", 1)
        pairs = re.findall(r"\b([A-Z]) (?:for|für) [“„](.*?)[”“]", command)
        key |= {label: letter for letter, label in pairs}
        fixed = None if pairs else re.search(r"\b([A-Z])\.$", command).group(1)
        rules.append((read_outcomes(condition, outcomes), fixed))
    outcomes_named = [outcome for block, _ in rules for outcome in block]
    assert sorted(outcomes_named) == sorted(outcomes), "each outcome is told what to do, once"
    counts = [Counter() for _ in labels]
    for (block, fixed), (truth, label) in product(rules, enumerate(labels)):
        counts[truth][fixed or key[label]] += len(block)
    return [[count[letter] for letter in device["reports"]] for count in counts]


def test_every_device_fits_some_question():
    assert set(DEVICES) == {*FORCED, *CROSSWISE}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", FORCED)
def test_what_a_person_is_told_is_the_frozen_table(name, language):
    for size, epsilon in [rest for device, *rest in POSSIBLE if device == name]:
        question = question_of(size, epsilon)
        with translation.override(language):
            device, labels = built(name, question), categories(question)
        outcomes = outcomes_of(name, language)
        assert device["denominator"] == len(outcomes), (size, epsilon)
        assert table_of_sentences(device, labels, outcomes) == device["columns"], (size, epsilon)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("name", CROSSWISE)
def test_the_crosswise_sentences_are_the_frozen_table(name, epsilon, language):
    question = question_of(2, epsilon)
    if name not in [device.name for device in fitting_physical_devices(question)]:
        with pytest.raises(rr_engine.errors.EpsilonError):
            PHYSICAL_DEVICES[name].build(question)
        return
    with translation.override(language):
        device = built(name, question)
        shares = innocuous_share(name, device["instructions"][1])
    yes, everything = shares
    # “A” for equal answers: of those who are No, the ones whose first answer is No as well.
    assert re.search(r"\bA\.$", device["instructions"][3])
    assert re.search(r"\bB\.$", device["instructions"][4])
    expected = [[everything - yes, yes], [yes, everything - yes]]
    size = device["denominator"]
    assert [[Fraction(entry, size) for entry in column] for column in device["columns"]] == [
        [Fraction(entry, everything) for entry in column] for column in expected
    ]


def innocuous_share(name: str, sentence: str) -> tuple[int, int]:
    """The share of yes to the innocuous question by enumeration, as (yes, all)."""
    if name == "crosswise_digit":
        return len(set(re.findall(r"\d", sentence))), 10
    months = [number for number, month in MONTHS.items() if re.search(rf"\b{month}\b", sentence)]
    start, days = date(2001, 1, 1), 4 * 365 + 1
    births = [start + timedelta(day) for day in range(days)]
    return sum(min(months) <= day.month <= max(months) for day in births), days


@pytest.mark.parametrize("name", DEVICES)
def test_the_epsilon_is_the_tables_rounded_up_and_never_above_the_questions(name):
    for size, epsilon in [rest for device, *rest in POSSIBLE if device == name]:
        device = built(name, question_of(size, epsilon))
        ratios = [Fraction(max(row), min(row)) for row in zip(*device["columns"], strict=True)]
        exact = math.log(max(ratios))
        declared = Decimal(device["epsilon"])
        assert exact <= float(declared) <= exact + 1e-4, (size, epsilon)
        assert declared <= epsilon, (size, epsilon)
        assert declared == declared.quantize(Decimal("0.0001")), (size, epsilon)


@pytest.mark.parametrize("name", DEVICES)
def test_it_is_the_least_chance_that_keeps_the_epsilon(name):
    """One forced outcome less for each letter would reveal more than the question allows."""
    for size, epsilon in [rest for device, *rest in POSSIBLE if device == name]:
        device = built(name, question_of(size, epsilon))
        columns, outcomes = device["columns"], device["denominator"]
        if name in CROSSWISE:
            shares = (1, 2, 3, 4) if outcomes == 10 else (124, 237, 361, 481, 605)
            weaker = shares[shares.index(columns[0][1]) - 1] if columns[0][1] > shares[0] else 0
        else:
            weaker = columns[0][1] - 1
        if weaker:
            retained = outcomes - (size - 1) * weaker
            assert math.log(retained / weaker) > epsilon, (size, epsilon)


@pytest.mark.parametrize("name", DEVICES)
def test_the_frozen_entry_has_the_form_of_every_other_device(name):
    for size, epsilon in [rest for device, *rest in POSSIBLE if device == name]:
        question = question_of(size, epsilon, physical_device=name)
        page, physical = (expanded_device(to_json(device)) for device in devices_of([question]))
        assert set(physical) == set(page), (size, epsilon)
        assert (physical["id"], physical["questions"], physical["stratum"]) == (
            "q1",
            ["q1"],
            "physical",
        )
        assert physical["family"] in ("forced_choice", "crosswise"), (size, epsilon)
        assert physical["reports"] == page["reports"], (size, epsilon)
        assert all(sum(column) == physical["denominator"] for column in physical["columns"]), (
            size,
            epsilon,
        )
        design = design_of(devices_of([question])[1].table)
        assert design.epsilon_at_most(Decimal(physical["epsilon"])), (size, epsilon)
        assert math.isfinite(design.condition_number), (size, epsilon)


@pytest.mark.parametrize("name", DEVICES)
def test_no_sentence_asks_what_came_up_or_calls_the_method_names(name):
    for size, epsilon in [rest for device, *rest in POSSIBLE if device == name]:
        sentences = built(name, question_of(size, epsilon))["instructions"]
        assert not [line for line in sentences if re.search(r"\b(?:lie|noise|perturb)", line)], (
            size,
            epsilon,
        )
        assert not [line for line in sentences if "!" in line], (size, epsilon)
        assert "nobody asks" in sentences[-1], (size, epsilon)


@pytest.mark.parametrize("name", [*FORCED, *CROSSWISE])
def test_the_first_sentence_comes_before_the_question(name):
    """It names neither a letter nor an answer: it can be read before the question is."""
    first = built(name, question_of(2, Decimal(3)))["instructions"][0]
    assert not re.search(r"\b(?:A|B|Yes|No)\b", first)
    assert "choose" not in first


def test_a_birthday_counts_leap_days():
    """REFERENCE.md, crosswise: January to March have 361 of the 1461 days of four years."""
    device = built("crosswise_birthday", question_of(2, Decimal("1.2")))
    assert device["columns"] == [[1100, 361], [361, 1100]]
    assert device["denominator"] == 1461
    assert device["epsilon"] == "1.1142"  # ln(1100/361) = 1.114176...


def test_a_die_at_the_epsilon_of_a_die():
    """ln 5 = 1.6094: one face forces each letter, and five of six are kept."""
    device = built("die", question_of(2, Decimal("1.61")))
    assert (device["columns"], device["denominator"]) == ([[5, 1], [1, 5]], 6)
    assert device["epsilon"] == "1.6095"


# --- what is offered and what is refused ---------------------------------------------------------


def named(question: Question) -> list[str]:
    return [device.name for device in fitting_physical_devices(question)]


def test_devices_for_more_answers_than_outcomes_are_not_offered():
    assert named(question_of(5, Decimal(3))) == [
        "three_coins", "die", "two_dice", "phone_digit", "phone_digits"
    ]  # fmt: skip
    assert named(question_of(12, Decimal(3))) == ["two_dice", "phone_digits"]


def test_the_crosswise_model_is_for_yes_or_no_without_a_refusal():
    assert set(CROSSWISE) <= set(named(question_of(2, Decimal(1))))
    assert not set(CROSSWISE) & set(named(question_of(3, Decimal(1))))
    single = {"kind": "single_choice", "options": ["Tea", "Coffee"], "prefer_not": False}
    assert not set(CROSSWISE) & set(named(question_of(2, Decimal(1), **single)))


def test_nothing_is_offered_with_a_long_list_or_several_answers():
    long = {"kind": "single_choice", "options": [f"Region {n}" for n in range(13)]}
    assert named(question_of(2, Decimal(3), **long)) == []
    several = {"kind": "multiple_choice", "options": ["Tea", "Coffee"], "physical_device": "die"}
    question = question_of(2, Decimal(3), **several)
    assert named(question) == []
    with pytest.raises(rr_engine.errors.ArgumentError, match="physical_device must be empty here"):
        physical_device_of(question)
    assert smallest_physical_epsilon(question) is None


def test_a_direct_question_and_one_without_a_choice_have_none():
    assert physical_device_of(question_of(2, Decimal(1))) is None
    direct = Question(name="q1", kind="yes_no", randomized=False, physical_device="die")
    assert physical_device_of(direct) is None
    assert fitting_physical_devices(direct) == []


def test_a_device_too_weak_says_the_smallest_epsilon_that_it_reaches():
    with pytest.raises(rr_engine.errors.EpsilonError, match=r"at least 0\.6932 .*; got '0\.3'"):
        physical_device_of(question_of(2, Decimal("0.3"), physical_device="die"))
    with pytest.raises(rr_engine.errors.EpsilonError, match=r"at least 0\.4055 .*; got '0\.3'"):
        physical_device_of(question_of(2, Decimal("0.3"), physical_device="crosswise_digit"))


@pytest.mark.parametrize("size", SIZES)
def test_the_smallest_epsilon_can_be_reached_and_nothing_below_it(size):
    smallest = smallest_physical_epsilon(question_of(size, Decimal(1)))
    assert named(question_of(size, smallest))
    assert named(question_of(size, smallest - Decimal("0.0001"))) == []


@pytest.mark.parametrize("name", ["pendulum", "k_rr", "crosswise_digit"])
def test_a_name_that_does_not_fit_is_refused_with_those_that_do(name):
    with pytest.raises(
        rr_engine.errors.ArgumentError, match=r"physical_device must be one of .*die"
    ):
        physical_device_of(question_of(3, Decimal(1), physical_device=name))


def test_without_an_epsilon_there_is_no_device():
    with pytest.raises(rr_engine.errors.EpsilonError):
        physical_device_of(question_of(2, None, physical_device="die"))
