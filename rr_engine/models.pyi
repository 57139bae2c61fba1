from rr_engine.estimators.classifiers import (
    RRLogitClassifier as RRLogitClassifier,
)
from rr_engine.estimators.classifiers import (
    RRMultilevelClassifier as RRMultilevelClassifier,
)
from rr_engine.estimators.noncompliance import (
    AttentionClassifier as AttentionClassifier,
)
from rr_engine.estimators.noncompliance import (
    CheatingClassifier as CheatingClassifier,
)
from rr_engine.estimators.noncompliance import (
    LieDetectorClassifier as LieDetectorClassifier,
)
from rr_engine.estimators.noncompliance import (
    ListExperimentClassifier as ListExperimentClassifier,
)
from rr_engine.estimators.randomized_columns import (
    RRRegressionClassifier as RRRegressionClassifier,
)
from rr_engine.estimators.randomized_columns import (
    RRRegressor as RRRegressor,
)
from rr_engine.estimators.regressors import (
    AttentionRegressor as AttentionRegressor,
)
from rr_engine.library.bayesian.coefficient_prior import CoefficientPrior as CoefficientPrior
from rr_engine.library.bayesian.coefficients import (
    BayesianFit as BayesianFit,
)
from rr_engine.library.bayesian.coefficients import (
    fit_bayesian as fit_bayesian,
)
from rr_engine.library.multilevel.multilevel_effects import (
    group_averaged_effects as group_averaged_effects,
)
from rr_engine.library.multilevel.multilevel_effects import (
    group_averaged_probabilities as group_averaged_probabilities,
)
from rr_engine.library.multilevel.multilevel_fit import MultilevelFit as MultilevelFit
from rr_engine.library.multilevel.multilevel_logit import RRMultilevelLogit as RRMultilevelLogit
from rr_engine.library.noncompliance.attention_logit import AttentionLogit as AttentionLogit
from rr_engine.library.noncompliance.attention_regression import (
    AttentionRegression as AttentionRegression,
)
from rr_engine.library.noncompliance.attention_regression import (
    AttentionRegressionFit as AttentionRegressionFit,
)
from rr_engine.library.noncompliance.cheating_logit import (
    CheatingLogit as CheatingLogit,
)
from rr_engine.library.noncompliance.cheating_logit import (
    LieDetectorLogit as LieDetectorLogit,
)
from rr_engine.library.noncompliance.noncompliance_fit import NoncomplianceFit as NoncomplianceFit
from rr_engine.regression.randomized_outcome.comparison import (
    ModelSummary as ModelSummary,
)
from rr_engine.regression.randomized_outcome.comparison import (
    ModelTest as ModelTest,
)
from rr_engine.regression.randomized_outcome.comparison import (
    compare_models as compare_models,
)
from rr_engine.regression.randomized_outcome.comparison import (
    likelihood_ratio_test as likelihood_ratio_test,
)
from rr_engine.regression.randomized_outcome.comparison import (
    wald_test as wald_test,
)
from rr_engine.regression.randomized_outcome.diagnostics import (
    CalibrationTest as CalibrationTest,
)
from rr_engine.regression.randomized_outcome.diagnostics import (
    Residuals as Residuals,
)
from rr_engine.regression.randomized_outcome.diagnostics import (
    calibration_test as calibration_test,
)
from rr_engine.regression.randomized_outcome.diagnostics import (
    model_residuals as model_residuals,
)
from rr_engine.regression.randomized_outcome.logit import RRLogit as RRLogit
from rr_engine.regression.randomized_outcome.predicted import MarginalEffects as MarginalEffects
from rr_engine.regression.randomized_outcome.predicted import (
    PredictedProbabilities as PredictedProbabilities,
)
from rr_engine.regression.randomized_outcome.predictions import (
    average_marginal_effects as average_marginal_effects,
)
from rr_engine.regression.randomized_outcome.predictions import (
    predicted_probabilities as predicted_probabilities,
)
from rr_engine.regression.randomized_outcome.regression_fit import RegressionFit as RegressionFit
from rr_engine.regression.randomized_predictors.moment_regression import (
    moment_regression as moment_regression,
)
from rr_engine.regression.randomized_predictors.predictor_fit import PredictorFit as PredictorFit
from rr_engine.regression.randomized_predictors.rr_regression import RRRegression as RRRegression
from rr_engine.regression.report_likelihoods import ReportLikelihoods as ReportLikelihoods
