"""The results document, a pure function of tallies and frozen parameters, so that anyone with an
export gets the same numbers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import rr_engine
from surveys.devices.registry import certificate_of
from surveys.features import FEATURES
from surveys.kinds import KINDS
from surveys.kinds.estimates import LEVELS
from surveys.kinds.estimation_inputs import Input, Stratum
from surveys.parameters import Parameters, Question, groups_of, joint_of, to_json
from surveys.parameters.budget import spent, spent_delta, text_of
from surveys.parameters.cards import shown_by
from surveys.results.held_back import Waiting
from surveys.results.launch_strata import (
    Source,
    Tallies,
    direct_strata,
    released_strata,
    strata_of,
)
from surveys.results.question_groups.estimates import all_group_results
from surveys.results.tables.estimates import all_table_results, with_left_out

# Increased also when a number is no longer published: results of an earlier version are then not
# released.
FORMAT = 13
# By question.
Candidates = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Together:
    """The reports of the people whom joint numbers are about, and what is published of these."""

    sources: Sequence[Source]
    left_out: Mapping[str, Any]


OF_A_DEVICE = ("id", "option", "family", "epsilon", "delta")


def results_document(
    parameters: Parameters,
    digest: str,
    tallies: Tallies,
    responses: int,
    *,
    others: Sequence[Source] = (),
    candidates: Candidates | None = None,
    waiting: Waiting | None = None,
    together: Together | None = None,
) -> dict[str, Any]:
    """Every estimate of a survey with its inputs, as plain JSON types.

    `others`: reports to the same questions that came to other launches, pooled in the estimates.
    `candidates`: the texts whose shares are estimated, of each question that takes a text.
    `together`: without it, tables are about everybody.
    `waiting`: how many direct answers are not in the tallies yet, by device.
    """
    questions = {question.id: question for question in parameters.questions}
    people = responses - sum(source.people for source in others)
    own = Source(parameters.devices, tallies, digest=digest, people=people, waiting=waiting or {})
    sources = [own, *others]
    together = together or Together(sources, {"people": 0, "withheld": False})
    tables, recodings = all_table_results(questions, together.sources, parameters)
    noted = [with_left_out(table, together.left_out) for table in tables]
    return {
        "format": FORMAT,
        "survey": parameters.survey,
        "version": parameters.version,
        "wave": parameters.wave,
        "digest": digest,
        "responses": responses,
        "level": LEVELS[0],
        "linkage": parameters.linkage,
        "population": parameters.population,
        "release_threshold": parameters.release_threshold,
        "epsilon": {"declared": parameters.epsilon, "spent": text_of(spent(parameters.devices))},
        "delta": text_of(spent_delta(parameters.devices)),
        "sources": [_source(source) for source in sources],
        "engine": rr_engine.__version__,
        "questions": [
            _with_features(
                _question(question, parameters, sources, (candidates or {}).get(question.id, ())),
                question,
                parameters,
                sources,
            )
            for question in questions.values()
        ],
        "left_out": together.left_out,
        "tables": noted,
        "recodings": recodings,
        "groups": all_group_results(questions, sources, parameters),
    }


def tables_of(content: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The declared cross-tables of results, and the pairs of their question groups."""
    return [*content["tables"], *(pair for group in content["groups"] for pair in group["pairs"])]


def _source(source: Source) -> dict[str, Any]:
    """A line of the survey's ledger: the wave, what it may reveal, and who answered it last."""
    return {
        "source": source.name,
        "digest": source.digest,
        "epsilon": text_of(spent(source.devices)),
        "responses": source.people,
    }


def _question(
    question: Question,
    parameters: Parameters,
    sources: Sequence[Source],
    candidates: Sequence[str],
) -> dict[str, Any]:
    strata, directly = strata_of(question, *sources), direct_strata(question, *sources)
    threshold = parameters.release_threshold
    released = released_strata(strata, threshold)
    devices = [device_input.device for stratum in strata for device_input in stratum.inputs]
    margins = {
        (name, device.stratum) for device in joint_of(parameters) for name in device.questions
    }
    common = {
        "id": question.id,
        "text": question.text,
        "kind": question.kind,
        "randomized": question.randomized,
        "labels": list(question.categories),
        "in_group": _group_of(question, parameters),
        "epsilon": text_of(spent(devices)) if question.randomized else None,
        "delta": text_of(spent_delta(devices)),
        "n": sum(stratum.n for stratum in released),
        "suppressed": sum(stratum.n for stratum in strata if stratum not in released),
        "devices": [
            {**entry, "margin": (question.id, entry["stratum"]) in margins}
            for stratum in (*strata, *directly)
            for entry in _devices(stratum, [*released, *released_strata(directly, threshold)])
        ],
    }
    if not released:
        notes = ["below_threshold" if common["suppressed"] else "no_reports"]
        certificate = certificate_of(question, devices, None)
        return {**common, "certificate": certificate, "categories": [], "notes": notes}
    kind = KINDS[question.kind]
    numbers = kind.estimates(
        question, released, parameters.population, candidates, parameters.members
    )
    if common["suppressed"]:
        numbers["notes"] = sorted([*numbers["notes"], "stratum_suppressed"])
    shares = [row["maximum_likelihood"] for row in numbers["categories"]]
    known = None if None in shares else shares
    return {**common, "certificate": certificate_of(question, devices, known), **numbers}


def _with_features(
    entry: dict[str, Any], question: Question, parameters: Parameters, sources: Sequence[Source]
) -> dict[str, Any]:
    """The results of a question, with what features found."""
    for feature in FEATURES.values():
        entry = feature.results.of_question(entry, question, parameters, sources)
    return entry


def _group_of(question: Question, parameters: Parameters) -> str | None:
    """The device of the group that a question is in; None of a question alone."""
    groups = (device.id for device in groups_of(parameters) if question.id in device.questions)
    return next(groups, None)


def _devices(stratum: Stratum, released: Sequence[Stratum]) -> list[dict[str, Any]]:
    """The devices of one stratum; the counts of a suppressed one are left out."""
    released_or_empty = stratum in released or not any(
        device_input.counts.any() for device_input in stratum.inputs
    )
    return [
        {
            **{key: getattr(device_input.device, key) for key in OF_A_DEVICE},
            "table": to_json(device_input.device.table),
            "shows": shown_by(device_input.device),
            "source": stratum.source,
            "stratum": stratum.name,
            "n": device_input.n,
            "counts": _counts(device_input) if released_or_empty else None,
        }
        for device_input in stratum.inputs
    ]


def _counts(device_input: Input) -> list[int]:
    """How often each report came in; of ties nothing, as each bit is about one person."""
    return [] if device_input.rows is not None else device_input.counts.tolist()
