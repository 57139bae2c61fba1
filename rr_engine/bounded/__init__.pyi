from rr_engine.bounded.bins import (
    BinnedDistribution as BinnedDistribution,
)
from rr_engine.bounded.bins import (
    BinnedMean as BinnedMean,
)
from rr_engine.bounded.bins import (
    Bins as Bins,
)
from rr_engine.bounded.bins import (
    distribution_from_bins as distribution_from_bins,
)
from rr_engine.bounded.bins import (
    mean_from_bins as mean_from_bins,
)
from rr_engine.bounded.comparison import (
    ExpectedError as ExpectedError,
)
from rr_engine.bounded.comparison import (
    NumberComparison as NumberComparison,
)
from rr_engine.bounded.comparison import (
    NumberDevice as NumberDevice,
)
from rr_engine.bounded.comparison import (
    compare_number_devices as compare_number_devices,
)
from rr_engine.bounded.mean_device import MeanDevice as MeanDevice
from rr_engine.bounded.mean_estimate import (
    MeanEstimate as MeanEstimate,
)
from rr_engine.bounded.mean_estimate import (
    mean_from_reports as mean_from_reports,
)
from rr_engine.bounded.quantiles import (
    Quantile as Quantile,
)
from rr_engine.bounded.quantiles import (
    quantile_from_bins as quantile_from_bins,
)
from rr_engine.library.means.planning import (
    mean_margin_of_error as mean_margin_of_error,
)
from rr_engine.library.means.planning import (
    mean_sample_size as mean_sample_size,
)
from rr_engine.library.means.relaxing import (
    flip_chance as flip_chance,
)
from rr_engine.library.means.relaxing import (
    relax_mean_report as relax_mean_report,
)
from rr_engine.library.means.relaxing import (
    relaxed_chance as relaxed_chance,
)
