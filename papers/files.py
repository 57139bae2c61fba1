"""Write a figure: its numbers as CSV, its picture as a page of its own."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import plotly.graph_objects as go

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "var" / "papers"

TEAL, AMBER, INK = "#0a6264", "#a85b00", "#1d2329"
LAYOUT = {
    "template": "plotly_white",
    "font": {"family": "system-ui, sans-serif", "size": 15, "color": INK},
    "margin": {"l": 80, "r": 30, "t": 80, "b": 70},
}

Row = Mapping[str, object]


def write(folder: Path, name: str, rows: Sequence[Row], figure: go.Figure) -> None:
    """Write `name`.csv and `name`.html; the page holds its script, so it opens anywhere."""
    folder.mkdir(parents=True, exist_ok=True)
    write_csv(folder / f"{name}.csv", rows)
    figure.update_layout(**LAYOUT)
    figure.write_html(folder / f"{name}.html", include_plotlyjs=True, full_html=True)
    print(f"{name}: {len(rows)} rows")


def write_csv(path: Path, rows: Iterable[Row]) -> None:
    records = list(rows)
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(records[0]))
        writer.writeheader()
        writer.writerows({key: _format(value) for key, value in row.items()} for row in records)


def _format(value: object) -> object:
    return f"{value:.10g}" if isinstance(value, float) else value
