"""OptRR: the paper's evolutionary search for randomized-response matrices, on arrays."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rr_engine.arrays import FloatArray, IntArray
from rr_engine.optimisation.front import efficiency, evaluate, mix_within_bounds

SIZE = 100  # of the population, the archive and the mating pool
OMEGA = 1000
MUTATION_RATE = 0.9
LARGEST_MUTATION = 0.3
REPAIRS = 30
KEPT_BOUND = 1e-12


@dataclass(slots=True, eq=False)
class Pool:
    """Matrices with their objectives, all arrays along the first axis."""

    matrices: FloatArray
    privacy: FloatArray
    gain: FloatArray

    def select(self, indices: IntArray) -> Pool:
        return Pool(self.matrices[indices], self.privacy[indices], self.gain[indices])

    def join(self, other: Pool) -> Pool:
        return Pool(
            np.concatenate([self.matrices, other.matrices]),
            np.concatenate([self.privacy, other.privacy]),
            np.concatenate([self.gain, other.gain]),
        )


def evolve(
    prior: FloatArray, delta: float, rng: np.random.Generator, epsilon: float | None = None
) -> Iterator[tuple[Pool, int]]:
    """Yield the optimal set after each generation, and the number of matrices accepted.

    The set is one object that changes in place; :func:`optimal_matrices` returns its matrices. The
    caller decides when to stop (section V-I).

    Parameters
    ----------
    prior : ndarray, shape (truths,)
    delta : float
        Bound on the worst posterior, above the largest entry of the prior.
    rng : Generator
    epsilon : float, optional
        Bound on the privacy loss; not in the paper. Children beyond it are mixed with a matrix
        that tells nothing, just enough.

    References
    ----------
    .. [1] Z. Huang and W. Du, "OptRR: Optimizing Randomized Response Schemes for Privacy-Preserving
       Data Mining", ICDE 2008, section V. Fitness and selection are SPEA2's.
    """
    size = len(prior)
    omega = Pool(np.zeros((OMEGA, size, size)), np.zeros(OMEGA), np.zeros(OMEGA))
    population = _evaluate(_random(size, rng), prior, delta, epsilon)
    archive = population.select(np.arange(0))
    while True:
        union = population.join(archive)
        fitness = _fitness(union)
        chosen = _select(union, fitness)
        archive, fitness = union.select(chosen), fitness[chosen]
        parents = archive.select(_select_parents(fitness, rng)).matrices
        children = _mutate(_cross(parents, rng), rng)
        population = _evaluate(children, prior, delta, epsilon)
        yield omega, _exchange(omega, population) + _exchange(omega, archive)


def optimal_matrices(omega: Pool) -> FloatArray:
    """Return the matrices of an optimal set, shape (many, truths, truths)."""
    return omega.matrices[omega.gain > 0]


def _random(size: int, rng: np.random.Generator) -> FloatArray:
    """Columns drawn uniformly, mixed with the truth to cover the range of privacy."""
    columns = np.swapaxes(rng.dirichlet(np.ones(size), size=(SIZE, size)), 1, 2)
    share = rng.random(SIZE)[:, None, None]
    return share * np.eye(size) + (1 - share) * columns


def _evaluate(matrices: FloatArray, prior: FloatArray, delta: float, epsilon: float | None) -> Pool:
    """Repair matrices that violate a bound; those beyond repair get efficiency zero."""
    repaired = meet_bound(matrices, prior, delta)
    if epsilon is not None:
        repaired = mix_within_bounds(repaired, prior, delta, epsilon)
    privacy, error, worst = evaluate(repaired, prior)
    sums = np.abs(repaired.sum(axis=1) - 1).max(axis=1)
    valid = (worst <= delta + KEPT_BOUND) & np.isfinite(error) & (sums < KEPT_BOUND)
    safe = np.where(valid, error, 1.0)
    return Pool(repaired, privacy, np.where(valid, efficiency(safe, prior), 0.0))


def meet_bound(matrices: FloatArray, prior: FloatArray, delta: float) -> FloatArray:
    """Repeatedly lower the entry that violates the bound most, and spread it over its column.

    The others receive in proportion to what each could take before it breaks the bound itself
    (section V-G). A column without room is left as it is: renormalising it would hide the fault.
    """
    repaired = matrices.copy()
    rows = np.arange(len(prior))
    for _ in range(REPAIRS):
        joint = repaired * prior
        reported = joint.sum(axis=2)
        over = joint - delta * reported[:, :, None]
        worst = over.reshape(len(over), -1).argmax(axis=1)
        y, x = np.divmod(worst, len(prior))
        broken = np.flatnonzero(over[np.arange(len(over)), y, x] > KEPT_BOUND / 10)
        if not len(broken):
            break
        y, x = y[broken], x[broken]
        column = repaired[broken, :, x]
        share = prior[x][:, None]
        room = delta * (reported[broken] - column * share) / ((1 - delta) * share) - column
        excess = np.maximum(-room[np.arange(len(broken)), y], 0.0)
        room = np.where(rows == y[:, None], 0.0, np.maximum(room, 0.0))
        total_room = room.sum(axis=1)
        movable = np.where(
            total_room > 0, np.minimum(excess, column[np.arange(len(broken)), y]), 0.0
        )
        column = (
            column + room / np.where(total_room > 0, total_room, 1.0)[:, None] * movable[:, None]
        )
        column[np.arange(len(broken)), y] -= movable
        repaired[broken, :, x] = column
    return repaired


def _fitness(pool: Pool) -> FloatArray:
    """SPEA2: the strength of the dominating members, and the density.

    ``R(i) + 1 / (sigma_k + 2)``: R sums over those that dominate i how many each of them dominates,
    and sigma_k is the distance of the k-th neighbour, k the root of the size of the pool.
    """
    privacy, gain = pool.privacy, pool.gain
    no_worse = (privacy[:, None] >= privacy) & (gain[:, None] >= gain)
    dominates = no_worse & ~no_worse.T
    raw = dominates.sum(axis=1) @ dominates
    distances = _distances(pool)
    neighbour = int(np.sqrt(len(privacy)))
    crowd = np.partition(distances, neighbour, axis=1)[:, neighbour]
    return raw + 1 / (crowd + 2)


def _distances(pool: Pool) -> FloatArray:
    return np.hypot(pool.privacy[:, None] - pool.privacy, pool.gain[:, None] - pool.gain)


def _select(pool: Pool, fitness: FloatArray) -> IntArray:
    """Fill the archive: all undominated members, thinned or filled up to its size."""
    best = np.flatnonzero(fitness < 1)
    if len(best) <= SIZE:
        return np.argsort(fitness, kind="stable")[:SIZE]
    return _thin(pool.select(best), best)


def _thin(pool: Pool, indices: IntArray) -> IntArray:
    """Remove, one at a time, the member with the nearest neighbour (ties: the next nearest)."""
    distances = _distances(pool)
    np.fill_diagonal(distances, np.inf)
    alive = np.ones(len(indices), dtype=bool)
    for _ in range(len(indices) - SIZE):
        nearest = distances.min(axis=1)
        closest = np.flatnonzero(nearest == nearest[alive].min())
        closest = closest[alive[closest]]
        if len(closest) > 1:
            second = np.partition(distances[closest], 1, axis=1)[:, 1]
            closest = closest[np.argsort(second, kind="stable")]
        gone = closest[0]
        alive[gone] = False
        distances[gone, :] = distances[:, gone] = np.inf
    return indices[alive]


def _select_parents(fitness: FloatArray, rng: np.random.Generator) -> IntArray:
    """Binary tournaments."""
    first, second = rng.integers(len(fitness), size=(2, SIZE))
    return np.where(fitness[first] <= fitness[second], first, second)


def _cross(parents: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Swap all columns right of a random line between two parents."""
    size = parents.shape[2]
    shuffled = parents[rng.permutation(len(parents))]
    first, second = shuffled[0::2], shuffled[1::2]
    line = rng.integers(1, size, size=len(first))
    right = (np.arange(size) >= line[:, None])[:, None, :]
    return np.concatenate([np.where(right, second, first), np.where(right, first, second)])


def _mutate(matrices: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Change one entry and the rest of its column in proportion (section V-F)."""
    many, size = len(matrices), matrices.shape[2]
    changed = matrices.copy()
    rows, columns = rng.integers(size, size=(2, many))
    indices = np.arange(many)
    column = changed[indices, :, columns]
    entry = column[indices, rows]
    adding = rng.random(many) < 0.5
    step = rng.random(many) * LARGEST_MUTATION * (rng.random(many) < MUTATION_RATE)
    amount = np.minimum(step, np.where(adding, 1 - entry, entry))
    weights = np.where(adding[:, None], column, 1 - column)
    weights[indices, rows] = 0.0
    totals = weights.sum(axis=1)
    amount = np.where(totals > 0, amount, 0.0)
    signed = np.where(adding, -amount, amount)
    column = column + weights / np.where(totals > 0, totals, 1.0)[:, None] * signed[:, None]
    column[indices, rows] = entry - signed
    column = np.maximum(column, 0.0)
    changed[indices, :, columns] = column / column.sum(axis=1, keepdims=True)
    return changed


def _exchange(omega: Pool, pool: Pool) -> int:
    """Exchange matrices with the optimal set where one is better; return the number given."""
    slots = np.clip((pool.privacy * OMEGA).astype(int), 0, OMEGA - 1)
    order = np.argsort(pool.gain, kind="stable")
    better = order[pool.gain[order] > omega.gain[slots[order]]]
    # In rising order of efficiency, so that of two in one slot the better stays.
    for name in ("matrices", "privacy", "gain"):
        getattr(omega, name)[slots[better]] = getattr(pool, name)[better]
    worse = np.flatnonzero(pool.gain < omega.gain[slots])
    for name in ("matrices", "privacy", "gain"):
        getattr(pool, name)[worse] = getattr(omega, name)[slots[worse]]
    return len(better)
