"""Why a cell of the reports by people has no report, and the code that says so.

A reason is only told where everything that it follows from stands in the same row. So nothing tells
a single direct answer to a sensitive question, which no file has, from one that was left out. Every
wave asks all questions, in whichever way, so that a cell is never empty because of that.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from surveys.exports.document import ExportedDevice, conditions_of, exported_devices
from surveys.exports.table import Value
from surveys.features.parts import Condition
from surveys.parameters import Parameters
from surveys.results.release import DeviceKey

# Of each source of reports, a wave, what was asked in it.
Waves = Sequence[tuple[str, Parameters]]


class Code(NamedTuple):
    """What stands in a column of codes, and in one of texts."""

    number: int | None
    text: str | None

    def cell(self, *, is_text: bool) -> int | str | None:
        return self.text if is_text else self.number


LEFT_OUT = Code(None, None)
HELD_BACK = Code(-1, "held_back")
DOES_NOT_APPLY = Code(-2, "does_not_apply")


@dataclass(frozen=True)
class Reasons:
    """Why there is no report, of the surveys' waves; `suppressed`: devices that few have used."""

    waves: Waves
    suppressed: frozenset[DeviceKey] = frozenset()

    @cached_property
    def everywhere(self) -> list[ExportedDevice]:
        return [
            device
            for source, parameters in self.waves
            for device in exported_devices(parameters, source)
        ]

    @cached_property
    def held_back(self) -> frozenset[DeviceKey]:
        keys = (each.key for each in self.everywhere if not each.asked_directly)
        return self.suppressed & frozenset(keys)

    @cached_property
    def _conditions(self) -> dict[tuple[str, str], Condition]:
        """Whom a question is asked, by its devices, where its row has all that decides."""
        hidden = {(source, name) for source, name, _stratum in self.suppressed}
        return {
            (source, name): condition
            for source, parameters in self.waves
            for name, condition in conditions_of(parameters).items()
            if not any((source, compared) in hidden for compared in condition.compared)
        }

    def code(self, content: Mapping[str, Any], name: str) -> Code:
        """Return why a stored report set has no report of this device to show."""
        source, stratum = content.get("source", ""), content["strata"].get(name)
        if stratum is not None:
            return HELD_BACK if (source, name, stratum) in self.held_back else LEFT_OUT
        condition = self._conditions.get((source, name))
        if condition and not condition.holds(content["reports"]):
            return DOES_NOT_APPLY
        return LEFT_OUT

    def values(self, name: str, *, is_text: bool) -> tuple[Value, ...]:
        """Every code that a column of this device can have, with what it means."""
        return tuple(
            Value(code.cell(is_text=is_text), label) for code, label in self._of_device(name)
        )

    def _of_device(self, name: str) -> Iterable[tuple[Code, str]]:
        own = [device for device in self.everywhere if device.id == name]
        yield LEFT_OUT, _left_out(own)
        if sum(not device.asked_directly for device in own) > 1:
            yield HELD_BACK, _("held back because too few people used the device")
        if any(name == device for _source, device in self._conditions):
            yield DOES_NOT_APPLY, _("does not apply: the question was not for this person")


def _left_out(own: Sequence[ExportedDevice]) -> str:
    if any(device.members for device in own):
        return _("left out, or the cell of the sender")
    if any(device.asked_directly for device in own):
        return _("left out, or asked directly, which no file of reports has")
    return _("left out")
