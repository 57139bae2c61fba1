"""Responses by personal link: each is stored as that of the member whose link it is."""

from typing import Any

from surveys.features.parts import AnswersPart
from surveys.models import Receipt
from surveys.responses.envelope import ParsedSubmission
from surveys.services.members import store_under_link


class UnderALink(AnswersPart):
    def store(
        self,
        *,
        launch_id: int,
        parsed: ParsedSubmission,
        receipt: Receipt,
        content: dict[str, Any],
    ) -> None:
        store_under_link(launch_id=launch_id, parsed=parsed, receipt=receipt, content=content)
