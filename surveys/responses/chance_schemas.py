"""The schemas of responses from a stratum of chance; docs/protocol.md, section 15."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from surveys.exceptions import FieldError
from surveys.parameters import PAGE, Parameters, in_stratum, strata_of_devices
from surveys.parameters.chance_strata import feature_of_strata


@dataclass(frozen=True, slots=True)
class ChanceSchema:
    strata: Mapping[str, str]  # device -> the stratum that it has for these people
    required: frozenset[str]  # devices with a required report
    wrong: tuple[str, str]  # code and message for a report to another stratum

    def errors(self, reports: Iterable[str], strata: Mapping[str, Any]) -> list[FieldError]:
        """Return an error for each report to another stratum; unknown devices are no error."""
        return [
            FieldError(_field(name, strata), *self.wrong)
            for name in reports
            if name in self.strata and strata.get(name, PAGE) != self.strata[name]
        ]


def _field(name: str, strata: Mapping[str, Any]) -> str:
    return f"strata.{name}" if name in strata else f"reports.{name}"


def first_fitting(
    schemas: Sequence[ChanceSchema], reports: Mapping[str, Any], strata: Mapping[str, Any]
) -> ChanceSchema:
    """Return the first that a response fits; the first of all where it fits none of them."""
    fitting = (
        schema
        for schema in schemas
        if not schema.errors(reports, strata) and schema.required.issubset(reports)
    )
    return next(fitting, schemas[0])


def required_devices(parameters: Parameters) -> frozenset[str]:
    """Return the devices without whose report no response is complete."""
    required = {question.id for question in parameters.questions if question.required}
    return frozenset(
        device.id for device in parameters.devices if not required.isdisjoint(device.questions)
    )


def chance_schemas(parameters: Parameters) -> dict[str, ChanceSchema]:
    """Return a schema for each stratum of chance; none where everybody is asked alike."""
    feature = feature_of_strata(parameters)
    if feature is None:
        return {}
    return {
        stratum: ChanceSchema(
            strata=strata_of_devices(parameters, stratum),
            required=required_devices(in_stratum(parameters, stratum)),
            wrong=feature.document.wrong_stratum,
        )
        for stratum in feature.document.strata(parameters)
    }
