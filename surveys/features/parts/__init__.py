"""The interface of a feature: one class for each room, which answers “nothing” throughout."""

from surveys.features.parts.authors import AuthorPart, DrawWords, Run, Selection
from surveys.features.parts.definitions import DefinitionPart, SettingsInDefinition
from surveys.features.parts.demos import DemoPart, Filling
from surveys.features.parts.desks import (
    Confirmation,
    DeskPart,
    Facts,
    FurtherLink,
    Moment,
    OwnField,
    Place,
    TypedSurvey,
)
from surveys.features.parts.documents import DocumentPart, DraftPart, Said
from surveys.features.parts.programs import ProgramsPart
from surveys.features.parts.readers import ReadersPart, ResultsPart, Terms
from surveys.features.parts.respondents import (
    AnswersPart,
    Audience,
    Beside,
    BesideColumn,
    Condition,
    PagePart,
    Problems,
)

__all__ = [
    "AnswersPart",
    "Audience",
    "AuthorPart",
    "Beside",
    "BesideColumn",
    "Condition",
    "Confirmation",
    "DefinitionPart",
    "DemoPart",
    "DeskPart",
    "DocumentPart",
    "DraftPart",
    "DrawWords",
    "Facts",
    "Filling",
    "FurtherLink",
    "Moment",
    "OwnField",
    "PagePart",
    "Place",
    "Problems",
    "ProgramsPart",
    "ReadersPart",
    "ResultsPart",
    "Run",
    "Said",
    "Selection",
    "SettingsInDefinition",
    "Terms",
    "TypedSurvey",
]
