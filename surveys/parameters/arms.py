"""Arms: chance asks some people in another way, to see whether that changes the answers.

docs/protocol.md, section 15, has them in words; arm_rules.py has the rules. An arm is the stratum
of its devices: who is in it reports to these, and to those of the page where it has none.
"""

from typing import Annotated

import msgspec

from surveys.parameters.types import Frozen, Name

# The strata of the arms that an author can add: scrambled by another device, or not at all.
SPLIT, DIRECTLY = "split", "direct"
# How many arms there are, that of the page among them.
FEWEST_ARMS, MOST_ARMS = 2, 4
# Counts of people who are asked directly change by so many of them at least, or not at all: what
# they say is true of them, and somebody who answers often knows a part of each batch.
LEAST_DIRECT_BATCH = 20
# What the shares of all arms add up to.
EVERYBODY = 100


class Arm(Frozen, frozen=True):
    """`share`: of how many people in a hundred chance puts into it."""

    stratum: Name
    share: Annotated[int, msgspec.Meta(ge=1, le=EVERYBODY - 1)]
