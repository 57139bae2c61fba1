"""Documents of groups of questions that break a rule each; see broken_documents.py."""

from typing import Any

from tests.vectors.broken_documents import Change
from tests.vectors.make_wire_vectors import analysis, device, joint, uniform


def _in_group(**other: Any) -> Change:
    """A change of the table of the first group, in a document of groups."""
    return lambda d: d["devices"][0].update(table=d["devices"][0]["table"] | other)


def _of_group(**other: Any) -> Change:
    return lambda d: d["devices"][0].update(other)


BROKEN_GROUPS: dict[str, tuple[Change, str, str]] = {
    "a group of one question": (
        _of_group(questions=["smokes"]),
        "several_questions",
        "devices.0.questions",
    ),
    "a dense table over two questions": (
        _of_group(table=uniform(6, 6, 2)),
        "several_questions",
        "devices.0.questions",
    ),
    "a question of another survey in a group": (
        _of_group(questions=["smokes", "poll"]),
        "unknown_question",
        "devices.0.questions",
    ),
    "a known share in a group": (
        lambda d: d["questions"][0].update(known="0"),
        "bad_known",
        "questions.0.known",
    ),
    "a group of questions apart": (
        _of_group(questions=["smokes", "mood"]),
        "bad_group",
        "devices.0.questions",
    ),
    "a group of questions in another order": (
        _of_group(questions=["party", "smokes"]),
        "bad_group",
        "devices.0.questions",
    ),
    "a question twice in a group": (
        _of_group(questions=["smokes", "smokes"]),
        "bad_group",
        "devices.0.questions",
    ),
    "a group under another name": (_of_group(id="group_2"), "bad_name", "devices.0.id"),
    "a group with an option": (_of_group(option=0), "bad_option", "devices.0.option"),
    "a group in hand": (
        _of_group(stratum="physical", instructions=["Throw two dice."]),
        "bad_text",
        "devices.0.instructions",
    ),
    "a group with boxes": (
        lambda d: d["questions"][1].update(control="boxes"),
        "bad_group",
        "devices.0.questions",
    ),
    "a group with a direct question": (
        lambda d: d["questions"][1].update(randomized=False),
        "bad_choice",
        "devices.0.epsilon",
    ),
    "a group that is partly required": (
        lambda d: d["questions"][1].update(required=False),
        "bad_group",
        "devices.0.questions",
    ),
    "a group of other answers": (
        lambda d: d["questions"][1].update(categories=["Red", "Blue", "Green", "None"]),
        "wrong_length",
        "devices.0.table",
    ),
    "a question in a group and alone": (
        lambda d: d.update(
            epsilon="5", devices=[*d["devices"], device("party", uniform(3, 2, 1), "0.7")]
        ),
        "not_covered",
        "questions.1",
    ),
    "a group without an epsilon": (_of_group(epsilon=None), "not_identity", "devices.0.table"),
    "a group sent by cards": (_of_group(look="cards"), "bad_cards", "devices.0.table"),
    "a group with a delta": (_of_group(delta="0.01"), "too_revealing", "devices.0.delta"),
    "an epsilon one ulp below that of a group": (
        _of_group(epsilon="2.079441541679"),
        "too_revealing",
        "devices.0.epsilon",
    ),
    "a group that rules a combination out": (
        _in_group(weights=[10, 2, 0]),
        "too_revealing",
        "devices.0.epsilon",
    ),
    "an extra key in a joint table": (
        _in_group(reports=["A", "B"]),
        "unknown_key",
        "devices.0.table.reports",
    ),
    "a joint table of one part": (
        _in_group(parts=[["A", "B", "C", "D", "E", "F"]]),
        "wrong_length",
        "devices.0.table.parts",
    ),
    "a joint table with letters alike": (
        _in_group(parts=[["A", "A"], ["A", "B", "C"]]),
        "bad_labels",
        "devices.0.table.parts.0",
    ),
    "a weight too few": (_in_group(weights=[8, 2]), "wrong_length", "devices.0.table.weights"),
    "a weight too many": (
        _in_group(weights=[8, 2, 1, 0]),
        "wrong_length",
        "devices.0.table.weights",
    ),
    "a weight with a fraction": (
        _in_group(weights=[8.5, 2, 1]),
        "not_an_integer",
        "devices.0.table.weights.0",
    ),
    "a weight below zero": (
        _in_group(weights=[12, 2, -1]),
        "not_an_integer",
        "devices.0.table.weights.2",
    ),
    "weights of the wrong sum": (
        _in_group(weights=[9, 2, 1]),
        "wrong_sum",
        "devices.0.table.weights",
    ),
    "weights of six sixths": (
        _in_group(weights=[1, 1, 1], denominator=6),
        "not_power_of_two",
        "devices.0.table.denominator",
    ),
    "too many combinations": (
        _in_group(parts=[[str(i) for i in range(1_025)]] * 2, weights=[1, 0, 0], denominator=1),
        "bad_group",
        "devices.0.table.parts",
    ),
    "a table of two questions of a group": (
        lambda d: d.update(linkage="together", tables=[["smokes", "party"]]),
        "bad_table",
        "tables.0",
    ),
    "an analysis of two questions of a group": (
        lambda d: d.update(linkage="together", analyses=[analysis("smokes", "region", "party")]),
        "bad_analysis",
        "analyses.0.predictors",
    ),
    "an analysis of two predictors of a group": (
        lambda d: d.update(linkage="together", analyses=[analysis("region", "mood", "leave")]),
        "bad_analysis",
        "analyses.0.predictors",
    ),
    "a group beside tiers": (
        lambda d: d.update(tiers=[{"name": "All", "share": "0.5"}, {"name": "We", "share": "1"}]),
        "clash",
        "tiers",
    ),
}


def _earlier(**values: Any) -> Change:
    return lambda d: d["devices"][0]["earlier"][0].update(values)


# Documents in their second wave.
BROKEN_GROUPS_AGAIN: dict[str, tuple[Change, str, str]] = {
    "a group with another table in the wave before": (
        _earlier(table=joint([2, 3], 4, 2, 3)),
        "not_relaxed",
        "devices.0.earlier.0",
    ),
    "a group that was one question before": (
        _earlier(table=uniform(6, 11, 1)),
        "not_relaxed",
        "devices.0.earlier.0",
    ),
    "a group that is relaxed": (
        _earlier(degradation={"form": "uniform", "denominator": "1", "kept": "1", "other": "0"}),
        "not_relaxed",
        "devices.0.earlier.0",
    ),
    "a group without its wave before": (
        _of_group(earlier=[]),
        "bad_earlier",
        "devices.0.earlier",
    ),
    "a group of a survey without codes in a second wave": (
        lambda d: d.update(mode="open"),
        "not_pseudonymous",
        "wave",
    ),
}
