"""What respondents would be served now, before and after launch."""

from typing import Any

from surveys import wire
from surveys.exceptions import NotReadyError
from surveys.lint import lint_survey
from surveys.models import Survey
from surveys.services.launches import draft_document


def served_document(*, survey: Survey) -> dict[str, Any]:
    """The frozen parameters, or those that a draft would be frozen with; raises NotReadyError."""
    launch = survey.current_launch()
    if launch is not None:
        return launch.document
    problems = [str(finding.message) for finding in lint_survey(survey) if finding.blocks]
    if problems:
        raise NotReadyError(problems)
    document = draft_document(survey=survey)
    return {**document, "digest": wire.digest(document)}
