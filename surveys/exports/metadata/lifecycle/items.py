"""Elements of DDI Lifecycle: identified ones, references to them, and texts by language."""

import uuid
from collections.abc import Mapping
from xml.etree import ElementTree as ET

from surveys.exports.metadata.study import PROGRAM, Study
from surveys.exports.metadata.xml import LANGUAGE, clean
from surveys.exports.table import Column, Value

# By the prefixes by which `tag_of` knows them.
NAMESPACES = {
    "ddi": "ddi:instance:3_3",
    "c": "ddi:conceptualcomponent:3_3",
    "d": "ddi:datacollection:3_3",
    "l": "ddi:logicalproduct:3_3",
    "p": "ddi:physicaldataproduct:3_3",
    "pi": "ddi:physicalinstance:3_3",
    "r": "ddi:reusable:3_3",
    "s": "ddi:studyunit:3_3",
}
# Who identifies the items: no agency that is registered, since a site has none of its own.
AGENCY = PROGRAM.lower()


def tag_of(name: str) -> str:
    """The tag of a name such as `r:Label`."""
    prefix, _colon, local = name.partition(":")
    return f"{{{NAMESPACES[prefix]}}}{local}"


def add(parent: ET.Element, name: str, text: str = "", /, **attributes: str) -> ET.Element:
    element = ET.SubElement(parent, tag_of(name), {k: clean(v) for k, v in attributes.items()})
    if text:
        element.text = clean(text)
    return element


class Items:
    """What identifies the items of a study.

    An id follows from the digest of the parameters and from what the item is, so that it is the
    same in every release; the version has the number of responses, with which a release changes.
    """

    def __init__(self, study: Study) -> None:
        self.study = study
        self._version = f"{study.version}.{study.wave}.{study.responses}"

    def item(self, parent: ET.Element, name: str, of: str = "", /, **attributes: str) -> ET.Element:
        """Add an item; `of`: what no other of its kind is about."""
        element = add(parent, name, **attributes)
        self.identify(element, name.partition(":")[2], of)
        return element

    def identifier(self, kind: str, of: str = "") -> str:
        return str(uuid.uuid5(uuid.NAMESPACE_URL, f"{self.study.digest} {kind} {of}"))

    def identify(self, element: ET.Element, kind: str, of: str = "") -> None:
        add(element, "r:Agency", AGENCY)
        add(element, "r:ID", self.identifier(kind, of))
        add(element, "r:Version", self._version)

    def refer(self, parent: ET.Element, name: str, kind: str, of: str = "") -> ET.Element:
        """Add a reference to an item of this kind."""
        reference = add(parent, name)
        self.identify(reference, kind, of)
        add(reference, "r:TypeOfObject", kind)
        return reference

    def own(self, text: str) -> Mapping[str, str]:
        """A text of the site's own, in the language of the study's files."""
        return {self.study.texts_in: text}

    def labels(self, described: Column | Value) -> Mapping[str, str]:
        """What a column or a code is, by language."""
        return {self.study.language: described.label, **described.labels}


def add_each(parent: ET.Element, name: str, texts: Mapping[str, str], child: str) -> None:
    """Add an element with a child for each language in which there is a text; none without one."""
    known = {language: text for language, text in texts.items() if text}
    element = add(parent, name) if known else parent
    for language, text in known.items():
        add(element, child, text).set(LANGUAGE, language)


def add_label(parent: ET.Element, texts: Mapping[str, str], name: str = "r:Label") -> None:
    """Add a label, or what else has its form, such as a description."""
    add_each(parent, name, texts, "r:Content")


def add_name(parent: ET.Element, name: str, texts: Mapping[str, str]) -> None:
    """Add a name or a title."""
    add_each(parent, name, texts, "r:String")
