"""The interface of a feature: one class for each room, which answers “nothing” throughout."""

from surveys.features.parts.authors import AuthorPart, DeskPart, DrawWords, Selection
from surveys.features.parts.demos import DemoPart, Filling
from surveys.features.parts.documents import DocumentPart, DraftPart
from surveys.features.parts.readers import ReadersPart, ResultsPart
from surveys.features.parts.respondents import AnswersPart, PagePart

__all__ = [
    "AnswersPart",
    "AuthorPart",
    "DemoPart",
    "DeskPart",
    "DocumentPart",
    "DraftPart",
    "DrawWords",
    "Filling",
    "PagePart",
    "ReadersPart",
    "ResultsPart",
    "Selection",
]
