"""How much the log-likelihood of 40 groups is off, by number of nodes.

    PYTHONPATH=. python tests/engine/multilevel_nodes.py

Warner's device with p (1 = direct), groups of some size, sigma; against a dense sum over 4,001
points; seed 7.
"""

import numpy as np

from rr_engine.library.multilevel.group_likelihood import GroupLikelihood, Rule
from tests.engine.markdown_tables import row
from tests.engine.multilevel_cases import marginal_likelihood

NODES = (1, 5, 15, 31, 63, 101)
GROUPS = 40


def errors(generator, p, size, sigma):
    """Return the log-likelihood by each number of nodes, less that of the dense sum."""
    group = np.repeat(np.arange(GROUPS), size)
    eta = sigma * generator.normal(size=GROUPS)[group] - 1
    truths = generator.random(len(group)) < 1 / (1 + np.exp(-eta))
    reports = np.where(generator.random(len(group)) < p, truths, ~truths).astype(int)
    likelihoods = np.array([[p, 1 - p], [1 - p, p]])[reports]
    columns, theta = np.ones((len(group), 1)), np.array([-1.0, sigma])
    dense = marginal_likelihood(columns, likelihoods, group, 4001)(theta)
    for nodes in NODES:
        rule = Rule.of(nodes)
        marginal = GroupLikelihood(columns, likelihoods, np.ones(len(group)), group, "logit", rule)
        yield marginal.value(theta) - dense


def main():
    generator = np.random.default_rng(7)
    for p in (0.6, 0.75, 0.9, 1.0):
        for size in (5, 30, 200):
            for sigma in (0.5, 1.5, 3.0):
                cells = errors(generator, p, size, sigma)
                row(p, size, sigma, *(f"{error:.4f}" for error in cells))


if __name__ == "__main__":
    main()
