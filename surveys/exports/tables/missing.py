"""Why a cell of the reports by people has no report, and the code that says so.

A reason is only told where everything that it follows from stands in the same row: a code is a
function of the other cells and of the public parameters. So nothing tells a single direct answer to
a sensitive question, which no file has, from one that was left out. Every wave asks all questions,
in whichever way, so that a cell is never empty because of that (docs/decisions/0094).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from surveys.exports.document import ExportedDevice, conditions_of, exported_devices
from surveys.exports.table import Value
from surveys.features.parts import Condition
from surveys.parameters import (
    PAGE,
    Parameters,
    picked_questions,
    strata_of_chance,
    strata_of_devices,
)
from surveys.results.release import DeviceKey

# By device the stratum that a row shows, None where its report is held back.
Shown = Mapping[str, str | None]
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
NOT_ASKED = Code(-3, "not_asked")


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
    def _filtered(self) -> dict[tuple[str, str], Condition]:
        """Whom a question is asked, by its devices."""
        return {
            (source, name): condition
            for source, parameters in self.waves
            for name, condition in conditions_of(parameters).items()
        }

    @cached_property
    def _conditions(self) -> dict[tuple[str, str], Condition]:
        """The same, where the row has all that decides."""
        hidden = {(source, name) for source, name, _stratum in self.suppressed}
        return {
            (source, name): condition
            for (source, name), condition in self._filtered.items()
            if not any((source, compared) in hidden for compared in condition.compared)
        }

    @cached_property
    def _directly(self) -> frozenset[DeviceKey]:
        return frozenset(each.key for each in self.everywhere if each.asked_directly)

    @cached_property
    def _ways(self) -> list[Mapping[str, str]]:
        """The ways in which chance lets people be asked, each with the stratum of every device; a
        survey with several has one launch.
        """
        newest = self.waves[-1][1]
        return [strata_of_devices(newest, stratum) for stratum in strata_of_chance(newest)]

    @cached_property
    def _picked(self) -> frozenset[str]:
        """The questions of which chance picks those of a person; such a survey has one launch."""
        return frozenset(question.id for question in picked_questions(self.waves[-1][1]))

    def shown(self, content: Mapping[str, Any], columns: Iterable[str]) -> Shown:
        """Return what a row of a stored report set shows of strata, in the columns of devices."""
        source, strata = content.get("source", ""), content["strata"]
        shown: dict[str, str | None] = {}
        for name in columns if self._ways or self._picked else ():
            key = (source, name, strata.get(name))
            if name in strata and key not in self._directly:
                shown[name] = None if key in self.held_back else strata[name]
        return shown

    def code(self, content: Mapping[str, Any], name: str, shown: Shown) -> Code:
        """Return why a stored report set has no report of this device to show."""
        source, stratum = content.get("source", ""), content["strata"].get(name)
        if stratum is not None and (source, name, stratum) in self.held_back:
            return HELD_BACK
        condition = self._conditions.get((source, name))
        if stratum is None and condition and not condition.holds(content["reports"]):
            return DOES_NOT_APPLY
        return NOT_ASKED if self._may_be_unasked(source, name, shown) else LEFT_OUT

    def _may_be_unasked(self, source: str, name: str, shown: Shown) -> bool:
        """Whether the row is of a pair without the question, or may be of somebody who was asked
        it directly: of several ways that look alike none is told.
        """
        if name in self._picked:
            return not self._picked.isdisjoint(shown)
        return any(
            (source, name, way.get(name, PAGE)) in self._directly and self._fits(source, way, shown)
            for way in self._ways
        )

    def _fits(self, source: str, way: Mapping[str, str], shown: Shown) -> bool:
        """Whether people who are asked in a way can have a row that shows this."""
        for name, stratum in shown.items():
            own = way.get(name, PAGE)
            is_own = own == stratum if stratum else (source, name, own) in self.held_back
            if not is_own:
                return False
        return True

    def values(self, name: str, *, is_text: bool) -> tuple[Value, ...]:
        """Every code that a column of this device can have, with what it means."""
        return tuple(
            Value(code.cell(is_text=is_text), label) for code, label in self._of_device(name)
        )

    def _of_device(self, name: str) -> Iterable[tuple[Code, str]]:
        own = [device for device in self.everywhere if device.id == name]
        yield LEFT_OUT, self._left_out(name)
        if sum(not device.asked_directly for device in own) > 1:
            yield HELD_BACK, _("held back because too few people used the device")
        if any(device.members for device in own):
            yield DOES_NOT_APPLY, _("does not apply: nobody is asked about themselves")
        elif any(name == device for _source, device in self._conditions):
            yield DOES_NOT_APPLY, _("does not apply: the question was not for this person")
        if name in self._picked:
            yield NOT_ASKED, _("not asked: chance picked two other questions for this person")
        elif any(device.asked_directly for device in own):
            yield NOT_ASKED, _("asked directly, or left out: no file says which")

    def _left_out(self, name: str) -> str:
        if name in self._picked:
            return _("left out, with both questions that chance picked: no file says which")
        if any(name == device for _source, device in self._filtered.keys() - self._conditions):
            return _("left out, or not for this person: no file says which")
        return _("left out")
