"""Physical data products and instances: how files are laid out, and what is in them."""

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from django.utils.translation import gettext as _

from surveys.exports.metadata.lifecycle.answers import codes_of
from surveys.exports.metadata.lifecycle.items import Items, add, add_label, add_name
from surveys.exports.metadata.lifecycle.variables import Record
from surveys.exports.metadata.study import DataFile, Variable


def add_layouts(unit: ET.Element, items: Items, records: Sequence[Record]) -> None:
    """One layout for each file: commas, and the names of the columns in the first line."""
    found = [record for record in records if record.file]
    if not found:
        return
    product = items.item(unit, "p:PhysicalDataProduct")
    add_label(product, items.own(_("Layout of the files")))
    structures = items.item(product, "p:PhysicalStructureScheme")
    add_label(structures, items.own(_("Comma-separated, names in the first line")))
    for record in found:
        structure = items.item(structures, "p:PhysicalStructure", record.name)
        add_label(structure, items.own(record.label))
        add(structure, "p:FileFormat", "text/csv")
        add(structure, "r:DefaultDelimiter", "comma")
        add(structure, "r:DefaultDecimalSeparator", ".")
        rows = items.item(structure, "p:GrossRecordStructure", record.name)
        items.refer(rows, "p:LogicalRecordReference", "LogicalRecord", record.name)
        items.item(rows, "p:PhysicalRecordSegment", record.name)
    layouts = items.item(product, "p:RecordLayoutScheme")
    add_label(layouts, items.own(_("Layout of the files")))
    for record in found:
        _layout(layouts, items, record)


def _layout(layouts: ET.Element, items: Items, record: Record) -> None:
    """The columns by their place, from 1."""
    layout = items.item(
        layouts,
        "p:RecordLayout",
        record.name,
        namesOnFirstRow="true",
        textQualifier="doubleQuote",
    )
    named = ("p:PhysicalStructureLinkReference", "PhysicalStructure", record.name)
    segment = items.identifier("PhysicalRecordSegment", record.name)
    add(items.refer(layout, *named), "p:PhysicalRecordSegmentUsed", segment)
    add(layout, "r:CharacterSet", "UTF-8")
    add(layout, "r:ArrayBase", "1")
    for place, variable in enumerate(record.variables, start=1):
        cell = add(layout, "p:DataItem")
        items.refer(cell, "r:VariableReference", "Variable", record.key(variable))
        add(add(cell, "p:PhysicalLocation"), "p:ArrayPosition", str(place))


def add_physical_instances(unit: ET.Element, items: Items, records: Sequence[Record]) -> None:
    for record in records:
        counted = [variable for variable in record.variables if variable.counts]
        if record.file or counted:
            instance = items.item(unit, "pi:PhysicalInstance", record.name)
            _file(instance, items, record, record.file)
            _statistics(instance, items, record, counted)


def _file(instance: ET.Element, items: Items, record: Record, file: DataFile | None) -> None:
    add_name(add(instance, "r:Citation"), "r:Title", items.own(record.label))
    if file:
        fingerprint = add(instance, "pi:DataFingerprint", type="dataFile")
        add(fingerprint, "pi:DigitalFingerprintValue", file.sha256)
        add(fingerprint, "pi:AlgorithmSpecification", "SHA-256")
    items.refer(instance, "r:DataRelationshipReference", "DataRelationship")
    if file:
        items.refer(instance, "r:RecordLayoutReference", "RecordLayout", record.name)
        identified = add(instance, "pi:DataFileIdentification")
        add(identified, "pi:DataFileURI", file.path)
        add(identified, "r:SizeInBytes", str(file.size))
        size = items.item(instance, "pi:GrossFileStructure", record.name)
        add(size, "pi:CaseQuantity", str(file.rows))


def _statistics(
    instance: ET.Element, items: Items, record: Record, counted: Sequence[Variable]
) -> None:
    """How often each code came in, which is no share of answers."""
    if not counted:
        return
    summary = add(instance, "pi:StatisticalSummary")
    for variable in counted:
        key = record.key(variable)
        statistics = items.item(summary, "pi:VariableStatistics", key)
        items.refer(statistics, "r:VariableReference", "Variable", key)
        add(statistics, "pi:TotalResponses", str(sum(variable.counts)))
        categories = add(statistics, "pi:UnfilteredCategoryStatistics")
        codes = codes_of(variable.column, key, items)
        meanings = codes.meanings if codes else ()
        for meaning, count in zip(meanings, variable.counts, strict=True):
            category = add(categories, "pi:VariableCategory")
            add(add(category, "pi:CategoryValue"), "r:Value", meaning.code)
            statistic = add(category, "pi:CategoryStatistic")
            add(statistic, "pi:TypeOfCategoryStatistic", "Frequency")
            add(statistic, "pi:Statistic", str(count))
