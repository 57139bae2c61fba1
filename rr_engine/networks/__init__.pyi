from rr_engine.library.networks.noisy_counts import (
    NoisyCounts as NoisyCounts,
    TriangleSensitivity as TriangleSensitivity,
    network_sensitivity as network_sensitivity,
    noisy_counts as noisy_counts,
    triangle_sensitivity as triangle_sensitivity,
)
from rr_engine.networks.degrees import (
    DegreeDistribution as DegreeDistribution,
    estimate_degrees as estimate_degrees,
)
from rr_engine.networks.estimate import estimate_network as estimate_network
from rr_engine.networks.groups import (
    MixingMatrix as MixingMatrix,
    estimate_mixing as estimate_mixing,
)
from rr_engine.networks.planned_moments import PlannedStatistic as PlannedStatistic
from rr_engine.networks.planning import (
    NetworkPlan as NetworkPlan,
    network_errors as network_errors,
    plan_network as plan_network,
    solve_tie_epsilon as solve_tie_epsilon,
)
from rr_engine.networks.rebuilding_bias import (
    ReconstructionBias as ReconstructionBias,
    reconstruction_bias as reconstruction_bias,
)
from rr_engine.networks.reconstruction import (
    ReconstructedNetwork as ReconstructedNetwork,
    reconstruct_network as reconstruct_network,
)
from rr_engine.networks.reports import NetworkReports as NetworkReports
from rr_engine.networks.result import (
    DirectedNetwork as DirectedNetwork,
    UndirectedNetwork as UndirectedNetwork,
)
from rr_engine.networks.roster_losses import (
    RosterPrivacy as RosterPrivacy,
    roster_privacy as roster_privacy,
)
from rr_engine.networks.roster_ways import (
    RosterWay as RosterWay,
    compare_roster_devices as compare_roster_devices,
)
from rr_engine.networks.statistics import NetworkCount as NetworkCount, NetworkRatio as NetworkRatio
from rr_engine.networks.tie_caps import (
    RosterSplit as RosterSplit,
    TieCap as TieCap,
    compare_tie_caps as compare_tie_caps,
    split_roster as split_roster,
)
