from rr_engine.design import DesignMatrix as DesignMatrix
from rr_engine.designs.binary import (
    crosswise as crosswise,
)
from rr_engine.designs.binary import (
    forced_response as forced_response,
)
from rr_engine.designs.binary import (
    generalized_binary as generalized_binary,
)
from rr_engine.designs.binary import (
    mangat as mangat,
)
from rr_engine.designs.binary import (
    triangular as triangular,
)
from rr_engine.designs.binary import (
    two_stage as two_stage,
)
from rr_engine.designs.binary import (
    unrelated_question as unrelated_question,
)
from rr_engine.designs.binary import (
    warner as warner,
)
from rr_engine.designs.categorical import (
    direct as direct,
)
from rr_engine.designs.categorical import (
    frapp as frapp,
)
from rr_engine.designs.categorical import (
    k_rr as k_rr,
)
from rr_engine.designs.categorical import (
    laplace as laplace,
)
from rr_engine.designs.categorical import (
    uniform_perturbation as uniform_perturbation,
)
from rr_engine.designs.optimal import (
    optimal_binary as optimal_binary,
)
from rr_engine.designs.optimal import (
    optimal_threshold as optimal_threshold,
)
from rr_engine.designs.optimal import (
    optimal_warner as optimal_warner,
)
from rr_engine.designs.physical import (
    crosswise_of as crosswise_of,
)
from rr_engine.designs.physical import (
    disguised_response as disguised_response,
)
from rr_engine.designs.physical import (
    forced_choice as forced_choice,
)
from rr_engine.designs.physical import (
    kuk as kuk,
)
from rr_engine.designs.physical import (
    strongest_fit as strongest_fit,
)
from rr_engine.designs.ranking import (
    RankingDevice as RankingDevice,
)
from rr_engine.designs.ranking import (
    mallows as mallows,
)
from rr_engine.designs.ranking import (
    near_orders as near_orders,
)
from rr_engine.device import draw_report as draw_report
from rr_engine.device import uniform_below as uniform_below
from rr_engine.library.variants import (
    christofides as christofides,
)
from rr_engine.library.variants import (
    devore as devore,
)
from rr_engine.library.variants import (
    mangat_singh_singh as mangat_singh_singh,
)
from rr_engine.library.variants import (
    singh_joarder as singh_joarder,
)
from rr_engine.library.variants import (
    soberanis_cruz as soberanis_cruz,
)
from rr_engine.optimisation.block_designs import (
    SubsetDesign as SubsetDesign,
)
from rr_engine.optimisation.block_designs import (
    card_deck as card_deck,
)
from rr_engine.optimisation.block_designs import (
    subset_selection as subset_selection,
)
from rr_engine.optimisation.subset_sizes import (
    best_subset_size as best_subset_size,
)
from rr_engine.optimisation.subset_sizes import (
    minimax_value as minimax_value,
)
from rr_engine.simulation import randomize as randomize
from rr_engine.simulation import simulate_counts as simulate_counts
