from rr_engine.library.item_count.design_effects import (
    DesignEffectTest as DesignEffectTest,
    ListBounds as ListBounds,
    design_effect_test as design_effect_test,
    list_bounds as list_bounds,
)
from rr_engine.library.item_count.double import (
    CombinedListExperiment as CombinedListExperiment,
    DoubleListExperiment as DoubleListExperiment,
    PlaceboTest as PlaceboTest,
    combine_with_direct as combine_with_direct,
    double_list_experiment as double_list_experiment,
)
from rr_engine.library.item_count.list_experiment import (
    ListExperiment as ListExperiment,
    RepeatedItem as RepeatedItem,
    list_experiment as list_experiment,
    repeated_item as repeated_item,
)
from rr_engine.library.item_count.list_regression import (
    ListRegression as ListRegression,
    list_regression as list_regression,
)
from rr_engine.library.item_count.power import (
    power_list_experiment as power_list_experiment,
    solve_sample_size_list_experiment as solve_sample_size_list_experiment,
)
from rr_engine.library.item_count.sum_scores import (
    SumScores as SumScores,
    sum_design as sum_design,
    sum_scores as sum_scores,
    sum_scores_of_totals as sum_scores_of_totals,
)
from rr_engine.library.item_count.tables import (
    ListPrivacy as ListPrivacy,
    list_privacy as list_privacy,
)
