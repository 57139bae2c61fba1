"""Apache Parquet: typed columns in groups of rows, with labels and codes in the metadata.

Each field has our description of its column under `label`, `values` and `missing`; the whole
codebook is `candor` of the file. pandas, polars, DuckDB and R's arrow read it as it is.
"""

import json
from typing import IO, TYPE_CHECKING

from surveys.exports.formats.codebook import described, described_column
from surveys.exports.formats.spool import Writing, arrow_type
from surveys.exports.table import Column, Format, Table

if TYPE_CHECKING:
    import pyarrow as pa


def write(table: Table, file: IO[bytes]) -> None:
    import pyarrow as pa

    codebook = json.dumps(described(table), ensure_ascii=False)
    schema = pa.schema([_field(column) for column in table.columns], {"candor": codebook})
    Writing(table.columns, schema, file).write(table.rows)


def _field(column: Column) -> "pa.Field":
    import pyarrow as pa

    told = {
        name: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for name, value in described_column(column).items()
        if name not in ("name", "type")
    }
    return pa.field(column.name, arrow_type(column), metadata=told)


FORMAT = Format("parquet", "application/vnd.apache.parquet", write)
