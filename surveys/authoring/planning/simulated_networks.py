"""Whole networks of simulated members: the true ties, and what comes of them through the device."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

import rr_engine
from surveys.kinds.drawn_networks import Network, drawn_network, without_oneself
from surveys.parameters import Device, Question, Ties
from surveys.responses.spaces import Counts


@dataclass(frozen=True, slots=True, eq=False)
class SimulatedNetwork:
    """The true ties of all members, and who of them answers."""

    ties: Network
    answered: npt.NDArray[np.bool_]
    directed: bool

    def truths(self) -> rr_engine.networks.DirectedNetwork | rr_engine.networks.UndirectedNetwork:
        """The statistics of the results, among the pairs that are asked about, of the true ties."""
        reports = rr_engine.networks.NetworkReports.from_matrix(self.ties, self.answered)
        return rr_engine.networks.estimate_network(
            reports, rr_engine.designs.direct(2), directed=self.directed
        )


def answering_members(
    members: int, n: int, generator: np.random.Generator
) -> npt.NDArray[np.bool_]:
    """`n` of the members, whom chance picks, or all of them."""
    answered = np.zeros(members, dtype=np.bool_)
    answered[generator.permutation(members)[:n]] = True
    return answered


def simulated_network(
    question: Question,
    shares: Sequence[float],
    answered: npt.NDArray[np.bool_],
    generator: np.random.Generator,
) -> SimulatedNetwork:
    """A network of random ties. `shares`: the density, and the share of ties that is returned."""
    directed = bool(question.directed)
    density, *rest = shares
    returned = (rest or [density])[0] if directed else None
    ties = drawn_network(len(answered), density, returned, generator)
    return SimulatedNetwork(ties, answered, directed)


def network_tally(
    device: Device, network: SimulatedNetwork, generator: np.random.Generator
) -> Counts:
    """The tally of all who answer; each bit is drawn with the integers of the device."""
    table = device.table
    if not isinstance(table, Ties):
        raise TypeError(f"device {device.id} is not about ties")
    answers = without_oneself(network.ties)[network.answered]
    draws = generator.integers(table.denominator, size=answers.shape)
    bits = draws < np.where(answers == 1, table.one, table.zero)
    places = np.flatnonzero(network.answered).tolist()
    rows = ("".join("01"[bit] for bit in row) for row in bits.tolist())
    return {str(place): int(row, 2) for place, row in zip(places, rows, strict=True)}
