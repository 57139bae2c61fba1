"""Whether respondents follow the device: estimates and tests where the design allows one."""

from rr_engine.compliance.anchor import AnchorCheck, anchor_check
from rr_engine.compliance.cheating import CheatingShare, cheating_share
from rr_engine.compliance.goodness import GoodnessOfFit, goodness_of_fit
from rr_engine.compliance.unknown import Moors, moors

__all__ = [
    "AnchorCheck",
    "CheatingShare",
    "GoodnessOfFit",
    "Moors",
    "anchor_check",
    "cheating_share",
    "goodness_of_fit",
    "moors",
]
