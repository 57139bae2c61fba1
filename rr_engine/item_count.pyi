from rr_engine.library.item_count.design_effects import (
    DesignEffectTest as DesignEffectTest,
)
from rr_engine.library.item_count.design_effects import (
    ListBounds as ListBounds,
)
from rr_engine.library.item_count.design_effects import (
    design_effect_test as design_effect_test,
)
from rr_engine.library.item_count.design_effects import (
    list_bounds as list_bounds,
)
from rr_engine.library.item_count.double import (
    CombinedListExperiment as CombinedListExperiment,
)
from rr_engine.library.item_count.double import (
    DoubleListExperiment as DoubleListExperiment,
)
from rr_engine.library.item_count.double import (
    combine_with_direct as combine_with_direct,
)
from rr_engine.library.item_count.double import (
    double_list_experiment as double_list_experiment,
)
from rr_engine.library.item_count.list_experiment import (
    ListExperiment as ListExperiment,
)
from rr_engine.library.item_count.list_experiment import (
    RepeatedItem as RepeatedItem,
)
from rr_engine.library.item_count.list_experiment import (
    list_experiment as list_experiment,
)
from rr_engine.library.item_count.list_experiment import (
    repeated_item as repeated_item,
)
from rr_engine.library.item_count.list_regression import (
    ListRegression as ListRegression,
)
from rr_engine.library.item_count.list_regression import (
    list_regression as list_regression,
)
from rr_engine.library.item_count.placebo import PlaceboTest as PlaceboTest
from rr_engine.library.item_count.power import (
    power_list_experiment as power_list_experiment,
)
from rr_engine.library.item_count.power import (
    solve_sample_size_list_experiment as solve_sample_size_list_experiment,
)
from rr_engine.library.item_count.sum_scores import (
    SumScores as SumScores,
)
from rr_engine.library.item_count.sum_scores import (
    sum_design as sum_design,
)
from rr_engine.library.item_count.sum_scores import (
    sum_scores as sum_scores,
)
from rr_engine.library.item_count.sum_scores import (
    sum_scores_of_totals as sum_scores_of_totals,
)
from rr_engine.library.item_count.tables import (
    ListPrivacy as ListPrivacy,
)
from rr_engine.library.item_count.tables import (
    list_privacy as list_privacy,
)
