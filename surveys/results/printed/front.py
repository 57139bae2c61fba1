"""The title page and the method of a printed summary, in words."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.features import FEATURES
from surveys.moments import moment_text
from surveys.parameters import Parameters
from surveys.results.facts import epsilon_of, left_out_of, waves_of
from surveys.results.findings.choice import Choice
from surveys.results.presentation import QuestionView
from surveys.results.release import Release
from surveys.results.weighted.presentation import WeightingView


def lead_of(release: Release, questions: Sequence[QuestionView]) -> list[str]:
    sentences = []
    if any(question.randomized for question in questions):
        sentences.append(
            _(
                "These are the results of a survey in which chance scrambled the answers to "
                "sensitive questions on the respondents' own devices, before anything was sent. "
                "What a single person answered cannot be told from them for certain, not even by "
                "the author. How often each answer was given can be told, within the limits that "
                "stand here."
            )
        )
    else:
        sentences.append(_("These are the results of a survey."))
    for feature in FEATURES.values():
        sentences += feature.results.printed(release)
    if release.launch.survey.simulated_truth:
        sentences.append(_("Simulated respondents are in these results, and their truth is drawn."))
    left_out = left_out_of(release)
    if left_out and left_out["withheld"]:
        sentences.append(
            _(
                "Too few people are alike in which questions they answered, so nothing is shown "
                "about several answers of a person together: it could be subtracted from other "
                "numbers."
            )
        )
    elif left_out:
        text = _(
            "%(n)s of these people are in the results of single questions only, so that no two "
            "numbers differ by a few people."
        )
        sentences.append(text % {"n": left_out["people"]})
    return sentences


def facts_of(release: Release, choice: Choice) -> list[tuple[str, str]]:
    parameters, launch = release.parameters, release.launch
    facts = [
        (_("People in the results"), numbers.count(release.responses)),
        *[(_("Wave %s") % wave["wave"], _wave(wave)) for wave in waves_of(release)],
        (_("Launched"), moment_text(launch.launched_at)),
        (_("Last computed"), moment_text(release.computed_at) if release.computed_at else ""),
        (_("Privacy budget"), _budget(release)),
    ]
    if parameters.population == "fixed":
        facts.append((_("Whom the results are about"), _("exactly the people who answered")))
    elif parameters.population:
        facts.append(
            (_("Whom the results are about"), _("a population they are a sample of")),
        )
    if choice.has_weights:
        shown = _("weighted") if choice.weighted else _("not weighted")
        facts.append((_("Numbers"), shown))
    facts.append((_("Digest of the frozen parameters"), launch.digest))
    own = launch.digest_at(release.step)
    if own != launch.digest:
        name = _("Digest of the parameters of these results, in their downloads")
        facts.append((name, own))
    return facts


def _wave(wave: dict[str, Any]) -> str:
    if wave["is_newest"]:
        text = _(
            "Wave %(wave)s: %(people)s people answered it; ε = %(epsilon)s with all waves before."
        )
    else:
        text = _(
            "Wave %(wave)s: %(people)s people answered it and no later one; ε = %(epsilon)s up to "
            "it."
        )
    return text % wave


def _budget(release: Release) -> str:
    found = epsilon_of(release) or {}
    words = _("ε = %(spent)s of %(declared)s used by the questions") % found
    if "delta" in found:
        words += f", δ = {found['delta']}"
    if release.parameters.members:
        more = _(
            "A question about the members counts with what it reveals of one tie (edge level)."
        )
        words += f". {more}"
    return words


# --- the method ---------------------------------------------------------------------------------


def reading_of(*, has_truth: bool) -> str:
    words = _(
        "In the figures the dot is the estimate, the thin line the 95 % interval and the thick "
        "line the 50 % interval. Shaded parts of an axis are those where no share can lie."
    )
    if has_truth:
        words += " " + _("The upright stroke is the simulated truth.")
    return words


def method_of(parameters: Parameters, weighting: WeightingView | None) -> list[tuple[str, str]]:
    entries = [*_of_devices(), *_of_estimates(parameters)]
    if weighting is not None and weighting.weights is not None:
        entries.append((_("Weights"), _weights(weighting)))
    words = _(
        "A fingerprint of everything that was frozen at launch. The browsers of the "
        "respondents checked it before they asked anything; the downloads carry the same."
    )
    return [*entries, (_("Digest"), words)]


def _of_devices() -> Iterator[tuple[str, str]]:
    yield (
        _("Scrambled"),
        _(
            "Chance decided, by a known rule, whether an answer was sent as it is or as "
            "another one. One sent answer proves nothing. Of many, the rule tells how often "
            "each real answer was given."
        ),
    )
    yield (
        _("Epsilon"),
        _(
            "The smaller ε is, the less a sent answer can reveal, and the wider the interval. "
            "From ε, anybody can compute by how much a sent answer can change what one "
            "believes about a person: the odds change at most by the factor e to the power "
            "of ε."
        ),
    )


def _of_estimates(parameters: Parameters) -> Iterator[tuple[str, str]]:
    about = (
        _("It is about exactly the people who answered, so it covers only what chance did.")
        if parameters.population == "fixed"
        else _("It covers both who took part and what chance did.")
    )
    covers = _("Over many surveys like this one, 95 of 100 such intervals contain the true share.")
    digits = _("A digit that the interval does not carry is not shown.")
    yield _("Interval"), " ".join([covers, about, digits])
    yield (
        _("Below 0 %"),
        _(
            "An estimate is right on average, and may fall below 0 % or above 100 % by chance. "
            "Then it is shown as it is."
        ),
    )
    words = _(
        "Nothing is shown of fewer than %(threshold)s people, and small groups are put "
        "together, so that nobody can be singled out among a few."
    )
    yield _("Few people"), words % {"threshold": numbers.count(parameters.release_threshold)}


def _weights(weighting: WeightingView) -> str:
    weights = weighting.weights
    if weights is None:
        return ""
    words = _(
        "Weighted to the declared margins: as good as n = %(n)s (design effect %(effect)s)."
    ) % {"n": weights.effective_n, "effect": weights.design_effect}
    if weights.earlier:
        more = _("Computed from the first %(n)s responses; it follows when a tenth more have come.")
        words += " " + more % {"n": weights.earlier}
    return words
