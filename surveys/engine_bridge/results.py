"""Tallies and frozen parameters -> the results document: a pure function, so that anyone with an
export gets the same numbers.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import rr_engine
from surveys.engine_bridge.certificates import certificate_of
from surveys.engine_bridge.decks import CARDS, cards_shown
from surveys.engine_bridge.designs import epsilon_text
from surveys.engine_bridge.estimates import LEVELS, question_estimates
from surveys.engine_bridge.strata import Device, Stratum, Tallies, released, strata_of
from surveys.engine_bridge.tables import all_table_results

# Raised too when something is no longer shown: what is stored of before is then not released.
FORMAT = 4


def results_document(
    parameters: Mapping[str, Any], digest: str, tallies: Tallies, responses: int
) -> dict[str, Any]:
    """Every estimate of a survey with what it rests on; plain JSON types."""
    questions = {question["id"]: question for question in parameters["questions"]}
    return {
        "format": FORMAT,
        "survey": parameters["survey"],
        "version": parameters["version"],
        "wave": parameters["wave"],
        "digest": digest,
        "responses": responses,
        "level": LEVELS[0],
        "linkage": parameters["linkage"],
        "population": parameters["population"],
        "release_threshold": parameters["release_threshold"],
        "epsilon": {"declared": parameters["epsilon"], "spent": _epsilon(parameters["devices"])},
        "delta": _delta(parameters["devices"]),
        "engine": rr_engine.__version__,
        "questions": [_question(question, parameters, tallies) for question in questions.values()],
        "tables": all_table_results(questions, tallies, parameters),
    }


def _question(
    question: Mapping[str, Any], parameters: Mapping[str, Any], tallies: Tallies
) -> dict[str, Any]:
    strata = strata_of(question, parameters["devices"], tallies)
    used = released(strata, parameters["release_threshold"])
    devices = [device for stratum in strata for device in stratum.devices]
    common = {
        "id": question["id"],
        "text": question["text"],
        "kind": question["kind"],
        "randomized": question["randomized"],
        "labels": question["categories"],
        "epsilon": _epsilon(devices) if question["randomized"] else None,
        "delta": _delta(devices),
        "n": sum(stratum.n for stratum in used),
        "withheld": sum(stratum.n for stratum in strata if stratum not in used),
        "devices": [entry for stratum in strata for entry in _devices(stratum, used)],
    }
    if not used:
        notes = ["below_threshold" if common["withheld"] else "no_reports"]
        certificate = certificate_of(question, devices, None)
        return {**common, "certificate": certificate, "categories": [], "notes": notes}
    numbers = question_estimates(question, used, parameters["population"])
    if common["withheld"]:
        numbers["notes"] = sorted([*numbers["notes"], "stratum_withheld"])
    shares = [row["constrained"] for row in numbers["categories"]]
    return {**common, "certificate": certificate_of(question, devices, shares), **numbers}


def _devices(stratum: Stratum, used: Sequence[Stratum]) -> list[dict[str, Any]]:
    """What made the reports of one stratum; nothing that a few people sent."""
    shown = stratum in used or not any(counts.any() for counts in stratum.counts)
    keys = ("id", "option", "design", "epsilon", "delta", "reports", "denominator", "columns")
    return [
        {
            **{key: device[key] for key in keys},
            "shows": cards_shown(device["columns"]) if device["design"] == CARDS else None,
            "stratum": stratum.name,
            "n": int(counts.sum()),
            "counts": counts.tolist() if shown else None,
        }
        for device, counts in zip(stratum.devices, stratum.counts, strict=True)
    ]


def _epsilon(devices: Sequence[Device]) -> str:
    """What these devices tell about one person: the largest over the strata of each, summed.

    A person reports to a device of one stratum only.
    """
    largest = _largest(devices, "epsilon")
    if not largest:
        return "0"
    events = [rr_engine.Randomized(epsilon_text(value)) for value in largest]
    return epsilon_text(Decimal(str(rr_engine.total_epsilon(rr_engine.Composition(events)))))


def _delta(devices: Sequence[Device]) -> str:
    return epsilon_text(sum(_largest(devices, "delta"), Decimal(0)))


def _largest(devices: Sequence[Device], key: str) -> list[Decimal]:
    largest: dict[str, Decimal] = {}
    for device in devices:
        if device[key] is not None:
            value = Decimal(device[key])
            largest[device["id"]] = max(value, largest.get(device["id"], value))
    return list(largest.values())
