"""What every part of the protocol speaks of: names, numbers, and their limits."""

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

RandomBytes = Callable[[int], bytes]
Json = dict[str, Any]

# An index, those that are ticked, or a text with None for a refusal; of a roster 0 or 1 for each of
# the others.
Answered = int | Sequence[int] | str | None

IDENTIFIER = re.compile(r"[a-z][a-z0-9_]{0,31}")
NAME = re.compile(r"[a-z][a-z0-9_]*")
SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
DECIMAL = re.compile(r"(0|[1-9][0-9]{0,5})(\.[0-9]{1,12})?")
SIGNED = re.compile(r"0|-?[1-9][0-9]{0,8}|-?(0|[1-9][0-9]{0,8})\.[0-9]{0,5}[1-9]")
DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
WHOLE = re.compile(r"0|[1-9][0-9]{0,2999}")
EPSILON_CAP = Decimal(8)
QUESTION_LIMIT, PERSON_LIMIT = Decimal(4), Decimal(10)
DELTA_LIMIT = Decimal("0.1")
LARGEST = 2**53
MOST_RESULTS = 2**52
MOST_BITS = 2**16
MOST_FILTER_BITS = 2**12
MOST_CELLS = 2**18
MOST_COMBINATIONS = 2**20
MOST_STEPS = 10_000
MEMBER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}")
LEAST_MEMBERS, MOST_MEMBERS = 3, 1_000
LEAST_RANKED, MOST_RANKED = 3, 6
EXIT = re.compile(r"https://[A-Za-z0-9.-]+(:[0-9]{1,5})?(/[A-Za-z0-9._~:/?#@!$&'()*+,;=%-]*)?")
MOST_ITEMS = 20
LISTED = ("yes_no", "list", "scale")


class Untrusted(Exception):
    """The server's words break a rule, so no question may be asked."""


# Texts about the site, each absent where nothing is said.
ABOUT_SITE = ("host", "law", "retention", "withdrawal")
