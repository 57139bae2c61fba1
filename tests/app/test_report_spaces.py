"""Every report space checks, counts, merges and names its reports; nothing else looks into them."""

import json
import random
from collections import Counter

import numpy as np
import pytest

from rr_engine.channels import BitChannel
from surveys.parameters import Bits, Bloom, Chain, Product, Same, Uniform
from surveys.parameters.exact import report_codes
from surveys.responses.spaces import (
    MOST_IN_AN_ARRAY,
    SPARSE_FROM,
    BitStrings,
    Codes,
    Filters,
    Tuples,
    crossed,
    space_of,
)
from tests.app.spaces import device_with

DENOMINATOR = 2**8


def uniform(size):
    return Uniform(
        reports=report_codes(size),
        denominator=DENOMINATOR,
        kept=DENOMINATOR - size + 1,
        other=1,
    )


def bits(count):
    return Bits(bits=count, denominator=DENOMINATOR, one=192, zero=64)


def blooms(cohorts, bits):
    return Bloom(cohorts=cohorts, bits=bits, hashes=1, denominator=DENOMINATOR, one=192, zero=64)


TABLES = {
    "codes": uniform(3),
    "many codes": uniform(200),
    "tuples": Product(parts=(uniform(3), uniform(4))),
    # 30,240 reports.
    "many tuples": Product(parts=(uniform(42), uniform(24), uniform(30))),
    "chains": Chain(
        steps=(uniform(2), uniform(2), uniform(3), uniform(3)),
        epsilons=("1", "2", "3", "4"),
        degradations=(Same(), Same(), Same()),
    ),
    "bits": bits(8),
    "many bits": bits(256),
    "most bits": bits(20_000),
    "filters": blooms(3, 8),
    "many filters": blooms(32, 128),
}
SPACES = {name: space_of(device_with(table)) for name, table in TABLES.items()}
NUMBERED = {name: space for name, space in SPACES.items() if isinstance(space, Codes | Tuples)}
all_spaces = pytest.mark.parametrize("space", SPACES.values(), ids=list(SPACES))
numbered_spaces = pytest.mark.parametrize("space", NUMBERED.values(), ids=list(NUMBERED))


def some_report(space, chance):
    match space:
        case Codes():
            return chance.randrange(space.size)
        case Tuples():
            return [chance.randrange(size) for size in space.shape]
        case BitStrings():
            return "".join(chance.choices("01", k=space.bits))
        case Filters():
            return [chance.randrange(space.cohorts), "".join(chance.choices("01", k=space.bits))]


def report_with(space, number):
    """The report with this number, as NumPy numbers the cells of an array."""
    if isinstance(space, Codes):
        return number
    return [int(code) for code in np.unravel_index(number, space.shape)]


def people_in(space, counts):
    if isinstance(space, Filters):
        # Everybody has each bit of their cohort clear or set.
        return int(space.array(counts).sum()) // space.bits
    return counts[0] if isinstance(space, BitStrings) else sum(space.by_number(counts).values())


def some_reports(space, count, seed=1):
    chance = random.Random(seed)
    return [some_report(space, chance) for _ in range(count)]


# --- reports ------------------------------------------------------------------------------------


@all_spaces
def test_its_reports_are_valid_and_those_of_other_spaces_are_not(space):
    assert [space.check(report) for report in some_reports(space, 20)] == [None] * 20
    for other in SPACES.values():
        if type(other) is not type(space):
            assert all(space.check(report) for report in some_reports(other, 5))


@pytest.mark.parametrize(
    ("name", "report", "code"),
    [
        ("codes", 3, "out_of_range"),
        ("codes", -1, "out_of_range"),
        ("codes", True, "not_an_integer"),
        ("codes", 1.0, "not_an_integer"),
        ("codes", None, "not_an_integer"),
        ("tuples", [0], "not_a_tuple"),
        ("tuples", [0, 1, 0], "not_a_tuple"),
        ("tuples", {"0": 1}, "not_a_tuple"),
        ("tuples", [0, 4], "out_of_range"),
        ("tuples", [False, 0], "not_an_integer"),
        ("bits", "0101010", "not_bits"),
        ("bits", "010101010", "not_bits"),
        ("bits", "0101012 ", "not_bits"),
        ("bits", ["0"] * 8, "not_bits"),
        ("filters", "10101010", "not_a_filter"),
        ("filters", [1], "not_a_filter"),
        ("filters", {"0": 1, "1": "01010101"}, "not_a_filter"),
        ("filters", [3, "01010101"], "out_of_range"),
        ("filters", [-1, "01010101"], "out_of_range"),
        ("filters", [True, "01010101"], "not_an_integer"),
        ("filters", ["1", "01010101"], "not_an_integer"),
        ("filters", [1, "0101010"], "not_bits"),
        ("filters", [1, 1010101], "not_bits"),
        # Digits of another script are no bits.
        ("bits", "٠" * 8, "not_bits"),
    ],
)
def test_what_is_no_report_has_a_problem(name, report, code):
    found, rule = SPACES[name].check(report)
    assert found == code
    assert rule.startswith("A report")


@numbered_spaces
def test_numbers_and_reports_match_one_to_one(space):
    numbers = range(space.size)
    reports = [report_with(space, number) for number in numbers]
    assert [space.number(report) for report in reports] == list(numbers)
    assert not any(map(space.check, reports))
    assert len({space.label(report) for report in reports}) == space.size


def test_the_last_part_of_a_tuple_runs_fastest():
    space = SPACES["tuples"]
    assert [report_with(space, number) for number in range(5)] == [
        [0, 0],
        [0, 1],
        [0, 2],
        [0, 3],
        [1, 0],
    ]
    assert space.number([2, 3]) == np.ravel_multi_index((2, 3), space.shape) == space.size - 1


# --- counts -------------------------------------------------------------------------------------


@all_spaces
def test_tallies_of_parts_merge_to_that_of_all_in_any_order(space):
    reports = some_reports(space, 60)
    whole = space.count(reports)
    first, second, third = (space.count(reports[start::3]) for start in range(3))
    assert space.add(space.add(first, second), third) == whole
    assert space.add(third, space.add(second, first)) == whole
    assert space.count(random.Random(2).sample(reports, len(reports))) == whole
    assert space.add(None, whole) == space.add([], whole) == whole
    assert people_in(space, whole) == len(reports)


@all_spaces
def test_what_was_added_can_be_taken_out_again(space):
    kept, taken_back = some_reports(space, 30), some_reports(space, 12, seed=3)
    both = space.count(kept + taken_back)
    assert space.subtract(both, space.count(taken_back)) == space.count(kept)
    assert people_in(space, space.subtract(both, both)) == 0


@all_spaces
def test_no_more_can_be_taken_out_than_is_there(space):
    one, *_others = some_reports(space, 4)
    with pytest.raises(ValueError, match="does not count"):
        space.subtract(space.count([one]), space.count([one, one]))


@numbered_spaces
def test_a_report_that_nobody_sent_cannot_be_taken_out(space):
    first, other = report_with(space, 0), report_with(space, 1)
    with pytest.raises(ValueError, match="does not count"):
        space.subtract(space.count([first] * 5), space.count([other]))


def test_clear_bits_cannot_be_fewer_than_none_either():
    space = SPACES["bits"]
    with pytest.raises(ValueError, match="does not count"):
        space.subtract(space.count(["11111111"] * 3), space.count(["00000000"]))


@all_spaces
def test_a_tally_survives_storage(space):
    counts = space.count(some_reports(space, 40))
    assert json.loads(json.dumps(counts)) == counts


@numbered_spaces
def test_the_array_has_the_count_of_every_report(space):
    reports = some_reports(space, 300)
    array = space.array(space.count(reports))
    assert (
        array.tolist()
        == np.bincount([space.number(report) for report in reports], minlength=space.size).tolist()
    )
    assert space.array(None).tolist() == [0] * space.size


def test_large_spaces_store_what_occurred_only():
    space = SPACES["many tuples"]
    assert space.size == 30_240 >= SPARSE_FROM
    reports = some_reports(space, 50)
    counts = space.count(reports * 2)
    assert counts == {str(space.number(report)): 2 for report in sorted(reports)}
    assert space.subtract(counts, counts) == {}
    assert isinstance(SPACES["tuples"].count([]), list)


def test_a_space_that_no_array_holds_still_counts():
    part = Codes(report_codes(200))
    space = Tuples((part,) * 9)
    assert space.size > MOST_IN_AN_ARRAY
    reports = some_reports(space, 20)
    counts = space.add(space.count(reports), space.count(reports))
    assert people_in(space, counts) == 40
    assert [int(number) for number in counts] == sorted(map(space.number, reports))
    with pytest.raises(ValueError, match="only margins"):
        space.array(counts)


@pytest.mark.parametrize("name", ["bits", "many bits"])
def test_bits_are_counted_as_the_engine_counts_them(name):
    space = SPACES[name]
    reports = some_reports(space, 200)
    channel = BitChannel(space.bits, 192, 64, 256)
    array = space.array(space.count(reports))
    assert array.tolist() == channel.tally(Counter(reports)).tolist()
    assert channel.tally(array.reshape(-1, 2)).tolist() == array.tolist()
    assert channel.people(array) == people_in(space, space.count(reports)) == 200
    assert space.array(None).tolist() == [0] * channel.tally_size


def test_a_tally_of_bits_is_bounded_however_many_report():
    space = SPACES["many bits"]
    counts = space.count(some_reports(space, 2_000))
    assert len(counts) == 257
    # Four digits, a comma and a space each.
    assert len(json.dumps(counts)) <= 6 * 257 + 2
    assert len(space.add(counts, counts)) == 257


def test_filters_are_counted_for_each_cohort():
    space = SPACES["filters"]
    reports = some_reports(space, 200)
    array = space.array(space.count(reports)).reshape(3, 8, 2)
    for cohort in range(3):
        channel = BitChannel(8, 192, 64, 256, "set")
        own = Counter(bits for place, bits in reports if place == cohort)
        assert array[cohort].reshape(-1).tolist() == channel.tally(own).tolist()
    assert space.array(None).tolist() == [0] * 48
    with pytest.raises(ValueError, match="does not count"):
        space.subtract(space.count([[0, "11111111"]] * 3), space.count([[0, "00000000"]]))


def test_a_tally_of_many_filters_is_short_for_few_and_bounded_for_many():
    space = SPACES["many filters"]
    few, many = (space.count(some_reports(space, count)) for count in (3, 2_000))
    assert isinstance(few, dict)
    assert len(few) <= 3 * 129
    assert isinstance(many, list)
    assert len(many) == 32 * 129
    assert space.subtract(space.add(few, many), many) == few


def test_twenty_thousand_bits_are_counted_bit_by_bit():
    space = SPACES["most bits"]
    reports = some_reports(space, 30)
    people, *ones = space.count(reports)
    assert people == 30
    assert ones == [sum(report[bit] == "1" for report in reports) for bit in range(space.bits)]


# --- tables of reports --------------------------------------------------------------------------


@all_spaces
def test_values_stand_in_the_fields_and_have_labels(space):
    fields = space.fields("q1")
    assert len({field.name for field in fields}) == len(fields)
    for report in some_reports(space, 20):
        for field, value in zip(fields, space.values(report), strict=True):
            assert isinstance(value, int if field.labels else str)
            if field.labels:
                assert field.labels[value] in space.label(report).split()


@all_spaces
def test_values_tell_the_whole_report(space):
    for report in some_reports(space, 20):
        values = space.values(report)
        assert report in (values[0], list(values))


def test_the_names_of_fields():
    names = {name: [field.name for field in space.fields("q1")] for name, space in SPACES.items()}
    assert names["codes"] == names["bits"] == ["q1"]
    assert names["filters"] == ["q1_cohort", "q1"]
    assert names["many tuples"] == ["q1_1", "q1_2", "q1_3"]
    assert [field.labels for field in SPACES["tuples"].fields("q1")] == [
        ("A", "B", "C"),
        ("A", "B", "C", "D"),
    ]


@all_spaces
@pytest.mark.slow
def test_a_codebook_has_each_code_once_and_never_a_line_for_each_tuple_or_string(space):
    entries = space.entries("q1")
    codes = [(entry.variable, entry.code) for entry in entries]
    assert len(set(codes)) == len(codes)
    assert len(entries) == codes_of(space)


def codes_of(space):
    match space:
        case Codes():
            return space.size
        case Tuples():
            return sum(space.shape)
        case BitStrings() | Filters():
            return space.bits


# --- crossings ----------------------------------------------------------------------------------


@all_spaces
def test_codes_alone_can_be_crossed_and_asked_for_by_letter(space):
    assert space.crossable == bool(space.letters) == isinstance(space, Codes)


def test_a_crossing_is_a_space_of_pairs():
    space = crossed([SPACES["codes"], Codes(("x", "y"))])
    assert (space.shape, space.size) == ((3, 2), 6)
    assert space.count([[0, 1], [2, 0], [2, 0]]) == [0, 1, 0, 0, 2, 0]
