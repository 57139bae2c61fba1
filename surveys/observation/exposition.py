"""The names and words of all metrics, and their form for Prometheus."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)

from surveys.observation.counting import BOUNDS, Field

# Each with the names of its labels. The parts say when a metric changes (windows.py).
LIVE: dict[str, tuple[str, tuple[str, ...]]] = {
    "candor_database_up": ("1 if the database answers", ()),
    "candor_broker_up": ("1 if the broker answers", ()),
    "candor_migrations_missing": ("Migrations of this release that the database lacks", ()),
    "candor_disk_low": ("1 if less is free than CANDOR_LEAST_FREE_MB", ()),
    "candor_surveys": ("Surveys by state", ("state",)),
    "candor_jobs": ("Jobs that somebody asked for, by kind and state", ("kind", "state")),
    "candor_sweep_age_seconds": ("Since a worker last ran what the clock sends", ()),
}
LASTING: dict[str, tuple[str, tuple[str, ...]]] = {
    "candor_recompute_late_seconds": (
        "For how long responses have been due that no worker took; whole windows",
        (),
    ),
    "candor_jobs_retrying": (
        "Standing jobs that failed three times in a row, as of the last window",
        ("kind",),
    ),
    "candor_broker_tasks": ("Tasks at the broker in hundreds, as of the last window", ("queue",)),
    "candor_disk_free_ratio": ("Free share of the disk, as of the last window", ("folder",)),
    "candor_responses_set_aside": ("1 if stored responses do not fit their survey", ()),
    "candor_responses_missing": ("1 if receipts have no response, as of the last hour", ()),
}
SNAPSHOT: dict[str, tuple[str, tuple[str, ...]]] = {
    "candor_responses": ("Stored responses, by batches", ()),
    "candor_responses_in_results": ("Responses in the tallies, by batches", ()),
    "candor_inbox_responses": ("Responses in the inbox, by batches", ()),
    "candor_respondents_requests_per_second": (
        "Requests of respondents between two snapshots, one digit",
        (),
    ),
    "candor_respondents_failed_ratio": ("Share of them that was answered with 5xx", ()),
    "candor_respondents_throttled_ratio": ("Share of them that was answered with 429", ()),
    "candor_respondents_seconds": (
        "Durations of them: the class in which a quantile lies",
        ("sort", "quantile"),
    ),
}
REQUESTS = "candor_requests"
SECONDS = "candor_request_seconds"


def gauges(
    kinds: Mapping[str, tuple[str, tuple[str, ...]]], values: Mapping[str, Any]
) -> Iterator[Metric]:
    """The metrics that have a value: one by its name, several by a JSON list of name and labels,
    or as a mapping.
    """
    found: dict[str, list[tuple[tuple[str, ...], float]]] = {}
    for key, value in values.items():
        if isinstance(value, Mapping):
            rows = [(_labels(labels), float(number)) for labels, number in value.items()]
            found.setdefault(key, []).extend(rows)
        else:
            name, *labels = json.loads(key) if key.startswith("[") else [key]
            found.setdefault(name, []).append((tuple(labels), float(value)))
    for name, rows in found.items():
        words, labels = kinds[name]
        family = GaugeMetricFamily(name, words, labels=labels)
        for label_values, number in rows:
            family.add_metric(label_values, number)
        yield family


def _labels(labels: str | tuple[str, ...]) -> tuple[str, ...]:
    return (labels,) if isinstance(labels, str) else labels


def of_desk(counts: Counter[Field]) -> Iterator[Metric]:
    """Requests of authors, signed-in readers and programs, one by one."""
    requests = CounterMetricFamily(
        REQUESTS,
        "Requests of authors, signed-in readers and programs",
        labels=("group", "route", "status"),
    )
    for field, number in sorted(counts.items()):
        if field[0] == "requests":
            requests.add_metric(field[1:], number)
    yield requests
    seconds = HistogramMetricFamily(SECONDS, "Their durations", labels=("group",))
    for group in sorted({field[1] for field in counts if field[0] == "seconds"}):
        reached, buckets = 0, []
        for index in range(len(BOUNDS) + 1):
            reached += counts["seconds", group, str(index)]
            bound = str(BOUNDS[index]) if index < len(BOUNDS) else "+Inf"
            buckets.append((bound, reached))
        seconds.add_metric((group,), buckets, sum_value=counts["sum", group] / 1000)
    yield seconds
