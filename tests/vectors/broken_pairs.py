"""Documents of random pairs that break a rule each; see broken_documents.py."""

from tests.vectors.breaches import GONE, Breach, at, at_once
from tests.vectors.make_wire_vectors import analysis, device, uniform

MOOD = device("mood", uniform(3, 2, 1), "0.7")

BROKEN_PAIRS: dict[str, Breach] = {
    "a pair of three": at("devices.0.questions", ["smokes", "party", "mood"], "bad_pairs"),
    "a pair with a question of another survey": at(
        "devices.0.questions", ["smokes", "poll"], "unknown_question"
    ),
    "a pair in another order": at("devices.0.questions", ["party", "smokes"], "bad_pairs"),
    "a pair under another name": at("devices.1.id", "pair_2", "bad_name"),
    "a pair of another stratum": at("devices.1.stratum", "pair_1_3", "bad_pairs"),
    "a pair with an option": at("devices.1.option", 1, "bad_option"),
    "a pair in hand": at("devices.0.instructions", ["Throw two dice."], "bad_text"),
    "a pair of other answers": at(
        "questions.3.categories", ["Low", "High"], "wrong_length", "devices.1.table"
    ),
    "a pair that is partly required": at(
        "questions.3.required", False, "bad_group", "devices.1.questions"
    ),
    "a pair left out": at("devices.1", GONE, "bad_pairs", "devices"),
    "a pair alone": at_once(
        {"devices": lambda there: [there[0], there[3], MOOD], "epsilon": "3"},
        "bad_pairs",
        "devices",
    ),
    "pairs in another order": at("devices", lambda there: there[::-1], "bad_pairs"),
    "a question in pairs and alone": at_once(
        {"devices.4": MOOD, "epsilon": "3"}, "not_covered", "questions.3"
    ),
    "pairs under return codes": at_once(
        {"mode": "pseudonymous", "linkage": "together"}, "clash", "return_codes"
    ),
    "a table of a paired question": at_once(
        {"linkage": "together", "tables": [["smokes", "region"]]}, "bad_table", "tables.0"
    ),
    "an analysis of what nobody is asked together": at_once(
        {"linkage": "together", "analyses": [analysis("smokes", "region")]},
        "clash",
        "pilots",
    ),
    "weights for what nobody is asked together": at_once(
        {
            "linkage": "together",
            "weighting": {"margins": [{"question": "region", "shares": ["0.5", "0.5"]}]},
        },
        "clash",
        "pilots",
    ),
    "a pair that reveals more than the rest": at(
        "devices.0.epsilon", "2.2", "over_budget", "epsilon"
    ),
    "a pair that reveals more than it says": at("devices.2.epsilon", "1.7917", "too_revealing"),
}
