from rr_engine.association.answered import (
    mean_of_answered as mean_of_answered,
    mean_where_alike as mean_where_alike,
)
from rr_engine.association.derived import Derived as Derived
from rr_engine.association.independence import (
    IndependenceTest as IndependenceTest,
    independence_test as independence_test,
)
from rr_engine.association.measures import (
    chi_square as chi_square,
    entropy as entropy,
    g_squared as g_squared,
    mutual_information as mutual_information,
)
from rr_engine.association.scores import (
    cramers_v as cramers_v,
    mean_score as mean_score,
    odds_ratio as odds_ratio,
    pearson_correlation as pearson_correlation,
)
from rr_engine.association.subgroup import (
    SubgroupShares as SubgroupShares,
    subgroup_shares as subgroup_shares,
)
from rr_engine.library.correlation.correlation import (
    Correlation as Correlation,
    correlation as correlation,
)
from rr_engine.library.correlation.correlation_matrix import (
    CorrelationMatrix as CorrelationMatrix,
    correlation_matrix as correlation_matrix,
)
