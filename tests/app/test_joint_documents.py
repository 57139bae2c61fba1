"""Groups of questions: their exact margins, their counts, and what a person's report reveals."""

import io
import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from msgspec.structs import replace

import rr_engine
from surveys.parameters import Joint, check, joint_of_all, parts_of, read, to_json, with_parts
from surveys.parameters.exact import channel_of, likelihood_ratio_bound, loss, matrix_of, table_of
from surveys.responses.counting import count, tally_spaces
from surveys.responses.crossings import crossings
from surveys.responses.envelope import response_schema
from surveys.responses.spaces import space_of
from surveys.strength import strength_of
from tests.vectors.case_lines import read_vectors
from tests.vectors.make_wire_vectors import grouped


@pytest.fixture
def parameters():
    return check(read(grouped()))


def chance(table, truth, report):
    """The probability of a report, from the weights."""
    changed = sum(a != b for a, b in zip(report, truth, strict=True))
    return Fraction(table.weights[changed], table.denominator)


def test_a_document_of_groups_is_written_as_it_was_read(parameters):
    assert to_json(parameters) == grouped()
    assert [device.id for device in joint_of_all(parameters)] == ["group_1", "group_4"]


def test_the_part_of_each_question_is_the_exact_margin(parameters):
    for device in joint_of_all(parameters):
        cells = list(product(*map(range, device.table.shape)))
        for place, part in enumerate(parts_of(device)):
            name = device.questions[place]
            assert (part.id, part.questions) == (name, (name,))
            assert part.epsilon == device.epsilon
            for truth, report in product(cells, range(len(part.table.reports))):
                expected = sum(chance(device.table, truth, c) for c in cells if c[place] == report)
                entry = part.table.kept if report == truth[place] else part.table.other
                assert Fraction(entry, part.table.denominator) == expected


def test_a_device_of_one_question_is_its_own_part(parameters):
    region = next(device for device in parameters.devices if device.id == "region")
    assert parts_of(region) == (region,)
    assert with_parts(region, 1) == {"region": 1}


def test_the_channel_of_a_group_has_the_chances_of_the_document(parameters):
    device = joint_of_all(parameters)[0]
    channel = channel_of(device, parameters.question("smokes"))
    assert channel.truth_shape == (2, 3)
    cells = list(product(range(2), range(3)))
    expected = [[float(chance(device.table, t, r)) for t in cells] for r in cells]
    assert matrix_of(channel).matrix.tolist() == expected
    assert table_of(channel) == device.table
    uniform = rr_engine.channels.joint_design([3, 4], 0.4, bits=6, form="uniform")
    assert table_of(uniform).weights == (uniform.kept, uniform.other, uniform.other)


def test_the_loss_is_that_of_the_weights(parameters):
    first, second = joint_of_all(parameters)
    assert (loss(first.table), loss(second.table)) == (math.log(8), math.log(5))
    never = Joint(parts=(("A", "B"), ("A", "B")), denominator=4, weights=(0, 1, 2))
    assert likelihood_ratio_bound(never) is None


def test_what_the_engine_draws_is_what_the_vectors_say():
    vectors = read_vectors("joint_draws.json")
    for case in vectors["draws"]:
        table = vectors["tables"][case["table"]]
        sizes = [len(names) for names in table["parts"]]
        channel = rr_engine.channels.JointChannel(sizes, table["weights"], table["denominator"])
        stream = bytes.fromhex(case["bytes"])
        truth = int(np.ravel_multi_index(case["truth"], sizes))
        (report,) = channel.draw([truth], io.BytesIO(stream).read)
        assert [int(code) for code in np.unravel_index(report, sizes)] == case["report"]


def test_a_group_is_counted_whole_and_by_question(parameters):
    contents = [
        {
            "reports": {"group_1": [1, 2], "region": 0},
            "strata": {"group_1": "page", "region": "page"},
        },
        {"reports": {"group_1": [1, 0]}, "strata": {"group_1": "page"}},
        {"reports": {"group_4": [2, 3]}, "strata": {"group_4": "page"}},
    ]
    counts = count(contents, parameters)
    assert counts["group_1", "page"] == [0, 0, 0, 1, 0, 1]
    assert counts["smokes", "page"] == [0, 2]
    assert counts["party", "page"] == [1, 0, 1]
    assert counts["mood", "page"] == [0, 0, 1]
    assert counts["leave", "page"] == [0, 0, 0, 1]
    assert counts.keys() <= tally_spaces(parameters).keys()
    assert contents[0]["reports"] == {"group_1": [1, 2], "region": 0}


def test_a_question_of_a_group_is_crossed_with_one_outside(parameters):
    together = replace(parameters, linkage="together", tables=(("party", "region"),))
    (crossing,) = crossings(check(together))
    assert crossing.space("page,page").shape == (3, 2)
    content = {
        "reports": {"group_1": [1, 2], "region": 0},
        "strata": {"group_1": "page", "region": "page"},
    }
    counted = count([content], together)["party,region", "page,page"]
    assert counted == [0, 0, 0, 0, 1, 0]


def test_the_fields_of_a_group_are_named_after_its_questions(parameters):
    space = space_of(joint_of_all(parameters)[0])
    assert [field.name for field in space.fields("group_1")] == ["smokes", "party"]
    assert [field.labels for field in space.fields("group_1")] == [("A", "B"), ("A", "B", "C")]


def test_a_required_group_is_one_report(parameters):
    assert response_schema(parameters).required == {"group_1"}
    assert response_schema(parameters).together == ()


def test_a_report_reveals_as_much_of_each_question_as_of_the_group(parameters):
    strength = strength_of(parameters.devices)
    assert strength.questions == 4
    assert strength.question == 208
    assert strength.person == math.ceil(100 * (math.log(8) + math.log(5)))
