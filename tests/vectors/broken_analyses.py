"""Documents of analyses, margins and control items that break a rule; see broken_documents.py."""

from typing import Any

from tests.vectors.broken_documents import Change
from tests.vectors.make_wire_vectors import analysis, uniform


def _analysis(index: int, **other: Any) -> Change:
    return lambda d: d["analyses"][index].update(other)


def _predictors(index: int, *names: str, scored: bool = False) -> Change:
    rows = [{"question": name, "scored": scored} for name in names]
    return lambda d: d["analyses"][index].update(predictors=rows)


def _margin(index: int, **other: Any) -> Change:
    return lambda d: d["weighting"]["margins"][index].update(other)


def _weighting(value: Any) -> Change:
    return lambda d: d.update(weighting=value)


def _question(index: int, **other: Any) -> Change:
    return lambda d: d["questions"][index].update(other)


def _direct_item(d: dict[str, Any]) -> None:
    d["questions"][7]["randomized"] = False
    d["devices"][-1].update(epsilon=None, family="direct", table=uniform(2, 1, 0))


def _item_with_refusal(d: dict[str, Any]) -> None:
    d["questions"][7].update(categories=["No", "Yes", "Refuse"], prefer_not=True)
    d["devices"][-1].update(table=uniform(3, 2, 1))


def _of(outcome: str) -> Change:
    return _analysis(0, outcome=outcome)


AGE = {"question": "age", "shares": ["0.2", "0.3", "0.5"]}
ELEVEN = [analysis("smokes", "age", name=f"Analysis {number}") for number in range(11)]

BROKEN_ANALYSES: dict[str, tuple[Change, str, str]] = {
    "analyses no list": (lambda d: d.update(analyses={}), "not_a_list", "analyses"),
    "analyses null": (lambda d: d.update(analyses=None), "not_a_list", "analyses"),
    "no key of analyses": (lambda d: d.pop("analyses"), "missing_key", "analyses"),
    "no key of weighting": (lambda d: d.pop("weighting"), "missing_key", "weighting"),
    "too many analyses": (lambda d: d.update(analyses=ELEVEN), "wrong_length", "analyses"),
    "an analysis no object": (
        lambda d: d.update(analyses=["smokes"]),
        "not_an_object",
        "analyses.0",
    ),
    "an analysis with another key": (
        _analysis(1, sample="all"),
        "unknown_key",
        "analyses.1.sample",
    ),
    "an analysis without weights said": (
        lambda d: d["analyses"][1].pop("weighted"),
        "missing_key",
        "analyses.1.weighted",
    ),
    "analyses of answers kept apart": (
        lambda d: d.update(linkage="apart"),
        "not_together",
        "analyses",
    ),
    "weights for answers kept apart": (
        lambda d: d.update(linkage="apart", analyses=[]),
        "not_together",
        "weighting",
    ),
    "an analysis without a name": (_analysis(0, name=""), "bad_text", "analyses.0.name"),
    "a long name": (_analysis(0, name="\U0001f6ac" * 81), "bad_text", "analyses.0.name"),
    "a name twice": (_analysis(0, name="All moods"), "duplicate", "analyses"),
    "an unknown outcome": (_of("poll"), "bad_analysis", "analyses.0.outcome"),
    "an outcome of several answers": (_of("diets"), "bad_analysis", "analyses.0.outcome"),
    "an outcome that is any number": (_of("hours"), "bad_analysis", "analyses.0.outcome"),
    "an event of no answer": (
        _analysis(0, event=[2]),
        "bad_analysis",
        "analyses.0.event",
    ),
    "an event of all answers": (
        _analysis(2, event=[0, 1, 2]),
        "bad_analysis",
        "analyses.2.event",
    ),
    "an event of falling answers": (
        _analysis(2, event=[2, 1]),
        "bad_analysis",
        "analyses.2.event",
    ),
    "an event of an answer twice": (
        _analysis(2, event=[1, 1]),
        "bad_analysis",
        "analyses.2.event",
    ),
    "an event as a label": (_analysis(0, event=["Yes"]), "bad_number", "analyses.0.event"),
    "an event below all answers": (_analysis(0, event=[-1]), "bad_number", "analyses.0.event"),
    "an event no list": (_analysis(0, event=1), "not_a_list", "analyses.0.event"),
    "two answers told apart": (_analysis(0, event=[]), "bad_analysis", "analyses.0.event"),
    "all answers told apart by another link": (
        _analysis(1, link="probit"),
        "bad_analysis",
        "analyses.1.link",
    ),
    "an unknown link": (_analysis(0, link="log"), "bad_choice", "analyses.0.link"),
    "weighted as a text": (_analysis(0, weighted="no"), "not_a_boolean", "analyses.0.weighted"),
    "weighted without weights": (_weighting(None), "bad_analysis", "analyses.1.weighted"),
    "no predictors": (_predictors(0), "wrong_length", "analyses.0.predictors"),
    "nine predictors": (
        _predictors(0, *["age"] * 9),
        "wrong_length",
        "analyses.0.predictors",
    ),
    "a predictor by its name": (
        _analysis(0, predictors=["age"]),
        "not_an_object",
        "analyses.0.predictors.0",
    ),
    "an unknown predictor": (
        _predictors(0, "age", "poll"),
        "bad_analysis",
        "analyses.0.predictors.1.question",
    ),
    "a predictor of several answers": (
        _predictors(0, "diets"),
        "bad_analysis",
        "analyses.0.predictors.0.question",
    ),
    "a predictor that is any number": (
        _predictors(0, "hours", scored=True),
        "bad_analysis",
        "analyses.0.predictors.0.question",
    ),
    "the outcome as a predictor": (
        _predictors(0, "age", "smokes"),
        "bad_analysis",
        "analyses.0.predictors.1.question",
    ),
    "a predictor twice": (
        _predictors(0, "age", "mood", "age"),
        "bad_analysis",
        "analyses.0.predictors.2.question",
    ),
    "scores of answers without an order": (
        lambda d: (
            d["questions"][5].update(prefer_not=False) or _predictors(0, "region", scored=True)(d)
        ),
        "bad_analysis",
        "analyses.0.predictors.0.scored",
    ),
    "scores of a refusal": (
        lambda d: (
            d["questions"][2].update(prefer_not=True)
            or d["questions"][2]["categories"].append("Prefer not to say")
            or d["devices"][2].update(table=uniform(4, 11, 7))
        ),
        "bad_analysis",
        "analyses.3.predictors.2.scored",
    ),
    "scored as a number": (
        _analysis(0, predictors=[{"question": "age", "scored": 1}]),
        "not_a_boolean",
        "analyses.0.predictors.0.scored",
    ),
    "weighting a list": (_weighting([]), "not_an_object", "weighting"),
    "weighting with another key": (
        _weighting({"margins": [AGE], "trim": 5}),
        "unknown_key",
        "weighting.trim",
    ),
    "no margins": (_weighting({"margins": []}), "wrong_length", "weighting.margins"),
    "seven margins": (_weighting({"margins": [AGE] * 7}), "wrong_length", "weighting.margins"),
    "a margin twice": (
        _weighting({"margins": [AGE, AGE]}),
        "bad_weighting",
        "weighting.margins.1.question",
    ),
    "a margin of nothing asked": (
        _margin(0, question="poll"),
        "bad_weighting",
        "weighting.margins.0.question",
    ),
    "a margin of a scrambled answer": (
        _margin(0, question="mood"),
        "bad_weighting",
        "weighting.margins.0.question",
    ),
    "a margin of several answers": (
        _margin(1, question="diets", shares=["0.5", "0.5"]),
        "bad_weighting",
        "weighting.margins.1.question",
    ),
    "a share too few": (
        _margin(0, shares=["0.5", "0.5"]),
        "wrong_length",
        "weighting.margins.0.shares",
    ),
    "a share too many": (
        _margin(1, shares=["0.5", "0.25", "0.25", "0"]),
        "wrong_length",
        "weighting.margins.1.shares",
    ),
    "shares in per cent": (
        _margin(0, shares=["20", "30", "50"]),
        "wrong_sum",
        "weighting.margins.0.shares",
    ),
    "shares a millionth of a millionth too low": (
        _margin(0, shares=["0.2", "0.3", "0.499999999999"]),
        "wrong_sum",
        "weighting.margins.0.shares",
    ),
    "a negative share": (
        _margin(0, shares=["-0.2", "0.6", "0.6"]),
        "not_a_decimal",
        "weighting.margins.0.shares",
    ),
    "a share as a number": (
        _margin(0, shares=[0, "0.5", "0.5"]),
        "not_a_decimal",
        "weighting.margins.0.shares",
    ),
    "everybody in one category": (
        _margin(0, shares=["0", "1", "0.0"]),
        "bad_weighting",
        "weighting.margins.0.shares",
    ),
    "no key of a known share": (
        lambda d: d["questions"][7].pop("known"),
        "missing_key",
        "questions.7.known",
    ),
    "a known share as a number": (_question(7, known=0), "not_a_decimal", "questions.7.known"),
    "an empty known share": (_question(7, known=""), "not_a_decimal", "questions.7.known"),
    "a known share above one": (
        _question(7, known="1.000000000001"),
        "bad_known",
        "questions.7.known",
    ),
    "a known share of a list": (_question(2, known="0.5"), "bad_known", "questions.2.known"),
    "a known share beside a refusal": (
        _item_with_refusal,
        "bad_known",
        "questions.7.known",
    ),
    "a known share of a direct answer": (
        _direct_item,
        "bad_known",
        "questions.7.known",
    ),
}
