"""Coverage over repeated simulations, as the page of the test fill shows it."""

from dataclasses import dataclass

from surveys import numbers
from surveys.authoring.planning.coverage import Coverage, CoverageOfSurvey, has_coverage
from surveys.kinds import KINDS
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
    """`asked` is the number of questions whose coverage is simulated, which may exceed the blocks
    computed.
    """

    repetitions: int
    blocks: list[CoverageBlock]
    asked: int

    @property
    def repetitions_text(self) -> str:
        return numbers.count(self.repetitions)


def coverage_rows(document: Parameters, survey_coverage: CoverageOfSurvey) -> CoverageShown:
    questions = [
        question
        for question in document.questions
        if KINDS[question.kind].trial_labels(question) and has_coverage(question, document)
    ]
    blocks = [
        CoverageBlock(
            question.text,
            [
                _row(label, coverage)
                for label, coverage in zip(
                    KINDS[question.kind].trial_labels(question),
                    survey_coverage.questions[question.id],
                    strict=True,
                )
            ],
        )
        for question in questions
        if question.id in survey_coverage.questions
    ]
    return CoverageShown(survey_coverage.repetitions, blocks, asked=len(questions))


def _row(label: str, coverage: Coverage) -> CoverageRow:
    return CoverageRow(
        label=label,
        truth=numbers.chosen_percent(coverage.truth),
        # Two standard errors, so that a reader need not know what one is.
        covered=numbers.percent_with_error(coverage.covered, 2 * coverage.covered_error),
        margin=numbers.margin(coverage.margin),
        outside=numbers.percent(coverage.outside, 1),
    )
