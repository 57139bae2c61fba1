"""Write wire.json: python -m tests.vectors.make_wire_vectors

Expected texts come from the rfc8785 package and hashlib, neither of which is ours; the sorted keys
of RFC 8785, section 3.2.3, are checked against the order that the RFC prints.
"""

import hashlib
import itertools
from typing import Any

import rfc8785

from tests.vectors.case_lines import write

OUTSIDE_DIGEST = ("digest", "translations")

# RFC 8785, section 3.2.3: the properties to sort, and their order as printed there.
RFC_KEYS = {
    "\u20ac": "Euro Sign",
    "\r": "Carriage Return",
    "\ufb33": "Hebrew Letter Dalet With Dagesh",
    "1": "One",
    "\U0001f600": "Emoji: Grinning Face",
    "\u0080": "Control",
    "\u00f6": "Latin Small Letter O With Diaeresis",
}
RFC_ORDER = ["\r", "1", "\u0080", "\u00f6", "\u20ac", "\U0001f600", "\ufb33"]

VALUES: dict[str, Any] = {
    "empty": [{}, [], ""],
    "constants": [None, True, False],
    "integers": [0, -1, 1, 4294967296, 2**52, 2**53 - 1, -(2**53 - 1)],
    "escapes": '"\\/\b\f\n\r\t\u0000\u001f\u007f\u2028\u2029',
    "unicode": "Grüße, 日本語, ‏עברית, e\u0301 is not \u00e9, 🙂",
    "key order of the RFC": RFC_KEYS,
    "keys are compared as UTF-16": {"\ue000": 1, "\U00010000": 2, "z": 3, "A": 4, "a": 5, "": 6},
    "numbers as keys": {"10": 1, "9": 2, "1": 3, "01": 4},
    "names of JavaScript": {"__proto__": {"a": 1}, "constructor": 2, "toString": 3, "length": 4},
    "nested": {"b": [{"d": [[], [{}]], "c": None}, [1, [2, [3]]]], "a": {"z": {"y": {"x": "w"}}}},
}

# JSON texts that parse and have no canonical form here.
REFUSED = [
    "0.5",
    "[1e300]",
    "9007199254740992",
    "-9007199254740992",
    '"\\ud800"',
    '{"\\udc00": 1}',
    '["a\\udbffb"]',
]


def question(name: str, categories: list[str], **other: Any) -> dict[str, Any]:
    return {
        "id": name,
        "kind": "yes_no" if categories[:2] == ["No", "Yes"] else "single_choice",
        "control": "yes_no" if categories[:2] == ["No", "Yes"] else "list",
        "text": "Have you ever …?",
        "help": "",
        "required": True,
        "randomized": True,
        "categories": categories,
        "prefer_not": False,
        "reason": "",
        "scale": None,
        "characters": None,
        "directed": None,
        "known": None,
    } | other


def dense(columns: list[list[int]]) -> dict[str, Any]:
    """A table with every entry written down."""
    return {
        "form": "dense",
        "reports": [chr(ord("A") + index) for index in range(len(columns[0]))],
        "denominator": sum(columns[0]),
        "columns": columns,
    }


def uniform(size: int, kept: int, other: int) -> dict[str, Any]:
    """A table of one entry for the truth's own report, and one for each other."""
    return {
        "form": "uniform",
        "reports": [chr(ord("A") + index) for index in range(size)],
        "denominator": kept + (size - 1) * other,
        "kept": kept,
        "other": other,
    }


def linear(steps: int, low: int, rise: int, denominator: int) -> dict[str, Any]:
    """A table of two reports on a number, the second likelier by `rise` with each step."""
    return {
        "form": "linear",
        "reports": ["A", "B"],
        "denominator": denominator,
        "low": low,
        "rise": rise,
        "steps": steps,
    }


def bloom(cohorts: int, bits: int, hashes: int, one: int, zero: int) -> dict[str, Any]:
    """A table of Bloom filters of texts; the two entries sum to the denominator."""
    return {
        "form": "bloom",
        "cohorts": cohorts,
        "bits": bits,
        "hashes": hashes,
        "denominator": one + zero,
        "one": one,
        "zero": zero,
    }


def joint(sizes: list[int], *weights: int) -> dict[str, Any]:
    """A table over the combinations of answers, by the number of answers that are changed."""
    parts = [[chr(ord("A") + index) for index in range(size)] for size in sizes]
    changed = [sum(map(bool, places)) for places in itertools.product(*map(range, sizes))]
    denominator = sum(weights[number] for number in changed)
    return {"form": "joint", "parts": parts, "denominator": denominator, "weights": list(weights)}


def columns_of(table: dict[str, Any]) -> list[list[int]]:
    """Every entry of a table whose reports are codes, truth by truth."""
    if table["form"] == "dense":
        return table["columns"]
    if table["form"] == "linear":
        seconds = [table["low"] + table["rise"] * step for step in range(table["steps"] + 1)]
        return [[table["denominator"] - second, second] for second in seconds]
    size = range(len(table["reports"]))
    return [[table["kept"] if u == v else table["other"] for u in size] for v in size]


def device(name: str, table: dict[str, Any], epsilon: str | None, **other: Any) -> dict[str, Any]:
    return {
        "id": name,
        "questions": [name],
        "option": None,
        "stratum": "page",
        "family": "direct" if epsilon is None else "k_rr",
        "look": "codes",
        "table": table,
        "epsilon": epsilon,
        "delta": None,
        "instructions": [],
        "search": None,
        "earlier": [],
    } | other


def of_options(name: str, count: int, table: dict[str, Any], epsilon: str | None) -> list[Any]:
    """A device for each option of a question whose boxes are scrambled one by one."""
    return [
        device(f"{name}_{i + 1}", table, epsilon, questions=[name], option=i) for i in range(count)
    ]


def document() -> dict[str, Any]:
    """A small, complete and valid parameters document, its digest not yet in it."""
    return {
        "format": 1,
        "survey": "work-2026",
        "version": 1,
        "wave": 1,
        "previous": None,
        "mode": "open",
        "language": "en",
        "title": "Arbeit & “Health” – Ünïcode 🙂",
        "introduction": "Line one\nline two",
        "consent": "",
        "contact": "survey@example.org",
        "linkage": "apart",
        "population": "sample",
        "release_threshold": 20,
        "release_batch": 5,
        "tables": [],
        "tiers": [],
        "roster": None,
        "analyses": [],
        "weighting": None,
        "arms": [],
        "epsilon": "2.1",
        "reason": "",
        "questions": [
            question("smokes", ["No", "Yes"]),
            question("party", ["Red", "Blue", "Prefer not to say"], prefer_not=True),
            question("region", ["North", "South"], randomized=False, required=False),
        ],
        "devices": [
            device("smokes", uniform(2, 3221225472, 1073741824), "1.1"),
            device("party", dense([[2, 1, 1], [1, 2, 1], [1, 1, 2]]), "1"),
            device("region", uniform(2, 1, 0), None),
        ],
    }


def everything() -> dict[str, Any]:
    """One document with all that the format can say."""
    return document() | {
        "linkage": "together",
        "population": "fixed",
        "tables": [["smokes", "mood"], ["ill", "smokes"]],
        "epsilon": "6.79",
        "reason": "One line.\nWarum so viel? “Darum”",
        "questions": every_question(),
        "devices": every_device(),
    }


def every_question() -> list[dict[str, Any]]:
    options = ["Rash", "Cough", "Fever", "Prefer not to say"]
    return [
        question("smokes", ["No", "Yes"], reason="Asked aloud anyway"),
        question("mood", ["Low", "Middling", "High"], kind="scale", control="scale"),
        question("ill", options, kind="multiple_choice", control="boxes", prefer_not=True),
        question("theft", ["Tea", "Time"], kind="multiple_choice", control="boxes", required=False),
        question(
            "diets", ["Meat", "Fish"], kind="multiple_choice", control="boxes", randomized=False
        ),
        question("rare", ["No", "Yes"]),
        question("leave", ["Pay", "Hours", "People", "Work"]),
        question("paid", ["Never", "Once", "Often"], kind="scale", control="scale"),
    ]


def every_device() -> list[dict[str, Any]]:
    halves = uniform(2, 5, 3)
    subsets = dense([[5 if u == v else 3 if u == 3 - v else 4 for u in range(4)] for v in range(4)])
    return [
        device("smokes", uniform(2, 3, 1), "1.1"),
        device(
            "smokes",
            dense([[5, 1], [2, 4]]),
            "1.386294361120",
            stratum="physical",
            family="forced_response",
            instructions=["Roll a die.", "On 1 say Yes, on 6 say No, else the truth."],
        ),
        device("mood", uniform(3, 2, 1), "0.7"),
        *of_options("ill", 4, halves, "0.52"),
        device("theft", subsets, "0.7"),
        *of_options("diets", 2, uniform(2, 1, 0), None),
        device(
            "rare",
            dense([[64, 0], [63, 1]]),
            "0.1",
            delta="0.015625",
            family="optimal_binary",
        ),
        device("leave", dense(DECK), "0.72", family="cards", look="cards"),
        device("paid", dense(SEARCHED), "1.1", family="searched", search=SEARCH),
    ]


def of_wave(number: int) -> dict[str, Any]:
    """What a later wave says of itself, in which people come back by their codes."""
    earlier = {"wave": number, "previous": "sha256:" + "5" * 64}
    return earlier | {"mode": "pseudonymous", "linkage": "together"}


def third_wave() -> dict[str, Any]:
    """Questions that are asked for the third time, of people who kept a code."""
    return document() | {
        **of_wave(3),
        "epsilon": "3.3",
        "devices": [
            device("smokes", uniform(2, 7, 1), "2", earlier=RELAXED),
            device("party", dense(NOW), "1.3", earlier=LISTED),
            device("region", uniform(2, 1, 0), None),
        ],
    }


def numbers() -> dict[str, Any]:
    """Numbers: one of which only the mean is asked for, one in bins, and one sent as it is."""
    hours = {"lower": "0", "upper": "60", "step": "0.5", "unit": "hours", "bins": []}
    degrees = {"lower": "-2.5", "upper": "1.25", "step": "0.75", "unit": "°C", "bins": [0, 2, 5]}
    ages = {"lower": "18", "upper": "99", "step": "1", "unit": "", "bins": [0, 47]}
    number = {"kind": "bounded_number", "control": "number"}
    cold = ["-2.5 to -1.75", "-1 to 0.5", "1.25", "Prefer not to say"]
    return document() | {
        "epsilon": "3.93",
        "questions": [
            question("hours", ["0 hours", "60 hours"], scale=hours, **number),
            question("cold", cold, scale=degrees, prefer_not=True, **number),
            question("age", ["18 to 64", "65 to 99"], scale=ages, randomized=False, **number),
        ],
        "devices": [
            device("hours", linear(120, 92, 7, 1024), "2.32"),
            device("cold", uniform(4, 5, 1), "1.61"),
            device("age", uniform(2, 1, 0), None),
        ],
    }


def texts() -> dict[str, Any]:
    """Short texts, in the second wave: with a refusal, and of one character with two hashes.

    (3/1)^2 = e^2.1972... and (5 / 3)^4 = e^2.0433...
    """
    text = {"kind": "short_text", "control": "text"}
    filters = {"drug": bloom(8, 128, 1, 768, 256), "letter": bloom(1, 16, 2, 5, 3)}
    return document() | {
        **of_wave(2),
        "epsilon": "4.4",
        "questions": [
            question("drug", ["Prefer not to say"], characters=64, prefer_not=True, **text),
            question("letter", [], characters=1, required=False, **text),
        ],
        "devices": [
            device(
                name,
                table,
                "2.2",
                family="rappor",
                look="text",
                earlier=[{"wave": 1, "table": table, "degradation": {"form": "same"}}],
            )
            for name, table in filters.items()
        ],
    }


def tiered() -> dict[str, Any]:
    """Three tiers: of every scrambled answer each reads one report."""
    hours = {"lower": "0", "upper": "60", "step": "0.5", "unit": "hours", "bins": []}
    number = {"kind": "bounded_number", "control": "number"}
    return document() | {
        "tiers": [
            {"name": "The public", "share": "0.4"},
            {"name": "Partners", "share": "0.6"},
            {"name": "Our own team", "share": "1"},
        ],
        "epsilon": "5.02",
        "questions": [
            question("smokes", ["No", "Yes"]),
            question("party", ["Red", "Blue", "Prefer not to say"], prefer_not=True),
            question("hours", ["0 hours", "60 hours"], scale=hours, **number),
            question("region", ["North", "South"], randomized=False, required=False),
        ],
        "devices": [
            device("smokes", SMOKES, "2"),
            device("party", PARTY, "0.7"),
            device("hours", HOURS, "2.32"),
            device("region", uniform(2, 1, 0), None),
        ],
    }


def grouped() -> dict[str, Any]:
    """Two groups of questions and one sent as it is: 8 = e^2.0794..., and 5 = e^1.6094..."""
    options = ["Pay", "Hours", "People", "Work"]
    return document() | {
        "epsilon": "3.69",
        "questions": [
            question("smokes", ["No", "Yes"]),
            question("party", ["Red", "Blue", "Prefer not to say"], prefer_not=True),
            question("region", ["North", "South"], randomized=False, required=False),
            question(
                "mood", ["Low", "Fair", "High"], kind="scale", control="scale", required=False
            ),
            question("leave", options, required=False),
        ],
        "devices": [
            device(
                "group_1",
                joint([2, 3], 8, 2, 1),
                "2.08",
                questions=["smokes", "party"],
                family="joint",
            ),
            device("region", uniform(2, 1, 0), None),
            device(
                "group_4",
                joint([3, 4], 20, 4, 4),
                "1.61",
                questions=["mood", "leave"],
                family="combinations",
            ),
        ],
    }


def grouped_again() -> dict[str, Any]:
    """The same in a second wave: what a group reported is sent again."""
    first = grouped()
    same = {"wave": 1, "degradation": {"form": "same"}}
    return first | {
        **of_wave(2),
        "devices": [
            each | {"earlier": [same | {"table": each["table"]}] if each["epsilon"] else []}
            for each in first["devices"]
        ],
    }


def paired() -> dict[str, Any]:
    """Three questions of which each person is asked two, and one that everybody is asked."""
    sizes, places = {"smokes": 2, "party": 3, "mood": 3}, {"smokes": 1, "party": 2, "mood": 4}
    # 6 = e^1.7917...
    others = {("party", "mood"): ((12, 3, 2), "1.8")}
    moods = ["Low", "Fair", "High"]
    devices = []
    for pair in itertools.combinations(sizes, 2):
        weights, epsilon = others.get(pair, ((8, 2, 1), "2.08"))
        table = joint([sizes[name] for name in pair], *weights)
        stratum = f"pair_{places[pair[0]]}_{places[pair[1]]}"
        own = {"questions": list(pair), "stratum": stratum, "family": "joint"}
        devices.append(device("pair", table, epsilon, **own))
    return document() | {
        "epsilon": "2.08",
        "questions": [
            question("smokes", ["No", "Yes"]),
            question("party", ["Red", "Blue", "Prefer not to say"], prefer_not=True),
            question("region", ["North", "South"], randomized=False, required=False),
            question("mood", moods, kind="scale", control="scale"),
        ],
        "devices": [*devices, device("region", uniform(2, 1, 0), None)],
    }


def ties(bits: int, one: int, zero: int) -> dict[str, Any]:
    """A table of a bit for each of the others; the two entries sum to the denominator."""
    return {"form": "ties", "bits": bits, "denominator": one + zero, "one": one, "zero": zero}


def rosters() -> dict[str, Any]:
    """Ties on a roster of five in two groups, both ways and one way: 3 = e^1.0986..."""
    about = {"kind": "roster_ties", "control": "roster"}
    return document() | {
        "mode": "personal",
        "linkage": "together",
        "population": "fixed",
        "roster": {
            "codes": ["a01", "a02", "B.3", "b-4", "c_5"],
            "groups": ["Früh", "Late"],
            "group_of": [0, 0, 1, 1, 0],
        },
        "epsilon": "3.3",
        "questions": [
            question("friends", [], directed=False, **about),
            question("lends", [], directed=True, required=False, **about),
            question("smokes", ["No", "Yes"]),
        ],
        "devices": [
            device("friends", ties(4, 12, 4), "1.1", family="tie_bits", look="ties"),
            device("lends", ties(4, 12, 4), "1.1", family="tie_bits", look="ties"),
            device("smokes", uniform(2, 3, 1), "1.1"),
        ],
    }


def analysis(outcome: str, *predictors: str, **other: Any) -> dict[str, Any]:
    """A logistic model of one answer given others, by categories."""
    return {
        "name": f"Who says yes to {outcome}",
        "outcome": outcome,
        "event": [1],
        "link": "logit",
        "predictors": [{"question": name, "scored": False} for name in predictors],
        "weighted": False,
    } | other


def declared() -> dict[str, Any]:
    """Analyses of every sort, margins and a control item, beside questions that fit in neither."""
    ages = {"lower": "18", "upper": "99", "step": "1", "unit": "", "bins": [0, 12, 47]}
    hours = {"lower": "0", "upper": "60", "step": "0.5", "unit": "hours", "bins": []}
    number = {"kind": "bounded_number", "control": "number"}
    boxes = {"kind": "multiple_choice", "control": "boxes"}
    scored = [{"question": name, "scored": True} for name in ("age", "smokes", "mood")]
    regions = ["North", "South", "Prefer not to say"]
    return document() | {
        "linkage": "together",
        "epsilon": "6.4",
        "analyses": [
            analysis("smokes", "region", "party", name="Wer raucht – 🚬"),
            analysis("mood", name="All moods", event=[], predictors=scored[:2], weighted=True),
            analysis("age", "party", name="Not young", event=[1, 2], link="cloglog"),
            analysis("party", name="Refusals", event=[2], link="identity", predictors=scored),
            analysis("region", "smokes", name="x" * 80, event=[0, 2], link="probit"),
        ],
        "weighting": {
            "margins": [
                {"question": "age", "shares": ["0.2", "0.312345678901", "0.487654321099"]},
                {"question": "region", "shares": ["0.75", "0.250", "0"]},
            ]
        },
        "questions": [
            question("smokes", ["No", "Yes"]),
            question("party", ["Red", "Blue", "Prefer not to say"], prefer_not=True),
            question("mood", ["Low", "Fair", "High"], kind="scale", control="scale"),
            question("hours", ["0 hours", "60 hours"], scale=hours, **number),
            question("age", ["18-29", "30-64", "65-99"], scale=ages, randomized=False, **number),
            question("region", regions, randomized=False, prefer_not=True),
            question("diets", ["Meat", "Fish"], randomized=False, **boxes),
            question("born", ["No", "Yes"], known="0.0"),
        ],
        "devices": [
            device("smokes", uniform(2, 3, 1), "1.1"),
            device("party", dense([[2, 1, 1], [1, 2, 1], [1, 1, 2]]), "1"),
            device("mood", uniform(3, 2, 1), "0.7"),
            device("hours", linear(120, 92, 7, 1024), "2.32"),
            device("age", uniform(3, 1, 0), None),
            device("region", uniform(3, 1, 0), None),
            *of_options("diets", 2, uniform(2, 1, 0), None),
            device("born", uniform(2, 3, 1), "1.1"),
        ],
    }


def arms(**shares: int) -> list[dict[str, Any]]:
    return [{"stratum": stratum, "share": share} for stratum, share in shares.items()]


def in_arms() -> dict[str, Any]:
    """A split sample and people who are asked directly, beside questions that are in neither.

    In the split sample one question reveals less and another one more: 10 / 3 = e^1.2039...
    """
    boxes = {"kind": "multiple_choice", "control": "boxes"}
    halves = uniform(2, 5, 3)
    split, direct = {"stratum": "split"}, {"stratum": "direct"}
    return document() | {
        "arms": arms(page=35, split=35, direct=30),
        "epsilon": "5.15",
        "questions": [
            question("smokes", ["No", "Yes"]),
            question("party", ["Red", "Blue", "Prefer not to say"], prefer_not=True),
            question("mood", ["Low", "Fair", "High"], kind="scale", control="scale"),
            question("ill", ["Rash", "Cough"], required=False, **boxes),
            question("born", ["No", "Yes"], known="0"),
            question("region", ["North", "South"], randomized=False, required=False),
        ],
        "devices": [
            device("smokes", uniform(2, 3, 1), "1.1"),
            device("smokes", halves, "0.52", **split),
            device("smokes", uniform(2, 1, 0), None, **direct),
            device("party", dense([[2, 1, 1], [1, 2, 1], [1, 1, 2]]), "1"),
            device("party", dense([[10, 3, 3], [3, 10, 3], [3, 3, 10]]), "1.21", **split),
            device("mood", uniform(3, 2, 1), "0.7"),
            device("mood", uniform(3, 1, 0), None, **direct),
            *of_options("ill", 2, halves, "0.52"),
            device("born", uniform(2, 3, 1), "1.1"),
            device("region", uniform(2, 1, 0), None),
        ],
    }


def plainly_asked() -> dict[str, Any]:
    """One person in a hundred is asked one question as it is, in an arm of another name."""
    asked = document()
    arm = device("smokes", uniform(2, 1, 0), None, stratum="plainly_2")
    return asked | {"arms": arms(page=99, plainly_2=1), "devices": [*asked["devices"], arm]}


def chain(epsilons: list[str], *steps: dict[str, Any], **other: Any) -> dict[str, Any]:
    return {"form": "chain", "steps": list(steps), "epsilons": epsilons} | other


def mixed(denominator: int, kept: int, other: int) -> dict[str, Any]:
    names = {"denominator": denominator, "kept": kept, "other": other}
    return {"form": "uniform"} | {name: str(value) for name, value in names.items()}


# From 6 : 2 to 5 : 3 the difference of the entries shrinks from 4 to 2: C = 1/4 + I / 2; from 7 : 1
# to 6 : 2 from 6 to 4: C = 1/6 + 2 I / 3.
SMOKES = chain(
    ["0.8", "1.1", "2"],
    uniform(2, 5, 3),
    uniform(2, 6, 2),
    uniform(2, 7, 1),
    degradations=[mixed(4, 3, 1), mixed(6, 5, 1)],
)
# Two reports of three answers from three, as in LISTED, and from these two by C = 1/4 + I / 2.
PARTY = chain(
    ["0.14", "0.3", "0.7"],
    dense([[128, 128], [112, 144], [112, 144]]),
    dense([[32, 32], [24, 40], [24, 40]]),
    dense([[8, 4, 4], [4, 8, 4], [4, 4, 8]]),
    degradations=[
        {"form": "dense", "denominator": "4", "columns": [["3", "1"], ["1", "3"]]},
        {"form": "dense", "denominator": "4", "columns": [["3", "1"], ["1", "3"], ["1", "3"]]},
    ],
)
# The rise of one bit on a number shrinks from 7 to 5 and to 3.
HOURS = chain(
    ["0.77", "1.36", "2.32"],
    linear(120, 332, 3, 1024),
    linear(120, 212, 5, 1024),
    linear(120, 92, 7, 1024),
    degradations=[mixed(10, 8, 2), mixed(14, 12, 2)],
)


# From 5 : 3 and 6 : 2 to 7 : 1. With C = other + (kept - other) I the degradation to 5 : 3 has
# (kept - other) / denominator = (5 - 3) / (7 - 1) = 1/3, so kept = 2/3.
RELAXED = [
    {
        "wave": 1,
        "table": uniform(2, 5, 3),
        "degradation": {"form": "uniform", "denominator": "3", "kept": "2", "other": "1"},
    },
    {
        "wave": 2,
        "table": uniform(2, 6, 2),
        "degradation": {"form": "uniform", "denominator": "6", "kept": "5", "other": "1"},
    },
]
# Three reports of three answers; in the first wave there were two reports: the first, and the two
# others as one, each with chance 3/4 and 1/4.
NOW = [[8, 4, 4], [4, 8, 4], [4, 4, 8]]
COARSE = [["3", "1"], ["1", "3"], ["1", "3"]]
LISTED = [
    {
        "wave": 1,
        "table": dense([[32, 32], [24, 40], [24, 40]]),
        "degradation": {"form": "dense", "denominator": "4", "columns": COARSE},
    },
    {"wave": 2, "table": dense(NOW), "degradation": {"form": "same"}},
]


# Each card shows two of four answers and is twice as likely with the real answer on it: the shares
# 2/9 and 1/9, rounded down to 512ths with what is left over on the first cards.
DECK = [
    [114, 114, 114, 57, 57, 56],
    [114, 57, 57, 114, 114, 56],
    [57, 114, 57, 114, 56, 114],
    [57, 57, 114, 56, 114, 114],
]
# Four reports of three answers; none stands for one.
SEARCHED = [[12, 8, 8, 4], [6, 16, 6, 4], [8, 6, 14, 4]]
SEARCH = {
    "prior": ["0.5", "0.3", "0.2"],
    "respondents": 1000,
    "privacy": "0.475",
    "worst_posterior": None,
    "epsilon": "1.1",
    "method": "local",
    "least_error": "1.369870987401",
}


def digest(covered: dict[str, Any]) -> str:
    text = rfc8785.dumps({k: v for k, v in covered.items() if k not in OUTSIDE_DIGEST})
    return "sha256:" + hashlib.sha256(text).hexdigest()


GROWN = {"lower": "18", "upper": "99", "step": "1", "unit": "", "bins": [0, 47]}
PARTIES = ["Red", "Blue", "Does not apply", "Prefer not to say"]


def compared(name: str, *answers: int, **other: Any) -> dict[str, Any]:
    """A comparison, of a number by its bounds."""
    usual = {"answers": list(answers), "above": None, "below": None, "negated": False}
    return {"question": name} | usual | other


def filtered() -> dict[str, Any]:
    """Scrambled questions behind scrambled and direct ones, and a direct one behind one."""
    number = {"kind": "bounded_number", "control": "number", "scale": GROWN, "randomized": False}
    boxes = {"kind": "multiple_choice", "control": "boxes"}
    return document() | {
        "epsilon": "9",
        "questions": [
            question("age", ["18 to 64", "65 to 99"], **number),
            question("smokes", ["No", "Yes"]),
            question("took", ["Tea", "Time"], required=False, **boxes),
            question("often", ["No", "Yes", "Does not apply"], not_applicable=True),
            question("party", PARTIES, prefer_not=True, not_applicable=True),
            question("city", ["North", "South"], randomized=False),
        ],
        "devices": [
            device("age", uniform(2, 1, 0), None),
            device("smokes", uniform(2, 3, 1), "1.1"),
            device("took_1", uniform(2, 3, 1), "1.1", questions=["took"], option=0),
            device("took_2", uniform(2, 3, 1), "1.1", questions=["took"], option=1),
            device("often", uniform(3, 2, 1), "0.7"),
            device("party", uniform(4, 5, 1), "1.61"),
            device("city", uniform(2, 1, 0), None),
        ],
        "filters": [
            {"question": "often", "any": [[compared("smokes", 1)]], "unasked": False},
            {
                "question": "party",
                "any": [
                    [compared("often", 0, 1), compared("took", 0, negated=True)],
                    [compared("age", above="20", below="70.5")],
                ],
                "unasked": False,
            },
            {"question": "city", "any": [[compared("age", above="64")]], "unasked": True},
        ],
    }


def wire_vectors() -> dict[str, Any]:
    whole = document()
    texts_in_german = {"title": "Arbeit"}
    covered = {"document": digest(whole), "language": "de", "texts": texts_in_german}
    german = {"texts": texts_in_german, "digest": digest(covered)}
    translated = whole | {"translations": {"de": german}}
    documents = [whole, translated, whole | {"title": "Work"}, whole | {"version": 2}]
    documents += [everything(), third_wave(), numbers(), texts(), tiered(), grouped()]
    documents += [grouped_again(), paired(), rosters(), declared(), in_arms(), plainly_asked()]
    documents += [filtered()]
    signed = [(digest(x), x | {"digest": digest(x)}) for x in documents]
    return {
        "format": 1,
        "canonical": [
            {"name": name, "value": value, "text": rfc8785.dumps(value).decode()}
            for name, value in VALUES.items()
        ],
        "digests": [{"document": found, "digest": name} for name, found in signed],
        "refused": REFUSED,
    }


if __name__ == "__main__":
    write("wire.json", wire_vectors())
