"""The devices that a person has reported to, where the answers of one person are kept together.

Whoever left a question out, or used another device, is in some numbers of a release and not in
others, so disclosure control counts people by what they have reported to. Nearly everybody answers
everything on the page and has the usual pattern, which is stored as none.
"""

from collections.abc import Mapping
from typing import Any

from surveys.parameters import PAGE, Parameters
from surveys.responses.crossings import TOGETHER

USUAL = ""
_MISSING = "0"
_FIRST = ord(_MISSING) + 1


def keeps_patterns(parameters: Parameters) -> bool:
    """Whether numbers of a survey can be about several answers of a person together."""
    return parameters.linkage == TOGETHER and len(parameters.questions) > 1


class Patterns:
    """The patterns of one launch: a sign for each device, `0` where nothing was reported to it."""

    def __init__(self, parameters: Parameters) -> None:
        self._strata: dict[str, list[str]] = {}
        for device in parameters.devices:
            self._strata.setdefault(device.id, []).append(device.stratum)
        # A device that nobody has in the page's stratum, as chance picks one, is usual in any.
        self._usual = {
            name: PAGE if PAGE in strata else None for name, strata in self._strata.items()
        }

    def of(self, content: Mapping[str, Any]) -> str:
        """The pattern of a person; USUAL if they answered everything on the page."""
        strata = content["strata"]
        if all(
            name in strata and usual in (None, strata[name]) for name, usual in self._usual.items()
        ):
            return USUAL
        return "".join(self._sign(name, strata.get(name)) for name in self._strata)

    def _sign(self, name: str, stratum: str | None) -> str:
        if stratum is None:
            return _MISSING
        # Of what chance picks only the fact that there is a report is kept, not its stratum.
        place = 0 if self._usual[name] is None else self._strata[name].index(stratum)
        return chr(_FIRST + place)

    def strata(self, pattern: str) -> dict[str, str]:
        """The stratum of each device that was reported to."""
        if pattern == USUAL:
            return {name: usual for name, usual in self._usual.items() if usual is not None}
        signs = zip(self._strata.items(), pattern, strict=True)
        return {
            name: strata[ord(sign) - _FIRST]
            for (name, strata), sign in signs
            if sign != _MISSING and self._usual[name] is not None
        }
