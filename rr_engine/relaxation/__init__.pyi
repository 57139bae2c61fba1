from rr_engine.library.relaxation.attacks import (
    attack_floor as attack_floor,
)
from rr_engine.library.relaxation.attacks import (
    guess_last as guess_last,
)
from rr_engine.library.relaxation.attacks import (
    guess_most_frequent as guess_most_frequent,
)
from rr_engine.library.relaxation.attacks import (
    guess_most_likely as guess_most_likely,
)
from rr_engine.library.relaxation.chain import Chain as Chain
from rr_engine.relaxation.degradation import (
    BitDegradation as BitDegradation,
)
from rr_engine.relaxation.degradation import (
    DenseDegradation as DenseDegradation,
)
from rr_engine.relaxation.degradation import (
    JointDegradation as JointDegradation,
)
from rr_engine.relaxation.degradation import (
    ProductDegradation as ProductDegradation,
)
from rr_engine.relaxation.degradation import (
    UniformDegradation as UniformDegradation,
)
from rr_engine.relaxation.exact import exact_degradation as exact_degradation
from rr_engine.relaxation.exact_draw import (
    draw_degraded as draw_degraded,
)
from rr_engine.relaxation.exact_draw import (
    draw_relaxed as draw_relaxed,
)
from rr_engine.relaxation.exact_draw import (
    exact_kernel_weights as exact_kernel_weights,
)
from rr_engine.relaxation.kernel import relax as relax
from rr_engine.relaxation.kernel import relaxation_kernel as relaxation_kernel
from rr_engine.relaxation.repair import (
    degraded_copy as degraded_copy,
)
from rr_engine.relaxation.repair import (
    relaxable_next as relaxable_next,
)
from rr_engine.relaxation.repair import (
    sharpened as sharpened,
)
