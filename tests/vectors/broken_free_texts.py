"""Documents with texts in one's own words that break a rule each; see broken_documents.py."""

from tests.vectors.breaches import GONE, Breach, Json, at
from tests.vectors.make_wire_vectors import document

TEXTS = "free_texts"
ASKED = {"id": "more", "text": "What else?", "characters": 200}


def in_words() -> Json:
    """A small document that asks for one text."""
    return document() | {TEXTS: [dict(ASKED)]}


BROKEN_FREE_TEXTS: dict[str, Breach] = {
    "texts null": at(TEXTS, None, "not_a_list"),
    "no text": at(TEXTS, [], "empty"),
    "too many texts": at(
        TEXTS, [ASKED | {"id": f"more{n}"} for n in range(6)], "wrong_length", TEXTS
    ),
    "a text null": at(f"{TEXTS}.0", None, "not_an_object"),
    "a text without a length": at(f"{TEXTS}.0.characters", GONE, "missing_key"),
    "a text with another key": at(f"{TEXTS}.0.required", True, "unknown_key"),
    "a name that is none": at(f"{TEXTS}.0.id", "More", "bad_name"),
    "a question without words": at(f"{TEXTS}.0.text", "", "bad_text"),
    "no characters": at(f"{TEXTS}.0.characters", 0, "bad_number"),
    "too many characters": at(f"{TEXTS}.0.characters", 1001, "bad_number"),
    "the name of a question": at(f"{TEXTS}.0.id", "party", "duplicate"),
    "a name twice": at(TEXTS, [dict(ASKED), dict(ASKED)], "duplicate", f"{TEXTS}.1.id"),
}
