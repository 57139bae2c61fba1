from rr_engine.privacy.accounting import (
    Composition as Composition,
)
from rr_engine.privacy.accounting import (
    Direct as Direct,
)
from rr_engine.privacy.accounting import (
    Randomized as Randomized,
)
from rr_engine.privacy.accounting import (
    Relaxation as Relaxation,
)
from rr_engine.privacy.accounting import (
    randomized_epsilon as randomized_epsilon,
)
from rr_engine.privacy.accounting import (
    total_epsilon as total_epsilon,
)
from rr_engine.privacy.accounting import (
    within_budget as within_budget,
)
