from rr_engine.library.rappor.responses import (
    PermanentResponses as PermanentResponses,
)
from rr_engine.library.rappor.responses import (
    bit_kernel as bit_kernel,
)
from rr_engine.library.rappor.responses import (
    draw_sample as draw_sample,
)
from rr_engine.library.rappor.responses import (
    relax_response as relax_response,
)
from rr_engine.library.rappor.samples import (
    budget_after_samples as budget_after_samples,
)
from rr_engine.library.rappor.samples import (
    relaxed_bit_variance as relaxed_bit_variance,
)
from rr_engine.library.rappor.samples import (
    sampled_bit_variance as sampled_bit_variance,
)
from rr_engine.rappor.bloom import normalize_text as normalize_text
from rr_engine.rappor.candidates import simulate_string_tallies as simulate_string_tallies
from rr_engine.rappor.decoding import decode_strings as decode_strings
from rr_engine.rappor.planning import (
    RapporPlan as RapporPlan,
)
from rr_engine.rappor.planning import (
    detectable_share as detectable_share,
)
from rr_engine.rappor.planning import (
    suggest_rappor as suggest_rappor,
)
from rr_engine.rappor.rappor import Rappor as Rappor
from rr_engine.rappor.rappor import StringEstimates as StringEstimates
