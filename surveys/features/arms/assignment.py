"""The arm of a response: chance, as a keyed function of its id, so that nothing is kept of it.

docs/decisions/0042-arms.md.
"""

import uuid
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import accumulate

from surveys.exceptions import StaleDigestError, UnusedFeatureError
from surveys.features.arms.section import Arm, arms_of
from surveys.features.parts import AnswersPart
from surveys.models import Launch, Survey
from surveys.models.launch import InForce, parameters_of
from surveys.parameters import EVERYBODY, Parameters
from surveys.responses.envelope import Draw
from surveys.services.keyed_hashes import keyed_hashes


class ArmOfAResponse(AnswersPart):
    def strata_of(
        self, parameters: Parameters, digest: str, submission: uuid.UUID
    ) -> tuple[str, ...]:
        return possible_arms(digest, submission, arms_of(parameters))

    def cut_off(self, before: datetime) -> Iterator[tuple[str, str]]:
        # Only browsers know that somebody has begun.
        open_ones = Launch.objects.filter(
            survey__state=Survey.State.OPEN, launched_at__lt=before
        ).select_related("survey")
        for launch in open_ones.iterator(chunk_size=100):
            if launch.is_newest() and arms_of(launch.parameters):
                yield launch.survey.slug, "whoever has begun to answer may be refused (arms)"


def arm_of(*, launch: InForce, draw: Draw) -> str:
    """The arm of a response to the launch in force, whether it was sent already or not.

    Raises StaleDigestError, and UnusedFeatureError where everybody is asked alike.
    """
    if draw.digest != launch.digest:
        raise StaleDigestError("The survey's parameters are not those of this response.")
    arms = arms_of(parameters_of(launch.digest))
    if not arms:
        raise UnusedFeatureError("Everybody is asked alike in this survey.", code="no_arms")
    return assigned_arm(draw.digest, draw.submission, arms)


def longest_arm(digest: str) -> int:
    """The characters of the longest name of an arm of these parameters."""
    return max(len(arm.stratum) for arm in arms_of(parameters_of(digest)))


def assigned_arm(digest: str, submission: uuid.UUID, arms: Sequence[Arm]) -> str:
    """The arm that a response is put into, the same whenever it is asked for."""
    return possible_arms(digest, submission, arms)[0]


def possible_arms(digest: str, submission: uuid.UUID, arms: Sequence[Arm]) -> tuple[str, ...]:
    """The arms that a response may have been put into, that under the newest key first.

    There is more than one only while the server's key is being replaced.
    """
    hashes = keyed_hashes("candor.arm", f"{digest} {submission}")
    # The remainder of 256 bits prefers no number by more than one part in 10^74.
    return tuple(dict.fromkeys(arm_at(int(each, 16) % EVERYBODY, arms) for each in hashes))


def arm_at(number: int, arms: Sequence[Arm]) -> str:
    """The arm at one of the numbers below a hundred, which are dealt out by the shares."""
    bounds = accumulate(arm.share for arm in arms)
    return next(arm.stratum for arm, bound in zip(arms, bounds, strict=True) if number < bound)
