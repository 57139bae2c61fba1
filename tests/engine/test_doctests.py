import doctest
import importlib
import pkgutil

import pytest

import rr_engine

MODULES = [module.name for module in pkgutil.walk_packages(rr_engine.__path__, "rr_engine.")]


@pytest.mark.parametrize("name", MODULES)
def test_examples_show_what_happens(name):
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0


def test_every_public_name_exists_and_is_described():
    for name in rr_engine.__all__:
        assert getattr(rr_engine, name).__doc__, name
    assert rr_engine.__version__
