"""Board and rules for operators: a rule fires where it should, and no query asks for nothing."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.cog.plugins import register_default_plugins
from grafana_foundation_sdk.models.dashboard import Dashboard

from surveys.observation import exposition

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "deploy" / "observability"
PAGE = (ROOT / "docs" / "operating" / "monitoring.md").read_text(encoding="utf-8")
TAKEN_OUT = ROOT / "var" / "promtool" / "usr" / "bin" / "promtool"

GAUGES = {**exposition.LIVE, **exposition.LASTING, **exposition.SNAPSHOT}
NAMES = {
    *GAUGES,
    f"{exposition.REQUESTS}_total",
    *(f"{exposition.SECONDS}_{part}" for part in ("bucket", "sum", "count")),
}


def board():
    return json.loads((FOLDER / "board.json").read_text())


def rules():
    content = yaml.safe_load((FOLDER / "alerts.yml").read_text())
    return [rule for group in content["groups"] for rule in group["rules"]]


def expressions():
    yield from (rule["expr"] for rule in rules())
    for panel in board()["panels"]:
        yield from (target["expr"] for target in panel.get("targets", []))


def test_each_query_asks_for_metrics_and_labels_that_there_are():
    """That these are the exposition's: tests/app/test_metrics.py, tests/system/test_seen.py."""
    found = list(expressions())
    assert len(found) > 30
    for expression in found:
        assert set(re.findall(r"\bcandor_\w+", expression)) <= NAMES, expression
        for name, labels in re.findall(r"(candor_\w+)\{([^}]*)\}", expression):
            known = GAUGES.get(name, ("", ("group", "route", "status", "le")))[1]
            assert set(re.findall(r"(\w+)(?:=~?|!=)", labels)) <= set(known), expression


def test_each_metric_is_on_the_board_and_in_the_guide():
    shown = set(re.findall(r"\bcandor_\w+", " ".join(expressions())))
    assert set(GAUGES) <= shown
    for name in (*GAUGES, exposition.REQUESTS, exposition.SECONDS):
        assert f"`{name}" in PAGE, name
    for rule in rules():
        assert f"`{rule['alert']}`" in PAGE, rule["alert"]


def assert_has_all_of(read, written):
    """What is written has been read; beside it there are defaults."""
    if isinstance(written, dict):
        for key, value in written.items():
            assert_has_all_of(read[key], value)
    elif isinstance(written, list):
        assert len(read) == len(written)
        for each, value in zip(read, written, strict=True):
            assert_has_all_of(each, value)
    else:
        assert read == written


def test_grafana_reads_the_whole_board():
    register_default_plugins()
    read = Dashboard.from_json(board())
    assert_has_all_of(json.loads(JSONEncoder().encode(read)), board())
    places = [
        (cell["gridPos"]["x"] + x, cell["gridPos"]["y"] + y)
        for cell in board()["panels"]
        for x in range(cell["gridPos"]["w"])
        for y in range(cell["gridPos"]["h"])
    ]
    assert len(places) == len(set(places)), "panels lie on each other"


def test_each_rule_is_tried_where_it_fires_and_where_it_does_not():
    tried = yaml.safe_load((FOLDER / "alerts_test.yml").read_text())["tests"]
    cases = [case for each in tried for case in each["alert_rule_test"]]
    for rule in rules():
        outcomes = [
            bool(case.get("exp_alerts")) for case in cases if case["alertname"] == rule["alert"]
        ]
        assert sorted(outcomes) == [False, True], rule["alert"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [("check", "config", "prometheus.yml"), ("test", "rules", "alerts_test.yml")],
    ids=lambda arguments: arguments[1],
)
def test_prometheus_takes_them(arguments):
    program = shutil.which("promtool") or str(TAKEN_OUT)
    done = subprocess.run([program, *arguments], cwd=FOLDER, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
