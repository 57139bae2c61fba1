"""A whole study from the command line, on an empty site: from a file that was written by hand to
data that SPSS opens, with the command in processes of its own.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyreadstat
import pytest

from tests.system.answering_process import ROOT
from tests.system.stack import Stack, plain_environment

pytestmark = [pytest.mark.system]

PEOPLE = 500
SHARES = {"drug": [0.7, 0.3], "often": [0.5, 0.3, 0.2]}
# Of an estimated share of 500 people at epsilon 1.5: the device answers the truth with chance 0.82.
ERRORS = 5
STANDARD_ERROR = 0.036
STUDY: dict[str, Any] = {
    "format": "candor-survey/1",
    "title": "Health at work",
    "address": "health-2026",
    "language": "en",
    "contact": "survey@example.org",
    "consent": "Taking part is voluntary.",
    "linkage": "together",
    "budget": "4",
    "planned_n": 500,
    "release_threshold": 10,
    "release_batch": 1,
    "questions": [
        {"name": "drug", "kind": "yes_no", "text": "Ever used a drug at work?", "epsilon": "1.5"},
        {
            "name": "often",
            "kind": "scale",
            "text": "How often are you tired at work?",
            "options": ["Never", "Some times", "Often"],
            "epsilon": "1.5",
        },
        {
            "name": "size",
            "kind": "single_choice",
            "text": "How large is your firm?",
            "options": ["Small", "Large"],
            "randomized": False,
        },
    ],
}


class Desk:
    """A folder, and the command `candor` in it."""

    def __init__(self, folder: Path, stack: Stack, token: str) -> None:
        self.folder = folder
        self.environment = plain_environment(
            CANDOR_URL=stack.url,
            CANDOR_TOKEN=token,
            PYTHONPATH=str(ROOT / "client"),
            XDG_CONFIG_HOME=str(folder / "config"),
        )

    def run(self, *words: str, status: int = 0) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "candor", *words],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
        )
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout if status == 0 else done.stderr + done.stdout


def token_of(stack: Stack, name: str) -> str:
    """What whoever runs the site hands to a program."""
    done = subprocess.run(
        [sys.executable, "manage.py", "token", name, "--name", "test"],
        cwd=ROOT,
        env=dict(os.environ) | stack.environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


@pytest.fixture
def desk(stack: Stack, tmp_path: Path) -> Desk:
    account = stack.ledger("author", "ada")
    return Desk(tmp_path, stack, token_of(stack, account["name"]))


@pytest.mark.parametrize("stack", ["postgresql"], indirect=True)
def test_a_study_from_an_empty_site_to_a_file_for_spss(desk: Desk, stack: Stack) -> None:
    assert "There are no surveys yet." in desk.run("survey", "list")
    file = desk.folder / "health.json"
    file.write_text(
        json.dumps({**STUDY, "questions": [{"name": "drug", "kind": "guess", "text": "?"}]})
    )
    refusal = desk.run("survey", "push", "health.json", status=1)
    assert "questions[0].kind" in refusal
    assert "There are no surveys yet." in desk.run("survey", "list")

    # An unfinished draft is stored, and says what stops the launch.
    file.write_text(json.dumps({**STUDY, "questions": []}))
    desk.run("survey", "push", "health.json")
    assert "stops the launch" in desk.run("survey", "check", status=1)
    desk.run("launch", "--yes", status=1)
    file.write_text(json.dumps(STUDY))
    desk.run("survey", "push", "health.json")
    assert desk.run("survey", "list").count("\n") == 1
    assert "Ready to launch" in desk.run("survey", "check")
    assert f"Open: {stack.url}/s/health-2026/" in desk.run("launch", "--yes")

    shares = [f"--share={name}={','.join(map(str, each))}" for name, each in SHARES.items()]
    refusal = desk.run("simulate", str(PEOPLE), *shares, status=1)
    assert "confirm it with --yes" in refusal
    told = desk.run("--json", "simulate", str(PEOPLE), "--seed", "7", "--yes", *shares)
    truth = json.loads(told)["truth"]
    assert sum(truth["drug"].values()) == PEOPLE
    assert f"{PEOPLE} responses" in desk.run("results", "--watch", "--until", str(PEOPLE))

    results = json.loads(desk.run("--json", "results"))
    (drug, *_) = results["questions"]
    estimated = {each["label"]: each["estimate"] for each in drug["categories"]}
    assert abs(estimated["Yes"] - truth["drug"]["Yes"] / PEOPLE) < ERRORS * STANDARD_ERROR

    sav = desk.folder / desk.run("export", "--format", "sav").strip()
    frame, labels = pyreadstat.read_sav(str(sav))
    assert len(frame) == PEOPLE
    assert labels.column_names_to_labels["drug"] == "Ever used a drug at work?"
    assert len(frame["size"].dropna()) == PEOPLE
    assert {"A: Small", "B: Large"} <= set(labels.variable_value_labels["size"].values())
    estimates = ("export", "--table", "estimates", "--format", "xlsx")
    assert desk.run(*estimates, "-o", "shares.xlsx") == "shares.xlsx\n"
    assert "reports.sav" in desk.run("export", "--list")
    desk.run("close")
    assert "closed" in desk.run("status")
