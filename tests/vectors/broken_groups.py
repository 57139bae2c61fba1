"""Documents of groups of questions that break a rule each; see broken_documents.py."""

from tests.vectors.breaches import Breach, at, at_once, but
from tests.vectors.make_wire_vectors import analysis, device, joint, uniform

BROKEN_GROUPS: dict[str, Breach] = {
    "a group of one question": at("devices.0.questions", ["smokes"], "several_questions"),
    "a dense table over two questions": at(
        "devices.0", but(table=uniform(6, 6, 2)), "several_questions", ".questions"
    ),
    "a question of another survey in a group": at(
        "devices.0.questions", ["smokes", "poll"], "unknown_question"
    ),
    "a known share in a group": at("questions.0.known", "0", "bad_known"),
    "a group of questions apart": at("devices.0.questions", ["smokes", "mood"], "bad_group"),
    "a group of questions in another order": at(
        "devices.0.questions", ["party", "smokes"], "bad_group"
    ),
    "a question twice in a group": at("devices.0.questions", ["smokes", "smokes"], "bad_group"),
    "a group under another name": at("devices.0.id", "group_2", "bad_name"),
    "a group with an option": at("devices.0.option", 0, "bad_option"),
    "a group in hand": at(
        "devices.0",
        but(stratum="physical", instructions=["Throw two dice."]),
        "bad_text",
        ".instructions",
    ),
    "a group with boxes": at("questions.1.control", "boxes", "bad_group", "devices.0.questions"),
    "a group with a direct question": at(
        "questions.1.randomized", False, "bad_choice", "devices.0.epsilon"
    ),
    "a group that is partly required": at(
        "questions.1.required", False, "bad_group", "devices.0.questions"
    ),
    "a group of other answers": at(
        "questions.1.categories",
        ["Red", "Blue", "Green", "None"],
        "wrong_length",
        "devices.0.table",
    ),
    "a question in a group and alone": at_once(
        {"epsilon": "5", "devices.3": device("party", uniform(3, 2, 1), "0.7")},
        "not_covered",
        "questions.1",
    ),
    "a group without an epsilon": at("devices.0", but(epsilon=None), "not_identity", ".table"),
    "a group sent by cards": at("devices.0", but(look="cards"), "bad_cards", ".table"),
    "a group with a delta": at("devices.0.delta", "0.01", "too_revealing"),
    "an epsilon one ulp below that of a group": at(
        "devices.0.epsilon", "2.079441541679", "too_revealing"
    ),
    "a group that rules a combination out": at(
        "devices.0.table.weights", [10, 2, 0], "too_revealing", "devices.0.epsilon"
    ),
    "an extra key in a joint table": at("devices.0.table.reports", ["A", "B"], "unknown_key"),
    "a joint table of one part": at(
        "devices.0.table.parts", [["A", "B", "C", "D", "E", "F"]], "wrong_length"
    ),
    "a joint table with letters alike": at(
        "devices.0.table.parts",
        [["A", "A"], ["A", "B", "C"]],
        "bad_labels",
        ".0",
    ),
    "a weight too few": at("devices.0.table.weights", [8, 2], "wrong_length"),
    "a weight too many": at("devices.0.table.weights", [8, 2, 1, 0], "wrong_length"),
    "a weight with a fraction": at("devices.0.table.weights", [8.5, 2, 1], "not_an_integer", ".0"),
    "a weight below zero": at("devices.0.table.weights", [12, 2, -1], "not_an_integer", ".2"),
    "weights of the wrong sum": at("devices.0.table.weights", [9, 2, 1], "wrong_sum"),
    "weights of six sixths": at(
        "devices.0.table", but(weights=[1, 1, 1], denominator=6), "not_power_of_two", ".denominator"
    ),
    "too many combinations": at(
        "devices.0.table",
        but(parts=[[str(i) for i in range(1_025)]] * 2, weights=[1, 0, 0], denominator=1),
        "bad_group",
        ".parts",
    ),
    "a table of two questions of a group": at_once(
        {"linkage": "together", "tables": [["smokes", "party"]]}, "bad_table", "tables.0"
    ),
    "an analysis of two questions of a group": at_once(
        {"linkage": "together", "analyses": [analysis("smokes", "region", "party")]},
        "bad_analysis",
        "analyses.0.predictors",
    ),
    "an analysis of two predictors of a group": at_once(
        {"linkage": "together", "analyses": [analysis("region", "mood", "leave")]},
        "bad_analysis",
        "analyses.0.predictors",
    ),
    "a group beside tiers": at(
        "tiers",
        [{"name": "All", "share": "0.5"}, {"name": "We", "share": "1"}],
        "clash",
        "tiers",
    ),
}


# Documents in their second wave.
BROKEN_GROUPS_AGAIN: dict[str, Breach] = {
    "a group with another table in the wave before": at(
        "devices.0.earlier.0", but(table=joint([2, 3], 4, 2, 3)), "not_relaxed"
    ),
    "a group that was one question before": at(
        "devices.0.earlier.0", but(table=uniform(6, 11, 1)), "not_relaxed"
    ),
    "a group that is relaxed": at(
        "devices.0.earlier.0",
        but(degradation={"form": "uniform", "denominator": "1", "kept": "1", "other": "0"}),
        "not_relaxed",
    ),
    "a group without its wave before": at("devices.0.earlier", [], "bad_earlier"),
    "a group of a survey without codes in a second wave": at(
        "mode", "open", "not_pseudonymous", "wave"
    ),
}
