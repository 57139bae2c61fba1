"""The client as a distribution: what is in it, and what it says of itself.

Where it is installed it is used on a running site: tests/system/test_installed_client.py.
"""

import re
import subprocess
import sys
import tarfile
import zipfile
from email.parser import HeaderParser

import candor
import pytest

from tests.package.environments import CLIENT, ROOT, build

SOURCE = ROOT / "client"
TYPED = """
from candor import Candor

with Candor("https://survey.example.org", "token") as site:
    survey = site.create("health.json").survey
    reveal_type(site.bundle(survey).path)
    reveal_type(site.fit(survey, 1).state)
    site.export(survey, 7)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return build(SOURCE, tmp_path_factory.mktemp("dist"))


def test_it_has_the_client_and_nothing_else(wheel):
    inside = set(zipfile.ZipFile(wheel).namelist())
    files = (SOURCE / "candor").rglob("*")
    ours = {str(each.relative_to(SOURCE)) for each in files if each.suffix not in ("", ".pyc")}
    assert {name for name in inside if ".dist-info/" not in name} == ours | {"candor/py.typed"}


def test_it_says_what_it_is(wheel):
    archive = zipfile.ZipFile(wheel)
    (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
    data = HeaderParser().parsestr(archive.read(name).decode())
    assert (data["Name"], data["Version"]) == ("candor-client", candor.__version__)
    assert (data["License-Expression"], data["License-File"]) == ("Apache-2.0", "LICENSE")
    assert data["Requires-Python"] == ">=3.11"
    assert data.get_payload().strip() == (SOURCE / "README.md").read_text(encoding="utf-8").strip()
    # What is promised as the oldest is what the oldest Python here has installed.
    pins = CLIENT.oldest.with_suffix(".in").read_text(encoding="utf-8").split()
    floors = [re.fullmatch(r"([\w-]+)(?:<1,)?>=([\d.]+)", each) for each in _needed(data)]
    assert all(floors)
    assert {(each[1], _short(each[2])) for each in floors} == {
        (name, _short(version)) for name, version in (pin.split("==") for pin in pins)
    }
    licences = [archive.read(each) for each in archive.namelist() if each.endswith("/LICENSE")]
    assert licences == [(ROOT / "LICENSE").read_bytes()]


def _needed(data):
    return [line.replace(" ", "") for line in data.get_all("Requires-Dist")]


def _short(version):
    return re.sub(r"\.0$", "", version)


def test_its_source_has_its_licence_and_no_more(wheel):
    (path,) = wheel.parent.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames()}
    assert {"LICENSE", "PKG-INFO", "README.md", "pyproject.toml", "candor/site.py"} <= names
    assert {name.partition("/")[0] for name in names} - {"candor"} <= {
        ".gitignore", "LICENSE", "PKG-INFO", "README.md", "pyproject.toml",
    }  # fmt: skip


def test_type_checkers_see_its_types(wheel, tmp_path):
    zipfile.ZipFile(wheel).extractall(tmp_path / "installed")
    file = tmp_path / "program.py"
    file.write_text(TYPED, encoding="utf-8")
    options = ["--strict", "--no-error-summary", "--config-file", ""]
    options += ["--cache-dir", str(tmp_path / "cache")]
    run = subprocess.run(
        [sys.executable, "-m", "mypy", *options, str(file)],
        cwd=tmp_path / "installed",
        capture_output=True,
        text=True,
        check=False,
    )
    path, state = [line for line in run.stdout.splitlines() if "Revealed type" in line]
    assert "Path | None" in path
    assert '"str"' in state
    assert run.stdout.count("error: ") == 1
    assert 'incompatible type "int"' in run.stdout
