"""Documents with help and a quick exit that break a rule each; see broken_documents.py."""

from tests.vectors.breaches import GONE, Breach, Json, at, at_once
from tests.vectors.make_wire_vectors import document

LONG = "https://harmless.example/" + "a" * 300


def supported() -> Json:
    """A small document with help below one question, and an exit."""
    support = {"text": "Call us.", "after": ["party"], "exit": "https://harmless.example/a?b=c"}
    return document() | {"support": support}


def _exit(address: object) -> Breach:
    return at("support.exit", address, "bad_address")


BROKEN_SUPPORT: dict[str, Breach] = {
    "support null": at("support", None, "not_an_object"),
    "support a list": at("support", [], "not_an_object"),
    "support without a text": at("support.text", GONE, "missing_key"),
    "support with another key": at("support.name", "Help", "unknown_key"),
    "a text that is none": at("support.text", 5, "bad_text"),
    "a box without a text": at("support.text", "", "bad_support"),
    "neither a text nor an exit": at_once(
        {"support": {"text": "", "after": [], "exit": None}}, "bad_support", "support.text"
    ),
    "the questions no list": at("support.after", "party", "not_a_list"),
    "a box below no question": at("support.after", ["poll"], "unknown_question"),
    "a box twice": at("support.after", ["party", "party"], "unknown_question"),
    "boxes in another order": at("support.after", ["party", "smokes"], "unknown_question"),
    "an exit without encryption": _exit("http://harmless.example/"),
    "an exit that is a script": _exit("javascript:alert(1)"),
    "an exit that is no text": at("support.exit", 5, "bad_text"),
    "an exit to nowhere": _exit(""),
    "an exit with a quotation mark": _exit('https://harmless.example/"'),
    "an exit with a line feed": _exit("https://harmless.example/\n"),
    "an exit with a name before the site": _exit("https://a@harmless.example/"),
    "an exit that is too long": _exit(LONG),
}
