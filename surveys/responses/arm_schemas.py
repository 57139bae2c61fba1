"""What a response of somebody in one arm of a survey may contain; docs/protocol.md, section 15."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from surveys.exceptions import FieldError
from surveys.parameters import PAGE, Parameters, in_arm, strata_in_arm

WRONG_ARM = "Chance has put this response into another arm."


@dataclass(frozen=True, slots=True)
class ArmSchema:
    strata: Mapping[str, str]  # device -> the stratum that it has in this arm
    required: frozenset[str]  # devices with a required report

    def errors(self, reports: Iterable[str], strata: Mapping[str, Any]) -> list[FieldError]:
        """One for each report from another arm; unknown devices are another check's business."""
        return [
            FieldError(_field(name, strata), "wrong_arm", WRONG_ARM)
            for name in reports
            if name in self.strata and strata.get(name, PAGE) != self.strata[name]
        ]


def _field(name: str, strata: Mapping[str, Any]) -> str:
    return f"strata.{name}" if name in strata else f"reports.{name}"


def first_fitting(
    schemas: Sequence[ArmSchema], reports: Mapping[str, Any], strata: Mapping[str, Any]
) -> ArmSchema:
    """The first arm that a response may be of; the first of all where it is of none of them."""
    fitting = (
        schema
        for schema in schemas
        if not schema.errors(reports, strata) and schema.required.issubset(reports)
    )
    return next(fitting, schemas[0])


def required_devices(parameters: Parameters) -> frozenset[str]:
    """The devices without whose report no response is complete."""
    required = {question.id for question in parameters.questions if question.required}
    return frozenset(
        device.id for device in parameters.devices if not required.isdisjoint(device.questions)
    )


def arm_schemas(parameters: Parameters) -> dict[str, ArmSchema]:
    """By arm; none where everybody is asked alike."""
    return {
        arm.stratum: ArmSchema(
            strata=strata_in_arm(parameters, arm.stratum),
            required=required_devices(in_arm(parameters, arm.stratum)),
        )
        for arm in parameters.arms
    }
