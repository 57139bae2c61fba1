"""Documents with filters that break a rule each; see broken_documents.py."""

from typing import Any

from tests.vectors.breaches import GONE, Breach, at, at_once
from tests.vectors.make_wire_vectors import device, joint, question, uniform

# The filters of `filtered`: both scrambled, then both direct.
OFTEN, PARTY, CITY = "filters.0", "filters.1", "filters.2"
LISTED, NUMBERED = f"{PARTY}.any.0.0", f"{PARTY}.any.1.0"


NAMES = ("age", "smokes", "took", "often", "party", "city")


def in_section(*names: str, **other: Any) -> dict[str, Any]:
    said = {"title": "A part", "text": "", "questions": list(names)}
    return said | {"together": False, "random": False, "moves": False} | other


def _bad(path: str, value: Any, told: str) -> Breach:
    return at(path, value, "bad_filter", told)


BROKEN_FILTERS: dict[str, Breach] = {
    "filters null": at("filters", None, "not_a_list"),
    "filters an object": at("filters", {}, "not_a_list"),
    "no filters": at("filters", [], "empty"),
    "a filter that is none": at(OFTEN, 5, "not_an_object"),
    "a filter without a question": at(f"{OFTEN}.question", GONE, "missing_key"),
    "a filter with another key": at(f"{OFTEN}.reason", "", "unknown_key"),
    "of no question": at(f"{OFTEN}.question", "poll", "unknown_question"),
    "of one that is for everybody": _bad(f"{OFTEN}.question", "smokes", f"{OFTEN}.any"),
    "unasked as text": at(f"{OFTEN}.unasked", "no", "not_a_boolean"),
    "unasked behind what is scrambled": _bad(f"{OFTEN}.unasked", True, f"{OFTEN}.unasked"),
    "no alternative": at(f"{OFTEN}.any", [], "empty"),
    "an alternative without a comparison": at(f"{OFTEN}.any.0", [], "empty", f"{OFTEN}.any"),
    "alternatives no list": at(f"{OFTEN}.any", "smokes = Yes", "empty"),
    "a comparison that is none": at(f"{OFTEN}.any.0.0", "Yes", "not_an_object", f"{OFTEN}.any"),
    "a comparison with another key": at(f"{LISTED}.text", "", "unknown_key", f"{PARTY}.text"),
    "too many comparisons": _bad(f"{OFTEN}.any.0", lambda there: there * 11, f"{OFTEN}.any"),
    "with itself": _bad(f"{OFTEN}.any.0.0.question", "often", f"{OFTEN}.any"),
    "with a later question": _bad(f"{OFTEN}.any.0.0.question", "city", f"{OFTEN}.any"),
    "with no question": _bad(f"{OFTEN}.any.0.0.question", "poll", f"{OFTEN}.any"),
    "with no answer": _bad(f"{LISTED}.answers", [], f"{PARTY}.any"),
    "with an answer that there is not": _bad(f"{LISTED}.answers", [3], f"{PARTY}.any"),
    "with answers that fall": _bad(f"{LISTED}.answers", [1, 0], f"{PARTY}.any"),
    "with an answer twice": _bad(f"{LISTED}.answers", [1, 1], f"{PARTY}.any"),
    "with an answer that is no number": at(
        f"{LISTED}.answers", ["Yes"], "bad_number", f"{PARTY}.any"
    ),
    "of answers by a bound": _bad(f"{LISTED}.above", "1", f"{PARTY}.any"),
    "of a number by answers": at_once(
        {f"{NUMBERED}.answers": [1], f"{NUMBERED}.above": None, f"{NUMBERED}.below": None},
        "bad_filter",
        f"{PARTY}.any",
    ),
    "of a number by nothing": at_once(
        {f"{NUMBERED}.above": None, f"{NUMBERED}.below": None}, "bad_filter", f"{PARTY}.any"
    ),
    "bounds that fall": _bad(f"{NUMBERED}.above", "80", f"{PARTY}.any"),
    "a bound with an idle zero": at(f"{NUMBERED}.above", "20.0", "not_a_decimal", f"{PARTY}.any"),
    "a bound that is a number": at(f"{NUMBERED}.above", 20, "not_a_decimal", f"{PARTY}.any"),
    "negated as text": at(f"{LISTED}.negated", "no", "not_a_boolean", f"{PARTY}.any"),
    "a bound within a bin of what is sent": _bad(f"{CITY}.any.0.0.above", "60", f"{CITY}.any"),
    "filters in another order": _bad("filters", lambda there: there[::-1], "filters"),
    "a filter twice": _bad("filters", lambda there: [there[0], *there], "filters"),
    "a direct question that reports": _bad(f"{CITY}.unasked", False, f"{CITY}.question"),
    "of one that may be left out": _bad("questions.3.required", False, f"{OFTEN}.question"),
    "marked, and for everybody": at_once(
        {
            "questions.1.categories": ["No", "Yes", "Does not apply"],
            "questions.1.not_applicable": True,
            "devices.1.table": uniform(3, 2, 1),
        },
        "bad_filter",
        "questions.1.not_applicable",
    ),
    "not marked": at("questions.3.not_applicable", GONE, "bad_filter"),
    "marked as false": at("questions.3.not_applicable", False, "bad_choice"),
    "marked, with one answer": at_once(
        {"questions.3.categories": ["Yes", "Does not apply"], "devices.4.table": uniform(2, 3, 1)},
        "wrong_length",
        "questions.3.categories",
    ),
    "several answers": at_once(
        {
            "questions.3.control": "boxes",
            "devices.4.table": uniform(5, 4, 1),
            "devices.4.epsilon": "1.4",
        },
        "bad_filter",
        f"{OFTEN}.question",
    ),
    "behind what chance may ask later": at(
        "sections", [in_section(*NAMES, random=True)], "bad_filter", f"{OFTEN}.any"
    ),
    "behind a section that chance may put later": at(
        "sections",
        [in_section(*NAMES[:3], moves=True), in_section(*NAMES[3:], moves=True)],
        "bad_filter",
        f"{OFTEN}.any",
    ),
    "together with another": at_once(
        {
            "devices.4": device(
                "group_4", joint([3, 4], 5, 1, 1), "1.7", questions=["often", "party"]
            ),
            "devices.5": GONE,
        },
        "bad_filter",
        f"{OFTEN}.question",
    ),
    "the answer of some people in a text": at_once(
        {
            "questions.6": question("rent", ["No", "Yes"], randomized=False)
            | {"text": "In {city}?"},
            "devices.7": device("rent", uniform(2, 1, 0), None),
            "piping": [{"text": "questions.rent.text", "answers": ["city"]}],
        },
        "bad_pipe",
        "piping.0.answers",
    ),
}
