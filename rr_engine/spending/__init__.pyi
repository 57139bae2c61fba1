from rr_engine.spending.joint_comparison import JointWay as JointWay
from rr_engine.spending.joint_comparison import compare_joint as compare_joint
from rr_engine.spending.questions import (
    BudgetPair as BudgetPair,
)
from rr_engine.spending.questions import (
    BudgetQuestion as BudgetQuestion,
)
from rr_engine.spending.questions import (
    DeviceOfEpsilon as DeviceOfEpsilon,
)
from rr_engine.spending.questions import (
    MarginCurve as MarginCurve,
)
from rr_engine.spending.result import (
    BudgetSplit as BudgetSplit,
)
from rr_engine.spending.result import (
    QuestionShare as QuestionShare,
)
from rr_engine.spending.result import (
    SmallestBudget as SmallestBudget,
)
from rr_engine.spending.result import (
    SplitCertificate as SplitCertificate,
)
from rr_engine.spending.smallest import smallest_budget as smallest_budget
from rr_engine.spending.split import split_budget as split_budget
