"""Documents with arms that break a rule each; see broken_documents.py."""

from typing import Any

from tests.vectors.broken_documents import Change
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
COIN = {"stratum": "coin", "instructions": ["Toss a coin."]}


def _arms(value: Any) -> Change:
    return lambda d: d.update(arms=value)


def _arm(index: int, **other: Any) -> Change:
    return lambda d: d["arms"][index].update(other)


def _of(index: int, **other: Any) -> Change:
    """A change of one device; 0 to 2 are those of one question, on the page and in both arms."""
    return lambda d: d["devices"][index].update(other)


def _more(*devices: dict[str, Any]) -> Change:
    return lambda d: d["devices"].extend(devices)


def _only(*strata: str) -> Change:
    """Without the devices of other strata."""
    return lambda d: d.update(devices=[x for x in d["devices"] if x["stratum"] in strata])


def _all(*changes: Change) -> Change:
    return lambda d: [change(d) for change in changes].clear()


def _other(document: dict[str, Any], *devices: dict[str, Any]) -> Change:
    """Another document with arms, to which devices are added."""
    return lambda d: d.update(document, arms=HALF, devices=[*document["devices"], *devices])


def _renamed(d: dict[str, Any]) -> None:
    for each in (d["arms"][1], d["devices"][1], d["devices"][4]):
        each["stratum"] = "pair_1_2"


def _in_split(name: str, table: dict[str, Any], epsilon: str | None, **other: Any) -> Any:
    return device(name, table, epsilon, stratum="split", **other)


BROKEN_ARMS: dict[str, tuple[Change, str, str]] = {
    "arms no list": (_arms({}), "not_a_list", "arms"),
    "arms null": (_arms(None), "not_a_list", "arms"),
    "no key of arms": (lambda d: d.pop("arms"), "missing_key", "arms"),
    "five arms": (_arms(arms(page=96, split=1, direct=1, a=1, b=1)), "wrong_length", "arms"),
    "an arm no object": (_arms(["page", "split"]), "not_an_object", "arms.0"),
    "an arm with another key": (_arm(1, epsilon="1"), "unknown_key", "arms.1.epsilon"),
    "an arm without a share": (lambda d: d["arms"][1].pop("share"), "missing_key", "arms.1.share"),
    "an arm that is no name": (_arm(1, stratum="Split"), "bad_name", "arms.1.stratum"),
    "an arm of nobody": (_arm(1, share=0), "bad_number", "arms.1.share"),
    "an arm of everybody": (_arm(1, share=100), "bad_number", "arms.1.share"),
    "a share as text": (_arm(1, share="35"), "bad_number", "arms.1.share"),
    "one arm": (_all(_arms(arms(page=70)), _only("page")), "bad_arms", "arms"),
    "an arm before that of the page": (lambda d: d["arms"].reverse(), "bad_arms", "arms"),
    "an arm twice": (
        _all(_only("page", "split"), _arm(2, stratum="split")),
        "bad_arms",
        "arms",
    ),
    "shares of 99": (_arm(2, share=29), "bad_arms", "arms"),
    "shares of 101": (_arm(0, share=36), "bad_arms", "arms"),
    "an arm named like a pair": (_renamed, "bad_arms", "arms.1.stratum"),
    "arms under return codes": (
        lambda d: d.update(mode="pseudonymous", linkage="together"),
        "clash",
        "arms",
    ),
    "arms in a later wave": (_other(third_wave()), "clash", "arms"),
    "arms of a roster": (_other(rosters()), "clash", "arms"),
    "arms beside tiers": (_other(tiered()), "clash", "arms"),
    "arms beside random pairs": (_other(paired()), "clash", "arms"),
    "an arm without devices": (_only("page", "direct"), "bad_arms", "arms.1"),
    "an arm that scrambles in part": (
        _of(4, table=uniform(3, 1, 0), epsilon=None),
        "bad_arms",
        "arms.1",
    ),
    "a physical randomizer beside arms": (
        _more(device("born", uniform(2, 3, 1), "1.1", **COIN)),
        "clash",
        "arms",
    ),
    "a physical randomizer in an arm": (
        _of(1, instructions=["Toss a coin."]),
        "clash",
        "arms",
    ),
    "a stratum that is no arm": (
        _more(device("born", uniform(2, 3, 1), "1.1", stratum="other")),
        "bad_text",
        "devices.11.instructions",
    ),
    "several answers in an arm": (
        _more(
            *(
                _in_split(f"ill_{i + 1}", uniform(2, 5, 3), "0.52", questions=["ill"], option=i)
                for i in range(2)
            )
        ),
        "bad_arms",
        "devices.11.questions",
    ),
    "a control item in an arm": (
        _more(_in_split("born", uniform(2, 5, 3), "0.52")),
        "bad_arms",
        "devices.11.questions",
    ),
    "a direct question that is scrambled in an arm": (
        _more(_in_split("region", uniform(2, 5, 3), "0.52")),
        "bad_arms",
        "devices.11.questions",
    ),
    "a direct question in an arm": (
        _more(device("region", uniform(2, 1, 0), None, stratum="direct")),
        "bad_arms",
        "devices.11.questions",
    ),
    "a question of a group in an arm": (
        _other(grouped(), _in_split("smokes", uniform(2, 5, 3), "0.52")),
        "not_covered",
        "questions.0",
    ),
    "a question of another survey in an arm": (
        _of(1, questions=["poll"]),
        "unknown_question",
        "devices.1.questions",
    ),
    "another name in an arm": (_of(1, id="smoked"), "bad_name", "devices.1.id"),
    "an option in an arm": (_of(1, option=0), "bad_option", "devices.1.option"),
    "a search in an arm": (_of(1, search=SEARCH), "bad_search", "devices.1.search"),
    "a device twice in an arm": (
        _more(_in_split("smokes", uniform(2, 5, 3), "0.52")),
        "duplicate",
        "devices",
    ),
    "other answers in an arm": (
        _of(1, table=dense([[2, 1, 1], [1, 2, 1], [1, 1, 2]]), epsilon="0.7"),
        "wrong_length",
        "devices.1.table",
    ),
    "thirds in an arm": (
        _of(1, table=uniform(2, 2, 1), epsilon="0.7"),
        "not_power_of_two",
        "devices.1.table.denominator",
    ),
    "an arm that reveals more than it says": (
        _of(1, epsilon="0.51"),
        "too_revealing",
        "devices.1.epsilon",
    ),
    "an arm that reveals more than the rest": (
        lambda d: d.update(epsilon="5.149999999999"),
        "over_budget",
        "epsilon",
    ),
    "an arm above 4 without a reason": (
        _all(_of(1, epsilon="4.000000000001"), lambda d: d.update(epsilon="9")),
        "no_reason",
        "questions.0.reason",
    ),
    "sent as it is on the page": (
        _of(0, table=uniform(2, 1, 0), epsilon=None),
        "bad_choice",
        "devices.0.epsilon",
    ),
    "scrambled without an epsilon": (
        _of(2, table=uniform(2, 3, 1)),
        "not_identity",
        "devices.2.table",
    ),
    "a delta of a direct arm": (_of(2, delta="0.01"), "not_null", "devices.2.delta"),
    "cards in a direct arm": (_of(6, look="cards"), "bad_cards", "devices.6.table"),
}
