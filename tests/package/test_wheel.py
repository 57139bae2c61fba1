"""The library as a distribution: built, installed where nothing else is, and used there.

All that this depends on stands in tests/verified.py; what it does for the application is in
test_application.py.
"""

import json
import re
import subprocess
import sys
import tarfile
import zipfile
from email.parser import HeaderParser

import pytest

import rr_engine
from tests.package.environments import ENGINE as DISTRIBUTION
from tests.package.environments import ROOT, build, install, pythons

# They install into the same environments, so tests/spread.py keeps them in one process.
ENGINE = ROOT / "rr_engine"
README = (ENGINE / "README.md").read_text(encoding="utf-8")
PROGRAM, PRINTED = re.search(
    r"^```python\n(.*?)^```\n+```text\n(.*?)^```", README, re.M | re.S
).groups()
# Examples of what extras are for would ask for them.
DOCTESTS = """
import doctest, importlib, pkgutil, re
import rr_engine

extras = re.compile(r"^(?:import|from) (?:pandas|polars|formulaic|sklearn|matplotlib)", re.M)
finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner()
for found in pkgutil.walk_packages(rr_engine.__path__, "rr_engine."):
    for test in finder.find(importlib.import_module(found.name)):
        if not any(extras.search(example.source) for example in test.examples):
            runner.run(test)
print(runner.failures, runner.tries > 700)
"""
TYPED = """
import numpy as np
import rr_engine
from rr_engine import estimate, warner
from rr_engine.planning import power_with_anchor

reveal_type(estimate(warner(0.8), [70, 30]).interval())
reveal_type(rr_engine.designs.card_deck)
reveal_type(power_with_anchor)
warner("a")
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The folder of wheel and source distribution, made without the network."""
    folder = tmp_path_factory.mktemp("dist")
    build(ROOT, folder)
    return folder


@pytest.fixture(scope="module")
def wheel(built):
    (path,) = built.glob("*.whl")
    return path


@pytest.fixture(scope="module", params=sorted(pythons()))
def python(request, wheel):
    """The interpreter of a clean environment, with nothing but NumPy, SciPy and the wheel."""
    path = DISTRIBUTION.python(request.param)
    install(path, DISTRIBUTION, wheel)
    return path


def run(python, program, *arguments, folder="/"):
    command = [python, "-I", "-W", "error", "-c", program, *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_it_has_the_library_and_nothing_else(wheel):
    inside = set(zipfile.ZipFile(wheel).namelist())
    files = {path for path in ENGINE.rglob("*") if path.is_file() and path.suffix != ".pyc"}
    ours = {str(path.relative_to(ROOT)) for path in files}
    assert {name for name in inside if ".dist-info/" not in name} == ours
    assert {"rr_engine/py.typed", "rr_engine/designs/__init__.pyi"} <= ours
    assert "rr_engine/optimisation/blocks.txt" in ours


def test_it_says_what_it_is(wheel):
    archive = zipfile.ZipFile(wheel)
    (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
    data = HeaderParser().parsestr(archive.read(name).decode())
    assert (data["Name"], data["Version"]) == ("rr-engine", rr_engine.__version__)
    assert (data["License-Expression"], data["License-File"]) == ("Apache-2.0", "LICENSE")
    assert data["Requires-Python"] == ">=3.11"
    assert data.get_payload().strip() == README.strip()
    needed = [line for line in data.get_all("Requires-Dist") if "extra ==" not in line]
    # What is promised as the oldest is what the oldest Python here has installed.
    pins = DISTRIBUTION.oldest.with_suffix(".in").read_text(encoding="utf-8").split()
    pinned = {tuple(line.split("==")) for line in pins}
    assert {tuple(re.sub(r"\.0$", "", part) for part in pin) for pin in pinned} == {
        tuple(line.split(">=")) for line in needed
    }
    assert {*data.get_all("Provides-Extra")} == {"frames", "plots", "sklearn"}


def test_its_source_builds_it_and_has_its_licence(built):
    (path,) = built.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames()}
    assert {"LICENSE", "PKG-INFO", "pyproject.toml", "rr_engine/CHANGELOG.md"} <= names
    assert not {name for name in names if name.startswith(("surveys", "tests", "papers"))}


def test_the_first_estimate_prints_what_the_readme_says(python):
    assert run(python, PROGRAM) == PRINTED


def test_the_examples_run_where_nothing_else_is(python):
    assert run(python, DOCTESTS) == "0 True\n"


def test_its_dependencies_are_met(python):
    pip = [python, "-m", "pip", "--disable-pip-version-check"]
    assert subprocess.run([*pip, "check"], capture_output=True, check=False).returncode == 0
    listed = json.loads(subprocess.check_output([*pip, "list", "--format", "json"]))
    names = {each["name"].replace("_", "-") for each in listed} - {"pip", "setuptools"}
    assert names == {"numpy", "scipy", "rr-engine"}


@pytest.mark.parametrize("python", [max(pythons())], indirect=True)
def test_type_checkers_see_its_types(python, tmp_path):
    file = tmp_path / "program.py"
    file.write_text(TYPED, encoding="utf-8")
    options = ["--strict", "--no-error-summary", "--python-executable", str(python)]
    options += ["--cache-dir", str(tmp_path / "cache"), "--config-file", ""]
    command = [sys.executable, "-m", "mypy", *options, str(file)]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False).stdout
    interval, deck, power = [line for line in said.splitlines() if "Revealed type" in line]
    assert "ndarray" in interval
    assert "-> rr_engine.optimisation.block_designs.SubsetDesign" in deck
    assert "prevalence: " in power
    assert said.count("error: ") == 1
    assert 'Argument 1 to "warner" has incompatible type "str"' in said
