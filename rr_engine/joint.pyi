from rr_engine.multiattribute.joint_estimate import (
    estimate_joint as estimate_joint,
)
from rr_engine.multiattribute.joint_estimate import (
    estimate_joint_strata as estimate_joint_strata,
)
from rr_engine.multiattribute.joint_result import JointEstimate as JointEstimate
