"""Read the templates, one file for each of them and each language: `<name>.<language>.json`.

A file has the label, the purpose, the sources and what to adapt beside a definition that is
imported like every other one.
"""

from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated

import msgspec

from surveys.definitions import Definition, read_definition

FOLDER = Path(__file__).parent
# Every template has it, and is shown in it where it has not the language that is asked for.
FALLBACK = "en"

_Sentence = Annotated[str, msgspec.Meta(min_length=1)]


class _Content(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The form of a file; its definition is read by the rules of definitions."""

    label: _Sentence
    purpose: _Sentence
    sources: tuple[_Sentence, ...]
    adapt: tuple[_Sentence, ...]
    definition: msgspec.Raw


class SurveyTemplate(msgspec.Struct, frozen=True):
    """A survey to begin with.

    `purpose`: what it finds out. `sources`: the published instruments that its questions follow.
    `adapt`: what the author decides or changes before launch.
    """

    name: str
    language: str
    label: str
    purpose: str
    sources: tuple[str, ...]
    adapt: tuple[str, ...]
    definition: Definition


def templates_in(language: str) -> list[SurveyTemplate]:
    """Return every template in a language, or in English where it is not there, by label."""
    templates = (template_in(name, language) for name in _languages_by_name())
    return sorted(templates, key=lambda template: template.label)


def template_in(name: str, language: str) -> SurveyTemplate:
    """Return one template; raises KeyError for a name that is none."""
    languages = languages_of(name)
    # "de-at" is German.
    spoken = next((each for each in (language, language[:2]) if each in languages), FALLBACK)
    return _read(name, spoken)


def languages_of(name: str) -> tuple[str, ...]:
    """Return the languages that a template has; raises KeyError for a name that is none."""
    return _languages_by_name()[name]


@cache
def _languages_by_name() -> Mapping[str, tuple[str, ...]]:
    languages: defaultdict[str, list[str]] = defaultdict(list)
    for path in sorted(FOLDER.glob("*.json")):
        name, _dot, language = path.stem.rpartition(".")
        languages[name].append(language)
    return {name: tuple(found) for name, found in languages.items()}


@cache
def _read(name: str, language: str) -> SurveyTemplate:
    path = FOLDER / f"{name}.{language}.json"
    content = msgspec.json.decode(path.read_bytes(), type=_Content)
    return SurveyTemplate(
        name=name,
        language=language,
        label=content.label,
        purpose=content.purpose,
        sources=content.sources,
        adapt=content.adapt,
        definition=read_definition(bytes(content.definition)),
    )
