"""Documents of rosters that break a rule each; see broken_documents.py."""

from tests.vectors.breaches import Breach, at, at_once, but
from tests.vectors.make_wire_vectors import device, ties, uniform

CODES = [f"m{number}" for number in range(1_001)]
FIFTY_ONE = [f"Group {number}" for number in range(51)]

BROKEN_ROSTERS: dict[str, Breach] = {
    "links without a roster": at("roster", None, "bad_roster"),
    "a roster behind an open link": at("mode", "open", "bad_roster", "roster"),
    "a roster behind return codes": at("mode", "pseudonymous", "bad_roster", "roster"),
    "ties behind an open link": at_once({"mode": "open", "roster": None}, "not_personal", "mode"),
    "a direction behind an open link": at_once(
        {
            "mode": "open",
            "roster": None,
            **dict.fromkeys(["questions", "devices"], lambda there: there[2:]),
            "questions.0.directed": True,
        },
        "bad_roster",
        "questions.0.directed",
    ),
    "links for nothing about the roster": at_once(
        dict.fromkeys(["questions", "devices"], lambda there: there[2:]), "not_personal", "mode"
    ),
    "two members": at("roster.codes", ["a", "b"], "bad_number"),
    "too many members": at("roster.codes", CODES, "bad_number"),
    "a code twice": at("roster.codes", ["a01", "a02", "a01", "b-4", "c_5"], "duplicate"),
    "a code with a space": at(
        "roster.codes", ["a 1", "a02", "B.3", "b-4", "c_5"], "bad_code", ".0"
    ),
    "a code that begins with a hyphen": at(
        "roster.codes", ["a01", "-2", "B.3", "b-4", "c_5"], "bad_code", ".1"
    ),
    "one group": at(
        "roster", but(groups=["All"], group_of=[0, 0, 0, 0, 0]), "wrong_length", ".groups"
    ),
    "too many groups": at("roster.groups", FIFTY_ONE, "wrong_length"),
    "a group twice": at("roster.groups", ["Early", "Early"], "duplicate"),
    "a group of nobody": at("roster.group_of", [0, 0, 0, 0, 0], "bad_roster"),
    "a group that there is not": at("roster.group_of", [0, 0, 1, 2, 0], "bad_roster"),
    "somebody without a group": at("roster.group_of", [0, 0, 1, 1], "wrong_length"),
    "numbers of groups that are not there": at(
        "roster", but(groups=[]), "wrong_length", ".group_of"
    ),
    "names in the document": at("roster.names", ["Ana"], "unknown_key"),
    "ties without a direction": at("questions.0.directed", None, "bad_roster"),
    "a direction of an answer": at("questions.2.directed", True, "bad_roster"),
    "ties with categories": at("questions.0.categories", ["Ana", "Ben"], "wrong_length"),
    "ties with a refusal": at(
        "questions.0",
        but(prefer_not=True, categories=["Prefer not to say"]),
        "wrong_length",
        ".categories",
    ),
    "a direct answer by name": at_once(
        {
            "questions.2.randomized": False,
            "devices.2": device("smokes", uniform(2, 1, 0), None),
        },
        "not_randomized",
        "questions.2.randomized",
    ),
    "a bit for oneself": at("devices.0.table.bits", 5, "wrong_length"),
    "a bit too few": at("devices.0.table.bits", 3, "wrong_length"),
    "one bit": at("devices.0.table.bits", 1, "bad_number"),
    "ties of a third": at("devices.0.table.denominator", 15, "not_power_of_two"),
    "a tie that is certain beyond one": at("devices.0.table.one", 17, "wrong_sum"),
    "ties as rare as none": at("devices.0.table.one", 4, "bad_ties"),
    "ties rarer than none": at("devices.0.table", but(one=4, zero=12), "bad_ties", ".one"),
    "a tie that proves itself": at("devices.0.table.zero", 0, "too_revealing", "devices.0.epsilon"),
    "no tie that proves itself": at(
        "devices.0.table.one", 16, "too_revealing", "devices.0.epsilon"
    ),
    "an epsilon just below that of a tie": at(
        "devices.0.epsilon", "1.098612288668", "too_revealing"
    ),
    "ties with a table of codes": at("devices.0.table", uniform(2, 3, 1), "bad_form"),
    "an answer with ties": at("devices.2.table", ties(4, 12, 4), "bad_form"),
    "kept apart": at("linkage", "apart", "not_together", "mode"),
    "a second wave": at_once(
        {"wave": 2, "previous": "sha256:" + "5" * 64}, "not_pseudonymous", "wave"
    ),
    "over the budget": at("epsilon", "3.29", "over_budget"),
}
