"""A valid call of every public callable of gradual release; see bad_inputs.py."""

import rr_engine
from rr_engine import DesignMatrix, exact_degradation, library
from rr_engine.library import Chain
from tests.engine.bad_inputs import call, whole_bytes

NOW = DesignMatrix.from_integers([[5, 3], [3, 5]], 8)
LATER = rr_engine.warner(0.9)
LINK = exact_degradation(NOW, LATER)
BIT = library.DenseDegradation([[3, 1], [1, 3]], 4)
CHAIN = Chain([NOW, LATER])
PAIR = {"design_now": NOW, "design_next": LATER}
# Another device for the same truths, which fits as well.
DEVICES = {"design_now": "a device", "design_next": "a device"}
REPORTS = [[0, 1], [1, 1]]

RELAXATION_CALLS = {
    "relaxation_kernel": call(rr_engine.relaxation_kernel, PAIR, **DEVICES),
    "relax": call(
        rr_engine.relax,
        {"previous": [0, 1], "truth": [1, 1], **PAIR, "rng": 1},
        previous="list of bool",
        truth="list of bool",
        **DEVICES,
    ),
    "exact_degradation": call(rr_engine.exact_degradation, PAIR, **DEVICES),
    "exact_kernel_weights": call(
        rr_engine.exact_kernel_weights, {"degradation": LINK, **PAIR, "previous": 0, "truth": 1}
    ),
    "draw_relaxed": call(
        rr_engine.draw_relaxed,
        {"degradation": LINK, **PAIR, "previous": 0, "truth": 1, "random_bytes": whole_bytes},
    ),
    "draw_degraded": call(
        rr_engine.draw_degraded, {"degradation": LINK, "report": 1, "random_bytes": whole_bytes}
    ),
    "sharpened": call(rr_engine.sharpened, {"design_now": NOW, "epsilon": "1", "bits": 30}),
    "relaxable_next": call(
        rr_engine.relaxable_next,
        {"design_now": NOW, "target_next": LATER, "bits": 30},
        design_now="a device",
        target_next="a device",
    ),
    "degraded_copy": call(
        library.degraded_copy,
        {"design_next": LATER, "target_now": NOW, "bits": 40},
        design_next="a device",
        target_now="a device",
    ),
    "guess_last": call(library.guess_last, {"reports": REPORTS}),
    "guess_most_likely": call(library.guess_most_likely, {"reports": REPORTS, "chain": CHAIN}),
    "guess_most_frequent": call(
        library.guess_most_frequent,
        {"reports": REPORTS, "categories": 2, "weights": [0.5, 1.0]},
        weights="None",
    ),
    "attack_floor": call(library.attack_floor, {"categories": 2, "epsilon": 1}),
    "Chain": call(Chain, {"designs": [NOW, LATER]}, designs="devices|three devices"),
    "Chain.event": call(CHAIN.event, {"epsilons": ["1", "3"]}),
    "Chain.sample": call(
        CHAIN.sample,
        {"truths": [0, 1], "rng": 1},
        truths="empty list|empty array|a hundred thousand|list of bool",
    ),
    "Chain.draw": call(
        CHAIN.draw, {"truth": 1, "random_bytes": whole_bytes}, truth="True|numpy True"
    ),
    "Chain.law": call(CHAIN.law, {"truth": 1}),
    "UniformDegradation": call(
        library.UniformDegradation, {"size": 3, "kept": 2, "other": 1, "denominator": 4}
    ),
    "DenseDegradation": call(
        library.DenseDegradation, {"rows": [[3, 1], [1, 3]], "denominator": 4}
    ),
    "JointDegradation": call(
        library.JointDegradation,
        {"shape": [2, 2], "entries": [5, 1, 1, 1], "denominator": 8},
    ),
    "BitDegradation": call(library.BitDegradation, {"bits": 2, "bit": BIT}),
    "ProductDegradation": call(library.ProductDegradation, {"factors": [LINK, LINK]}),
}
