"""Networks that chance draws, for simulated surveys: nobody real is tied to anybody in them."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Network = npt.NDArray[np.bool_]


def drawn_network(
    members: int,
    density: float,
    returned: float | None,
    generator: np.random.Generator,
) -> Network:
    """Ties between members, a table with one row for each, of pairs that are independent.

    `returned`: the share of directed ties that are returned; None for ties without a direction.
    """
    upper = np.triu_indices(members, 1)
    ties = np.zeros((members, members), dtype=np.bool_)
    drawn = generator.random(len(upper[0]))
    if returned is None:
        ties[upper] = drawn < density
        return ties | ties.T
    # The possible ties of a pair are mutual, from the first to the second only, or the other way
    # only.
    mutual = density * returned
    there, back = ties.copy(), ties.copy()
    there[upper] = drawn < density
    back[upper] = (drawn < mutual) | ((drawn >= density) & (drawn < 2 * density - mutual))
    return there | back.T


def network_of_groups(
    groups: Sequence[str], within: float, between: float, generator: np.random.Generator
) -> Network:
    """Ties without a direction of members of these groups, one name each.

    `within`, `between`: the chance of a tie between two members of one group, and of two.
    """
    of = np.array(groups)
    chances = np.where(of[:, np.newaxis] == of, within, between)
    ties = np.triu(generator.random(chances.shape) < chances, 1)
    return ties | ties.T


def without_oneself(ties: Network) -> npt.NDArray[np.int64]:
    """Return each member's answers about the others, in order: shape (members, members - 1)."""
    members = len(ties)
    others = ~np.eye(members, dtype=np.bool_)
    return ties[others].reshape(members, members - 1).astype(np.int64)
