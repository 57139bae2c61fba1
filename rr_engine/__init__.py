"""Statistics of randomized response: devices, their privacy, and estimates from their reports."""

from rr_engine.association.answered import mean_of_answered, mean_where_alike
from rr_engine.association.cramers import cramers_v
from rr_engine.association.derived import Derived
from rr_engine.association.independence import IndependenceTest, independence_test
from rr_engine.association.measures import chi_square, entropy, g_squared, mutual_information
from rr_engine.association.scores import mean_score, odds_ratio, pearson_correlation
from rr_engine.bayesian.coefficient_fit import BayesianFit
from rr_engine.bayesian.coefficient_prior import CoefficientPrior
from rr_engine.bayesian.coefficients import fit_bayesian
from rr_engine.bayesian.proportions import ProportionPosterior, posterior
from rr_engine.bounded.binned import (
    BinnedDistribution,
    BinnedMean,
    distribution_from_bins,
    mean_from_bins,
)
from rr_engine.bounded.bins import Bins
from rr_engine.bounded.comparison import (
    ExpectedError,
    NumberComparison,
    NumberDevice,
    compare_number_devices,
)
from rr_engine.bounded.mean_device import MeanDevice
from rr_engine.bounded.mean_estimate import MeanEstimate, mean_from_reports
from rr_engine.bounded.mean_planning import mean_margin_of_error, mean_sample_size
from rr_engine.bounded.quantiles import Quantile, quantile_from_bins
from rr_engine.bounded.relaxing import flip_chance, relax_mean_report, relaxed_chance
from rr_engine.channels.bits import BitChannel
from rr_engine.channels.joint_channel import JointChannel
from rr_engine.channels.joint_design import joint_design
from rr_engine.channels.product import ProductChannel
from rr_engine.channels.protocol import Channel
from rr_engine.channels.tallies import margin_of
from rr_engine.channels.uniform import UniformChannel
from rr_engine.clusters.attributes import Attribute, equal_frequency_bins
from rr_engine.clusters.choosing import ClusterChoice, choose_clusters, judge_clusters
from rr_engine.clusters.clustering import cluster_attributes
from rr_engine.clusters.costs import ClusterCost, cluster_costs
from rr_engine.clusters.graph import DependenceGraph, PairNote, dependence_graph
from rr_engine.clusters.merging import MergedCategories, PairLoss, merge_categories
from rr_engine.compliance import (
    AnchorCheck,
    CheatingShare,
    CorrectedCrosswise,
    DirectComparison,
    GoodnessOfFit,
    InattentionBounds,
    LieDetector,
    Moors,
    anchor_check,
    bias_corrected_crosswise,
    cheating_share,
    compare_with_direct,
    goodness_of_fit,
    homogeneity_test,
    inattention_bounds,
    moors,
    stochastic_lie_detector,
    weighted_crosswise,
)
from rr_engine.crowd.attributes import CrowdAttribute
from rr_engine.crowd.computed import ComputedStatistic
from rr_engine.crowd.distribution import PooledDistribution
from rr_engine.crowd.fitting import ProportionalFit, iterative_proportional_fitting
from rr_engine.crowd.pooling import pooled_distribution
from rr_engine.crowd.reports import ClusterReports
from rr_engine.design import DesignMatrix
from rr_engine.designs.binary import (
    forced_response,
    generalized_binary,
    mangat,
    two_stage,
    unrelated_question,
    warner,
)
from rr_engine.designs.categorical import direct, frapp, k_rr, uniform_perturbation
from rr_engine.designs.crosswise import crosswise, triangular
from rr_engine.designs.kuk import disguised_response, kuk
from rr_engine.designs.numeric import laplace
from rr_engine.designs.optimal import optimal_binary, optimal_threshold, optimal_warner
from rr_engine.designs.physical import crosswise_of, forced_choice, strongest_fit
from rr_engine.designs.variants import (
    christofides,
    devore,
    mangat_singh_singh,
    singh_joarder,
    soberanis_cruz,
)
from rr_engine.device import draw_report, uniform_below
from rr_engine.error_codes import CODES as ERROR_CODES
from rr_engine.errors import (
    AccountingError,
    ArgumentError,
    CategoryError,
    CountsError,
    DesignError,
    DistributionError,
    EngineError,
    EpsilonError,
    NotIdentifiableError,
)
from rr_engine.estimation.difference import Difference, ScoreTest, estimate_difference
from rr_engine.estimation.estimate import estimate
from rr_engine.estimation.groups import estimate_groups
from rr_engine.estimation.notes import Note
from rr_engine.estimation.result import DeviceStratum, Estimate
from rr_engine.estimation.simultaneous import simultaneous_intervals
from rr_engine.estimation.stratified import estimate_strata
from rr_engine.item_count import (
    CombinedListExperiment,
    DesignEffectTest,
    DoubleListExperiment,
    ListBounds,
    ListExperiment,
    ListPrivacy,
    PlaceboTest,
    RepeatedItem,
    SumScores,
    combine_with_direct,
    design_effect_test,
    double_list_experiment,
    list_bounds,
    list_experiment,
    list_privacy,
    power_list_experiment,
    repeated_item,
    solve_sample_size_list_experiment,
    sum_design,
    sum_scores,
    sum_scores_of_totals,
)
from rr_engine.multiattribute.joint_estimate import estimate_joint
from rr_engine.multiattribute.joint_result import JointEstimate
from rr_engine.multiattribute.joint_strata import estimate_joint_strata
from rr_engine.networks.degrees import DegreeDistribution, estimate_degrees
from rr_engine.networks.estimate import estimate_network
from rr_engine.networks.groups import MixingMatrix, estimate_mixing
from rr_engine.networks.noisy_counts import NoisyCounts, noisy_counts
from rr_engine.networks.planned_moments import PlannedStatistic
from rr_engine.networks.planning import NetworkPlan, network_errors, plan_network
from rr_engine.networks.reconstruction import ReconstructedNetwork, reconstruct_network
from rr_engine.networks.reconstruction_bias import ReconstructionBias, reconstruction_bias
from rr_engine.networks.reports import NetworkReports
from rr_engine.networks.result import DirectedNetwork, UndirectedNetwork
from rr_engine.networks.roster_privacy import RosterPrivacy, roster_privacy
from rr_engine.networks.roster_split import RosterSplit, split_roster
from rr_engine.networks.roster_ways import RosterWay, compare_roster_devices
from rr_engine.networks.sensitivity import (
    TriangleSensitivity,
    network_sensitivity,
    triangle_sensitivity,
)
from rr_engine.networks.statistics import NetworkCount, NetworkRatio
from rr_engine.networks.tie_caps import TieCap, compare_tie_caps
from rr_engine.networks.tie_epsilon import solve_tie_epsilon
from rr_engine.optimisation.block_designs import SubsetDesign, card_deck, subset_selection
from rr_engine.optimisation.bounds import mse_lower_bound, solve_bound
from rr_engine.optimisation.certificate import verify_certificate
from rr_engine.optimisation.design_search import search_designs
from rr_engine.optimisation.exact import quantized_within
from rr_engine.optimisation.front import Front, FrontMember
from rr_engine.optimisation.mechanisms import optimal_mechanism
from rr_engine.optimisation.proving import Certificate
from rr_engine.optimisation.subset_sizes import best_subset_size, minimax_value
from rr_engine.planning import (
    CheatingPower,
    CoverageTrial,
    NoncompliancePower,
    effective_sample_share,
    equivalent_n,
    margin_of_error,
    power,
    power_cheating,
    power_difference,
    power_independence,
    power_noncompliance,
    power_with_anchor,
    sample_size,
    sample_size_with_anchor,
    simulate_coverage,
    solve_alpha,
    solve_effect,
    solve_effect_difference,
    solve_epsilon,
    solve_level,
    solve_power,
    solve_sample_size,
    solve_sample_size_cheating,
    solve_sample_size_difference,
    solve_sample_size_independence,
    solve_sample_size_with_anchor,
)
from rr_engine.privacy.accounting import (
    Composition,
    Direct,
    Randomized,
    Relaxation,
    randomized_epsilon,
    total_epsilon,
    within_budget,
)
from rr_engine.projection import project_to_simplex
from rr_engine.quantitative.design import ScrambledDesign
from rr_engine.quantitative.linear import LinearScrambling
from rr_engine.quantitative.named import (
    BarLev,
    ChaudhuriChristofides,
    DianaPerri1,
    DianaPerri2,
    EichhornHayre,
    Eriksson,
    Saha,
)
from rr_engine.quantitative.scrambled_privacy import ScramblingPrivacy
from rr_engine.quantitative.scrambling import Scrambling
from rr_engine.quantitative.two_cards import (
    TwoCards,
    TwoCardShares,
    estimate_two_cards,
)
from rr_engine.quantitative.worth import equivalent_direct_n
from rr_engine.rappor.decoding import decode_strings
from rr_engine.rappor.planning import RapporPlan, detectable_share, suggest_rappor
from rr_engine.rappor.rappor import Rappor
from rr_engine.rappor.responses import (
    PermanentResponses,
    bit_kernel,
    draw_sample,
    relax_response,
)
from rr_engine.rappor.result import StringEstimates
from rr_engine.rappor.samples import (
    budget_after_samples,
    relaxed_bit_variance,
    sampled_bit_variance,
)
from rr_engine.rappor.simulation import simulate_string_tallies
from rr_engine.rappor.text import normalize_text
from rr_engine.regression.arm_comparison import ArmComparison, compare_arms
from rr_engine.regression.attention_logit import AttentionLogit
from rr_engine.regression.attention_regression import AttentionRegression
from rr_engine.regression.attention_regression_fit import AttentionRegressionFit
from rr_engine.regression.cheating_logit import CheatingLogit, LieDetectorLogit
from rr_engine.regression.comparison import (
    ModelSummary,
    ModelTest,
    compare_models,
    likelihood_ratio_test,
    wald_test,
)
from rr_engine.regression.correlation import Correlation, correlation
from rr_engine.regression.correlation_matrix import CorrelationMatrix, correlation_matrix
from rr_engine.regression.diagnostics import (
    CalibrationTest,
    Residuals,
    calibration_test,
    model_residuals,
)
from rr_engine.regression.fit import RegressionFit
from rr_engine.regression.list_outcomes import ListRegression, list_regression
from rr_engine.regression.logit import RRLogit
from rr_engine.regression.moment_regression import moment_regression
from rr_engine.regression.multilevel import RRMultilevelLogit
from rr_engine.regression.multilevel_effects import (
    group_averaged_effects,
    group_averaged_probabilities,
)
from rr_engine.regression.multilevel_fit import MultilevelFit
from rr_engine.regression.multinomial_planning import MultinomialPlan, plan_multinomial
from rr_engine.regression.noncompliance_bounds import NoncomplianceBounds, noncompliance_bounds
from rr_engine.regression.noncompliance_fit import NoncomplianceFit
from rr_engine.regression.planning import RegressionPlan, plan_regression
from rr_engine.regression.predictions import (
    MarginalEffects,
    PredictedProbabilities,
    average_marginal_effects,
    predicted_probabilities,
)
from rr_engine.regression.predictor_fit import PredictorFit
from rr_engine.regression.report_likelihoods import ReportLikelihoods
from rr_engine.regression.rr_regression import RRRegression
from rr_engine.relaxation.attacks import (
    attack_floor,
    guess_last,
    guess_most_frequent,
    guess_most_likely,
)
from rr_engine.relaxation.chain import Chain
from rr_engine.relaxation.degradation import (
    BitDegradation,
    DenseDegradation,
    JointDegradation,
    ProductDegradation,
    UniformDegradation,
)
from rr_engine.relaxation.exact import exact_degradation
from rr_engine.relaxation.exact_draw import draw_degraded, draw_relaxed, exact_kernel_weights
from rr_engine.relaxation.kernel import relax, relaxation_kernel
from rr_engine.relaxation.repair import degraded_copy, relaxable_next
from rr_engine.relaxation.sharpening import sharpened
from rr_engine.robustness import Poisoning, poisoning
from rr_engine.sampling import (
    CalibratedSample,
    IndependenceWald,
    ProbabilitySample,
    ReplicatedEstimate,
    ReplicateWeights,
    ReportScores,
    SurveyEstimate,
    SurveySample,
    WeightedProportions,
    WeightedSample,
    WeightedShares,
    WeightedTable,
    bootstrap_weights,
    estimate_mean,
    estimate_total,
    estimate_weighted,
    estimate_weighted_table,
    half_sample_weights,
    jackknife_weights,
    post_stratify,
    rake,
    replicate_covariance,
    report_scores,
    value_scores,
)
from rr_engine.simulation import randomize, simulate_counts
from rr_engine.spending.joint_comparison import JointWay, compare_joint

__version__ = "0.1.0"

from rr_engine.spending.questions import BudgetPair, BudgetQuestion, DeviceOfEpsilon, MarginCurve
from rr_engine.spending.result import (
    BudgetSplit,
    QuestionShare,
    SmallestBudget,
    SplitCertificate,
)
from rr_engine.spending.smallest import smallest_budget
from rr_engine.spending.split import split_budget

__all__ = [
    "ERROR_CODES",
    "AccountingError",
    "AnchorCheck",
    "ArgumentError",
    "ArmComparison",
    "AttentionLogit",
    "AttentionRegression",
    "AttentionRegressionFit",
    "Attribute",
    "BarLev",
    "BayesianFit",
    "BinnedDistribution",
    "BinnedMean",
    "Bins",
    "BitChannel",
    "BitDegradation",
    "BudgetPair",
    "BudgetQuestion",
    "BudgetSplit",
    "CalibratedSample",
    "CalibrationTest",
    "CategoryError",
    "Certificate",
    "Chain",
    "Channel",
    "ChaudhuriChristofides",
    "CheatingLogit",
    "CheatingPower",
    "CheatingShare",
    "ClusterChoice",
    "ClusterCost",
    "ClusterReports",
    "CoefficientPrior",
    "CombinedListExperiment",
    "Composition",
    "ComputedStatistic",
    "CorrectedCrosswise",
    "Correlation",
    "CorrelationMatrix",
    "CountsError",
    "CoverageTrial",
    "CrowdAttribute",
    "DegreeDistribution",
    "DenseDegradation",
    "DependenceGraph",
    "Derived",
    "DesignEffectTest",
    "DesignError",
    "DesignMatrix",
    "DeviceOfEpsilon",
    "DeviceStratum",
    "DianaPerri1",
    "DianaPerri2",
    "Difference",
    "Direct",
    "DirectComparison",
    "DirectedNetwork",
    "DistributionError",
    "DoubleListExperiment",
    "EichhornHayre",
    "EngineError",
    "EpsilonError",
    "Eriksson",
    "Estimate",
    "ExpectedError",
    "Front",
    "FrontMember",
    "GoodnessOfFit",
    "InattentionBounds",
    "IndependenceTest",
    "IndependenceWald",
    "JointChannel",
    "JointDegradation",
    "JointEstimate",
    "JointWay",
    "LieDetector",
    "LieDetectorLogit",
    "LinearScrambling",
    "ListBounds",
    "ListExperiment",
    "ListPrivacy",
    "ListRegression",
    "MarginCurve",
    "MarginalEffects",
    "MeanDevice",
    "MeanEstimate",
    "MergedCategories",
    "MixingMatrix",
    "ModelSummary",
    "ModelTest",
    "Moors",
    "MultilevelFit",
    "MultinomialPlan",
    "NetworkCount",
    "NetworkPlan",
    "NetworkRatio",
    "NetworkReports",
    "NoisyCounts",
    "NoncomplianceBounds",
    "NoncomplianceFit",
    "NoncompliancePower",
    "NotIdentifiableError",
    "Note",
    "NumberComparison",
    "NumberDevice",
    "PairLoss",
    "PairNote",
    "PermanentResponses",
    "PlaceboTest",
    "PlannedStatistic",
    "Poisoning",
    "PooledDistribution",
    "PredictedProbabilities",
    "PredictorFit",
    "ProbabilitySample",
    "ProductChannel",
    "ProductDegradation",
    "ProportionPosterior",
    "ProportionalFit",
    "Quantile",
    "QuestionShare",
    "RRLogit",
    "RRMultilevelLogit",
    "RRRegression",
    "Randomized",
    "Rappor",
    "RapporPlan",
    "ReconstructedNetwork",
    "ReconstructionBias",
    "RegressionFit",
    "RegressionPlan",
    "Relaxation",
    "RepeatedItem",
    "ReplicateWeights",
    "ReplicatedEstimate",
    "ReportLikelihoods",
    "ReportScores",
    "Residuals",
    "RosterPrivacy",
    "RosterSplit",
    "RosterWay",
    "Saha",
    "ScoreTest",
    "ScrambledDesign",
    "Scrambling",
    "ScramblingPrivacy",
    "SmallestBudget",
    "SplitCertificate",
    "StringEstimates",
    "SubsetDesign",
    "SumScores",
    "SurveyEstimate",
    "SurveySample",
    "TieCap",
    "TriangleSensitivity",
    "TwoCardShares",
    "TwoCards",
    "UndirectedNetwork",
    "UniformChannel",
    "UniformDegradation",
    "WeightedProportions",
    "WeightedSample",
    "WeightedShares",
    "WeightedTable",
    "anchor_check",
    "attack_floor",
    "average_marginal_effects",
    "best_subset_size",
    "bias_corrected_crosswise",
    "bit_kernel",
    "bootstrap_weights",
    "budget_after_samples",
    "calibration_test",
    "card_deck",
    "cheating_share",
    "chi_square",
    "choose_clusters",
    "christofides",
    "cluster_attributes",
    "cluster_costs",
    "combine_with_direct",
    "compare_arms",
    "compare_joint",
    "compare_models",
    "compare_number_devices",
    "compare_roster_devices",
    "compare_tie_caps",
    "compare_with_direct",
    "correlation",
    "correlation_matrix",
    "cramers_v",
    "crosswise",
    "crosswise_of",
    "decode_strings",
    "degraded_copy",
    "dependence_graph",
    "design_effect_test",
    "detectable_share",
    "devore",
    "direct",
    "disguised_response",
    "distribution_from_bins",
    "double_list_experiment",
    "draw_degraded",
    "draw_relaxed",
    "draw_report",
    "draw_sample",
    "effective_sample_share",
    "entropy",
    "equal_frequency_bins",
    "equivalent_direct_n",
    "equivalent_n",
    "estimate",
    "estimate_degrees",
    "estimate_difference",
    "estimate_groups",
    "estimate_joint",
    "estimate_joint_strata",
    "estimate_mean",
    "estimate_mixing",
    "estimate_network",
    "estimate_strata",
    "estimate_total",
    "estimate_two_cards",
    "estimate_weighted",
    "estimate_weighted_table",
    "exact_degradation",
    "exact_kernel_weights",
    "fit_bayesian",
    "flip_chance",
    "forced_choice",
    "forced_response",
    "frapp",
    "g_squared",
    "generalized_binary",
    "goodness_of_fit",
    "group_averaged_effects",
    "group_averaged_probabilities",
    "guess_last",
    "guess_most_frequent",
    "guess_most_likely",
    "half_sample_weights",
    "homogeneity_test",
    "inattention_bounds",
    "independence_test",
    "iterative_proportional_fitting",
    "jackknife_weights",
    "joint_design",
    "judge_clusters",
    "k_rr",
    "kuk",
    "laplace",
    "likelihood_ratio_test",
    "list_bounds",
    "list_experiment",
    "list_privacy",
    "list_regression",
    "mangat",
    "mangat_singh_singh",
    "margin_of",
    "margin_of_error",
    "mean_from_bins",
    "mean_from_reports",
    "mean_margin_of_error",
    "mean_of_answered",
    "mean_sample_size",
    "mean_score",
    "mean_where_alike",
    "merge_categories",
    "minimax_value",
    "model_residuals",
    "moment_regression",
    "moors",
    "mse_lower_bound",
    "mutual_information",
    "network_errors",
    "network_sensitivity",
    "noisy_counts",
    "noncompliance_bounds",
    "normalize_text",
    "odds_ratio",
    "optimal_binary",
    "optimal_mechanism",
    "optimal_threshold",
    "optimal_warner",
    "pearson_correlation",
    "plan_multinomial",
    "plan_network",
    "plan_regression",
    "poisoning",
    "pooled_distribution",
    "post_stratify",
    "posterior",
    "power",
    "power_cheating",
    "power_difference",
    "power_independence",
    "power_list_experiment",
    "power_noncompliance",
    "power_with_anchor",
    "predicted_probabilities",
    "project_to_simplex",
    "quantile_from_bins",
    "quantized_within",
    "rake",
    "randomize",
    "randomized_epsilon",
    "reconstruct_network",
    "reconstruction_bias",
    "relax",
    "relax_mean_report",
    "relax_response",
    "relaxable_next",
    "relaxation_kernel",
    "relaxed_bit_variance",
    "relaxed_chance",
    "repeated_item",
    "replicate_covariance",
    "report_scores",
    "roster_privacy",
    "sample_size",
    "sample_size_with_anchor",
    "sampled_bit_variance",
    "search_designs",
    "sharpened",
    "simulate_counts",
    "simulate_coverage",
    "simulate_string_tallies",
    "simultaneous_intervals",
    "singh_joarder",
    "smallest_budget",
    "soberanis_cruz",
    "solve_alpha",
    "solve_bound",
    "solve_effect",
    "solve_effect_difference",
    "solve_epsilon",
    "solve_level",
    "solve_power",
    "solve_sample_size",
    "solve_sample_size_cheating",
    "solve_sample_size_difference",
    "solve_sample_size_independence",
    "solve_sample_size_list_experiment",
    "solve_sample_size_with_anchor",
    "solve_tie_epsilon",
    "split_budget",
    "split_roster",
    "stochastic_lie_detector",
    "strongest_fit",
    "subset_selection",
    "suggest_rappor",
    "sum_design",
    "sum_scores",
    "sum_scores_of_totals",
    "total_epsilon",
    "triangle_sensitivity",
    "triangular",
    "two_stage",
    "uniform_below",
    "uniform_perturbation",
    "unrelated_question",
    "value_scores",
    "verify_certificate",
    "wald_test",
    "warner",
    "weighted_crosswise",
    "within_budget",
]
