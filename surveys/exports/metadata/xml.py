"""XML of descriptions: texts that a document may have, and the same bytes for the same elements."""

import re
from collections.abc import Mapping
from io import BytesIO
from xml.etree import ElementTree as ET

INSTANCE = "http://www.w3.org/2001/XMLSchema-instance"
LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
# Signs that no document of XML 1.0 can have, whatever their form.
IMPOSSIBLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def clean(text: str) -> str:
    return IMPOSSIBLE.sub("\N{REPLACEMENT CHARACTER}", text)


def document_of(root: ET.Element, namespaces: Mapping[str, str]) -> bytes:
    """Return the document in UTF-8; `namespaces`: by their prefixes."""
    for prefix, namespace in {**namespaces, "xsi": INSTANCE}.items():
        ET.register_namespace(prefix, namespace)
    ET.indent(root, space=" ")
    written = BytesIO()
    ET.ElementTree(root).write(written, encoding="utf-8", xml_declaration=True)
    return written.getvalue() + b"\n"
