"""Documents with sections that break a rule each; see broken_documents.py."""

from tests.vectors.breaches import GONE, Breach, Json, at
from tests.vectors.make_wire_vectors import document

FIXED = {"together": False, "random": False, "moves": False}
STATEMENT = {"title": "", "text": "Now about you.", "questions": [], **FIXED}


def in_sections() -> Json:
    """A small document in two sections, with a statement between them and one at the end."""
    first = {**STATEMENT, "title": "Habits", "questions": ["smokes", "party"], "random": True}
    second = {**STATEMENT, "text": "", "questions": ["region"], "moves": True}
    return document() | {"sections": [first, STATEMENT, second, STATEMENT]}


BROKEN_SECTIONS: dict[str, Breach] = {
    "sections null": at("sections", None, "not_a_list"),
    "no section": at("sections", [], "empty", "sections"),
    "a section null": at("sections.0", None, "not_an_object"),
    "a section without a title": at("sections.0.title", GONE, "missing_key"),
    "a section with another key": at("sections.0.order", "random", "unknown_key"),
    "a title that is none": at("sections.0.title", 5, "bad_text"),
    "a text that is none": at("sections.0.text", None, "bad_text"),
    "the questions of a section no list": at("sections.0.questions", "smokes", "not_a_list"),
    "together that is a number": at("sections.0.together", 1, "not_a_boolean"),
    "a statement that says nothing": at("sections.1.text", "", "bad_section", "sections.1"),
    "random that is a number": at("sections.0.random", 1, "not_a_boolean"),
    "moves that is a number": at("sections.0.moves", 1, "not_a_boolean"),
    "a statement in an order": at("sections.1.random", True, "bad_section", "sections.1"),
    "a statement that moves": at("sections.1.moves", True, "bad_section", "sections.1"),
    "nothing on one page": at("sections.1.together", True, "bad_section", "sections.1"),
    "a question in no section": at(
        "sections.0.questions", ["smokes"], "unknown_question", "sections"
    ),
    "a question in two sections": at(
        "sections.2.questions", ["party", "region"], "unknown_question", "sections"
    ),
    "questions in another order": at(
        "sections.0.questions", ["party", "smokes"], "unknown_question", "sections"
    ),
    "a question that is none": at("sections.2.questions", ["poll"], "unknown_question", "sections"),
}
