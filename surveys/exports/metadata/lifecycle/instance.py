"""DDI Lifecycle 3.3: the whole document (https://ddialliance.org/ddi-lifecycle).

What was asked is in its data collection, with the answers that people had; how each report was made
of an answer in its processing instructions, with the exact integers of the devices. Its logical
product has a variable for each column of each table, and its physical instances have the files.
"""

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from django.utils import translation
from django.utils.translation import gettext as _

from surveys.exports.metadata import words
from surveys.exports.metadata.lifecycle.collection import add_collection
from surveys.exports.metadata.lifecycle.files import add_layouts, add_physical_instances
from surveys.exports.metadata.lifecycle.items import (
    NAMESPACES,
    Items,
    add,
    add_label,
    add_name,
    tag_of,
)
from surveys.exports.metadata.lifecycle.variables import add_logical_product, records_of
from surveys.exports.metadata.study import PROGRAM, DataFile, File, Study
from surveys.exports.metadata.xml import INSTANCE, LANGUAGE, document_of

PATH = "ddi-lifecycle.xml"
SCHEMA = "https://ddialliance.org/Specification/DDI-Lifecycle/3.3/XMLSchema/instance.xsd"


def lifecycle(
    study: Study, tables: Sequence[DataFile], others: Sequence[File], version: str
) -> bytes:
    """Return the document in UTF-8; `version`: that of the program."""
    items = Items(study)
    schema = {f"{{{INSTANCE}}}schemaLocation": f"{NAMESPACES['ddi']} {SCHEMA}"}
    root = ET.Element(tag_of("ddi:DDIInstance"), {LANGUAGE: study.texts_in, **schema})
    with translation.override(study.texts_in):
        items.identify(root, "DDIInstance")
        _software(root, version)
        _citation(root, items)
        _study(root, items, tables, others)
    return document_of(root, NAMESPACES)


def _software(root: ET.Element, version: str) -> None:
    software = add(root, "r:Software")
    add_name(software, "r:SoftwareName", {"en": PROGRAM})
    add(software, "r:SoftwareVersion", version)


def _citation(parent: ET.Element, items: Items) -> None:
    study = items.study
    citation = add(parent, "r:Citation")
    add_name(citation, "r:Title", study.titles)
    if study.contact:
        contributor = add(citation, "r:Contributor")
        add_name(contributor, "r:ContributorName", {study.language: study.contact})
        add(contributor, "r:ContributorRole", _("Contact"))
    published = add(citation, "r:PublicationDate")
    add(published, "r:SimpleDate", study.released_at.date().isoformat())
    for language in study.titles:
        add(citation, "r:Language", language)
    identifier = add(citation, "r:InternationalIdentifier")
    add(identifier, "r:IdentifierContent", study.digest)
    add(identifier, "r:ManagingAgency", PROGRAM)
    add_name(citation, "r:Copyright", items.own(words.terms(study)))


def _study(
    root: ET.Element, items: Items, tables: Sequence[DataFile], others: Sequence[File]
) -> None:
    study = items.study
    unit = items.item(root, "s:StudyUnit")
    _citation(unit, items)
    add_label(unit, study.introductions, "r:Abstract")
    items.refer(unit, "r:UniverseReference", "Universe")
    _coverage(unit, items)
    add(unit, "r:AnalysisUnit", words.unit())
    add(unit, "r:KindOfData", words.kind_of_data())
    _other_files(unit, items, others)
    _concepts(unit, items)
    records = records_of(study, tables)
    add_collection(unit, items)
    add_logical_product(unit, items, records)
    add_layouts(unit, items, records)
    add_physical_instances(unit, items, records)


def _coverage(unit: ET.Element, items: Items) -> None:
    """From the launch on."""
    temporal = items.item(add(unit, "r:Coverage"), "r:TemporalCoverage")
    date = add(temporal, "r:ReferenceDate")
    add(date, "r:StartDate", items.study.launched_at.date().isoformat())


def _concepts(unit: ET.Element, items: Items) -> None:
    component = items.item(unit, "c:ConceptualComponent")
    add_label(component, items.own(_("Whom the survey is about")))
    scheme = items.item(component, "c:UniverseScheme")
    add_label(scheme, items.own(_("Whom the survey is about")))
    universe = items.item(scheme, "c:Universe")
    add_label(universe, items.own(words.universe(items.study)))


def _other_files(unit: ET.Element, items: Items, others: Sequence[File]) -> None:
    if not others:
        return
    scheme = items.item(unit, "r:OtherMaterialScheme")
    add_label(scheme, items.own(_("Other files")))
    for file in others:
        material = items.item(scheme, "r:OtherMaterial", file.path)
        add_label(material, items.own(file.label), "r:Description")
        add(material, "r:ExternalURLReference", file.path)
        add(material, "r:MIMEType", file.media_type)
        add(material, "r:SizeInBytes", str(file.size))
