"""The rows of a table in a temporary file by columns, for formats that need all rows before one.

Some say first how long the longest text is, or how many rows there are; some write a column after
the other. Rows are read once, so they wait in a Parquet file, of which parts are in memory only.
"""

import tempfile
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from typing import IO, TYPE_CHECKING, Any

from surveys.exports.table import Column, Row, Table, Type

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow import parquet

# Rows at once: of these Python objects exist.
BATCH = 5_000
# Rows of a group in the file, which is compressed as one.
GROUP = 50_000


@dataclass(slots=True)
class Extent:
    """What the cells of a column need: `width` bytes of UTF-8 for the longest of its texts."""

    width: int = 0
    lowest: int = 0
    highest: int = 0


@dataclass(frozen=True, slots=True)
class Spooled:
    """`extents`: one of each column, in their order."""

    rows: int
    extents: Sequence[Extent]
    file: "parquet.ParquetFile"

    def batches(self) -> Iterator["pa.RecordBatch"]:
        """All rows, some at a time."""
        return self.file.iter_batches(batch_size=GROUP)

    def column(self, place: int) -> Iterator["pa.Array"]:
        """The cells of one column, some at a time."""
        for group in range(self.file.num_row_groups):
            name = self.file.schema_arrow.names[place]
            yield self.file.read_row_group(group, columns=[name]).column(0).combine_chunks()


@contextmanager
def spooled(table: Table) -> Generator[Spooled]:
    """Read all rows of a table; the file is gone at the end."""
    from pyarrow import parquet

    with tempfile.TemporaryFile() as file:
        writing = Writing(table.columns, _schema(table.columns), file, measure=True)
        rows = writing.write(table.rows)
        file.seek(0)
        # Names of columns may have dots, which are no paths here.
        with parquet.ParquetFile(file, pre_buffer=False) as read:
            yield Spooled(rows, writing.extents, read)


def _schema(columns: Sequence[Column]) -> "pa.Schema":
    """Names by place, so that nothing in them matters."""
    import pyarrow as pa

    return pa.schema([(f"c{place}", arrow_type(each)) for place, each in enumerate(columns)])


def arrow_type(column: Column) -> "pa.DataType":
    import pyarrow as pa

    types = {Type.INTEGER: pa.int64(), Type.NUMBER: pa.float64(), Type.TEXT: pa.string()}
    return types[column.type]


@dataclass(slots=True)
class Writing:
    """Writes rows to a Parquet file in groups; `measure`: whether extents are wanted."""

    columns: Sequence[Column]
    schema: "pa.Schema"
    file: IO[bytes]
    measure: bool = False
    extents: list[Extent] = field(init=False)

    def __post_init__(self) -> None:
        self.extents = [Extent() for _ in self.columns]

    def write(self, rows: Iterable[Row]) -> int:
        """Return how many there are."""
        import pyarrow as pa
        from pyarrow import parquet

        count = 0
        iterator = iter(rows)
        with parquet.ParquetWriter(self.file, self.schema, compression="zstd") as writer:
            while batches := list(self._batches(iterator)):
                table = pa.Table.from_batches(batches)
                count += table.num_rows
                writer.write_table(table, row_group_size=GROUP)
        return count

    def _batches(self, rows: Iterator[Row]) -> Iterator["pa.RecordBatch"]:
        import pyarrow as pa

        for _ in range(GROUP // BATCH):
            batch = list(islice(rows, BATCH))
            if not batch:
                return
            cells = zip(*batch, strict=True)
            arrays = [
                pa.array(own, type=field.type)
                for own, field in zip(cells, self.schema, strict=True)
            ]
            if self.measure:
                self._measure(arrays)
            yield pa.RecordBatch.from_arrays(arrays, schema=self.schema)

    def _measure(self, arrays: "Sequence[pa.Array]") -> None:
        from pyarrow import compute

        for column, extent, array in zip(self.columns, self.extents, arrays, strict=True):
            if column.type is Type.TEXT:
                longest: Any = compute.max(compute.binary_length(array)).as_py()
                extent.width = max(extent.width, longest or 0)
            elif column.type is Type.INTEGER:
                ends: Any = compute.min_max(array).as_py()
                extent.lowest = min(extent.lowest, ends["min"] or 0)
                extent.highest = max(extent.highest, ends["max"] or 0)
