"""The rules of the rooms, as functions of a folder: what each module may import.

A name that a module takes from a package may be a module itself, and a relative import names one
as well as an absolute one does.
"""

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

# A call of these imports what no reader of the import lines sees.
HIDDEN = {"import_module", "__import__", "import_string"}
Layers = Sequence[set[str]]
Walk = Callable[[ast.AST], Iterable[ast.AST]]


def python_files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*.py") if "migrations" not in path.parts]


def imports_of(path: Path, package: Path) -> set[str]:
    """Full dotted names of what a module of a package imports, at any depth of its code."""
    return {name for names in _imports(path, package) for name in names}


def modules_of(path: Path, package: Path, named: set[str]) -> set[str]:
    """The named modules that a file imports; a package only where what is taken is none of them."""
    found = set()
    for whole, *taken in _imports(path, package, _running):
        found |= {name if name in named else whole for name in taken} if taken else {whole}
    return found & named


def _running(tree: ast.AST) -> Iterator[ast.AST]:
    """Everything in a file but what only a type checker reads."""
    for node in ast.iter_child_nodes(tree):
        if not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"):
            yield node
            yield from _running(node)


def _imports(path: Path, package: Path, walk: Walk = ast.walk) -> Iterator[list[str]]:
    """A module, and after it what is taken from it."""
    for node in walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ([alias.name] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            whole = _from(node, path, package)
            yield [whole, *(f"{whole}.{alias.name}" for alias in node.names)]


def _from(node: ast.ImportFrom, path: Path, package: Path) -> str:
    """The module that names are taken from; each dot after the first goes up a package."""
    if not node.level:
        return node.module or ""
    folders = path.relative_to(package.parent).parts[:-1]
    base = folders[: len(folders) - node.level + 1]
    return ".".join([*base, *([node.module] if node.module else [])])


def room_of(path: Path, package: Path) -> str:
    """The folder or the single module of a package that a file belongs to; "" for its front."""
    first = path.relative_to(package).parts[0].removesuffix(".py")
    return "" if first == "__init__" else first


def complaints(path: Path, package: Path, layers: Layers) -> list[str]:
    """What a module imports that it may not, or that it has no place itself."""
    level_of = {room: level for level, rooms in enumerate(layers) for room in rooms}
    own = room_of(path, package)
    if own and own not in level_of:
        return [f"{own} has no place in the layers"]
    found = [f"{path.name} hides an import: {name}" for name in _hidden(path)]
    for module in sorted(_of_package(path, package)):
        room = module.split(".")[1]
        if room == own:
            continue
        if room not in level_of:
            found.append(f"{path.name} imports {module}, which has no place in the layers")
        elif not own or level_of[room] >= level_of[own]:
            found.append(f"{path.name} imports {module}")
    return found


def _of_package(path: Path, package: Path) -> set[str]:
    """What it imports of its own package; names of the front itself are no room."""
    rooms = {room_of(file, package) for file in package.rglob("*.py")}
    names = (name for name in imports_of(path, package) if name.startswith(f"{package.name}."))
    return {name for name in names if name.split(".")[1] in rooms}


def _hidden(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name in HIDDEN:
                yield name
