import doctest
import importlib
import inspect
import pkgutil

import pytest

import rr_engine
from tests.engine.public import PUBLIC

MODULES = [module.name for module in pkgutil.walk_packages(rr_engine.__path__, "rr_engine.")]


WITH_EXAMPLES = [
    name for name in MODULES if ">>> " in inspect.getsource(importlib.import_module(name))
]


def test_modules_with_examples_are_found():
    assert len(WITH_EXAMPLES) > 50
    assert "rr_engine.library.multilevel.multilevel_logit" in WITH_EXAMPLES


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_examples_show_what_happens(name):
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0


def test_every_public_name_exists_and_is_described():
    for name, member in PUBLIC.items():
        assert member.__doc__, name
