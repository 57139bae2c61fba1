from rr_engine.library.relaxation.attacks import (
    attack_floor as attack_floor,
    guess_last as guess_last,
    guess_most_frequent as guess_most_frequent,
    guess_most_likely as guess_most_likely,
)
from rr_engine.library.relaxation.chain import Chain as Chain
from rr_engine.relaxation.degradation import (
    BitDegradation as BitDegradation,
    DenseDegradation as DenseDegradation,
    JointDegradation as JointDegradation,
    ProductDegradation as ProductDegradation,
    UniformDegradation as UniformDegradation,
)
from rr_engine.relaxation.exact import exact_degradation as exact_degradation
from rr_engine.relaxation.exact_draw import (
    draw_degraded as draw_degraded,
    draw_relaxed as draw_relaxed,
    exact_kernel_weights as exact_kernel_weights,
)
from rr_engine.relaxation.kernel import relax as relax, relaxation_kernel as relaxation_kernel
from rr_engine.relaxation.repair import (
    degraded_copy as degraded_copy,
    relaxable_next as relaxable_next,
    sharpened as sharpened,
)
