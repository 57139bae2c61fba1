"""The devices themselves: with which chance each real answer is sent as each report.

A row is one report of one device and one real answer. The same table is among the parameters, in
the form in which browsers run it; here it is spelled out, and can be joined to the codebook.
"""

from collections.abc import Iterator

from django.utils import translation
from django.utils.translation import gettext as _

from surveys.exports.document import ExportedDevice, exported_devices, language_of
from surveys.exports.table import Column, Row, Table, Type
from surveys.features import Trait, has_trait
from surveys.models import Launch
from surveys.parameters import Bits, Parameters, Ties, columns_of
from surveys.parameters.tables import Bloom, Coded, Linear

NAME = "chances"
# Of a device with more the parameters have the table: of all sets of ticks of a long list.
MOST_ROWS = 10_000


def table(launch: Launch, step: int = 0) -> Table:
    """The chances of every device whose reports are in `reports.csv`, of each wave its own."""
    with translation.override(language_of(launch)):
        parameters = launch.parameters_at(step)
        waves = launch.told_waves() if has_trait(parameters, Trait.RETURNING) else [launch]
        rows = [row for wave in waves for row in rows_of(wave.parameters_at(step), wave=wave.wave)]
        return Table(NAME, _("Chances of the reports"), columns_of_file(parameters), iter(rows))


def rows_of(parameters: Parameters, wave: int = 1) -> Iterator[Row]:
    """Yield rows in the devices' order, of each the reports to the first answer first."""
    in_wave = (wave,) if has_trait(parameters, Trait.RETURNING) else ()
    for device in exported_devices(parameters):
        if device.asked_directly:
            continue
        for cells in rows_of_device(device):
            yield (device.id, *in_wave, device.stratum, device.family, *cells)


def rows_of_device(device: ExportedDevice) -> Iterator[Row]:
    """Yield code, report, real answer, chance, and the chance as two integers; of a device with too
    many nothing.
    """
    table = device.table
    if isinstance(table, Bits | Bloom | Ties):
        # Each bit is drawn by itself.
        for answer, one in ((_("bit not set"), table.zero), (_("bit set"), table.one)):
            yield from _of_answer(answer, (table.denominator - one, one), "01", table.denominator)
        return
    if not isinstance(table, Coded) or table.truths * len(table.reports) > MOST_ROWS:
        return
    shown = table.ends if isinstance(table, Linear) else table
    for answer, entries in zip(device.answers, columns_of(shown), strict=True):
        yield from _of_answer(answer, entries, table.reports, table.denominator)


def _of_answer(
    answer: str, entries: tuple[int, ...], reports: tuple[str, ...] | str, denominator: int
) -> Iterator[Row]:
    for code, (report, entry) in enumerate(zip(reports, entries, strict=True)):
        yield (code, report, answer, entry / denominator, entry, denominator)


def columns_of_file(parameters: Parameters) -> tuple[Column, ...]:
    wave = Column("wave", Type.INTEGER, _("The wave in which it was sent"))
    in_waves = (wave,) if has_trait(parameters, Trait.RETURNING) else ()
    return (
        Column("variable", Type.TEXT, _("Variable name of the question or option")),
        *in_waves,
        Column("stratum", Type.TEXT, _("Which device was used")),
        Column("family", Type.TEXT, _("Kind of device")),
        Column("code", Type.INTEGER, _("Number of the report, counted from 0")),
        Column("report", Type.TEXT, _("Letter of the report")),
        Column("real_answer", Type.TEXT, _("The real answer"), of_author=True),
        Column("chance", Type.NUMBER, _("Chance of the report if this is the real answer")),
        Column("numerator", Type.INTEGER, _("The same, exactly: so many of")),
        Column("denominator", Type.INTEGER, _("so many equally likely draws")),
    )
