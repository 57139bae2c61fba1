"""The logical product: records, lists of codes, reasons for missing values, and variables."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from django.utils.translation import gettext as _

from surveys.exports.metadata.lifecycle.answers import (
    CodeList,
    codes_of,
    lists_of_answers,
    reasons_of,
)
from surveys.exports.metadata.lifecycle.items import Items, add, add_label, add_name
from surveys.exports.metadata.study import DataFile, Study, Variable
from surveys.exports.table import Type
from surveys.exports.tables import reports


@dataclass(frozen=True, slots=True)
class Record:
    """A row of a table; `file`: None of reports that the reader may not have."""

    name: str
    label: str
    variables: Sequence[Variable]
    file: DataFile | None

    def key(self, variable: Variable) -> str:
        """What no other variable of the study is called."""
        return f"{self.name} {variable.column.name}"


def records_of(study: Study, tables: Sequence[DataFile]) -> list[Record]:
    """The reports first, which are described to everybody."""
    files = {table.name: table for table in tables}
    own = files.pop(reports.NAME, None)
    label = own.label if own else _("Randomized reports")
    records = [Record(reports.NAME, label, study.variables, own)]
    for name, table in files.items():
        variables = [Variable(column=column, question={}) for column in table.columns]
        records.append(Record(name, table.label, variables, table))
    return records


def add_logical_product(unit: ET.Element, items: Items, records: Sequence[Record]) -> None:
    product = items.item(unit, "l:LogicalProduct")
    add_label(product, items.own(_("Variables")))
    _records(product, items, records)
    missing = [*_reasons(items, records)]
    lists = [*lists_of_answers(items.study), *_codes(items, records)]
    lists += [each for each in missing if each.meanings]
    _categories(product, items, lists)
    _code_lists(product, items, lists)
    _representations(product, items, missing)
    for record in records:
        scheme = items.item(product, "l:VariableScheme", record.name)
        add_label(scheme, items.own(record.label))
        for variable in record.variables:
            _variable(scheme, items, record, variable)


def _records(product: ET.Element, items: Items, records: Sequence[Record]) -> None:
    relationship = items.item(product, "l:DataRelationship")
    add_label(relationship, items.own(_("Tables")))
    for record in records:
        count = str(len(record.variables))
        row = items.item(relationship, "l:LogicalRecord", record.name, variableQuantity=count)
        add_name(row, "l:LogicalRecordName", items.own(record.name))
        add_label(row, items.own(record.label))
        columns = add(row, "l:VariablesInRecord")
        items.refer(columns, "r:VariableSchemeReference", "VariableScheme", record.name)


# --- codes --------------------------------------------------------------------------------------


def _codes(items: Items, records: Sequence[Record]) -> Iterator[CodeList]:
    for record in records:
        for each in record.variables:
            if found := codes_of(each.column, record.key(each), items):
                yield found


def _reasons(items: Items, records: Sequence[Record]) -> Iterator[CodeList]:
    for record in records:
        for each in record.variables:
            if found := reasons_of(each.column, record.key(each), items):
                yield found


def _categories(product: ET.Element, items: Items, lists: Sequence[CodeList]) -> None:
    for each in lists:
        scheme = items.item(product, "l:CategoryScheme", each.of)
        add_label(scheme, each.labels)
        for meaning in each.meanings:
            missing = {"isMissing": "true"} if meaning.is_missing else {}
            key = f"{each.of} {meaning.code}"
            add_label(items.item(scheme, "l:Category", key, **missing), meaning.labels)


def _code_lists(product: ET.Element, items: Items, lists: Sequence[CodeList]) -> None:
    scheme = items.item(product, "l:CodeListScheme")
    add_label(scheme, items.own(_("Codes and what they mean")))
    for each in lists:
        own = items.item(scheme, "l:CodeList", each.of)
        add_label(own, each.labels)
        items.refer(own, "r:CategorySchemeReference", "CategoryScheme", each.of)
        for meaning in each.meanings:
            key = f"{each.of} {meaning.code}"
            code = items.item(own, "l:Code", key)
            items.refer(code, "r:CategoryReference", "Category", key)
            add(code, "r:Value", meaning.code)


def _representations(product: ET.Element, items: Items, missing: Sequence[CodeList]) -> None:
    """Reasons for missing values. The empty cell has no code: its reason is the description."""
    if not missing:
        return
    scheme = items.item(product, "r:ManagedRepresentationScheme")
    add_label(scheme, items.own(_("Why values are missing")))
    for each in missing:
        blank = str(bool(each.empty)).lower()
        own = items.item(
            scheme, "r:ManagedMissingValuesRepresentation", each.of, isBlankMissingValue=blank
        )
        add_label(own, each.labels)
        add_label(own, each.empty, "r:Description")
        if each.meanings:
            codes = add(own, "r:MissingCodeRepresentation")
            items.refer(codes, "r:CodeListReference", "CodeList", each.of)


# --- variables ----------------------------------------------------------------------------------

NUMBERS = {Type.INTEGER: "Integer", Type.NUMBER: "Double"}


def _variable(scheme: ET.Element, items: Items, record: Record, variable: Variable) -> None:
    column, key = variable.column, record.key(variable)
    own = items.item(scheme, "l:Variable", key)
    add_name(own, "l:VariableName", {items.study.language: column.name})
    add_label(own, items.labels(column))
    if variable.asked:
        items.refer(own, "r:QuestionReference", "QuestionItem", variable.asked)
    described = add(own, "l:VariableRepresentation")
    if variable.made_by:
        named = ("r:ProcessingInstructionReference", "GenerationInstruction", column.name)
        items.refer(described, *named)
    if codes := codes_of(column, key, items):
        represented = add(described, "r:CodeRepresentation")
        items.refer(represented, "r:CodeListReference", "CodeList", codes.of)
    elif column.type is Type.TEXT:
        add(described, "r:TextRepresentation")
    else:
        number = add(described, "r:NumericRepresentation")
        add(number, "r:NumericTypeCode", NUMBERS[column.type])
    if reasons := reasons_of(column, key, items):
        kind = "ManagedMissingValuesRepresentation"
        items.refer(described, "l:MissingValuesReference", kind, reasons.of)
