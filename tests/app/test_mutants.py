"""The mutants that `make mutants` tries: each still names what is in the tree."""

import subprocess
import sys

import pytest

from tests.mutants.listed import ROOT, mutants

pytestmark = pytest.mark.slow

MUTANTS = list(mutants())


def is_there(test):
    """A file, or a test function of one, perhaps with one of its cases."""
    path, _, node = test.partition("::")
    name = node.partition("[")[0]
    file = ROOT / path
    return file.is_file() and (not node or f"\ndef {name}(" in file.read_text(encoding="utf-8"))


def test_no_two_mutants_have_one_name():
    names = [mutant.name for mutant in MUTANTS]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_mutant_changes_what_stands_once_and_names_tests_that_are_there(mutant):
    assert mutant.occurrences() == 1
    assert mutant.instead != mutant.text
    assert mutant.tests
    assert all(map(is_there, mutant.tests))


@pytest.mark.slow
@pytest.mark.any_database
def test_the_cases_that_they_name_are_there():
    """A case that is called something else now would stop `make mutants` at its start."""
    named = sorted({test for mutant in MUTANTS for test in mutant.tests})
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
    run = subprocess.run([*command, *named], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout
