"""All documents that break a rule, under the names of the valid ones that they are made from."""

import copy
from collections.abc import Callable, Collection

from tests.vectors import make_wire_vectors as valid
from tests.vectors.breaches import Breach, Json
from tests.vectors.broken_analyses import BROKEN_ANALYSES
from tests.vectors.broken_arms import BROKEN_ARMS
from tests.vectors.broken_batteries import BROKEN_BATTERIES, in_battery
from tests.vectors.broken_documents import (
    BROKEN,
    BROKEN_EVERYTHING,
    BROKEN_NUMBERS,
    BROKEN_TEXTS,
    BROKEN_TIERS,
    BROKEN_WAVE,
)
from tests.vectors.broken_filters import BROKEN_FILTERS
from tests.vectors.broken_free_texts import BROKEN_FREE_TEXTS, in_words
from tests.vectors.broken_groups import BROKEN_GROUPS, BROKEN_GROUPS_AGAIN
from tests.vectors.broken_links import BROKEN_LINKS, from_link
from tests.vectors.broken_option_orders import BROKEN_OPTION_ORDERS, ordered
from tests.vectors.broken_pairs import BROKEN_PAIRS
from tests.vectors.broken_piping import BROKEN_PIPING, in_texts
from tests.vectors.broken_quotas import (
    BROKEN_ENDS,
    BROKEN_QUOTAS,
    with_an_end,
    with_quotas,
)
from tests.vectors.broken_rosters import BROKEN_ROSTERS
from tests.vectors.broken_sections import BROKEN_SECTIONS, in_sections
from tests.vectors.broken_shared import (
    BROKEN_ABOUT_THE_SITE,
    BROKEN_SHARED,
    about_the_site,
    shared,
)
from tests.vectors.broken_support import BROKEN_SUPPORT, supported

SETS: dict[str, tuple[Callable[[], Json], dict[str, Breach]]] = {
    "with little": (valid.document, BROKEN),
    "with everything": (valid.everything, BROKEN_EVERYTHING),
    "of a later wave": (valid.third_wave, BROKEN_WAVE),
    "of numbers": (valid.numbers, BROKEN_NUMBERS),
    "of texts": (valid.texts, BROKEN_TEXTS),
    "with tiers": (valid.tiered, BROKEN_TIERS),
    "of groups": (valid.grouped, BROKEN_GROUPS),
    "of groups in a later wave": (valid.grouped_again, BROKEN_GROUPS_AGAIN),
    "of random pairs": (valid.paired, BROKEN_PAIRS),
    "of a roster": (valid.rosters, BROKEN_ROSTERS),
    "of analyses": (valid.declared, BROKEN_ANALYSES),
    "of arms": (valid.in_arms, BROKEN_ARMS),
    "with support": (supported, BROKEN_SUPPORT),
    "with filters": (valid.filtered, BROKEN_FILTERS),
    "on shared devices": (shared, BROKEN_SHARED),
    "in sections": (in_sections, BROKEN_SECTIONS),
    "with answers in texts": (in_texts, BROKEN_PIPING),
    "from the link": (from_link, BROKEN_LINKS),
    "in a battery": (in_battery, BROKEN_BATTERIES),
    "with quotas": (with_quotas, BROKEN_QUOTAS),
    "with an end": (with_an_end, BROKEN_ENDS),
    "in orders by chance": (ordered, BROKEN_OPTION_ORDERS),
    "in words": (in_words, BROKEN_FREE_TEXTS),
    "about the site": (about_the_site, BROKEN_ABOUT_THE_SITE),
}
# Only the browser has to look for these: the server makes the digest, and translations are no
# parameters.
BESIDE_THE_DIGEST = {
    f"with little: {case}"
    for case in ("wrong digest", "digest in capitals", "digest null", "translations no object")
}


def cases(left_out: Collection[str] = ()) -> list[str]:
    """The names of breaches, each after that of its set, but for some of them."""
    names = [f"{name}: {case}" for name, (_, breaches) in SETS.items() for case in breaches]
    return [name for name in names if name not in left_out]


def broken(case: str) -> tuple[Json, str, str]:
    """The document, and the code and the field of its refusal."""
    name, _, breach = case.partition(": ")
    document_of, breaches = SETS[name]
    change, code, field = breaches[breach]
    document = copy.deepcopy(document_of())
    change(document)
    return document, code, field
