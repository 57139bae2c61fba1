from rr_engine.spending.joint_comparison import JointWay as JointWay, compare_joint as compare_joint
from rr_engine.spending.questions import (
    BudgetPair as BudgetPair,
    BudgetQuestion as BudgetQuestion,
    DeviceOfEpsilon as DeviceOfEpsilon,
    MarginCurve as MarginCurve,
)
from rr_engine.spending.result import (
    BudgetSplit as BudgetSplit,
    QuestionShare as QuestionShare,
    SmallestBudget as SmallestBudget,
    SplitCertificate as SplitCertificate,
)
from rr_engine.spending.smallest import smallest_budget as smallest_budget
from rr_engine.spending.split import split_budget as split_budget
