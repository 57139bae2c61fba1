"""The rules of the rooms, as functions of a folder: what each module may import.

A name that a module takes from a package may be a module itself, and a relative import names one
as well as an absolute one does.
"""

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

# Calls that import modules without an import statement.
HIDDEN = {"import_module", "__import__", "import_string"}
Layers = Sequence[set[str]]
Walk = Callable[[ast.AST], Iterable[ast.AST]]


def python_files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*.py") if "migrations" not in path.parts]


def tree_of(path: Path) -> ast.Module:
    """The syntax of a file; for several rules on one file in a row it is read once."""
    return _tree_of(path.read_text(encoding="utf-8"))


@lru_cache(maxsize=1024)
def _tree_of(text: str) -> ast.Module:
    return ast.parse(text)


def imports_of(path: Path, package: Path) -> set[str]:
    """Full dotted names of what a module of a package imports, at any depth of its code."""
    return {name for names in _imported(path, package) for name in names}


def modules_of(path: Path, package: Path, names: set[str]) -> set[str]:
    """The named modules that a file imports; a package only where what is taken is none of them."""
    imported_names = set()
    for module, *members in _imported(path, package, _running):
        imported_names |= (
            {name if name in names else module for name in members} if members else {module}
        )
    return imported_names & names


def _running(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a file, except those for type checkers only."""
    for node in ast.iter_child_nodes(tree):
        if not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"):
            yield node
            yield from _running(node)


def _imported(path: Path, package: Path, walk: Walk = ast.walk) -> Iterator[list[str]]:
    """Imported modules, each followed by the names imported from it."""
    for node in walk(tree_of(path)):
        if isinstance(node, ast.Import):
            yield from ([alias.name] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = _from(node, path, package)
            yield [module, *(f"{module}.{alias.name}" for alias in node.names)]


def _from(node: ast.ImportFrom, path: Path, package: Path) -> str:
    """The module that names are taken from; each dot after the first goes up a package."""
    if not node.level:
        return node.module or ""
    folders = path.relative_to(package.parent).parts[:-1]
    base = folders[: len(folders) - node.level + 1]
    return ".".join([*base, *([node.module] if node.module else [])])


# The rooms to which the modules of a feature belong, whatever the feature's name: a module imports
# what its room may import, that room, and the modules of its own feature that are not above it.
FEATURES = "features"
PARTS = {
    "section": "parameters",
    "settings": "drafts",
    **dict.fromkeys(("answered_waves", "models"), "models"),
    "draft": "devices",
    "senders": "responses",
    **dict.fromkeys(
        ("dependence", "presentation", "progress", "results", "results_section"), "results"
    ),
    "export": "exports",
    **dict.fromkeys(
        (
            *("allowed", "author", "clusters", "declarations", "exchange"),
            *("figures", "next_wave", "page_words", "power_plans", "reading", "words"),
        ),
        "authoring",
    ),
    "forms": "forms",
    **dict.fromkeys(
        ("assignment", "changes", "definition", "demo", "links", "readers", "runs"), "services"
    ),
    "views": "views",
    "programs": "api",
    **dict.fromkeys(
        (
            *("desk", "feature", "link_views", "margin_pages", "page_views", "pages"),
            "programs_part",
        ),
        "admin",
    ),
}


def room_of(path: Path, package: Path) -> str:
    """The folder or the single module of a package that a file belongs to; "" for its front.

    Of a module of a feature it is the room whose part it is.
    """
    first, *others = path.relative_to(package).with_suffix("").parts
    if first == FEATURES and _is_feature(package, others):
        name = others[-1]
        return FEATURES if name == "__init__" else PARTS.get(name, f"{FEATURES}.{name}")
    return "" if first == "__init__" else first


def feature_of(path: Path, package: Path) -> str:
    """The feature whose folder a module is in; "" for every other module."""
    first, *others = path.relative_to(package).parts
    return others[0] if first == FEATURES and _is_feature(package, others) else ""


def _is_feature(package: Path, names: Sequence[str]) -> bool:
    """Whether the names of folder and module, below the features, are those of a feature."""
    return len(names) == 2 and (package / FEATURES / names[0] / "feature.py").is_file()


def complaints(path: Path, package: Path, layers: Layers) -> list[str]:
    """The forbidden imports of a module, or that it has no place in the layers."""
    level_of = {room: level for level, rooms in enumerate(layers) for room in rooms}
    own, feature = room_of(path, package), feature_of(path, package)
    if own and own not in level_of:
        return [f"{own} has no place in the layers"]
    sentences = [f"{path.name} hides an import: {name}" for name in _hidden(path)]
    for module in sorted(_of_package(path, package, own)):
        _package, room, *rest = module.split(".")
        if room == FEATURES and rest and _is_feature(package, [*rest, ""][:2]):
            # Features know the rooms, and none of them knows a feature, but the list of them.
            if path in (package / FEATURES / "registered.py", package / FEATURES / "models.py"):
                continue
            if rest[0] != feature:
                sentences.append(f"{path.name} imports {module}")
                continue
            part = PARTS.get(rest[1], own) if rest[1:] else own
            if level_of[part] > level_of[own]:
                sentences.append(f"{path.name} imports {module}")
            continue
        if room == own:
            continue
        if room not in level_of:
            sentences.append(f"{path.name} imports {module}, which has no place in the layers")
        elif not own or level_of[room] >= level_of[own]:
            sentences.append(f"{path.name} imports {module}")
    return sentences


def _of_package(path: Path, package: Path, own: str) -> set[str]:
    """The rooms of its own package that a module imports; names of the front are no room.

    The parts of features name the rooms for type checkers, and import them for nothing else.
    """
    walk = _running if own == FEATURES else ast.walk
    imported = {name for names in _imported(path, package, walk) for name in names}
    names = (name for name in imported if name.startswith(f"{package.name}."))
    return {name for name in names if _is_room(package, name.split(".")[1])}


def _is_room(package: Path, name: str) -> bool:
    """Whether a name is that of a module of the package, or of a folder with some."""
    folder = package / name
    return folder.with_suffix(".py").is_file() or any(folder.rglob("*.py"))


def _hidden(path: Path) -> Iterator[str]:
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name in HIDDEN:
                yield name
