"""Documents with values from the link that break a rule each; see broken_documents.py."""

from tests.vectors.breaches import GONE, Breach, Json, at, at_once
from tests.vectors.make_wire_vectors import document

FIRST = "link_values.0"


def from_link() -> Json:
    """A small document whose first question the link answers."""
    smokes, party, region = document()["questions"]
    said = [{"question": "region", "values": ["north"]}]
    return document() | {"questions": [region, smokes, party], "link_values": said}


BROKEN_LINKS: dict[str, Breach] = {
    "link values null": at("link_values", None, "not_a_list"),
    "no value": at("link_values", [], "empty"),
    "a value null": at(FIRST, None, "not_an_object"),
    "without values": at(f"{FIRST}.values", GONE, "missing_key"),
    "with another key": at(f"{FIRST}.default", "north", "unknown_key"),
    "values no list": at(f"{FIRST}.values", "north", "not_a_list"),
    "no values": at(f"{FIRST}.values", [], "not_a_list"),
    "a value with a space": at(f"{FIRST}.values", ["the north"], "bad_text"),
    "too many values": at(f"{FIRST}.values", ["north", "south"], "wrong_length"),
    "a value twice": at_once(
        {"questions.0.categories.2": "Not given", f"{FIRST}.values": ["a", "a"]},
        "duplicate",
        f"{FIRST}.values",
    ),
    "a question that is asked before": at(f"{FIRST}.question", "smokes", "bad_link", "link_values"),
    "a question that is none": at(f"{FIRST}.question", "poll", "bad_link", "link_values"),
    "a scrambled question": at(
        "questions", lambda there: [there[1], there[0], there[2]], "bad_link", "link_values"
    ),
    "all questions": at(
        "link_values",
        [{"question": name, "values": ["a"]} for name in ("region", "smokes", "party")],
        "bad_link",
        "link_values",
    ),
    "a scale": at("questions.0.control", "scale", "bad_link", f"{FIRST}.question"),
    "two of them, one scrambled": at(
        "link_values.1",
        {"question": "smokes", "values": ["no"]},
        "bad_link",
        "link_values.1.question",
    ),
}
