"""The findings of arms: whether people answer differently where they are asked in another way.

Each arm counts by itself, and what is said of it rests on its released counts alone. The people who
are asked directly are in no other number of the results.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from msgspec.structs import replace

import rr_engine
from rr_engine.distributions import normal_isf
from surveys.engine_words import EngineError
from surveys.features.arms.presentation import ALPHA, FOCAL, TWO, ArmsView, arms_view
from surveys.features.arms.results_section import (
    Arm,
    ArmDifference,
    ArmsOfQuestion,
    Cheating,
    Comparison,
)
from surveys.features.arms.section import NAME, arms_of
from surveys.features.parts import ResultsPart
from surveys.kinds import KINDS
from surveys.kinds.estimates import LEVELS, codes, ends, error_beside, number, share_of, statistic
from surveys.kinds.estimation_inputs import Input, Stratum
from surveys.kinds.one_answer import DISAGREE
from surveys.parameters import EVERYBODY, PAGE, Parameters, Question
from surveys.results.launch_strata import Source, direct_strata, strata_of
from surveys.results_document.devices import UsedDevice
from surveys.results_document.parts import Notes, Share
from surveys.results_document.questions import QuestionResults

# With this chance a test at the level of ALPHA finds the difference that is stated where none was.
POWER = 0.8


@dataclass(frozen=True, slots=True, eq=False)
class ArmReports:
    """The people of one arm who have answered a question; `share`: of how many in a hundred.

    `waiting`: how many more have, whose answers are not shown yet.
    """

    stratum: Stratum
    share: int
    waiting: int
    is_released: bool

    @property
    def reports(self) -> Input:
        return self.stratum.inputs[0]

    @property
    def directly(self) -> bool:
        return self.reports.device.direct

    def estimate(self) -> rr_engine.Estimate:
        """The shares as of a sample: chance has drawn who is in which arm."""
        return rr_engine.estimate(self.reports.design, self.reports.counts)


class ArmsInResults(ResultsPart):
    question_sections = {NAME: ArmsOfQuestion}
    notes = {
        "arms_differ": _(
            "People whom chance has had asked in another way gave other answers than the rest; by "
            "chance such a difference is found in at most 1 of 100 surveys. “Ways of asking” below "
            "has the numbers."
        ),
    }

    def of_question(
        self,
        found: QuestionResults,
        question: Question,
        parameters: Parameters,
        sources: Sequence[Source],
    ) -> QuestionResults:
        # A survey that chance divides has one launch.
        arms = arm_results(question, parameters, sources[0]) if arms_of(parameters) else None
        if arms is None:
            return found
        return replace(found, arms=arms, notes=arm_notes(found.notes, arms))

    def above_threshold(self, question: QuestionResults, threshold: int) -> QuestionResults:
        few = {arm.stratum for arm in question.section(NAME) or () if 0 < arm.n < threshold}
        if not few:
            return question
        devices = tuple(
            replace(device, counts=None) if device.stratum in few else device
            for device in question.devices
        )
        return replace(question, devices=devices, arms=None)

    def device_heading(self, question: QuestionResults, device: UsedDevice) -> str:
        strata = {arm.stratum for arm in question.section(NAME) or ()} - {PAGE}
        in_split = device.stratum in strata
        return gettext("The page's device in the split sample") if in_split else ""

    def question_context(
        self,
        question: QuestionResults,
        others: Mapping[str, QuestionResults],
        parameters: Parameters,
    ) -> ArmsView | None:
        return arms_view(question, parameters)


def arm_results(question: Question, parameters: Parameters, source: Source) -> ArmsOfQuestion:
    """Return what the arms of a question found, the page's first; None of one without arms."""
    arms = _arms(question, parameters, source) if question.randomized else []
    if len(arms) < TWO:
        return None
    return tuple(_found(question, arm, arms, source.people) for arm in arms)


def arm_notes(notes: Iterable[str], arms: Iterable[Arm]) -> Notes:
    """The notes of a question: chance, not the people, has chosen who has which device."""
    others = set(notes) - {"strata_disagree"}
    p_values = [arm.comparison.p_value for arm in arms if arm.comparison]
    differ = any(p is not None and p < DISAGREE for p in p_values)
    return tuple(sorted(others | ({"arms_differ"} if differ else set())))


def _arms(question: Question, parameters: Parameters, source: Source) -> list[ArmReports]:
    """The arms that the question has devices for; in any other it is asked as on the page."""
    everybody = [*strata_of(question, source), *direct_strata(question, source)]
    strata = {stratum.name: stratum for stratum in everybody}
    shares = {arm.stratum: arm.share for arm in arms_of(parameters) if arm.stratum in strata}
    shares[PAGE] = EVERYBODY - sum(share for name, share in shares.items() if name != PAGE)
    threshold = max(parameters.release_threshold, 1)
    return [
        ArmReports(
            stratum=strata[name],
            share=share,
            waiting=source.waiting.get(strata[name].inputs[0].device.key, 0),
            is_released=strata[name].n >= threshold,
        )
        for name, share in shares.items()
    ]


def _found(question: Question, arm: ArmReports, arms: Sequence[ArmReports], people: int) -> Arm:
    device, n = arm.reports.device, arm.stratum.n
    scrambled = [other for other in arms if not other.directly]
    asked = people - sum(other.stratum.n for other in scrambled) - arm.waiting
    # With two direct arms, nothing tells in which of them somebody left the question out.
    alone = arm.directly and len(arms) - len(scrambled) == 1
    is_asked_known = alone and arm.is_released and question.required and asked >= n
    return Arm(
        stratum=device.stratum,
        share=arm.share,
        directly=arm.directly,
        epsilon=device.epsilon,
        n=n if arm.is_released else 0,
        suppressed=0 if arm.is_released else n,
        waiting=arm.waiting,
        asked=asked if is_asked_known else None,
        categories=_shares(arm.estimate()) if arm.is_released else (),
        comparison=_comparison(question, arm, arms),
    )


def _shares(estimate: rr_engine.Estimate) -> tuple[Share, ...]:
    intervals = estimate.interval(LEVELS[0], method="default")
    rows = zip(estimate.proportions, estimate.standard_errors, intervals, strict=True)
    return tuple(Share(**share_of(*row)) for row in rows)


def _comparison(
    question: Question, arm: ArmReports, arms: Sequence[ArmReports]
) -> Comparison | None:
    """A direct arm beside all whose answers are scrambled, a split sample beside the page.

    None for the page itself, and where either side has too few people.
    """
    others = [
        other
        for other in arms
        if other.is_released and not other.directly and (arm.directly or other is arms[0])
    ]
    if arm is arms[0] or not arm.is_released or not others:
        return None
    try:
        return _compare(question, arm, others)
    except EngineError:
        return None


def _compare(question: Question, arm: ArmReports, others: Sequence[ArmReports]) -> Comparison:
    designs = [other.reports.design for other in others]
    counts = [other.reports.counts for other in others]
    difference = rr_engine.estimate_difference(
        rr_engine.estimate_strata(designs, counts), arm.estimate()
    )
    test, own = difference.score_test(), (arm.reports.design, arm.reports.counts)
    opposites, tests = KINDS[question.kind].opposites, test.p_values.tolist()
    # A split sample is tested for all answers at once.
    focal = FOCAL if opposites and (arm.directly or len(tests) == TWO) else None
    homogeneity = None
    if arm.directly:
        # With several answers, any may differ: the smallest p counts as often as there are answers.
        times = len(tests) if len(tests) > TWO else 1
        p_value = min(1.0, times * min(tests)) if focal is None else tests[focal]
    else:
        agreement = rr_engine.compliance.homogeneity_test([*designs, own[0]], [*counts, own[1]])
        homogeneity, p_value = statistic(agreement), agreement.p_value
    return Comparison(
        others=tuple(other.stratum.name for other in others),
        focal=focal,
        differences=_differences(difference, test),
        homogeneity=homogeneity,
        p_value=number(p_value),
        cheating=_cheating([*others, arm]) if opposites and not arm.directly else None,
    )


def _differences(
    difference: rr_engine.estimation.Difference, test: rr_engine.estimation.ScoreTest
) -> tuple[ArmDifference, ...]:
    """Return for each answer the others' share less the arm's, and what would have been found."""
    z = normal_isf(ALPHA / 2) + normal_isf(1 - POWER)
    intervals = [ends(interval) for interval in difference.interval(LEVELS[0])]
    return tuple(
        ArmDifference(
            others=number(difference.first.proportions[index]),
            difference=number(difference.values[index]),
            standard_error=error_beside(intervals[index], error),
            interval=intervals[index],
            statistic=number(test.statistics[index]),
            p_value=number(test.p_values[index]),
            detectable=number(z * error) if error > 0 else None,
        )
        for index, error in enumerate(difference.standard_errors.tolist())
    )


def _cheating(arms: Sequence[ArmReports]) -> Cheating | None:
    """How many send no, whatever the device draws; None where the devices cannot tell."""
    if not all(arm.reports.named and len(arm.reports.counts) == TWO for arm in arms):
        return None
    try:
        found = rr_engine.compliance.cheating_share(
            [arm.reports.design for arm in arms],
            [arm.reports.counts for arm in arms],
            level=LEVELS[0],
        )
    except EngineError:
        return None
    return Cheating(
        share=number(found.cheaters),
        standard_error=number(sqrt(found.covariance[-1, -1])),
        interval=ends(found.intervals[-1]),
        maximum_likelihood=number(found.maximum_likelihood[-1]),
        statistic=number(found.statistic),
        p_value=number(found.p_value),
        notes=codes(found.notes),
    )
