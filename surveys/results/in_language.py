"""Released results with the author's texts in another language: no number and no code changes.

A results document repeats the texts of the frozen one, in the language of the survey. Each of them
is found by its question, and is put in the other language.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from msgspec.structs import replace

from surveys.features import whole_text
from surveys.models import Launch
from surveys.parameters import Parameters, Question
from surveys.results.tables.recoding import labels_of
from surveys.results_document.document import Recoding, Results
from surveys.results_document.fits import FitResults
from surveys.results_document.parts import Part
from surveys.results_document.questions import QuestionResults
from surveys.results_document.tables import JointResults, TableResults

# The texts of a question in the language of the survey, and what they are in the other one.
Words = Mapping[str, str]
AnyPart = TypeVar("AnyPart", bound=Part)
# The keys of a question's results whose values are answers to it, at any depth.
ANSWERS = ("label", "labels")
# Texts that respondents wrote, and groups of members: nobody translates them.
OTHERS = ("texts", "network")


def results_in_language(content: Results, launch: Launch) -> Results:
    """Return results in the language of the readers of a launch."""
    if not launch.language:
        return content
    return _InWords(launch.parameters, launch.told, content.recodings).results(content)


def fit_in_language(fit: FitResults, launch: Launch) -> FitResults:
    """Return a fitted analysis in the language of the readers of a launch."""
    if not launch.language:
        return fit
    recodings = {fit.outcome.id: fit.reading.categories}
    recodings |= {name: groups for name, groups, _ in fit.reading.direct}
    return _InWords(launch.parameters, launch.told, recodings).fit(fit)


class _InWords:
    """Parts of results in another language. What is no text of a question stays as it is."""

    def __init__(
        self, source: Parameters, translated: Parameters, recodings: Mapping[str, Recoding]
    ) -> None:
        self._translated = translated
        self._answers = {
            before.id: _answers(before, after, recodings.get(before.id, []))
            for before, after in zip(source.questions, translated.questions, strict=True)
        }

    def results(self, content: Results) -> Results:
        return replace(
            content,
            questions=tuple(map(self._question, content.questions)),
            tables=tuple(map(self._table, content.tables)),
            joint=tuple(map(self._joint, content.joint)),
        )

    def fit(self, fit: FitResults) -> FitResults:
        outcome = fit.outcome
        of_outcome = self._of(outcome.id)
        rows = {
            key: tuple(self._row(row, of_outcome) for row in getattr(fit, key))
            for key in ("coefficients", "effects", "predictions")
        }
        return replace(
            fit,
            outcome=replace(
                outcome,
                text=self._text(outcome.id),
                categories=tuple(map(of_outcome, outcome.categories)),
            ),
            predictors=tuple(
                replace(
                    each,
                    text=self._text(each.id),
                    levels=tuple(map(self._of(each.id), each.levels)),
                    reference=each.reference and self._of(each.id)(each.reference),
                )
                for each in fit.predictors
            ),
            recoded={
                name: tuple(map(self._of(name), labels)) for name, labels in fit.recoded.items()
            },
            **rows,
        )

    def _row(self, row: Any, of_outcome: Callable[[str], str]) -> Any:
        """A coefficient, an effect or a prediction."""
        label = row.label
        if row.question is not None and isinstance(label, str):
            label = self._of(row.question)(label)
        return replace(row, category=row.category and of_outcome(row.category), label=label)

    def _text(self, name: str) -> str:
        return self._translated.question(name).text

    def _of(self, name: str) -> Callable[[str], str]:
        """Return what an answer to a question is in the other language."""
        words = self._answers[name]
        return lambda answer: words.get(answer, answer)

    def _question(self, found: QuestionResults) -> QuestionResults:
        question = self._translated.question(found.id)
        text = whole_text(question, self._translated)
        found, scale = _with_answers(replace(found, text=text), self._of(found.id)), question.scale
        if found.number and scale is not None:
            found = replace(found, number=replace(found.number, unit=scale.unit))
        return found

    def _table(self, table: TableResults) -> TableResults:
        return replace(
            table,
            outcome_text=self._text(table.outcome),
            group_text=self._text(table.group),
            outcome_labels=tuple(map(self._of(table.outcome), table.outcome_labels)),
            group_labels=tuple(map(self._of(table.group), table.group_labels)),
        )

    def _joint(self, joint: JointResults) -> JointResults:
        return replace(
            joint,
            texts=tuple(map(self._text, joint.questions)),
            labels=tuple(
                tuple(map(self._of(name), labels))
                for name, labels in zip(joint.questions, joint.labels, strict=True)
            ),
            pairs=tuple(map(self._table, joint.pairs)),
        )


def _answers(before: Question, after: Question, recoding: Recoding) -> Words:
    """The answers to a question, alone and those that are counted together."""
    together = zip(
        labels_of(recoding, before.categories), labels_of(recoding, after.categories), strict=True
    )
    return dict([*together, *zip(before.categories, after.categories, strict=True)])


def _with_answers(part: AnyPart, answer: Callable[[str], str]) -> AnyPart:
    """Return a part of a question's results with its answers in the other language."""
    changed = {
        key: _answer_or_part(key, getattr(part, key), answer)
        for key in part.__struct_fields__
        if key not in OTHERS
    }
    return replace(part, **changed)


def _answer_or_part(key: str, value: Any, answer: Callable[[str], str]) -> Any:
    if isinstance(value, Part):
        return _with_answers(value, answer)
    if isinstance(value, tuple):
        return tuple(_answer_or_part(key, each, answer) for each in value)
    return answer(value) if key in ANSWERS and isinstance(value, str) else value
