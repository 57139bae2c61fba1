"""The marginal likelihood of groups with a random intercept, by adaptive Gauss-Hermite quadrature.

A group's log-likelihood at the standardised intercept b, with the density of b,

    h(b) = sum l(x'beta + sigma b) - b^2/2 - log(2 pi)/2

has its peak at b0 with curvature ``c = -h''(b0)``. With nodes ``b_k = b0 + x_k/sqrt(c)`` of the
Gauss-Hermite rule (x_k, w_k) for ``exp(-x^2/2)`` the integral is

    I = c^(-1/2) sum w_k exp(x_k^2/2 + h(b_k))

(Liu & Pierce 1994; one node is Laplace's approximation). Its gradient is exact for any number of
nodes: b0 and c move with the parameters, by the derivative of ``h'(b0) = 0``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from rr_engine.arrays import FloatArray, IntArray, freeze
from rr_engine.library.multilevel.group_terms import (
    Derivatives,
    log_sum_exp,
    report_derivatives,
    report_values,
    third_derivatives,
)

# Where the search for a group's peak starts: the best of these.
GRID = np.linspace(-4, 4, 9)
MOST_STEPS, MOST_HALVINGS = 100, 30
SETTLED = 1e-12
SMALLEST_CURVATURE = 1e-6
# Nodes by which information and the groups' intercepts are computed at least.
INNER_NODES = 9
DIFFERENCE = 1e-4
# The sum that no standard deviation is too large for: its points, and how many values at once.
DENSE = np.linspace(-8, 8, 2001)
MOST_VALUES = 2_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """Nodes and log weights of a Gauss-Hermite rule for a function times exp(x^2/2)."""

    nodes: FloatArray
    log_weights: FloatArray

    @staticmethod
    @lru_cache
    def of(size: int) -> Rule:
        """Return the rule of this many nodes."""
        nodes, weights = np.polynomial.hermite_e.hermegauss(size)
        return Rule(freeze(nodes), freeze(np.log(weights) + nodes**2 / 2))


@dataclass(frozen=True, slots=True, eq=False)
class Peaks:
    """The peak of each group's integrand: place, spread ``c^(-1/2)``, and derivatives there."""

    place: FloatArray
    spread: FloatArray
    terms: Derivatives


@dataclass(frozen=True, slots=True, eq=False)
class NodeValues:
    """Each group's integrand at its nodes, shape (groups, nodes), and that of each row."""

    nodes: FloatArray
    log_integrals: FloatArray
    shares: FloatArray
    terms: Derivatives


@dataclass(frozen=True, eq=False)
class GroupLikelihood:
    """The marginal log-likelihood; parameters are the coefficients, then sigma.

    Called, it is an objective of :func:`rr_engine.regression.engine.newton.maximise`.

    Attributes
    ----------
    columns : ndarray of float, shape (rows, p)
    likelihoods : ndarray of float, shape (rows, 2)
    counts : ndarray of float, shape (rows,)
        How many respondents a row stands for.
    group_of : ndarray of int, shape (rows,)
        Rows are sorted by group; every group has one.
    link : str
    rule : Rule
    """

    columns: FloatArray
    likelihoods: FloatArray
    counts: FloatArray
    group_of: IntArray
    link: str
    rule: Rule

    @cached_property
    def starts(self) -> IntArray:
        """First row of each group."""
        return np.flatnonzero(np.diff(self.group_of, prepend=-1))

    @property
    def group_sizes(self) -> IntArray:
        """Respondents of each group."""
        return np.rint(np.add.reduceat(self.counts, self.starts)).astype(np.int64)

    def __call__(self, theta: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        values, scores, peaks = self._values_and_scores(theta)
        total = float(values.log_integrals.sum())
        if len(self.rule.nodes) < INNER_NODES:
            # A rule of few nodes does not know how much the intercepts vary.
            values = self._node_values(theta, peaks, Rule.of(INNER_NODES))
        return total, scores.sum(axis=0), self._louis_information(values)

    def value(self, theta: FloatArray) -> float:
        """Return the marginal log-likelihood."""
        peaks = self.peaks(theta)
        nodes = peaks.place[:, None] + peaks.spread[:, None] * self.rule.nodes
        heights = self._heights(self.columns @ theta[:-1], nodes, theta[-1])
        sums = log_sum_exp(heights + self.rule.log_weights, axis=1)
        return float((np.log(peaks.spread) + sums).sum())

    def dense_value(self, theta: FloatArray) -> float:
        """Return the marginal log-likelihood by a plain sum over the intercepts.

        Where sigma is so large that an integrand has steps, the nodes of a rule miss them.
        """
        base = self.columns @ theta[:-1]
        size = max(MOST_VALUES // len(base), 1)
        parts = [
            self._heights(base, np.tile(DENSE[at : at + size], (len(self.starts), 1)), theta[-1])
            for at in range(0, len(DENSE), size)
        ]
        width = float(DENSE[1] - DENSE[0])
        return float((log_sum_exp(np.hstack(parts), axis=1) + np.log(width)).sum())

    def scores(self, theta: FloatArray) -> FloatArray:
        """Return the score of each group, shape (groups, p + 1)."""
        return self._values_and_scores(theta)[1]

    def observed_information(self, theta: FloatArray) -> FloatArray:
        """Return minus the second derivatives, by differences of the exact gradient."""
        rows = []
        for index in range(len(theta)):
            step = np.zeros(len(theta))
            step[index] = DIFFERENCE
            ahead, behind = (self.scores(theta + s).sum(axis=0) for s in (step, -step))
            rows.append((behind - ahead) / (2 * DIFFERENCE))
        table = np.array(rows)
        return (table + table.T) / 2

    def intercepts(self, theta: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return each group's mean and standard deviation of ``sigma b`` given its reports."""
        rule = self.rule if len(self.rule.nodes) >= INNER_NODES else Rule.of(INNER_NODES)
        values = self._node_values(theta, self.peaks(theta), rule)
        mean = (values.shares * values.nodes).sum(axis=1)
        spread = (values.shares * (values.nodes - mean[:, None]) ** 2).sum(axis=1)
        return theta[-1] * mean, abs(theta[-1]) * np.sqrt(spread)

    def peaks(self, theta: FloatArray) -> Peaks:
        """Return the peak of each group's integrand, by Newton's method from a grid."""
        sigma = theta[-1]
        base = self.columns @ theta[:-1]
        on_grid = self._heights(base, np.broadcast_to(GRID, (len(self.starts), len(GRID))), sigma)
        place = GRID[on_grid.argmax(axis=1)]
        height = on_grid.max(axis=1)
        for _ in range(MOST_STEPS):
            terms = self._terms(base, place[:, None], sigma)
            slope = sigma * self._sums(terms.first)[:, 0] - place
            curvature = 1 - sigma**2 * self._sums(terms.second)[:, 0]
            step = slope / np.where(curvature > SMALLEST_CURVATURE, curvature, 1.0)
            if np.abs(step).max() <= SETTLED * (1 + np.abs(place).max()):
                break
            place, height = self._walk(base, sigma, place, height, step)
        terms = self._terms(base, place[:, None], sigma)
        curvature = 1 - sigma**2 * self._sums(terms.second)[:, 0]
        return Peaks(place, np.maximum(curvature, SMALLEST_CURVATURE) ** -0.5, terms)

    def _walk(
        self,
        base: FloatArray,
        sigma: float,
        place: FloatArray,
        height: FloatArray,
        step: FloatArray,
    ) -> tuple[FloatArray, FloatArray]:
        """Halve each group's step until it does not lead downhill."""
        tried = self._heights(base, (place + step)[:, None], sigma)[:, 0]
        for _ in range(MOST_HALVINGS):
            lower = tried < height - 1e-12 * (1 + np.abs(height))
            if not lower.any():
                break
            step = np.where(lower, step / 2, step)
            tried = self._heights(base, (place + step)[:, None], sigma)[:, 0]
        return place + step, tried

    def _terms(self, base: FloatArray, nodes: FloatArray, sigma: float) -> Derivatives:
        return report_derivatives(self._eta(base, nodes, sigma), self.likelihoods, self.link)

    def _eta(self, base: FloatArray, nodes: FloatArray, sigma: float) -> FloatArray:
        return base[:, None] + sigma * nodes[self.group_of]

    def _sums(self, values: FloatArray) -> FloatArray:
        """Return sums over the respondents of each group."""
        return np.add.reduceat(self.counts[:, None] * values, self.starts, axis=0)

    def _heights(self, base: FloatArray, nodes: FloatArray, sigma: float) -> FloatArray:
        value = report_values(self._eta(base, nodes, sigma), self.likelihoods, self.link)
        return self._sums(value) - nodes**2 / 2 - np.log(2 * np.pi) / 2

    def _node_values(self, theta: FloatArray, peaks: Peaks, rule: Rule) -> NodeValues:
        nodes = peaks.place[:, None] + peaks.spread[:, None] * rule.nodes
        terms = self._terms(self.columns @ theta[:-1], nodes, theta[-1])
        heights = self._sums(terms.value) - nodes**2 / 2 - np.log(2 * np.pi) / 2
        parts = heights + rule.log_weights
        sums = log_sum_exp(parts, axis=1)
        shares = np.exp(parts - sums[:, None])
        return NodeValues(nodes, np.log(peaks.spread) + sums, shares, terms)

    def _values_and_scores(self, theta: FloatArray) -> tuple[NodeValues, FloatArray, Peaks]:
        peaks = self.peaks(theta)
        values = self._node_values(theta, peaks, self.rule)
        sigma, terms = theta[-1], values.terms
        place_slopes, spread_slopes = self._peak_slopes(peaks, theta)
        # Rows of the score at the nodes, weighted by the nodes' shares.
        mean_first = (values.shares[self.group_of] * terms.first).sum(axis=1, keepdims=True)
        first = self._sums(terms.first)
        own = np.column_stack(
            [self._sums(mean_first * self.columns), (values.shares * values.nodes * first).sum(1)]
        )
        heights = values.shares * (sigma * first - values.nodes)
        moved = (
            heights.sum(axis=1)[:, None] * place_slopes
            + (heights @ self.rule.nodes)[:, None] * spread_slopes
        )
        return values, own + moved + spread_slopes / peaks.spread[:, None], peaks

    def _peak_slopes(self, peaks: Peaks, theta: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return how place and spread of each peak move with the parameters, (groups, p + 1)."""
        terms, place, sigma = peaks.terms, peaks.place[:, None], theta[-1]
        eta = self._eta(self.columns @ theta[:-1], place, sigma)
        thirds = third_derivatives(eta, self.likelihoods, self.link)
        first, second, third = (self._sums(part) for part in (terms.first, terms.second, thirds))
        with_columns = [self._sums(part * self.columns) for part in (terms.second, thirds)]
        curvature = 1 - sigma**2 * second
        slope_moves = np.hstack([sigma * with_columns[0], first + sigma * place * second])
        place_slopes = slope_moves / np.maximum(curvature, SMALLEST_CURVATURE)
        curvature_moves = (
            np.hstack(
                [-(sigma**2) * with_columns[1], -2 * sigma * second - sigma**2 * place * third]
            )
            - sigma**3 * third * place_slopes
        )
        return place_slopes, -(peaks.spread[:, None] ** 3) * curvature_moves / 2

    def _louis_information(self, values: NodeValues) -> FloatArray:
        """Return the information by Louis (1982): complete less missing, over the nodes."""
        terms, shares = values.terms, values.shares[self.group_of]
        own_nodes = values.nodes[self.group_of]
        second = -self.counts[:, None] * shares * terms.second
        columns = self.columns
        complete = np.empty((columns.shape[1] + 1,) * 2)
        complete[:-1, :-1] = (columns * second.sum(axis=1)[:, None]).T @ columns
        complete[-1, :-1] = complete[:-1, -1] = (second * own_nodes).sum(axis=1) @ columns
        complete[-1, -1] = (second * own_nodes**2).sum()
        first = self._sums(terms.first)
        scores = [self._sums(terms.first * column[:, None]) for column in columns.T]
        stacked = np.stack([*scores, values.nodes * first], axis=-1)
        means = (values.shares[:, :, None] * stacked).sum(axis=1, keepdims=True)
        centred = np.sqrt(values.shares)[:, :, None] * (stacked - means)
        flat = centred.reshape(-1, stacked.shape[-1])
        missing = flat.T @ flat
        return complete - missing
