"""What production serves is what the source makes, and what a program from outside finds right."""

import subprocess
import sys
from dataclasses import replace

import pytest
from candor.verification import Network, read_key, verify

from tests.client.signing import Signer
from tests.system.answering_process import ROOT
from tests.system.stack import plain_environment

pytestmark = pytest.mark.any_database


def command(*words):
    return subprocess.run(
        [sys.executable, "manage.py", "candor", "scripts", *words],
        cwd=ROOT,
        env=plain_environment(CANDOR_DEBUG="1", DATABASE_URL="sqlite://:memory:"),
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("stack", ["sqlite"], indirect=True)
def test_the_scripts_of_a_site_follow_from_the_source(stack):
    done = command("--at", stack.url)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) > 40
    assert all(line.startswith("the same ") for line in lines)


class Unchanged:
    """The site, whose pages call themselves by the release alone, whatever has changed since."""

    def __init__(self):
        self._network = Network()

    def get(self, url, kind="empty"):
        answer = self._network.get(url, kind)
        return replace(answer, content=answer.content.replace(b"+changes", b""))


@pytest.mark.parametrize("stack", ["sqlite"], indirect=True)
def test_a_program_from_outside_finds_the_pages_right(stack, tmp_path):
    stack.ledger("launch", "verified")
    stack.ledger("coded", "verified-waves")
    stack.ledger("next_wave", "verified-waves", "q2", "0.8")
    stack.ledger("author", "verifier")
    stack.ledger("texts", "verified-texts", "verifier", "1000")
    made = command("--list").stdout
    signer, listed = Signer(), tmp_path / "list.json"
    listed.write_text(made)
    listed.with_name("list.json.minisig").write_text(signer.signature(made.encode()))
    for slug in ("verified", "verified-waves", "verified-texts"):
        address = f"{stack.url}/s/{slug}/"
        # As it is: nobody known has signed, and the site may be between two releases.
        report = verify(address)
        found = [each for each in report.findings.all if each.state in ("wrong", "unknown")]
        assert {each.state for each in found} == {"unknown"}, found
        assert {each.about for each in found} <= {"release", "signature"}
        keys = [read_key(signer.public)]
        report = verify(address, listed=listed, keys=keys, source=Unchanged())
        assert report.verdict == "right", report.findings.all
