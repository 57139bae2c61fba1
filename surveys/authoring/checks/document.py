"""The last launch check: the document of the draft, read back as a launch would store it."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from surveys.authoring.checks.epsilon import Finding
from surveys.authoring.draft_parameters import draft_parameters
from surveys.models import Survey
from surveys.parameters import Parameters, ParametersError, to_freeze


def document(survey: Survey) -> Iterator[Finding]:
    """Whether what would be frozen can be read again; only for a draft that nothing else blocks."""
    parameters = draft_parameters(survey=survey)
    try:
        to_freeze(parameters)
    except ParametersError as error:
        name, part = _place(parameters, error.field)
        message = _(
            "This cannot be launched: “%(field)s” of the parameters breaks a rule (%(rule)s). "
            "Change it, or what it is made from."
        ) % {"field": part, "rule": error.rule}
        yield Finding("unfit_document", f"{name}: {message}" if name else message, True, name)


def _place(parameters: Parameters, field: str) -> tuple[str | None, str]:
    """The question that a field such as `devices.3.search.prior` is of, and the field within it."""
    whole, _dot, rest = field.partition(".")
    index, _dot, part = rest.partition(".")
    if not index.isdecimal() or whole not in ("questions", "devices"):
        return None, field
    if whole == "questions":
        return parameters.questions[int(index)].id, part or whole
    return parameters.devices[int(index)].questions[0], part or whole
