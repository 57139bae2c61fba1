"""Time and memory of each format of downloads, against rows, beside a library that writes a frame.

    python -m benchmarks.formats FORMAT ROWS [peer]

The table is like that of the reports: 25 columns of codes with reasons, three of numbers, two of
texts. Each measurement is a process of its own, whose anonymous memory another thread looks at. The
peers have the same rows as a whole frame: pandas writes CSV, Stata files and, by XlsxWriter,
workbooks; pyreadstat SPSS files; pyarrow Parquet. Nothing in Python writes an .rds of labels.
"""

import json
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import BinaryIO

from benchmarks.costs import MEGABYTE, anonymous_bytes
from benchmarks.effort import Effort, Rows
from surveys.exports.table import Column, Row, Table, Type, Value

ROOT = Path(__file__).resolve().parents[1]
FORMATS = ("csv", "parquet", "sav", "dta", "rds", "xlsx")
SIZES = (20_000, 100_000)
MILLION = 1_000_000
CODES, NUMBERS = 25, 3
# Different rows; they come again and again.
POOL = 20_000
TARGETS: dict[str, tuple[str, float]] = {
    **{f"{name}, million.seconds": ("<=", 60.0) for name in FORMATS},
    # A tenth of the rows fills all buffers already.
    **{f"{name}, million.growth": ("<=", 1.5) for name in FORMATS},
    **{f"{name}.seconds": ("<=", 6.0) for name in FORMATS},
}


def rows(effort: Effort) -> Rows:
    found: Rows = {}
    for name in FORMATS:
        small, large = (_measured(name, size) for size in SIZES)
        found[name] = large
        if name != "rds":
            peer = _measured(name, SIZES[0], "peer")
            found[name] |= {
                "peer_seconds": peer["seconds"],
                "ratio": small["seconds"] / peer["seconds"],
                "peer_grown_mb": peer["grown_mb"],
            }
        if effort.full:
            whole = _measured(name, MILLION)
            growth = whole["grown_mb"] / max(large["grown_mb"], 10.0)
            found[f"{name}, million"] = whole | {"growth": growth}
    return found


def _measured(name: str, size: int, *how: str) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.formats", name, str(size), *how]
    process = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return json.loads(process.stdout)


def table_of(size: int) -> Table:
    reasons = (Value(None, "left out"), Value(-1, "held back"), Value(-2, "does not apply"))
    values = (Value(0, "No"), Value(1, "Yes"), Value(2, "Not sure"))
    codes = (Column(f"q{n}", Type.INTEGER, f"Question {n}", values, reasons) for n in range(CODES))
    numbers = (Column(f"number{n}", Type.NUMBER, f"Number {n}") for n in range(NUMBERS))
    texts = (Column(name, Type.TEXT, name) for name in ("stratum", "text"))
    return Table("reports", "Reports", (*codes, *numbers, *texts), _rows(size))


def _rows(size: int) -> Iterator[Row]:
    chance = Random(1)
    pool = [
        [
            *chance.choices((0, 1, 2, None, -1, -2), k=CODES),
            *(chance.random() for _ in range(NUMBERS)),
            chance.choice(("page", "physical")),
            f"text {chance.randrange(10**6)}",
        ]
        for _ in range(min(size, POOL))
    ]
    return islice(cycle(pool), size)


def measure(write: Callable[[Table, BinaryIO], object], table: Table) -> dict[str, float]:
    """Seconds, and how much the anonymous memory grew at most while the file was written."""
    before = peak = anonymous_bytes()
    over = threading.Event()

    def watch() -> None:
        nonlocal peak
        while not over.wait(0.01):
            peak = max(peak, anonymous_bytes())

    watching = threading.Thread(target=watch)
    watching.start()
    with tempfile.NamedTemporaryFile() as file:
        began = time.perf_counter()
        write(table, file)  # type: ignore[arg-type]
        seconds = time.perf_counter() - began
        size = file.seek(0, 2)
    over.set()
    watching.join()
    return {
        "seconds": seconds,
        "grown_mb": (peak - before) / MEGABYTE,
        "size_mb": size / MEGABYTE,
    }


def peer_of(name: str) -> Callable[[Table, BinaryIO], object]:
    import pandas

    def write(table: Table, file: BinaryIO) -> None:
        columns = [column.name for column in table.columns]
        frame = pandas.DataFrame(list(table.rows), columns=columns)
        if name == "csv":
            frame.to_csv(file, index=False)
        elif name == "parquet":
            frame.to_parquet(file)
        elif name == "dta":
            frame.to_stata(file, write_index=False, version=118)
        elif name == "xlsx":
            frame.to_excel(file, index=False, engine="xlsxwriter")
        else:
            import pyreadstat

            pyreadstat.write_sav(frame, file.name)

    return write


def main() -> None:
    name, size, *how = sys.argv[1:]
    # What both would import is in memory first; pyarrow takes in pandas wherever it is installed.
    for module in ("numpy", "pandas", "pyarrow.parquet", "pyreadstat", "xlsxwriter"):
        import_module(module)
    own = import_module(f"surveys.exports.formats.{name}").FORMAT.write
    write = peer_of(name) if how else own
    print(json.dumps(measure(write, table_of(int(size)))))


if __name__ == "__main__":
    main()
