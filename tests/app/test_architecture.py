"""The dependency rules of the rooms: what may import what."""

import ast
import re
import sys
from functools import cache
from inspect import ismodule
from pathlib import Path
from pkgutil import iter_modules

import pytest

import rr_engine
from tests.app.layers import complaints, imports_of, modules_of, python_files, room_of, tree_of
from tests.engine.public import MODULES, PUBLIC

ROOT = Path(__file__).resolve().parents[2]
ENGINE = ROOT / "rr_engine"
SURVEYS = ROOT / "surveys"
CONFIG = ROOT / "config"
CLIENT = ROOT / "client" / "candor"

# A lower layer may not import a higher one, nor a room another one of its layer.
ENGINE_LAYERS = [
    {"error_codes", "fronts"},
    {"errors"},
    {"frames"},
    {"display"},
    {"arrays"},
    {"labelled"},
    {"check"},
    {"codes", "distributions", "precision", "projection", "roots"},
    {"device", "kronecker", "privacy"},
    {"quantizing"},
    {"channels", "declared_guarantee"},
    {"design"},
    {"arguments", "designs"},
    {"estimation", "relaxation", "simulation"},
    {"association", "compliance", "robustness", "sampling"},
    {"crowd", "multiattribute", "optimisation", "planning", "rappor"},
    {"bounded", "spending"},
    {"clusters", "networks", "regression"},
    {"library"},
    {"estimators"},
    # Public modules of which no room has the name; the others are the front of a room.
    {"item_count", "joint", "models", "quantities"},
]
# The names that most people need, beside the public modules.
MOST_NAMES = 30
# What few functions of the engine need is imported by one module, when they are called.
EXTRAS = {"formulaic", "matplotlib", "pandas", "polars", "sklearn"}
# The layers of the app's rooms.
APP_LAYERS = [
    {"author_texts"},
    {"registry"},
    {"features"},
    {"exceptions", "languages", "moments", "numbers", "parameters", "people"}
    | {"spreadsheets", "throttle"},
    {"drafts", "engine_words", "results_document", "strength"},
    {"models", "strength_statements"},
    {"jobs", "kinds", "known_browsers", "queries", "strength_words"},
    {"definitions", "devices", "responses"},
    {"results", "survey_templates"},
    {"exports"},
    {"authoring"},
    {"forms"},
    {"services"},
    {"observation"},
    {"tasks"},
    {"views"},
    {"api"},
    {"converters"},
    {"admin", "apps", "management", "middleware", "session_limits", "submission_path", "urls"},
]
# The rooms that may import the engine.
STATISTICAL = {"authoring", "devices", "engine_words", "kinds", "parameters", "results"}


@pytest.mark.slow
def test_the_engine_stands_on_numpy_and_scipy_alone():
    allowed = {"rr_engine", "numpy", "scipy"} | set(sys.stdlib_module_names)
    for path in python_files(ENGINE):
        extras = EXTRAS if path == ENGINE / "frames" / "extras.py" else set()
        assert {name.split(".")[0] for name in imports_of(path, ENGINE)} <= allowed | extras, path


def test_parts_of_scipy_are_loaded_where_they_are_used():
    """Each process would spend a quarter of a second on what most of them never use."""
    loads = re.compile(r"^\s*(?:import scipy\.|from scipy\.|from scipy import )(?!special\b)", re.M)
    paths = [*python_files(ENGINE), *python_files(SURVEYS)]
    assert [path for path in paths if loads.search(path.read_text(encoding="utf-8"))] == []


@cache
def module_graph(package: Path) -> dict[str, set[str]]:
    """Return which modules of a package each of them imports, at any depth of its code."""
    paths_by_name = {}
    for path in python_files(package):
        parts = path.relative_to(package.parent).with_suffix("").parts
        paths_by_name[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return {
        name: modules_of(path, package, set(paths_by_name)) - {name}
        for name, path in paths_by_name.items()
    }


def test_each_public_name_is_in_the_module_of_one_task():
    names = [name for module in MODULES for name in module.__all__]
    assert len(names) == len(set(names)) > 350
    short = [name for name in rr_engine.__all__ if getattr(rr_engine, name) not in MODULES]
    assert len(short) <= MOST_NAMES
    assert all(getattr(rr_engine, name) is PUBLIC[name] for name in short)


def test_no_public_name_is_that_of_a_module_beside_it():
    """As soon as such a module were loaded, it would stand in place of the name."""
    for front in (rr_engine, *MODULES):
        beside = {module.name for module in iter_modules(getattr(front, "__path__", []))}
        objects = {name for name in front.__all__ if not ismodule(getattr(front, name))}
        assert not beside & objects, front.__name__


@cache
def places_of(name: str) -> set[str]:
    """The modules in which a name that a file imports lies, by the stubs of public modules."""
    front, _, member = name.rpartition(".")
    stub = (ROOT / front.replace(".", "/")).with_suffix(".pyi")
    stubs = [stub] if stub.is_file() else [ROOT / front.replace(".", "/") / "__init__.pyi"]
    return {
        node.module
        for each in stubs
        if each.is_file()
        for node in tree_of(each).body
        if isinstance(node, ast.ImportFrom) and node.module and node.module != ENGINE.name
        if member in {alias.name for alias in node.names}
    }


@pytest.mark.slow
def test_the_site_does_not_know_the_library():
    """What no page needs has a place of its own: see docs/decisions/0056-the-library.md."""
    paths = [(path, folder) for folder in (SURVEYS, CONFIG) for path in python_files(folder)]
    assert len(paths) > 100
    used = re.compile(r"\brr_engine(?:\.\w+)+")
    found = set()
    for path, folder in paths:
        names = imports_of(path, folder) | {*used.findall(path.read_text(encoding="utf-8"))}
        found |= {place for name in names for place in {name} | places_of(name)}
    assert len([name for name in found if name.startswith("rr_engine.")]) > 100
    assert not [name for name in found if f"{name}.".startswith("rr_engine.library.")]


@pytest.mark.slow
def test_the_engine_takes_nothing_from_its_public_modules():
    """They may offer what lies above a room; a module names the one that it needs."""
    for path in python_files(ENGINE):
        for name in imports_of(path, ENGINE):
            assert not places_of(name), f"{path}: {name}"


@pytest.mark.slow
def test_engine_imports_point_down():
    # What is loaded on demand is hidden from all others, and the front of all rooms is in none.
    exempt = (ENGINE / "__init__.py", ENGINE / "fronts.py")
    paths = [path for path in python_files(ENGINE) if path not in exempt]
    assert [found for path in paths for found in complaints(path, ENGINE, ENGINE_LAYERS)] == []


def circle_in(graph: dict[str, set[str]]) -> list[str]:
    """Return modules that import each other in a circle, or nothing."""
    done: set[str] = set()
    for start in graph:
        trail, branches = [start], [iter(sorted(graph[start]))]
        while branches:
            next_name = next((name for name in branches[-1] if name not in done), None)
            if next_name in trail:
                return [*trail[trail.index(next_name) :], next_name]
            if next_name is None:
                done.add(trail.pop())
                branches.pop()
            else:
                trail.append(next_name)
                branches.append(iter(sorted(graph[next_name])))
    return []


@pytest.mark.slow
def test_no_modules_of_the_engine_import_each_other():
    graph = module_graph(ENGINE)
    assert len(graph) > 100
    assert not circle_in(graph)


@pytest.mark.slow
def test_no_modules_of_the_app_import_each_other():
    graph = module_graph(SURVEYS)
    assert len(graph) > 100
    assert not circle_in(graph)


def test_a_circle_is_found():
    assert circle_in({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": set()}) == ["b", "c", "b"]
    assert not circle_in({"a": {"b", "c"}, "b": {"c"}, "c": set()})


@pytest.mark.slow
def test_only_some_rooms_know_the_engine():
    for path in python_files(SURVEYS):
        if room_of(path, SURVEYS) not in STATISTICAL:
            names = imports_of(path, SURVEYS)
            assert not {name for name in names if name.split(".")[0] == "rr_engine"}, path


def test_imports_of_the_app_point_down():
    paths = python_files(SURVEYS)
    assert [found for path in paths for found in complaints(path, SURVEYS, APP_LAYERS)] == []


@pytest.mark.parametrize(("package", "layers"), [(ENGINE, ENGINE_LAYERS), (SURVEYS, APP_LAYERS)])
def test_every_place_in_the_layers_is_a_room(package, layers):
    rooms = {path.stem for path in package.glob("*.py")} | {path.name for path in package.iterdir()}
    assert {room for layer in layers for room in layer} <= rooms
    assert sum(map(len, layers)) == len(set().union(*layers))


@pytest.mark.parametrize("package", [ENGINE, SURVEYS], ids=lambda path: path.name)
@pytest.mark.slow
def test_no_public_name_looks_like_a_test(package):
    for path in python_files(package):
        for node in tree_of(path).body:
            name = getattr(node, "name", "")
            assert not name.startswith(("test", "Test")), f"{path.name}: {name}"


@pytest.mark.slow
def test_only_one_service_changes_the_state():
    paths = [path for path in python_files(SURVEYS) if path.name != "transitions.py"]
    assert len(paths) > 100
    nodes = ((path, node) for path in paths for node in ast.walk(tree_of(path)))
    for module, node in nodes:
        targets = node.targets if isinstance(node, ast.Assign) else []
        for target in targets:
            is_state = isinstance(target, ast.Attribute) and target.attr == "state"
            assert not is_state, f"{module.name}:{node.lineno}"


def test_package_files_hold_no_logic():
    for folder in (ENGINE, SURVEYS, CLIENT):
        for path in folder.rglob("__init__.py"):
            kinds = {type(node) for node in tree_of(path).body}
            allowed = {ast.Import, ast.ImportFrom, ast.Assign, ast.Expr}
            assert kinds <= allowed, path


def test_no_file_grows_past_reading():
    for folder in (ENGINE, SURVEYS, CONFIG, CLIENT):
        for path in python_files(folder):
            assert len(path.read_text().splitlines()) <= 350, path
