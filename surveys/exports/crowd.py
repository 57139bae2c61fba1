"""The crowd of the latest release of a launch, with the tallies of what is asked together."""

from collections.abc import Mapping

from surveys.exceptions import SurveyError
from surveys.exports.snapshot import MOVING, MovingError, take_counts
from surveys.models import Launch
from surveys.responses.pair_counts import ALL_PAIRS
from surveys.responses.spaces import Counts
from surveys.results.crowd.distribution import Crowd, crowd_of, joint_keys
from surveys.results.release import DeviceKey, Release, release_of
from surveys.results.release_bases import tallies_of_base


class NoSuchBlockError(SurveyError):
    """A crowd has fewer blocks of questions that were measured together."""

    code = "no_such_block"


def released_crowd(launch: Launch, step: int = 0) -> Crowd:
    """Raises MovingError where tallies are needed and the results lag behind them."""
    keys = joint_keys(launch.parameters_at(step))
    if not keys:
        return crowd_of(release_of(launch, step), {})
    release, counts = take_counts(launch, step, keys)
    return crowd_of(release, {**counts, **_pairs_of_base(release, counts)})


def _pairs_of_base(release: Release, counts: Mapping[DeviceKey, Counts]) -> dict[DeviceKey, Counts]:
    """The tallies of all pairs, of the people whom the joint numbers of the release are about.

    Raises MovingError if the reports of those who are left out may be of another moment.
    """
    launch = release.launch
    launches = [launch, *(wave for wave in launch.waves() if wave.pk != launch.pk)]
    waves = []
    for wave in launches:
        key = (launch.source_of(wave.wave), *ALL_PAIRS)
        waves.append((wave, {ALL_PAIRS: counts[key]} if key in counts else {}))
    of_base = tallies_of_base(release.base, waves, release.step)
    launch.refresh_from_db(fields=["revision"])
    if launch.revision != release.revision:
        raise MovingError(MOVING)
    return {
        # Where no base keeps the rule there are no pairs at all.
        (launch.source_of(wave.wave), *ALL_PAIRS): tally.get(ALL_PAIRS, {})
        for wave, tally in zip(launches, of_base, strict=True)
    }
