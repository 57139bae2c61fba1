"""Write device_draws.json and uniform_below.json: python -m tests.vectors.make_device_vectors

The expected values come from a second, deliberately naive reading of docs/methods/devices.md (bit
strings instead of masks, one list of all outcomes instead of running sums), not from rr_engine;
the engine and the browser are both held against the files.
"""

import hashlib
from math import ceil, exp

from tests.vectors.case_lines import write


def fixed_bytes(label: str, size: int) -> bytes:
    """Return bytes that look random and are the same everywhere: SHA-256 of a counter."""
    blocks = (
        hashlib.sha256(f"candor {label} {i}".encode()).digest() for i in range(size // 32 + 1)
    )
    return b"".join(blocks)[:size]


def naive_uniform(n: int, stream: bytes) -> tuple[int, int]:
    """Return the integer drawn and the number of bytes used."""
    width = len(format(n - 1, "b")) if n > 1 else 0
    size = ceil(width / 8)
    for start in range(0, len(stream) + 1, max(size, 1)):
        block = stream[start : start + size]
        bits = "".join(format(byte, "08b") for byte in block)
        drawn = int(bits[len(bits) - width :] or "0", 2)
        if drawn < n:
            return drawn, start + size
    raise ValueError("stream too short")


def naive_report(column: list[int], denominator: int, stream: bytes) -> tuple[int, int]:
    drawn, used = naive_uniform(denominator, stream)
    ends = [sum(column[: report + 1]) for report in range(len(column))]
    return min(report for report, end in enumerate(ends) if end > drawn), used


def keep_or_lie(size: int, lie: int, denominator: int) -> list[list[int]]:
    kept = denominator - (size - 1) * lie
    return [[kept if u == v else lie for u in range(size)] for v in range(size)]


def tables() -> list[tuple[str, int, list[list[int]]]]:
    whole = 2**32
    declared = [("yes/no, epsilon 1.1", 2, 1.1), ("3 of epsilon 1", 3, 1.0), ("50 of 3", 50, 3.0)]
    ours = [
        (n, whole, keep_or_lie(k, ceil(whole / (exp(e) + k - 1)), whole)) for n, k, e in declared
    ]
    return [
        *ours,
        ("direct, denominator 1", 1, keep_or_lie(3, 0, 1)),
        ("a byte", 2**8, [[192, 64], [64, 192]]),
        ("twelve bits", 2**12, keep_or_lie(4, 700, 2**12)),
        ("52 bits", 2**52, keep_or_lie(5, 2**49 + 1, 2**52)),
        ("impossible reports", 2**16, [[65536, 0, 0], [32768, 32768, 0], [0, 1, 65535]]),
        ("whole set of 3 and a refusal", 2**32, keep_or_lie(9, 2**32 // 20, 2**32)),
        ("fewer reports than truths", 2**8, [[200, 56], [128, 128], [64, 192], [57, 199]]),
        ("more reports than truths", 2**16, [[1, 2, 3, 65530], [65530, 3, 2, 1]]),
    ]


def edges(columns: list[list[int]], truth: int, denominator: int) -> list[bytes]:
    """Bytes for the integers on both sides of every boundary of a column."""
    width = ceil((denominator - 1).bit_length() / 8)
    ends = [sum(columns[truth][: report + 1]) for report in range(len(columns[truth]))]
    near = sorted({r for end in (0, *ends) for r in (end - 1, end) if 0 <= r < denominator})
    return [r.to_bytes(width, "big") for r in near]


def draws() -> list[dict]:
    cases = []
    for name, denominator, columns in tables():
        for truth in range(min(len(columns), 5)):
            streams = edges(columns, truth, denominator)[:12]
            streams += [fixed_bytes(f"{name} {truth} {i}", 16) for i in range(4)]
            for stream in streams:
                report, used = naive_report(columns[truth], denominator, stream)
                cases.append(
                    {"table": name, "truth": truth, "bytes": stream[:used].hex(), "report": report}
                )
    return cases


def uniforms() -> list[dict]:
    cases = []
    around = [power + step for power in (2**8, 2**16) for step in (-1, 0, 1)]
    for n in (1, 2, 3, 5, 6, 7, 10, 100, *around[:3], 1000, *around[3:], 10**6, 2**32 - 1):
        cases += [uniform_case(n, fixed_bytes(f"below {n} {i}", 400)) for i in range(4)]
    cases += [uniform_case(2**32, fixed_bytes(f"word {i}", 4)) for i in range(4)]
    cases += [uniform_case(2**32 + 1, fixed_bytes(f"five {i}", 400)) for i in range(2)]
    cases += [uniform_case(6, b"\xff\x07\x06\xfe\x05"), uniform_case(2**52, b"\xff" * 7)]
    return cases


def uniform_case(n: int, stream: bytes) -> dict:
    drawn, used = naive_uniform(n, stream)
    size = ceil((n - 1).bit_length() / 8)
    rejected = used // size - 1 if size else 0
    return {"n": n, "bytes": stream[:used].hex(), "drawn": drawn, "rejected": rejected}


if __name__ == "__main__":
    listed = [{"name": n, "denominator": d, "columns": c} for n, d, c in tables()]
    write("device_draws.json", {"format": 1, "tables": listed, "draws": draws()})
    write("uniform_below.json", {"format": 1, "draws": uniforms()})
