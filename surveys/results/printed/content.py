"""What the printed summary has, from the views of the results page: texts, and places of marks.

It is plain JSON, all that `summary.typ` reads. No number is computed here.
"""

from collections.abc import Sequence

from django.utils.text import Truncator
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from surveys.languages import direction_of
from surveys.moments import moment_text
from surveys.results.findings.choice import Choice
from surveys.results.findings.finding import Finding
from surveys.results.findings.summary import summary_of
from surveys.results.joint_questions.presentation import JointView, joint_views
from surveys.results.presentation import QuestionView, question_views
from surveys.results.printed.front import facts_of, lead_of, method_of, reading_of
from surveys.results.printed.places import Plain, figure_content, summary_content
from surveys.results.release import Release
from surveys.results.tables.presentation import TableView, table_views
from surveys.results.weighted.presentation import weighting_view

# Characters of the title that stand in one line above each page.
LONGEST_RUNNING = 80


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
        "author_direction": direction_of(parameters.language),
        "title": parameters.title,
        "running_title": Truncator(parameters.title).chars(LONGEST_RUNNING),
        "contact": parameters.contact,
        "lead": lead_of(release, questions),
        "facts": facts_of(release, choice),
        "summary": summary_content(summary_of(questions)),
        "reading": reading_of(has_truth=has_truth),
        "method": method_of(parameters, weighting_view(release) if choice.weighted else None),
        "compared": compared,
        "parts": [
            {"title": title, "blocks": blocks}
            for title, blocks in (
                *_by_parts(questions),
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


# --- blocks --------------------------------------------------------------------------------------


def _by_parts(views: Sequence[QuestionView]) -> list[tuple[str, list[Plain]]]:
    """Return the results of questions, those of each part of the survey below its title."""
    parts: list[tuple[str, list[Plain]]] = [(_("The results one by one"), [])]
    for view in views:
        if view.part:
            parts.append((view.part, []))
        parts[-1][1].append(_question(view))
    return parts


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
            figure_content(figure, own_labels=own_labels, is_titled=len(finding.figures) > 1)
            for figure in finding.figures
        ],
        "tables": [],
        "notes": list(notes),
    }
