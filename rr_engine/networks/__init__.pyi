from rr_engine.library.networks.noisy_counts import (
    NoisyCounts as NoisyCounts,
)
from rr_engine.library.networks.noisy_counts import (
    noisy_counts as noisy_counts,
)
from rr_engine.library.networks.sensitivities import TriangleSensitivity as TriangleSensitivity
from rr_engine.library.networks.sensitivities import network_sensitivity as network_sensitivity
from rr_engine.library.networks.sensitivities import triangle_sensitivity as triangle_sensitivity
from rr_engine.networks.degrees import (
    DegreeDistribution as DegreeDistribution,
)
from rr_engine.networks.degrees import (
    estimate_degrees as estimate_degrees,
)
from rr_engine.networks.estimate import estimate_network as estimate_network
from rr_engine.networks.groups import (
    MixingMatrix as MixingMatrix,
)
from rr_engine.networks.groups import (
    estimate_mixing as estimate_mixing,
)
from rr_engine.networks.planned_moments import PlannedStatistic as PlannedStatistic
from rr_engine.networks.planning import (
    NetworkPlan as NetworkPlan,
)
from rr_engine.networks.planning import (
    network_errors as network_errors,
)
from rr_engine.networks.planning import (
    plan_network as plan_network,
)
from rr_engine.networks.planning import (
    solve_tie_epsilon as solve_tie_epsilon,
)
from rr_engine.networks.rebuilding_bias import (
    ReconstructionBias as ReconstructionBias,
)
from rr_engine.networks.rebuilding_bias import (
    reconstruction_bias as reconstruction_bias,
)
from rr_engine.networks.reconstruction import (
    ReconstructedNetwork as ReconstructedNetwork,
)
from rr_engine.networks.reconstruction import (
    reconstruct_network as reconstruct_network,
)
from rr_engine.networks.reports import NetworkReports as NetworkReports
from rr_engine.networks.result import (
    DirectedNetwork as DirectedNetwork,
)
from rr_engine.networks.result import (
    UndirectedNetwork as UndirectedNetwork,
)
from rr_engine.networks.roster_losses import (
    RosterPrivacy as RosterPrivacy,
)
from rr_engine.networks.roster_losses import (
    roster_privacy as roster_privacy,
)
from rr_engine.networks.roster_ways import (
    RosterWay as RosterWay,
)
from rr_engine.networks.roster_ways import (
    compare_roster_devices as compare_roster_devices,
)
from rr_engine.networks.statistics import NetworkCount as NetworkCount
from rr_engine.networks.statistics import NetworkRatio as NetworkRatio
from rr_engine.networks.tie_caps import (
    RosterSplit as RosterSplit,
)
from rr_engine.networks.tie_caps import (
    TieCap as TieCap,
)
from rr_engine.networks.tie_caps import (
    compare_tie_caps as compare_tie_caps,
)
from rr_engine.networks.tie_caps import (
    split_roster as split_roster,
)
