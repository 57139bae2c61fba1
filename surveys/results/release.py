"""The released results of a launch: the one place that applies the release threshold.

Pages, figures, downloads and the summary take their numbers from a Release only.
The results document already leaves out strata, groups and tables of too few people. The threshold
is applied again here, where every number passes, so that a statistic that forgets it is not shown.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from surveys.features import FEATURES
from surveys.models import Launch, Result
from surveys.parameters import Parameters, keys_asked_directly
from surveys.results.described import Base, base_of_json
from surveys.results.document import FORMAT as RESULT_FORMAT

EVERYBODY = Base()
# The source of a device (empty for this launch), its id and its stratum.
DeviceKey = tuple[str, str, str]
# The fields of a question or table with too few answers: none depends on what they
# sent.
OF_A_QUESTION = frozenset(
    {"id", "text", "kind", "randomized", "labels", "epsilon", "delta", "n", "suppressed", "devices"}
    | {"certificate", "in_group"}
)
OF_A_TABLE = frozenset(
    {"id", "outcome", "group", "outcome_text", "group_text", "outcome_labels", "group_labels"}
    | {"n", "suppressed", "strata"}
)
OF_A_GROUP = frozenset(
    {"id", "stratum", "family", "epsilon", "strata", "questions", "texts", "labels", "table"}
    | {"combinations", "n", "suppressed"}
)


@dataclass(frozen=True, slots=True)
class Release:
    """The released part of a result; `content` is None if nothing is released."""

    launch: Launch
    step: int  # that of the readers whose results these are, from 0; where all read alike 0
    threshold: int
    responses: int
    revision: int
    computed_at: datetime | None
    computing: bool  # enough responses are aggregated, and the worker is computing the result
    content: dict[str, Any] | None
    # The devices whose single reports are shown to nobody: those with too few, and those of people
    # who are asked something sensitive directly.
    suppressed: frozenset[DeviceKey]
    digest: str  # digest of the result before the threshold was applied
    base: Base = EVERYBODY  # whom the numbers about several answers together are about

    @property
    def parameters(self) -> Parameters:
        """The parameters that these results rest on."""
        return self.launch.parameters_at(self.step)

    def waves(self) -> list[tuple[str, Parameters]]:
        """The parameters of each source of its reports, those of this launch last."""
        launch = self.launch
        if launch.wave == 1:
            return [("", self.parameters)]
        return [
            (launch.source_of(wave.wave), wave.parameters_at(self.step)) for wave in launch.waves()
        ]


def release_of(launch: Launch, step: int = 0) -> Release:
    """Apply the threshold to the latest result: to the survey, and to each question in it.

    Who names no step gets the lowest, which tells least.
    """
    result = Result.objects.filter(launch=launch, step=step).first()
    threshold = launch.parameters.release_threshold
    responses, revision = (result.responses, result.revision) if result else (0, 0)
    computed_at = result.computed_at if result else None
    enough = min(responses, launch.in_tallies()) >= threshold
    if result is None or not _readable(result) or not enough:
        nothing = (None, _directly(launch.parameters), "")
        return Release(launch, step, threshold, responses, revision, computed_at, enough, *nothing)
    content = _apply_threshold(result.content, threshold)
    return Release(
        launch,
        step,
        threshold,
        responses,
        revision,
        computed_at,
        False,
        content,
        _suppressed_devices(content) | _directly(launch.parameters),
        result.digest,
        base_of_json(result.base),
    )


def _directly(parameters: Parameters) -> frozenset[DeviceKey]:
    """The devices of sensitive questions asked directly: such a survey has one launch."""
    return frozenset(("", *key) for key in keys_asked_directly(parameters))


def _readable(result: Result) -> bool:
    """The latest result; None if its format is older, until the worker recomputes it."""
    return result.content.get("format") == RESULT_FORMAT


def _apply_threshold(content: dict[str, Any], threshold: int) -> dict[str, Any]:
    questions = [
        _of_features(
            _count_only(question) if 0 < question["n"] < threshold else question, threshold
        )
        for question in content["questions"]
    ]
    tables = [
        _empty_table(table) if 0 < table["n"] < threshold else table for table in content["tables"]
    ]
    groups = [
        _empty_group(group) if 0 < group["n"] < threshold else group for group in content["groups"]
    ]
    return {**content, "questions": questions, "tables": tables, "groups": groups}


def _count_only(question: dict[str, Any]) -> dict[str, Any]:
    facts = {key: question[key] for key in question if key in OF_A_QUESTION}
    devices = [{**device, "counts": None} for device in question["devices"]]
    if facts["certificate"] and "at_estimate" in facts["certificate"]:
        facts["certificate"] = {**facts["certificate"], "at_estimate": None}
    counts = {"n": 0, "suppressed": question["n"] + question["suppressed"]}
    return {**facts, **counts, "devices": devices, "categories": [], "notes": ["below_threshold"]}


def _of_features(question: dict[str, Any], threshold: int) -> dict[str, Any]:
    for feature in FEATURES.values():
        question = feature.results.above_threshold(question, threshold)
    return question


def _empty_table(table: dict[str, Any]) -> dict[str, Any]:
    facts = {key: table[key] for key in table if key in OF_A_TABLE}
    counts = {"n": 0, "suppressed": table["n"] + table["suppressed"]}
    return {**facts, **counts, "cells": [], "notes": ["table_below_threshold"]}


def _empty_group(group: dict[str, Any]) -> dict[str, Any]:
    facts = {key: group[key] for key in group if key in OF_A_GROUP}
    counts = {"n": 0, "suppressed": group["n"] + group["suppressed"]}
    return {**facts, **counts, "pairs": [], "cells": [], "notes": ["group_below_threshold"]}


def _suppressed_devices(content: dict[str, Any]) -> frozenset[DeviceKey]:
    devices = [device for question in content["questions"] for device in question["devices"]]
    suppressed = [device for device in devices if device["counts"] is None]
    suppressed += [
        {**stratum, "id": group["id"]}
        for group in content["groups"]
        for stratum in group["strata"]
        if group["suppressed"] and (not group["n"] or stratum["n"] < content["release_threshold"])
    ]
    return frozenset((device["source"], device["id"], device["stratum"]) for device in suppressed)
