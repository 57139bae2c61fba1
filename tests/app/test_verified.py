"""What `make test` leaves out has passed, with the very files that it depends on."""

import ast
import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from itertools import chain

import pytest

from tests import verified
from tests.verified import ROOT, SUITES, Suite, left_out, to_run

FOLDERS = {path.name for path in ROOT.iterdir() if (path / "__init__.py").exists()}
# Not packages, and imported as if they were: their files stand below the root.
FOLDERS |= {"tests", "papers", "config", "benchmarks", "scripts"}


@pytest.fixture
def small(tmp_path, monkeypatch):
    """A suite of two files in a repository of its own."""
    for name in ("tests/test_one.py", "read/data.json", "elsewhere.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("1")
    monkeypatch.setattr(verified, "ROOT", tmp_path)
    monkeypatch.setattr(verified, "RECORD", tmp_path / "verified.json")
    suite = Suite(tests=("tests",), reads=("read",), always=("tests/test_one.py",))
    monkeypatch.setitem(SUITES, "small", suite)
    return suite


def record(tmp_path, digest):
    (tmp_path / "verified.json").write_text(json.dumps({"small": digest}))


def test_a_suite_that_has_passed_as_it_is_runs_in_part(small, tmp_path):
    assert to_run("small", thorough=False) == ("tests",)
    record(tmp_path, small.digest())
    assert to_run("small", thorough=False) == ("tests/test_one.py",)
    assert to_run("small", thorough=True) == ("tests",)


def test_a_suite_among_others_is_left_out_whole(small, tmp_path, monkeypatch):
    monkeypatch.setitem(SUITES, "small", replace(small, always=()))
    assert left_out("small", thorough=False) == ()
    record(tmp_path, small.digest())
    assert left_out("small", thorough=False) == ("tests",)
    assert left_out("small", thorough=True) == ()
    (tmp_path / "read/data.json").write_text("2")
    assert left_out("small", thorough=False) == ()


@pytest.mark.slow
def test_another_python_of_the_machine_has_it_run_whole(small, monkeypatch):
    on_each = replace(small, pythons=True)
    before = on_each.digest()
    assert before == on_each.digest() != small.digest()
    monkeypatch.setattr(verified, "versions", lambda: ["Python 3.11.99\n"])
    assert on_each.digest() != before


def changed(folder, change):
    (folder / "read").joinpath("data.json").write_text("2") if change == "a content" else None
    if change == "a name":
        (folder / "read/data.json").rename(folder / "read/date.json")
    if change == "a file more":
        (folder / "tests/test_two.py").write_text("")
    if change == "a file less":
        (folder / "read/data.json").unlink()


@pytest.mark.parametrize("change", ["a content", "a name", "a file more", "a file less"])
def test_whatever_changes_has_it_run_whole(small, tmp_path, change):
    record(tmp_path, small.digest())
    changed(tmp_path, change)
    assert to_run("small", thorough=False) == ("tests",)


def test_what_it_does_not_depend_on_may_change(small, tmp_path):
    record(tmp_path, small.digest())
    (tmp_path / "elsewhere.py").write_text("2")
    (tmp_path / "tests/__pycache__").mkdir()
    (tmp_path / "tests/__pycache__/test_one.pyc").write_text("")
    assert to_run("small", thorough=False) == ("tests/test_one.py",)


def imported(path):
    """The modules of the repository that a file names in an import, as paths below the root."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and not node.level:
            names = [f"{node.module}.{each.name}" for each in node.names] + [node.module]
        for name in names:
            if name.partition(".")[0] in FOLDERS:
                yield name


def file_of(module):
    """The file of a module, or of the package; None for a name inside of one."""
    path = ROOT / module.replace(".", "/")
    return next((each for each in (path.with_suffix(".py"), path) if each.exists()), None)


@pytest.mark.parametrize("name", SUITES)
@pytest.mark.slow
def test_a_suite_imports_nothing_but_what_it_says(name):
    suite = SUITES[name]
    every_time = {ROOT / each for each in suite.always}
    sources = [path for path in suite.files() if path.suffix == ".py" and path not in every_time]
    # Fixtures of every suite, which no number depends on.
    sources.remove(ROOT / "tests/conftest.py")
    named = {module for path in sources for module in imported(path)}
    files = {file_of(module) for module in named} - {None}
    assert {str(path) for path in files if not suite.has(path) and path.is_file()} == set()
    assert len(files) > 50


@pytest.mark.parametrize("name", SUITES)
def test_what_a_suite_names_is_there(name):
    suite = SUITES[name]
    every = chain(suite.tests, suite.reads, suite.always)
    assert [each for each in every if not (ROOT / each).exists()] == []
    assert [each for each in suite.always if not suite.has(ROOT / each)] == []


def test_what_depends_on_the_machine_runs_every_time():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (names,) = re.findall(r"LINEAR_ALGEBRA := \$\(addprefix (tests/engine/test_),(.*?)\)", makefile)
    prefix, files = names
    assert {prefix + each for each in files.split()} <= set(SUITES["engine"].always)


SOURCE = """
TEXT = open({!r}).read()


def test_it():
    assert TEXT and open({!r}).read()
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("opened", "foreign"),
    [
        (["rr_engine/__init__.py", "docs/methods/designs.md"], []),
        (["README.md", "manage.py"], ["README.md", "manage.py"]),
    ],
)
def test_a_suite_that_opens_something_else_is_not_recorded(tmp_path, opened, foreign):
    test = tmp_path / "test_opening.py"
    test.write_text(SOURCE.format(*(str(ROOT / name) for name in opened)))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.opened", str(test)]
    environment = {**os.environ, "SUITE": "engine"}
    run = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    said = re.findall(r"opened beside what tests/verified.py says: (.*)", run.stdout)
    assert run.returncode == bool(foreign), run.stdout
    assert re.findall(r"'([\w.]+)': ", said[-1] if said else "") == foreign
