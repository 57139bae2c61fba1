"""The definition of a survey as one document: all that an author decides, and nothing else."""

from surveys.definitions.document import FORMAT, Definition, QuestionDefinition, definition_types
from surveys.definitions.reading import (
    BadDefinitionError,
    Problem,
    definition_from,
    read_definition,
)
from surveys.definitions.writing import definition_of, written

__all__ = [
    "FORMAT",
    "BadDefinitionError",
    "Definition",
    "Problem",
    "QuestionDefinition",
    "definition_from",
    "definition_of",
    "definition_types",
    "read_definition",
    "written",
]
