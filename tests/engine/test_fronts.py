"""Public modules: names are loaded on demand, and those that were renamed warn and still work."""

import subprocess
import sys
import warnings
from importlib import import_module

import pytest

import rr_engine
from tests.engine.public import MODULES, PUBLIC

OLD = """
from rr_engine.fronts import Renamed, attach

__getattr__, __dir__ = attach(
    __name__, {"mirrored": Renamed("rr_engine.designs", "warner", since="0.2.0", until="0.3.0")}
)
"""


@pytest.fixture
def front(tmp_path, monkeypatch):
    """A public module with one name of its own and an old one."""
    (tmp_path / "some_front.py").write_text(OLD, encoding="utf-8")
    stub = "from rr_engine.designs.binary import crosswise as crosswise\n"
    (tmp_path / "some_front.pyi").write_text(stub, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield import_module("some_front")
    del sys.modules["some_front"]


def test_an_old_name_works_and_says_what_to_write_instead(front):
    with pytest.warns(DeprecationWarning, match=r"rr_engine\.designs\.warner since") as caught:
        assert front.mirrored is rr_engine.warner
    assert str(caught[0].message) == (
        "some_front.mirrored is called rr_engine.designs.warner since version 0.2.0; "
        "version 0.3.0 no longer has the old name."
    )
    # It is the line that uses the old name which has to change.
    assert caught[0].filename == __file__
    with pytest.warns(DeprecationWarning, match="0.3.0") as caught:
        from some_front import mirrored  # noqa: F401
    assert caught[0].filename == __file__


def test_an_old_name_is_offered_to_nobody(front):
    assert front.__all__ == ["crosswise"]
    assert "mirrored" not in dir(front)
    with warnings.catch_warnings(action="error"):
        assert front.crosswise is rr_engine.crosswise


def test_a_name_that_there_is_not_is_refused_like_any_other(front):
    with pytest.raises(AttributeError, match="module 'some_front' has no attribute 'wrong'"):
        _ = front.wrong
    with pytest.raises(ImportError, match="cannot import name 'wrong'"):
        from some_front import wrong  # noqa: F401


def test_a_name_that_is_nearly_right_is_proposed(front):
    with pytest.raises(AttributeError) as refused:
        _ = front.croswise
    # Python's tracebacks propose what is like it among `dir(obj)`.
    assert (refused.value.name, refused.value.obj) == ("croswise", front)


def test_the_package_has_each_name_of_its_modules_and_lists_the_usual_ones():
    for name, value in PUBLIC.items():
        assert getattr(rr_engine, name) is value
    assert len(rr_engine.__all__) < 60
    assert "search_designs" not in rr_engine.__all__
    from rr_engine import search_designs

    assert search_designs is rr_engine.optimisation.search_designs
    # A name of the package's own stays its own.
    assert rr_engine.power is rr_engine.planning.power


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_every_public_module_lists_its_names_and_says_what_it_is_for(module):
    assert len(module.__all__) == len({*module.__all__})
    assert {*module.__all__} <= {*dir(module)}
    assert module.__doc__


def test_to_import_the_library_loads_nothing_before_it_is_asked_for():
    program = """
import sys, rr_engine
before = {name for name in sys.modules if name.split(".")[0] in ("rr_engine", "numpy", "scipy")}
rr_engine.warner
print(before == {"rr_engine", "rr_engine.fronts"}, "rr_engine.designs.binary" in sys.modules)
"""
    printed = subprocess.check_output([sys.executable, "-c", program], text=True)
    assert printed == "True True\n"
