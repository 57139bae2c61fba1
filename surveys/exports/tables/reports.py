"""The randomized reports: one row per person if answers are kept together, else per answer."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
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
from surveys.exports.snapshot import released_content, take_snapshot
from surveys.exports.table import Cell, Column, Row, Table, Type, Value
from surveys.exports.tables.missing import DOES_NOT_APPLY, LEFT_OUT, Reasons
from surveys.features import Trait, has_trait, mode_of
from surveys.features.parts import BesideColumn
from surveys.models import Launch
from surveys.parameters import OPEN, Parameters
from surveys.responses.beside import beside_of
from surveys.responses.spaces import Field
from surveys.results.described import has_joint_numbers
from surveys.results.release import DeviceKey, Release, release_of

NAME = "reports"

# The meanings of the codes of a column, from 0.
Labels = list[str]
Released = dict[DeviceKey, ExportedDevice]
# Columns, and the rows of one stored report set.
Layout = tuple[list[Column], Callable[[dict[str, Any]], Iterable[Row]]]


def table(launch: Launch, step: int = 0) -> Table:
    """The reports of the latest release; raises MovingError if the results lag behind them."""
    release, contents, close = take_snapshot(launch, step)
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


def columns_alone(launch: Launch, step: int = 0) -> Table:
    """The same without the rows, of which not even the first is looked for among millions.

    Raises MovingError without a release.
    """
    released_content(launch, step)
    with translation.override(language_of(launch)):
        return _without_rows(release_of(launch, step))


def without_rows(launch: Launch, step: int = 0) -> Table:
    """The columns as they are where nothing is held back, for whoever describes the file."""
    return _without_rows(replace(release_of(launch, step), suppressed=frozenset()))


def _without_rows(release: Release) -> Table:
    columns, _rows_of = _layout(release)
    marked = [_in_tables()] if has_joint_numbers(release.parameters) else []
    return Table(NAME, _("Randomized reports"), (*columns, *marked), iter(()))


def _in_tables() -> Column:
    """Return the column on tables, whose name has a full stop, so that no question can have it."""
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


def is_wide(parameters: Parameters) -> bool:
    """Whether a row is a person, with a column for each question."""
    return parameters.mode != OPEN or keeps_people_together(parameters)


def sources_of(parameters: Parameters) -> Iterator[tuple[str, str]]:
    """Every column that the file of these parameters can have, with the question that it is of;
    empty for a column of the file's own.
    """
    if has_joint_numbers(parameters):
        yield _in_tables().name, ""
    if not is_wide(parameters):
        yield from ((column.name, "") for column in _long_columns())
        return
    yield from ((column.name, "") for column in _own_columns(parameters))
    yield from ((column.name, "") for _key, column in _beside(parameters))
    devices = exported_devices(parameters)
    for name, of_name in _by_id(devices).items():
        yield from ((field, of_name[0].asked) for field in _fields(of_name))
        if len(of_name) > 1:
            yield _name_of_strata(name), of_name[0].asked


def _layout(release: Release) -> Layout:
    parameters, suppressed = release.parameters, release.suppressed
    if not is_wide(parameters):
        released = _released(devices_as_sent(parameters), suppressed)
        return _long_layout(released, cards=has_cards(parameters))
    # Where people come back, reports of all waves are in the export.
    returning = has_trait(parameters, Trait.RETURNING)
    reasons = Reasons(release.waves() if returning else [("", parameters)], suppressed)
    layout = _by_question(_wide_layout(exported_devices(parameters), reasons), parameters)
    return _with_own(layout, parameters)


def _released(devices: Iterable[ExportedDevice], suppressed: frozenset[DeviceKey]) -> Released:
    """By their keys the devices whose single reports files may have."""
    return {
        device.key: device
        for device in devices
        if device.key not in suppressed and not device.asked_directly
    }


# --- a row a person -----------------------------------------------------------------------------


def _wide_layout(devices: Sequence[ExportedDevice], reasons: Reasons) -> Layout:
    """The columns of each device's space; without a report a cell says why.

    A device in several strata has one column more, with the stratum used.
    """
    released = _released(reasons.everywhere, reasons.suppressed)
    several = {name for name, strata in _by_id(devices).items() if len(strata) > 1}
    shown = _by_id(device for device in reasons.everywhere if device.key in released)
    strata = {device.id: shown[device.id] for device in devices if device.id in shown}
    fields = {name: _fields(devices) for name, devices in strata.items()}

    def rows_of(content: dict[str, Any]) -> Iterable[Row]:
        row: list[Cell] = []
        told = reasons.shown(content, strata)
        for name in strata:
            stratum = content["strata"].get(name)
            device = released.get((content.get("source", ""), name, stratum))
            cells = device.cells(content) if device else {}
            code = LEFT_OUT if device else reasons.code(content, name, told)
            own = strata[name][0].own_field(content)
            for field, uses in fields[name].items():
                reason = DOES_NOT_APPLY if field == own else code
                row.append(cells.get(field, reason.cell(is_text=not any(uses))))
            if name in several:
                row.append(stratum if device else code.text)
        return [row]

    columns = []
    for name, own in strata.items():
        columns += [_field_column(*field, own[0], reasons) for field in fields[name].items()]
        if name in several:
            columns.append(_strata(name, own, reasons))
    return columns, rows_of


def _by_id(devices: Iterable[ExportedDevice]) -> dict[str, list[ExportedDevice]]:
    """The devices of one name together: the strata of one, and its waves."""
    by_id: dict[str, list[ExportedDevice]] = {}
    for device in devices:
        by_id.setdefault(device.id, []).append(device)
    return by_id


def _by_question(layout: Layout, parameters: Parameters) -> Layout:
    """Return the layout with a joint report as one column for the code of each question."""
    columns, rows_of = layout
    return columns, lambda content: rows_of(report_of_each_question(parameters, content))


def _with_own(layout: Layout, parameters: Parameters) -> Layout:
    """Return the layout with what the file says of each person before the reports."""
    columns, rows_of = layout
    own, beside = _own_columns(parameters), _beside(parameters)

    def with_own(content: dict[str, Any]) -> Iterable[Row]:
        cells = [_own_cell(content[column.name], column) for column in own]
        last = [column.read(content[key]) for key, column in beside]
        return [[*cells, *row, *last] for row in rows_of(content)]

    return [*own, *columns, *(_beside_column(column) for _key, column in beside)], with_own


def _beside(parameters: Parameters) -> list[tuple[str, BesideColumn]]:
    """Return the columns of what a response says beside its reports, each with its key."""
    found = beside_of(parameters).items()
    return [(key, column) for key, beside in found for column in beside.columns]


def _beside_column(column: BesideColumn) -> Column:
    values = tuple(Value(code, name) for code, name in enumerate(column.names))
    return Column(column.name, Type.INTEGER, column.label, values)


def _own_cell(value: Any, column: Column) -> Cell:
    return float(value) if column.type is Type.NUMBER else value


def _own_columns(parameters: Parameters) -> list[Column]:
    """Return the columns on who sent a row; names are in no file."""
    mode = mode_of(parameters.mode)
    columns = mode.columns if mode else ()
    return [Column(name, Type(type_name), str(label)) for name, type_name, label in columns]


def _fields(devices: Sequence[ExportedDevice]) -> dict[str, list[Labels]]:
    """The columns of a device's reports in all of its strata, with the labels of each stratum."""
    columns: dict[str, list[Labels]] = {}
    for device in devices:
        for field in device.fields():
            columns.setdefault(field.name, []).append(_labels(device, field))
    return columns


def _labels(device: ExportedDevice, field: Field) -> Labels:
    """Return what each code means: its label, and what a report of this code shows."""
    shows = device.shows or ("",) * len(field.labels)
    pairs = zip(field.labels, shows, strict=True)
    return [f"{label}: {shown}" if shown else label for label, shown in pairs]


def _field_column(
    name: str, uses: Sequence[Labels], device: ExportedDevice, reasons: Reasons
) -> Column:
    """The codes, or the texts, of the reports, labelled with the first stratum's texts."""
    label = f"{device.question} – {device.option}" if device.option else device.question
    values = _values(uses)
    kind = Type.INTEGER if values else Type.TEXT
    missing = reasons.values(device.id, is_text=not any(uses))
    return Column(name, kind, label, values, missing)


def _values(uses: Sequence[Labels]) -> tuple[Value, ...]:
    """The meaning of each code; where strata differ, that of each."""
    rows = enumerate(zip_longest(*uses))
    return tuple(Value(code, " / ".join(dict.fromkeys(filter(None, row)))) for code, row in rows)


def _strata(name: str, devices: Sequence[ExportedDevice], reasons: Reasons) -> Column:
    label = _("Which device was used for %(question)s") % {"question": name}
    values = tuple(Value(device.stratum, device.family) for device in devices)
    missing = reasons.values(name, is_text=True)
    return Column(_name_of_strata(name), Type.TEXT, label, values, missing)


def _name_of_strata(name: str) -> str:
    return f"{name}.stratum"


def missing_of(reasons: Reasons) -> Iterator[tuple[str, Value]]:
    """Each column of reports by people with what a cell without a report means."""
    for name, own in _by_id(reasons.everywhere).items():
        shown = [device for device in own if not device.asked_directly]
        for field, uses in _fields(shown).items():
            values = reasons.values(name, is_text=not any(uses))
            yield from ((field, value) for value in values)
        if len({device.stratum for device in own}) > 1:
            values = reasons.values(name, is_text=True)
            yield from ((_name_of_strata(name), value) for value in values)


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
        Column("variable", Type.TEXT, _("Variable name of the question or option")),
        Column("stratum", Type.TEXT, _("Which device was used")),
        Column("code", Type.INTEGER, _("Number of the report, counted from 0")),
        Column("report", Type.TEXT, _("Letter of the report")),
        Column("shows", Type.TEXT, _("What the report shows")),
    ]
