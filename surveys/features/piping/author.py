"""What a launch freezes of answers in later texts, and what stands against them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from surveys.author_texts import paragraphs
from surveys.authoring.checks.epsilon import Finding
from surveys.features.feature import FEATURES
from surveys.features.parts import AuthorPart, Said
from surveys.features.piping.section import (
    CONTROLS,
    NAME,
    UNKNOWN,
    PipedText,
    UnreadableTextError,
    answers_in,
    has_names,
    parts_of_text,
)
from surveys.kinds import KINDS, categories
from surveys.models import Question, Survey

BRACES = ("{", "}")
# The words beside braces that stand alone.
_BESIDE = re.compile(r"\{\s*(\w+)|(\w+)\s*\}")


class PipingForAuthors(AuthorPart):
    def is_used(self, survey: Survey, questions: Sequence[Question]) -> bool:
        return bool(_piped(survey, questions))

    def freeze(self, survey: Survey, questions: Sequence[Question]) -> Mapping[str, Any]:
        piped = []
        for said in _piped(survey, questions):
            try:
                piped.append(PipedText(text=said.path, answers=answers_in(said.text)))
            except UnreadableTextError:
                # A finding says so, and there is no launch.
                continue
        return {NAME: tuple(piped)} if piped else {}

    def texts_rest_on(
        self, survey: Survey, questions: Sequence[Question]
    ) -> Mapping[str, frozenset[str]]:
        found: dict[str, frozenset[str]] = {}
        for said in _piped(survey, questions):
            for name in said.before:
                found[name] = found.get(name, frozenset()).union(_names_in(said.text))
        return found

    def findings(self, survey: Survey, questions: Sequence[Question]) -> Iterator[Finding]:
        for said, words, blocks in problems_of(survey, questions):
            holder = next((x for x in questions if x.name in said.before), None)
            if holder is None:
                yield Finding("pipe", words, blocks=blocks)
            else:
                yield Finding.of(holder, "pipe", words, blocks=blocks)
        yield from _elsewhere(survey, questions)


def _said(survey: Survey, questions: Sequence[Question]) -> list[Said]:
    """Return the texts of a draft in which answers may stand."""
    of_questions = [
        Said(f"questions.{question.name}.{key}", paragraphs(text), (question.name,))
        for question in questions
        for key, text in (("text", question.text), ("help", question.help_text))
    ]
    of_features = (x.author.said(survey, questions) for x in FEATURES.values())
    return of_questions + [said for part in of_features for said in part]


def _names_in(text: str) -> tuple[str, ...]:
    try:
        return answers_in(text)
    except UnreadableTextError:
        return ()


def _has_braces(said: Said) -> bool:
    return any(brace in said.text for brace in BRACES)


def _piped(survey: Survey, questions: Sequence[Question]) -> list[Said]:
    """Return the texts in which braces mean something."""
    with_braces = filter(_has_braces, _said(survey, questions))
    return [said for said in with_braces if not _is_as_written(said.text, questions)]


def _is_as_written(text: str, questions: Sequence[Question]) -> bool:
    """Whether braces stand alone in a text, and none seems to name a question."""
    try:
        parts_of_text(text)
    except UnreadableTextError:
        names = {question.name for question in questions}
        beside = {(after or before).casefold() for after, before in _BESIDE.findall(text)}
        return not has_names(text) and names.isdisjoint(beside)
    return False


def problems_of(survey: Survey, questions: Sequence[Question]) -> Iterator[tuple[Said, str, bool]]:
    """Yield what stands against answers in texts: which text, why, and whether it blocks."""
    named = {question.name: question for question in questions}
    for said in filter(_has_braces, _said(survey, questions)):
        if _is_as_written(said.text, questions):
            message = _(
                "The braces here name no question, so respondents read them as they are. An "
                "answer to an earlier question stands in {name}, by its name."
            )
            yield said, message, False
            continue
        try:
            names = answers_in(said.text)
        except UnreadableTextError:
            message = _(
                "A brace stands alone. Write {name} for the answer to an earlier question, by its "
                "name, and {{ and }} for braces that respondents read."
            )
            yield said, message, True
            continue
        for name in names:
            if words := _refusal(name, said, questions, named):
                yield said, words, True
            elif not named[name].required and _says_nothing(name, said.text):
                message = _(
                    "Whoever leaves “%(name)s” out reads “%(unknown)s” here. Write behind a bar "
                    "what they read instead: {%(name)s|some words}."
                )
                yield said, message % {"name": name, "unknown": UNKNOWN}, False


def _says_nothing(name: str, text: str) -> bool:
    pipes = [part for part in parts_of_text(text) if not isinstance(part, str)]
    return any(pipe.name == name and pipe.words == UNKNOWN for pipe in pipes)


def _refusal(
    name: str, said: Said, questions: Sequence[Question], named: Mapping[str, Question]
) -> str:
    """Return why the answer to a question cannot stand in a text; empty where it can."""
    places = {question.name: place for place, question in enumerate(questions)}
    first = min((places[later] for later in said.before), default=len(questions))
    source = named.get(name)
    if source is None or places[name] >= first:
        earlier = [x.name for x in questions[:first] if not x.randomized]
        known = ", ".join(earlier) or _("there is none")
        message = _(
            "“%(name)s” is no question before this text. Those before it that are sent as they "
            "are: %(known)s."
        )
        return message % {"name": name, "known": known}
    if source.randomized:
        message = _(
            "The answer to “%s” is scrambled, and cannot stand in a text: the page would show an "
            "onlooker the real answer. Ask it directly, or take it out of the text."
        )
        return message % name
    kind = KINDS.get(source.kind)
    if kind is None or kind.control not in CONTROLS:
        message = _("The answer to “%s” is no choice and no number, and cannot stand in a text.")
        return message % name
    if any(feature.author.leaves_out(source) for feature in FEATURES.values()):
        message = _(
            "“%s” is not asked of everybody, so that its answer cannot stand in a text. Ask it of "
            "everybody, or take it out of the text."
        )
        return message % name
    later = [question for question in questions if question.name in said.before]
    if any(x.author.may_come_first(questions, y, source) for x in FEATURES.values() for y in later):
        message = _(
            "Chance may ask “%s” after this text. Put both where chance does not change their "
            "order, or take it out of the text."
        )
        return message % name
    return ""


def _elsewhere(survey: Survey, questions: Sequence[Question]) -> Iterator[Finding]:
    """Yield names in braces where no answer is put: such a text is read as it is written."""
    said = {each.text for each in _said(survey, questions)}
    answers = [label for x in questions if x.kind in KINDS for label in categories(x)]
    own = (survey.title, survey.introduction, survey.consent, survey.contact, *answers)
    of_features = [text for x in FEATURES.values() for text in x.author.texts(survey, questions)]
    for text in (*own, *of_features):
        names = [x.name for x in questions if f"{{{x.name}}}" in text or f"{{{x.name}|" in text]
        if names and paragraphs(text) not in said:
            message = _(
                "Answers stand in questions, in their help, in what several questions have in "
                "common, and in titles and texts of sections only. Take {%(name)s} out of "
                "“%(text)s”."
            )
            yield Finding(
                "pipe_elsewhere", message % {"name": names[0], "text": text[:80]}, blocks=True
            )
