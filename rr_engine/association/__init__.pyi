from rr_engine.association.answered import (
    mean_of_answered as mean_of_answered,
)
from rr_engine.association.answered import (
    mean_where_alike as mean_where_alike,
)
from rr_engine.association.derived import Derived as Derived
from rr_engine.association.independence import (
    IndependenceTest as IndependenceTest,
)
from rr_engine.association.independence import (
    independence_test as independence_test,
)
from rr_engine.association.measures import (
    chi_square as chi_square,
)
from rr_engine.association.measures import (
    entropy as entropy,
)
from rr_engine.association.measures import (
    g_squared as g_squared,
)
from rr_engine.association.measures import (
    mutual_information as mutual_information,
)
from rr_engine.association.scores import (
    cramers_v as cramers_v,
)
from rr_engine.association.scores import (
    mean_score as mean_score,
)
from rr_engine.association.scores import (
    odds_ratio as odds_ratio,
)
from rr_engine.association.scores import (
    pearson_correlation as pearson_correlation,
)
from rr_engine.association.subgroup import (
    SubgroupShares as SubgroupShares,
)
from rr_engine.association.subgroup import (
    subgroup_shares as subgroup_shares,
)
from rr_engine.library.correlation.correlation import (
    Correlation as Correlation,
)
from rr_engine.library.correlation.correlation import (
    correlation as correlation,
)
from rr_engine.library.correlation.correlation_matrix import (
    CorrelationMatrix as CorrelationMatrix,
)
from rr_engine.library.correlation.correlation_matrix import (
    correlation_matrix as correlation_matrix,
)
