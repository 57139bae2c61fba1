"""The accuracy and protection of an epsilon in words, for the panel and the budget bar."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _

from surveys import numbers
from surveys.authoring.networks.figures import NetworkGuess, network_figures, plain_figures
from surveys.authoring.networks.panel import network_frequencies, network_problem, network_words
from surveys.authoring.panel.number_words import mean_margin, number_words
from surveys.authoring.panel.text_words import text_figures, text_frequencies, text_texts
from surveys.authoring.panel.total_words import total_words
from surveys.authoring.planning.figures import epsilon_panel
from surveys.devices import draft_channel, family_of, question_epsilon_total
from surveys.devices.registry import physical_device_of, planning_prior
from surveys.drafts import AskedQuestion, Draft
from surveys.engine_words import EngineError, refusal, refusal_words
from surveys.features import FEATURES, Feature
from surveys.features.parts import Selection
from surveys.kinds import categories, kind_of, option_labels
from surveys.parameters import coded
from surveys.parameters.budget import text_of
from surveys.parameters.exact import report_codes
from surveys.strength import hundredths
from surveys.strength_words import question_words

MOST_RESPONDENTS = 10_000_000
# Bases of natural frequencies: the smallest in which every report has a positive count is used.
_CROWDS = (100, 1_000, 10_000)


@dataclass(frozen=True, slots=True)
class Panel:
    """Figures as numbers, texts for readers, or the error of the draft.

    `sections`: tables below the texts, with what is to be said about them.
    """

    figures: dict[str, Any] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    error: str = ""
    sections: list[dict[str, Any]] = field(default_factory=list)

    @property
    def feature_texts(self) -> dict[str, str]:
        """The texts of features on the question, by the names of the features."""
        return {feature.name: self.texts.get(feature.name, "") for feature in _with_texts()}


def panel_of(
    *,
    draft: AskedQuestion | Draft,
    planned_n: int,
    language: str,
    sections: Mapping[str, Any] | None = None,
) -> Panel:
    """The panel of one draft question; the frequencies are in the respondents' language.

    `sections`: what is frozen or typed of features of the survey, by their names.
    """
    draft = Draft.of(draft)
    planned = replace(draft, planned_n=planned_n)
    try:
        if kind_of(draft).free_text:
            return _text_panel(planned, language)
        if kind_of(draft).about_members:
            return _network_panel(planned, language)
        figures = epsilon_panel(draft, planned_n)
        of_features = feature_texts(planned, sections)
    except EngineError as error:
        return Panel(error=refusal_words(refusal(error)))
    with translation.override(language):
        frequencies = frequency_sentence(draft=draft)
        focal = _focal_answer(draft)
    prior, family = numbers.chosen_percent(figures["prior"]), family_of(draft)
    ratio = figures["likelihood_ratio"]
    texts = {
        "frequencies": frequencies,
        "retention_label": family.retention_label(),
        "retained": numbers.from_to(
            *(numbers.percent(figures[end]) for end in ("least_retained", "most_retained"))
        ),
        "strength": _strength(ratio),
        "factor": numbers.fixed_decimals(ratio, 1) if ratio else _("no limit"),
        "needed": respondents(figures["n_for_margin"]),
        "margin": numbers.margin(figures["margin_at_planned_n"]),
        "effective": numbers.percent(figures["effective_share"]),
        "belief_label": family.belief_label() % {"answer": focal, "prior": prior},
        "belief": numbers.percent(figures["posterior"]),
        "assumption": _assumption(draft, prior),
        "planned": numbers.count(planned_n),
        "number": number_words(draft, planned_n),
    }
    return Panel(figures, texts | of_features | _of_a_mean(draft, figures))


def feature_texts(
    question: AskedQuestion | Draft, sections: Mapping[str, Any] | None = None
) -> dict[str, str]:
    """Return what features say of a question, by their names; empty where one says nothing."""
    draft, found = Draft.of(question), sections or {}
    return {
        feature.name: feature.author.panel_text(draft, found.get(feature.name))
        for feature in _with_texts()
    }


def _with_texts() -> list[Feature]:
    return [feature for feature in FEATURES.values() if feature.author.has_panel_text]


def _text_panel(draft: Draft, language: str) -> Panel:
    """Return the panel of a text, which has no shares of answers: it says what is found."""
    figures = text_figures(draft)
    with translation.override(language):
        frequencies = text_frequencies(figures)
    texts = {
        "frequencies": frequencies,
        "strength": _strength(figures["likelihood_ratio"]),
        "factor": numbers.fixed_decimals(figures["likelihood_ratio"], 1),
        "planned": numbers.count(draft.planned_n),
        **text_texts(figures, draft.planned_n),
    }
    return Panel(figures, texts)


def _network_panel(draft: Draft, language: str) -> Panel:
    """Return the panel of a network: its statistics, each with a margin of its own."""
    problem = network_problem(draft)
    if problem:
        return Panel(error=problem)
    guess = NetworkGuess.of(draft)
    figures = network_figures(guess)
    words = network_words(guess, figures)
    with translation.override(language):
        words.texts["frequencies"] = network_frequencies(guess)
    return Panel(plain_figures(guess, figures), words.texts, sections=words.sections)


def _of_a_mean(draft: Draft, figures: dict[str, Any]) -> dict[str, str]:
    """The texts that are others where a mean is estimated, and no shares."""
    if draft.scale is None or kind_of(draft).is_categorical(draft):
        return {}
    assumption = _(
        "For a mean in the middle of the range, at 95 %% confidence. 5 points of the range are %s."
    )
    return {
        "margin": mean_margin(draft.scale, figures["margin_at_planned_n"]),
        # As good as how many direct answers depends on how far the numbers lie apart.
        "effective": numbers.UNKNOWN,
        "assumption": assumption % mean_margin(draft.scale, figures["wanted_margin"]),
    }


def _strength(factor: float | None) -> str:
    """The strength of a report in words; the comparison names reports that identify an answer."""
    return question_words(hundredths(math.log(factor))) if factor else ""


def _assumption(draft: AskedQuestion | Draft, prior: str) -> str:
    if planning_prior(draft):
        return _("At the shares of the search, for the least certain answer, at 95 % confidence.")
    return _("For a true share of %s, at 95 %% confidence.") % prior


def frequency_sentence(*, draft: AskedQuestion | Draft) -> str:
    """The natural frequencies in the words of the respondents' page (its ui/many.js)."""
    family, channel = family_of(draft), draft_channel(draft)
    base = _crowd(family.told_probabilities(channel))
    told = family.frequency_columns(Draft.of(draft))
    if not told and (channel.truth_size > 2 or not channel.tabulated):
        return family.frequencies_of_many(channel, base)
    answers = option_labels() if kind_of(draft).several else categories(draft)
    told = told or list(zip(answers, channel.matrix.T.tolist(), strict=True))
    return " ".join(
        _("Of %(people)s people whose real answer is “%(answer)s”: %(parts)s.")
        % {"people": numbers.count(base), "answer": label, "parts": _parts(_counts(column, base))}
        for label, column in told
    )


def _counts(column: Sequence[float], base: int) -> list[int]:
    """Counts of whole people that sum to `base`, rounded by largest remainders."""
    shares = [share * base for share in column]
    counts = [int(share) for share in shares]
    order = sorted(range(len(shares)), key=lambda code: counts[code] - shares[code])
    for code in order[: base - sum(counts)]:
        counts[code] += 1
    return counts


def _parts(counts: Sequence[int]) -> str:
    sentence = _("%(count)s send %(code)s")
    pairs = zip(counts, report_codes(len(counts)), strict=True)
    return ", ".join(
        sentence % {"count": numbers.count(count), "code": code} for count, code in pairs
    )


def budget_of(
    *,
    questions: Iterable[AskedQuestion | Draft],
    budget: Decimal,
    selection: Selection | None = None,
) -> dict[str, Any]:
    """How much of the survey's budget the questions use, or those that one person is asked."""
    questions = list(questions)
    total = question_epsilon_total(questions, most=selection and selection.most)
    left = budget - total
    values = {"total": total, "budget": budget, "left": abs(left)}
    text = (
        _("%(total)s of %(budget)s used, %(left)s over the budget: it cannot be launched.")
        if left < 0
        else _("%(total)s of %(budget)s used, %(left)s left.")
    ) % {name: numbers.decimal(value) for name, value in values.items()}
    if selection:
        text = selection.words % text
    return {
        "total": text_of(total) if total else "0",
        "budget": text_of(budget),
        "over": left < 0,
        "text": text,
        "strength": total_words(questions, total) if total else "",
    }


def respondents(count: int) -> str:
    return numbers.crowd(count, MOST_RESPONDENTS)


def _focal_answer(draft: AskedQuestion | Draft) -> str:
    """The label of the focal category."""
    labels = categories(draft)
    if family_of(draft).options(Draft.of(draft)) != [None]:
        return option_labels()[-1]
    several = kind_of(draft).several
    return labels[0 if several else kind_of(draft).focal_category(len(labels))]


def _crowd(shares: Sequence[float]) -> int:
    for base in _CROWDS:
        if all(0 < round(share * base) < base for share in shares if 0 < share < 1):
            break
    return base


def physical_preview(question: AskedQuestion | Draft, language: str) -> dict[str, Any]:
    """The exact epsilon and the instructions of the physical randomizer."""
    try:
        with translation.override(language):
            device = physical_device_of(question)
    except EngineError:
        return {}
    if device is None or device.epsilon is None:
        return {}
    text = _("Its epsilon is %(epsilon)s, from exact fractions of %(denominator)s.")
    values = {
        "epsilon": numbers.decimal(device.epsilon),
        "denominator": numbers.count(coded(device.table).denominator),
    }
    return {"epsilon": text % values, "sentences": [str(line) for line in device.instructions]}
