"""Whom a question is for, in words: of authors as of respondents whose browser runs no script."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.features.filters.section import Comparison


class Source(NamedTuple):
    """A question that is compared: its text and the labels of its answers, of a number none."""

    text: str
    answers: Sequence[str]


def filter_words(
    alternatives: Sequence[Sequence[Comparison]], sources: Mapping[str, Source]
) -> str:
    """Return alternatives in words, which go on a sentence."""
    return _(" – or: ").join(
        _(", and ").join(_words(each, sources[each.question]) for each in every)
        for every in alternatives
    )


def _words(comparison: Comparison, source: Source) -> str:
    above, below = comparison.above, comparison.below
    values = {
        "question": source.text,
        "answers": _(" or ").join(_("“%s”") % source.answers[each] for each in comparison.answers),
        "above": numbers.decimal(above) if above is not None else "",
        "below": numbers.decimal(below) if below is not None else "",
    }
    if comparison.answers and comparison.negated:
        text = _("the answer to “%(question)s” is another one than %(answers)s")
    elif comparison.answers:
        text = _("the answer to “%(question)s” is %(answers)s")
    elif above is None:
        text = _("the answer to “%(question)s” is below %(below)s")
    elif below is None:
        text = _("the answer to “%(question)s” is above %(above)s")
    else:
        text = _("the answer to “%(question)s” is above %(above)s and below %(below)s")
    if comparison.negated and not comparison.answers:
        return _("it is not so that %(comparison)s") % {"comparison": text % values}
    return text % values


def whom_words(alternatives: Sequence[Sequence[Comparison]], sources: Mapping[str, Source]) -> str:
    """Return the sentence on whom a question is for."""
    if not alternatives:
        return _("This question is for nobody who answers on this form.")
    return _("This question is for you if %(filter)s.") % {
        "filter": filter_words(alternatives, sources)
    }


def otherwise_words(label: str) -> str:
    """Return what those do whom a question is not for; `label`: their answer, if there is one."""
    if not label:
        return _("If it is not for you, leave it out.")
    text = _("If it is not for you, go through the steps with “%(answer)s” as your real answer.")
    return text % {"answer": label}
