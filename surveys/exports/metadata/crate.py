"""The manifest of a replication bundle as an RO-Crate 1.1 (https://w3id.org/ro/crate/1.1)."""

from collections.abc import Sequence
from typing import Any

from surveys.exports.metadata.study import PROGRAM, File, Study

PATH = "ro-crate-metadata.json"
VERSION = "https://w3id.org/ro/crate/1.1"
NO_LICENCE = "#no-licence"
# The terms of which RO-Crate 1.1 knows nothing, as the profiles of its workflows have them.
TERMS = {"sha256": "https://w3id.org/ro/terms/workflow-run#sha256"}


def crate(study: Study, files: Sequence[File], version: str) -> Any:
    """Return the manifest of all files but itself; `version`: that of the program."""
    graph = [
        {
            "@id": PATH,
            "@type": "CreativeWork",
            "about": {"@id": "./"},
            "conformsTo": {"@id": VERSION},
        },
        _root(study, files),
        _licence(study),
        _program(version),
        _release(study, files),
        *map(_file, files),
    ]
    return {"@context": [f"{VERSION}/context", TERMS], "@graph": graph}


def _root(study: Study, files: Sequence[File]) -> dict[str, Any]:
    languages = list(study.titles)
    return {
        "@id": "./",
        "@type": "Dataset",
        "name": study.title,
        "description": study.introductions[study.language] or study.title,
        "identifier": study.digest,
        "inLanguage": languages if len(languages) > 1 else study.language,
        "version": f"{study.version}.{study.wave}",
        "datePublished": study.released_at.isoformat(),
        "license": {"@id": _licence(study)["@id"]},
        "hasPart": [{"@id": file.path} for file in files],
        "mentions": {"@id": "#release"},
    }


def _licence(study: Study) -> dict[str, Any]:
    terms = study.terms
    if terms is None:
        words = "The author has not said what others may do with the data: ask first."
        about = {"@id": NO_LICENCE, "name": "No licence is stated", "description": words}
    else:
        name, address = terms.identifier, terms.address or f"#{terms.identifier}"
        about = {"@id": address, "name": terms.name, "description": terms.name, "identifier": name}
    return {"@type": "CreativeWork", **about}


def _program(version: str) -> dict[str, Any]:
    return {
        "@id": "#program",
        "@type": "SoftwareApplication",
        "name": PROGRAM,
        "softwareVersion": version,
    }


def _release(study: Study, files: Sequence[File]) -> dict[str, Any]:
    """The release as the act that made the data."""
    return {
        "@id": "#release",
        "@type": "CreateAction",
        "name": f"Release of {study.responses} responses",
        "startTime": study.launched_at.isoformat(),
        "endTime": study.released_at.isoformat(),
        "instrument": {"@id": "#program"},
        "result": [{"@id": file.path} for file in files if file.path.startswith("data/")],
    }


def _file(file: File) -> dict[str, Any]:
    return {
        "@id": file.path,
        "@type": "File",
        "name": file.label,
        "encodingFormat": file.media_type,
        "contentSize": str(file.size),
        "sha256": file.sha256,
    }
