"""Tiers as an author writes them: one per line, its name and its share of every epsilon."""

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from itertools import pairwise

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.author_texts import numbered_lines, reader_key
from surveys.features.tiers.models import LEAST_SHARE, LONGEST_NAME
from surveys.features.tiers.section import LEAST_TIERS, MOST_TIERS, Tier
from surveys.models import Survey
from surveys.parameters.budget import text_of

# The shares that are offered to begin with.
USUAL_SHARES = ("0.25", "0.5", "1")
_LINE = re.compile(r"(?P<name>.+?)\s*[:;,=]\s*(?P<share>\d{1,3}(?:[.,]\d{1,4})?)")


def parse_tiers(text: str) -> tuple[tuple[Tier, ...], list[str]]:
    """The tiers of the field, the lowest first, and the problems of lines that are none."""
    tiers, problems = [], []
    for number, row in numbered_lines(text):
        match = _LINE.fullmatch(row)
        share = Decimal(match["share"].replace(",", ".")) if match else None
        if match is None or share is None:
            message = _("Line %(line)s: write “name: share”, such as “The public: 0.25”.")
            problems.append(message % {"line": number})
        elif not LEAST_SHARE <= share <= 1:
            message = _("Line %(line)s: a share is from %(least)s to 1.")
            least = numbers.decimal(LEAST_SHARE)
            problems.append(message % {"line": number, "least": least})
        elif len(match["name"]) > LONGEST_NAME:
            message = _("Line %(line)s: a name has %(most)s characters at most.")
            problems.append(message % {"line": number, "most": LONGEST_NAME})
        else:
            tiers.append(Tier(name=match["name"], share=text_of(share)))
    return tuple(tiers), problems


def tiers_text(tiers: Iterable[Tier]) -> str:
    return "\n".join(f"{tier.name}: {tier.share}" for tier in tiers)


def usual_tiers() -> str:
    """An example of what can be written, in the author's language."""
    names = (_("The public"), _("Partners"), _("Our own team"))
    pairs = zip(names, USUAL_SHARES, strict=True)
    return tiers_text(Tier(name=name, share=share) for name, share in pairs)


def tier_problems(tiers: tuple[Tier, ...]) -> Iterator[str]:
    """Yield what is wrong with the tiers of a draft, in words."""
    if tiers and not LEAST_TIERS <= len(tiers) <= MOST_TIERS:
        message = _("A survey has %(least)s to %(most)s tiers, or none.")
        yield message % {"least": LEAST_TIERS, "most": MOST_TIERS}
    if len({reader_key(tier.name) for tier in tiers}) < len(tiers):
        yield _("Two tiers have the same name.")
    for first, second in pairwise(tiers):
        if Decimal(second.share) <= Decimal(first.share):
            message = _(
                "The share of “%(second)s” must be above that of “%(first)s”: the lowest tier "
                "comes first."
            )
            yield message % {"first": first.name, "second": second.name}
    if tiers and tiers[-1].share != "1":
        message = _("The share of the highest tier is 1; that of “%(name)s” is %(share)s.")
        share = numbers.decimal(Decimal(tiers[-1].share))
        yield message % {"name": tiers[-1].name, "share": share}


def tiers_of(survey: Survey) -> tuple[Tier, ...]:
    """Return the tiers of a draft as they would be frozen, the lowest first."""
    rows = survey.tiers.all() if survey.pk else ()
    return tuple(Tier(name=row.name, share=text_of(row.share)) for row in rows)
