"""A document in several languages (section 21 of the protocol)."""

import json
import re
from typing import Any

from candor.respondent.canonical import digest_of
from candor.respondent.rules import is_name, require
from candor.respondent.values import Json

TRANSLATED = re.compile(
    r"(?:^|\.)(?:title|name|introduction|consent|contact|host|law|retention|withdrawal|reason"
    r"|text|help|unit|categories\.\d+)$"
)


def in_language(document: Json, language: str) -> Json:
    """A checked document as it is shown in another language; raises `Untrusted`."""
    translation = document["translations"][language]
    covered = {"document": document["digest"], "language": language, "texts": translation["texts"]}
    require(digest_of(covered) == translation["digest"], "the digest is that of the translation")
    shown: Json = json.loads(json.dumps(document))
    for path, words in translation["texts"].items():
        require(bool(TRANSLATED.search(path)), "a path ends like that of a text")
        *keys, last = path.split(".")
        part: Any = shown
        for key in keys:
            part = part[place_in(part, key)]
        place = place_in(part, last)
        require(isinstance(part[place], str) and is_name(words), "a path leads to a text")
        part[place] = words
    return shown


def place_in(part: Any, key: str) -> Any:
    if isinstance(part, dict):
        require(key in part, "a path leads to a text")
        return key
    require(isinstance(part, list), "a path leads to a text")
    ids = [item.get("id") if isinstance(item, dict) else None for item in part]
    require(key in ids or (key.isdecimal() and int(key) < len(part)), "a path leads to a text")
    return ids.index(key) if key in ids else int(key)
