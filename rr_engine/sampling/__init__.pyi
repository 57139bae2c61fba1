from rr_engine.library.sampling.probability_sample import ProbabilitySample as ProbabilitySample
from rr_engine.library.sampling.replicates import (
    ReplicateWeights as ReplicateWeights,
    bootstrap_weights as bootstrap_weights,
    half_sample_weights as half_sample_weights,
    jackknife_weights as jackknife_weights,
)
from rr_engine.library.sampling.replication import (
    ReplicatedEstimate as ReplicatedEstimate,
    replicate_covariance as replicate_covariance,
)
from rr_engine.sampling.calibrated_sample import (
    CalibratedSample as CalibratedSample,
    post_stratify as post_stratify,
    rake as rake,
)
from rr_engine.sampling.estimating import (
    estimate_mean as estimate_mean,
    estimate_total as estimate_total,
    estimate_weighted as estimate_weighted,
)
from rr_engine.sampling.scores import (
    ReportScores as ReportScores,
    report_scores as report_scores,
    value_scores as value_scores,
)
from rr_engine.sampling.survey_estimate import (
    SurveyEstimate as SurveyEstimate,
    WeightedProportions as WeightedProportions,
)
from rr_engine.sampling.survey_sample import SurveySample as SurveySample
from rr_engine.sampling.weighted_sample import WeightedSample as WeightedSample
from rr_engine.sampling.weighted_table import (
    IndependenceWald as IndependenceWald,
    WeightedShares as WeightedShares,
    WeightedTable as WeightedTable,
    estimate_weighted_table as estimate_weighted_table,
)
