"""Documents with quotas, or with a last screen, that break a rule each; see broken_documents.py."""

from typing import Any

from tests.vectors.breaches import GONE, Breach, Json, at, at_once
from tests.vectors.make_wire_vectors import device, document, question, uniform


def in_section(*names: str, **other: Any) -> Json:
    said = {"title": "A part", "text": "", "questions": list(names)}
    return said | {"together": False, "random": False, "moves": False} | other


def given(name: str, *answers: int) -> Json:
    return {"question": name, "answers": list(answers)}


def with_quotas() -> Json:
    """A document with quotas on two direct questions, before two scrambled ones."""
    plain = document()
    region, city = (
        question("region", ["North", "South", "West"], randomized=False),
        question("city", ["No", "Yes"], randomized=False),
    )
    return plain | {
        "linkage": "together",
        "questions": [region, city, *plain["questions"][:2]],
        "devices": [
            device("region", uniform(3, 1, 0), None),
            device("city", uniform(2, 1, 0), None),
            *plain["devices"][:2],
        ],
        "quotas": [
            {"given": [given("region", 0, 2)], "wanted": 40},
            {"given": [given("region", 1), given("city", 1)], "wanted": 20},
            {"given": [given("city", 0)], "wanted": 0},
        ],
    }


def with_an_end() -> Json:
    """A document with words on its last screen, and a way back to a panel."""
    address = "https://panel.example:8443/end?outcome=1&id={id}#top"
    return document() | {
        "closing_page": {
            "panel": {"name": "The Panel", "key": "pid"},
            "complete": {"text": "Thanks.", "address": address},
            "full": {"text": "", "address": "https://panel.example:8443/full#{id}"},
            "screened": {"text": "", "address": None},
        }
    }


NAMES = ("region", "city", "smokes", "party")
ONE, TWO = "quotas.0", "quotas.1"
END = "closing_page"


def _bad(path: str, value: Any, told: str) -> Breach:
    return at(path, value, "bad_quota", told)


def _leads(value: Any, code: str = "bad_address") -> Breach:
    return at(f"{END}.complete.address", value, code)


BROKEN_QUOTAS: dict[str, Breach] = {
    "quotas null": at("quotas", None, "not_a_list"),
    "no quotas": at("quotas", [], "empty"),
    "too many quotas": at("quotas", lambda there: there * 21, "wrong_length"),
    "a quota that is none": at(ONE, 5, "not_an_object"),
    "a quota without a number": at(f"{ONE}.wanted", GONE, "missing_key"),
    "a quota with another key": at(f"{ONE}.name", "North", "unknown_key"),
    "a number below 0": at(f"{ONE}.wanted", -1, "bad_number"),
    "a number with a fraction": at(f"{ONE}.wanted", 40.5, "bad_number"),
    "a number below the threshold": _bad(f"{ONE}.wanted", 19, f"{ONE}.wanted"),
    "of nobody": at(f"{ONE}.given", [], "wrong_length"),
    "of three answers": at(f"{TWO}.given", lambda there: there * 2, "wrong_length"),
    "in another order": _bad(f"{TWO}.given", lambda there: there[::-1], f"{TWO}.given"),
    "of one question twice": _bad(
        f"{TWO}.given", [given("city", 0), given("city", 1)], f"{TWO}.given"
    ),
    "of no question": at(f"{ONE}.given.0.question", "poll", "unknown_question", f"{ONE}.given"),
    "of a scrambled question": _bad(f"{ONE}.given", [given("smokes", 1)], f"{ONE}.given"),
    "of no answer": at(f"{ONE}.given.0.answers", [], "empty", f"{ONE}.given"),
    "of an answer that there is not": _bad(f"{ONE}.given.0.answers", [3], f"{ONE}.given"),
    "of answers that fall": _bad(f"{ONE}.given.0.answers", [1, 0], f"{ONE}.given"),
    "of an answer that is no number": at(
        f"{ONE}.given.0.answers", ["North"], "bad_number", f"{ONE}.given"
    ),
    "of a question that may be left out": _bad("questions.0.required", False, f"{ONE}.given"),
    "after a scrambled question": _bad(
        "questions", lambda there: [there[2], *there[:2], there[3]], f"{ONE}.given"
    ),
    "that chance may ask after a scrambled one": _bad(
        "sections", [in_section(*NAMES, random=True)], f"{ONE}.given"
    ),
    "of two questions, answers apart": at("linkage", "apart", "not_together", "quotas"),
}
BROKEN_ENDS: dict[str, Breach] = {
    "an end that is null": at(END, None, "not_an_object"),
    "an end with another key": at(f"{END}.text", "Thanks.", "unknown_key"),
    "an end without a way": at(f"{END}.full", GONE, "missing_key"),
    "a way that is a text": at(f"{END}.full", "Thanks.", "not_an_object"),
    "a text that is none": at(f"{END}.full.text", None, "bad_text"),
    "an address that is a number": _leads(5, "bad_text"),
    "an address without https": _leads("http://panel.example:8443/{id}"),
    "an address that runs a script": _leads("javascript:alert(1)"),
    "an address with a space": _leads("https://panel.example:8443/a b"),
    "an address that ends its line": _leads("https://panel.example:8443/end\n"),
    "an address with a name in front": _leads("https://panel.example@evil.example/"),
    "an address that is long": _leads("https://panel.example:8443/" + "a" * 500),
    "an id in the path": _leads("https://panel.example:8443/{id}/end"),
    "an id in the host": _leads("https://{id}.panel.example:8443/?"),
    "an id twice": _leads("https://panel.example:8443/?a={id}&b={id}"),
    "an address of another host": at(
        f"{END}.complete.address", "https://other.example/?id={id}", "bad_address", END
    ),
    "a panel without a name": at(f"{END}.panel.name", "", "bad_text"),
    "a panel with a key that is none": at(f"{END}.panel.key", "p&d", "bad_text"),
    "a panel without a key": at(f"{END}.panel.key", GONE, "missing_key"),
    "a way back to nobody": at(f"{END}.panel", None, "bad_panel"),
    "a panel without a way back": at_once(
        {f"{END}.complete.address": None, f"{END}.full.address": None},
        "bad_panel",
        f"{END}.panel",
    ),
    "an end that says nothing": at_once(
        {
            f"{END}.panel": None,
            f"{END}.complete": {"text": "", "address": None},
            f"{END}.full.address": None,
        },
        "empty",
        END,
    ),
}
