"""The description of any result, read from its fields: no class has to say it by itself."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from rr_engine.display.description import Description, Table, words, written

# Properties of results that belong beside their fields.
ALSO = ("n", "standard_error", "standard_errors", "p_value", "notes")
# Fields that name the rows of a table.
LABELS = ("names", "categories", "labels", "candidates")
# What a line does not say: how a fit is known, and what is read from its notes.
UNSAID = ("fitted", "notes", "covariance_operator")
# Letters of a line, and of one within a result; entries of a list in it; columns of a table.
SHORT, SHORT_WITHIN, FEW, MOST_ACROSS = 110, 40, 6, 20


def values_of(result: Any) -> dict[str, Any]:
    """Return the public fields of a dataclass, and the properties that belong beside them."""
    found = {item.name: getattr(result, item.name) for item in fields(result)}
    for name in ALSO:
        if name not in found and isinstance(getattr(type(result), name, None), property):
            found[name] = getattr(result, name)
    return {name: value for name, value in found.items() if not name.startswith("_")}


def describe(result: Any) -> Description:
    """Return the description of a result from its fields."""
    values = values_of(result)
    facts: dict[str, object] = {}
    columns: dict[int, dict[str, Sequence[object]]] = {}
    tables = []
    for name, value in values.items():
        if isinstance(value, Mapping):
            facts |= {str(key): plain(one) for key, one in value.items() if is_plain(one)}
        elif is_plain(value):
            facts[name] = plain(value)
        elif "interval" in name and (ends := _ends(value)) is not None:
            _add_ends(name, ends, facts, columns)
        elif (column := _column(value)) is not None:
            columns.setdefault(len(column), {})[name] = column
        elif isinstance(value, np.ndarray) and value.ndim == 2 and "covariance" not in name:
            columns.setdefault(len(value), {}).update(_across(name, value, values))
        elif isinstance(value, tuple | list) and value and all(map(is_dataclass, value)):
            tables += [] if name == "notes" else [_table_of(name, value)]
        elif hasattr(value, "_repr_html_"):
            line = short(value)
            facts[name] = line if len(line) <= SHORT_WITHIN else type(value).__name__
        elif isinstance(epsilon := getattr(value, "epsilon", None), float):
            facts["epsilon"] = epsilon
    labelled = [_labelled(values, size, parts) for size, parts in columns.items()]
    return told(result, facts, *tables, *labelled)


def told(result: Any, facts: Mapping[str, object], *tables: Table) -> Description:
    """Return a result with these facts and tables, and with what its class and its notes say."""
    notes = tuple(note.message for note in getattr(result, "notes", ()))
    given = {name: value for name, value in facts.items() if value is not None}
    return Description(type(result).__name__, sentence(type(result)), given, tables, notes)


def sentence(kind: type) -> str:
    """Return the first sentence of what a class says of itself."""
    said = (kind.__doc__ or "").strip().split("\n")[0]
    # What a dataclass says by itself is its signature.
    if said.startswith(f"{kind.__name__}("):
        return ""
    return re.split(r"[.;:] ", f"{said} ")[0].strip(". ")


def is_plain(value: object) -> bool:
    """Tell whether a value is one number or word."""
    return value is None or isinstance(value, bool | int | float | str | np.generic)


def plain(value: object) -> object:
    """Return NumPy's numbers as Python's."""
    return value.item() if isinstance(value, np.generic) else value


def short(result: Any) -> str:
    """Return a result in a line: what is single or small among its fields, and no walls."""
    parts: list[str] = []
    for item in fields(result):
        value = getattr(result, item.name)
        if item.name.startswith("_") or value is None or item.name in UNSAID:
            continue
        if is_plain(value):
            own = repr(value) if isinstance(value, str) else written(plain(value))
            text = f"{item.name}={own}"
        elif isinstance(value, np.ndarray) and value.ndim == 1 and value.size <= FEW:
            text = f"{item.name}=[{', '.join(written(one) for one in value.tolist())}]"
        elif isinstance(value, np.ndarray):
            text = f"{item.name}=<{'×'.join(map(str, value.shape))}>"
        elif isinstance(value, tuple) and not value:
            continue
        else:
            several = f"{len(value)} " if isinstance(value, tuple) else ""
            kind = type(value[0] if isinstance(value, tuple) else value)
            text = f"{item.name}=<{several}{kind.__name__}>"
        if len(text) + sum(map(len, parts)) > SHORT:
            parts.append("...")
            break
        parts.append(text)
    return f"{type(result).__name__}({', '.join(parts)})"


def _ends(value: object) -> np.ndarray | None:
    """Return two ends of an interval, or of several; None for anything else."""
    array = np.array(value) if isinstance(value, tuple | np.ndarray) else np.empty(0)
    fits = array.dtype.kind == "f" and array.ndim in (1, 2) and array.shape[-1] == 2
    return array if fits else None


def _add_ends(
    name: str,
    ends: np.ndarray,
    facts: dict[str, object],
    columns: dict[int, dict[str, Sequence[object]]],
) -> None:
    stem = {"interval": "", "intervals": ""}.get(name, f"{name}_")
    if ends.ndim == 1:
        facts |= {f"{stem}lower": float(ends[0]), f"{stem}upper": float(ends[1])}
    else:
        group = columns.setdefault(len(ends), {})
        group[f"{stem}lower"], group[f"{stem}upper"] = ends[:, 0].tolist(), ends[:, 1].tolist()


def _column(value: object) -> list[object] | None:
    if isinstance(value, np.ndarray) and value.ndim == 1 and value.dtype.kind in "iufbU":
        return value.tolist()
    if isinstance(value, tuple | list) and value and all(map(is_plain, value)):
        return [plain(one) for one in value]
    return None


def _across(name: str, value: np.ndarray, values: dict[str, Any]) -> dict[str, Sequence[object]]:
    """Return the columns of a table of numbers, called after what the result has as many of."""
    size = value.shape[1]
    if size > MOST_ACROSS:
        return {}
    own = (values.get(label) for label in (*LABELS, "sizes"))
    lists = (list(one) for one in own if isinstance(one, tuple | np.ndarray))
    labels = next((one for one in lists if len(one) == size), list(range(size)))
    return {f"{name}_{label}": value[:, at].tolist() for at, label in enumerate(labels)}


def _labelled(values: dict[str, Any], size: int, parts: dict[str, Sequence[object]]) -> Table:
    """Return columns with the labels of their rows first: names of the result, or numbers."""
    for name in LABELS:
        if name in parts:
            return Table({name: parts[name], **{k: v for k, v in parts.items() if k != name}})
    labels = next((tuple(values[name]) for name in LABELS if _fits(values.get(name), size)), None)
    if labels is None:
        return Table({"number": list(range(size)), **parts})
    return Table({"name": labels, **parts})


def _fits(value: object, size: int) -> bool:
    return isinstance(value, tuple) and len(value) == size and all(map(is_plain, value))


def _table_of(name: str, entries: Sequence[Any]) -> Table:
    """Return a table with a row for each of several results and their single values as columns."""
    rows = [values_of(entry) for entry in entries]
    shown = [key for key in rows[0] if all(key in row and is_plain(row[key]) for row in rows)]
    columns: dict[str, Sequence[object]] = {key: [plain(row[key]) for row in rows] for key in shown}
    if not shown or not isinstance(columns[shown[0]][0], str):
        columns = {"number": list(range(len(rows))), **columns}
    return Table(columns, words(name))
