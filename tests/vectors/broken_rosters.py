"""Documents of rosters that break a rule each; see broken_documents.py."""

from typing import Any

from tests.vectors.broken_documents import Change
from tests.vectors.make_wire_vectors import device, ties, uniform


def _roster(**other: Any) -> Change:
    return lambda d: d["roster"].update(other)


def _table(index: int, **other: Any) -> Change:
    return lambda d: d["devices"][index]["table"].update(other)


def _question(index: int, **other: Any) -> Change:
    return lambda d: d["questions"][index].update(other)


def _alone(document: dict[str, Any]) -> None:
    """Only the question that is not about the roster."""
    document["questions"], document["devices"] = document["questions"][2:], document["devices"][2:]


def _direct(document: dict[str, Any]) -> None:
    document["questions"][2]["randomized"] = False
    document["devices"][2] = device("smokes", uniform(2, 1, 0), None)


def _open(document: dict[str, Any]) -> None:
    """As anybody could answer it, with what is asked about the roster."""
    document.update(mode="open", roster=None)


def _directed_alone(document: dict[str, Any]) -> None:
    _open(document)
    _alone(document)
    document["questions"][0]["directed"] = True


CODES = [f"m{number}" for number in range(1_001)]
FIFTY_ONE = [f"Group {number}" for number in range(51)]

BROKEN_ROSTERS: dict[str, tuple[Change, str, str]] = {
    "links without a roster": (lambda d: d.update(roster=None), "bad_roster", "roster"),
    "a roster behind an open link": (lambda d: d.update(mode="open"), "bad_roster", "roster"),
    "a roster behind return codes": (
        lambda d: d.update(mode="pseudonymous"),
        "bad_roster",
        "roster",
    ),
    "ties behind an open link": (_open, "not_personal", "mode"),
    "a direction behind an open link": (_directed_alone, "bad_roster", "questions.0.directed"),
    "links for nothing about the roster": (_alone, "not_personal", "mode"),
    "two members": (_roster(codes=["a", "b"]), "bad_number", "roster.codes"),
    "too many members": (_roster(codes=CODES), "bad_number", "roster.codes"),
    "a code twice": (
        _roster(codes=["a01", "a02", "a01", "b-4", "c_5"]),
        "duplicate",
        "roster.codes",
    ),
    "a code with a space": (
        _roster(codes=["a 1", "a02", "B.3", "b-4", "c_5"]),
        "bad_code",
        "roster.codes.0",
    ),
    "a code that begins with a hyphen": (
        _roster(codes=["a01", "-2", "B.3", "b-4", "c_5"]),
        "bad_code",
        "roster.codes.1",
    ),
    "one group": (
        _roster(groups=["All"], group_of=[0, 0, 0, 0, 0]),
        "wrong_length",
        "roster.groups",
    ),
    "too many groups": (_roster(groups=FIFTY_ONE), "wrong_length", "roster.groups"),
    "a group twice": (_roster(groups=["Early", "Early"]), "duplicate", "roster.groups"),
    "a group of nobody": (
        _roster(group_of=[0, 0, 0, 0, 0]),
        "bad_roster",
        "roster.group_of",
    ),
    "a group that there is not": (
        _roster(group_of=[0, 0, 1, 2, 0]),
        "bad_roster",
        "roster.group_of",
    ),
    "somebody without a group": (
        _roster(group_of=[0, 0, 1, 1]),
        "wrong_length",
        "roster.group_of",
    ),
    "numbers of groups that are not there": (
        _roster(groups=[]),
        "wrong_length",
        "roster.group_of",
    ),
    "names in the document": (_roster(names=["Ana"]), "unknown_key", "roster.names"),
    "ties without a direction": (
        _question(0, directed=None),
        "bad_roster",
        "questions.0.directed",
    ),
    "a direction of an answer": (
        _question(2, directed=True),
        "bad_roster",
        "questions.2.directed",
    ),
    "ties with categories": (
        _question(0, categories=["Ana", "Ben"]),
        "wrong_length",
        "questions.0.categories",
    ),
    "ties with a refusal": (
        _question(0, prefer_not=True, categories=["Prefer not to say"]),
        "wrong_length",
        "questions.0.categories",
    ),
    "a direct answer by name": (_direct, "not_randomized", "questions.2.randomized"),
    "a bit for oneself": (_table(0, bits=5), "wrong_length", "devices.0.table.bits"),
    "a bit too few": (_table(0, bits=3), "wrong_length", "devices.0.table.bits"),
    "one bit": (_table(0, bits=1), "bad_number", "devices.0.table.bits"),
    "ties of a third": (
        _table(0, denominator=15),
        "not_power_of_two",
        "devices.0.table.denominator",
    ),
    "a tie that is certain beyond one": (_table(0, one=17), "wrong_sum", "devices.0.table.one"),
    "ties as rare as none": (_table(0, one=4), "bad_ties", "devices.0.table.one"),
    "ties rarer than none": (
        _table(0, one=4, zero=12),
        "bad_ties",
        "devices.0.table.one",
    ),
    "a tie that proves itself": (_table(0, zero=0), "too_revealing", "devices.0.epsilon"),
    "no tie that proves itself": (_table(0, one=16), "too_revealing", "devices.0.epsilon"),
    "an epsilon just below that of a tie": (
        lambda d: d["devices"][0].update(epsilon="1.098612288668"),
        "too_revealing",
        "devices.0.epsilon",
    ),
    "ties with a table of codes": (
        lambda d: d["devices"][0].update(table=uniform(2, 3, 1)),
        "bad_form",
        "devices.0.table",
    ),
    "an answer with ties": (
        lambda d: d["devices"][2].update(table=ties(4, 12, 4)),
        "bad_form",
        "devices.2.table",
    ),
    "kept apart": (lambda d: d.update(linkage="apart"), "not_together", "mode"),
    "a second wave": (
        lambda d: d.update(wave=2, previous="sha256:" + "5" * 64),
        "not_pseudonymous",
        "wave",
    ),
    "over the budget": (lambda d: d.update(epsilon="3.29"), "over_budget", "epsilon"),
}
