"""What a launch freezes of shared devices."""

from collections.abc import Mapping, Sequence
from typing import Any

from surveys.features.parts import AuthorPart
from surveys.features.shared_device.section import NAME, SharedDevice
from surveys.features.shared_device.settings import sharing_of
from surveys.models import Question, Survey


class SharedDeviceForAuthors(AuthorPart):
    def is_used(self, survey: Survey, questions: Sequence[Question]) -> bool:
        return bool(sharing_of(survey))

    def freeze(self, survey: Survey, questions: Sequence[Question]) -> Mapping[str, Any]:
        use = sharing_of(survey)
        return {NAME: SharedDevice(always=use == "always")} if use else {}
