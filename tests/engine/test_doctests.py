import doctest
import importlib
import inspect
import pkgutil
import sys
from inspect import cleandoc

import pytest

import rr_engine
from tests.engine.public import PUBLIC

MODULES = [module.name for module in pkgutil.walk_packages(rr_engine.__path__, "rr_engine.")]


WITH_EXAMPLES = [
    name for name in MODULES if ">>> " in inspect.getsource(importlib.import_module(name))
]
DECORATED = [
    name
    for name, member in PUBLIC.items()
    if inspect.isfunction(member) and inspect.unwrap(member) is not member
]


def test_modules_with_examples_are_found():
    assert len(WITH_EXAMPLES) > 50
    assert "rr_engine.library.multilevel.multilevel_logit" in WITH_EXAMPLES


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_examples_show_what_happens(name):
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0


@pytest.mark.parametrize("name", DECORATED)
def test_examples_of_a_decorated_function_are_not_passed_over(name):
    """To doctest it is of the decorator's module."""
    runner = doctest.DocTestRunner()
    names = dict(vars(sys.modules[PUBLIC[name].__module__]))
    for test in doctest.DocTestFinder().find(PUBLIC[name], name, module=False, globs=names):
        runner.run(test)
    assert runner.failures == 0 < runner.tries


def test_every_public_name_is_described_with_an_example():
    described = {name: member.__doc__ or "" for name, member in PUBLIC.items() if callable(member)}
    assert PUBLIC.keys() - described.keys() == {"ERROR_CODES"}
    assert [name for name, text in described.items() if "\n>>> " not in cleandoc(text)] == []
