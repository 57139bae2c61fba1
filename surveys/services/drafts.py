"""The parameters that respondents are served, before and after launch."""

from surveys.authoring.checks.survey import lint_survey
from surveys.exceptions import NotReadyError
from surveys.models import Survey
from surveys.parameters import ServedParameters, digest_of
from surveys.services.launches import draft_parameters


def parameters_to_serve(*, survey: Survey) -> ServedParameters:
    """The frozen parameters, or those that a draft would be frozen with; raises NotReadyError."""
    launch = survey.current_launch()
    if launch is not None:
        return launch.served_parameters
    problems = [str(finding.message) for finding in lint_survey(survey) if finding.blocks]
    if problems:
        raise NotReadyError(problems)
    parameters = draft_parameters(survey=survey)
    return ServedParameters(parameters, digest_of(parameters))
