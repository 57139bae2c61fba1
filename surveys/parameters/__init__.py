"""The frozen parameters of a launch: the one room that knows how the document is written."""

from surveys.parameters.canonical import canonical_json, digest_of_json
from surveys.parameters.document import (
    BOXES,
    CARDS,
    CODES,
    FORMAT,
    PAGE,
    Device,
    Parameters,
    Question,
    Search,
)
from surveys.parameters.reading import (
    ParametersError,
    ServedParameters,
    digest_of,
    from_json,
    read,
    to_json,
)
from surveys.parameters.rules import check, check_device, to_freeze
from surveys.parameters.tables import (
    Bits,
    Dense,
    Product,
    Table,
    Uniform,
    coded,
    columns_of,
    names_of,
    table_of_json,
)

__all__ = [
    "BOXES",
    "CARDS",
    "CODES",
    "FORMAT",
    "PAGE",
    "Bits",
    "Dense",
    "Device",
    "Parameters",
    "ParametersError",
    "Product",
    "Question",
    "Search",
    "ServedParameters",
    "Table",
    "Uniform",
    "canonical_json",
    "check",
    "check_device",
    "coded",
    "columns_of",
    "digest_of",
    "digest_of_json",
    "from_json",
    "names_of",
    "read",
    "table_of_json",
    "to_freeze",
    "to_json",
]
