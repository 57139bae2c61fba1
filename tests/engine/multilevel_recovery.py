"""Models with groups in repeated surveys with known truth.

    PYTHONPATH=. python tests/engine/multilevel_recovery.py

Half of the respondents of every group use a forced response (2/3, 1/6, 1/6), the others Warner's
device with 0.8; seed 2015. Rows of the table: parameter, truth, mean of the estimates, bias in its
Monte Carlo errors, standard deviation of the estimates, mean standard error, coverage of the 95 %
interval. Below: how often the test at 5 % finds differences between groups.
"""

import sys

import numpy as np
from scipy.stats import chi2

from rr_engine import forced_response, warner
from rr_engine.models import RRMultilevelLogit
from tests.engine.markdown_tables import row

DEVICES = [forced_response(2 / 3, 1 / 6), warner(0.8)]
COEFFICIENTS = np.array([-0.5, 0.8, 0.4])
SETTINGS = [(60, 40, 0.7), (60, 40, 0.0), (30, 50, 1.0)]
RUNS = 400


def survey(generator, groups, size, deviation):
    """Return covariates, reports, groups and devices of one survey."""
    group = np.repeat(np.arange(groups), size)
    x = np.column_stack([generator.normal(size=len(group)), group % 2])
    eta = COEFFICIENTS[0] + x @ COEFFICIENTS[1:]
    eta += deviation * generator.normal(size=groups)[group]
    truths = (generator.random(len(group)) < 1 / (1 + np.exp(-eta))).astype(int)
    which = np.arange(len(group)) % 2
    yes = np.array([device.matrix[1] for device in DEVICES])[which, truths]
    return x, (generator.random(len(group)) < yes).astype(int), group, which


def repeated(groups, size, deviation):
    """Return estimates, errors, whether intervals cover, and whether the test rejects."""
    generator, model = np.random.default_rng(2015), RRMultilevelLogit(DEVICES)
    rows = []
    for _ in range(RUNS):
        fit = model.fit(*survey(generator, groups, size, deviation))
        low, high = fit.interval().T
        # The profile interval holds the truth where the test at the truth does not reject.
        profile, _ = fit.fitted.profile(deviation, fit.fitted.theta[:-1])
        inside = 2 * (fit.log_likelihood - profile) <= chi2.ppf(0.95, 1)
        covers = [*(low <= COEFFICIENTS) & (high >= COEFFICIENTS), inside]
        error = fit.group_deviation_error if fit.group_deviation else 0.0
        estimates = [*fit.params, fit.group_deviation]
        rows.append([estimates, [*fit.standard_errors, error], covers, [fit.variance_p_value] * 4])
    return np.array(rows, dtype=float).transpose(1, 0, 2)


def main():
    for groups, size, deviation in SETTINGS:
        estimates, errors, covers, p_values = repeated(groups, size, deviation)
        sys.stdout.write(f"{groups} groups of {size}\n")
        for index, truth in enumerate([*COEFFICIENTS, deviation]):
            own = estimates[:, index]
            bias = (own.mean() - truth) / (own.std(ddof=1) / np.sqrt(RUNS))
            cells = [truth, own.mean(), bias, own.std(ddof=1), errors[:, index].mean()]
            name = ["intercept", "x1", "x2", "sigma"][index]
            cells.append(covers[:, index].mean())
            row(f"{groups} x {size}", name, *(f"{cell:.3f}" for cell in cells))
        sys.stdout.write(f"rejected: {(p_values[:, 0] < 0.05).mean():.3f}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
