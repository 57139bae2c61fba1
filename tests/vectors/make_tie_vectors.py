"""Write tie_draws.json: python -m tests.vectors.make_tie_vectors

Draws of reports on a roster. A second, deliberately naive reading of docs/protocol.md, section 13:
the roster is gone through name by name, and every number below the denominator is written down as
a 0 or a 1 where there are few of them.
"""

from math import ceil
from typing import Any

from tests.vectors.case_lines import write
from tests.vectors.make_device_vectors import fixed_bytes, naive_uniform
from tests.vectors.make_wire_vectors import ties as tie_bits

FEW = 2**16
# Members, denominator, and the numbers below which a tie and none are sent as 1.
TABLES: dict[str, tuple[int, int, int, int]] = {
    "three members, two bits": (3, 4, 3, 1),
    "four members, four bits": (4, 16, 12, 4),
    "five members, a byte, uneven": (5, 256, 131, 17),
    "six members, twelve bits": (6, 4096, 4000, 2),
    "six members, epsilon 2": (6, 2**32, 3783005013, 511962283),
    "four members, 52 bits": (4, 2**52, 2**51 + 7, 2**49 + 1),
    "a hundred members": (100, 2**32, 3139872773, 1155094523),
}


def one_or_zero(denominator: int, ones: int, number: int) -> str:
    if denominator > FEW:
        return "1" if number < ones else "0"
    return ("1" * ones + "0" * (denominator - ones))[number]


def report_of(
    codes: list[str], member: str, ties: list[str], table: tuple[int, int, int, int], stream: bytes
) -> tuple[str, int]:
    """The report, and how many bytes it took."""
    _, denominator, one, zero = table
    report, used = "", 0
    for code in codes:
        if code == member:
            continue
        number, size = naive_uniform(denominator, stream[used:])
        used += size
        report += one_or_zero(denominator, one if code in ties else zero, number)
    return report, used


def edges(table: tuple[int, int, int, int]) -> list[bytes]:
    """For every bit the numbers on both sides of each boundary, in all bits the same."""
    members, denominator, one, zero = table
    size = ceil((denominator - 1).bit_length() / 8)
    near = sorted({n for end in (0, zero, one, denominator) for n in (end - 1, end)})
    return [n.to_bytes(size, "big") * (members - 1) for n in near if 0 <= n < denominator]


def draws() -> list[dict[str, Any]]:
    cases = []
    for name, table in TABLES.items():
        codes = codes_of(table[0])
        size = 8 * len(codes)
        for place in sorted({0, 1, len(codes) // 2, len(codes) - 1}):
            member = codes[place]
            others = [code for code in codes if code != member]
            for ties in ([], others[:1], others[-1:], others[::2], others):
                label = f"ties {name} {member} {' '.join(ties)}"
                streams = [fixed_bytes(f"{label} {index}", size) for index in range(2)]
                if place == 0 and len(codes) < 10:
                    streams += edges(table)
                for stream in streams:
                    report, used = report_of(codes, member, ties, table, stream)
                    case = {"table": name, "member": member, "ties": ties}
                    cases.append({**case, "bytes": stream[:used].hex(), "report": report})
    return cases


def codes_of(members: int) -> list[str]:
    """Not in the order of the alphabet: the roster has an order of its own."""
    return [f"{'bac'[number % 3]}{number:02}" for number in range(members)]


def served() -> dict[str, Any]:
    return {
        name: {
            "codes": codes_of(members),
            "table": tie_bits(members - 1, one, zero) | {"denominator": denominator},
        }
        for name, (members, denominator, one, zero) in TABLES.items()
    }


if __name__ == "__main__":
    write("tie_draws.json", {"format": 1, "tables": served(), "draws": draws()})
