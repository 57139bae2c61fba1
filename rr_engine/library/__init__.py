"""Methods of randomized response for Python users, which no page of Candor needs."""

from rr_engine.association.independence import IndependenceTest as IndependenceTest
from rr_engine.bounded.bins import BinnedDistribution as BinnedDistribution
from rr_engine.bounded.bins import BinnedMean as BinnedMean
from rr_engine.channels.tallies import margin_of as margin_of
from rr_engine.clusters.attributes import equal_frequency_bins as equal_frequency_bins
from rr_engine.clusters.choosing import ClusterChoice as ClusterChoice
from rr_engine.clusters.graph import PairNote as PairNote
from rr_engine.clusters.merging import MergedCategories as MergedCategories
from rr_engine.clusters.merging import PairLoss as PairLoss
from rr_engine.compliance.cheating import CheatingShare as CheatingShare
from rr_engine.compliance.goodness import GoodnessOfFit as GoodnessOfFit
from rr_engine.compliance.inattention_bounds import InattentionBounds as InattentionBounds
from rr_engine.crowd.fitting import ProportionalFit as ProportionalFit
from rr_engine.crowd.fitting import iterative_proportional_fitting as iterative_proportional_fitting
from rr_engine.designs.physical import disguised_response as disguised_response
from rr_engine.device import uniform_below as uniform_below
from rr_engine.estimation.result import DeviceStratum as DeviceStratum
from rr_engine.fronts import public_names as _public_names
from rr_engine.library.bayesian.coefficient_prior import CoefficientPrior as CoefficientPrior
from rr_engine.library.bayesian.coefficients import BayesianFit as BayesianFit
from rr_engine.library.bayesian.coefficients import fit_bayesian as fit_bayesian
from rr_engine.library.bayesian.proportions import ProportionPosterior as ProportionPosterior
from rr_engine.library.bayesian.proportions import posterior as posterior
from rr_engine.library.compliance.against_direct import DirectComparison as DirectComparison
from rr_engine.library.compliance.against_direct import compare_with_direct as compare_with_direct
from rr_engine.library.compliance.arm_comparison import ArmComparison as ArmComparison
from rr_engine.library.compliance.arm_comparison import compare_arms as compare_arms
from rr_engine.library.compliance.inattention import CorrectedCrosswise as CorrectedCrosswise
from rr_engine.library.compliance.inattention import (
    bias_corrected_crosswise as bias_corrected_crosswise,
)
from rr_engine.library.compliance.inattention import weighted_crosswise as weighted_crosswise
from rr_engine.library.compliance.lie_detector import LieDetector as LieDetector
from rr_engine.library.compliance.lie_detector import (
    stochastic_lie_detector as stochastic_lie_detector,
)
from rr_engine.library.compliance.unknown import Moors as Moors
from rr_engine.library.compliance.unknown import moors as moors
from rr_engine.library.correlation.correlation import Correlation as Correlation
from rr_engine.library.correlation.correlation import correlation as correlation
from rr_engine.library.correlation.correlation_matrix import CorrelationMatrix as CorrelationMatrix
from rr_engine.library.correlation.correlation_matrix import (
    correlation_matrix as correlation_matrix,
)
from rr_engine.library.item_count.design_effects import DesignEffectTest as DesignEffectTest
from rr_engine.library.item_count.design_effects import ListBounds as ListBounds
from rr_engine.library.item_count.design_effects import design_effect_test as design_effect_test
from rr_engine.library.item_count.design_effects import list_bounds as list_bounds
from rr_engine.library.item_count.double import CombinedListExperiment as CombinedListExperiment
from rr_engine.library.item_count.double import DoubleListExperiment as DoubleListExperiment
from rr_engine.library.item_count.double import PlaceboTest as PlaceboTest
from rr_engine.library.item_count.double import combine_with_direct as combine_with_direct
from rr_engine.library.item_count.double import double_list_experiment as double_list_experiment
from rr_engine.library.item_count.list_experiment import ListExperiment as ListExperiment
from rr_engine.library.item_count.list_experiment import RepeatedItem as RepeatedItem
from rr_engine.library.item_count.list_experiment import list_experiment as list_experiment
from rr_engine.library.item_count.list_experiment import repeated_item as repeated_item
from rr_engine.library.item_count.list_regression import ListRegression as ListRegression
from rr_engine.library.item_count.list_regression import list_regression as list_regression
from rr_engine.library.item_count.power import power_list_experiment as power_list_experiment
from rr_engine.library.item_count.power import (
    solve_sample_size_list_experiment as solve_sample_size_list_experiment,
)
from rr_engine.library.item_count.sum_scores import SumScores as SumScores
from rr_engine.library.item_count.sum_scores import sum_design as sum_design
from rr_engine.library.item_count.sum_scores import sum_scores as sum_scores
from rr_engine.library.item_count.sum_scores import sum_scores_of_totals as sum_scores_of_totals
from rr_engine.library.item_count.tables import ListPrivacy as ListPrivacy
from rr_engine.library.item_count.tables import list_privacy as list_privacy
from rr_engine.library.means.planning import mean_margin_of_error as mean_margin_of_error
from rr_engine.library.means.planning import mean_sample_size as mean_sample_size
from rr_engine.library.means.relaxing import flip_chance as flip_chance
from rr_engine.library.means.relaxing import relax_mean_report as relax_mean_report
from rr_engine.library.means.relaxing import relaxed_chance as relaxed_chance
from rr_engine.library.multilevel.multilevel_effects import (
    group_averaged_effects as group_averaged_effects,
)
from rr_engine.library.multilevel.multilevel_effects import (
    group_averaged_probabilities as group_averaged_probabilities,
)
from rr_engine.library.multilevel.multilevel_fit import MultilevelFit as MultilevelFit
from rr_engine.library.multilevel.multilevel_logit import RRMultilevelLogit as RRMultilevelLogit
from rr_engine.library.networks.noisy_counts import NoisyCounts as NoisyCounts
from rr_engine.library.networks.noisy_counts import TriangleSensitivity as TriangleSensitivity
from rr_engine.library.networks.noisy_counts import network_sensitivity as network_sensitivity
from rr_engine.library.networks.noisy_counts import noisy_counts as noisy_counts
from rr_engine.library.networks.noisy_counts import triangle_sensitivity as triangle_sensitivity
from rr_engine.library.noncompliance.attention_logit import AttentionLogit as AttentionLogit
from rr_engine.library.noncompliance.attention_regression import (
    AttentionRegression as AttentionRegression,
)
from rr_engine.library.noncompliance.attention_regression import (
    AttentionRegressionFit as AttentionRegressionFit,
)
from rr_engine.library.noncompliance.cheating_logit import CheatingLogit as CheatingLogit
from rr_engine.library.noncompliance.cheating_logit import LieDetectorLogit as LieDetectorLogit
from rr_engine.library.noncompliance.noncompliance_bounds import (
    NoncomplianceBounds as NoncomplianceBounds,
)
from rr_engine.library.noncompliance.noncompliance_bounds import (
    noncompliance_bounds as noncompliance_bounds,
)
from rr_engine.library.noncompliance.noncompliance_fit import NoncomplianceFit as NoncomplianceFit
from rr_engine.library.planning.anchor_power import power_with_anchor as power_with_anchor
from rr_engine.library.planning.anchor_power import (
    sample_size_with_anchor as sample_size_with_anchor,
)
from rr_engine.library.planning.anchor_power import (
    solve_sample_size_with_anchor as solve_sample_size_with_anchor,
)
from rr_engine.library.planning.cheating_power import CheatingPower as CheatingPower
from rr_engine.library.planning.cheating_power import power_cheating as power_cheating
from rr_engine.library.planning.cheating_power import (
    solve_sample_size_cheating as solve_sample_size_cheating,
)
from rr_engine.library.planning.independence_power import power_independence as power_independence
from rr_engine.library.planning.independence_power import (
    solve_sample_size_independence as solve_sample_size_independence,
)
from rr_engine.library.planning.levels import solve_epsilon as solve_epsilon
from rr_engine.library.planning.levels import solve_level as solve_level
from rr_engine.library.planning.noncompliance_power import NoncompliancePower as NoncompliancePower
from rr_engine.library.planning.noncompliance_power import (
    power_noncompliance as power_noncompliance,
)
from rr_engine.library.quantitative.design import ScrambledDesign as ScrambledDesign
from rr_engine.library.quantitative.linear import LinearScrambling as LinearScrambling
from rr_engine.library.quantitative.named import BarLev as BarLev
from rr_engine.library.quantitative.named import ChaudhuriChristofides as ChaudhuriChristofides
from rr_engine.library.quantitative.named import DianaPerri1 as DianaPerri1
from rr_engine.library.quantitative.named import DianaPerri2 as DianaPerri2
from rr_engine.library.quantitative.named import EichhornHayre as EichhornHayre
from rr_engine.library.quantitative.named import Eriksson as Eriksson
from rr_engine.library.quantitative.named import Saha as Saha
from rr_engine.library.quantitative.scrambled_privacy import ScramblingPrivacy as ScramblingPrivacy
from rr_engine.library.quantitative.scrambling import Scrambling as Scrambling
from rr_engine.library.quantitative.two_cards import TwoCards as TwoCards
from rr_engine.library.quantitative.two_cards import TwoCardShares as TwoCardShares
from rr_engine.library.quantitative.two_cards import estimate_two_cards as estimate_two_cards
from rr_engine.library.quantitative.worth import equivalent_direct_n as equivalent_direct_n
from rr_engine.library.rappor.responses import PermanentResponses as PermanentResponses
from rr_engine.library.rappor.responses import bit_kernel as bit_kernel
from rr_engine.library.rappor.responses import draw_sample as draw_sample
from rr_engine.library.rappor.responses import relax_response as relax_response
from rr_engine.library.rappor.samples import budget_after_samples as budget_after_samples
from rr_engine.library.rappor.samples import relaxed_bit_variance as relaxed_bit_variance
from rr_engine.library.rappor.samples import sampled_bit_variance as sampled_bit_variance
from rr_engine.library.relaxation.attacks import attack_floor as attack_floor
from rr_engine.library.relaxation.attacks import guess_last as guess_last
from rr_engine.library.relaxation.attacks import guess_most_frequent as guess_most_frequent
from rr_engine.library.relaxation.attacks import guess_most_likely as guess_most_likely
from rr_engine.library.relaxation.chain import Chain as Chain
from rr_engine.library.sampling.probability_sample import ProbabilitySample as ProbabilitySample
from rr_engine.library.sampling.replicates import ReplicateWeights as ReplicateWeights
from rr_engine.library.sampling.replicates import bootstrap_weights as bootstrap_weights
from rr_engine.library.sampling.replicates import half_sample_weights as half_sample_weights
from rr_engine.library.sampling.replicates import jackknife_weights as jackknife_weights
from rr_engine.library.sampling.replication import ReplicatedEstimate as ReplicatedEstimate
from rr_engine.library.sampling.replication import replicate_covariance as replicate_covariance
from rr_engine.library.simultaneous import simultaneous_intervals as simultaneous_intervals
from rr_engine.library.variants import christofides as christofides
from rr_engine.library.variants import devore as devore
from rr_engine.library.variants import mangat_singh_singh as mangat_singh_singh
from rr_engine.library.variants import singh_joarder as singh_joarder
from rr_engine.library.variants import soberanis_cruz as soberanis_cruz
from rr_engine.networks.planned_moments import PlannedStatistic as PlannedStatistic
from rr_engine.networks.planning import NetworkPlan as NetworkPlan
from rr_engine.networks.reconstruction import ReconstructedNetwork as ReconstructedNetwork
from rr_engine.networks.reconstruction_bias import ReconstructionBias as ReconstructionBias
from rr_engine.networks.tie_caps import RosterSplit as RosterSplit
from rr_engine.networks.tie_caps import split_roster as split_roster
from rr_engine.planning.solving import solve_alpha as solve_alpha
from rr_engine.planning.solving import solve_effect as solve_effect
from rr_engine.planning.solving import solve_power as solve_power
from rr_engine.planning.trial import CoverageTrial as CoverageTrial
from rr_engine.privacy.accounting import randomized_epsilon as randomized_epsilon
from rr_engine.privacy.accounting import within_budget as within_budget
from rr_engine.rappor.planning import detectable_share as detectable_share
from rr_engine.regression.randomized_outcome.comparison import ModelSummary as ModelSummary
from rr_engine.regression.randomized_outcome.comparison import ModelTest as ModelTest
from rr_engine.regression.randomized_outcome.diagnostics import CalibrationTest as CalibrationTest
from rr_engine.regression.randomized_outcome.diagnostics import Residuals as Residuals
from rr_engine.regression.randomized_outcome.diagnostics import model_residuals as model_residuals
from rr_engine.regression.randomized_outcome.predictions import MarginalEffects as MarginalEffects
from rr_engine.regression.randomized_outcome.predictions import (
    PredictedProbabilities as PredictedProbabilities,
)
from rr_engine.regression.randomized_predictors.moment_regression import (
    moment_regression as moment_regression,
)
from rr_engine.regression.randomized_predictors.predictor_fit import PredictorFit as PredictorFit
from rr_engine.relaxation.degradation import BitDegradation as BitDegradation
from rr_engine.relaxation.degradation import DenseDegradation as DenseDegradation
from rr_engine.relaxation.degradation import JointDegradation as JointDegradation
from rr_engine.relaxation.degradation import ProductDegradation as ProductDegradation
from rr_engine.relaxation.degradation import UniformDegradation as UniformDegradation
from rr_engine.relaxation.repair import degraded_copy as degraded_copy
from rr_engine.robustness import Poisoning as Poisoning
from rr_engine.sampling.survey_estimate import SurveyEstimate as SurveyEstimate
from rr_engine.sampling.weighted_sample import WeightedSample as WeightedSample
from rr_engine.sampling.weighted_table import IndependenceWald as IndependenceWald
from rr_engine.sampling.weighted_table import WeightedShares as WeightedShares
from rr_engine.spending.result import BudgetSplit as BudgetSplit
from rr_engine.spending.result import QuestionShare as QuestionShare
from rr_engine.spending.result import SmallestBudget as SmallestBudget
from rr_engine.spending.result import SplitCertificate as SplitCertificate

# Each name stands once, in its import, where type checkers go on reading it.
globals()["__all__"] = _public_names(globals())
