"""A valid call of every public callable about posteriors and groups; see bad_inputs.py."""

import rr_engine
from tests.engine.bad_inputs import COIN, call

BAYESIAN_CALLS = {
    "posterior": call(
        rr_engine.posterior,
        {"design": COIN, "counts": [70, 30], "prior": 0.5, "level": 0.9},
        counts="empty dict",
    ),
}
