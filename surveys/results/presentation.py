"""A release as localized texts for templates, the same for page and summary."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from surveys import numbers
from surveys.features import FEATURES, common_texts, part_titles
from surveys.kinds import KINDS, Kind
from surveys.parameters import Parameters, Question, joint_of_all, strata_of_chance
from surveys.results.device_certificates import certificate_words
from surveys.results.devices import DeviceView, device_views
from surveys.results.findings.choice import NOTHING_CHOSEN, Choice
from surveys.results.findings.finding import Finding
from surveys.results.findings.questions import question_finding
from surveys.results.kinds.network_presentation import NetworkView, network_view
from surveys.results.kinds.number_presentation import NumberView, number_view
from surveys.results.kinds.ranking_presentation import RankingView, ranking_view
from surveys.results.kinds.text_presentation import TextView, text_view
from surveys.results.notes import note_texts
from surveys.results.release import Release
from surveys.results.shown_shares import ShownShare
from surveys.results.weighted.presentation import (
    WeightedView,
    computed_weighted,
    stored_weighted,
    weighted_views,
)
from surveys.results_document.parts import Derived, HypothesisTest
from surveys.results_document.questions import Category, QuestionResults, ScaleMean
from surveys.strength import Strength, strength_of
from surveys.strength_words import question_strength_words, tie_strength_words

# Notes on the reliability of the interval of an entropy.
DOUBTS = {"too_thin", "near_zero", "mostly_noise"}


@dataclass(frozen=True, slots=True)
class FeatureView:
    """A feature's view of a question; `shown` is what its `template` shows."""

    template: str
    shown: Any


@dataclass(frozen=True, slots=True)
class CategoryRow(ShownShare[Category]):
    true_share: float | None

    @property
    def reported(self) -> str | None:
        count = self.share.reported
        return None if count is None else numbers.count(count)

    @property
    def reported_share(self) -> str | None:
        share = self.share.reported_share
        return None if share is None else numbers.percent(share, 1)

    @property
    def truth(self) -> str | None:
        return None if self.true_share is None else numbers.percent(self.true_share, 1)

    @property
    def confidence_sequence(self) -> str:
        return numbers.percent_span(self.share.confidence_sequence, self.digits)

    @property
    def fakes(self) -> str:
        number = self.share.fakes
        return _("no number does") if number is None else numbers.count(round(number))

    @property
    def fake_weight(self) -> str:
        return numbers.fixed_decimals(self.share.fake_weight, 1)


@dataclass(frozen=True, slots=True)
class QuestionView:
    key: str  # the key of its figures, and its anchor
    name: str
    text: str
    part: str  # the title of the part of the survey that begins with it
    common: str  # the text that it has in common with others, at the first of them
    own: str  # the text without what it has in common
    kind: str
    randomized: bool
    epsilon: str | None
    delta: str | None
    ties: bool  # its epsilon is that of one tie
    strength: str  # how much a report can reveal
    together: list[str]  # the other questions that its answer was sent with
    joint_device: str | None  # the device that it shares with others
    is_paired: bool  # asked of those for whom chance picked a pair with it
    reason: str
    n: str
    suppressed: str | None
    as_good_as: str | None
    several: bool
    rows: list[CategoryRow]
    has_truth: bool
    has_reported: bool
    mean: str | None
    number: NumberView | None
    texts: TextView | None
    ranking: RankingView | None
    network: NetworkView | None
    entropy: str | None
    agreement: str | None
    notes: list[str]
    certificate: list[str]
    searched: bool
    devices: list[DeviceView]
    weighted: WeightedView | None
    by_chance: bool  # chance has chosen who has which of its devices
    features: list[FeatureView]
    finding: Finding


def question_views(release: Release, choice: Choice = NOTHING_CHOSEN) -> list[QuestionView]:
    truths = release.launch.survey.simulated_truth or {}
    questions = release.content.questions if release.content else []
    parameters = release.launch.told
    weighted = weighted_views(release)
    stored = computed_weighted(stored_weighted(release)) if choice.weighted else None
    by_id = {question.id: question for question in questions}
    names = [question.id for question in questions]
    begun = _parts_begun(names, part_titles(parameters))
    common = _parts_begun(names, common_texts(parameters))
    return [
        replace(
            _question(question, truth, parameters, finding),
            part=begun.get(question.id, ""),
            common=common.get(question.id, ""),
            weighted=weighted.get(question.id),
            features=feature_views(question, by_id, parameters),
        )
        for question in questions
        for truth in [truths.get(question.id)]
        for own in [stored.questions.get(question.id) if stored else None]
        for finding in [question_finding(question, parameters, choice, own, truth)]
    ]


def _parts_begun(names: Sequence[str], titles: Mapping[str, str]) -> dict[str, str]:
    """Return the title of each part of a survey, by the first question of it that has results."""
    parts = [titles.get(name, "") for name in names]
    pairs = zip(names, parts, ["", *parts], strict=False)
    return {name: part for name, part, before in pairs if part != before}


def feature_views(
    question: QuestionResults, others: Mapping[str, QuestionResults], parameters: Parameters
) -> list[FeatureView]:
    shown = {
        name: feature.results.question_context(question, others, parameters)
        for name, feature in FEATURES.items()
    }
    return [
        FeatureView(f"features/{name}/question.html", context)
        for name, context in shown.items()
        if context is not None
    ]


def _question(
    question: QuestionResults,
    truth: Sequence[float] | None,
    parameters: Parameters,
    finding: Finding,
) -> QuestionView:
    rows = _rows(question, truth)
    kind = KINDS.get(question.kind)
    frozen_question = parameters.question(question.id)
    return QuestionView(
        key=question.id,
        name=question.id,
        text=question.text,
        part="",
        common="",
        own=frozen_question.text,
        kind=str(kind.label) if kind else question.kind,
        randomized=question.randomized,
        epsilon=numbers.epsilon(question.epsilon) if question.epsilon else None,
        delta=numbers.decimal(question.delta) if question.delta != "0" else None,
        ties=bool(kind and kind.about_members),
        strength=_strength_words(kind, frozen_question, parameters),
        together=_together(question, parameters),
        joint_device=question.joint_device,
        is_paired=question.joint_device is None
        and any(device.margin for device in question.devices),
        reason=frozen_question.reason,
        n=numbers.count(question.n or question.suppressed),
        suppressed=_suppressed_text(question),
        as_good_as=_effective_n_text(question),
        several=bool(kind and kind.several),
        rows=rows,
        has_truth=bool(rows) and truth is not None,
        has_reported=bool(rows) and question.categories[0].reported is not None,
        mean=_mean(question.mean or None),
        number=number_view(question, truth),
        texts=text_view(question),
        ranking=ranking_view(question, truth),
        network=network_view(question, truth),
        entropy=_entropy(question.entropy or None),
        agreement=_agreement(question.agreement or None),
        notes=note_texts(question.notes),
        certificate=certificate_words(question),
        searched=any(device.search for device in parameters.devices_of(frozen_question)),
        devices=device_views(question),
        weighted=None,
        by_chance=bool(strata_of_chance(parameters)),
        features=[],
        finding=finding,
    )


def _rows(question: QuestionResults, truth: Sequence[float] | None) -> list[CategoryRow]:
    rows, digits = question.categories, numbers.common_digits(question.categories)
    shares: Sequence[float | None] = truth or [None] * len(rows)
    return [
        CategoryRow(row.label, row, digits, share)
        for row, share in zip(rows, shares, strict=bool(rows))
    ]


def _strength_words(kind: Kind | None, question: Question, parameters: Parameters) -> str:
    strength = _strength(question, parameters)
    if kind and kind.about_members:
        return tie_strength_words(strength)
    return question_strength_words(strength)


def _strength(question: Question, parameters: Parameters) -> Strength:
    """How much the reports on one question reveal of it, also where they are on others as well."""
    strength = strength_of(parameters.devices_of(question))
    return replace(strength, questions=min(strength.questions, 1))


def _together(question: QuestionResults, parameters: Parameters) -> list[str]:
    """The names of the other questions of its joint device."""
    shared = joint_of_all(parameters)
    names = [
        name for device in shared if device.id == question.joint_device for name in device.questions
    ]
    return [name for name in names if name != question.id]


def _suppressed_text(question: QuestionResults) -> str | None:
    """The number of suppressed reports of a question with estimates, as text; else None."""
    if not question.suppressed or not question.n:
        return None
    return numbers.count(question.suppressed)


def _effective_n_text(question: QuestionResults) -> str | None:
    """The number of direct answers with the same precision; None if no precision is lost."""
    size = question.effective_n
    if not isinstance(size, float) or not question.randomized:
        return None
    return numbers.count(max(1, round(size)))


def _mean(mean: ScaleMean | None) -> str | None:
    if mean is None:
        return None
    low, high = mean.interval
    width = None if low is None or high is None else high - low
    if width is not None and width >= mean.reach:
        return _("Mean score: too few answers to say anything")
    digits = numbers.digits_of_error(mean.standard_error)
    values = {
        "mean": numbers.fixed_decimals(mean.value, digits),
        "interval": numbers.span(mean.interval, digits),
        "lowest": numbers.count(mean.lowest),
        "highest": numbers.count(mean.highest),
    }
    return (
        _("Mean score %(mean)s, 95 %% interval %(interval)s, from %(lowest)s to %(highest)s")
        % values
    )


def _entropy(entropy: Derived | None) -> str | None:
    if entropy is None:
        return None
    digits = min(numbers.digits_of_error(entropy.standard_error), 3)
    words = _("%(value)s bits, 95 %% interval %(interval)s.") % {
        "value": numbers.fixed_decimals(entropy.value, digits),
        "interval": numbers.span(entropy.interval, digits),
    }
    return " ".join([words, *note_texts(sorted(DOUBTS & set(entropy.notes)))])


def _agreement(test: HypothesisTest | None) -> str | None:
    """The test whether the devices of a question agree, in words."""
    if test is None:
        return None
    freedom = round(test.degrees_of_freedom or 0)
    words = ngettext(
        "%(p)s, %(freedom)s degree of freedom", "%(p)s, %(freedom)s degrees of freedom", freedom
    )
    return words % {"p": numbers.p_value(test.p_value), "freedom": numbers.count(freedom)}
