"""The randomized reports: one row per person if answers are kept together, else per answer."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _

from surveys.exports.document import (
    ExportedDevice,
    exported_devices,
    has_cards,
    keeps_people_together,
    language_of,
)
from surveys.exports.snapshot import take_snapshot
from surveys.exports.table import Column, Row, Table, Type, Value
from surveys.models import Launch
from surveys.parameters import Parameters

NAME = "reports"

# Columns, and the rows of one stored report set.
Layout = tuple[list[Column], Callable[[dict[str, Any]], Iterable[Row]]]


def table(launch: Launch) -> Table:
    """The reports of the latest release; raises MovingError if the results lag behind them."""
    release, contents, close = take_snapshot(launch)
    with translation.override(language_of(launch)):
        label = _("Randomized reports")
        columns, rows_of = _layout(launch.parameters, release.suppressed)
    rows = (row for content in contents for row in rows_of(content))
    return Table(NAME, label, tuple(columns), rows, close)


def _layout(parameters: Parameters, suppressed: frozenset[tuple[str, str]]) -> Layout:
    devices = exported_devices(parameters)
    released = {device.key: device for device in devices if device.key not in suppressed}
    if keeps_people_together(parameters):
        return _wide_layout([device.id for device in devices], released)
    return _long_layout(released, cards=has_cards(parameters))


# --- a row a person -----------------------------------------------------------------------------


def _wide_layout(ids: Sequence[str], released: dict[tuple[str, str], ExportedDevice]) -> Layout:
    """One column per device; a cell is empty if there is no answer or it is suppressed.

    A device in several strata has a second column with the stratum used.
    """
    strata = {
        name: [device for device in released.values() if device.id == name]
        for name in dict.fromkeys(ids)
    }
    strata = {name: devices for name, devices in strata.items() if devices}
    several = {name for name in strata if ids.count(name) > 1}

    def rows_of(content: dict[str, Any]) -> Iterable[Row]:
        row: list[str | int | None] = []
        for name in strata:
            stratum = content["strata"].get(name)
            is_released = (name, stratum) in released
            row.append(content["reports"][name] if is_released else None)
            if name in several:
                row.append(stratum if is_released else None)
        return [row]

    columns = []
    for name, devices in strata.items():
        columns.append(_codes(name, devices))
        if name in several:
            columns.append(_strata(name, devices))
    return columns, rows_of


def _codes(name: str, devices: Sequence[ExportedDevice]) -> Column:
    """The codes of the reports by their number, labelled with the first stratum's texts."""
    first = devices[0]
    label = f"{first.question} – {first.option}" if first.option else first.question
    return Column(name, Type.INTEGER, label, _values(devices), missing=(_empty(),))


def _values(devices: Sequence[ExportedDevice]) -> tuple[Value, ...]:
    """The report of each code; where strata differ, that of each."""
    size = max(len(device.reports) for device in devices)
    return tuple(Value(code, _meanings(code, devices)) for code in range(size))


def _meanings(code: int, devices: Sequence[ExportedDevice]) -> str:
    meanings = [_meaning(device, code) for device in devices if code < len(device.reports)]
    return " / ".join(dict.fromkeys(meanings))


def _meaning(device: ExportedDevice, code: int) -> str:
    shows = device.shows[code]
    return f"{device.reports[code]}: {shows}" if shows else device.reports[code]


def _strata(name: str, devices: Sequence[ExportedDevice]) -> Column:
    label = _("Which device was used for %(question)s") % {"question": name}
    values = tuple(Value(device.stratum, device.family) for device in devices)
    return Column(f"{name}.stratum", Type.TEXT, label, values, missing=(_empty(),))


def _empty() -> Value:
    return Value(None, _("left out, or held back because too few people used the device"))


# --- a row an answer ----------------------------------------------------------------------------


def _long_layout(released: dict[tuple[str, str], ExportedDevice], *, cards: bool) -> Layout:
    """One row per report, without a link between the rows of one person."""
    columns = _long_columns()
    size = len(columns) if cards else len(columns) - 1

    def rows_of(content: dict[str, Any]) -> Iterable[Row]:
        for name, code in content["reports"].items():
            device = released.get((name, content["strata"][name]))
            if device:
                row = (name, device.stratum, code, device.reports[code], device.shows[code])
                yield row[:size]

    return columns[:size], rows_of


def _long_columns() -> list[Column]:
    """The columns of the long layout; the last, the answers on a card, only if there are cards."""
    return [
        Column("question", Type.TEXT, _("Variable name of the question or option")),
        Column("stratum", Type.TEXT, _("Which device was used")),
        Column("code", Type.INTEGER, _("Number of the report, counted from 0")),
        Column("report", Type.TEXT, _("Letter of the report")),
        Column("shows", Type.TEXT, _("What the report shows")),
    ]
