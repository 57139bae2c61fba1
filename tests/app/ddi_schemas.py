"""The published schemas of DDI, what of a document they do not allow, and a reader of Lifecycle.

That of Lifecycle 3.3 comes with ddi-l. Of Codebook the one that a package has is 2.6
(tests/package/schemas/SOURCES.md), which has a name of its own and allows what 2.5 allowed: a
document of 2.5 has to be valid by it under that name. What 2.6 allows and 2.5 does not,
`tests.app.ddi_codebook` refuses.
"""

import io
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from lxml import etree

LIFECYCLE = Path(find_spec("ddi_l").origin).parent / "schemas" / "ddi" / "v3_3"
CODEBOOK = Path(__file__).resolve().parents[1] / "package" / "schemas" / "ddi-codebook-2.6.xsd"


def read_by_ddi_l(path: Path) -> Any:
    """A document of Lifecycle, read by the package: two seconds to import, for whoever needs it."""
    import ddi_l

    return ddi_l.open_ddi(path)


@cache
def lifecycle_schema():
    return etree.XMLSchema(etree.parse(LIFECYCLE / "instance_3_3.xsd"))


@cache
def codebook_schema():
    """It imports three schemas that it shares with Lifecycle, and which lie there."""
    place = str(LIFECYCLE / CODEBOOK.name)
    return etree.XMLSchema(etree.parse(io.BytesIO(CODEBOOK.read_bytes()), base_url=place))


def lifecycle_errors(content):
    """Return what is wrong with the bytes of a document; nothing of a valid one."""
    return _errors(lifecycle_schema(), content)


def codebook_errors(content):
    """The same of a document of Codebook 2.5."""
    text = content.decode().replace('"ddi:codebook:2_5"', '"ddi:codebook:2_6"')
    return _errors(codebook_schema(), text.replace('version="2.5"', 'version="2.6"', 1).encode())


def _errors(schema, content):
    schema.validate(etree.fromstring(content))
    return [f"{error.line}: {error.message}" for error in schema.error_log]
