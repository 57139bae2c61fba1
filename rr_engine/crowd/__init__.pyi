from rr_engine.crowd.computed import ComputedStatistic as ComputedStatistic
from rr_engine.crowd.distribution import PooledDistribution as PooledDistribution
from rr_engine.crowd.fitting import (
    ProportionalFit as ProportionalFit,
)
from rr_engine.crowd.fitting import (
    iterative_proportional_fitting as iterative_proportional_fitting,
)
from rr_engine.crowd.pooling import pooled_distribution as pooled_distribution
from rr_engine.crowd.reports import (
    ClusterReports as ClusterReports,
)
from rr_engine.crowd.reports import (
    CrowdAttribute as CrowdAttribute,
)
