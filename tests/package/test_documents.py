"""What a release says of itself: citation, bill of materials, notes and versions."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft7Validator, FormatChecker
from referencing import Registry, Resource

import rr_engine

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = Path(__file__).parent / "schemas"


def schema(name):
    return json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))


def made(path):
    subprocess.run([sys.executable, ROOT / "scripts" / "sbom.py", path], check=True)
    return path.read_bytes()


@pytest.fixture(scope="module")
def bill(tmp_path_factory):
    return json.loads(made(tmp_path_factory.mktemp("sbom") / "sbom.json"))


def test_the_bill_of_materials_keeps_to_its_schema(bill):
    resources = [Resource.from_contents(schema(name)) for name in ("spdx", "jsf-0.82")]
    names = ("spdx.SNAPSHOT.schema.json", "jsf-0.82.SNAPSHOT.schema.json")
    base = "http://cyclonedx.org/schema/"
    registry = Registry().with_resources(
        (f"{base}{name}", resource) for name, resource in zip(names, resources, strict=True)
    )
    validator = Draft7Validator(schema("bom-1.6"), registry=registry)
    assert [error.message for error in validator.iter_errors(bill)] == []
    bill["components"][0]["hashes"][0]["content"] = "none"
    assert not validator.is_valid(bill)


def test_the_bill_of_materials_has_all_that_is_pinned(bill):
    pins = re.findall(
        r"^([\w.-]+)==([^\s;]+)", (ROOT / "requirements.txt").read_text(encoding="utf-8"), re.M
    )
    assert [(each["name"], each["version"]) for each in bill["components"]] == pins
    (root,) = bill["dependencies"]
    wanted = (ROOT / "requirements.in").read_text(encoding="utf-8")
    assert len(root["dependsOn"]) == len(re.findall(r"^[\w-]+.*==", wanted, re.MULTILINE))


def test_the_same_pins_make_the_same_bill(tmp_path):
    assert made(tmp_path / "one.json") == made(tmp_path / "two.json")


def test_the_citation_keeps_to_its_schema():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    validator = Draft7Validator(schema("cff-1.2.0"), format_checker=FormatChecker())
    assert [error.message for error in validator.iter_errors(citation)] == []
    assert citation["version"] == rr_engine.__version__
    assert not validator.is_valid({**citation, "license": "none that there is"})


@pytest.mark.parametrize("path", ["CHANGELOG.md", "rr_engine/CHANGELOG.md"])
def test_this_version_is_the_newest_in_the_list_of_changes(path):
    text = (ROOT / path).read_text(encoding="utf-8")
    # What comes after a release stands above it until the next one.
    newest = re.search(r"^## (?!Unreleased$)(\S+) \((.+)\)$", text, re.MULTILINE)
    assert newest[1] == rr_engine.__version__
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert newest[2] == str(citation["date-released"])
    assert (ROOT / "docs" / "releases" / f"{rr_engine.__version__}.md").is_file()


def test_the_version_stands_in_one_place():
    sources = [*ROOT.glob("*.toml"), *(ROOT / "rr_engine").rglob("*.py")]
    sources += [*(ROOT / "surveys").rglob("*.py"), *(ROOT / "config").rglob("*.py")]
    written = re.compile(rf'\bversion\W*[=:]\s*"{re.escape(rr_engine.__version__)}"', re.I)
    found = [path.name for path in sources if written.search(path.read_text(encoding="utf-8"))]
    assert found == []
