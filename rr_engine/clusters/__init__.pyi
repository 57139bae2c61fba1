from rr_engine.clusters.attributes import (
    Attribute as Attribute,
    equal_frequency_bins as equal_frequency_bins,
)
from rr_engine.clusters.choosing import (
    ClusterChoice as ClusterChoice,
    choose_clusters as choose_clusters,
    judge_clusters as judge_clusters,
)
from rr_engine.clusters.clustering import cluster_attributes as cluster_attributes
from rr_engine.clusters.costs import ClusterCost as ClusterCost, cluster_costs as cluster_costs
from rr_engine.clusters.graph import (
    DependenceGraph as DependenceGraph,
    PairNote as PairNote,
    dependence_graph as dependence_graph,
)
from rr_engine.clusters.merging import (
    MergedCategories as MergedCategories,
    PairLoss as PairLoss,
    merge_categories as merge_categories,
)
