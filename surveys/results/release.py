"""The released results of a launch: the one place that applies the release threshold.

Pages, figures, downloads and the summary take their numbers from a Release only.
The results document already leaves out strata and tables of too few people. The threshold is
applied again here, where every number passes, so that a statistic that forgets it is not shown.
"""

from dataclasses import dataclass
from datetime import datetime

from msgspec.structs import replace

from surveys.features import FEATURES
from surveys.models import Launch, Result
from surveys.parameters import Parameters, keys_asked_directly
from surveys.results.described import Base, base_of_json
from surveys.results.in_language import results_in_language
from surveys.results_document.document import Results, is_readable, read_results
from surveys.results_document.questions import QuestionResults
from surveys.results_document.withholding import above_threshold

EVERYBODY = Base()
# The source of a device (empty for this launch), its id and its stratum.
DeviceKey = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Release:
    """The released part of a result; `content` is None if nothing is released."""

    launch: Launch
    step: int  # that of the readers whose results these are, from 0; where all read alike 0
    threshold: int
    responses: int
    revision: int
    computed_at: datetime | None
    computing: bool  # enough responses are aggregated, and the worker is computing the result
    content: Results | None
    # The devices whose single reports are shown to nobody: those with too few, and those of people
    # who are asked something sensitive directly.
    suppressed: frozenset[DeviceKey]
    digest: str  # digest of the result before the threshold was applied
    base: Base = EVERYBODY  # whom the numbers about several answers together are about

    @property
    def parameters(self) -> Parameters:
        """The parameters that these results rest on, in the language of the readers."""
        return self.launch.parameters_at(self.step)

    def waves(self) -> list[tuple[str, Parameters]]:
        """The parameters of each source of its reports, those of this launch last."""
        launch = self.launch
        if launch.wave == 1:
            return [("", self.parameters)]
        return [
            (launch.source_of(wave.wave), wave.parameters_at(self.step))
            for wave in launch.told_waves()
        ]

    def counts(self) -> dict[DeviceKey, tuple[int, ...]]:
        """How often each report came in, of the devices whose single reports are shown."""
        return {
            device.key: device.counts
            for question in (self.content.questions if self.content else ())
            for device in question.devices
            if device.counts is not None and device.key not in self.suppressed
        }


def release_of(launch: Launch, step: int = 0) -> Release:
    """Apply the threshold to the latest result: to the survey, and to each question in it.

    Its texts are in the language of the launch's readers.

    Who names no step gets the lowest, which tells least.
    """
    result = Result.objects.filter(launch=launch, step=step).first()
    threshold = launch.parameters.release_threshold
    responses, revision = (result.responses, result.revision) if result else (0, 0)
    computed_at = result.computed_at if result else None
    enough = min(responses, launch.in_tallies()) >= threshold
    if result is None or not is_readable(result.content) or not enough:
        nothing = (None, _directly(launch.parameters), "")
        return Release(launch, step, threshold, responses, revision, computed_at, enough, *nothing)
    content = _apply_threshold(read_results(result.content), threshold)
    content = results_in_language(content, launch)
    return Release(
        launch,
        step,
        threshold,
        responses,
        revision,
        computed_at,
        False,
        content,
        _suppressed_devices(content) | _directly(launch.parameters),
        result.digest,
        base_of_json(result.base),
    )


def _directly(parameters: Parameters) -> frozenset[DeviceKey]:
    """The devices of sensitive questions asked directly: such a survey has one launch."""
    return frozenset(("", *key) for key in keys_asked_directly(parameters))


def _apply_threshold(content: Results, threshold: int) -> Results:
    """Return the results with questions and tables of too few people withheld, joint ones too."""
    return replace(
        content,
        questions=tuple(_question(question, threshold) for question in content.questions),
        tables=tuple(above_threshold(table, threshold) for table in content.tables),
        joint=tuple(above_threshold(each, threshold) for each in content.joint),
    )


def _question(question: QuestionResults, threshold: int) -> QuestionResults:
    question = above_threshold(question, threshold)
    for feature in FEATURES.values():
        question = feature.results.above_threshold(question, threshold)
    return question


def _suppressed_devices(content: Results) -> frozenset[DeviceKey]:
    alone = {
        device.key
        for question in content.questions
        for device in question.devices
        if device.counts is None
    }
    return frozenset(alone).union(
        (stratum.source, each.id, stratum.stratum)
        for each in content.joint
        for stratum in each.strata
        if each.suppressed and (not each.n or stratum.n < content.release_threshold)
    )
