"""What a launch freezes of batteries, and what an author is told of them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from surveys.author_texts import paragraphs
from surveys.authoring.checks.epsilon import Finding
from surveys.features.batteries.allowed import batteries_in, battery_problems, problems_of
from surveys.features.batteries.figures import BatteryPanel, battery_panels
from surveys.features.batteries.section import NAME, Battery, said_in
from surveys.features.batteries.settings import item_of
from surveys.features.parts import AuthorPart, Said
from surveys.models import Question, Survey


class BatteriesForAuthors(AuthorPart):
    def is_used_by(self, question: Question) -> bool:
        return item_of(question).number > 0

    def freeze(self, survey: Survey, questions: Sequence[Question]) -> Mapping[str, Any]:
        frozen = tuple(
            Battery(
                text=paragraphs(battery.text),
                questions=tuple(question.name for question in battery.questions),
                random=battery.random,
            )
            for battery in batteries_in(questions)
            # What stands against a launch is asked one by one in the preview.
            if not any(problems_of(battery, questions))
        )
        return {NAME: frozen} if frozen else {}

    def asked_together(self, questions: Sequence[Question]) -> Sequence[Sequence[Question]]:
        return [battery.questions for battery in batteries_in(questions)]

    def may_come_first(
        self, questions: Sequence[Question], later: Question, earlier: Question
    ) -> bool:
        return any(
            battery.random and {later, earlier} <= set(battery.questions)
            for battery in batteries_in(questions)
        )

    def said(self, survey: Survey, questions: Sequence[Question]) -> Sequence[Said]:
        return said_in(self.freeze(survey, questions).get(NAME, ()))

    def texts(self, survey: Survey, questions: Sequence[Question]) -> Sequence[str]:
        return [battery.text for battery in batteries_in(questions)]

    def panels_above(
        self, questions: Sequence[Question], planned_n: int, deadline: float
    ) -> Sequence[BatteryPanel]:
        return battery_panels(questions, planned_n, deadline)

    def findings(self, survey: Survey, questions: Sequence[Question]) -> Iterator[Finding]:
        for problem in battery_problems(questions):
            yield Finding.of(problem.question, problem.code, problem.message, blocks=True)
