"""Documents of random pairs that break a rule each; see broken_documents.py."""

from typing import Any

from tests.vectors.broken_documents import Change
from tests.vectors.make_wire_vectors import analysis, device, uniform


def _of_pair(index: int, **other: Any) -> Change:
    return lambda d: d["devices"][index].update(other)


BROKEN_PAIRS: dict[str, tuple[Change, str, str]] = {
    "a pair of three": (
        _of_pair(0, questions=["smokes", "party", "mood"]),
        "bad_pairs",
        "devices.0.questions",
    ),
    "a pair with a question of another survey": (
        _of_pair(0, questions=["smokes", "poll"]),
        "unknown_question",
        "devices.0.questions",
    ),
    "a pair in another order": (
        _of_pair(0, questions=["party", "smokes"]),
        "bad_pairs",
        "devices.0.questions",
    ),
    "a pair under another name": (_of_pair(1, id="pair_2"), "bad_name", "devices.1.id"),
    "a pair of another stratum": (
        _of_pair(1, stratum="pair_1_3"),
        "bad_pairs",
        "devices.1.stratum",
    ),
    "a pair with an option": (_of_pair(1, option=1), "bad_option", "devices.1.option"),
    "a pair in hand": (
        _of_pair(0, instructions=["Throw two dice."]),
        "bad_text",
        "devices.0.instructions",
    ),
    "a pair of other answers": (
        lambda d: d["questions"][3].update(categories=["Low", "High"]),
        "wrong_length",
        "devices.1.table",
    ),
    "a pair that is partly required": (
        lambda d: d["questions"][3].update(required=False),
        "bad_group",
        "devices.1.questions",
    ),
    "a pair left out": (lambda d: d["devices"].pop(1), "bad_pairs", "devices"),
    "a pair alone": (
        lambda d: d.update(
            devices=[
                d["devices"][0],
                d["devices"][3],
                device("mood", uniform(3, 2, 1), "0.7"),
            ],
            epsilon="3",
        ),
        "bad_pairs",
        "devices",
    ),
    "pairs in another order": (
        lambda d: d["devices"].reverse(),
        "bad_pairs",
        "devices",
    ),
    "a question in pairs and alone": (
        lambda d: d.update(
            devices=[*d["devices"], device("mood", uniform(3, 2, 1), "0.7")], epsilon="3"
        ),
        "not_covered",
        "questions.3",
    ),
    "pairs under return codes": (
        lambda d: d.update(mode="pseudonymous", linkage="together"),
        "clash",
        "return_codes",
    ),
    "a table of a paired question": (
        lambda d: d.update(linkage="together", tables=[["smokes", "region"]]),
        "bad_table",
        "tables.0",
    ),
    "an analysis of what nobody is asked together": (
        lambda d: d.update(linkage="together", analyses=[analysis("smokes", "region")]),
        "clash",
        "pilots",
    ),
    "weights for what nobody is asked together": (
        lambda d: d.update(
            linkage="together",
            weighting={"margins": [{"question": "region", "shares": ["0.5", "0.5"]}]},
        ),
        "clash",
        "pilots",
    ),
    "a pair that reveals more than the rest": (
        lambda d: d["devices"][0].update(epsilon="2.2"),
        "over_budget",
        "epsilon",
    ),
    "a pair that reveals more than it says": (
        lambda d: d["devices"][2].update(epsilon="1.7917"),
        "too_revealing",
        "devices.2.epsilon",
    ),
}
