"""Answers in later texts, in the frozen document; docs/protocol.md, section 24.

`{region}` in the text of a later question stands for the answer to the question `region`, which is
sent as it is. The browser puts it there, in its memory. Never that of a scrambled question: the
page would show an onlooker the real answer. static/js/features/piping/rules.js has the twin of the
rules.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Final, NamedTuple

import msgspec

from surveys.features.feature import FEATURES
from surveys.features.parts import DocumentPart, Said
from surveys.parameters.document import BOXES, NUMBER, Parameters, Question
from surveys.parameters.joint import LISTED
from surveys.parameters.types import Frozen, Problem, QuestionName, Text

NAME: Final = "piping"
BAD: Final = "bad_pipe"
# What stands where an answer is not known and its author has written nothing for that.
UNKNOWN: Final = "…"
CONTROLS: Final = (*LISTED, BOXES, NUMBER)
_TOKEN = re.compile(
    r"(?P<brace>\{\{|\}\})|\{(?P<name>[a-z][a-z0-9_]{0,31})(?:\|(?P<words>[^{}]*))?\}|(?P<odd>[{}])"
)


class PipedText(Frozen, frozen=True):
    """A text in which braces mean something: its path, and whose answers stand in it."""

    text: Text
    answers: tuple[QuestionName, ...]


class Pipe(NamedTuple):
    """The place of an answer in a text; `words` stand there where the answer is not known."""

    name: str
    words: str = UNKNOWN


class UnreadableTextError(ValueError):
    """A text in which a brace stands alone."""


def parts_of_text(text: str) -> list[str | Pipe]:
    """Return a text in parts; doubled braces are those that people read.

    Raises UnreadableTextError.
    """
    parts: list[str | Pipe] = []
    at = 0
    for match in _TOKEN.finditer(text):
        parts.append(text[at : match.start()])
        at = match.end()
        if match["odd"]:
            raise UnreadableTextError(text)
        if match["brace"]:
            parts.append(match["brace"][0])
        else:
            parts.append(Pipe(match["name"], (match["words"] or "").strip() or UNKNOWN))
    parts.append(text[at:])
    return parts


def has_names(text: str) -> bool:
    """Whether something in a text, which may be unreadable, has the form of an answer's place."""
    return any(match["name"] for match in _TOKEN.finditer(text))


def answers_in(text: str) -> tuple[str, ...]:
    """Return the questions whose answers stand in a text, each once.

    Raises UnreadableTextError.
    """
    return tuple(dict.fromkeys(x.name for x in parts_of_text(text) if isinstance(x, Pipe)))


def at_rest(text: str) -> str:
    """Return a text as it is where no answer is known; one that cannot be read as it is."""
    try:
        return "".join(x.words if isinstance(x, Pipe) else x for x in parts_of_text(text))
    except UnreadableTextError:
        return text


def piped_texts(parameters: Parameters) -> tuple[PipedText, ...]:
    return parameters.section(NAME) or ()


def said_in(parameters: Parameters) -> list[Said]:
    """Return the texts of a document in which answers may stand, in its order."""
    of_features = [
        said for feature in FEATURES.values() for said in feature.document.said(parameters)
    ]
    of_questions = [
        Said(f"questions.{question.id}.{key}", text, (question.id,))
        for question in parameters.questions
        for key, text in (("text", question.text), ("help", question.help))
    ]
    return of_questions + of_features


def is_unfit(source: str, text: str) -> bool:
    """Whether a translation has other answers in it than its source has."""
    try:
        return set(answers_in(source)) != set(answers_in(text))
    except UnreadableTextError:
        return True


class PipingInDocument(DocumentPart):
    optional_sections = {NAME: Annotated[tuple[PipedText, ...], msgspec.Meta(min_length=1)]}

    def problems(self, parameters: Parameters) -> Iterator[Problem]:
        piped = piped_texts(parameters)
        if not piped:
            return
        if len({each.text for each in piped}) < len(piped):
            yield "duplicate", NAME, "each text once"
        said = {each.path: each for each in said_in(parameters)}
        places = {question.id: place for place, question in enumerate(parameters.questions)}
        for index, each in enumerate(piped):
            field = f"{NAME}.{index}"
            if each.text not in said:
                yield "bad_text", f"{field}.text", "the path of a text that is said at a question"
            elif not _has_answers(said[each.text].text, each.answers):
                yield BAD, f"{field}.answers", "the answers that stand in the text, in their order"
            elif any(_problem(name, said[each.text], parameters, places) for name in each.answers):
                rule = "answers to earlier questions that everybody is asked and that are sent"
                yield BAD, f"{field}.answers", f"{rule} as they are"

    def untranslatable(self, parameters: Parameters, texts: Mapping[str, str]) -> list[str]:
        said = {each.path: each.text for each in said_in(parameters)}
        paths = [x.text for x in piped_texts(parameters) if x.text in texts and x.text in said]
        return [path for path in paths if is_unfit(said[path], texts[path])]


def _has_answers(text: str, answers: tuple[str, ...]) -> bool:
    try:
        return answers_in(text) == answers
    except UnreadableTextError:
        return False


def _problem(name: str, said: Said, parameters: Parameters, places: Mapping[str, int]) -> bool:
    """Whether the answer to a question cannot stand in a text."""
    if name not in places:
        return True
    source = parameters.questions[places[name]]
    first = min((places[later] for later in said.before), default=len(places))
    is_left_out = any(f.document.leaves_out(parameters, name) for f in FEATURES.values())
    moves = any(
        feature.document.may_come_first(parameters, later, name)
        for feature in FEATURES.values()
        for later in said.before
    )
    return places[name] >= first or not takes_pipes(source) or is_left_out or moves


def takes_pipes(question: Question) -> bool:
    """Whether the answer to a question can stand in later texts."""
    return not question.randomized and question.control in CONTROLS
