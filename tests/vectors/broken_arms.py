"""Documents with arms that break a rule each; see broken_documents.py."""

from collections.abc import Callable
from typing import Any

from tests.vectors.breaches import GONE, Breach, Json, at, at_once, but
from tests.vectors.make_wire_vectors import (
    SEARCH,
    arms,
    dense,
    device,
    grouped,
    paired,
    rosters,
    third_wave,
    tiered,
    uniform,
)

HALF = arms(page=50, split=50)
HALVES = uniform(2, 5, 3)
SMOKES_AGAIN = device("smokes", HALVES, "0.52", stratum="split")
ILL = {"questions": ["ill"], "stratum": "split"}
COIN = {"stratum": "coin", "instructions": ["Toss a coin."]}


def only(*strata: str) -> Callable[[list[Json]], list[Json]]:
    """The devices without those of other strata."""
    return lambda devices: [each for each in devices if each["stratum"] in strata]


def instead(document: Json, code: str, told: str, *devices: Json) -> Breach:
    """Another document with arms, to which devices are added."""
    devices_of_both = [*document["devices"], *devices]
    return at_once(document | {"arms": HALF, "devices": devices_of_both}, code, told)


def more(told: str, name: str, table: Json, epsilon: str | None, **other: Any) -> Breach:
    """One more device, of a second sample where nothing else is said."""
    added = device(name, table, epsilon, **{"stratum": "split"} | other)
    return at("devices.11", added, "bad_arms", told)


BROKEN_ARMS: dict[str, Breach] = {
    "arms no list": at("arms", {}, "not_a_list"),
    "arms null": at("arms", None, "not_a_list"),
    "no key of arms": at("arms", GONE, "missing_key"),
    "five arms": at("arms", arms(page=96, split=1, direct=1, a=1, b=1), "wrong_length"),
    "an arm no object": at("arms", ["page", "split"], "not_an_object", ".0"),
    "an arm with another key": at("arms.1.epsilon", "1", "unknown_key"),
    "an arm without a share": at("arms.1.share", GONE, "missing_key"),
    "an arm that is no name": at("arms.1.stratum", "Split", "bad_name"),
    "an arm of nobody": at("arms.1.share", 0, "bad_number"),
    "an arm of everybody": at("arms.1.share", 100, "bad_number"),
    "a share as text": at("arms.1.share", "35", "bad_number"),
    "one arm": at_once({"arms": arms(page=70), "devices": only("page")}, "bad_arms", "arms"),
    "an arm before that of the page": at("arms", lambda there: there[::-1], "bad_arms"),
    "an arm twice": at_once(
        {"devices": only("page", "split"), "arms.2.stratum": "split"}, "bad_arms", "arms"
    ),
    "shares of 99": at("arms.2.share", 29, "bad_arms", "arms"),
    "shares of 101": at("arms.0.share", 36, "bad_arms", "arms"),
    "an arm named like a pair": at_once(
        dict.fromkeys(["arms.1.stratum", "devices.1.stratum", "devices.4.stratum"], "pair_1_2"),
        "bad_arms",
        "arms.1.stratum",
    ),
    "arms under return codes": at_once(
        {"mode": "pseudonymous", "linkage": "together"}, "clash", "return_codes"
    ),
    "arms in a later wave": instead(third_wave(), "clash", "return_codes"),
    "arms of a roster": instead(rosters(), "clash", "roster"),
    "arms beside tiers": instead(tiered(), "clash", "tiers"),
    "arms beside random pairs": instead(paired(), "clash", "pilots"),
    "an arm without devices": at("devices", only("page", "direct"), "bad_arms", "arms.1"),
    "an arm that scrambles in part": at(
        "devices.4", but(table=uniform(3, 1, 0), epsilon=None), "bad_arms", "arms.1"
    ),
    "a physical randomizer beside arms": at(
        "devices.11",
        device("born", uniform(2, 3, 1), "1.1", **{"stratum": "split"} | COIN),
        "clash",
        "arms",
    ),
    "a physical randomizer in an arm": at(
        "devices.1", but(instructions=["Toss a coin."]), "clash", "arms"
    ),
    "a stratum that is no arm": at(
        "devices.11",
        device("born", uniform(2, 3, 1), "1.1", stratum="other"),
        "bad_text",
        ".instructions",
    ),
    "several answers in an arm": at_once(
        {
            f"devices.{11 + i}": device(f"ill_{i + 1}", HALVES, "0.52", option=i, **ILL)
            for i in range(2)
        },
        "bad_arms",
        "devices.11.questions",
    ),
    "a control item in an arm": more(".questions", "born", HALVES, "0.52"),
    "a direct question that is scrambled in an arm": more(".questions", "region", HALVES, "0.52"),
    "a direct question in an arm": more(
        ".questions", "region", uniform(2, 1, 0), None, stratum="direct"
    ),
    "a question of a group in an arm": instead(
        grouped(), "not_covered", "questions.0", SMOKES_AGAIN
    ),
    "a question of another survey in an arm": at(
        "devices.1.questions", ["poll"], "unknown_question"
    ),
    "another name in an arm": at("devices.1.id", "smoked", "bad_name"),
    "an option in an arm": at("devices.1.option", 0, "bad_option"),
    "a search in an arm": at("devices.1.search", SEARCH, "bad_search"),
    "a device twice in an arm": at("devices.11", SMOKES_AGAIN, "duplicate", "devices"),
    "other answers in an arm": at(
        "devices.1",
        but(table=dense([[2, 1, 1], [1, 2, 1], [1, 1, 2]]), epsilon="0.7"),
        "wrong_length",
        ".table",
    ),
    "thirds in an arm": at(
        "devices.1",
        but(table=uniform(2, 2, 1), epsilon="0.7"),
        "not_power_of_two",
        ".table.denominator",
    ),
    "an arm that reveals more than it says": at("devices.1.epsilon", "0.51", "too_revealing"),
    "an arm that reveals more than the rest": at("epsilon", "5.149999999999", "over_budget"),
    "an arm above 4 without a reason": at_once(
        {"devices.1.epsilon": "4.000000000001", "epsilon": "9"}, "no_reason", "questions.0.reason"
    ),
    "sent as it is on the page": at(
        "devices.0", but(table=uniform(2, 1, 0), epsilon=None), "bad_choice", ".epsilon"
    ),
    "scrambled without an epsilon": at("devices.2.table", uniform(2, 3, 1), "not_identity"),
    "a delta of a direct arm": at("devices.2.delta", "0.01", "not_null"),
    "cards in a direct arm": at("devices.6", but(look="cards"), "bad_cards", ".table"),
}
