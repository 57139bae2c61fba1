"""The dependency rules of the rooms: what may import what."""

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ENGINE = ROOT / "rr_engine"
SURVEYS = ROOT / "surveys"

# Lower may not import higher, and a room may not import one beside it.
ENGINE_LAYERS = [
    {"error_codes", "errors", "version"},
    {"validation"},
    {"coarsening", "distributions", "precision", "projection"},
    {"device", "kronecker", "privacy"},
    {"quantizing"},
    {"channels", "declared_guarantee"},
    {"design"},
    {"arguments", "designs"},
    {"estimation", "simulation"},
    {"association", "compliance", "robustness"},
    {"multiattribute", "optimisation", "planning"},
]
# The same of the app's rooms.
APP_LAYERS = [
    {"drafts", "exceptions", "moments", "numbers", "parameters", "people", "registry", "throttle"},
    {"engine_words", "strength"},
    {"models"},
    {"jobs", "kinds", "known_browsers", "queries", "strength_words"},
    {"devices", "responses"},
    {"results"},
    {"authoring", "exports"},
    {"forms"},
    {"services"},
    {"tasks"},
    {"views"},
    {"admin", "apps", "direct", "management", "middleware", "urls"},
]
# The rooms that may import the engine.
STATISTICAL = {"authoring", "devices", "engine_words", "kinds", "parameters", "results"}


def imports_of(path: Path) -> set[str]:
    """Full dotted names of the modules that a file imports at any depth."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def python_files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*.py") if "migrations" not in path.parts]


def room_of(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else ""


@pytest.mark.parametrize("path", python_files(ENGINE), ids=str)
def test_the_engine_stands_on_numpy_and_scipy_alone(path):
    allowed = {"rr_engine", "numpy", "scipy"} | set(sys.stdlib_module_names)
    assert {name.split(".")[0] for name in imports_of(path)} <= allowed


@cache
def module_graph(package: Path) -> dict[str, set[str]]:
    """Return which modules of a package each of them imports, at any depth of its code."""
    named = {}
    for path in python_files(package):
        parts = path.relative_to(package.parent).with_suffix("").parts
        named[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return {name: modules_of(path, set(named)) - {name} for name, path in named.items()}


def run(tree: ast.AST) -> Iterator[ast.AST]:
    """Everything in a file but what only a type checker reads."""
    for node in ast.iter_child_nodes(tree):
        if not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"):
            yield node
            yield from run(node)


def modules_of(path: Path, named: set[str]) -> set[str]:
    """Return the named modules that a file imports: a name from a package may be one itself."""
    found = set()
    for node in run(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            whole = [f"{node.module}.{alias.name}" for alias in node.names]
            found |= {name if name in named else node.module for name in whole}
    return found & named


@pytest.mark.parametrize("path", python_files(ENGINE), ids=str)
def test_engine_imports_point_down(path):
    layer_of = {room: level for level, rooms in enumerate(ENGINE_LAYERS) for room in rooms}
    own = path.relative_to(ENGINE).parts[0].removesuffix(".py")
    if own == "__init__":
        return
    assert own in layer_of, f"{own} has no place in the layers"
    for module in modules_of(path, set(module_graph(ENGINE))):
        room = room_of(module)
        if room != own:
            assert room in layer_of, f"{path.name} imports {module}, which has no place"
            assert layer_of[room] < layer_of[own], f"{path.name} imports {module}"


def circle_in(graph: dict[str, set[str]]) -> list[str]:
    """Return modules that import each other in a circle, or nothing."""
    done: set[str] = set()
    for start in graph:
        trail, branches = [start], [iter(sorted(graph[start]))]
        while branches:
            found = next((name for name in branches[-1] if name not in done), None)
            if found in trail:
                return [*trail[trail.index(found) :], found]
            if found is None:
                done.add(trail.pop())
                branches.pop()
            else:
                trail.append(found)
                branches.append(iter(sorted(graph[found])))
    return []


def test_no_modules_of_the_engine_import_each_other():
    graph = module_graph(ENGINE)
    assert len(graph) > 100
    # The front of the package imports all rooms, and none of them imports it.
    assert not [name for name, found in graph.items() if "rr_engine" in found]
    assert not circle_in(graph)


def test_no_modules_of_the_app_import_each_other():
    graph = module_graph(SURVEYS)
    assert len(graph) > 100
    assert not circle_in(graph)


def test_a_circle_is_found():
    assert circle_in({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": set()}) == ["b", "c", "b"]
    assert not circle_in({"a": {"b", "c"}, "b": {"c"}, "c": set()})


@pytest.mark.parametrize("path", python_files(SURVEYS), ids=str)
def test_only_some_rooms_know_the_engine(path):
    if not STATISTICAL.intersection({*path.parts, path.stem}):
        assert not {name for name in imports_of(path) if name.split(".")[0] == "rr_engine"}


@pytest.mark.parametrize("path", python_files(SURVEYS), ids=str)
def test_imports_of_the_app_point_down(path):
    layer_of = {room: level for level, rooms in enumerate(APP_LAYERS) for room in rooms}
    own = path.relative_to(SURVEYS).parts[0].removesuffix(".py")
    if own == "__init__":
        return
    assert own in layer_of, f"{own} has no place in the layers"
    for module in imports_of(path):
        room = room_of(module) if module.startswith("surveys.") else own
        if room == own:
            continue
        assert room in layer_of, f"{path.name} imports {module}, which has no place in the layers"
        assert layer_of[room] < layer_of[own], f"{path.name} imports {module}"


@pytest.mark.parametrize(("package", "layers"), [(ENGINE, ENGINE_LAYERS), (SURVEYS, APP_LAYERS)])
def test_every_place_in_the_layers_is_a_room(package, layers):
    rooms = {path.stem for path in package.glob("*.py")} | {path.name for path in package.iterdir()}
    assert {room for layer in layers for room in layer} <= rooms
    assert sum(map(len, layers)) == len(set().union(*layers))


@pytest.mark.parametrize("package", [ENGINE, SURVEYS], ids=lambda path: path.name)
def test_no_public_name_looks_like_a_test(package):
    for path in python_files(package):
        for node in ast.parse(path.read_text()).body:
            name = getattr(node, "name", "")
            assert not name.startswith(("test", "Test")), f"{path.name}: {name}"


@pytest.mark.parametrize("path", python_files(SURVEYS), ids=str)
def test_only_one_service_changes_the_state(path):
    if path.name == "transitions.py":
        return
    for node in ast.walk(ast.parse(path.read_text())):
        targets = node.targets if isinstance(node, ast.Assign) else []
        for target in targets:
            is_state = isinstance(target, ast.Attribute) and target.attr == "state"
            # A clone is a new row: it starts as a draft.
            assert not is_state or path.name == "clones.py", f"{path.name}:{node.lineno}"


def test_package_files_hold_no_logic():
    for folder in (ENGINE, SURVEYS):
        for path in folder.rglob("__init__.py"):
            kinds = {type(node) for node in ast.parse(path.read_text()).body}
            allowed = {ast.Import, ast.ImportFrom, ast.Assign, ast.Expr}
            assert kinds <= allowed, path


def test_no_file_grows_past_reading():
    for folder in (ENGINE, SURVEYS, ROOT / "config"):
        for path in python_files(folder):
            assert len(path.read_text().splitlines()) <= 350, path
