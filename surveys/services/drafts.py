"""The parameters that respondents are served, before and after launch."""

from surveys.models import Survey
from surveys.parameters import ServedParameters, digest_of
from surveys.services.launches import launchable_parameters


def parameters_to_serve(*, survey: Survey) -> ServedParameters:
    """The frozen parameters, or those that a draft would be frozen with; raises NotReadyError."""
    launch = survey.current_launch()
    if launch is not None:
        return launch.served_parameters
    parameters = launchable_parameters(survey=survey)
    return ServedParameters(parameters, digest_of(parameters))
