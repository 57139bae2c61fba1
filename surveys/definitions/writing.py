"""The definition of a stored survey."""

from decimal import Decimal
from typing import Any

import msgspec

from surveys.definitions.document import (
    FORMAT,
    Definition,
    Features,
    QuestionDefinition,
    Searched,
    definition_types,
)
from surveys.features import FEATURES
from surveys.models import Question, Survey
from surveys.parameters import scale_of_json
from surveys.parameters.budget import text_of

# The keys of what a search has stored with a question, beside the settings of its device; `run` is
# its number at this site.
SEARCHED = (*Searched.__struct_fields__, "run")
# Fields of a survey that a definition has under the same name.
OF_SURVEY = (
    *("title", "language", "introduction", "consent", "contact", "layout", "opens_at", "closes_at"),
    *("budget", "budget_reason", "precision_reason", "planned_n", "release_threshold"),
    *("release_batch", "mode", "linkage", "population", "results_public", "embed_origins"),
)
OF_QUESTION = (
    *("name", "kind", "text", "characters", "directed", "randomized", "epsilon"),
    *("physical_device", "required", "prefer_not", "group"),
)


def definition_of(survey: Survey) -> Definition:
    """Return what a survey's author has decided, as it is stored now."""
    types, survey = definition_types(), Survey.objects.get(pk=survey.pk)
    return types.definition(
        format=FORMAT,
        address=survey.slug,
        **{name: _plain(getattr(survey, name)) for name in OF_SURVEY},
        questions=tuple(map(_of_question, survey.questions.all())),
        features=_features(types.of_survey, "of_survey", survey),
    )


def written(definition: Definition) -> bytes:
    """Return the document, for people to read too: indented, with a line end at its end."""
    return msgspec.json.format(msgspec.json.encode(definition), indent=2) + b"\n"


def _of_question(question: Question) -> QuestionDefinition:
    types, stored = definition_types(), question.design_parameters
    # What is empty was not stored by a search: only with a certificate can a table be imported.
    searched = {name: stored[name] for name in Searched.__struct_fields__ if stored.get(name)}
    # Devices are for what is scrambled.
    design = question.design if question.randomized else ""
    return types.question(
        design=design,
        **{name: _plain(getattr(question, name)) for name in OF_QUESTION},
        help=question.help_text,
        reason=question.epsilon_reason,
        options=tuple(question.options),
        candidates=tuple(question.candidates),
        scale=scale_of_json(question.scale) if question.scale else None,
        settings={name: value for name, value in stored.items() if name not in SEARCHED},
        found_table=msgspec.convert(searched, Searched) if searched else None,
        features=_features(types.of_question, "of_question", question),
    )


def _plain(value: Any) -> Any:
    """Return a value of a column without idle digits, and a choice as its text."""
    if isinstance(value, Decimal):
        return Decimal(text_of(value))
    return str(value) if isinstance(value, str) else value


def _features(made: type[Features], part: str, holder: Any) -> Features | None:
    """Return what is set for features of a survey, or of a question; None where nothing is."""
    values = {name: getattr(x.definition, part)(holder) for name, x in FEATURES.items()}
    found = {name: value for name, value in values.items() if value is not None}
    return made(**found) if found else None
