from rr_engine.library.sampling.probability_sample import ProbabilitySample as ProbabilitySample
from rr_engine.library.sampling.replicates import (
    ReplicateWeights as ReplicateWeights,
)
from rr_engine.library.sampling.replicates import (
    bootstrap_weights as bootstrap_weights,
)
from rr_engine.library.sampling.replicates import (
    half_sample_weights as half_sample_weights,
)
from rr_engine.library.sampling.replicates import (
    jackknife_weights as jackknife_weights,
)
from rr_engine.library.sampling.replication import (
    ReplicatedEstimate as ReplicatedEstimate,
)
from rr_engine.library.sampling.replication import (
    replicate_covariance as replicate_covariance,
)
from rr_engine.sampling.calibrated_sample import (
    CalibratedSample as CalibratedSample,
)
from rr_engine.sampling.calibrated_sample import (
    post_stratify as post_stratify,
)
from rr_engine.sampling.calibrated_sample import (
    rake as rake,
)
from rr_engine.sampling.estimating import (
    estimate_mean as estimate_mean,
)
from rr_engine.sampling.estimating import (
    estimate_total as estimate_total,
)
from rr_engine.sampling.estimating import (
    estimate_weighted as estimate_weighted,
)
from rr_engine.sampling.scores import (
    ReportScores as ReportScores,
)
from rr_engine.sampling.scores import (
    report_scores as report_scores,
)
from rr_engine.sampling.scores import (
    value_scores as value_scores,
)
from rr_engine.sampling.survey_estimate import (
    SurveyEstimate as SurveyEstimate,
)
from rr_engine.sampling.survey_estimate import (
    WeightedProportions as WeightedProportions,
)
from rr_engine.sampling.survey_sample import SurveySample as SurveySample
from rr_engine.sampling.weighted_sample import WeightedSample as WeightedSample
from rr_engine.sampling.weighted_table import (
    IndependenceWald as IndependenceWald,
)
from rr_engine.sampling.weighted_table import (
    WeightedShares as WeightedShares,
)
from rr_engine.sampling.weighted_table import (
    WeightedTable as WeightedTable,
)
from rr_engine.sampling.weighted_table import (
    estimate_weighted_table as estimate_weighted_table,
)
