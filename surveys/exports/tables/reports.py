"""The randomized reports: one row per person if answers are kept together, else per answer."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _

from surveys.exports.document import (
    ExportedDevice,
    devices_as_sent,
    exported_devices,
    has_cards,
    keeps_people_together,
    language_of,
    report_of_each_question,
)
from surveys.exports.snapshot import take_snapshot
from surveys.exports.table import Column, Row, Table, Type, Value
from surveys.models import Launch
from surveys.parameters import PERSONAL, PSEUDONYMOUS, Parameters
from surveys.responses.spaces import Field
from surveys.results.described import has_joint_numbers
from surveys.results.release import DeviceKey, Release

NAME = "reports"

# What the codes of a column mean, from 0.
Labels = list[str]
Released = dict[DeviceKey, ExportedDevice]
# Columns, and the rows of one stored report set.
Layout = tuple[list[Column], Callable[[dict[str, Any]], Iterable[Row]]]


def table(launch: Launch, rung: int = 0) -> Table:
    """The reports of the latest release; raises MovingError if the results lag behind them."""
    release, contents, close = take_snapshot(launch, rung)
    with translation.override(language_of(launch)):
        label = _("Randomized reports")
        columns, rows_of = _layout(release)
        marked = has_joint_numbers(release.parameters)
        columns = [*columns, _in_tables()] if marked else columns
    if marked:
        rows = _marked_rows(release, contents, rows_of)
    else:
        rows = (row for content in contents for row in rows_of(content))
    return Table(NAME, label, tuple(columns), rows, close)


def _in_tables() -> Column:
    """Its name has a full stop, so that no question can have it."""
    values = (Value(0, _("no: left out so that no few people show")), Value(1, _("yes")))
    label = _("Whether this person is in tables, models and weighted results")
    return Column("in.tables", Type.INTEGER, label, values)


def _marked_rows(
    release: Release,
    contents: Iterable[dict[str, Any]],
    rows_of: Callable[[dict[str, Any]], Iterable[Row]],
) -> Iterator[Row]:
    """The rows, each with whether its person is in the numbers about several answers together."""
    for content, is_in_base in release.base.mark(contents, release.waves()):
        for row in rows_of({**content}):
            yield [*row, int(is_in_base)]


def _layout(release: Release) -> Layout:
    parameters, suppressed = release.parameters, release.suppressed
    devices = exported_devices(parameters)
    if parameters.mode == PSEUDONYMOUS:
        released = _released(_of_all_waves(release), suppressed)
        return _with_ledger(_by_question(_wide_layout(devices, released), parameters))
    released = _released(devices, suppressed)
    if parameters.mode == PERSONAL:
        return _with_member(_by_question(_wide_layout(devices, released), parameters))
    if keeps_people_together(parameters):
        return _by_question(_wide_layout(devices, released), parameters)
    released = _released(devices_as_sent(parameters), suppressed)
    return _long_layout(released, cards=has_cards(parameters))


def _of_all_waves(release: Release) -> list[ExportedDevice]:
    """Devices of this wave and of those before; reports of all of them are in the export."""
    return [
        device
        for wave in release.launch.waves()
        for device in exported_devices(
            wave.parameters_at(release.rung), release.launch.source_of(wave.wave)
        )
    ]


def _released(devices: Iterable[ExportedDevice], suppressed: frozenset[DeviceKey]) -> Released:
    return {device.key: device for device in devices if device.key not in suppressed}


# --- a row a person -----------------------------------------------------------------------------


def _wide_layout(devices: Sequence[ExportedDevice], released: Released) -> Layout:
    """The columns of each device's space; a cell is empty without an answer or if it is suppressed.

    A device in several strata has one column more, with the stratum used.
    """
    ids = [device.id for device in devices]
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
            device = released.get((content.get("source", ""), name, stratum))
            cells = device.cells(content) if device else {}
            row += map(cells.get, fields[name])
            if name in several:
                row.append(stratum if device else None)
        return [row]

    fields = {name: _fields(devices) for name, devices in strata.items()}
    columns = []
    for name, devices in strata.items():
        columns += [_field_column(field, devices[0], uses) for field, uses in fields[name].items()]
        if name in several:
            columns.append(_strata(name, devices))
    return columns, rows_of


def _by_question(layout: Layout, parameters: Parameters) -> Layout:
    """The same, of a report to a group the code of each question in its column."""
    columns, rows_of = layout
    return columns, lambda content: rows_of(report_of_each_question(parameters, content))


def _with_ledger(layout: Layout) -> Layout:
    """The same, and before it the last wave of each person, and what their waves may reveal."""
    columns, rows_of = layout
    ledger = [
        Column("wave", Type.INTEGER, _("The last wave that this person answered")),
        Column("epsilon", Type.NUMBER, _("What all their waves together may reveal")),
    ]

    def with_ledger(content: dict[str, Any]) -> Iterable[Row]:
        return [[content["wave"], float(content["epsilon"]), *row] for row in rows_of(content)]

    return [*ledger, *columns], with_ledger


def _with_member(layout: Layout) -> Layout:
    """The same, and before it the code of the member; names are in no file."""
    columns, rows_of = layout
    member = Column("member", Type.TEXT, _("Code of the member on the roster"))

    def with_member(content: dict[str, Any]) -> Iterable[Row]:
        return [[content["member"], *row] for row in rows_of(content)]

    return [member, *columns], with_member


def _fields(devices: Sequence[ExportedDevice]) -> dict[str, list[Labels]]:
    """The columns of a device's reports in all of its strata, with the labels of each stratum."""
    columns: dict[str, list[Labels]] = {}
    for device in devices:
        for field in device.fields():
            columns.setdefault(field.name, []).append(_labels(device, field))
    return columns


def _labels(device: ExportedDevice, field: Field) -> Labels:
    """What each code means: its label, and what a report of this code shows."""
    shows = device.shows or ("",) * len(field.labels)
    pairs = zip(field.labels, shows, strict=True)
    return [f"{label}: {shown}" if shown else label for label, shown in pairs]


def _field_column(name: str, device: ExportedDevice, uses: Sequence[Labels]) -> Column:
    """The codes, or the texts, of the reports, labelled with the first stratum's texts."""
    label = f"{device.question} – {device.option}" if device.option else device.question
    values = _values(uses)
    kind = Type.INTEGER if values else Type.TEXT
    return Column(name, kind, label, values, missing=(_empty(),))


def _values(uses: Sequence[Labels]) -> tuple[Value, ...]:
    """The meaning of each code; where strata differ, that of each."""
    rows = enumerate(zip_longest(*uses))
    return tuple(Value(code, " / ".join(dict.fromkeys(filter(None, row)))) for code, row in rows)


def _strata(name: str, devices: Sequence[ExportedDevice]) -> Column:
    label = _("Which device was used for %(question)s") % {"question": name}
    values = tuple(Value(device.stratum, device.family) for device in devices)
    return Column(f"{name}.stratum", Type.TEXT, label, values, missing=(_empty(),))


def _empty() -> Value:
    return Value(None, _("left out, or held back because too few people used the device"))


# --- a row an answer ----------------------------------------------------------------------------


def _long_layout(released: Released, *, cards: bool) -> Layout:
    """One row per report, without a link between the rows of one person."""
    columns = _long_columns()
    size = len(columns) if cards else len(columns) - 1

    def rows_of(content: dict[str, Any]) -> Iterable[Row]:
        for name, report in content["reports"].items():
            device = released.get(("", name, content["strata"][name]))
            if device:
                number, label = device.space.number(report), device.space.label(report)
                yield (name, device.stratum, number, label, device.shown(report))[:size]

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
