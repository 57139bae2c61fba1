from rr_engine.clusters.attributes import (
    Attribute as Attribute,
)
from rr_engine.clusters.attributes import (
    equal_frequency_bins as equal_frequency_bins,
)
from rr_engine.clusters.choosing import (
    ClusterChoice as ClusterChoice,
)
from rr_engine.clusters.choosing import (
    choose_clusters as choose_clusters,
)
from rr_engine.clusters.choosing import (
    judge_clusters as judge_clusters,
)
from rr_engine.clusters.clustering import cluster_attributes as cluster_attributes
from rr_engine.clusters.costs import ClusterCost as ClusterCost
from rr_engine.clusters.costs import cluster_costs as cluster_costs
from rr_engine.clusters.graph import (
    DependenceGraph as DependenceGraph,
)
from rr_engine.clusters.graph import (
    PairNote as PairNote,
)
from rr_engine.clusters.graph import (
    dependence_graph as dependence_graph,
)
from rr_engine.clusters.merging import (
    MergedCategories as MergedCategories,
)
from rr_engine.clusters.merging import (
    PairLoss as PairLoss,
)
from rr_engine.clusters.merging import (
    merge_categories as merge_categories,
)
