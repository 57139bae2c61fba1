"""Croissant: the tables for programs of machine learning, as JSON-LD.

https://docs.mlcommons.org/croissant/docs/croissant-spec-1.1.html. A set of records has a field for
each column; the meanings of codes are sets of their own, to which the columns refer.
"""

from collections.abc import Sequence
from typing import Any

from surveys.exports.metadata.study import PROGRAM, DataFile, Study
from surveys.exports.table import Column, Type

PATH = "croissant.json"
VERSION = "http://mlcommons.org/croissant/1.1"
TYPES = {Type.INTEGER: "sc:Integer", Type.NUMBER: "sc:Float", Type.TEXT: "sc:Text"}
# The terms of Croissant's own that the context of the specification has.
TERMS = (
    *("arrayShape", "citeAs", "column", "containedIn", "equivalentProperty", "extract", "field"),
    *("fileObject", "fileProperty", "fileSet", "format", "includes", "isArray", "isLiveDataset"),
    *("jsonPath", "key", "md5", "parentField", "path", "recordSet", "references", "regex"),
    *("repeated", "replace", "samplingRate", "separator", "source", "subField", "transform"),
)
CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "description": {"@container": "@language"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "name": {"@container": "@language"},
    "rai": "http://mlcommons.org/croissant/RAI/",
    "sc": "https://schema.org/",
    **{term: f"cr:{term}" for term in TERMS},
}


def croissant(study: Study, tables: Sequence[DataFile]) -> Any:
    """Return the document; where nothing was said of a licence it has none."""
    said = {"license": _licence(study)} if study.terms else {}
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": VERSION,
        "name": study.identifier,
        "description": study.introductions[study.language] or study.title,
        "alternateName": study.title,
        "inLanguage": list(study.titles),
        "version": f"{study.version}.{study.wave}.0",
        "datePublished": study.released_at.date().isoformat(),
        "identifier": study.digest,
        "citeAs": _citation(study),
        **said,
        "distribution": [_file(table) for table in tables],
        "recordSet": [each for table in tables for each in _records(table)],
    }


def _citation(study: Study) -> str:
    day = study.released_at.date().isoformat()
    return f"{study.title}. {PROGRAM} survey {study.identifier}, released {day}."


def _licence(study: Study) -> str:
    return study.terms.address or study.terms.name if study.terms else ""


def _file(table: DataFile) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": table.path,
        "name": table.path,
        "description": table.label,
        "contentUrl": table.path,
        "contentSize": f"{table.size} B",
        "encodingFormat": table.media_type,
        "sha256": table.sha256,
    }


def _records(table: DataFile) -> list[dict[str, Any]]:
    """The set of a table's rows, and before it one for the meanings of each column with codes."""
    codes = [_codes(table, column) for column in table.columns if column.values]
    records = {
        "@type": "cr:RecordSet",
        "@id": table.name,
        "name": table.name,
        "description": table.label,
        "field": [_field(table, column) for column in table.columns],
    }
    return [*codes, records]


def _field(table: DataFile, column: Column) -> dict[str, Any]:
    name = f"{table.name}/{column.name}"
    field = {
        "@type": "cr:Field",
        "@id": name,
        "name": name,
        "description": _described(column),
        "dataType": TYPES[column.type],
        "source": {"fileObject": {"@id": table.path}, "extract": {"column": column.name}},
    }
    if column.values:
        field["references"] = {"field": {"@id": f"{name}.codes/code"}}
    return field


def _described(column: Column) -> str:
    """The label of a column, and what its cells without a value mean."""
    reasons = [
        f"{'(empty)' if value.code is None else value.code}: {value.label}"
        for value in column.missing
    ]
    return "; ".join([column.label, *reasons])


def _codes(table: DataFile, column: Column) -> dict[str, Any]:
    name = f"{table.name}/{column.name}.codes"
    known = [value for value in column.values if value.code is not None]
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "description": column.label,
        "dataType": "sc:Enumeration",
        "key": {"@id": f"{name}/code"},
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"{name}/{part}",
                "name": f"{name}/{part}",
                "dataType": data_type,
            }
            for part, data_type in (("code", TYPES[column.type]), ("label", "sc:Text"))
        ],
        "data": [{f"{name}/code": value.code, f"{name}/label": value.label} for value in known],
    }
