"""Write bloom_filters.json and bloom_reports.json: python -m tests.vectors.make_bloom_vectors

The expected values come from a second, deliberately naive reading of docs/methods/rappor.md (one
character after the other, hexadecimal digits instead of bytes), not from rr_engine; the engine and
the browser are both held against the file.
"""

import hashlib
import unicodedata

from tests.vectors.case_lines import write
from tests.vectors.make_device_vectors import fixed_bytes, naive_uniform
from tests.vectors.make_wire_vectors import bloom

INVISIBLE = {0xAD, 0x200B, 0x200E, 0x200F, 0x2060, 0xFEFF, 0xFE0E, 0xFE0F}
QUOTES = {"‘": "'", "’": "'", "ʼ": "'", "“": '"', "”": '"', "„": '"'}
HYPHENS = {chr(code): "-" for code in (*range(0x2010, 0x2015), 0x2212)}
LETTERS = {"ς": "σ", "ß": "ss"}

TEXTS = {
    "ascii": "Heroin",
    "white space": "\t crack   cocaine\n",
    "control characters": "a\u0000b\u001fc\u007fd\u0085e\u009ff",
    "umlauts": "MÜNCHEN",
    "umlauts, decomposed": "mu\u0308nchen",
    "sharp s": "Straße",
    "sharp s, capital": "STRAẞE",
    "sharp s, in capitals": "STRASSE",
    "turkish dotted": "İSTANBUL",
    "turkish dotless": "ISPARTA ısparta",
    "final sigma": "ΟΔΟΣ",
    "final sigma, lower case": "οδος",
    "emoji": "😀👍🏽",
    "emoji, joined": "👩\u200d🔬",
    "emoji, selector": "❤\ufe0f",
    "emoji, no selector": "❤",
    "combining marks, reordered": "q\u0307\u0323",
    "combining marks, in order": "q\u0323\u0307",
    "full width": "ＡＢＣ１２３",
    "ligature": "ﬁne",
    "spaces of all kinds": "a\u00a0b\u1680c\u2003d\u2028e\u202ff\u205fg\u3000h",
    "soft hyphen and byte order mark": "\ufeffcan\u00adna\u200bbis",
    "dot above behind something invisible": "i\u200b\u0307",
    "quotation marks": "St John’s “bar” ‘x’",
    "hyphens": "4–MTA — 4−MTA",
    "hangul": "각각",
    "hangul, decomposed": "\u1100\u1161\u11a8각",
    "hindi": "गाँजा",
    "arabic, right to left": "\u200fالقنب",
    "beyond the basic plane": "𝐀𝓑 𐐀",
    "empty": "",
    "empty after trim": " \u00a0\u200b\ufeff\t",
}
FILTERS = [
    {"bits": bits, "hashes": hashes, "cohorts": cohorts}
    for bits, hashes, cohorts in ((2, 1, 1), (16, 8, 3), (128, 1, 8), (100, 2, 4), (65536, 20, 2))
]


def is_space(character: str) -> bool:
    return character in "\u2028\u2029" or unicodedata.category(character) in ("Cc", "Zs")


def naive_normalize(text: str) -> str:
    lower = unicodedata.normalize("NFKC", text).lower()
    seen = "".join(character for character in lower if ord(character) not in INVISIBLE)
    letters = []
    for character in seen:
        if character == "\u0307" and letters and letters[-1] == "i":
            continue
        letters.append((QUOTES | HYPHENS | LETTERS).get(character, character))
    composed = unicodedata.normalize("NFKC", "".join(letters))
    return " ".join("".join(" " if is_space(c) else c for c in composed).split(" ")).strip()


def naive_positions(text: str, cohort: int, bits: int, hashes: int) -> list[int]:
    digits = "".join(
        hashlib.sha256(f"candor bloom {cohort} {block} {text}".encode()).hexdigest()
        for block in range(40)
    )
    numbers = [int(digits[start : start + 8], 16) for start in range(0, len(digits), 8)]
    return list(dict.fromkeys(number % bits for number in numbers))[:hashes]


def squeeze(text: str) -> str:
    while "  " in text:
        text = text.replace("  ", " ")
    return text


def bloom_vectors() -> dict:
    cases = []
    for name, text in TEXTS.items():
        words = squeeze(naive_normalize(text))
        positions = filters_of(words) if words else None
        cases.append({"name": name, "text": text, "words": words, "positions": positions})
    # A refusal is the empty text, which no answer is.
    return {"format": 1, "filters": FILTERS, "texts": cases, "refusal": filters_of("")}


def filters_of(words: str) -> list[list[list[int]]]:
    return [
        [
            naive_positions(words, cohort, each["bits"], each["hashes"])
            for cohort in range(each["cohorts"])
        ]
        for each in FILTERS
    ]


# The numbers of a table: cohorts, bits, hashes, denominator and the entry of a clear bit.
TABLES = {
    "ordinary": (8, 128, 1, 2**32, 1155000000),
    "three cohorts, two hashes": (3, 20, 2, 2**10, 256),
    "one cohort, a byte": (1, 16, 8, 2**8, 100),
    "wide integers": (5, 12, 3, 2**52, 2**50),
}


def naive_report(words: str, shape: tuple[int, ...], stream: bytes) -> tuple[list[int | str], int]:
    """The report, and how many bytes it took."""
    cohorts, bits, hashes, denominator, zero = shape
    cohort, used = naive_uniform(cohorts, stream)
    own = naive_positions(words, cohort, bits, hashes)
    sent = ""
    for bit in range(bits):
        number, size = naive_uniform(denominator, stream[used:])
        used += size
        sent += "1" if number < (denominator - zero if bit in own else zero) else "0"
    return [cohort, sent], used


def report_vectors() -> dict:
    """Reports by the bytes that they take; the empty text is a refusal."""
    cases = []
    for name, shape in TABLES.items():
        cohorts, bits, hashes, denominator, zero = shape
        table = bloom(cohorts, bits, hashes, denominator - zero, zero)
        for text in ("Heroin", "Straße", ""):
            words = squeeze(naive_normalize(text))
            stream = fixed_bytes(f"{name} {text}", 8 * bits + 64)
            report, used = naive_report(words, shape, stream)
            case = {"name": f"{name}, {text or 'refusal'}", "table": table, "text": text}
            cases.append(case | {"words": words, "bytes": stream[:used].hex(), "report": report})
    return {"format": 1, "reports": cases}


if __name__ == "__main__":
    for name, vectors in {"filters": bloom_vectors(), "reports": report_vectors()}.items():
        write(f"bloom_{name}.json", vectors)
