from rr_engine.design import DesignMatrix as DesignMatrix
from rr_engine.designs.binary import (
    crosswise as crosswise,
    forced_response as forced_response,
    generalized_binary as generalized_binary,
    mangat as mangat,
    triangular as triangular,
    two_stage as two_stage,
    unrelated_question as unrelated_question,
    warner as warner,
)
from rr_engine.designs.categorical import (
    direct as direct,
    frapp as frapp,
    k_rr as k_rr,
    laplace as laplace,
    uniform_perturbation as uniform_perturbation,
)
from rr_engine.designs.optimal import (
    optimal_binary as optimal_binary,
    optimal_threshold as optimal_threshold,
    optimal_warner as optimal_warner,
)
from rr_engine.designs.physical import (
    crosswise_of as crosswise_of,
    disguised_response as disguised_response,
    forced_choice as forced_choice,
    kuk as kuk,
    strongest_fit as strongest_fit,
)
from rr_engine.designs.ranking import (
    RankingDevice as RankingDevice,
    mallows as mallows,
    near_orders as near_orders,
)
from rr_engine.device import draw_report as draw_report, uniform_below as uniform_below
from rr_engine.library.variants import (
    christofides as christofides,
    devore as devore,
    mangat_singh_singh as mangat_singh_singh,
    singh_joarder as singh_joarder,
    soberanis_cruz as soberanis_cruz,
)
from rr_engine.optimisation.block_designs import (
    SubsetDesign as SubsetDesign,
    card_deck as card_deck,
    subset_selection as subset_selection,
)
from rr_engine.optimisation.subset_sizes import (
    best_subset_size as best_subset_size,
    minimax_value as minimax_value,
)
from rr_engine.simulation import randomize as randomize, simulate_counts as simulate_counts
