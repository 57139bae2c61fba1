from rr_engine.optimisation.bounds import (
    mse_lower_bound as mse_lower_bound,
)
from rr_engine.optimisation.bounds import (
    solve_bound as solve_bound,
)
from rr_engine.optimisation.certificate import verify_certificate as verify_certificate
from rr_engine.optimisation.design_search import search_designs as search_designs
from rr_engine.optimisation.front import Front as Front
from rr_engine.optimisation.front import FrontMember as FrontMember
from rr_engine.optimisation.mechanisms import (
    optimal_mechanism as optimal_mechanism,
)
from rr_engine.optimisation.mechanisms import (
    quantized_within as quantized_within,
)
from rr_engine.optimisation.proving import Certificate as Certificate
