"""Counts of stored responses: by device and stratum, and by pair of devices."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from surveys.parameters import Chain, Device, Parameters, joint_of, parts_of_all, with_parts
from surveys.parameters.steps import report_at_step
from surveys.responses.crossings import Crossing, crossed_spaces, crossings
from surveys.responses.pair_counts import ALL_PAIRS, all_pairs
from surveys.responses.spaces import Countable, Counts, Space, space_of

# (device or table, stratum)
Key = tuple[str, str]
Content = dict[str, Any]


def device_spaces(parameters: Parameters) -> dict[Key, Space]:
    return {device.key: space_of(device) for device in parameters.devices}


def tally_spaces(parameters: Parameters) -> dict[Key, Countable]:
    """Return what each tally counts.

    The keys are those of every device, of every question of a joint one and of every declared
    table, and the key of all pairs.
    """
    parts, pairs = parts_of_all(joint_of(parameters)), all_pairs(parameters)
    spaces: dict[Key, Countable] = {
        **device_spaces(parameters),
        **{part.key: space_of(part) for part in parts},
    }
    return {**spaces, **crossed_spaces(parameters), **({ALL_PAIRS: pairs} if pairs else {})}


def count(contents: Iterable[Content], parameters: Parameters) -> dict[Key, Counts]:
    """Reports of each device, and of each pair of devices that one person reported to.

    Of a joint device also those of each of its questions. Reports of members are counted with the
    places of their senders.
    """
    spaces, pairs = tally_spaces(parameters), dict.fromkeys(map(_pair_of, crossings(parameters)))
    members = parameters.members
    places = members.places if members else {}
    every_pair = all_pairs(parameters)
    reports: dict[Key, list[Any]] = {}
    for content in _with_parts(contents, parameters):
        for device, report in content["reports"].items():
            key = (device, content["strata"][device])
            counted = (places[content["member"]], report) if spaces[key].from_members else report
            reports.setdefault(key, []).append(counted)
        if every_pair is not None:
            reports.setdefault(ALL_PAIRS, []).append(every_pair.codes_of(content))
        for pair in pairs:
            if all(name in content["reports"] for name in pair):
                key = (",".join(pair), ",".join(content["strata"][name] for name in pair))
                # A question that somebody was asked directly by chance is in no table.
                if key in spaces:
                    reports.setdefault(key, []).append([content["reports"][name] for name in pair])
    return {key: spaces[key].count(sent) for key, sent in reports.items()}


def _with_parts(contents: Iterable[Content], parameters: Parameters) -> Iterable[Content]:
    """Return the contents, with a joint report also under the name of each question."""
    joint = joint_of(parameters)
    return (content_with_parts(content, joint) for content in contents) if joint else contents


def content_with_parts(content: Content, joint: Sequence[Device]) -> Content:
    """Return the response, with a joint report also under the name of each question."""
    reports, strata = dict(content["reports"]), dict(content["strata"])
    by_key = {device.key: device for device in joint}
    for name, report in content["reports"].items():
        device = by_key.get((name, strata[name]))
        if device is not None:
            parts = with_parts(device, report)
            reports.update(parts)
            strata.update(dict.fromkeys(parts, strata[name]))
    return {**content, "reports": reports, "strata": strata}


def content_at(step: int, content: Content, parameters: Parameters) -> Content:
    """A response as the readers of this step see it: of each chain only the code on that step."""
    if not any(isinstance(device.table, Chain) for device in parameters.devices):
        return content
    devices = {device.key: device for device in parameters.devices}
    strata = content["strata"]
    reports = {
        name: report_at_step(devices[name, strata[name]], report, step)
        for name, report in content["reports"].items()
    }
    return {**content, "reports": reports}


def fits(content: Content, spaces: Mapping[Key, Space]) -> bool:
    """Whether every report is one of its device; a report set may hold a part of a response."""
    pairs = [
        (spaces.get((device, content["strata"].get(device))), report)
        for device, report in content["reports"].items()
    ]
    return all(space is not None and space.check(report) is None for space, report in pairs)


def split_reports(content: Content) -> Sequence[Content]:
    """The reports of a response one by one, with nothing that joins them."""
    return [
        {"reports": {device: code}, "strata": {device: content["strata"][device]}}
        for device, code in content["reports"].items()
    ]


def _pair_of(crossing: Crossing) -> tuple[str, str]:
    return crossing.outcome, crossing.group
