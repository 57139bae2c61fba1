"""Texts and Bloom filters: the shared vectors, and JavaScript with the same rule for all texts."""

import json
import subprocess
import sys
import unicodedata
from fractions import Fraction
from pathlib import Path

import pytest

from rr_engine import EngineError, Rappor, normalize_text
from rr_engine.device import uniform_below
from rr_engine.rappor.bloom import bloom_positions, positions_of
from tests.vectors.make_bloom_vectors import bloom_vectors, report_vectors

ROOT = Path(__file__).resolve().parents[2]
DENO = Path(sys.executable).with_name("deno")
MODULE = ROOT / "static/js/rr/bloom.js"
VECTORS = json.loads((ROOT / "tests/vectors/bloom_filters.json").read_text())
REPORTS = json.loads((ROOT / "tests/vectors/bloom_reports.json").read_text())
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
    with pytest.raises(EngineError) as error:
        normalize_text(text)
    assert error.value.code == "empty_label"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Straße", "STRASSE"),
        ("İstanbul", "istanbul"),
        ("ΟΔΟΣ", "οδος"),
        ("St John’s", "st john's"),
        ("mu\u0308nchen", "MÜNCHEN"),
        ("❤\ufe0f", "❤"),
        ("  a \n b", "A B"),
    ],
)
def test_what_a_reader_takes_for_the_same_is_the_same(first, second):
    assert normalize_text(first) == normalize_text(second)


def test_different_texts_stay_different():
    texts = ["cafe", "café", "résumé", "resume", "4-MTA", "4 MTA", "ı", "i", "σ", "s", "ss", "s s"]
    assert len({normalize_text(text) for text in texts}) == len(texts)


@pytest.mark.slow
def test_both_languages_agree_on_every_character_and_are_done_at_once(tmp_path):
    characters = [chr(code) for code in range(sys.maxunicode + 1)]
    # Characters that are assigned in Python's Unicode: a browser may know more, which changes
    # nothing of these.
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


def reading(text):
    """A source of these bytes in hexadecimal digits, and what is left of them."""
    left = bytearray.fromhex(text)

    def random_bytes(size):
        taken = bytes(left[:size])
        del left[:size]
        return taken

    return random_bytes, left


@pytest.mark.parametrize("case", REPORTS["reports"], ids=lambda case: case["name"])
def test_the_same_bytes_give_the_report_of_the_shared_vectors(case):
    table = case["table"]
    f = Fraction(2 * table["zero"], table["denominator"])
    precision = table["denominator"].bit_length() - 1
    device = Rappor(table["bits"], table["hashes"], table["cohorts"], f, precision)
    assert (device.kept, device.raised) == (table["one"], table["zero"])
    random_bytes, left = reading(case["bytes"])
    cohort = device.draw_cohort(random_bytes)
    if case["words"]:
        report = device.permanent(case["text"], cohort, random_bytes)
    else:
        # A refusal is the text that nobody can write.
        set_bits = positions_of("", cohort, device.bits, device.hashes)
        row = [[int(bit in set_bits) for bit in range(device.bits)]]
        report = "".join(map(str, device.channel.draw(row, random_bytes)[0].tolist()))
    assert [cohort, report] == case["report"]
    assert not left


def test_a_cohort_is_drawn_again_and_not_by_remainder():
    assert uniform_below(3, reading("0302")[0]) == 2
