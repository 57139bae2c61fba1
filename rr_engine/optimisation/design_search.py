"""search_designs: the front of privacy and accuracy, by three methods."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray
from rr_engine.errors import ArgumentError
from rr_engine.optimisation.bounds import check_prior, check_respondents, solve_bound, solves_both
from rr_engine.optimisation.front import Front, members_of
from rr_engine.optimisation.local import feasible_set, search_locally
from rr_engine.optimisation.mechanisms import best_within, optimal_mechanism
from rr_engine.optimisation.optrr import evolve, optimal_matrices
from rr_engine.optimisation.proving import BoundSolution, Certificate

METHODS = ("optrr", "local", "certified")
# Levels of privacy with a certificate each, from which gaps are measured.
CERTIFICATES = 25
# Privacy levels of the local search, of which one in four has starts of its own.
LEVELS, COARSE = 64, 4
# Largest gap at which an optimum counts as found, and the share of optima that must be found.
SOLVED, LEAST_FOUND = 1e-3, 0.5
MOST_LEVELS, MOST_GENERATIONS = 1_000, 10_000_000
# Below this epsilon it is asked first whether an optimum can be found at all: reports tell so
# little then that the numbers of a float may not show one.
TELLS_LITTLE = 1e-3
# At most so many calls of `progress`, and one at the end.
CALLS = 100
# The least distance of delta from the largest proportion.
ROOM = 1e-6

Progress = Callable[[float, Front], object]
# Share of the work that is done, the matrices so far, and whether the step changed anything.
# Privacy, delta, epsilon; None for what is not bounded.
Constraints = tuple[float | None, float | None, Decimal | None]
Step = tuple[float, Callable[[], Sequence[FloatArray] | FloatArray], bool]


@dataclass(frozen=True, slots=True, eq=False)
class SearchProblem:
    """Checked arguments, and the certified optima that every method starts from."""

    prior: FloatArray
    n: int
    delta: float
    epsilon: Decimal | None
    method: str
    generations: int
    seed: int
    patience: int | None
    levels: int
    optima: tuple[BoundSolution, ...]

    @property
    def certificates(self) -> tuple[Certificate, ...]:
        return tuple(solution.certificate for solution in self.optima)


def search_designs(
    prior: ArrayLike,
    n: int,
    delta: float,
    method: str = "optrr",
    generations: int = 2000,
    seed: int = 0,
    epsilon: object | None = None,
    progress: Progress | None = None,
    *,
    patience: int | None = None,
    levels: int | None = None,
) -> Front:
    """Search matrices that are private and accurate under a planning prior.

    With the defaults "optrr" takes some 20 seconds for 2 truths and a minute for 10, in proportion
    to `generations`; "local" a second for 2 and two minutes for 10, "certified" up to five seconds,
    both in proportion to `levels`. For 14 truths all take many minutes: see `progress`.

    Parameters
    ----------
    prior : array_like, shape (truths,)
        Proportions of the truths, all above 0; from 2 to 14 of them.
    n : int
        Number of respondents, at most 10**15.
    delta : float
        The worst posterior is at most this (OptRR Eq. 9); above the largest proportion, below 1.
    method : str, default "optrr"
        "optrr": the paper's evolutionary search for square matrices. "local": gradient search for
        square matrices along the front. "certified": the optimum with any number of reports, at
        most t (t - 1) / 2 + t + 1 for t truths.
    generations : int, default 2000
        For "optrr" alone; at most 10,000,000.
    seed : int, default 0
        The same arguments and seed give the same front on the same machine; a processor that
        rounds in another order may find another, as good and as true.
    epsilon : Decimal, str or float, optional
        The privacy loss is at most this as well. "optrr" mixes each child with a matrix that tells
        nothing, just enough; "local" has it among its constraints; "certified" finds the optimum
        under both bounds for up to 10 truths and an epsilon of up to 20, and beyond optimises over
        reports of the patterns 1 and e**epsilon mixed with the prior until they keep `delta`. Below
        some 0.0001, with three truths or more, no optimum is found: "local" and "certified" refuse.
    progress : callable, optional
        Called now and then as ``progress(fraction, front_so_far)``. When it returns False the
        search ends and returns what it has, marked as cancelled.
    patience : int, optional
        End after this many steps in a row (generations, or descents) that improved nothing.
    levels : int, optional
        Privacy levels of "local" (64 when left out) and "certified" (25), from 2 to 1,000.

    Returns
    -------
    Front

    Raises
    ------
    DistributionError, ArgumentError, EpsilonError
        The message says what would be feasible.

    References
    ----------
    .. [1] Z. Huang and W. Du, "OptRR: Optimizing Randomized Response Schemes for Privacy-Preserving
       Data Mining", ICDE 2008.

    Examples
    --------
    >>> front = search_designs([0.5, 0.3, 0.2], 1000, 0.8, generations=20)
    >>> all(member.worst_posterior <= 0.8 + 1e-12 for member in front.members)
    True
    >>> all(member.gap >= 0 for member in front.members)
    True
    """
    if progress is not None and not callable(progress):
        rule = "be a function of a fraction and a front"
        raise ArgumentError("progress", progress, rule, "progress_not_callable")
    shares = check_prior(prior)
    size = check_respondents(n)
    largest, worst = float(shares.max()), check.probability(delta, "delta")
    if not largest + ROOM <= worst < 1:
        rule = f"lie above the largest proportion ({largest:.6g}) and below 1"
        raise ArgumentError("delta", delta, rule, "below_largest_share", largest)
    budget = None if epsilon is None else check.epsilon(epsilon)
    check.choice(method, "method", METHODS)
    default = LEVELS if method == "local" else CERTIFICATES
    count = levels if levels is not None else default
    steps = check.whole(count, "levels", minimum=2, maximum=MOST_LEVELS)
    proofs = steps if method == "certified" else CERTIFICATES
    rounds = check.whole(generations, "generations", minimum=1, maximum=MOST_GENERATIONS)
    start = check.whole(seed, "seed")
    idle = None if patience is None else check.whole(patience, "patience", minimum=1)
    # The optima take a second: all arguments are checked before them.
    optima = tuple(_optima(shares, size, worst, budget, proofs))
    if method != "optrr" or not optima:
        _check_epsilon_attainable(epsilon, optima)
        _check_starts(prior, shares, optima)
    problem = SearchProblem(shares, size, worst, budget, method, rounds, start, idle, steps, optima)
    return _run(problem, progress)


def _check_epsilon_attainable(epsilon: object | None, optima: Sequence[BoundSolution]) -> None:
    """Refuse an epsilon so small that the optimum under it alone was not found."""
    if len(optima) == 1 and optima[0].certificate.delta is None and not _is_solved(optima[0]):
        rule = f'be larger (from {TELLS_LITTLE} on optima are found), or the method be "optrr"'
        raise ArgumentError("epsilon", epsilon, rule, "epsilon_too_small", TELLS_LITTLE)


def _is_solved(solution: BoundSolution) -> bool:
    return solution.certificate.gap <= SOLVED


def _check_starts(prior: ArrayLike, shares: FloatArray, optima: Sequence[BoundSolution]) -> None:
    """Refuse a prior so uneven that too few optima were found for a method to start from."""
    starts = [solution for solution in optima if _is_start(solution)]
    if len(starts) < max(2, LEAST_FOUND * len(optima)):
        rule = (
            f"have no proportion as small as {shares.min():.2g} (merge rare categories, or use "
            '"optrr"), or delta lie further above the largest'
        )
        raise ArgumentError("prior", prior, rule, "share_too_small")


def _is_start(solution: BoundSolution) -> bool:
    """Tell whether this is a converged optimum at a level of privacy."""
    certificate = solution.certificate
    return certificate.delta is not None and _is_solved(solution)


def _optima(
    prior: FloatArray, n: int, delta: float, epsilon: Decimal | None, count: int
) -> Iterator[BoundSolution]:
    """Yield the optimum at each level of privacy at which a bound can be proved."""
    if epsilon is not None and epsilon < TELLS_LITTLE:
        alone = _bound_or_none(prior, n, (None, None, epsilon))
        if alone is not None and not _is_solved(alone):
            yield alone
            return
    both = epsilon is not None and solves_both(len(prior), epsilon)
    levels = privacy_levels(prior, delta, epsilon, count)
    joint = epsilon if both else None
    demands: list[Constraints] = [(privacy, delta, joint) for privacy in levels]
    if epsilon is not None and not both:
        demands.append((None, None, epsilon))
    for constraints in demands:
        solution = _bound_or_none(prior, n, constraints)
        if solution is not None:
            yield solution


def _bound_or_none(prior: FloatArray, n: int, constraints: Constraints) -> BoundSolution | None:
    try:
        return solve_bound(prior, n, *constraints)
    except ArgumentError:
        return None


def privacy_levels(
    prior: FloatArray, delta: float, epsilon: Decimal | None, count: int
) -> list[float]:
    """Return `count` evenly spaced levels of privacy, from where privacy begins to cost accuracy.

    The first is that of the optimum under delta, and epsilon where given, alone: all weaker demands
    have the same optimum. The last falls one step short of what no device can exceed.
    """
    start, most = 1 - delta, 1 - float(prior.max())
    if epsilon is not None:
        both = solves_both(len(prior), epsilon)
        alone: Constraints = (max(0.0, start), delta, epsilon) if both else (None, None, epsilon)
        solution = _bound_or_none(prior, 1, alone)
        start = start if solution is None else max(start, _privacy(solution))
        start = min(start, most - (most - 1 + delta) / count)
    return np.linspace(max(0.0, start), most, count, endpoint=False).tolist()


def _privacy(solution: BoundSolution) -> float:
    """Privacy of an optimum, ``1 - sum_u w_u max(c_u)``: its posteriors are the rays c."""
    weights = solution.weights / solution.weights.sum()
    return 1 - float(weights @ solution.rays.max(axis=1))


def _run(problem: SearchProblem, progress: Progress | None) -> Front:
    """Run a search until it is finished, cancelled, or idle for too long."""
    done, idle, called, cancelled = 0.0, 0, 0, False
    count = 0
    matrices: Callable[[], Sequence[FloatArray] | FloatArray] = list
    for count, (done, matrices, changed) in enumerate(_SEARCHES[problem.method](problem), 1):
        idle = 0 if changed else idle + 1
        if progress is not None and int(done * CALLS) > called:
            called = int(done * CALLS)
            cancelled = progress(done, _front(problem, matrices(), count, done)) is False
        if cancelled or (problem.patience is not None and idle >= problem.patience):
            break
    return _front(problem, matrices(), count, done, cancelled=cancelled)


def _front(
    problem: SearchProblem,
    matrices: Sequence[FloatArray] | FloatArray,
    count: int,
    finished: float,
    *,
    cancelled: bool = False,
) -> Front:
    certificates = problem.certificates
    members, area = members_of(matrices, problem.n, problem.delta, problem.epsilon, certificates)
    return Front(
        members=members,
        prior=problem.prior,
        n=problem.n,
        delta=problem.delta,
        epsilon=problem.epsilon,
        method=problem.method,
        seed=problem.seed,
        generations=count,
        finished=finished,
        cancelled=cancelled,
        hypervolume=area,
        certificates=certificates,
    )


def _by_evolution(problem: SearchProblem) -> Iterator[Step]:
    rng = np.random.default_rng(problem.seed)
    epsilon = None if problem.epsilon is None else float(problem.epsilon)
    # `zip` advances its first argument first, so that no generation is computed for nothing.
    generations = range(1, problem.generations + 1)
    sets = zip(generations, evolve(problem.prior, problem.delta, rng, epsilon), strict=False)
    for generation, (omega, accepted) in sets:
        yield generation / problem.generations, partial(optimal_matrices, omega), accepted > 0


def _by_descent(problem: SearchProblem) -> Iterator[Step]:
    epsilon = None if problem.epsilon is None else float(problem.epsilon)
    bounds = feasible_set(problem.prior, problem.delta, epsilon)
    starting = [solution for solution in problem.optima if _is_start(solution)]
    starts = max(2, problem.levels // COARSE)
    chosen = np.unique(np.linspace(0, len(starting) - 1, starts).round().astype(int))
    coarse = [starting[index] for index in chosen.tolist()]
    rng = np.random.default_rng(problem.seed)
    before = 0
    for done, search in search_locally(bounds, coarse, problem.levels, rng):
        better = search.improvements
        yield done, partial(list, better), len(better) > before
        before = len(better)


def _by_certificate(problem: SearchProblem) -> Iterator[Step]:
    matrices: list[FloatArray] = []
    levels = [solution for solution in problem.optima if _is_start(solution)]
    for index, solution in enumerate(levels, 1):
        matrix = _optimum(problem, solution)
        if matrix is not None:
            matrices.append(matrix)
        yield index / len(levels), lambda: matrices, matrix is not None


def _optimum(problem: SearchProblem, solution: BoundSolution) -> FloatArray | None:
    if problem.epsilon is None or problem.epsilon == solution.certificate.epsilon:
        return optimal_mechanism(solution).matrix
    return best_within(solution.certificate, float(problem.epsilon))


_SEARCHES = {"optrr": _by_evolution, "local": _by_descent, "certified": _by_certificate}
