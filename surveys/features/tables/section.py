"""The cross-tables of a document, and what must hold of them.

static/js/features/tables/rules.js is the twin.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from surveys.features.parts import DocumentPart
from surveys.parameters.document import Parameters
from surveys.parameters.types import Problem, QuestionName

NAME: Final = "tables"


class TablesInDocument(DocumentPart):
    sections = {NAME: tuple[tuple[QuestionName, QuestionName], ...]}

    def crossed(self, parameters: Parameters) -> Sequence[tuple[str, str]]:
        pairs: Sequence[tuple[str, str]] = parameters.section(NAME)
        return pairs

    def problems(self, parameters: Parameters) -> Iterator[Problem]:
        pairs = self.crossed(parameters)
        if pairs and parameters.linkage != "together":
            yield "not_together", NAME, "cross-tables need the reports of a person together"
        question_ids = {question.id for question in parameters.questions}
        for index, pair in enumerate(pairs):
            if len(set(pair)) < 2 or not question_ids.issuperset(pair):
                rule = "a cross-table is of two questions of the survey"
                yield "bad_table", f"{NAME}.{index}", rule
