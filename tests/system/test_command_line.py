"""A whole study from the command line, on an empty site: from a file that was written by hand to
data that SPSS opens. The commands are those of docs/guide/client.md, each in a process of its own.
"""

import csv
import json
import os
import stat
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pyreadstat
import pytest

from tests.client.guide import BLOCKS, COMMANDS
from tests.system.answering_process import ROOT
from tests.system.stack import Stack, plain_environment

pytestmark = [pytest.mark.system]

STUDY: dict[str, Any] = json.loads(BLOCKS["client-health"])
PEOPLE = 500
# Of an estimated share of 500 people at epsilon 1.5: the device answers the truth with chance 0.82.
ERRORS = 5
STANDARD_ERROR = 0.036
MEMBERS = 40
# What has numbers that the site gives, and the verb that begins it.
NUMBERED = {"search": "start", "webhooks": "add"}


class Desk:
    """A folder, and the command `candor` in it."""

    def __init__(self, folder: Path, stack: Stack, token: str) -> None:
        self.folder, self.url, self.token = folder, stack.url, token
        self.environment = plain_environment(
            PYTHONPATH=str(ROOT / "client"), XDG_CONFIG_HOME=str(folder / "config")
        )
        self.numbers: dict[str, list[str]] = {name: [] for name in NUMBERED}

    def run(self, *words: str, status: int = 0) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "candor", *words],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            # What a command asks for is the token; it asks for nothing else of whom it cannot see.
            input=self.token,
        )
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout if status == 0 else done.stderr + done.stdout

    def follow(self, block: str) -> list[str]:
        """Run the commands of a block of the guide; returns what each prints."""
        return [self._typed(words) for words in COMMANDS[block]]

    def _typed(self, words: list[str]) -> str:
        """Run a command of the guide, with this site's address, and its numbers."""
        verb, begins = words[0], words[1:2] == [NUMBERED.get(words[0])]
        words = [word.replace("https://survey.example.org", self.url) for word in words]
        if verb in NUMBERED and not begins:
            known = self.numbers[verb]
            words = [known[int(word) - 1] if word.isdigit() else word for word in words]
        said = self.run(*words)
        if begins:
            self.numbers[verb].append(said.split()[0])
        return said

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path


def token_of(stack: Stack, name: str) -> str:
    """What whoever runs the site hands to a program."""
    done = subprocess.run(
        [sys.executable, "manage.py", "candor", "token", name, "--name", "test"],
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


def is_private(path: Path) -> bool:
    return stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("stack", ["postgresql"], indirect=True)
def test_a_study_from_an_empty_site_to_a_file_for_spss(desk: Desk) -> None:
    signed_in, facts = desk.follow("client-login")
    assert f"Signed in to {desk.url}" in signed_in
    assert "surveys:write" in facts
    assert is_private(desk.folder / "config" / "candor" / "site.json")
    _refuse(desk)
    _draft(desk)
    _launch(desk)
    _simulate(desk)
    _files(desk)
    _analyse(desk)
    *_, closed, pulled = desk.follow("client-close")
    assert "closed" in closed
    assert "health.json" in pulled
    _team(desk)
    _webhooks(desk)
    desk.write("scratch.json", json.dumps({**STUDY, "address": "scratch"}))
    pushed, deleted, forgotten = desk.follow("client-end")
    assert "/s/scratch/" in pushed
    assert "Deleted" in deleted
    assert "forgotten" in forgotten
    assert "candor login" in desk.run("whoami", status=1)


def _refuse(desk: Desk) -> None:
    """Nothing is stored of what is wrong, and nothing unfinished is launched."""
    assert "There are no surveys yet." in desk.run("survey", "list")
    wrong = [{"name": "drug", "kind": "guess", "text": "?"}]
    desk.write("health.json", json.dumps({**STUDY, "questions": wrong}))
    assert "questions[0].kind" in desk.run("survey", "push", "health.json", status=1)
    assert "There are no surveys yet." in desk.run("survey", "list")
    desk.write("health.json", json.dumps({**STUDY, "questions": []}))
    desk.run("survey", "push", "health.json")
    assert "stops the launch" in desk.run("survey", "check", status=1)
    desk.run("launch", "--yes", status=1)


def _draft(desk: Desk) -> None:
    desk.write("health.json", BLOCKS["client-health"])
    validated, _, listed, checked = desk.follow("client-draft")
    assert "It can be a draft." in validated
    assert listed.count("\n") == 1
    assert "Ready to launch" in checked
    found, searches, shown, _, _, ended, _ = desk.follow("client-search")
    assert "certified:0" in found
    assert shown == found
    assert searches.count("\n") == 1
    assert "cancelled" in ended
    (adopted,) = desk.follow("client-adopt")
    assert "certified:0" in adopted
    _, stored, languages, _ = desk.follow("client-translations")
    assert "texts are translated" in stored
    assert "de: " in languages
    # What somebody else has changed since is not lost.
    assert "health.json" in desk.run("survey", "pull", "health.json")
    assert json.loads((desk.folder / "health.json").read_text())["questions"][1]["design"]


def _launch(desk: Desk) -> None:
    launched, status = desk.follow("client-launch")
    assert f"Open: {desk.url}/s/health-2026/" in launched
    assert "nothing is released" in status
    ((*words, address),) = COMMANDS["client-verify"]
    # Nobody known has signed a list yet.
    told = desk.run(*words, address.replace("https://survey.example.org", desk.url), status=3)
    assert "Nothing is wrong" in told
    assert "device drug" in told
    refusal = desk.run("simulate", "1", status=1)
    assert "confirm it with --yes" in refusal


def _simulate(desk: Desk) -> None:
    sent, watched, results = desk.follow("client-simulate")
    assert f"{PEOPLE} sent" in sent
    assert f"{PEOPLE} responses" in watched
    (drug, *_) = json.loads(results)["questions"]
    estimated = {each["label"]: each["estimate"] for each in drug["categories"]}
    # "  drug: No 364, Yes 136", in either order.
    (told,) = [line for line in sent.splitlines() if line.startswith("  drug: ")]
    truth = dict(each.split() for each in told.removeprefix("  drug: ").split(", "))
    assert abs(estimated["Yes"] - int(truth["Yes"]) / PEOPLE) < ERRORS * STANDARD_ERROR


def _files(desk: Desk) -> None:
    listed, sav, xlsx, bundle, with_rows = desk.follow("client-files")
    assert "reports.sav" in listed
    assert xlsx == "shares.xlsx\n"
    frame, labels = pyreadstat.read_sav(str(desk.folder / sav.strip()))
    assert len(frame) == PEOPLE
    assert labels.column_names_to_labels["drug"] == "Ever used a drug at work?"
    assert len(frame["size"].dropna()) == PEOPLE
    assert {"A: Small", "B: Large"} <= set(labels.variable_value_labels["size"].values())
    names = [
        {name.partition("/")[2] or name for name in zipfile.ZipFile(desk.folder / path).namelist()}
        for path in (bundle.strip(), with_rows.strip())
    ]
    assert any("reports" in name for name in names[1] - names[0])
    _once(desk, sav.strip(), bundle.strip())


def _once(desk: Desk, sav: str, bundle: str) -> None:
    """What is here already is not sent again; what is here no more, or changed, is."""
    again = json.loads(desk.run("bundle", "--json"))
    assert again == {"path": bundle, "changed": False}
    assert json.loads(desk.run("--json", "export", "--format", "sav"))["changed"] is False
    (desk.folder / sav).write_bytes(b"something else")
    assert json.loads(desk.run("--json", "export", "--format", "sav"))["changed"] is True
    (desk.folder / bundle).unlink()
    assert json.loads(desk.run("bundle", "--json"))["changed"] is True
    assert zipfile.ZipFile(desk.folder / bundle).testzip() is None


def _analyse(desk: Desk) -> None:
    fit, started, fitted, listed, shown, again, deleted, share, table = desk.follow("client-fit")
    assert "size[Large]" in fit
    assert "By two" in started
    assert "often" in fitted
    assert listed.count("fitted") == 2
    assert shown == fit == again
    assert "analysis 2" in deleted
    assert "drug" in share
    assert "Yes | Large" in table
    assert "one of: share" in desk.run("statistics", "nothing", status=1)


def _team(desk: Desk) -> None:
    header, *first = BLOCKS["client-roster"].splitlines()
    more = [f"a{place:02},Member {place},Early shift" for place in range(3, MEMBERS + 1)]
    desk.write("members.csv", "\n".join([header, *first, *more, ""]))
    desk.write("team.json", BLOCKS["client-team"])
    pushed, stored, listed, opened, links, _, revoked, _, deleted = desk.follow("client-members")
    assert "/s/team-2026/" in pushed
    assert f"{MEMBERS} members" in stored
    assert "Ana Alves (Early shift)" in listed
    assert "/s/team-2026/" in opened
    assert links == f"{MEMBERS} links: links.csv\n"
    assert "a02" in revoked
    assert "deleted" in deleted
    assert is_private(desk.folder / "links.csv")
    with open(desk.folder / "two.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["code"] for row in rows] == ["a01", "a02"]
    assert all(row["link"].startswith(f"{desk.url}/s/team-2026/#") for row in rows)


def _webhooks(desk: Desk) -> None:
    added, listed, told, enabled, deleted = desk.follow("client-webhooks")
    assert "webhook-secret.txt" in added
    assert listed == enabled
    assert "nothing yet" in told
    assert "hooks.example.org" in deleted
    assert is_private(desk.folder / "webhook-secret.txt")
    assert (desk.folder / "webhook-secret.txt").read_text().startswith("whsec_")
    # A file that is there may hold a secret that still works.
    again = ("webhooks", "add", "https://hooks.example.org/candor")
    assert "is there already" in desk.run(*again, status=1)
    assert "There are no webhooks yet." in desk.run("webhooks", "list")
