"""DDI Codebook 2.5: what archives of survey data read (https://ddialliance.org/ddi-codebook_v2.5).

Each column of the reports is a variable with its question, categories and reasons for missing
values; how its reports are made stands in its derivation: in words, and as the exact integers of
the frozen parameters. The columns of the other tables follow.
"""

from collections.abc import Mapping, Sequence
from itertools import count
from xml.etree import ElementTree as ET

from django.utils import translation
from django.utils.translation import gettext as _

from surveys.exports.metadata import words
from surveys.exports.metadata.study import PROGRAM, DataFile, File, Study, Variable
from surveys.exports.metadata.xml import INSTANCE, LANGUAGE, clean, document_of
from surveys.exports.table import Column, Type, Value
from surveys.exports.tables import reports

PATH = "ddi-codebook.xml"
NAMESPACE = "ddi:codebook:2_5"
SCHEMA = "https://ddialliance.org/Specification/DDI-Codebook/2.5/XMLSchema/codebook.xsd"
FORMATS = {Type.INTEGER: "numeric", Type.NUMBER: "numeric", Type.TEXT: "character"}


def codebook(
    study: Study, tables: Sequence[DataFile], others: Sequence[File], version: str
) -> bytes:
    """Return the document in UTF-8; `version`: that of the program."""
    schema = {f"{{{INSTANCE}}}schemaLocation": f"{NAMESPACE} {SCHEMA}"}
    root = ET.Element(_tag("codeBook"), {"version": "2.5", LANGUAGE: study.texts_in, **schema})
    with translation.override(study.texts_in):
        _document(root, study, version)
        _study(root, study)
        files = {table.name: f"F{number}" for number, table in enumerate(tables, start=1)}
        for table in tables:
            _file(root, table, files[table.name])
        _variables(_add(root, "dataDscr"), study, tables, files)
        for file in others:
            _other(root, file)
    return document_of(root, {"": NAMESPACE})


def _tag(name: str) -> str:
    return f"{{{NAMESPACE}}}{name}"


def _add(parent: ET.Element, name: str, text: str = "", /, **attributes: str) -> ET.Element:
    element = ET.SubElement(parent, _tag(name), {k: clean(v) for k, v in attributes.items()})
    if text:
        element.text = clean(text)
    return element


def _add_each(parent: ET.Element, name: str, texts: Mapping[str, str]) -> None:
    """Add an element for each language in which there is a text."""
    for language, text in texts.items():
        if text:
            _add(parent, name, text).set(LANGUAGE, language)


# --- the study ----------------------------------------------------------------------------------


def _document(root: ET.Element, study: Study, version: str) -> None:
    citation = _add(_add(root, "docDscr"), "citation")
    _titles(citation, study)
    made = _add(citation, "prodStmt")
    day = study.released_at.date().isoformat()
    _add(made, "prodDate", day, date=day)
    _add(made, "software", PROGRAM, version=version)


def _titles(citation: ET.Element, study: Study) -> None:
    own, *others = study.titles.items()
    titles = _add(citation, "titlStmt")
    _add_each(titles, "titl", dict([own]))
    _add_each(titles, "parTitl", dict(others))
    _add(titles, "IDNo", study.digest, agency=PROGRAM)


def _study(root: ET.Element, study: Study) -> None:
    described = _add(root, "stdyDscr")
    citation = _add(described, "citation")
    _titles(citation, study)
    shared = _add(citation, "distStmt")
    _add(shared, "contact", study.contact)
    day = study.released_at.date().isoformat()
    _add(shared, "distDate", day, date=day)
    _add(_add(citation, "verStmt"), "version", words.version(study), date=day)
    _about(_add(described, "stdyInfo"), study)
    _method(_add(described, "method"), study)
    _add(_add(_add(described, "dataAccs"), "useStmt"), "conditions", words.terms(study))


def _about(info: ET.Element, study: Study) -> None:
    _add_each(info, "abstract", study.introductions)
    summary = _add(info, "sumDscr")
    began = study.launched_at.date().isoformat()
    _add(summary, "collDate", began, date=began, event="start")
    _add(summary, "anlyUnit", words.unit())
    _add(summary, "universe", words.universe(study))
    _add(summary, "dataKind", words.kind_of_data())


def _method(method: ET.Element, study: Study) -> None:
    collected = _add(method, "dataColl")
    _add(collected, "timeMeth", words.time_method(study))
    _add(collected, "collMode", words.mode_of_collection())
    _add(method, "notes", words.method(study), type="randomized response")


# --- files and variables ------------------------------------------------------------------------


def _file(root: ET.Element, table: DataFile, identifier: str) -> None:
    text = _add(_add(root, "fileDscr", ID=identifier, URI=table.path), "fileTxt")
    _add(text, "fileName", table.path)
    _add(text, "fileCont", table.label)
    _add(text, "fileStrc", type="rectangular")
    size = _add(text, "dimensns")
    _add(size, "caseQnty", str(table.rows))
    _add(size, "varQnty", str(len(table.columns)))
    _add(text, "fileType", table.media_type, charset="UTF-8")
    _add(text, "format", _("Comma-separated, names in the first line"))


def _other(root: ET.Element, file: File) -> None:
    other = _add(root, "otherMat", level="study", URI=file.path)
    _add(other, "labl", file.label)


def _variables(
    data: ET.Element, study: Study, tables: Sequence[DataFile], files: Mapping[str, str]
) -> None:
    numbers = count(1)
    for variable in study.variables:
        own = _variable(data, variable.column, f"V{next(numbers)}", files.get(reports.NAME, ""))
        _questions(own, variable)
        _categories(own, variable.column)
        _derivation(own, variable)
        _format(own, variable.column)
    for table in tables:
        # The reports have been described already, also for those who may not have them.
        for column in table.columns if table.name != reports.NAME else ():
            own = _variable(data, column, f"V{next(numbers)}", files[table.name])
            _categories(own, column)
            _format(own, column)


def _variable(data: ET.Element, column: Column, identifier: str, file: str) -> ET.Element:
    attributes = {"ID": identifier, "name": column.name}
    if file:
        attributes["files"] = file
    attributes["intrvl"] = "contin" if column.type is Type.NUMBER else "discrete"
    own = _add(data, "var", **attributes)
    _labels(own, column)
    return own


def _labels(parent: ET.Element, described: Column | Value) -> None:
    _add(parent, "labl", described.label)
    _add_each(parent, "labl", described.labels)


def _questions(own: ET.Element, variable: Variable) -> None:
    if not any(variable.question.values()):
        return
    form = "text" if variable.column.type is Type.TEXT else "category"
    question = _add(own, "qstn", responseDomainType=form)
    _add_each(question, "qstnLit", variable.question)


def _categories(own: ET.Element, column: Column) -> None:
    missing = {value.code for value in column.missing}
    for value in (*(each for each in column.values if each.code not in missing), *column.missing):
        category = _add(own, "catgry", missing="Y" if value.code in missing else "N")
        _add(category, "catValu", "" if value.code is None else str(value.code))
        _labels(category, value)


def _format(own: ET.Element, column: Column) -> None:
    _add(own, "varFormat", type=FORMATS[column.type], schema="other", otherSchema="CSV")


def _derivation(own: ET.Element, variable: Variable) -> None:
    """How each report comes from an answer, of each device that people may have used."""
    if not variable.made_by:
        return
    derivation = _add(own, "derivation")
    for device in variable.made_by:
        _add(derivation, "drvdesc", words.of_device(device))
    for device in variable.made_by:
        table = words.facts(device)
        _add(derivation, "drvcmd", table, syntax=words.SYNTAX)
