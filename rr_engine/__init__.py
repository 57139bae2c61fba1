"""Statistics of randomized response: devices, their privacy, and estimates from their reports."""

from rr_engine.association.answered import mean_of_answered, mean_where_alike
from rr_engine.association.derived import Derived
from rr_engine.association.independence import independence_test
from rr_engine.association.measures import chi_square, entropy, g_squared, mutual_information
from rr_engine.association.scores import cramers_v, mean_score, odds_ratio, pearson_correlation
from rr_engine.association.subgroup import SubgroupShares, subgroup_shares
from rr_engine.bounded.bins import Bins, distribution_from_bins, mean_from_bins
from rr_engine.bounded.comparison import (
    ExpectedError,
    NumberComparison,
    NumberDevice,
    compare_number_devices,
)
from rr_engine.bounded.mean_device import MeanDevice
from rr_engine.bounded.mean_estimate import MeanEstimate, mean_from_reports
from rr_engine.bounded.quantiles import Quantile, quantile_from_bins
from rr_engine.channels.bits import BitChannel
from rr_engine.channels.joint_channel import JointChannel
from rr_engine.channels.joint_design import joint_design
from rr_engine.channels.product import ProductChannel
from rr_engine.channels.protocol import Channel
from rr_engine.channels.uniform import UniformChannel
from rr_engine.clusters.attributes import Attribute
from rr_engine.clusters.choosing import choose_clusters, judge_clusters
from rr_engine.clusters.clustering import cluster_attributes
from rr_engine.clusters.costs import ClusterCost, cluster_costs
from rr_engine.clusters.graph import DependenceGraph, dependence_graph
from rr_engine.clusters.merging import merge_categories
from rr_engine.compliance.cheating import AnchorCheck, anchor_check, cheating_share
from rr_engine.compliance.goodness import goodness_of_fit, homogeneity_test
from rr_engine.compliance.inattention_bounds import inattention_bounds
from rr_engine.crowd.computed import ComputedStatistic
from rr_engine.crowd.distribution import PooledDistribution
from rr_engine.crowd.pooling import pooled_distribution
from rr_engine.crowd.reports import ClusterReports, CrowdAttribute
from rr_engine.design import DesignMatrix
from rr_engine.designs.binary import (
    crosswise,
    forced_response,
    generalized_binary,
    mangat,
    triangular,
    two_stage,
    unrelated_question,
    warner,
)
from rr_engine.designs.categorical import direct, frapp, k_rr, laplace, uniform_perturbation
from rr_engine.designs.optimal import optimal_binary, optimal_threshold, optimal_warner
from rr_engine.designs.physical import crosswise_of, forced_choice, kuk, strongest_fit
from rr_engine.designs.ranking import near_orders
from rr_engine.device import draw_report
from rr_engine.error_codes import ERROR_CODES
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
from rr_engine.estimation.result import Estimate
from rr_engine.estimation.stratified import estimate_strata
from rr_engine.fronts import public_names as _public_names
from rr_engine.multiattribute.joint_estimate import estimate_joint, estimate_joint_strata
from rr_engine.multiattribute.joint_result import JointEstimate
from rr_engine.networks.degrees import DegreeDistribution, estimate_degrees
from rr_engine.networks.estimate import estimate_network
from rr_engine.networks.groups import MixingMatrix, estimate_mixing
from rr_engine.networks.planning import network_errors, plan_network, solve_tie_epsilon
from rr_engine.networks.reconstruction import reconstruct_network
from rr_engine.networks.reconstruction_bias import reconstruction_bias
from rr_engine.networks.reports import NetworkReports
from rr_engine.networks.result import DirectedNetwork, UndirectedNetwork
from rr_engine.networks.roster_privacy import RosterPrivacy, roster_privacy
from rr_engine.networks.roster_ways import RosterWay, compare_roster_devices
from rr_engine.networks.statistics import NetworkCount, NetworkRatio
from rr_engine.networks.tie_caps import TieCap, compare_tie_caps
from rr_engine.optimisation.block_designs import SubsetDesign, card_deck, subset_selection
from rr_engine.optimisation.bounds import mse_lower_bound, solve_bound
from rr_engine.optimisation.certificate import verify_certificate
from rr_engine.optimisation.design_search import search_designs
from rr_engine.optimisation.front import Front, FrontMember
from rr_engine.optimisation.mechanisms import optimal_mechanism, quantized_within
from rr_engine.optimisation.proving import Certificate
from rr_engine.optimisation.subset_sizes import best_subset_size, minimax_value
from rr_engine.planning.difference_power import (
    power_difference,
    solve_effect_difference,
    solve_sample_size_difference,
)
from rr_engine.planning.margins import (
    effective_sample_share,
    equivalent_n,
    margin_of_error,
    sample_size,
)
from rr_engine.planning.proportion import power
from rr_engine.planning.solving import solve_sample_size
from rr_engine.planning.trial import simulate_coverage
from rr_engine.privacy.accounting import Composition, Direct, Randomized, Relaxation, total_epsilon
from rr_engine.projection import project_to_simplex
from rr_engine.rappor.bloom import normalize_text
from rr_engine.rappor.candidates import simulate_string_tallies
from rr_engine.rappor.decoding import decode_strings
from rr_engine.rappor.planning import RapporPlan, suggest_rappor
from rr_engine.rappor.rappor import Rappor, StringEstimates
from rr_engine.regression.plans.multinomial_planning import MultinomialPlan, plan_multinomial
from rr_engine.regression.plans.regression_planning import RegressionPlan, plan_regression
from rr_engine.regression.randomized_outcome.comparison import (
    compare_models,
    likelihood_ratio_test,
    wald_test,
)
from rr_engine.regression.randomized_outcome.diagnostics import calibration_test
from rr_engine.regression.randomized_outcome.logit import RRLogit
from rr_engine.regression.randomized_outcome.predictions import (
    average_marginal_effects,
    predicted_probabilities,
)
from rr_engine.regression.randomized_outcome.regression_fit import RegressionFit
from rr_engine.regression.randomized_predictors.rr_regression import RRRegression
from rr_engine.regression.report_likelihoods import ReportLikelihoods
from rr_engine.relaxation.exact import exact_degradation
from rr_engine.relaxation.exact_draw import draw_degraded, draw_relaxed, exact_kernel_weights
from rr_engine.relaxation.kernel import relax, relaxation_kernel
from rr_engine.relaxation.repair import relaxable_next, sharpened
from rr_engine.robustness import poisoning
from rr_engine.sampling.calibrated_sample import CalibratedSample, post_stratify, rake
from rr_engine.sampling.estimating import estimate_mean, estimate_total, estimate_weighted
from rr_engine.sampling.report_scores import ReportScores, report_scores, value_scores
from rr_engine.sampling.survey_estimate import WeightedProportions
from rr_engine.sampling.survey_sample import SurveySample
from rr_engine.sampling.weighted_table import WeightedTable, estimate_weighted_table
from rr_engine.simulation import randomize, simulate_counts
from rr_engine.spending.joint_comparison import JointWay, compare_joint
from rr_engine.spending.questions import BudgetPair, BudgetQuestion, DeviceOfEpsilon, MarginCurve
from rr_engine.spending.smallest import smallest_budget
from rr_engine.spending.split import split_budget

__version__ = "0.1.0"

# Each name stands once, in its import.
globals()["__all__"] = _public_names(globals())
