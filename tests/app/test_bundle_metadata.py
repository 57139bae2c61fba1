"""What describes a bundle is valid by each standard, and says what the files say."""

import json
import logging
import re
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree as ET

import frictionless
import pytest
from django.db import transaction
from jsonschema import Draft7Validator, FormatChecker
from lxml import etree

from surveys.exports.document import exported_devices
from surveys.exports.metadata import crate, croissant, datapackage, ddi
from surveys.exports.metadata.lifecycle import instance as lifecycle
from surveys.exports.metadata.study import DataFile, study_of
from surveys.models import Launch
from surveys.parameters import columns_of
from surveys.results.release import release_of
from tests.app.bundles import bundle_of, opened, unpacked
from tests.app.ddi_codebook import LANGUAGE, NAMESPACE, problems_of
from tests.app.ddi_schemas import codebook_errors, lifecycle_errors, read_by_ddi_l
from tests.released import QUESTIONS, released, varied
from tests.unchanged.listed import FEATURES

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.slow]

SURVEYS = ("demo", "demo of a network", "demo of a questionnaire", "rich, apart")
SCHEMAS = Path(__file__).resolve().parents[1] / "package" / "schemas"
CSV = ("reports", "estimates", "questions")


@pytest.fixture(scope="module", params=SURVEYS)
def bundle(request, django_db_setup, django_db_blocker, tmp_path_factory):
    """The unpacked bundle of each survey, and its launch without a database."""
    folder = tmp_path_factory.mktemp("bundle")
    with django_db_blocker.unblock(), transaction.atomic():
        launch = FEATURES[request.param]()[-1]
        unpacked(bundle_of(launch), folder)
        transaction.set_rollback(True)
    return folder, launch


def read_json(folder, path):
    return json.loads(folder.joinpath(path).read_text(encoding="utf-8"))


def test_every_description_has_the_size_and_the_checksum_of_each_file(bundle):
    folder, _ = bundle
    lines = folder.joinpath("SHA256SUMS").read_text(encoding="utf-8").splitlines()
    sums = dict(line.split("  ", 1)[::-1] for line in lines)
    graph = read_json(folder, crate.PATH)["@graph"]
    found = {
        "datapackage": {
            each["path"]: (each["hash"].removeprefix("sha256:"), each["bytes"])
            for each in read_json(folder, datapackage.PATH)["resources"]
        },
        "croissant": {
            each["contentUrl"]: (each["sha256"], int(each["contentSize"].removesuffix(" B")))
            for each in read_json(folder, croissant.PATH)["distribution"]
        },
        "crate": {
            each["@id"]: (each["sha256"], int(each["contentSize"]))
            for each in graph
            if each["@type"] == "File"
        },
    }
    for name, files in found.items():
        right = {path: (sums[path], folder.joinpath(path).stat().st_size) for path in files}
        assert files == right, name
        assert files.keys() >= {f"data/{table}.csv" for table in CSV}, name


# --- Frictionless -------------------------------------------------------------------------------


def test_the_data_package_and_each_of_its_tables_are_valid(bundle):
    folder, _ = bundle
    package = frictionless.Package(str(folder / datapackage.PATH))
    report = package.validate()
    assert report.valid, report.to_summary()
    described = {resource.path for resource in package.resources}
    assert {str(path.relative_to(folder)) for path in folder.glob("data/*.csv")} <= described


def test_the_data_package_keeps_to_its_published_schema(bundle):
    """Frictionless validates by rules of its own; this is the profile that the package names."""
    profile = json.loads(SCHEMAS.joinpath("data-package-2.0.schema.json").read_text("utf-8"))
    package = read_json(bundle[0], datapackage.PATH)
    assert package["$schema"] == f"{datapackage.PROFILES}/datapackage.json"
    validator = Draft7Validator(profile, format_checker=FormatChecker())
    assert [error.message for error in validator.iter_errors(package)] == []
    package["resources"][0]["bytes"] = "many"
    assert not validator.is_valid(package)


def test_a_table_that_is_not_what_the_package_says_is_noticed(bundle):
    folder, _ = bundle
    descriptor = read_json(folder, datapackage.PATH)
    (table,) = [each for each in descriptor["resources"] if each["name"] == "estimates"]
    table["schema"]["fields"][0]["type"] = "integer"
    package = frictionless.Package(descriptor, basepath=str(folder))
    assert not package.get_resource("estimates").validate().valid


# --- Croissant ----------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated:DeprecationWarning")
def test_croissant_reads_every_row(bundle, caplog):
    import mlcroissant

    folder, _ = bundle
    with caplog.at_level(logging.WARNING):
        dataset = mlcroissant.Dataset(jsonld=str(folder / croissant.PATH))
    said = [line for line in caplog.text.splitlines() if line.lstrip().startswith("-")]
    # The author has chosen no licence.
    assert [line for line in said if "schema.org/license" not in line] == []
    package = frictionless.Package(str(folder / datapackage.PATH))
    for name in CSV:
        records = list(dataset.records(name))
        rows = package.get_resource(name).read_rows()
        assert len(records) == len(rows) > 0
        for record, row in zip(records[:20], rows, strict=False):
            values = row.to_dict().values()
            for found, expected in zip(record.values(), values, strict=True):
                # Croissant has no codes for missing values: it gives them as they stand.
                missing = expected is None and found in range(-9, 0)
                assert missing or plain(found) == plain(expected)


def plain(value):
    """A cell as both readers have it: that of Croissant reads texts of digits as numbers."""
    value = value.decode() if isinstance(value, bytes) else value
    if isinstance(value, str):
        return value.lstrip("0") if value.isdigit() else value
    return None if value is None or value != value else float(value)


# --- RO-Crate -----------------------------------------------------------------------------------

CONTEXT = "ro-crate-1.1.context.json"


def terms_of(document):
    """Every key and type of a document."""
    for entity in document["@graph"]:
        yield from (key for key in entity if not key.startswith("@"))
        yield entity["@type"]


# Whose survey it is and who publishes it, no file says: accounts have no names for readers.
UNKNOWN = ("ro-crate-1.1_22.2: ", "ro-crate-1.1_22.3: ")


class Answer:
    """What the address of the context would answer: the published one."""

    status_code = 200
    headers = {"Content-Type": "application/ld+json"}
    text = SCHEMAS.joinpath(CONTEXT).read_text(encoding="utf-8")

    def json(self):
        return json.loads(self.text)


def test_every_term_of_the_manifest_has_a_meaning(bundle):
    """A validator passes over a key that no context has."""
    published = json.loads(Answer.text)["@context"]
    manifest = read_json(bundle[0], crate.PATH)
    address, own = manifest["@context"]
    assert address == f"{crate.VERSION}/context"
    assert not own.keys() & published.keys()
    assert set(terms_of(manifest)) <= own.keys() | published.keys()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_manifest_is_a_valid_crate(bundle, monkeypatch, tmp_path):
    from rocrate_validator import models, services
    from rocrate_validator.utils.http import HttpRequester

    folder, _ = bundle
    monkeypatch.setattr(HttpRequester, "get", lambda *_, **__: Answer(), raising=False)
    settings = services.ValidationSettings(
        rocrate_uri=str(folder),
        profile_identifier="ro-crate-1.1",
        requirement_severity=models.Severity.RECOMMENDED,
        offline=True,
        cache_path=tmp_path / "cache",
    )
    result = services.validate(settings)
    issues = [f"{each.check.identifier}: {each.message}" for each in result.get_issues()]
    assert [issue for issue in issues if not issue.startswith(UNKNOWN)] == []
    files = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    graph = {entity["@id"] for entity in read_json(folder, crate.PATH)["@graph"]}
    assert files - {"SHA256SUMS"} <= graph


# --- DDI ----------------------------------------------------------------------------------------


def codebook(folder):
    return ET.parse(folder / ddi.PATH).getroot()


def texts(element, name):
    return [each.text for each in element.iter(f"{NAMESPACE}{name}")]


def test_the_codebook_keeps_the_schema(bundle):
    assert problems_of(codebook(bundle[0])) == []
    assert codebook_errors(bundle[0].joinpath(ddi.PATH).read_bytes()) == []


def test_lifecycle_is_valid_and_has_every_file(bundle):
    folder, _ = bundle
    content = folder.joinpath(lifecycle.PATH).read_bytes()
    assert lifecycle_errors(content) == []
    document = read_by_ddi_l(folder / lifecycle.PATH)
    assert [finding.message for finding in document.lint()] == []
    root = etree.fromstring(content)
    addresses = [*root.iter("{*}DataFileURI"), *root.iter("{*}ExternalURLReference")]
    named = {each.text for each in addresses}
    described = {each["path"] for each in read_json(folder, datapackage.PATH)["resources"]}
    assert described - {lifecycle.PATH, ddi.PATH} <= named | {croissant.PATH, datapackage.PATH}
    sums = dict(
        line.split("  ")[::-1] for line in folder.joinpath("SHA256SUMS").read_text().splitlines()
    )
    for instance in root.iter("{*}PhysicalInstance"):
        path = instance.findtext("{*}DataFileIdentification/{*}DataFileURI")
        assert instance.findtext("{*}DataFingerprint/{*}DigitalFingerprintValue") == sums[path]


def test_what_breaks_the_schema_is_noticed(bundle):
    root = codebook(bundle[0])
    variable = root.find(f"{NAMESPACE}dataDscr/{NAMESPACE}var")
    variable.set("files", "F99")
    variable.insert(0, variable[-1])
    del root.find(f"{NAMESPACE}stdyDscr/{NAMESPACE}citation")[0]
    said = " ".join(problems_of(root))
    assert all(part in said for part in ("no file F99", "var: ", "citation: "))


def test_the_codebook_has_questions_codes_and_exact_chances(bundle):
    folder, launch = bundle
    root, described = codebook(folder), read_json(folder, "data/reports.codebook.json")
    # The columns of the reports come first.
    variables = {each.get("name"): each for each in [*root.iter(f"{NAMESPACE}var")][::-1]}
    for column in described["columns"]:
        own = variables[column["name"]]
        codes = dict(zip(texts(own, "catValu"), own.iter(f"{NAMESPACE}catgry"), strict=True))
        for value in (*column.get("values", ()), *column.get("missing", ())):
            code = None if value["code"] is None else str(value["code"])
            assert value["label"] in texts(codes[code], "labl")
        missing = [each for each in codes.values() if each.get("missing") == "Y"]
        assert len(missing) == len(column.get("missing", ()))
    asked = {text for own in variables.values() for text in texts(own, "qstnLit")}
    if launch.parameters.linkage == "together" or launch.parameters.mode != "open":
        assert any(question.text in asked for question in launch.parameters.questions)
    for device in exported_devices(launch.parameters):
        if device.id in variables and hasattr(device.table, "columns"):
            said = " ".join(texts(variables[device.id], "drvdesc"))
            chances = {Fraction(text) for text in re.findall(r"\d+/\d+", said)}
            entries = {entry for column in columns_of(device.table) for entry in column}
            assert {Fraction(entry, device.table.denominator) for entry in entries} <= chances


def test_the_codebook_has_every_language():
    launch: Launch = FEATURES["demo of a questionnaire"]()[-1]
    root = ET.fromstring(opened(bundle_of(launch)).read(ddi.PATH))
    languages = {launch.parameters.language, *launch.translations}
    for name in ("qstnLit", "labl"):
        found = {each.get(LANGUAGE) for each in root.iter(f"{NAMESPACE}{name}")}
        assert found - {None} >= languages - (
            {launch.parameters.language} if name == "labl" else set()
        )


HOSTILE = '<&"\x0b]]>\ud7ff'


def test_an_authors_signs_break_no_description(tmp_path):
    """Signs of markup, and one that no XML may have, are texts."""
    questions = [{**each, "text": f"{each.get('text', 'Ever?')} {HOSTILE}"} for each in QUESTIONS]
    launch = released(varied(40), questions=questions, linkage="together", title=f"A {HOSTILE}")
    folder = unpacked(bundle_of(launch), tmp_path)
    root = codebook(folder)
    assert problems_of(root) == []
    assert f"A {HOSTILE}".replace("\x0b", " ") in texts(root, "titl")
    table = DataFile(path="data/x.csv", label=HOSTILE, size=0, sha256="", columns=(), rows=0)
    written = ddi.codebook(study_of(release_of(launch)), [table], [], "1")
    said = HOSTILE.replace("\x0b", "\N{REPLACEMENT CHARACTER}")
    assert said in texts(ET.fromstring(written), "fileCont")
    assert frictionless.Package(str(folder / datapackage.PATH)).validate().valid


@pytest.mark.parametrize(
    ("licence", "address"),
    [("CC-BY-4.0", "https://creativecommons.org/licenses/by/4.0/"), ("", "")],
)
def test_the_licence_stands_in_every_description(tmp_path, licence, address):
    launch = released(
        varied(40), questions=QUESTIONS, features={"data_licence": {"licence": licence}}
    )
    folder = unpacked(bundle_of(launch), tmp_path)
    package = read_json(folder, datapackage.PATH)
    manifest = {each["@id"]: each for each in read_json(folder, crate.PATH)["@graph"]}
    (conditions,) = texts(codebook(folder), "conditions")
    if licence:
        assert package["licenses"][0]["name"] == licence
        assert read_json(folder, croissant.PATH)["license"] == address
        assert manifest["./"]["license"] == {"@id": address}
        assert licence in folder.joinpath("LICENCE.txt").read_text(encoding="utf-8")
        assert address in conditions
    else:
        assert "licenses" not in package
        assert "ask" in manifest["#no-licence"]["description"]
        assert not folder.joinpath("LICENCE.txt").exists()
        assert "ask" in conditions
