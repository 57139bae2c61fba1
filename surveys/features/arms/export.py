"""The table of what arms found: a row for each answer in each arm of a question with arms."""

from collections.abc import Iterator

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.exports.document import language_of
from surveys.exports.registry import Export
from surveys.exports.snapshot import released_content
from surveys.exports.table import Column, Row, Table, Type, Value
from surveys.features.arms.results_section import Arm, ArmDifference
from surveys.features.arms.section import NAME, arms_of
from surveys.models import Launch
from surveys.parameters import Parameters
from surveys.results_document.document import Results
from surveys.results_document.questions import QuestionResults

SCRAMBLED, DIRECTLY = "scrambled", "directly"


def exists(parameters: Parameters) -> bool:
    """Whether a survey with these parameters has such a table."""
    return bool(arms_of(parameters))


def table(launch: Launch, step: int = 0) -> Table:
    """The arms of the latest release with all digits; raises MovingError if there is none."""
    content = released_content(launch, step)
    with translation.override(language_of(launch)):
        return Table(NAME, _("Ways of asking"), _columns(), _rows(content))


def _rows(content: Results) -> Iterator[Row]:
    for question in content.questions:
        for arm in question.section(NAME) or ():
            yield from _of_arm(question, arm)


def _of_arm(question: QuestionResults, arm: Arm) -> Iterator[Row]:
    differences = arm.comparison.differences if arm.comparison else [None] * len(arm.categories)
    asked = DIRECTLY if arm.directly else SCRAMBLED
    epsilon = None if arm.epsilon is None else float(arm.epsilon)
    about = (question.id, arm.stratum, arm.share, asked, epsilon)
    rows = zip(question.labels, arm.categories, differences, strict=False)
    for label, share, found in rows:
        yield (
            *about,
            label,
            arm.n,
            share.estimate,
            share.standard_error,
            *share.interval,
            *_cells(found),
        )


def _cells(found: ArmDifference | None) -> Row:
    if found is None:
        return (None,) * 5
    return (found.difference, found.standard_error, *found.interval, found.p_value)


def _columns() -> tuple[Column, ...]:
    ways = (Value(SCRAMBLED, _("scrambled")), Value(DIRECTLY, _("asked directly")))
    unknown = (Value(None, _("not known")),)
    texts = (
        Column("question", Type.TEXT, _("Variable name of the question")),
        Column("stratum", Type.TEXT, _("Name of the arm")),
        Column("share", Type.INTEGER, _("Of how many people in a hundred chance puts into it")),
        Column("asked", Type.TEXT, _("How they are asked"), ways),
        Column("epsilon", Type.NUMBER, _("Epsilon of their device"), missing=unknown),
        Column("answer", Type.TEXT, _("Answer"), of_author=True),
        Column("n", Type.INTEGER, _("People who answered")),
    )
    numbers = {
        "estimate": _("Estimate"),
        "standard_error": _("Standard error"),
        "low": _("95 % interval from"),
        "high": _("95 % interval to"),
        "difference": _("Share of those it is compared with, less the estimate"),
        "difference_error": _("Standard error of the difference"),
        "difference_low": _("95 % interval of the difference from"),
        "difference_high": _("95 % interval of the difference to"),
        "p_value": _("p-value of no difference"),
    }
    return (
        *texts,
        *(Column(name, Type.NUMBER, label, missing=unknown) for name, label in numbers.items()),
    )


EXPORTS = (
    Export(
        NAME,
        table,
        exists=exists,
        label=gettext_lazy("Ways of asking"),
        about=gettext_lazy(
            "One row an answer in each arm: its share among the people whom chance has had asked "
            "in this way, and the difference from the others."
        ),
    ),
)
