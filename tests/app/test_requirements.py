"""The installed packages: one version of everything, and no file but those whose hash is here."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NAMES = (
    "requirements",
    "requirements-tracing",
    "requirements-dev",
    "benchmarks/requirements-peers",
    "scripts/requirements-tools",
    "tests/deploy/tools",
)
PIN = re.compile(r"^([a-z0-9.-]+)==(\S+)(?: ; (.+?))?((?: --hash=sha256:[0-9a-f]{64})+)$")

pytestmark = pytest.mark.any_database


def lines_of(name: str) -> list[str]:
    text = (ROOT / name).read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [re.sub(r" +", " ", line).strip() for line in text.splitlines()]
    return [line for line in lines if line and not line.startswith("#")]


def pinned(name: str) -> dict[tuple[str, str], str]:
    """Versions by name and condition, such as a version of Python."""
    found = [PIN.match(line) for line in lines_of(f"{name}.txt")]
    assert found
    assert all(found)
    return {(match[1], match[3] or ""): match[2] for match in found}


def asked_for(name: str) -> dict[str, str]:
    """Return what stands in the source and in those that it includes."""
    wanted = {}
    for line in lines_of(f"{name}.in"):
        if line.startswith("-r "):
            wanted |= asked_for(line.removeprefix("-r ").removesuffix(".in"))
        else:
            required, version = line.split("==")
            wanted[re.sub(r"\[.*\]", "", required).replace("_", "-").lower()] = version
    return wanted


@pytest.mark.parametrize("name", NAMES)
def test_every_version_is_the_one_that_was_asked_for_and_has_hashes(name):
    versions = {required: version for (required, _), version in pinned(name).items()}
    wanted = asked_for(name)
    assert {required: versions[required] for required in wanted} == wanted
    assert len(versions) > len(wanted)


def test_a_developer_has_what_runs():
    """The same versions; what is for one platform here may be for several there."""
    development = {(name, version) for (name, _), version in pinned("requirements-dev").items()}
    running = {(name, version) for (name, _), version in pinned("requirements").items()}
    assert running <= development


@pytest.mark.parametrize("required", ["numpy", "scipy", "msgspec", "psycopg-binary"])
def test_both_processors_and_every_python_have_their_files(required):
    """A wheel for each version of Python, processor and system: dozens, where one is two."""
    (line,) = (line for line in lines_of("requirements.txt") if line.startswith(f"{required}=="))
    assert line.count("--hash=") > 20


def test_nothing_is_installed_past_the_hashes():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    makefile = makefile.replace("\\\n", " ")
    (options,) = re.findall(r"^PIP_INSTALL := (.*)$", makefile, re.MULTILINE)
    assert "--require-hashes" in options.split()
    recipes = [line for line in makefile.splitlines() if re.search(r"-m pip\b|\bpip install", line)]
    assert recipes == [f"PIP_INSTALL := {options}"]
    for path in (ROOT / "scripts").glob("*.sh"):
        assert "pip install" not in path.read_text(encoding="utf-8"), path.name


@pytest.mark.parametrize(
    ("program", "status", "words"),
    [
        ("exit 0", 0, "a.txt: no known advisory"),
        ("echo 'django 5.2.19 PYSEC-1'; exit 1", 1, "PYSEC-1"),
        ("echo 'a traceback' >&2; echo 'NameResolutionError' >&2; exit 1", 2, "was not checked"),
        ("exit 3", 2, "was not checked"),
    ],
)
def test_what_could_not_be_asked_is_no_good_news(tmp_path, program, status, words):
    audit = tmp_path / "pip-audit"
    audit.write_text(f"#!/bin/sh\n{program}\n")
    audit.chmod(0o755)
    script = ROOT / "scripts" / "advisories.py"
    done = subprocess.run(
        [sys.executable, "-S", str(script), str(audit), "a.txt"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == status
    assert words in done.stdout + done.stderr
    assert len((done.stdout + done.stderr).splitlines()) <= 2
