"""Methods of randomized response for Python users, which no page of Candor needs."""

from rr_engine.association.independence import IndependenceTest
from rr_engine.bounded.bins import BinnedDistribution, BinnedMean
from rr_engine.channels.tallies import margin_of
from rr_engine.clusters.attributes import equal_frequency_bins
from rr_engine.clusters.choosing import ClusterChoice
from rr_engine.clusters.graph import PairNote
from rr_engine.clusters.merging import MergedCategories, PairLoss
from rr_engine.compliance.cheating import CheatingShare
from rr_engine.compliance.goodness import GoodnessOfFit
from rr_engine.compliance.inattention_bounds import InattentionBounds
from rr_engine.crowd.fitting import ProportionalFit, iterative_proportional_fitting
from rr_engine.designs.physical import disguised_response
from rr_engine.designs.ranking import RankingDevice, mallows
from rr_engine.device import uniform_below
from rr_engine.estimation.result import DeviceStratum
from rr_engine.fronts import public_names as _public_names
from rr_engine.library.bayesian.coefficient_prior import CoefficientPrior
from rr_engine.library.bayesian.coefficients import BayesianFit, fit_bayesian
from rr_engine.library.bayesian.proportions import ProportionPosterior, posterior
from rr_engine.library.compliance.against_direct import DirectComparison, compare_with_direct
from rr_engine.library.compliance.arm_comparison import ArmComparison, compare_arms
from rr_engine.library.compliance.inattention import (
    CorrectedCrosswise,
    bias_corrected_crosswise,
    weighted_crosswise,
)
from rr_engine.library.compliance.lie_detector import LieDetector, stochastic_lie_detector
from rr_engine.library.compliance.unknown import Moors, moors
from rr_engine.library.correlation.correlation import Correlation, correlation
from rr_engine.library.correlation.correlation_matrix import CorrelationMatrix, correlation_matrix
from rr_engine.library.item_count.design_effects import (
    DesignEffectTest,
    ListBounds,
    design_effect_test,
    list_bounds,
)
from rr_engine.library.item_count.double import (
    CombinedListExperiment,
    DoubleListExperiment,
    PlaceboTest,
    combine_with_direct,
    double_list_experiment,
)
from rr_engine.library.item_count.list_experiment import (
    ListExperiment,
    RepeatedItem,
    list_experiment,
    repeated_item,
)
from rr_engine.library.item_count.list_regression import ListRegression, list_regression
from rr_engine.library.item_count.power import (
    power_list_experiment,
    solve_sample_size_list_experiment,
)
from rr_engine.library.item_count.sum_scores import (
    SumScores,
    sum_design,
    sum_scores,
    sum_scores_of_totals,
)
from rr_engine.library.item_count.tables import ListPrivacy, list_privacy
from rr_engine.library.means.planning import mean_margin_of_error, mean_sample_size
from rr_engine.library.means.relaxing import flip_chance, relax_mean_report, relaxed_chance
from rr_engine.library.multilevel.multilevel_effects import (
    group_averaged_effects,
    group_averaged_probabilities,
)
from rr_engine.library.multilevel.multilevel_fit import MultilevelFit
from rr_engine.library.multilevel.multilevel_logit import RRMultilevelLogit
from rr_engine.library.networks.noisy_counts import (
    NoisyCounts,
    TriangleSensitivity,
    network_sensitivity,
    noisy_counts,
    triangle_sensitivity,
)
from rr_engine.library.noncompliance.attention_logit import AttentionLogit
from rr_engine.library.noncompliance.attention_regression import (
    AttentionRegression,
    AttentionRegressionFit,
)
from rr_engine.library.noncompliance.cheating_logit import CheatingLogit, LieDetectorLogit
from rr_engine.library.noncompliance.noncompliance_bounds import (
    NoncomplianceBounds,
    noncompliance_bounds,
)
from rr_engine.library.noncompliance.noncompliance_fit import NoncomplianceFit
from rr_engine.library.planning.anchor_power import (
    power_with_anchor,
    sample_size_with_anchor,
    solve_sample_size_with_anchor,
)
from rr_engine.library.planning.cheating_power import (
    CheatingPower,
    power_cheating,
    solve_sample_size_cheating,
)
from rr_engine.library.planning.independence_power import (
    power_independence,
    solve_sample_size_independence,
)
from rr_engine.library.planning.levels import solve_epsilon, solve_level
from rr_engine.library.planning.noncompliance_power import NoncompliancePower, power_noncompliance
from rr_engine.library.planning.power_curve import PowerCurve, power_curve
from rr_engine.library.quantitative.design import ScrambledDesign
from rr_engine.library.quantitative.linear import LinearScrambling
from rr_engine.library.quantitative.named import (
    BarLev,
    ChaudhuriChristofides,
    DianaPerri1,
    DianaPerri2,
    EichhornHayre,
    Eriksson,
    Saha,
)
from rr_engine.library.quantitative.scrambled_privacy import ScramblingPrivacy
from rr_engine.library.quantitative.scrambling import Scrambling
from rr_engine.library.quantitative.two_cards import TwoCards, TwoCardShares, estimate_two_cards
from rr_engine.library.quantitative.worth import equivalent_direct_n
from rr_engine.library.rappor.responses import (
    PermanentResponses,
    bit_kernel,
    draw_sample,
    relax_response,
)
from rr_engine.library.rappor.samples import (
    budget_after_samples,
    relaxed_bit_variance,
    sampled_bit_variance,
)
from rr_engine.library.relaxation.attacks import (
    attack_floor,
    guess_last,
    guess_most_frequent,
    guess_most_likely,
)
from rr_engine.library.relaxation.chain import Chain
from rr_engine.library.sampling.probability_sample import ProbabilitySample
from rr_engine.library.sampling.replicates import (
    ReplicateWeights,
    bootstrap_weights,
    half_sample_weights,
    jackknife_weights,
)
from rr_engine.library.sampling.replication import ReplicatedEstimate, replicate_covariance
from rr_engine.library.simultaneous import simultaneous_intervals
from rr_engine.library.variants import (
    christofides,
    devore,
    mangat_singh_singh,
    singh_joarder,
    soberanis_cruz,
)
from rr_engine.networks.planned_moments import PlannedStatistic
from rr_engine.networks.planning import NetworkPlan
from rr_engine.networks.reconstruction import ReconstructedNetwork
from rr_engine.networks.reconstruction_bias import ReconstructionBias
from rr_engine.networks.tie_caps import RosterSplit, split_roster
from rr_engine.planning.solving import solve_alpha, solve_effect, solve_power
from rr_engine.planning.trial import CoverageTrial
from rr_engine.privacy.accounting import randomized_epsilon, within_budget
from rr_engine.rappor.planning import detectable_share
from rr_engine.regression.randomized_outcome.comparison import ModelSummary, ModelTest
from rr_engine.regression.randomized_outcome.diagnostics import (
    CalibrationTest,
    Residuals,
    model_residuals,
)
from rr_engine.regression.randomized_outcome.predictions import (
    MarginalEffects,
    PredictedProbabilities,
)
from rr_engine.regression.randomized_predictors.moment_regression import moment_regression
from rr_engine.regression.randomized_predictors.predictor_fit import PredictorFit
from rr_engine.relaxation.degradation import (
    BitDegradation,
    DenseDegradation,
    JointDegradation,
    ProductDegradation,
    UniformDegradation,
)
from rr_engine.relaxation.repair import degraded_copy
from rr_engine.robustness import Poisoning
from rr_engine.sampling.survey_estimate import SurveyEstimate
from rr_engine.sampling.weighted_sample import WeightedSample
from rr_engine.sampling.weighted_table import IndependenceWald, WeightedShares
from rr_engine.spending.result import BudgetSplit, QuestionShare, SmallestBudget, SplitCertificate

# Each name stands once, in its import.
globals()["__all__"] = _public_names(globals())
