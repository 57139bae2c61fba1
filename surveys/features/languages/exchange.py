"""The texts of a language as files for translators, and back: XLIFF 2.0, and CSV.

XLIFF: https://docs.oasis-open.org/xliff/xliff-core/v2.0/xliff-core-v2.0.html. Each text is one
unit, whose id is its path, with one segment. What is read is taken as a whole or not at all.
"""

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from xml.etree import ElementTree
from xml.parsers import expat

from django.utils.translation import gettext as _

from surveys import numbers, spreadsheets
from surveys.authoring.reading.typed_tables import (
    UnreadTableError,
    decoded_table,
    first_of,
    layout_of,
    shown,
    surplus,
)
from surveys.features.languages.reading import Row, State, as_typed
from surveys.features.languages.settings import Translated

NAMESPACE: Final = "urn:oasis:names:tc:xliff:document:2.0"
# Larger than any survey with its source and one translation.
MOST_BYTES: Final = 4_000_000
COLUMNS: Final = ("unit", "source", "translation", "state")
# What XLIFF calls the states of a segment.
_SEGMENT_STATES = {State.MISSING: "initial", State.STALE: "initial"}


@dataclass(frozen=True, slots=True)
class File:
    """A format of the files: its ending, its media type, what writes and what reads it."""

    ending: str
    media_type: str
    write: Callable[[Sequence[Row], str, str], bytes]
    read: Callable[[bytes, Sequence[Row], str, str], dict[str, Translated]]


def write_csv(rows: Sequence[Row], _source: str, _language: str) -> bytes:
    """Return a file for spreadsheets: with a byte order mark, and no cell that they compute."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for row in rows:
        cells = (row.path, row.source, row.text, str(row.state))
        writer.writerow([spreadsheets.guarded(cell) for cell in cells])
    return text.getvalue().encode("utf-8-sig")


def read_csv(
    data: bytes, rows: Sequence[Row], _source: str, _language: str
) -> dict[str, Translated]:
    """Return the texts of a file by their paths; raises UnreadTableError."""
    layout = layout_of(decoded_table(data, most_bytes=MOST_BYTES))
    reader = csv.reader(io.StringIO(layout.text, newline=""), delimiter=layout.delimiter)
    units = _Units(rows)
    header: list[str] = []
    try:
        for cells in reader:
            line = layout.before + reader.line_num
            if not any(map(str.strip, cells)):
                continue
            if not header:
                header = [cell.strip().lower() for cell in cells]
                _check_header(header)
            elif len(cells) > len(header):
                units.problems.append(surplus(line, len(cells), len(header)))
            else:
                named = dict(zip(header, map(spreadsheets.unguarded, cells), strict=False))
                source, text = named.get("source", ""), named.get("translation", "")
                units.take(line, named.get("unit", "").strip(), source, text)
    except csv.Error as error:
        line = layout.before + reader.line_num
        message = _("Line %(line)s cannot be read as CSV: %(rule)s.")
        raise UnreadTableError([message % {"line": line, "rule": error}]) from None
    if not header:
        raise UnreadTableError([_("The file is empty.")])
    return units.texts()


def _check_header(header: Sequence[str]) -> None:
    missing = [name for name in COLUMNS[:3] if name not in header]
    if missing:
        message = _("The first row has no column “%s”. Keep the first row of the file.")
        raise UnreadTableError([message % name for name in missing])


def write_xliff(rows: Sequence[Row], source: str, language: str) -> bytes:
    """Return a file for translators and their programs."""
    ElementTree.register_namespace("", NAMESPACE)
    root = _element(None, "xliff", version="2.0", srcLang=source, trgLang=language)
    file = _element(root, "file", id="survey")
    for row in rows:
        unit = _element(file, "unit", id=row.path, canResegment="no")
        unit.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
        state = _SEGMENT_STATES.get(row.state, "translated")
        segment = _element(unit, "segment", state=state)
        _element(segment, "source").text = row.source
        if row.text:
            _element(segment, "target").text = row.text
    ElementTree.indent(root)
    written: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return written + b"\n"


def _element(parent: ElementTree.Element | None, name: str, **keys: str) -> ElementTree.Element:
    tag = f"{{{NAMESPACE}}}{name}"
    if parent is None:
        return ElementTree.Element(tag, keys)
    return ElementTree.SubElement(parent, tag, keys)


def read_xliff(
    data: bytes, rows: Sequence[Row], source: str, language: str
) -> dict[str, Translated]:
    """Return the texts of a file by their paths; raises UnreadTableError."""
    if len(data) > MOST_BYTES:
        message = _("The file has more than %s bytes.") % numbers.count(MOST_BYTES)
        raise UnreadTableError([message])
    return _Xliff(_Units(rows), source, language).read(data)


def read_pairs(pairs: Sequence[tuple[str, str, str]], rows: Sequence[Row]) -> dict[str, Translated]:
    """Return texts by their paths, given paths, sources and texts; raises UnreadTableError."""
    units = _Units(rows)
    for number, (path, source, text) in enumerate(pairs, 1):
        units.take(number, path, source, text)
    return units.texts()


@dataclass(slots=True)
class _Units:
    """The texts of a file as they are read, and what is wrong with it."""

    rows: Sequence[Row]
    found: dict[str, Translated] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def take(self, line: int, unit: str, source: str, text: str) -> None:
        known: Mapping[str, Row] = {row.path: row for row in self.rows}
        if unit in self.found:
            self.say(line, unit, _("the unit stands in the file twice"))
        elif unit not in known:
            self.say(line, unit, _("the survey has no such text"))
        else:
            row = known[unit]
            # Translated from another text than there is now: it stays marked as stale.
            was = row.source if as_typed(unit, source) == row.source else as_typed(unit, source)
            self.found[unit] = Translated(as_typed(unit, text), was)

    def say(self, line: int, unit: str, rule: str) -> None:
        message = _("Line %(line)s, unit “%(unit)s”: %(rule)s.")
        values = {"line": numbers.count(line), "unit": shown(unit), "rule": rule}
        self.problems.append(message % values)

    def texts(self) -> dict[str, Translated]:
        if self.problems:
            raise UnreadTableError(first_of(self.problems))
        # What is left empty was not translated yet, which takes nothing away.
        return {path: each for path, each in self.found.items() if each.text}


class _Xliff:
    """Reads one file. Nothing outside of it is loaded, and no entity is defined in it."""

    def __init__(self, units: _Units, source: str, language: str) -> None:
        self.units, self.languages = units, {"srcLang": source, "trgLang": language}
        self.path: list[str] = []
        self.unit, self.line = "", 0
        self.texts: dict[str, str] = {}
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.StartDoctypeDeclHandler = self._refuse_doctype

    def read(self, data: bytes) -> dict[str, Translated]:
        try:
            self.parser.Parse(data, True)
        except expat.ExpatError as error:
            message = _("Line %(line)s: this is no well-formed XML (%(rule)s).")
            rule = expat.errors.messages.get(error.code, "")
            raise UnreadTableError([message % {"line": error.lineno, "rule": rule}]) from None
        return self.units.texts()

    def _refuse_doctype(self, *_declared: object) -> None:
        line = numbers.count(self.parser.CurrentLineNumber)
        message = _("Line %s: an XLIFF file has no document type declaration.")
        raise UnreadTableError([message % line])

    def _start(self, tag: str, keys: dict[str, str]) -> None:
        line = self.parser.CurrentLineNumber
        namespace, _space, name = tag.rpartition(" ")
        if not self.path:
            self._check_root(line, namespace, name, keys)
        if namespace != NAMESPACE:
            # Notes and marks of programs.
            name = f"other {name}"
        elif name == "unit":
            self.unit, self.line, self.texts = keys.get("id", ""), line, {}
        elif self.path and self.path[-1] in ("source", "target"):
            self.units.say(line, self.unit, _("a text has no markup inside (<%s>)") % name)
        self.path.append(name)

    def _check_root(self, line: int, namespace: str, name: str, keys: dict[str, str]) -> None:
        if (namespace, name) != (NAMESPACE, "xliff") or keys.get("version") != "2.0":
            message = _("Line %s: this is no XLIFF file of version 2.0.")
            raise UnreadTableError([message % numbers.count(line)])
        for key, expected in self.languages.items():
            if keys.get(key, "").lower() != expected.lower():
                message = _(
                    "Line %(line)s: “%(key)s” is “%(value)s”, and has to be “%(expected)s”."
                )
                values = {"key": key, "value": shown(keys.get(key, "")), "expected": expected}
                raise UnreadTableError([message % {"line": numbers.count(line), **values}])

    def _text(self, text: str) -> None:
        if self.path[-1] in ("source", "target") and "segment" in self.path[-2:-1]:
            self.texts[self.path[-1]] = self.texts.get(self.path[-1], "") + text

    def _end(self, _tag: str) -> None:
        if self.path.pop() == "unit":
            source, target = (self.texts.get(name, "") for name in ("source", "target"))
            self.units.take(self.line, self.unit, source, target)


FILES: Final = {
    file.ending: file
    for file in (
        File("xlf", "application/xliff+xml", write_xliff, read_xliff),
        File("csv", "text/csv; charset=utf-8", write_csv, read_csv),
    )
}
