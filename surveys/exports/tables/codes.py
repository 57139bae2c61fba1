"""The meaning of the report codes, one row for each report, for programs that need labels."""

from collections.abc import Iterator
from itertools import zip_longest

from django.utils import translation
from django.utils.translation import gettext as _

from surveys.exports.document import ExportedDevice, exported_devices, language_of
from surveys.exports.table import Cell, Column, Row, Table, Type
from surveys.models import Launch

NAME = "codebook"


def table(launch: Launch, rung: int = 0) -> Table:
    """Every device's reports in their order, and beside them its true answers in theirs.

    `answer` is the true answer in this place of the device's table.
    """
    with translation.override(language_of(launch)):
        devices = exported_devices(launch.parameters_at(rung))
        columns = _columns()
        label = _("Codes of the reports")
    rows = (row for device in devices for row in _rows(device))
    return Table(NAME, label, columns, rows)


def _rows(device: ExportedDevice) -> Iterator[Row]:
    """One row per code; answers beyond the number of codes follow."""
    entries: Iterator[tuple[Cell, ...]] = (
        (entry.variable, entry.code, entry.label) for entry in device.entries()
    )
    texts = zip_longest(device.shows, device.answers, device.likeliest_from, fillvalue="")
    use, asked = (device.stratum, device.family), (device.question, device.option)
    for entry, text in zip_longest(entries, texts):
        variable, code, label = entry or (device.id, "", "")
        shows, answer, likeliest = text or ("", "", "")
        yield (variable, *use, code, label, shows, *asked, answer, likeliest)


def _columns() -> tuple[Column, ...]:
    return (
        Column("variable", Type.TEXT, _("Variable name of the question or option")),
        Column("stratum", Type.TEXT, _("Which device was used")),
        Column("family", Type.TEXT, _("Kind of device")),
        Column("code", Type.INTEGER, _("Number of the report, counted from 0")),
        Column("report", Type.TEXT, _("Letter of the report")),
        Column("shows", Type.TEXT, _("What the report shows")),
        Column("question", Type.TEXT, _("Question")),
        Column("option", Type.TEXT, _("Option")),
        Column("answer", Type.TEXT, _("Real answer")),
        Column("likeliest_from", Type.TEXT, _("Real answers that send it most often")),
    )
