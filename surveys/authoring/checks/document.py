"""The last launch check: the document of the draft, read back as a launch would store it."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from surveys.authoring.checks import files
from surveys.authoring.checks.epsilon import Finding
from surveys.authoring.draft_parameters import draft_parameters
from surveys.exports.contents import texts_of
from surveys.models import Question, Survey
from surveys.parameters import Parameters, ParametersError, to_freeze

# The rules of a document that an author may meet; the others are shown in English.
TRANSLATED = (
    gettext_noop("a text that is not empty"),
    gettext_noop("a text without lone surrogates"),
    gettext_noop("a decimal such as 0.01: at most 6 digits before the point and 12 after it"),
    gettext_noop("a decimal such as 0.01: at most 31 digits before the point and 12 after it"),
    gettext_noop("the table must keep what is declared"),
)


def document(survey: Survey, questions: list[Question]) -> Iterator[Finding]:
    """Whether what would be frozen can be read again, and its files can be read by programs and
    people; only for a draft that nothing else blocks.
    """
    parameters = draft_parameters(survey=survey, questions=questions)
    yield from files.names(parameters)
    candidates = [text for question in questions for text in question.candidates]
    yield from files.texts([*texts_of(parameters), *candidates])
    try:
        to_freeze(parameters)
    except ParametersError as error:
        name, part = _place(parameters, error.field)
        message = _(
            "This cannot be launched: “%(field)s” of the parameters breaks a rule (%(rule)s). "
            "Change it, or what it is made from."
        ) % {"field": part or "document", "rule": rule_words(error)}
        yield Finding("unfit_document", f"{name}: {message}" if name else message, True, name)


def rule_words(error: ParametersError) -> str:
    """The rule that a document breaks, in the reader's language where it has been translated."""
    return _(error.rule)


def _place(parameters: Parameters, field: str) -> tuple[str | None, str]:
    """The question that a field such as `devices.3.search.prior` is of, and the field within it."""
    whole, _dot, rest = field.partition(".")
    index, _dot, part = rest.partition(".")
    if not index.isdecimal() or whole not in ("questions", "devices"):
        return None, field
    if whole == "questions":
        return parameters.questions[int(index)].id, part or whole
    return parameters.devices[int(index)].questions[0], part or whole
