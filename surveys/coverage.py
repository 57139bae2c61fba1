"""Coverage over repeated simulations, as the test fill shows it."""

from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from surveys.engine_bridge.coverage import Coverage, CoverageOfSurvey
from surveys.panel import margin_text, rounded, share_text
from surveys.parameters import Parameters


@dataclass(frozen=True, slots=True)
class CoverageRow:
    """One share, in words."""

    label: str
    truth: str
    covered: str
    margin: str
    outside: str


@dataclass(frozen=True, slots=True)
class CoverageBlock:
    text: str
    rows: list[CoverageRow]


@dataclass(frozen=True, slots=True)
class CoverageShown:
    """`asked`: the questions of the survey; there may not have been time for all of them."""

    repetitions: int
    blocks: list[CoverageBlock]
    asked: int

    @property
    def repetitions_shown(self) -> str:
        return number_format(self.repetitions, force_grouping=True)


def coverage_rows(document: Parameters, found: CoverageOfSurvey) -> CoverageShown:
    blocks = [
        CoverageBlock(
            question.text,
            [
                _row(label, one)
                for label, one in zip(
                    question.categories, found.questions[question.id], strict=True
                )
            ],
        )
        for question in document.questions
        if question.id in found.questions
    ]
    return CoverageShown(found.repetitions, blocks, asked=len(document.questions))


def _row(label: str, one: Coverage) -> CoverageRow:
    # Two standard errors, so that a reader need not know what one is.
    values = {
        "share": rounded(100 * one.covered, 1),
        "chance": rounded(200 * one.covered_error, 1),
    }
    return CoverageRow(
        label=label,
        truth=share_text(one.truth),
        covered=_("%(share)s %% ± %(chance)s") % values,
        margin=margin_text(one.margin),
        outside=f"{rounded(100 * one.outside, 1)} %",
    )
