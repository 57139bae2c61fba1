"""What the definition of a survey says of a feature: what its author has set.

The rooms are imported for type checkers only: features stand above them all.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from surveys.features.settings import WithFeatures, read_settings, write_settings

if TYPE_CHECKING:
    import msgspec

    from surveys.models import Question, Survey


class DefinitionPart:
    """`survey_type`, `question_type`: what can be set; None where nothing can.

    The values that are not set are None, and a definition leaves them out.
    """

    survey_type: Any = None
    question_type: Any = None

    def of_survey(self, survey: "Survey") -> Any:
        """Return what is set of a survey; None where nothing is."""
        return None

    def of_question(self, question: "Question") -> Any:
        """Return what is set of a question; None where nothing is."""
        return None

    def set_of_survey(self, survey: "Survey", value: Any) -> None:
        """Set it of a stored survey, which is stored again after that."""

    def set_of_question(self, question: "Question", value: Any) -> None:
        """Set it of a question, which is stored after that."""

    def still_missing(self, survey: "Survey") -> "Iterable[str]":
        """Return what the author of a draft made of a definition has to add, as none says it."""
        return ()


class SettingsInDefinition(DefinitionPart):
    """That of a feature of which all that is set stands in its settings, under its name."""

    def __init__(
        self,
        name: str,
        *,
        survey: "type[msgspec.Struct] | None" = None,
        question: "type[msgspec.Struct] | None" = None,
    ) -> None:
        self.name, self.survey_type, self.question_type = name, survey, question

    def of_survey(self, survey: "Survey") -> Any:
        return self._of(survey, self.survey_type)

    def of_question(self, question: "Question") -> Any:
        return self._of(question, self.question_type)

    def set_of_survey(self, survey: "Survey", value: Any) -> None:
        write_settings(survey, self.name, value)

    def set_of_question(self, question: "Question", value: Any) -> None:
        write_settings(question, self.name, value)

    def _of(self, holder: WithFeatures, of: "type[msgspec.Struct] | None") -> Any:
        if of is None:
            return None
        settings = read_settings(holder.features, self.name, of)
        return None if settings == of() else settings
