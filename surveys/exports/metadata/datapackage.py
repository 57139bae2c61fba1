"""A Frictionless data package: which files there are, and types, labels and codes of their columns.

Data Package 2.0 (https://datapackage.org/standard/data-package/), which has labels of categories
and of missing values.
"""

from collections.abc import Sequence
from typing import Any

from surveys.exports.metadata.study import PROGRAM, DataFile, File, Study
from surveys.exports.table import Column, Type, Value

PATH = "datapackage.json"
PROFILES = "https://datapackage.org/profiles/2.0"
TYPES = {Type.INTEGER: "integer", Type.NUMBER: "number", Type.TEXT: "string"}


def data_package(study: Study, tables: Sequence[DataFile], others: Sequence[File]) -> Any:
    """Return the descriptor; `others`: files that are no tables."""
    package = {
        "$schema": f"{PROFILES}/datapackage.json",
        "name": study.identifier.lower(),
        "id": study.digest,
        "title": study.title,
        "description": study.introductions[study.language],
        "created": study.released_at.isoformat(),
        "version": f"{study.version}.{study.wave}.0",
        "sources": [{"title": PROGRAM}],
        "resources": [*map(_table, tables), *map(_resource, others)],
    }
    return {**package, **_licences(study)}


def _licences(study: Study) -> dict[str, Any]:
    if study.terms is None:
        return {}
    licence = {"name": study.terms.identifier, "title": study.terms.name}
    return {"licenses": [licence | ({"path": study.terms.address} if study.terms.address else {})]}


def _resource(file: File) -> dict[str, Any]:
    # Names are unique in a package, and so are paths.
    name = file.path.lower().replace("/", "-").replace(".", "-").replace("_", "-")
    return {
        "name": name,
        "path": file.path,
        "title": file.label,
        "format": file.path.rpartition(".")[2],
        "mediatype": file.media_type,
        "encoding": "utf-8",
        "bytes": file.size,
        "hash": f"sha256:{file.sha256}",
    }


def _table(file: DataFile) -> dict[str, Any]:
    fields = [_field(column) for column in file.columns]
    return {
        **_resource(file),
        "name": file.name,
        "type": "table",
        "dialect": {"delimiter": ",", "lineTerminator": "\r\n", "header": True},
        "schema": {"$schema": f"{PROFILES}/tableschema.json", "fields": fields},
    }


def _field(column: Column) -> dict[str, Any]:
    field: dict[str, Any] = {
        "name": column.name,
        "type": TYPES[column.type],
        "title": column.label,
    }
    codes = [value for value in column.values if value not in column.missing]
    if codes:
        field["categories"] = [_category(value) for value in codes]
    if column.missing:
        field["missingValues"] = [_missing(value) for value in column.missing]
    return field


def _category(value: Value) -> dict[str, Any]:
    return {"value": value.code, "label": value.label}


def _missing(value: Value) -> dict[str, Any]:
    # As it stands in the file.
    return {"value": "" if value.code is None else str(value.code), "label": value.label}
