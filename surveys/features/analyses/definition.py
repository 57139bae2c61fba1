"""What the definition of a survey says of declared analyses, and of margins to weight to."""

from typing import Annotated, Any

import msgspec

from surveys.features.analyses.declarations import ANSWERS
from surveys.features.analyses.settings import declared, store_analyses, store_margins
from surveys.features.parts import DefinitionPart
from surveys.features.settings import stored
from surveys.models import Survey
from surveys.parameters import to_json
from surveys.parameters.analyses import MOST_ANALYSES, Analysis
from surveys.parameters.weighting import MOST_MARGINS, Margin


class DeclaredAnalysis(Analysis, frozen=True):
    """`answers`: those to its outcome when it was declared; `event` names them by their places."""

    answers: tuple[str, ...] = ()


class DeclaredMargin(Margin, frozen=True):
    """`answers`: those that the shares are of, in their order."""

    answers: tuple[str, ...] = ()


@stored
class AnalysesDefinition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    analyses: Annotated[tuple[DeclaredAnalysis, ...], msgspec.Meta(max_length=MOST_ANALYSES)] = ()
    margins: Annotated[tuple[DeclaredMargin, ...], msgspec.Meta(max_length=MOST_MARGINS)] = ()


class AnalysesInDefinition(DefinitionPart):
    survey_type = AnalysesDefinition

    def of_survey(self, survey: Survey) -> AnalysesDefinition | None:
        rows = declared(survey)
        if not (rows.analyses or rows.margins):
            return None
        return msgspec.convert(msgspec.to_builtins(rows), AnalysesDefinition)

    def set_of_survey(self, survey: Survey, value: AnalysesDefinition) -> None:
        store_analyses(survey, [_row(each) for each in value.analyses])
        store_margins(survey, [_row(each) for each in value.margins])


def _row(declared: DeclaredAnalysis | DeclaredMargin) -> dict[str, Any]:
    row = to_json(declared)
    return row if declared.answers else {key: row[key] for key in row if key != ANSWERS}
