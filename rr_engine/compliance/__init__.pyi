from rr_engine.compliance.attention_bounds import (
    InattentionBounds as InattentionBounds,
    inattention_bounds as inattention_bounds,
)
from rr_engine.compliance.cheating import (
    AnchorCheck as AnchorCheck,
    CheatingShare as CheatingShare,
    anchor_check as anchor_check,
    cheating_share as cheating_share,
)
from rr_engine.compliance.goodness import (
    GoodnessOfFit as GoodnessOfFit,
    goodness_of_fit as goodness_of_fit,
    homogeneity_test as homogeneity_test,
)
from rr_engine.library.compliance.against_direct import (
    DirectComparison as DirectComparison,
    compare_with_direct as compare_with_direct,
)
from rr_engine.library.compliance.arm_comparison import (
    ArmComparison as ArmComparison,
    compare_arms as compare_arms,
)
from rr_engine.library.compliance.inattention import (
    CorrectedCrosswise as CorrectedCrosswise,
    bias_corrected_crosswise as bias_corrected_crosswise,
    weighted_crosswise as weighted_crosswise,
)
from rr_engine.library.compliance.lie_detector import (
    LieDetector as LieDetector,
    stochastic_lie_detector as stochastic_lie_detector,
)
from rr_engine.library.compliance.unknown import Moors as Moors, moors as moors
from rr_engine.library.noncompliance.noncompliance_bounds import (
    NoncomplianceBounds as NoncomplianceBounds,
    noncompliance_bounds as noncompliance_bounds,
)
from rr_engine.robustness import Poisoning as Poisoning, poisoning as poisoning
