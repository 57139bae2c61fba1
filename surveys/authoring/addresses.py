"""The address of a survey: the last part of its respondents' link, and what is proposed for it."""

import re

from django.core.exceptions import ValidationError
from django.utils.text import slugify
from django.utils.translation import get_language

from surveys.models import Survey
from surveys.models.survey import SLUG_RULE

LONGEST = Survey._meta.get_field("slug").max_length or 64
# What German writes for letters that others write without their dots.
_GERMAN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
# Of a text without a letter that an address can have.
_NOTHING_LEFT = "survey"


def is_address(text: str) -> bool:
    """Whether a text can be an address, free or not."""
    try:
        SLUG_RULE(text)
    except ValidationError:
        return False
    return len(text) <= LONGEST


def proposed_address(text: str) -> str:
    """Return an address that is made from any text, and is free."""
    return free_address(_address_from(text))


def is_proposed(address: str, text: str) -> bool:
    """Whether an address is one that was made from this text."""
    stem = _address_from(text)
    return address == stem or bool(re.fullmatch(rf"{re.escape(stem)}-\d+", address))


def _address_from(text: str) -> str:
    text = text.lower().replace("ß", "ss")
    if (get_language() or "").startswith("de"):
        text = text.translate(_GERMAN)
    letters = slugify(text).replace("_", "-")
    address = re.sub("-+", "-", letters)[:LONGEST].strip("-")
    return address or _NOTHING_LEFT


def free_address(address: str) -> str:
    """Return the address itself, or with the first number from 2 on that makes it free."""
    if not Survey.objects.filter(slug=address).exists():
        return address
    stem = address[: LONGEST - 6].rstrip("-")
    taken = set(Survey.objects.filter(slug__startswith=stem).values_list("slug", flat=True))
    number = 2
    while f"{stem}-{number}" in taken:
        number += 1
    return f"{stem}-{number}"
