"""Every public function says where it comes from."""

import inspect
import re

import pytest

import rr_engine

FUNCTIONS = [name for name in rr_engine.__all__ if inspect.isfunction(getattr(rr_engine, name))]
CHANNELS = ("UniformChannel", "ProductChannel", "JointChannel", "BitChannel")
SECTION = re.compile(
    r"^References\n-+\n(.*?)(?:\n\n[A-Z][a-z]+\n-+\n|\Z)", re.MULTILINE | re.DOTALL
)
# A numbered entry names its year; what is our own says so.
SOURCE = re.compile(r"^\.\. \[\d+\] .*\b(1[6-9]|20)\d\d\b|^Ours\b", re.MULTILINE | re.DOTALL)


def sources_of(name):
    found = SECTION.search(inspect.getdoc(getattr(rr_engine, name)) or "")
    return found.group(1) if found else ""


@pytest.mark.parametrize("name", [*FUNCTIONS, *CHANNELS])
def test_a_public_function_names_its_source_or_says_that_it_is_ours(name):
    assert SOURCE.search(sources_of(name)), name


@pytest.mark.parametrize("name", [*FUNCTIONS, *CHANNELS])
def test_sources_are_numbered_in_order(name):
    numbers = re.findall(r"^\.\. \[(\d+)\] ", sources_of(name), re.MULTILINE)
    assert numbers == [str(number) for number in range(1, len(numbers) + 1)]


def test_the_functions_of_the_library_are_looked_at():
    assert {"estimate", "k_rr", "joint_design", "mean_of_answered"} <= set(FUNCTIONS)
    assert len(FUNCTIONS) > 80
