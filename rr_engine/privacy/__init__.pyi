from rr_engine.privacy.accounting import (
    Composition as Composition,
    Direct as Direct,
    Randomized as Randomized,
    Relaxation as Relaxation,
    randomized_epsilon as randomized_epsilon,
    total_epsilon as total_epsilon,
    within_budget as within_budget,
)
