"""The client where nothing else is installed, on each Python of this machine: on a running site."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import candor
import pytest

from tests.client.guide import BLOCKS
from tests.package.environments import CLIENT, ROOT, build, install, pip, pythons
from tests.system.stack import Stack, plain_environment
from tests.system.test_command_line import token_of

pytestmark = [pytest.mark.system]

FROM_PYTHON = """
import sys
from candor import Candor, SiteError

url, token = sys.argv[1:]
with Candor(url, token) as site:
    survey = next(site.surveys(state="draft"))
    print(survey.address, site.check(survey).ready)
    try:
        site.results(survey)
    except SiteError as error:
        print(error.code)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT / "client", tmp_path_factory.mktemp("dist"))


@pytest.mark.parametrize("stack", ["sqlite"], indirect=True)
@pytest.mark.parametrize("version", sorted(pythons()))
def test_it_runs_a_draft_where_nothing_else_is(
    stack: Stack, wheel: Path, version: str, tmp_path: Path
) -> None:
    python = CLIENT.python(version)
    install(python, CLIENT, wheel)
    assert packages(python) == {*CLIENT.needs, "candor-client"}
    token = token_of(stack, stack.ledger("author", f"py-{version}")["name"])
    environment = plain_environment(
        CANDOR_URL=stack.url, CANDOR_TOKEN=token, XDG_CONFIG_HOME=str(tmp_path / "config")
    )

    def run(*words: str | Path) -> str:
        done = subprocess.run(
            words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    _command(run, python.with_name("candor"), tmp_path)
    slug = f"verified-{version.replace('.', '-')}"
    stack.ledger("launch", slug)
    checked = subprocess.run(
        [python.with_name("candor"), "verify", f"{stack.url}/s/{slug}/"],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (checked.returncode, checked.stderr) == (3, ""), checked.stdout
    assert "Nothing is wrong" in checked.stdout
    program = run(python, "-I", "-W", "error", "-c", FROM_PYTHON, stack.url, token)
    address, ready = program.splitlines()[0].split()
    assert address.startswith("health-2026")
    assert ready == "True"
    assert program.splitlines()[1] == "not_found"


def _command(run: Callable[..., str], candor_there: Path, folder: Path) -> None:
    assert run(candor_there, "--version") == f"candor {candor.__version__}\n"
    assert "CANDOR_TOKEN" in run(candor_there, "--help")
    assert "surveys:write" in run(candor_there, "whoami")
    (folder / "health.json").write_text(BLOCKS["client-health"], encoding="utf-8")
    assert "/s/health-2026" in run(candor_there, "survey", "push", "health.json")
    assert "Ready to launch" in run(candor_there, "survey", "check")
    assert json.loads(run(candor_there, "survey", "list", "--json"))[0]["state"] == "draft"


def packages(python: Path) -> set[str]:
    """What is installed, and nothing that is needed is missing; httpx 0.27 needs sniffio too."""
    subprocess.run([*pip(python), "check"], check=True, capture_output=True)
    wanted = [python, "-m", "pip", "--disable-pip-version-check", "list", "--format", "json"]
    listed = json.loads(subprocess.check_output(wanted))
    return {each["name"].replace("_", "-") for each in listed} - {"pip", "setuptools", "sniffio"}
