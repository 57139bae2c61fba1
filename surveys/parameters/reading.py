"""Reading and writing the document: JSON or plain Python on the one side, typed on the other."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec

from surveys.parameters.canonical import digest_of_json
from surveys.parameters.document import Parameters, document_types
from surveys.parameters.types import PATTERN_RULES, Frozen


class ParametersError(ValueError):
    """A document breaks a rule: which (`code`), where (`field`), in words.

    `code` is "shape" where the JSON Schema alone says so.
    """

    def __init__(self, code: str, field: str, rule: str) -> None:
        super().__init__(f"{field or 'document'}: {rule}")
        self.code = code
        self.field = field
        self.rule = rule


Part = TypeVar("Part", bound=Frozen)
# Texts in another language, by their paths (surveys/parameters/translations.py).
Texts = Mapping[str, str]
# The keys with which a document ends.
LAST = ("epsilon", "reason", "questions", "devices")


def from_json(text: str | bytes) -> Parameters:
    """Read the JSON text of a document as it is stored; raises ParametersError."""
    try:
        return document_types().decoder.decode(text)
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise _shape_error(error) from error


def read(document: Mapping[str, Any]) -> Parameters:
    """Read a document of plain JSON types, served or stored; raises ParametersError."""
    entries = {
        key: value for key, value in document.items() if key not in ("digest", "translations")
    }
    try:
        return msgspec.convert(entries, document_types().parameters)
    except msgspec.ValidationError as error:
        raise _shape_error(error) from error


def to_json(part: msgspec.Struct) -> dict[str, Any]:
    """The document, or a part of it, as plain JSON types."""
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(part))
    if isinstance(part, Parameters):
        # People read it too: the sections of features stand before the long lists.
        first = [key for key in Parameters.__struct_fields__ if key not in LAST]
        sections = [key for key in plain if key not in Parameters.__struct_fields__]
        plain = {key: plain[key] for key in (*first, *sections, *LAST)}
    return plain


def read_back(part: Part) -> Part:
    """The document, or a part of it, as it will be read once it is stored; raises ParametersError.

    Constructors take anything, so only what was read has the form of the JSON Schema.
    """
    try:
        return msgspec.json.decode(msgspec.json.encode(part), type=type(part))
    except (msgspec.MsgspecError, UnicodeError, TypeError) as error:
        raise _shape_error(error) from error


@dataclass(frozen=True, slots=True)
class ServedParameters:
    """The served document: parameters, the digest that names them, and texts by language."""

    parameters: Parameters
    digest: str
    translations: Mapping[str, Texts] = field(default_factory=dict)

    def document(self) -> dict[str, Any]:
        """The whole document as plain JSON types, with a digest of each translation."""
        plain = {**to_json(self.parameters), "digest": self.digest}
        translated = {
            language: {
                "texts": dict(texts),
                "digest": translation_digest(self.digest, language, texts),
            }
            for language, texts in self.translations.items()
        }
        return {**plain, "translations": translated} if translated else plain


def digest_of(parameters: Parameters) -> str:
    """Return the digest that names these parameters."""
    return digest_of_json(to_json(parameters))


def translation_digest(digest: str, language: str, texts: Texts) -> str:
    """Return the digest of a translation of the document that has this digest."""
    return digest_of_json({"document": digest, "language": language, "texts": dict(texts)})


def _shape_error(error: Exception) -> ParametersError:
    rule, _, location = str(error).partition(" - at `$")
    field = re.sub(r"\[(\d+|\.\.\.)\]", r".\1", location.strip("`")).strip(".")
    return ParametersError("shape", field, _in_words(rule))


def _in_words(rule: str) -> str:
    """A rule of the schema; those that an author may meet without their regular expression."""
    if "surrogates not allowed" in rule:
        return "a text without lone surrogates"
    if rule == "Expected `str` of length >= 1":
        return "a text that is not empty"
    return next((words for pattern, words in PATTERN_RULES.items() if repr(pattern) in rule), rule)
