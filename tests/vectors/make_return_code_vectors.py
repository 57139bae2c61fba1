"""Write return_codes.json: python -m tests.vectors.make_return_code_vectors

The check is computed from the whole number of the 18 symbols, and the bytes as text in base 2.
"""

from itertools import pairwise
from typing import Any

from tests.vectors.case_lines import write
from tests.vectors.make_device_vectors import fixed_bytes

SYMBOLS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def whole_number(symbols: str) -> int:
    return sum(SYMBOLS.index(symbol) * 32**place for place, symbol in enumerate(symbols[::-1]))


def check_of(symbols: str) -> str:
    rest = whole_number(symbols) % 1021
    return SYMBOLS[rest // 32] + SYMBOLS[rest % 32]


def code_of(symbols: str) -> str:
    whole = symbols + check_of(symbols)
    return "-".join([whole[0:4], whole[4:8], whole[8:12], whole[12:16], whole[16:20]])


def drawn() -> list[dict[str, str]]:
    streams = [fixed_bytes(f"return code {number}", 18) for number in range(8)]
    streams += [bytes(18), b"\xff" * 18, bytes(range(14, 32))]
    symbols = ["".join(SYMBOLS[int(f"{byte:08b}"[3:], 2)] for byte in part) for part in streams]
    return [
        {"bytes": stream.hex(), "symbols": text, "check": check_of(text), "code": code_of(text)}
        for stream, text in zip(streams, symbols, strict=True)
    ]


def typed(code: str, with_ones_and_zeros: str) -> list[dict[str, str | None]]:
    """Return what people type, and the code that it means."""
    bare, spoken = code.replace("-", ""), with_ones_and_zeros
    means = [
        code,
        bare,
        code.lower(),
        f"  {code.replace('-', ' ')}\n",
        code.replace("-", "\u2013"),
        f"{bare[:3]} {bare[3:]}",
    ]
    looks = [
        spoken.replace("0", "O").replace("1", "I"),
        spoken.replace("0", "o").replace("1", "l"),
    ]
    nothing = [
        "",
        "  ",
        code[:-1],
        f"{code}0",
        code.replace("-", "."),
        "U" + code[1:],
        "\u0661" * 20,
    ]
    return [
        *({"typed": text, "code": code} for text in means),
        *({"typed": text, "code": spoken} for text in looks),
        *({"typed": text, "code": None} for text in nothing),
    ]


def wrong(code: str) -> list[str]:
    """Every one of its symbols replaced by every other one, and every two neighbours swapped."""
    places = [place for place, symbol in enumerate(code) if symbol != "-"]
    others = [
        code[:place] + symbol + code[place + 1 :]
        for place in places
        for symbol in SYMBOLS
        if symbol != code[place]
    ]
    swapped = []
    for first, second in pairwise(places):
        symbols = list(code)
        symbols[first], symbols[second] = symbols[second], symbols[first]
        swapped.append("".join(symbols))
    return [*others, *(text for text in swapped if text != code)]


def return_code_vectors() -> dict[str, Any]:
    cases = drawn()
    code = cases[0]["code"]
    look_alikes = code_of("10" * 9)
    not_codes = [
        code.lower(),
        code.replace("-", ""),
        f"{code}\n",
        f" {code}",
        code[:-1],
        "",
        None,
        7,
    ]
    return {
        "format": 1,
        "drawn": cases,
        "typed": typed(code, look_alikes),
        "wrong": wrong(code),
        "not_codes": not_codes,
    }


if __name__ == "__main__":
    write("return_codes.json", return_code_vectors())
