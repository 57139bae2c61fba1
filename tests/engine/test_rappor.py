"""RAPPOR's device: exact chances, epsilon, permanent responses, samples and relaxation."""

import itertools
import json
import subprocess
import sys
import unicodedata
from decimal import Decimal
from fractions import Fraction
from math import comb, exp, log
from pathlib import Path

import numpy as np
import pytest

import rr_engine as rr
from rr_engine.device import uniform_below
from rr_engine.rappor import Rappor, normalize_text
from rr_engine.rappor.bloom import bloom_positions, positions_of
from tests.engine.engine_cases import Tape, refusal
from tests.vectors.case_lines import read_vectors
from tests.vectors.make_bloom_vectors import bloom_vectors, report_vectors

BIT = (0, 1)


def chances(device: rr.rappor.Rappor) -> list[list[Fraction]]:
    """Pr(reported bit | true bit), at [reported][true]."""
    kept = Fraction(device.kept, device.denominator)
    return [[kept if reported == true else 1 - kept for true in BIT] for reported in BIT]


# --- the device ---------------------------------------------------------------------------------


def test_f_is_rounded_up_to_the_fraction_that_is_drawn():
    device = rr.rappor.Rappor(8, 1, 2, "0.3", precision=4)
    assert device.f == Fraction(3, 8)
    assert (device.raised, device.kept, device.denominator) == (3, 13, 16)
    assert device == rr.rappor.Rappor(8, 1, 2, Decimal("0.3"), precision=4)
    assert device == rr.rappor.Rappor(8, 1, 2, Fraction(3, 10), precision=4)
    assert hash(device) == hash(rr.rappor.Rappor(8, 1, 2, 0.3, precision=4))


@pytest.mark.parametrize("hashes", [1, 2, 4])
@pytest.mark.parametrize("epsilon", ["0.01", "1", "2.5", "8"])
def test_the_epsilon_asked_for_is_never_exceeded_and_nearly_reached(epsilon, hashes):
    device = rr.rappor.Rappor.for_epsilon(epsilon, bits=64, hashes=hashes)
    assert device.epsilon_at_most(epsilon)
    assert device.epsilon == pytest.approx(float(epsilon), rel=1e-5)
    one_less = Fraction(2 * device.raised - 2, device.denominator)
    assert not rr.rappor.Rappor(64, hashes, 8, one_less).epsilon_at_most(epsilon)


def test_epsilon_is_that_of_all_reports_of_all_texts():
    device = rr.rappor.Rappor(6, 2, 3, "0.5", precision=3)
    table, worst = chances(device), Fraction(1)
    texts = [f"word {number}" for number in range(40)]
    for cohort in range(device.cohorts):
        filters = {tuple(device.filter_bits(text, cohort)) for text in texts}
        for report in itertools.product(BIT, repeat=device.bits):
            laws = [probability(table, report, bits) for bits in filters]
            worst = max(worst, max(laws) / min(laws))
    assert worst == device.likelihood_ratio_bound == Fraction(device.kept, device.raised) ** 4


def probability(table: list[list[Fraction]], report: tuple, bits: tuple) -> Fraction:
    product = Fraction(1)
    for reported, true in zip(report, bits, strict=True):
        product *= table[reported][true]
    return product


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ((1, 1, 1, "0.5"), "out_of_range"), ((8, 5, 1, "0.5"), "out_of_range"),
        ((8, 0, 1, "0.5"), "out_of_range"), ((8, 1, 0, "0.5"), "out_of_range"),
        ((8, 1, 1, "0"), "not_between_0_and_1"), ((8, 1, 1, 1), "not_between_0_and_1"),
        ((8, 1, 1, "half"), "not_between_0_and_1"), ((8, 1, 1, "0.99", 2), "says_nothing"),
        ((8, 1, 1, "0.5", 60), "out_of_range"),
    ],
)  # fmt: skip
def test_devices_that_cannot_be_are_refused(arguments, code):
    assert refusal(rr.rappor.Rappor, *arguments).code == code


def test_a_permanent_response_is_drawn_bit_by_bit_exactly():
    # Every value of one random byte: bit i of the report falls as often as the integers say.
    device = rr.rappor.Rappor(8, 1, 1, "0.3", precision=8)
    (position,) = device.positions("tea", 0)
    ones = np.zeros(8, dtype=int)
    for value in range(256):
        report = device.permanent("tea", 0, lambda size, value=value: bytes([value]) * size)
        ones += np.array([int(bit) for bit in report])
    expected = np.full(8, device.raised)
    expected[position] = device.kept
    assert ones.tolist() == expected.tolist()


def test_the_memory_draws_each_text_once():
    rng = np.random.default_rng(7)
    memory = rr.rappor.PermanentResponses(rr.rappor.Rappor(64, 2, 4, "0.5"), 3, rng.bytes)
    first = memory.response("Tea")
    assert all(memory.response(text) == first for text in ("Tea", " tea", "TEA"))
    assert memory.response("wine") != first
    sampler = rr.channels.BitChannel.from_epsilon(64, 64, truths="set")
    samples = {memory.sample("tea", sampler) for _ in range(5)}
    assert len(samples) == 5
    assert memory.response("tea") == first


def test_a_cohort_is_drawn_whatever_the_text():
    device = rr.rappor.Rappor(16, 1, 8, "0.5")
    drawn = [device.draw_cohort(lambda size, value=value: bytes([value])) for value in range(256)]
    assert np.bincount(drawn).tolist() == [32] * 8
    with pytest.raises(rr.EngineError):
        device.positions("tea", 8)


# --- noisy samples: what they give away, and how precise they are ------------------------------


def ratio(epsilon: float) -> Fraction:
    """A rational odds ratio near e**epsilon."""
    return Fraction(exp(epsilon)).limit_denominator(50)


def sample_law(permanent: Fraction, sampled: Fraction, samples: int) -> list[list[Fraction]]:
    """Pr(K samples | true bit) by the true bit, over all sequences and permanent bits."""
    keep, echo = permanent / (1 + permanent), sampled / (1 + sampled)
    laws = []
    for true in BIT:
        law = []
        for sequence in itertools.product(BIT, repeat=samples):
            total = Fraction(0)
            for bit in BIT:
                chance = keep if bit == true else 1 - keep
                for seen in sequence:
                    chance *= echo if seen == bit else 1 - echo
                total += chance
            law.append(total)
        laws.append(law)
    return laws


@pytest.mark.parametrize("samples", range(1, 7))
@pytest.mark.parametrize(("permanent", "sampled"), [(1, 0.5), (0.3, 2), (2, 1)])
def test_the_budget_of_samples_is_that_of_every_sequence(permanent, sampled, samples):
    big, small = ratio(permanent), ratio(sampled)
    clear, set_ = sample_law(big, small, samples)
    assert sum(clear) == sum(set_) == 1
    worst = max(max(a / b, b / a) for a, b in zip(clear, set_, strict=True))
    assert worst == (big * small**samples + 1) / (big + small**samples)
    # A float of the logarithm of a rational: the formula in floats agrees to their precision.
    computed = rr.rappor.budget_after_samples(log(big), log(small), samples)
    assert computed == pytest.approx(log(worst), rel=1e-12)


def test_the_budget_rises_to_that_of_the_permanent_bit():
    budgets = [rr.rappor.budget_after_samples("1", "0.2", samples) for samples in range(200)]
    assert budgets[0] == 0
    assert all(a < b for a, b in itertools.pairwise(budgets[:100]))
    assert budgets[-1] == pytest.approx(1, abs=1e-12)
    assert all(spent <= 0.2 * samples + 1e-15 for samples, spent in enumerate(budgets))
    assert rr.rappor.budget_after_samples(700, 700, 2**53) == pytest.approx(700)


@pytest.mark.parametrize("samples", range(1, 6))
@pytest.mark.parametrize(("permanent", "sampled"), [(1, 0.5), (0.3, 2)])
def test_the_variance_of_samples_is_that_of_every_sequence(permanent, sampled, samples):
    big, small = ratio(permanent), ratio(sampled)
    keep, echo = big / (1 + big), small / (1 + small)
    for true, law in enumerate(sample_law(big, small, samples)):
        means = [
            Fraction(sum(sequence), samples) for sequence in itertools.product(BIT, repeat=samples)
        ]
        # Two unbiased steps: from the samples to the permanent bit, from that to the true one.
        values = [
            ((mean - (1 - echo)) / (2 * echo - 1) - (1 - keep)) / (2 * keep - 1) for mean in means
        ]
        expected = sum(chance * value for chance, value in zip(law, values, strict=True))
        square = sum(chance * value**2 for chance, value in zip(law, values, strict=True))
        assert expected == true
        variance = rr.rappor.sampled_bit_variance(log(big), log(small), samples, 1)
        assert variance == pytest.approx(float(square - expected**2), rel=1e-12)


def test_the_variance_of_a_relaxed_bit_is_that_of_its_device():
    for epsilon in (0.1, 1, 5):
        odds = exp(epsilon)
        assert rr.rappor.relaxed_bit_variance(epsilon, 10) == pytest.approx(
            odds / (odds - 1) ** 2 / 10
        )
    device = rr.rappor.Rappor.for_epsilon("4", bits=16)
    assert device.bit_variance == pytest.approx(rr.rappor.relaxed_bit_variance("2", 1), rel=1e-6)


def test_relaxation_beats_two_samples_or_more_at_the_same_budget():
    for samples, sampled in itertools.product(range(1, 30), (0.1, 0.5, 1.0)):
        spent = rr.rappor.budget_after_samples(1, sampled, samples)
        relaxed = rr.rappor.relaxed_bit_variance(spent, 100)
        of_samples = rr.rappor.sampled_bit_variance(1, sampled, samples, 100)
        # One sample of one bit is a symmetric bit of that budget.
        assert relaxed < of_samples if samples > 1 else relaxed == pytest.approx(of_samples)


def test_samples_are_drawn_from_the_permanent_bits():
    sampler = rr.channels.BitChannel(4, 192, 64, 256, "set")
    ones = np.zeros(4, dtype=int)
    for value in range(256):
        drawn = rr.rappor.draw_sample(
            "0110", sampler, lambda size, value=value: bytes([value]) * size
        )
        ones += np.array([int(bit) for bit in drawn])
    assert ones.tolist() == [64, 192, 192, 64]
    for wrong in (rr.channels.BitChannel(4, 192, 64, 256), None):
        with pytest.raises(rr.EngineError):
            rr.rappor.draw_sample("0110", wrong, bytes)
    with pytest.raises(rr.EngineError):
        rr.rappor.draw_sample("01", sampler, bytes)


# --- relaxation ---------------------------------------------------------------------------------


def chain_law(devices: list[rr.rappor.Rappor], true: int) -> dict[tuple[int, ...], Fraction]:
    """Pr(all bits of a chain | true bit), exactly."""
    law = {(bit,): chances(devices[0])[bit][true] for bit in BIT}
    for now, later in itertools.pairwise(devices):
        kernel = rr.rappor.bit_kernel(now, later)
        law = {
            (*bits, following): chance * kernel[following][bits[-1]][true]
            for bits, chance in law.items()
            for following in BIT
        }
    return law


def test_every_step_of_a_chain_has_its_devices_law_and_all_leak_the_last_epsilon():
    epsilons = ("0.2", "1", "1", "2.5", "6")
    devices = [rr.rappor.Rappor.for_epsilon(epsilon, bits=8, hashes=2) for epsilon in epsilons]
    laws = [chain_law(devices, true) for true in BIT]
    for step, device in enumerate(devices):
        for true, law in enumerate(laws):
            for bit in BIT:
                total = sum(chance for bits, chance in law.items() if bits[step] == bit)
                assert total == chances(device)[bit][true]
    ratios = [laws[1][bits] / laws[0][bits] for bits in laws[0] if laws[0][bits]]
    last = Fraction(devices[-1].kept, devices[-1].raised)
    assert max(ratios) == last
    assert min(ratios) == 1 / last
    # The same bit stays where nothing changes.
    same = rr.rappor.bit_kernel(devices[1], devices[2])
    assert all(same[bit][bit][true] == 1 for bit in BIT for true in BIT)


def test_a_redrawn_bit_would_leak_more_than_the_last_epsilon():
    now, later = (rr.rappor.Rappor.for_epsilon(epsilon, bits=8) for epsilon in ("1", "2"))
    redrawn = (
        chances(now)[1][1] * chances(later)[1][1] / (chances(now)[1][0] * chances(later)[1][0])
    )
    assert redrawn > Fraction(later.kept, later.raised)


@pytest.mark.slow
def test_relaxed_reports_follow_the_kernel():
    now, later = (
        rr.rappor.Rappor(4, 1, 2, "0.8", precision=4),
        rr.rappor.Rappor(4, 1, 2, "0.4", precision=4),
    )
    kernel, rng = rr.rappor.bit_kernel(now, later), np.random.default_rng(20260514)
    (position,) = now.positions("tea", 1)
    truth = [int(bit == position) for bit in range(4)]
    previous, draws = "0101", 3000
    ones = np.zeros(4)
    for _ in range(draws):
        report = rr.rappor.relax_response(previous, "tea", 1, now, later, rng.bytes)
        ones += np.array([int(bit) for bit in report])
    expected = np.array(
        [float(kernel[1][int(bit)][true]) for bit, true in zip(previous, truth, strict=True)]
    )
    errors = np.sqrt(expected * (1 - expected) / draws)
    assert (np.abs(ones / draws - expected) < 4 * errors).all()


def test_a_relaxation_goes_on_in_the_same_filter_to_a_larger_epsilon():
    device = rr.rappor.Rappor.for_epsilon("1", bits=8)
    for later, code in (
        (rr.rappor.Rappor.for_epsilon("0.5", bits=8), "budget_falls"),
        (rr.rappor.Rappor.for_epsilon("2", bits=16), "reports_differ"),
        (None, "reports_differ"),
    ):
        assert refusal(rr.rappor.bit_kernel, device, later).code == code


def test_sequences_of_as_many_ones_are_equally_likely():
    # Appendix E sums over the number of ones: comb(K, j) sequences have j.
    law = sample_law(Fraction(3), Fraction(2), 4)[1]
    sequences = list(itertools.product(BIT, repeat=4))
    for ones in range(5):
        of_count = [law[i] for i, sequence in enumerate(sequences) if sum(sequence) == ones]
        assert len(set(of_count)) == 1
        assert len(of_count) == comb(4, ones)


ROOT = Path(__file__).resolve().parents[2]
DENO = Path(sys.executable).with_name("deno")
MODULE = ROOT / "static/js/rr/bloom.js"
VECTORS = read_vectors("bloom_filters.json")
REPORTS = read_vectors("bloom_reports.json")
VISIBLE = [case for case in VECTORS["texts"] if case["words"]]

NORMALIZE = """
const { normalizeText } = await import(new URL("text.js", Deno.args[0]).href);
const texts = JSON.parse(await new Response(Deno.stdin.readable).text());
console.log(JSON.stringify(texts.map((text) => normalizeText(text))));
"""
POSITIONS = """
const { wordPositions } = await import(Deno.args[0]);
const { filters, texts } = JSON.parse(await new Response(Deno.stdin.readable).text());
const positions = [];
for (const { words } of texts) {
  const inCohorts = (filter) =>
    Promise.all([...Array(filter.cohorts).keys()].map((k) => wordPositions(words, k, filter)));
  positions.push(await Promise.all(filters.map(inCohorts)));
}
console.log(JSON.stringify(positions));
"""


def in_javascript(script: str, given: object, folder: Path) -> list:
    path = folder / "script.mjs"
    path.write_text(script)
    command = [DENO, "run", "--quiet", "--allow-read", "--no-config", path, MODULE.as_uri()]
    text = json.dumps(given)
    run = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


def test_the_vectors_are_what_their_script_writes():
    assert bloom_vectors() == VECTORS
    assert report_vectors() == REPORTS
    assert len(VISIBLE) == len(VECTORS["texts"]) - 2


@pytest.mark.parametrize("case", VISIBLE, ids=lambda case: case["name"])
def test_texts_set_the_bits_of_the_shared_vectors(case):
    assert normalize_text(case["text"]) == case["words"]
    for each, by_cohort in zip(VECTORS["filters"], case["positions"], strict=True):
        bits, hashes = each["bits"], each["hashes"]
        for cohort, positions in enumerate(by_cohort):
            assert bloom_positions(case["text"], cohort, bits, hashes) == tuple(positions)
            assert len(set(positions)) == hashes


def test_scripts_set_the_bits_of_the_shared_vectors(tmp_path):
    positions = in_javascript(POSITIONS, {**VECTORS, "texts": VISIBLE}, tmp_path)
    assert positions == [case["positions"] for case in VISIBLE]


@pytest.mark.parametrize("text", ["", " \u00a0\u200b\ufeff\t", None, b"tea", 7])
def test_a_text_without_anything_to_see_is_refused(text):
    assert refusal(normalize_text, text).code == "empty_label"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Straße", "STRASSE"), ("İstanbul", "istanbul"), ("ΟΔΟΣ", "οδος"),
        ("St John’s", "st john's"), ("mu\u0308nchen", "MÜNCHEN"), ("❤\ufe0f", "❤"),
        (" a \n b", "A B"),
    ],
)  # fmt: skip
def test_what_a_reader_takes_for_the_same_is_the_same(first, second):
    assert normalize_text(first) == normalize_text(second)


def test_different_texts_stay_different():
    texts = ["cafe", "café", "résumé", "resume", "4-MTA", "4 MTA", "ı", "i", "σ", "s", "ss", "s s"]
    assert len({normalize_text(text) for text in texts}) == len(texts)


@pytest.mark.slow
def test_both_languages_agree_on_every_character_and_are_done_at_once(tmp_path):
    characters = [chr(code) for code in range(sys.maxunicode + 1)]
    # What is assigned in Python's Unicode: a browser may know more, which changes nothing of these.
    assigned = [c for c in characters if unicodedata.category(c) not in ("Cn", "Cs")]
    assert len(assigned) > 280_000
    # Between others, so that the context of a final sigma and of marks counts.
    texts = [f"A{character}\u0301 Σ{character}Σ" for character in assigned]
    normalized = [normalize_text(text) for text in texts]
    assert in_javascript(NORMALIZE, texts, tmp_path) == normalized
    assert [normalize_text(text) for text in normalized] == normalized


def test_lone_surrogates_are_replaced_alike(tmp_path):
    texts = ["a\ud800b", "\udfff", "\ude00\ud83d"]
    assert [normalize_text(text) for text in texts] == ["a\ufffdb", "\ufffd", "\ufffd\ufffd"]
    assert in_javascript(NORMALIZE, texts, tmp_path) == ["a\ufffdb", "\ufffd", "\ufffd\ufffd"]


def test_positions_are_spread_evenly():
    # 4,000 texts over 16 bits: the statistic has 15 degrees of freedom; 37.7 is exceeded by chance
    # once in 1,000 such sets, and this set is always the same.
    device = Rappor(16, 1, 2, "0.5")
    for cohort in range(2):
        counts = [0] * 16
        for number in range(4000):
            counts[device.positions(f"word {number}", cohort)[0]] += 1
        assert sum((count - 250) ** 2 / 250 for count in counts) < 37.7


@pytest.mark.parametrize("case", REPORTS["reports"], ids=lambda case: case["name"])
def test_the_same_bytes_give_the_report_of_the_shared_vectors(case):
    table = case["table"]
    f = Fraction(2 * table["zero"], table["denominator"])
    precision = table["denominator"].bit_length() - 1
    device = Rappor(table["bits"], table["hashes"], table["cohorts"], f, precision)
    assert (device.kept, device.raised) == (table["one"], table["zero"])
    random_bytes = Tape(bytes.fromhex(case["bytes"]))
    cohort = device.draw_cohort(random_bytes)
    if case["words"]:
        report = device.permanent(case["text"], cohort, random_bytes)
    else:
        # A refusal is the text that nobody can write.
        set_bits = positions_of("", cohort, device.bits, device.hashes)
        row = [[int(bit in set_bits) for bit in range(device.bits)]]
        report = "".join(map(str, device.channel.draw(row, random_bytes)[0].tolist()))
    assert [cohort, report] == case["report"]
    assert not random_bytes.left


def test_a_cohort_is_drawn_again_and_not_by_remainder():
    assert uniform_below(3, Tape(bytes.fromhex("0302"))) == 2
