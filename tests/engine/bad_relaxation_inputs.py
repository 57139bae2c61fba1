"""A valid call of every public callable of gradual release; see bad_inputs.py."""

import rr_engine as rr
from rr_engine import DesignMatrix
from rr_engine.relaxation import Chain, exact_degradation
from tests.engine.bad_inputs import also, named_calls, valid, whole_bytes

NOW = DesignMatrix.from_integers([[5, 3], [3, 5]], 8)
LATER = rr.warner(0.9)
LINK = exact_degradation(NOW, LATER)
BIT = rr.relaxation.DenseDegradation([[3, 1], [1, 3]], 4)
CHAIN = Chain([NOW, LATER])
# Another device for the same truths fits as well.
PAIR = {"design_now": also(NOW, "a device"), "design_next": also(LATER, "a device")}
REPORTS = [[0, 1], [1, 1]]

RELAXATION_CALLS = named_calls(
    valid(rr.relaxation.relaxation_kernel, **PAIR),
    valid(
        rr.relaxation.relax,
        also([0, 1], "list of bool"),
        also([1, 1], "list of bool"),
        **PAIR,
        rng=1,
    ),
    valid(rr.relaxation.exact_degradation, **PAIR),
    valid(rr.relaxation.exact_kernel_weights, LINK, NOW, LATER, previous=0, truth=1),
    valid(rr.relaxation.draw_relaxed, LINK, NOW, LATER, 0, 1, random_bytes=whole_bytes),
    valid(rr.relaxation.draw_degraded, degradation=LINK, report=1, random_bytes=whole_bytes),
    valid(rr.relaxation.sharpened, design_now=NOW, epsilon="1", bits=30),
    valid(rr.relaxation.relaxable_next, also(NOW, "a device"), also(LATER, "a device"), 30),
    valid(rr.relaxation.degraded_copy, also(LATER, "a device"), also(NOW, "a device"), 40),
    valid(rr.relaxation.guess_last, reports=REPORTS),
    valid(rr.relaxation.guess_most_likely, reports=REPORTS, chain=CHAIN),
    valid(rr.relaxation.guess_most_frequent, reports=REPORTS, categories=2, weights=[0.5, 1.0]),
    valid(rr.relaxation.attack_floor, categories=2, epsilon=1),
    valid(Chain, designs=also([NOW, LATER], "devices|three devices")),
    valid(CHAIN.event, epsilons=["1", "3"]),
    valid(CHAIN.sample, also([0, 1], "empty list|empty array|a hundred thousand|list of bool"), 1),
    valid(CHAIN.draw, truth=also(1, "True|numpy True"), random_bytes=whole_bytes),
    valid(CHAIN.law, truth=1),
    valid(rr.relaxation.UniformDegradation, size=3, kept=2, other=1, denominator=4),
    valid(rr.relaxation.DenseDegradation, rows=[[3, 1], [1, 3]], denominator=4),
    valid(rr.relaxation.JointDegradation, shape=[2, 2], entries=[5, 1, 1, 1], denominator=8),
    valid(rr.relaxation.BitDegradation, bits=2, bit=BIT),
    valid(rr.relaxation.ProductDegradation, factors=[LINK, LINK]),
)
