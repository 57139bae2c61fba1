"""The shares of the candidates of a short text as texts: the table, and what was not found."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.results.shown_shares import ShownShare
from surveys.results_document.kinds import Candidate, Texts, Unlisted
from surveys.results_document.questions import QuestionResults

# Rows of the figure: those that were found, the most frequent first.
MOST_DRAWN = 25
# Rows of the table of those that were not found; the downloads have all of them.
MOST_OTHERS = 100


@dataclass(frozen=True, slots=True)
class TextRow(ShownShare[Candidate]):
    """One candidate."""

    @property
    def p_value(self) -> str:
        return numbers.p_value(self.share.p_value)


@dataclass(frozen=True, slots=True)
class TextView:
    """The candidates that were found, and of the others the first; `hidden`: how many more.

    `drawn`: whether there is a figure.
    """

    found: list[TextRow]
    others: list[TextRow]
    hidden: str | None
    sentences: list[str]
    drawn: bool


def text_view(question: QuestionResults) -> TextView | None:
    """Return what a text question found; None for any other, or while nothing is released."""
    texts = question.texts
    if not texts:
        return None
    digits = numbers.common_digits(texts.candidates) if texts.candidates else 1
    rows = [TextRow(row.label, row, digits) for row in by_frequency(texts.candidates)]
    others = [row for row in rows if not row.share.found]
    hidden = len(others) - MOST_OTHERS
    return TextView(
        found=[row for row in rows if row.share.found],
        others=others[:MOST_OTHERS],
        hidden=numbers.count(hidden) if hidden > 0 else None,
        sentences=_sentences(texts),
        drawn=bool(drawn_rows(question)),
    )


def by_frequency(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The most frequent first; those of which nothing is known last."""
    return sorted(candidates, key=lambda row: (row.estimate is None, -(row.estimate or 0)))


def drawn_rows(question: QuestionResults) -> list[Candidate]:
    """The rows of its figure: what was found; where nothing was, nothing is drawn."""
    candidates = question.texts.candidates if question.texts else ()
    return [row for row in by_frequency(candidates) if row.found][:MOST_DRAWN]


def _sentences(texts: Texts) -> list[str]:
    listed = _(
        "These results look for a list of %(count)s candidates (%(digest)s). Results are computed "
        "anew whenever the list changes."
    ) % {"count": numbers.count(texts.list.size), "digest": texts.list.digest[:15]}
    if texts.unlisted is None:
        return [listed]
    rate = _(
        "Of the candidates that are called found, at most %(rate)s do not occur, on average "
        "(Benjamini and Hochberg). The others may occur, too rarely to be told from chance."
    ) % {"rate": numbers.percent(texts.false_discovery_rate, 0)}
    return [_unlisted(texts.unlisted), rate, listed]


def _unlisted(unlisted: Unlisted) -> str:
    error = unlisted.standard_error
    values = {
        "share": numbers.percent(unlisted.estimate, 1),
        "error": numbers.points(error, 1),
    }
    if error is None:
        return _("About %(share)s of the respondents gave texts that are not on the list.") % values
    text = _(
        "About %(share)s of the respondents gave texts that are not on the list (standard error "
        "%(error)s points)."
    )
    return text % values
