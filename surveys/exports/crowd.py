"""The crowd of the latest release of a launch, with the tallies of what is asked together."""

from surveys.exceptions import SurveyError
from surveys.exports.snapshot import take_counts
from surveys.models import Launch
from surveys.results.crowd import Crowd, crowd_of, joint_keys
from surveys.results.release import release_of


class NoSuchBlockError(SurveyError):
    """A crowd has fewer blocks of questions that were measured together."""

    code = "no_such_block"


def released_crowd(launch: Launch, rung: int = 0) -> Crowd:
    """Raises MovingError where tallies are needed and the results lag behind them."""
    keys = joint_keys(launch.parameters_at(rung))
    if keys:
        return crowd_of(*take_counts(launch, rung, keys))
    return crowd_of(release_of(launch, rung), {})
