"""The codebook: what each code of the reports stands for, for programs that need labels.

A row is one code of one variable and device, and whatever stands in it is about that code. So the
rows can be joined to those of `reports.csv` by variable, stratum and code (and wave, of people who
come back). Last come the cells that hold no report, with the reason, for each column of the file.
What was asked is in another table, `questions`, which has no codes.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from django.utils import translation
from django.utils.translation import gettext as _

from surveys.exports.document import ExportedDevice, exported_devices, language_of
from surveys.exports.table import Column, Row, Table, Type, Value
from surveys.exports.tables import reports
from surveys.exports.tables.missing import Reasons
from surveys.features import Trait, has_trait
from surveys.models import Launch
from surveys.parameters import Parameters

NAME = "codebook"


def table(launch: Launch, step: int = 0) -> Table:
    """The codes of every device whose reports are in `reports.csv`; those of earlier waves too."""
    with translation.override(language_of(launch)):
        parameters = launch.parameters_at(step)
        waves = launch.told_waves() if has_trait(parameters, Trait.RETURNING) else [launch]
        rows: list[Row] = []
        for wave in waves:
            digest = wave.digest_at(step)
            rows += rows_of(wave.parameters_at(step), wave=wave.wave, digest=digest)
        rows += missing_rows([wave.parameters_at(step) for wave in waves])
        return Table(NAME, _("Codes of the reports"), columns_of(parameters), iter(rows))


def missing_rows(waves: Sequence[Parameters]) -> Iterator[Row]:
    """The cells of `reports.csv` without a report, the first wave first; none if rows are answers.

    They are of no device, so that only the column and the code tell them.
    """
    newest = waves[-1]
    if not reports.is_wide(newest):
        return
    reasons = Reasons([(str(number), parameters) for number, parameters in enumerate(waves)])
    in_wave = (None,) if has_trait(newest, Trait.RETURNING) else ()
    for name, value in reports.missing_of(reasons):
        code, text = (None, value.code) if isinstance(value.code, str) else (value.code, "")
        yield (name, *in_wave, "", "", code, text, "", "", None, "", value.label)


def rows_of(parameters: Parameters, wave: int = 1, digest: str = "") -> Iterator[Row]:
    """Yield rows in the devices' order; no file has direct answers to a sensitive question."""
    shown = [device for device in exported_devices(parameters) if not device.asked_directly]
    in_wave = (wave,) if has_trait(parameters, Trait.RETURNING) else ()
    for device in shown:
        for variable, *others in _of_device(device):
            epsilon = None if device.epsilon is None else float(device.epsilon)
            yield (variable, *in_wave, *others, epsilon, digest, "")


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
    none = (Value(None, _("none: sent as it is")),)
    return (
        Column("variable", Type.TEXT, _("Variable name of the question or option")),
        *in_waves,
        Column("stratum", Type.TEXT, _("Which device was used")),
        Column("family", Type.TEXT, _("Kind of device")),
        Column("code", Type.INTEGER, _("Number of the report, counted from 0")),
        Column("report", Type.TEXT, _("Letter of the report")),
        Column("shows", Type.TEXT, _("What the report shows"), of_author=True),
        Column(
            "likeliest_from", Type.TEXT, _("Real answers that send it most often"), of_author=True
        ),
        Column("device_epsilon", Type.NUMBER, _("Epsilon of the device"), missing=none),
        Column("digest", Type.TEXT, _("Digest of the parameters that the device is in")),
        Column("missing", Type.TEXT, _("Why there is no report, if there is none")),
    )
