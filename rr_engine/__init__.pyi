from rr_engine import (
    association as association,
)
from rr_engine import (
    bounded as bounded,
)
from rr_engine import (
    channels as channels,
)
from rr_engine import (
    clusters as clusters,
)
from rr_engine import (
    compliance as compliance,
)
from rr_engine import (
    crowd as crowd,
)
from rr_engine import (
    designs as designs,
)
from rr_engine import (
    errors as errors,
)
from rr_engine import (
    estimation as estimation,
)
from rr_engine import (
    item_count as item_count,
)
from rr_engine import (
    joint as joint,
)
from rr_engine import (
    models as models,
)
from rr_engine import (
    networks as networks,
)
from rr_engine import (
    optimisation as optimisation,
)
from rr_engine import (
    planning as planning,
)
from rr_engine import (
    privacy as privacy,
)
from rr_engine import (
    quantities as quantities,
)
from rr_engine import (
    rappor as rappor,
)
from rr_engine import (
    relaxation as relaxation,
)
from rr_engine import (
    sampling as sampling,
)
from rr_engine import (
    spending as spending,
)
from rr_engine.association.independence import independence_test as independence_test
from rr_engine.design import DesignMatrix as DesignMatrix
from rr_engine.designs.binary import (
    crosswise as crosswise,
)
from rr_engine.designs.binary import (
    forced_response as forced_response,
)
from rr_engine.designs.binary import (
    triangular as triangular,
)
from rr_engine.designs.binary import (
    unrelated_question as unrelated_question,
)
from rr_engine.designs.binary import (
    warner as warner,
)
from rr_engine.designs.categorical import k_rr as k_rr
from rr_engine.designs.physical import kuk as kuk
from rr_engine.errors import EngineError as EngineError
from rr_engine.estimation.difference import estimate_difference as estimate_difference
from rr_engine.estimation.estimating import estimate as estimate
from rr_engine.estimation.result import Estimate as Estimate
from rr_engine.estimation.stratified import estimate_strata as estimate_strata
from rr_engine.library.compliance.against_direct import compare_with_direct as compare_with_direct
from rr_engine.library.correlation.correlation import correlation as correlation
from rr_engine.library.item_count.list_experiment import list_experiment as list_experiment
from rr_engine.library.item_count.list_regression import list_regression as list_regression
from rr_engine.multiattribute.joint_estimate import estimate_joint as estimate_joint
from rr_engine.multiattribute.joint_result import JointEstimate as JointEstimate
from rr_engine.planning.margins import (
    margin_of_error as margin_of_error,
)
from rr_engine.planning.margins import (
    sample_size as sample_size,
)
from rr_engine.planning.proportion import power as power
from rr_engine.planning.solving import solve_sample_size as solve_sample_size
from rr_engine.regression.randomized_outcome.logit import RRLogit as RRLogit
from rr_engine.regression.randomized_predictors.rr_regression import RRRegression as RRRegression
from rr_engine.sampling.estimating import estimate_weighted as estimate_weighted
from rr_engine.sampling.survey_sample import SurveySample as SurveySample
from rr_engine.simulation import randomize as randomize
from rr_engine.simulation import simulate_counts as simulate_counts

__version__: str
