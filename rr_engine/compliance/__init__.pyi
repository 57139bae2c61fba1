from rr_engine.compliance.attention_bounds import (
    InattentionBounds as InattentionBounds,
)
from rr_engine.compliance.attention_bounds import (
    inattention_bounds as inattention_bounds,
)
from rr_engine.compliance.cheating import (
    AnchorCheck as AnchorCheck,
)
from rr_engine.compliance.cheating import (
    CheatingShare as CheatingShare,
)
from rr_engine.compliance.cheating import (
    anchor_check as anchor_check,
)
from rr_engine.compliance.cheating import (
    cheating_share as cheating_share,
)
from rr_engine.compliance.goodness import (
    GoodnessOfFit as GoodnessOfFit,
)
from rr_engine.compliance.goodness import (
    goodness_of_fit as goodness_of_fit,
)
from rr_engine.compliance.goodness import (
    homogeneity_test as homogeneity_test,
)
from rr_engine.library.compliance.against_direct import (
    DirectComparison as DirectComparison,
)
from rr_engine.library.compliance.against_direct import (
    compare_with_direct as compare_with_direct,
)
from rr_engine.library.compliance.arm_comparison import (
    ArmComparison as ArmComparison,
)
from rr_engine.library.compliance.arm_comparison import (
    compare_arms as compare_arms,
)
from rr_engine.library.compliance.inattention import (
    CorrectedCrosswise as CorrectedCrosswise,
)
from rr_engine.library.compliance.inattention import (
    bias_corrected_crosswise as bias_corrected_crosswise,
)
from rr_engine.library.compliance.inattention import (
    weighted_crosswise as weighted_crosswise,
)
from rr_engine.library.compliance.lie_detector import (
    LieDetector as LieDetector,
)
from rr_engine.library.compliance.lie_detector import (
    stochastic_lie_detector as stochastic_lie_detector,
)
from rr_engine.library.compliance.unknown import Moors as Moors
from rr_engine.library.compliance.unknown import moors as moors
from rr_engine.library.noncompliance.noncompliance_bounds import (
    NoncomplianceBounds as NoncomplianceBounds,
)
from rr_engine.library.noncompliance.noncompliance_bounds import (
    noncompliance_bounds as noncompliance_bounds,
)
from rr_engine.robustness import Poisoning as Poisoning
from rr_engine.robustness import poisoning as poisoning
