"""Analyses, margins and control items (section 14 of the protocol)."""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction

from candor.respondent.questions import answers_of, is_listed
from candor.respondent.rules import (
    anything,
    check_object,
    is_boolean,
    is_decimal,
    is_identifier,
    is_whole,
    listing,
    one_of,
    require,
    text,
)
from candor.respondent.together import is_drawn_pair, is_joint
from candor.respondent.values import Json

MOST_ANALYSES, MOST_PREDICTORS, MOST_MARGINS, MOST_IN_A_NAME = 10, 8, 6, 80

ANALYSIS = {
    "name": text(1, MOST_IN_A_NAME),
    "outcome": is_identifier,
    "event": listing(is_whole),
    "link": one_of("logit", "probit", "cloglog", "identity"),
    "predictors": listing(anything, 1, MOST_PREDICTORS),
    "weighted": is_boolean,
}

PREDICTOR = {"question": is_identifier, "scored": is_boolean}
WEIGHTING = {"margins": listing(anything, 1, MOST_MARGINS)}
MARGIN = {"question": is_identifier, "shares": listing(is_decimal)}


def check_analyses(document: Json, questions: Mapping[str, Json]) -> None:
    analyses, weighting = document["analyses"], document["weighting"]
    for analysis in analyses:
        check_object(analysis, ANALYSIS)
        check_analysis(analysis, questions)
        used = {analysis["outcome"], *(each["question"] for each in analysis["predictors"])}
        for device in document["devices"]:
            together = used.intersection(device["questions"])
            require(len(together) <= 1, "one question of a group at most")
        require(not analysis["weighted"] or weighting is not None, "weights come from margins")
    require(len({each["name"] for each in analyses}) == len(analyses), "analyses are named apart")
    if analyses or weighting is not None:
        require(document["linkage"] == "together", "models need the answers of a person together")
        require(not any(map(is_drawn_pair, document["devices"])), "no models of random pairs")
    if weighting is not None:
        check_weighting(weighting, questions)


def check_control_items(document: Json) -> None:
    for question in document["questions"]:
        if question["known"] is None:
            continue
        require(Decimal(question["known"]) <= 1, "a known share is 1 at most")
        require(question["control"] == "yes_no", "a control item is answered with yes or no")
        require(question["randomized"], "a control item is scrambled")
        require(not question["prefer_not"], "a control item has no refusal")
        covering = [each for each in document["devices"] if question["id"] in each["questions"]]
        require(not any(map(is_joint, covering)), "a control item is sent on its own")


def check_analysis(analysis: Json, questions: Mapping[str, Json]) -> None:
    outcome, event = questions.get(analysis["outcome"]), analysis["event"]
    require(is_listed(outcome), "an outcome has one answer out of a list")
    size = len(questions[analysis["outcome"]]["categories"])
    require(event == sorted(set(event)), "the answers of an event rise")
    require(len(event) < size and all(code < size for code in event), "an event is some answers")
    apart = size >= 3 and analysis["link"] == "logit"
    require(bool(event) or apart, "only a logit tells all of three or more answers apart")
    used = {analysis["outcome"]}
    for predictor in analysis["predictors"]:
        check_object(predictor, PREDICTOR)
        name = predictor["question"]
        require(is_listed(questions.get(name)), "a predictor has one answer out of a list")
        require(name not in used, "a question comes once in an analysis")
        asked = questions[name]
        ordered = asked["control"] != "list" and answers_of(asked) == len(asked["categories"])
        require(ordered or not predictor["scored"], "scores are of answers with an order")
        used.add(name)


def check_weighting(weighting: Json, questions: Mapping[str, Json]) -> None:
    check_object(weighting, WEIGHTING)
    for margin in weighting["margins"]:
        check_object(margin, MARGIN)
        question = questions.get(margin["question"])
        require(is_listed(question), "a margin is of a question of one answer out of a list")
        require(question is not None and not question["randomized"], "a margin is of what is known")
        shares = [Fraction(share) for share in margin["shares"]]
        size = len(questions[margin["question"]]["categories"])
        require(len(shares) == size, "a margin has a share for each category")
        require(sum(shares) == 1, "the shares of a margin sum to 1")
        require(sum(share > 0 for share in shares) >= 2, "two categories have somebody")
    names = [margin["question"] for margin in weighting["margins"]]
    require(len(set(names)) == len(names), "a question has one margin")
