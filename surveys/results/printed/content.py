"""What the printed summary has, from the views of the results page: texts, and places of marks.

It is plain JSON, all that `summary.typ` reads. No number is computed here.
"""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from surveys import numbers
from surveys.features import FEATURES
from surveys.moments import moment_text
from surveys.parameters import Parameters
from surveys.results.facts import epsilon_of, left_out_of, waves_of
from surveys.results.findings.choice import Choice
from surveys.results.findings.figures import Figure, Histogram, Row
from surveys.results.findings.finding import Finding
from surveys.results.findings.strips import Axis, Marks, bars_of
from surveys.results.findings.summary import Summary, SummaryRow, summary_of
from surveys.results.joint_questions.presentation import JointView, joint_views
from surveys.results.presentation import QuestionView, question_views
from surveys.results.release import Release
from surveys.results.tables.presentation import TableView, table_views
from surveys.results.weighted.presentation import WeightingView, weighting_view

Plain = dict[str, Any]


def printed_content(release: Release, choice: Choice) -> Plain:
    """Return what everybody who sees the release may see of it, in the active language.

    Raises ValueError where nothing is released.
    """
    if release.content is None or release.computed_at is None:
        raise ValueError("nothing is released that could be printed")
    launch, parameters = release.launch, release.parameters
    questions = question_views(release, choice)
    tables, together = table_views(release, choice), joint_views(release, choice)
    digest, computed = launch.digest_at(release.step), moment_text(release.computed_at)
    has_truth = bool(launch.survey.simulated_truth)
    compared = [_table(table) for table in tables]
    return {
        "language": get_language(),
        "author_language": parameters.language,
        "title": parameters.title,
        "contact": parameters.contact,
        "lead": _lead(release, questions),
        "facts": _facts(release, choice),
        "summary": _summary(summary_of(questions)),
        "reading": _reading(has_truth=has_truth),
        "method": _method(parameters, weighting_view(release) if choice.weighted else None),
        "compared": compared,
        "parts": [
            {"title": title, "blocks": blocks}
            for title, blocks in (
                (_("The results one by one"), [*map(_question, questions)]),
                *((_joint_title(joint), _joint(joint)) for joint in together),
                (_("Comparisons declared before launch"), compared),
            )
            if blocks
        ],
        "words": {
            "results": _("Results"),
            "asked_by": _("Asked by"),
            "at_a_glance": _("At a glance"),
            "how": _("How to read this"),
            "estimate": _("Estimate"),
            "interval": _("95 % interval"),
            "source": _("Parameters %(digest)s · computed %(moment)s")
            % {"digest": digest, "moment": computed},
            "page": _("Page %(page)s of %(pages)s") % {"page": "{page}", "pages": "{pages}"},
        },
    }


# --- the title page -----------------------------------------------------------------------------


def _lead(release: Release, questions: Sequence[QuestionView]) -> list[str]:
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


def _facts(release: Release, choice: Choice) -> list[tuple[str, str]]:
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


def _wave(wave: Plain) -> str:
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


def _reading(*, has_truth: bool) -> str:
    words = _(
        "In the figures the dot is the estimate, the thin line the 95 % interval and the thick "
        "line the 50 % interval. Shaded parts of an axis are those where no share can lie."
    )
    if has_truth:
        words += " " + _("The upright stroke is the simulated truth.")
    return words


def _method(parameters: Parameters, weighting: WeightingView | None) -> list[tuple[str, str]]:
    about = (
        _("It is about exactly the people who answered, so it covers only what chance did.")
        if parameters.population == "fixed"
        else _("It covers both who took part and what chance did.")
    )
    entries = [
        (
            _("Scrambled"),
            _(
                "Chance decided, by a known rule, whether an answer was sent as it is or as "
                "another one. One sent answer proves nothing. Of many, the rule tells how often "
                "each real answer was given."
            ),
        ),
        (
            _("Epsilon"),
            _(
                "The smaller ε is, the less a sent answer can reveal, and the wider the interval. "
                "From ε, anybody can compute by how much a sent answer can change what one "
                "believes about a person: the odds change at most by the factor e to the power "
                "of ε."
            ),
        ),
        (
            _("Interval"),
            " ".join(
                [
                    _(
                        "Over many surveys like this one, 95 of 100 such intervals contain the "
                        "true share."
                    ),
                    about,
                    _("A digit that the interval does not carry is not shown."),
                ]
            ),
        ),
        (
            _("Below 0 %"),
            _(
                "An estimate is right on average, and may fall below 0 % or above 100 % by chance. "
                "Then it is shown as it is."
            ),
        ),
        (
            _("Few people"),
            _(
                "Nothing is shown of fewer than %(threshold)s people, and small groups are put "
                "together, so that nobody can be singled out among a few."
            )
            % {"threshold": numbers.count(parameters.release_threshold)},
        ),
    ]
    if weighting is not None and weighting.weights is not None:
        entries.append((_("Weights"), _weights(weighting)))
    entries.append(
        (
            _("Digest"),
            _(
                "A fingerprint of everything that was frozen at launch. The browsers of the "
                "respondents checked it before they asked anything; the downloads carry the same."
            ),
        )
    )
    return entries


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


# --- summary and blocks -------------------------------------------------------------------------


def _summary(summary: Summary) -> Plain:
    return {
        "axis": _axis(summary.scale) if summary.scale else None,
        "rows": [_summary_row(row, summary.scale) for row in summary.rows],
    }


def _summary_row(row: SummaryRow, shares: Axis | None) -> Plain:
    plain: Plain = {"text": row.text, "sentence": row.sentence, "axis": None, "marks": None}
    if row.headline is None:
        return plain
    own = row.headline.axis
    axis = own or shares
    if axis is None:
        return plain
    marks = _marks(row.headline.marks, axis)
    return plain | {"marks": marks, "axis": _axis(own) if own else None}


def _question(view: QuestionView) -> Plain:
    facts = [_("scrambled") if view.randomized else _("asked directly"), f"n = {view.n}"]
    if view.epsilon and view.ties:
        facts.append(_("ε = %(epsilon)s for one tie") % {"epsilon": view.epsilon})
    elif view.epsilon:
        facts.append(f"ε = {view.epsilon}")
    if view.delta:
        facts.append(f"δ = {view.delta}")
    if view.suppressed:
        held = _("%(n)s held back (their device was used by too few)") % {"n": view.suppressed}
        facts.append(held)
    more = [view.mean] if view.mean and not view.finding.weighted else []
    if view.as_good_as:
        text = _("As good as n = %(n)s direct answers: that is what scrambling leaves.")
        more.append(text % {"n": view.as_good_as})
    # The labels of a number and of a network are ours.
    own = view.number is None and view.network is None
    block = _block(view.text, "", facts, view.finding, more + view.notes, own_labels=own)
    if view.network is not None:
        block["sentences"] = [*block["sentences"], view.network.answered]
        block["tables"] = [
            {
                "title": _("Statistics of the network"),
                "rows": [(row.label, row.estimate, row.interval) for row in view.network.rows],
            }
        ]
        block["notes"] = [*view.network.privacy, *block["notes"]]
    return block


def _table(view: TableView) -> Plain:
    facts = [_("n = %(n)s who answered both") % {"n": view.n}]
    finding = view.finding or Finding([view.test])
    return _block(view.outcome, view.group, facts, finding, view.notes)


def _joint_title(view: JointView) -> str:
    if view.is_drawn:
        return _("Pairs that chance picked")
    return _("Questions sent together")


def _joint(view: JointView) -> list[Plain]:
    facts = [_("scrambled"), f"n = {view.n}", f"ε = {view.epsilon}"]
    title = _("Which answers go together") if view.is_drawn else _("Combinations of answers")
    finding = view.finding or Finding([])
    block = _block(title, "", facts, finding, view.notes)
    block["texts"] = view.texts
    block["tables"] = [
        {
            "title": _("Cramér's V"),
            "rows": [(pair.texts, pair.strength, pair.interval) for pair in view.pairs],
        }
    ]
    return [block, *map(_table, view.tables)]


def _block(
    title: str,
    by: str,
    facts: Sequence[str],
    finding: Finding,
    notes: Sequence[str],
    *,
    own_labels: bool = True,
) -> Plain:
    """Return one block; `own_labels`: those of its rows are the author's."""
    return {
        "title": title,
        "by": by,
        "facts": " · ".join(facts),
        "sentences": list(finding.sentences),
        "texts": [],
        "figures": [
            _figure(figure, own_labels=own_labels, is_titled=len(finding.figures) > 1)
            for figure in finding.figures
        ],
        "tables": [],
        "notes": list(notes),
    }


# --- figures ------------------------------------------------------------------------------------


def _figure(figure: Figure, *, own_labels: bool, is_titled: bool) -> Plain:
    axis = figure.scale
    return {
        "title": figure.heading if is_titled else "",
        "heading": figure.heading,
        "unit": figure.unit,
        "own_labels": own_labels,
        "axis": _axis(axis),
        "bars": _bars(figure.histogram, axis) if figure.histogram else None,
        "panels": [
            {"title": panel.title, "rows": [_row(row, axis) for row in panel.rows]}
            for panel in figure.panels
        ],
    }


def _row(row: Row, axis: Axis) -> Plain:
    return {
        "label": row.label,
        "estimate": row.estimate if row.is_known else "",
        "interval": row.interval,
        "marks": _marks(row.marks, axis),
    }


def _axis(axis: Axis) -> Plain:
    """Places are in percent of the width."""
    return {
        "ticks": [
            (axis.place(tick), text) for tick, text in zip(axis.ticks, axis.texts, strict=True)
        ],
        "impossible": [(axis.place(low), axis.place(high)) for low, high in axis.impossible],
    }


def _marks(marks: Marks, axis: Axis) -> Plain:
    return {
        "estimate": _place(marks.estimate, axis),
        "thin": _ends(marks.interval, axis),
        "thick": _ends(marks.interval_50, axis),
        "truth": _place(marks.truth, axis),
    }


def _place(value: float | None, axis: Axis) -> float | None:
    return None if value is None else axis.place(value)


def _ends(interval: numbers.Interval, axis: Axis) -> tuple[float, float] | None:
    low, high = interval
    return None if low is None or high is None else (axis.place(low), axis.place(high))


def _bars(histogram: Histogram, axis: Axis) -> Plain:
    """Heights are in percent from the top."""
    bars, low, high = bars_of(histogram.edges, histogram.shares)

    def level(value: float | None) -> float | None:
        return None if value is None else 100 * (high - value) / (high - low)

    return {
        "zero": level(0.0),
        "bars": [
            {
                "from": axis.place(bar.start),
                "to": axis.place(bar.start + bar.width),
                "top": level(bar.height.estimate),
                "ends": [level(end) for end in bar.height.interval],
            }
            for bar in bars
        ],
    }
