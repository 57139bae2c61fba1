"""Documents of analyses, margins and control items that break a rule; see broken_documents.py."""

from tests.vectors.breaches import GONE, Breach, Json, at, at_once, but
from tests.vectors.make_wire_vectors import analysis, uniform

AGE = {"question": "age", "shares": ["0.2", "0.3", "0.5"]}
ELEVEN = [analysis("smokes", "age", name=f"Analysis {number}") for number in range(11)]


def predictors(*names: str, scored: bool = False) -> list[Json]:
    return [{"question": name, "scored": scored} for name in names]


BROKEN_ANALYSES: dict[str, Breach] = {
    "analyses no list": at("analyses", {}, "not_a_list"),
    "analyses null": at("analyses", None, "not_a_list"),
    "no key of analyses": at("analyses", GONE, "missing_key"),
    "no key of weighting": at("weighting", GONE, "missing_key"),
    "too many analyses": at("analyses", ELEVEN, "wrong_length"),
    "an analysis no object": at("analyses", ["smokes"], "not_an_object", ".0"),
    "an analysis with another key": at("analyses.1.sample", "all", "unknown_key"),
    "an analysis without weights said": at("analyses.1.weighted", GONE, "missing_key"),
    "analyses of answers kept apart": at("linkage", "apart", "not_together", "analyses"),
    "weights for answers kept apart": at_once(
        {"linkage": "apart", "analyses": []}, "not_together", "weighting"
    ),
    "an analysis without a name": at("analyses.0.name", "", "bad_text"),
    "a long name": at("analyses.0.name", "\U0001f6ac" * 81, "bad_text"),
    "a name twice": at("analyses.0.name", "All moods", "duplicate", "analyses"),
    "an unknown outcome": at("analyses.0.outcome", "poll", "bad_analysis"),
    "an outcome of several answers": at("analyses.0.outcome", "diets", "bad_analysis"),
    "an outcome that is any number": at("analyses.0.outcome", "hours", "bad_analysis"),
    "an event of no answer": at("analyses.0.event", [2], "bad_analysis"),
    "an event of all answers": at("analyses.2.event", [0, 1, 2], "bad_analysis"),
    "an event of falling answers": at("analyses.2.event", [2, 1], "bad_analysis"),
    "an event of an answer twice": at("analyses.2.event", [1, 1], "bad_analysis"),
    "an event as a label": at("analyses.0.event", ["Yes"], "bad_number"),
    "an event below all answers": at("analyses.0.event", [-1], "bad_number"),
    "an event no list": at("analyses.0.event", 1, "not_a_list"),
    "two answers told apart": at("analyses.0.event", [], "bad_analysis"),
    "all answers told apart by another link": at("analyses.1.link", "probit", "bad_analysis"),
    "an unknown link": at("analyses.0.link", "log", "bad_choice"),
    "weighted as a text": at("analyses.0.weighted", "no", "not_a_boolean"),
    "weighted without weights": at("weighting", None, "bad_analysis", "analyses.1.weighted"),
    "no predictors": at("analyses.0.predictors", predictors(), "wrong_length"),
    "nine predictors": at("analyses.0.predictors", predictors(*["age"] * 9), "wrong_length"),
    "a predictor by its name": at("analyses.0.predictors", ["age"], "not_an_object", ".0"),
    "an unknown predictor": at(
        "analyses.0.predictors", predictors("age", "poll"), "bad_analysis", ".1.question"
    ),
    "a predictor of several answers": at(
        "analyses.0.predictors", predictors("diets"), "bad_analysis", ".0.question"
    ),
    "a predictor that is any number": at(
        "analyses.0.predictors", predictors("hours", scored=True), "bad_analysis", ".0.question"
    ),
    "the outcome as a predictor": at(
        "analyses.0.predictors", predictors("age", "smokes"), "bad_analysis", ".1.question"
    ),
    "a predictor twice": at(
        "analyses.0.predictors", predictors("age", "mood", "age"), "bad_analysis", ".2.question"
    ),
    "scores of answers without an order": at_once(
        {
            "questions.5.prefer_not": False,
            "analyses.0.predictors": predictors("region", scored=True),
        },
        "bad_analysis",
        "analyses.0.predictors.0.scored",
    ),
    "scores of a refusal": at_once(
        {
            "questions.2.prefer_not": True,
            "questions.2.categories.3": "Prefer not to say",
            "devices.2.table": uniform(4, 11, 7),
        },
        "bad_analysis",
        "analyses.3.predictors.2.scored",
    ),
    "scored as a number": at(
        "analyses.0.predictors",
        [{"question": "age", "scored": 1}],
        "not_a_boolean",
        ".0.scored",
    ),
    "weighting a list": at("weighting", [], "not_an_object"),
    "weighting with another key": at(
        "weighting", {"margins": [AGE], "trim": 5}, "unknown_key", ".trim"
    ),
    "no margins": at("weighting", {"margins": []}, "wrong_length", ".margins"),
    "seven margins": at("weighting", {"margins": [AGE] * 7}, "wrong_length", ".margins"),
    "a margin twice": at(
        "weighting", {"margins": [AGE, AGE]}, "bad_weighting", ".margins.1.question"
    ),
    "a margin of nothing asked": at("weighting.margins.0.question", "poll", "bad_weighting"),
    "a margin of a scrambled answer": at("weighting.margins.0.question", "mood", "bad_weighting"),
    "a margin of several answers": at(
        "weighting.margins.1",
        but(question="diets", shares=["0.5", "0.5"]),
        "bad_weighting",
        ".question",
    ),
    "a share too few": at("weighting.margins.0.shares", ["0.5", "0.5"], "wrong_length"),
    "a share too many": at(
        "weighting.margins.1.shares", ["0.5", "0.25", "0.25", "0"], "wrong_length"
    ),
    "shares in per cent": at("weighting.margins.0.shares", ["20", "30", "50"], "wrong_sum"),
    "shares a millionth of a millionth too low": at(
        "weighting.margins.0.shares", ["0.2", "0.3", "0.499999999999"], "wrong_sum"
    ),
    "a negative share": at("weighting.margins.0.shares", ["-0.2", "0.6", "0.6"], "not_a_decimal"),
    "a share as a number": at("weighting.margins.0.shares", [0, "0.5", "0.5"], "not_a_decimal"),
    "everybody in one category": at(
        "weighting.margins.0.shares", ["0", "1", "0.0"], "bad_weighting"
    ),
    "no key of a known share": at("questions.7.known", GONE, "missing_key"),
    "a known share as a number": at("questions.7.known", 0, "not_a_decimal"),
    "an empty known share": at("questions.7.known", "", "not_a_decimal"),
    "a known share above one": at("questions.7.known", "1.000000000001", "bad_known"),
    "a known share of a list": at("questions.2.known", "0.5", "bad_known"),
    "a known share beside a refusal": at_once(
        {
            "questions.7": but(categories=["No", "Yes", "Refuse"], prefer_not=True),
            "devices.8.table": uniform(3, 2, 1),
        },
        "bad_known",
        "questions.7.known",
    ),
    "a known share of a direct answer": at_once(
        {
            "questions.7.randomized": False,
            "devices.8": but(epsilon=None, family="direct", table=uniform(2, 1, 0)),
        },
        "bad_known",
        "questions.7.known",
    ),
}
