"""Reading source files for randomness that is not the operating system's."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

JS_IMPORT = re.compile(r"""(?:from|import)\s*\(?\s*["']([^"']+)["']""")
# Math.random however it is reached: a bare Math can only be an alias or a destructuring.
JS_RANDOM = re.compile(
    r"\bMath\s*(?:\?\.|\.)\s*random\b|\bMath\s*(?:\?\.)?\[|\bMath\b(?!\s*(?:\?\.|\.|\[))"
    r"|\bseedrandom\b|\bpseudoRandomBytes\b"
)
# Page, network and storage: static/js/rr knows none of them.
JS_OUTSIDE = re.compile(
    r"\b(?:document|window|navigator|location|history|localStorage|sessionStorage|indexedDB"
    r"|caches|cookieStore|fetch|XMLHttpRequest|WebSocket|EventSource|sendBeacon|postMessage"
    r"|importScripts|eval|Function|console|Date|performance|setTimeout|setInterval)\b(?!\s*:)"
)
JS_COMMENT = re.compile(r"/\*.*?\*/|(?<!:)//[^\n]*", re.S)
PYTHON_RANDOM = ("random", "numpy.random")


def code_of(path: Path) -> str:
    """A script without its comments."""
    return JS_COMMENT.sub("", path.read_text())


def weak_randomness_in_script(text: str) -> list[str]:
    return JS_RANDOM.findall(text)


def reaches_outside(text: str) -> list[str]:
    return JS_OUTSIDE.findall(text)


def imported_scripts(entry: Path, root: Path) -> set[Path]:
    """The modules that loading `entry` loads, itself included; `/` is `root`."""
    scripts, queue = set(), [entry.resolve()]
    while queue:
        path = queue.pop()
        if path in scripts:
            continue
        scripts.add(path)
        for name in JS_IMPORT.findall(code_of(path)):
            base = root if name.startswith("/") else path.parent
            queue.append((base / name.lstrip("/")).resolve())
    return scripts


def weak_randomness_in_python(text: str) -> list[str]:
    """Imports and uses of `random` and `numpy.random`, under whatever name."""
    tree = ast.parse(text)
    names = {alias: name for node in ast.walk(tree) for alias, name in _imports(node)}
    imported = [name for name in names.values() if _is_weak(name)]
    attributes = [
        name
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        for name in [_dotted_name(node, names)]
        if _is_weak(name)
    ]
    return imported + attributes


def _imports(node: ast.AST) -> Iterator[tuple[str, str]]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            # `import numpy.random` binds numpy, and still is an import of numpy.random.
            yield alias.asname or alias.name.split(".")[0], alias.name
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        for alias in node.names:
            yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def _dotted_name(node: ast.Attribute, names: dict[str, str]) -> str:
    value = node.value
    if isinstance(value, ast.Attribute):
        return f"{_dotted_name(value, names)}.{node.attr}"
    return f"{names.get(value.id, value.id)}.{node.attr}" if isinstance(value, ast.Name) else ""


def _is_weak(name: str) -> bool:
    return any(name == weak or name.startswith(f"{weak}.") for weak in PYTHON_RANDOM)
