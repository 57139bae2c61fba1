"""Documents with orders of answers that break a rule each; see broken_documents.py."""

from tests.vectors.breaches import GONE, Breach, Json, at, at_once
from tests.vectors.make_wire_vectors import document, uniform

ORDERS = "option_orders"


def ordered() -> Json:
    """A small document in which chance orders the answers to one question."""
    order = {"question": "region", "by": "rotated", "last": 0, "kept": False}
    return document() | {ORDERS: [order]}


BROKEN_OPTION_ORDERS: dict[str, Breach] = {
    "orders null": at(ORDERS, None, "not_a_list"),
    "no order": at(ORDERS, [], "empty", ORDERS),
    "an order null": at(f"{ORDERS}.0", None, "not_an_object"),
    "an order without a way": at(f"{ORDERS}.0.by", GONE, "missing_key"),
    "an order with another key": at(f"{ORDERS}.0.first", 0, "unknown_key"),
    "kept that is a number": at(f"{ORDERS}.0.kept", 1, "not_a_boolean"),
    "an order kept where answers are apart": at(f"{ORDERS}.0.kept", True, "bad_order"),
    "one of all orders kept": at_once(
        {"linkage": "together", f"{ORDERS}.0.kept": True, f"{ORDERS}.0.by": "shuffled"},
        "bad_order",
        f"{ORDERS}.0.kept",
    ),
    "one of too many orders kept": at_once(
        {
            "linkage": "together",
            f"{ORDERS}.0.kept": True,
            "questions.2.categories": [f"Region {number}" for number in range(11)],
            "devices.2.table": uniform(11, 1, 0),
        },
        "bad_order",
        f"{ORDERS}.0.kept",
    ),
    "a way that is none": at(f"{ORDERS}.0.by", "sorted", "bad_choice"),
    "a last that is no number": at(f"{ORDERS}.0.last", None, "bad_number"),
    "fewer than none at the end": at(f"{ORDERS}.0.last", -1, "bad_number"),
    "all but one at the end": at(f"{ORDERS}.0.last", 1, "bad_order"),
    "the order of a yes or no": at(f"{ORDERS}.0.question", "smokes", "bad_order", f"{ORDERS}.0.by"),
    "the order of no question": at(f"{ORDERS}.0.question", "poll", "unknown_question"),
    "a question twice": at(
        ORDERS,
        [{"question": "region", "by": "reversed", "last": 0, "kept": False}] * 2,
        "unknown_question",
        f"{ORDERS}.1.question",
    ),
}
