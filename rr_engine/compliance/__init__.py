"""Whether respondents follow the device: estimates and tests where the design allows one."""

from rr_engine.compliance.against_direct import DirectComparison, compare_with_direct
from rr_engine.compliance.anchor import AnchorCheck, anchor_check
from rr_engine.compliance.cheating import CheatingShare, cheating_share
from rr_engine.compliance.goodness import GoodnessOfFit, goodness_of_fit, homogeneity_test
from rr_engine.compliance.inattention import CorrectedCrosswise, bias_corrected_crosswise
from rr_engine.compliance.inattention_bounds import InattentionBounds, inattention_bounds
from rr_engine.compliance.lie_detector import LieDetector, stochastic_lie_detector
from rr_engine.compliance.unknown import Moors, moors
from rr_engine.compliance.weighted_inattention import weighted_crosswise

__all__ = [
    "AnchorCheck",
    "CheatingShare",
    "CorrectedCrosswise",
    "DirectComparison",
    "GoodnessOfFit",
    "InattentionBounds",
    "LieDetector",
    "Moors",
    "anchor_check",
    "bias_corrected_crosswise",
    "cheating_share",
    "compare_with_direct",
    "goodness_of_fit",
    "homogeneity_test",
    "inattention_bounds",
    "moors",
    "stochastic_lie_detector",
    "weighted_crosswise",
]
