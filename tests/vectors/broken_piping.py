"""Documents with answers in later texts that break a rule each; see broken_documents.py."""

from typing import Any

from tests.vectors.breaches import GONE, Breach, Json, at, at_once
from tests.vectors.broken_filters import in_section
from tests.vectors.make_wire_vectors import document

FIRST = "piping.0"


def in_texts() -> Json:
    """A small document in which a direct answer stands in a question and in a title."""
    smokes, party, region = document()["questions"]
    words = {"text": "Do you smoke in {region|your region}?", "help": "Or {{there}}?"}
    habits = in_section("smokes", "party", title="Habits in {region}")
    return document() | {
        "questions": [region, smokes | words, party],
        "sections": [in_section("region"), habits],
        "piping": [
            {"text": "questions.smokes.text", "answers": ["region"]},
            {"text": "questions.smokes.help", "answers": []},
            {"text": "sections.1.title", "answers": ["region"]},
        ],
    }


def _bad(values: dict[str, Any], told: str = f"{FIRST}.answers") -> Breach:
    return at_once(values, "bad_pipe", told)


def _of(name: str) -> dict[str, Any]:
    return {"text": f"questions.{name}.text", "answers": []}


BROKEN_PIPING: dict[str, Breach] = {
    "piping null": at("piping", None, "not_a_list"),
    "no text": at("piping", [], "empty"),
    "a text null": at(FIRST, None, "not_an_object"),
    "a text without answers": at(f"{FIRST}.answers", GONE, "missing_key"),
    "a text with another key": at(f"{FIRST}.words", "", "unknown_key"),
    "the path of no text": at(f"{FIRST}.text", "questions.poll.text", "bad_text"),
    "the path of answers": at(f"{FIRST}.text", "questions.smokes.categories.0", "bad_text"),
    "the path of the title": at(f"{FIRST}.text", "title", "bad_text"),
    "a path that is none": at(f"{FIRST}.text", 5, "bad_text"),
    "answers no list": at(f"{FIRST}.answers", "region", "not_a_list"),
    "a text twice": at("piping.2", {**_of("smokes"), "answers": ["region"]}, "duplicate", "piping"),
    "an answer that stands nowhere": _bad({f"{FIRST}.answers": ["region", "party"]}),
    "an answer that is not named": _bad({f"{FIRST}.answers": []}),
    "an answer named twice": _bad({f"{FIRST}.answers": ["region", "region"]}),
    "a brace alone": _bad({"questions.1.text": "In { region}?"}),
    "the answer to no question": _bad(
        {"questions.1.text": "In {poll}?", f"{FIRST}.answers": ["poll"]}
    ),
    "the answer to a later question": _bad(
        {"questions.0.text": "In {region}?", f"{FIRST}": {**_of("region"), "answers": ["region"]}}
    ),
    "the answer to a scrambled question": _bad(
        {"questions.2.text": "And {smokes}?", f"{FIRST}": {**_of("party"), "answers": ["smokes"]}}
    ),
    "a title before the question": _bad(
        {"sections": [in_section("region", "smokes", "party", title="In {region}")]}
        | {"piping": [{"text": "sections.0.title", "answers": ["region"]}]},
    ),
    "of what chance may ask later": _bad(
        {"sections": [in_section("region", "smokes", "party", random=True)]}
        | {"piping": [{**_of("smokes"), "answers": ["region"]}]},
    ),
    "of a section that chance may put later": _bad(
        {"sections.0.moves": True, "sections.1.moves": True}
    ),
}
