"""The codebook: what each code of the reports stands for, for programs that need labels.

A row is one code of one variable and device, and whatever stands in it is about that code. So the
rows can be joined to those of `reports.csv` by variable, stratum and code (and wave, of people who
come back). What was asked is in another table, `questions`, which has no codes.
"""

from collections.abc import Iterable, Iterator
from itertools import zip_longest

from django.utils import translation
from django.utils.translation import gettext as _

from surveys.exports.document import ExportedDevice, exported_devices, language_of
from surveys.exports.table import Column, Row, Table, Type
from surveys.features import Trait, has_trait
from surveys.models import Launch
from surveys.parameters import Parameters

NAME = "codebook"


def table(launch: Launch, step: int = 0) -> Table:
    """The codes of every device whose reports are in `reports.csv`; those of earlier waves too."""
    with translation.override(language_of(launch)):
        parameters = launch.parameters_at(step)
        waves = launch.waves() if has_trait(parameters, Trait.RETURNING) else [launch]
        rows = [row for wave in waves for row in rows_of(wave.parameters_at(step), wave=wave.wave)]
        return Table(NAME, _("Codes of the reports"), columns_of(parameters), iter(rows))


def rows_of(parameters: Parameters, wave: int = 1) -> Iterator[Row]:
    """Yield rows in the devices' order; no file has direct answers to a sensitive question."""
    shown = [device for device in exported_devices(parameters) if not device.asked_directly]
    in_wave = (wave,) if has_trait(parameters, Trait.RETURNING) else ()
    for device in shown:
        for variable, *others in _of_device(device):
            yield (variable, *in_wave, *others)


def _of_device(device: ExportedDevice) -> Iterable[Row]:
    entries = device.entries()
    texts = zip_longest(device.shows, device.likeliest_from, fillvalue="")
    for entry, text in zip_longest(entries, texts, fillvalue=None):
        if entry is None:
            break
        shows, likeliest = text or ("", "")
        about = (entry.variable, device.stratum, device.family, entry.code, entry.label)
        yield (*about, shows, likeliest)


def columns_of(parameters: Parameters) -> tuple[Column, ...]:
    wave = Column("wave", Type.INTEGER, _("The wave in which it was sent"))
    in_waves = (wave,) if has_trait(parameters, Trait.RETURNING) else ()
    return (
        Column("variable", Type.TEXT, _("Variable name of the question or option")),
        *in_waves,
        Column("stratum", Type.TEXT, _("Which device was used")),
        Column("family", Type.TEXT, _("Kind of device")),
        Column("code", Type.INTEGER, _("Number of the report, counted from 0")),
        Column("report", Type.TEXT, _("Letter of the report")),
        Column("shows", Type.TEXT, _("What the report shows")),
        Column("likeliest_from", Type.TEXT, _("Real answers that send it most often")),
    )
