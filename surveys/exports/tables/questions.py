"""The table of what was asked, by question and answer, in the words of all other files.

It has no codes of reports: those of a device need not be the numbers of the answers, and are in the
codebook. It is joined to shares by question and answer. What is known of an answer stands in its
row: the numbers of a bin, and its share of the population where that was declared.
"""

from collections.abc import Iterator, Sequence

from django.utils import translation
from django.utils.translation import gettext as _

from surveys.exports.document import epsilon_of, language_of
from surveys.exports.table import Column, Row, Table, Type, Value
from surveys.features import part_titles, weighting_of, whole_text
from surveys.models import Launch
from surveys.parameters import Parameters, Question

NAME = "questions"


def table(launch: Launch, step: int = 0) -> Table:
    """All questions in their order; one without listed answers has one row, with none."""
    with translation.override(language_of(launch)):
        rows = rows_of(launch.parameters_at(step))
        return Table(NAME, _("Questions and answers"), _columns(), rows)


def rows_of(parameters: Parameters) -> Iterator[Row]:
    parts = part_titles(parameters)
    for question in parameters.questions:
        part = parts.get(question.id, "")
        text = whole_text(question, parameters)
        about = (
            *_about(question, text, part),
            epsilon_of(question, parameters),
            *_range_of(question),
        )
        known = _margin_of(question, parameters)
        for index, answer in enumerate(question.categories or ("",)):
            refuses = question.prefer_not and index == len(question.categories) - 1
            others = int(refuses), int(index == question.inapplicable)
            share = float(known[index]) if known else None
            yield (*about, answer, *others, *_bin_of(question, index), share)


def _about(question: Question, text: str, part: str) -> Row:
    randomized, required = int(question.randomized), int(question.required)
    return question.id, text, part, question.kind, randomized, required


def _range_of(question: Question) -> Row:
    """The unit, the least and the largest number, and the step between two."""
    scale = question.scale
    if scale is None:
        return ("", None, None, None)
    return (scale.unit, float(scale.lower), float(scale.upper), float(scale.step))


def _bin_of(question: Question, index: int) -> Row:
    """The first and the last number of a bin."""
    scale = question.scale
    if scale is None or index >= len(scale.bins):
        return (None, None)
    ends = (*scale.bins, scale.steps + 1)
    return float(scale.value(ends[index])), float(scale.value(ends[index + 1] - 1))


def _margin_of(question: Question, parameters: Parameters) -> Sequence[str]:
    """The declared shares of the answers in the population; none of most questions."""
    weighting = weighting_of(parameters)
    margins = weighting.margins if weighting else ()
    return next((each.shares for each in margins if each.question == question.id), ())


def _columns() -> tuple[Column, ...]:
    none = (Value(None, _("does not apply")),)
    return (
        Column("question", Type.TEXT, _("Variable name of the question")),
        Column("text", Type.TEXT, _("Question"), of_author=True),
        Column("section", Type.TEXT, _("Title of its section"), of_author=True),
        Column("kind", Type.TEXT, _("Kind of question")),
        Column("sensitive", Type.INTEGER, _("1 if its answers are scrambled, 0 if they are not")),
        Column("required", Type.INTEGER, _("1 if it has to be answered, 0 if it may be left out")),
        Column("question_epsilon", Type.NUMBER, _("Epsilon of the question"), missing=none),
        Column("unit", Type.TEXT, _("Unit of the number"), of_author=True),
        Column("lowest", Type.NUMBER, _("Least number that can be answered"), missing=none),
        Column("highest", Type.NUMBER, _("Largest number that can be answered"), missing=none),
        Column("step", Type.NUMBER, _("Step between two numbers"), missing=none),
        Column("answer", Type.TEXT, _("Answer"), of_author=True),
        Column("refusal", Type.INTEGER, _("1 if it stands for no answer: “prefer not to say”")),
        Column("not_applicable", Type.INTEGER, _("1 if it stands for “does not apply”")),
        Column("bin_from", Type.NUMBER, _("First number of the bin"), missing=none),
        Column("bin_to", Type.NUMBER, _("Last number of the bin"), missing=none),
        Column("population_share", Type.NUMBER, _("Its declared share, for weights"), missing=none),
    )
