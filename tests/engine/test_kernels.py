"""The runner of tests under every kernel of the linear algebra."""

import os
import sys

import pytest

from tests import kernels

EVERYTHING = set().union(*kernels.NEEDED.values())
# Fails unless the kernel is the one that is said to run.
CHECK = "import os, sys; sys.exit(os.environ.get('OPENBLAS_CORETYPE') not in {names})"


@pytest.fixture
def obedient(monkeypatch):
    """A library that takes what it is told."""
    monkeypatch.setattr(kernels, "taken", lambda kernel: kernel or "Default")


def test_a_kernel_that_the_processor_lacks_is_not_forced_on_it(obedient):
    assert kernels.obstacle("Haswell", {"avx2"}) == "this processor has no fma"
    assert "avx512f" in kernels.obstacle("SkylakeX", {"avx2", "fma"})
    assert [name for name in kernels.NEEDED if kernels.obstacle(name, EVERYTHING)] == []


def test_a_kernel_that_the_library_replaces_is_not_claimed(monkeypatch):
    monkeypatch.setattr(kernels, "taken", lambda _kernel: "Haswell")
    assert kernels.obstacle("Haswell", EVERYTHING) == ""
    assert kernels.obstacle("Zen", EVERYTHING) == "this library runs Haswell for it"
    monkeypatch.setattr(kernels, "taken", lambda _kernel: "")
    assert kernels.obstacle("Zen", EVERYTHING) == "this library runs no OpenBLAS for it"


def test_each_kernel_runs_the_command_and_one_failure_fails_all(obedient, monkeypatch, capfd):
    monkeypatch.setattr(kernels, "features", lambda: EVERYTHING)
    names = list(kernels.NEEDED)
    assert kernels.main([sys.executable, "-c", CHECK.format(names=names)]) == 0
    said = capfd.readouterr().out
    assert [f"Under {name}:" in said for name in names] == [True] * len(names)
    assert said.splitlines()[-1].startswith(f"Ran under {names[0]} (")
    assert kernels.main([sys.executable, "-c", CHECK.format(names=names[:-1])]) == 1


def test_the_kernel_of_all_other_tests_is_not_run_again(monkeypatch, capfd):
    monkeypatch.setattr(kernels, "features", lambda: EVERYTHING)
    usual, *others = kernels.NEEDED
    monkeypatch.setattr(kernels, "taken", lambda kernel: kernel or usual)
    assert kernels.main([sys.executable, "-c", CHECK.format(names=others)]) == 0
    said = capfd.readouterr().out
    assert f"Not under {usual}: it is taken anyway." in said
    assert said.count("Under ") == len(others)


def test_without_a_kernel_to_choose_nothing_runs_and_that_is_said(obedient, monkeypatch, capfd):
    monkeypatch.setattr(kernels, "features", set)
    monkeypatch.delenv("OPENBLAS_CORETYPE", raising=False)
    assert kernels.main([sys.executable, "-c", "raise SystemExit(3)"]) == 0
    said = capfd.readouterr().out
    assert said.count("Not under") == len(kernels.NEEDED)
    assert said.splitlines()[-1] == "Ran under no other kernel; taken anyway: Default."


@pytest.mark.slow
def test_the_library_says_what_it_runs():
    assert kernels.taken(os.environ.get("OPENBLAS_CORETYPE", ""))
