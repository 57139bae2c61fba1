"""Write strength.json: python -m tests.vectors.make_strength_vectors

A second implementation in decimals of 60 digits, from the definitions: the likelihood ratio of a
device is the largest quotient of two entries of a row; the ratios of one person's devices multiply;
after a ratio of F an even guess is right F times in F + 1, at most.
"""

from decimal import ROUND_CEILING, Decimal, getcontext
from typing import Any

from tests.vectors import make_wire_vectors as wire
from tests.vectors.case_lines import write

getcontext().prec = 60
WHOLE = 2**32

Json = dict[str, Any]


def keeping(epsilon: str, answers: int) -> Json:
    """Randomized response with as large a share kept as epsilon allows."""
    factor = Decimal(epsilon).exp()
    other = int((Decimal(WHOLE) / (factor + answers - 1)).to_integral_value(ROUND_CEILING))
    return wire.uniform(answers, WHOLE - (answers - 1) * other, other)


def response(name: str, epsilon: str, answers: int = 2, **other: Any) -> Json:
    return wire.device(name, keeping(epsilon, answers), epsilon, **other)


def surveys() -> dict[str, list[Json]]:
    one = {
        f"one question at {e}": [response("a", e)] for e in ("0.5", "1", "2", "4", "5", "7", "8")
    }
    totals = {
        "a total of 3": [response("a", "1.5"), response("b", "1.5", 5)],
        "a total of 5": [response(name, "1.25") for name in "abcd"],
        "a total of 10": [response(name, "2") for name in "abcde"],
        "a total above 10": [response(name, "2") for name in "abcde"] + [response("f", "0.01")],
        "a total of 14": [response(name, "2") for name in "abcdefg"],
        "a total of 60": [response(f"q{i}", "4", 3) for i in range(15)],
    }
    ticks = [response(f"t_{i}", "0.666666", questions=["t"]) for i in (1, 2, 3)]
    physical = wire.device("a", wire.uniform(2, 5, 1), "1.6095", stratum="physical")
    weak = wire.device("d", wire.uniform(2, 9, 1), "1")
    proving = wire.device("d", wire.dense([[64, 0], [63, 1]]), "0.1")
    many_hashes = wire.bloom(4, 4096, 2048, 2147000000, 2146000000)
    direct = wire.device("e", wire.uniform(2, 1, 0), None)
    return {
        **one,
        **totals,
        "just above 4": [response("a", "4.0001")],
        "several devices of one question add up": ticks,
        "the largest of the strata": [response("a", "1"), physical],
        "a delta: the table's own ratio": [weak],
        "a report that proves": [proving, response("a", "2")],
        "direct questions say nothing here": [direct, response("a", "1")],
        "only direct questions": [direct],
        "all kinds of devices": wire.everything()["devices"],
        "short texts": wire.texts()["devices"],
        "a text with many hashes": [wire.device("a", many_hashes, "2")],
        "a text that proves": [wire.device("a", wire.bloom(1, 8, 1, 8, 0), "2")],
    }


def ratio_of(table: Json) -> Decimal | None:
    if table["form"] == "bloom":
        # Each of two texts sets as many bits that the other clears.
        set_bit = table["one"] * (table["denominator"] - table["zero"])
        clear_bit = table["zero"] * (table["denominator"] - table["one"])
        return (Decimal(set_bit) / clear_bit) ** table["hashes"] if clear_bit else None
    rows = list(zip(*wire.columns_of(table), strict=True))
    if any(0 in row and any(row) for row in rows):
        return None
    return max(Decimal(a) / b for row in rows for a in row for b in row if b)


def expected_losses(devices: list[Json]) -> Json:
    losses: dict[str, dict[str, Decimal]] = {}
    identifying = False
    for each in devices:
        if each["epsilon"] is None:
            continue
        ratio = ratio_of(each["table"])
        identifying = identifying or ratio is None
        loss = Decimal(each["epsilon"]) if ratio is None else ratio.ln()
        of_question = losses.setdefault(each["questions"][0], {})
        of_question[each["id"]] = max(loss, of_question.get(each["id"], loss))
    sums = [sum(of_question.values()) for of_question in losses.values()]
    question, person = up(100 * max(sums, default=Decimal(0))), up(100 * sum(sums, Decimal(0)))
    return {
        "strength": {
            "questions": len(sums),
            "question": question,
            "person": person,
            "identifying": identifying,
        },
        "question_level": sum((question >= 200, question > 400, question >= 700)),
        "person_level": sum((person >= 500, person > 1000)),
        "question_guess": guess(question),
        "person_guess": guess(person),
    }


def guess(loss: int) -> list[int] | None:
    factor = (Decimal(loss) / 100).exp()
    share = factor / (factor + 1)
    tries = [(up(10**digits * share), 10**digits) for digits in range(2, 7)]
    return next(([right, people] for right, people in tries if right < people), None)


def up(value: Decimal) -> int:
    return int(value.to_integral_value(ROUND_CEILING))


def strength_vectors() -> Json:
    return {
        "format": 1,
        "surveys": [
            {"name": name, "devices": devices, **expected_losses(devices)}
            for name, devices in surveys().items()
        ],
    }


if __name__ == "__main__":
    write("strength.json", strength_vectors())
