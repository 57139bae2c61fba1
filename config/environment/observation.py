"""What is seen of the site from outside: probes, metrics, logs, traces."""

import importlib.util
from typing import TYPE_CHECKING

from config.environment.kinds import choice, text, web_address, whole_number
from config.environment.variable import RuleError

if TYPE_CHECKING:
    from config.environment.environment import Environment

_TRACING = "opentelemetry.exporter.otlp.proto.http"


def _needs_tracing(_: "Environment", value: str) -> str:
    """Raises RuleError where traces are asked for and their package is not installed."""
    try:
        is_there = not value or importlib.util.find_spec(_TRACING) is not None
    except ModuleNotFoundError:
        is_there = False
    if not is_there:
        raise RuleError(
            f"is set, and the package of {_TRACING} is not installed: install "
            "requirements-tracing.txt, or leave the setting empty."
        )
    return value


class Observation:
    """Seen from outside"""

    CANDOR_LOG_FORMAT = choice(
        "`json`: [one object a line](operating/monitoring.md)", "text", among=("text", "json")
    )
    CANDOR_METRICS_PORT = whole_number(
        "where `manage.py candor metrics` answers Prometheus, set for web servers and workers too; "
        "`0`: nowhere",
        0,
        maximum=65_535,
    )
    CANDOR_METRICS_HOST = text("the address of that port", "127.0.0.1")
    CANDOR_LEAST_FREE_MB = whole_number(
        "megabytes that have to be free in the folders of data and files, for "
        "[`/readyz`](operating/monitoring.md) and metrics",
        100,
        unit="megabytes",
    )
    CANDOR_DRAIN_SECONDS = whole_number(
        "for so long a web process that is told to end serves on, while `/readyz` sends balancers "
        "elsewhere",
        0,
        unit="seconds",
    )
    CANDOR_OTLP_ENDPOINT = web_address(
        "a collector of [traces](operating/monitoring.md), such as `http://collector:4318`; needs "
        "`requirements-tracing.txt`",
        beside=_needs_tracing,
    )
