"""What is checked before anything is asked (section 3 of the protocol)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from candor.respondent.analyses import MOST_ANALYSES, check_analyses, check_control_items
from candor.respondent.arms import ARM, MOST_ARMS, check_arms, other_arms
from candor.respondent.batteries import check_batteries
from candor.respondent.canonical import digest_of
from candor.respondent.dates import check_dates
from candor.respondent.devices import DEVICE, check_device, devices_of
from candor.respondent.filters import check_filters
from candor.respondent.link_values import check_link_values
from candor.respondent.piping import check_piping
from candor.respondent.questions import check_question
from candor.respondent.quotas import check_end, check_quotas
from candor.respondent.rosters import check_roster
from candor.respondent.rules import (
    Rule,
    anything,
    check_object,
    is_counted,
    is_decimal,
    is_digest,
    is_filled_list,
    is_name,
    is_object,
    is_pair,
    is_text,
    listing,
    none_or,
    one_of,
    require,
    text,
    whole,
)
from candor.respondent.support import check_beside_support, check_support
from candor.respondent.tiers import check_tiers
from candor.respondent.together import check_joint_device, check_together, is_drawn_pair, is_joint
from candor.respondent.values import (
    ABOUT_SITE,
    DELTA_LIMIT,
    PERSON_LIMIT,
    QUESTION_LIMIT,
    SLUG,
    Json,
)
from candor.respondent.waves import check_waves

OF_SOME = {"support", "shared_device", "date_parts", "sections", "filters", "batteries"}
OF_SOME |= {"piping", "link_values", "option_orders", "free_texts", "quotas", "closing_page"}
MAY_BE_ABSENT = {"translations", *OF_SOME, *ABOUT_SITE}

DOCUMENT: dict[str, Rule] = {
    "format": whole(1, 1),
    "survey": lambda value: text(1, 64)(value) and bool(SLUG.fullmatch(value)),
    "version": is_counted,
    "wave": is_counted,
    "previous": none_or(is_digest),
    "mode": one_of("open", "pseudonymous", "personal"),
    "language": is_name,
    "title": is_name,
    "introduction": is_text,
    "consent": is_text,
    "contact": is_text,
    "linkage": one_of("together", "apart"),
    "population": one_of("sample", "fixed"),
    "release_threshold": is_counted,
    "tiers": listing(anything),
    "release_batch": is_counted,
    "roster": none_or(is_object),
    "analyses": listing(anything, 0, MOST_ANALYSES),
    "weighting": none_or(is_object),
    "arms": listing(anything, 0, MOST_ARMS),
    "tables": listing(is_pair),
    "epsilon": is_decimal,
    "reason": is_text,
    "questions": is_filled_list,
    "devices": is_filled_list,
    "digest": is_digest,
}


def check(document: Any) -> Json:
    """The document, if all rules of section 3 hold; raises `Untrusted` otherwise."""
    require(isinstance(document, dict), "is an object")
    check_object(document, DOCUMENT, optional=MAY_BE_ABSENT)
    for question in document["questions"]:
        check_question(question)
    questions = {question["id"]: question for question in document["questions"]}
    require(len(questions) == len(document["questions"]), "question ids are unique")
    check_tables(document, questions)
    for arm in document["arms"]:
        check_object(arm, ARM)
    arms = other_arms(document)
    for device in document["devices"]:
        check_object(device, DEVICE)
        if is_joint(device):
            check_joint_device(device, questions)
        else:
            check_device(device, questions, in_arm=device["stratum"] in arms)
    check_arms(document, questions)
    check_together(document)
    check_roster(document)
    check_analyses(document, questions)
    check_control_items(document)
    check_support(document)
    check_beside_support(document)
    check_filters(document)
    check_batteries(document)
    check_piping(document)
    check_link_values(document)
    check_quotas(document)
    check_end(document)
    check_dates(document, questions)
    check_tiers(document)
    check_waves(document)
    check_coverage(document["devices"], questions)
    check_total(document)
    check_reasons(document)
    require(digest_of(document) == document["digest"], "the digest is that of the document")
    return document


def check_tables(document: Json, questions: Mapping[str, Json]) -> None:
    tables = document["tables"]
    require(not tables or document["linkage"] == "together", "cross-tables need linkage together")
    require(all(name in questions for pair in tables for name in pair), "tables name questions")


def check_coverage(devices: Sequence[Json], questions: Mapping[str, Json]) -> None:
    places = Counter((device["id"], device["stratum"]) for device in devices)
    require(max(places.values()) == 1, "no device comes twice in one stratum")
    pairs = [device for device in devices if is_drawn_pair(device)]
    paired = {name for device in pairs for name in device["questions"]}
    alone = [question for question in questions.values() if question["id"] not in paired]
    for stratum in {"page", *(device["stratum"] for device in devices if device not in pairs)}:
        for question in alone:
            options = [device["option"] for device in devices_of(devices, question, stratum)]
            every = list(range(len(question["categories"])))
            elsewhere = stratum != "page" and not options
            require(elsewhere or options in ([None], every), "a question is covered on the page")
            drawn = [device["option"] for device in devices_of(devices, question, "page")]
            require(elsewhere or options == drawn, "a question has the same devices everywhere")


def check_total(document: Json) -> None:
    require(spent(document["devices"]) <= Decimal(document["epsilon"]), "the budget is kept")
    deltas = spent(document["devices"], "delta")
    require(deltas <= DELTA_LIMIT, f"the deltas add up to {DELTA_LIMIT} at most")


def check_reasons(document: Json) -> None:
    """Check that epsilons above the limits have reasons."""
    above = spent(document["devices"]) > PERSON_LIMIT
    require(not above or bool(document["reason"].strip()), "a total above the limit has a reason")
    for question in document["questions"]:
        own = [each for each in document["devices"] if question["id"] in each["questions"]]
        above = spent(own) > QUESTION_LIMIT
        require(not above or bool(question["reason"].strip()), "weak protection has a reason")


def spent(devices: Iterable[Json], key: str = "epsilon") -> Decimal:
    """Return what one person may spend of it: the sum over devices of the largest over strata."""
    largest: dict[str, Decimal] = {}
    for device in devices:
        value = Decimal(device[key] or 0)
        largest[device["id"]] = max(value, largest.get(device["id"], value))
    return sum(largest.values(), Decimal(0))
