import os
from collections import Counter
from contextlib import suppress

import numpy as np
import pytest
from scipy.stats import chisquare

from rr_engine import DesignMatrix, EngineError, k_rr, randomize
from rr_engine.designs import draw_report, uniform_below
from tests.engine.engine_cases import DESIGNS, Tape, exact
from tests.vectors.case_lines import read_vectors


def test_draws_the_reports_of_the_shared_vectors():
    document = read_vectors("device_draws.json")
    tables = {table["name"]: table for table in document["tables"]}
    for case in document["draws"]:
        table, tape = tables[case["table"]], Tape(bytes.fromhex(case["bytes"]))
        column = table["columns"][case["truth"]]
        assert draw_report(column, table["denominator"], tape) == case["report"], case
        assert tape.left == b""


def test_draws_the_integers_of_the_shared_vectors():
    cases = read_vectors("uniform_below.json")["draws"]
    for case in cases:
        tape = Tape(bytes.fromhex(case["bytes"]))
        assert uniform_below(case["n"], tape) == case["drawn"], case
        assert tape.left == b""
    assert sum(case["rejected"] for case in cases) > 10


@pytest.mark.parametrize("n", [2, 3, 5, 6, 7, 100, 128, 200, 255, 256])
def test_uniform_below_is_exact_over_all_bytes(n):
    accepted = Counter()
    for byte in range(256):
        tape = Tape(bytes([byte]))
        with suppress(EngineError):  # rejected, and the tape has no second block
            accepted[uniform_below(n, tape)] += 1
    assert sorted(accepted) == list(range(n))
    assert len(set(accepted.values())) == 1


def test_uniform_below_is_exact_over_all_pairs_of_bytes():
    accepted = Counter()
    for pair in range(2**16):
        with suppress(EngineError):
            accepted[uniform_below(1000, Tape(pair.to_bytes(2, "big")))] += 1
    assert sorted(accepted) == list(range(1000))
    assert set(accepted.values()) == {64}


@pytest.mark.parametrize("categories", [2, 10])
def test_a_million_draws_from_the_operating_system_fit_the_table(categories):
    design = k_rr(categories, 1).quantized()
    reports = randomize(design, np.zeros(1_000_000, dtype=int), os.urandom)
    counts = np.bincount(reports, minlength=categories)
    # A correct device fails this once in a thousand million runs.
    assert chisquare(counts, design.matrix[:, 0] * 1e6).pvalue > 1e-9
    if categories > 2:
        assert chisquare(counts[1:]).pvalue > 1e-9


@pytest.mark.parametrize("bits", [8, 12, 20, 32, 45])
@pytest.mark.parametrize("name", DESIGNS)
def test_many_at_once_are_the_same_draws_one_by_one(name, bits):
    design = exact(DESIGNS[name], bits)
    rng = np.random.default_rng(20)
    truths, content = rng.integers(0, len(design.categories), 300), rng.bytes(300 * 6)
    columns, tape = design.integer_columns, Tape(content)
    one_by_one = [draw_report(columns[v], design.denominator, tape) for v in truths]
    assert randomize(design, truths, Tape(content)).tolist() == one_by_one


ANY_TABLES = {
    3: [[1, 1], [1, 0], [1, 2]],
    6: [[5, 1], [1, 5]],
    10: [[6, 2, 2], [2, 6, 2], [2, 2, 6]],
    36: [[16, 5, 5], [10, 16, 15], [10, 15, 16]],
    1461: [[361, 1100], [1100, 361]],
    3 * 2**40: [[2**41, 2**40], [2**40, 2**41]],
}


@pytest.mark.slow
@pytest.mark.parametrize("denominator", ANY_TABLES)
def test_many_at_once_reject_as_one_by_one_does(denominator):
    design = DesignMatrix.from_integers(ANY_TABLES[denominator], denominator)
    rng = np.random.default_rng(21)
    truths = rng.integers(0, len(design.categories), 40_000)
    content = rng.bytes(40_000 * 3 * (((denominator - 1).bit_length() + 7) // 8))
    columns, tape = design.integer_columns, Tape(content)
    one_by_one = [draw_report(columns[v], denominator, tape) for v in truths]
    together = Tape(content)
    assert randomize(design, truths, together).tolist() == one_by_one
    # As many bytes, so that whatever is drawn next is the same too.
    assert together.left == tape.left
    assert len(content) - len(tape.left) > 40_000 * ((denominator - 1).bit_length() + 7) // 8


@pytest.mark.parametrize("denominator", [3, 6, 10, 36, 1461])
def test_every_string_of_bytes_once_gives_exactly_a_physical_table(denominator):
    design = DesignMatrix.from_integers(ANY_TABLES[denominator], denominator)
    size = ((denominator - 1).bit_length() + 7) // 8
    blocks = np.arange(256**size, dtype=">u2" if size == 2 else ">u1")
    accepted = blocks[(blocks & (2 ** (denominator - 1).bit_length() - 1)) < denominator]
    for truth, column in enumerate(design.integer_columns):
        tape = Tape(blocks.tobytes() + bytes(4 * len(blocks)))
        drawn = randomize(design, np.full(len(accepted), truth), tape)
        counts = np.bincount(drawn, minlength=len(column))
        assert counts.tolist() == [weight * len(accepted) // denominator for weight in column]


def test_a_table_of_any_denominator_passes_a_chi_square_test():
    rng = np.random.default_rng(22)
    design = DesignMatrix.from_integers(ANY_TABLES[36], 36)
    for truth in range(3):
        counts = np.bincount(randomize(design, np.full(100_000, truth), rng.bytes), minlength=3)
        # Three columns with this seed; a correct device fails once in a million seeds or so.
        assert chisquare(counts, design.matrix[:, truth] * 1e5).pvalue > 1e-6


def test_pieces_do_not_show():
    design, content = k_rr(3, 1).quantized(8), np.random.default_rng(3).bytes(70_000)
    truths = np.arange(70_000) % 3
    reports = randomize(design, truths, Tape(content))
    ends = np.cumsum(design.integers, axis=0)[:, truths]
    expected = (ends <= np.frombuffer(content, np.uint8)).sum(axis=0)
    assert np.array_equal(reports, expected)


def test_the_number_of_bytes_does_not_depend_on_the_truth():
    design = k_rr(5, 1).quantized()
    for column in design.integer_columns:
        asked = []
        draw_report(column, design.denominator, lambda n, asked=asked: asked.append(n) or bytes(n))
        assert asked == [4]


def test_direct_answers_take_no_bytes():
    def no_source(size):
        raise AssertionError("asked for bytes")

    assert draw_report([0, 1, 0], 1, no_source) == 1
    assert randomize(DESIGNS["direct"], [2, 0], no_source).tolist() == [2, 0]


@pytest.mark.parametrize("source", [lambda size: b"", lambda size: bytes(size + 1), lambda size: 7])
def test_refuses_a_source_that_does_not_deliver(source):
    with pytest.raises(EngineError, match="random_bytes"):
        uniform_below(10, source)
    with pytest.raises(EngineError, match="random_bytes"):
        randomize(k_rr(2, 1), [0, 1], source)


@pytest.mark.parametrize(("column", "denominator"), [([1, 1], 4), ([5, -1], 4), ([0, 0], 0)])
def test_refuses_a_column_that_is_no_table(column, denominator):
    with pytest.raises(EngineError):
        draw_report(column, denominator, os.urandom)
