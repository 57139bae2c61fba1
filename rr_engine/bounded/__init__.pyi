from rr_engine.bounded.bins import (
    BinnedDistribution as BinnedDistribution,
    BinnedMean as BinnedMean,
    Bins as Bins,
    distribution_from_bins as distribution_from_bins,
    mean_from_bins as mean_from_bins,
)
from rr_engine.bounded.comparison import (
    ExpectedError as ExpectedError,
    NumberComparison as NumberComparison,
    NumberDevice as NumberDevice,
    compare_number_devices as compare_number_devices,
)
from rr_engine.bounded.mean_device import MeanDevice as MeanDevice
from rr_engine.bounded.mean_estimate import (
    MeanEstimate as MeanEstimate,
    mean_from_reports as mean_from_reports,
)
from rr_engine.bounded.quantiles import (
    Quantile as Quantile,
    quantile_from_bins as quantile_from_bins,
)
from rr_engine.library.means.planning import (
    mean_margin_of_error as mean_margin_of_error,
    mean_sample_size as mean_sample_size,
)
from rr_engine.library.means.relaxing import (
    flip_chance as flip_chance,
    relax_mean_report as relax_mean_report,
    relaxed_chance as relaxed_chance,
)
