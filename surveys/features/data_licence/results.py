"""The licence as files name it: its name and where its text stands, by its identifier."""

from surveys.features.data_licence.settings import licence_of
from surveys.features.parts import ResultsPart, Terms
from surveys.models import Survey

_CREATIVE_COMMONS = "https://creativecommons.org"
_OPEN_DATA_COMMONS = "https://opendatacommons.org/licenses"
LICENCES = {
    "CC0-1.0": ("CC0 1.0 Universal", f"{_CREATIVE_COMMONS}/publicdomain/zero/1.0/"),
    "CC-BY-4.0": (
        "Creative Commons Attribution 4.0 International",
        f"{_CREATIVE_COMMONS}/licenses/by/4.0/",
    ),
    "CC-BY-SA-4.0": (
        "Creative Commons Attribution-ShareAlike 4.0 International",
        f"{_CREATIVE_COMMONS}/licenses/by-sa/4.0/",
    ),
    "CC-BY-NC-4.0": (
        "Creative Commons Attribution-NonCommercial 4.0 International",
        f"{_CREATIVE_COMMONS}/licenses/by-nc/4.0/",
    ),
    "PDDL-1.0": (
        "Open Data Commons Public Domain Dedication and License 1.0",
        f"{_OPEN_DATA_COMMONS}/pddl/1-0/",
    ),
    "ODC-By-1.0": (
        "Open Data Commons Attribution License 1.0",
        f"{_OPEN_DATA_COMMONS}/by/1-0/",
    ),
    "ODbL-1.0": (
        "Open Data Commons Open Database License 1.0",
        f"{_OPEN_DATA_COMMONS}/odbl/1-0/",
    ),
    "LicenseRef-All-Rights-Reserved": ("All rights reserved", ""),
}


class LicenceInResults(ResultsPart):
    def terms(self, survey: Survey) -> Terms | None:
        licence = licence_of(survey)
        return Terms(licence, *LICENCES[licence]) if licence else None
