"""Surveys with a short text, as a launch freezes them."""

from decimal import Decimal
from typing import Any

from msgspec.structs import replace

from rr_engine.rappor import Rappor
from surveys.models import Launch
from surveys.parameters import Bloom, Parameters, check, digest_of
from tests.browser.respondent import survey

TEXT = "What did you take last?"
REFUSAL = "Prefer not to say"


def filter_of(epsilon: str, *, bits: int = 128, hashes: int = 2, cohorts: int = 8) -> Bloom:
    """The table of a device with this loss."""
    device = Rappor.for_epsilon(epsilon, bits=bits, hashes=hashes, cohorts=cohorts)
    return Bloom(
        cohorts=cohorts,
        bits=bits,
        hashes=hashes,
        denominator=device.denominator,
        one=device.kept,
        zero=device.raised,
    )


def with_text(
    parameters: Parameters,
    *,
    epsilon: str = "1.5",
    prefer_not: bool = True,
    required: bool = True,
    characters: int = 40,
    table: Bloom | None = None,
) -> Parameters:
    """The same survey, of which the first question takes a text."""
    question, *others = parameters.questions
    device, *further = parameters.devices
    text = replace(
        question,
        kind="short_text",
        control="text",
        text=TEXT,
        categories=(REFUSAL,) * prefer_not,
        prefer_not=prefer_not,
        required=required,
        characters=characters,
    )
    rappor = replace(
        device, family="rappor", look="text", table=table or filter_of(epsilon), epsilon=epsilon
    )
    return check(replace(parameters, questions=(text, *others), devices=(rappor, *further)))


def text_launch(
    *, questions: tuple[dict[str, Any], ...] = (), language: str = "en", **text: Any
) -> Launch:
    """A survey that begins with a text, and goes on with these questions."""
    first = survey(budget=Decimal(8), questions=[{}, *questions], language=language)
    parameters = with_text(replace(first.parameters, version=2), **text)
    return Launch.objects.create(
        survey=first.survey, parameters=parameters, digest=digest_of(parameters), version=2
    )
