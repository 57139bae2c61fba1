"""Documents with batteries that break a rule each; see broken_documents.py."""

from tests.vectors.breaches import GONE, Breach, Json, at, at_once
from tests.vectors.broken_filters import in_section
from tests.vectors.make_wire_vectors import device, document, question, uniform

FIRST, NAMES = "batteries.0", "batteries.0.questions"
HALF = uniform(2, 3, 1)


def in_battery() -> Json:
    """A small document with a battery of two, and three alike after it."""
    alike = ("pens", "food", "late")
    plain = document()
    return plain | {
        "epsilon": "5.4",
        "questions": [
            *(question(name, ["No", "Yes"]) for name in alike),
            *plain["questions"],
        ],
        "devices": [*(device(name, HALF, "1.1") for name in alike), *plain["devices"]],
        "batteries": [
            {"text": "Have you ever taken", "questions": ["pens", "food"], "random": False}
        ],
    }


def _bad(questions: list[str]) -> Breach:
    return at(NAMES, questions, "bad_battery")


BROKEN_BATTERIES: dict[str, Breach] = {
    "batteries null": at("batteries", None, "not_a_list"),
    "no battery": at("batteries", [], "empty"),
    "a battery null": at(FIRST, None, "not_an_object"),
    "a battery without a text": at(f"{FIRST}.text", GONE, "missing_key"),
    "a battery with another key": at(f"{FIRST}.moves", True, "unknown_key"),
    "a battery that does not say whether chance orders it": at(
        f"{FIRST}.random", GONE, "missing_key"
    ),
    "an order by chance that is neither true nor false": at(f"{FIRST}.random", 1, "not_a_boolean"),
    "an empty text": at(f"{FIRST}.text", "", "empty"),
    "a text that is none": at(f"{FIRST}.text", 5, "bad_text"),
    "the items no list": at(NAMES, "pens", "not_a_list"),
    "an item that is no question": at(NAMES, ["pens", "poll"], "unknown_question"),
    "one item": _bad(["pens"]),
    "no item": _bad([]),
    "items apart": _bad(["pens", "late"]),
    "items in another order": _bad(["food", "pens"]),
    "an item twice": _bad(["pens", "pens"]),
    "items with other answers": _bad(["smokes", "party"]),
    "items scrambled and not": _bad(["party", "region"]),
    "items with other devices": _bad(["late", "smokes"]),
    "an item that may be left out": at(
        "questions.1.required", lambda there: not there, "bad_battery", NAMES
    ),
    "an item in two batteries": at(
        "batteries.1",
        {"text": "And", "questions": ["food", "late"], "random": False},
        "bad_battery",
        "batteries",
    ),
    "batteries in another order": at_once(
        {
            "batteries.0.questions": ["food", "late"],
            "batteries.1": {"text": "And", "questions": ["pens", "food"], "random": False},
        },
        "bad_battery",
        "batteries",
    ),
    "items in two sections": at(
        "sections",
        [in_section("pens"), in_section("food", "late", "smokes", "party", "region")],
        "bad_section",
        "sections.0",
    ),
}
