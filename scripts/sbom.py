"""The software bill of materials of Candor: what is installed to run it, as CycloneDX 1.6.

`python scripts/sbom.py FILE` writes it from requirements.in and requirements.txt, in which every
version and the hash of every file are pinned. The same files make the same document, byte for byte.
"""

import json
import re
import sys
import uuid
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PIN = re.compile(r"^([\w.-]+)==([^\s;]+)( ;[^-]+)?((?: --hash=sha256:[0-9a-f]{64})+)$")


def document() -> dict[str, Any]:
    """Return the bill of materials."""
    pinned = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    lines = re.sub(r" *\\\n *", " ", pinned).splitlines()
    components = [_component(line) for line in lines if line and not line.startswith("#")]
    wanted = (ROOT / "requirements.in").read_text(encoding="utf-8")
    direct = {name.lower() for name in re.findall(r"^([\w.-]+)", wanted, re.MULTILINE)}
    application = {
        "type": "application",
        "bom-ref": "candor",
        "name": "candor",
        "version": _version(),
        "licenses": [{"license": {"id": "Apache-2.0"}}],
    }
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        # It says which document this is, and follows from what it says.
        "serialNumber": uuid.uuid5(uuid.NAMESPACE_OID, f"candor {_version()}\n{pinned}").urn,
        "version": 1,
        "metadata": {"component": application},
        "components": components,
        "dependencies": [
            {
                "ref": "candor",
                "dependsOn": [each["bom-ref"] for each in components if each["name"] in direct],
            }
        ],
    }


def _component(line: str) -> dict[str, Any]:
    match = PIN.match(line)
    if match is None:
        raise ValueError(f"requirements.txt has a line that is no pin: {line[:60]}")
    name, version, condition, hashes = match.groups()
    address = f"pkg:pypi/{name}@{version}"
    return {
        "type": "library",
        "bom-ref": address,
        "name": name,
        "version": version,
        "purl": address,
        # What some systems and Pythons only need is not everywhere.
        "scope": "optional" if condition else "required",
        # Of each of its files: which one is installed depends on system and Python.
        "hashes": [
            {"alg": "SHA-256", "content": content}
            for content in re.findall(r"[0-9a-f]{64}", hashes)
        ],
    }


def _version() -> str:
    text = (ROOT / "rr_engine" / "__init__.py").read_text(encoding="utf-8")
    (version,) = re.findall(r'^__version__ = "(.+)"$', text, re.MULTILINE)
    return version


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(json.dumps(document(), indent=1) + "\n", encoding="utf-8")
