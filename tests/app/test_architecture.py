"""The dependency rules of the rooms: what may import what."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SURVEYS = ROOT / "surveys"

# Lower may not import higher.
ENGINE_LAYERS = [
    {"errors", "validation", "version"},
    {"collapsing", "device", "distributions", "kronecker", "privacy", "precision", "quantizing"},
    {"arguments", "design", "promises"},
    {"designs"},
    {"estimation", "simulation"},
    {"association"},
    {"compliance", "robustness"},
    {"planning", "optimisation", "rappor", "multiattribute", "graphs", "relaxation", "regression"},
]
# The same of the app's rooms; here a room may not import one beside it either.
APP_LAYERS = [
    {"numbers"},
    {"exceptions", "models", "moments", "people", "recovery", "strength", "throttle"},
    {"batches", "kinds", "known_browsers", "queries", "strength_words", "wire"},
    {"disclosure_risk", "engine_bridge"},
    {"cross_tables", "lint_epsilon", "panel", "searched", "tallies"},
    {"coverage", "forms", "lint_size", "lint_strength", "results"},
    {"comparison", "exports", "lint", "mechanisms"},
    {"dispatch"},
    {"services"},
    {"tasks"},
    {"views"},
    {"admin", "apps", "direct", "management", "middleware", "urls"},
]
# Imported only when a task is queued, which a task does as well.
LATE = {("dispatch", "tasks")}


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


@pytest.mark.parametrize("path", python_files(ROOT / "rr_engine"), ids=str)
def test_the_engine_stands_on_numpy_and_scipy_alone(path):
    allowed = {"rr_engine", "numpy", "scipy"} | set(sys.stdlib_module_names)
    assert {name.split(".")[0] for name in imports_of(path)} <= allowed


@pytest.mark.parametrize("path", python_files(ROOT / "rr_engine"), ids=str)
def test_engine_imports_point_down(path):
    layer_of = {room: level for level, rooms in enumerate(ENGINE_LAYERS) for room in rooms}
    own = path.relative_to(ROOT / "rr_engine").parts[0].removesuffix(".py")
    if own == "__init__":
        return
    assert own in layer_of, f"{own} has no place in the layers"
    for module in imports_of(path):
        if module.startswith("rr_engine.") and room_of(module) in layer_of:
            assert layer_of[room_of(module)] <= layer_of[own], f"{path.name} imports {module}"


@pytest.mark.parametrize("path", python_files(SURVEYS), ids=str)
def test_only_the_bridge_knows_the_engine(path):
    if "engine_bridge" not in path.parts:
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
        if room == own or (own, room) in LATE:
            continue
        assert room in layer_of, f"{path.name} imports {module}, which has no place in the layers"
        assert layer_of[room] < layer_of[own], f"{path.name} imports {module}"


def test_every_place_in_the_layers_is_a_room():
    rooms = {path.stem for path in SURVEYS.glob("*.py")} | {path.name for path in SURVEYS.iterdir()}
    assert {room for layer in APP_LAYERS for room in layer} <= rooms


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
    for folder in (ROOT / "rr_engine", SURVEYS):
        for path in folder.rglob("__init__.py"):
            kinds = {type(node) for node in ast.parse(path.read_text()).body}
            allowed = {ast.Import, ast.ImportFrom, ast.Assign, ast.Expr}
            assert kinds <= allowed, path


def test_no_file_grows_past_reading():
    for folder in (ROOT / "rr_engine", SURVEYS, ROOT / "config"):
        for path in python_files(folder):
            assert len(path.read_text().splitlines()) <= 350, path
