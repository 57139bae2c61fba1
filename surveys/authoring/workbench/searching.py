"""The search for a question's best device: from a request to its content.

Shapes of both: `surveys.models.search`. The same request gives the same content but for seconds.
"""

import time
from collections.abc import Callable, Mapping
from typing import Any

import rr_engine
from rr_engine import EngineError
from surveys.authoring.workbench.adopting import adopt_member
from surveys.authoring.workbench.points import (
    SearchRequest,
    bound_points,
    family,
    front_json,
    other_devices,
)

__all__ = ["FORMAT", "METHODS", "EngineError", "adopt_member", "run_request"]

FORMAT = 1
METHODS = ("certified", "local", "optrr")
# Privacy levels of the local search per level of the request: 64 for 25, the engine's defaults.
LOCAL_LEVELS = 64 / 25
# The share of the work that the curves take.
CURVES = 0.04

Content = dict[str, Any]
# Called with the share of the work that is done and the content so far; False cancels.
Progress = Callable[[float, Content], object]


def run_request(request: Mapping[str, Any], progress: Progress) -> Content:
    """Run the requested methods one after another.

    A method that the engine refuses leaves its message in the notes. Raises EngineError, whose
    message says what is feasible, when no method can run.
    """
    search_request = SearchRequest.read(request)
    content: Content = {
        "format": FORMAT,
        "engine": rr_engine.__version__,
        "direct_mse": rr_engine.designs.direct(search_request.labels).mse(
            search_request.prior, search_request.n
        ),
        "family": family(search_request),
        "devices": list(other_devices(search_request)),
        "bound": [],
        "fronts": {},
        "notes": {},
    }
    going, levels = progress(0.0, content) is not False, request["levels"]
    for step, bound_point in enumerate(bound_points(search_request, levels), 1):
        content["bound"].append(bound_point)
        going = going and progress(CURVES * step / (levels + 1), content) is not False
        if not going:
            return content
    _run_methods(request, search_request, content, progress)
    return content


def _run_methods(
    request: Mapping[str, Any], search_request: SearchRequest, content: Content, progress: Progress
) -> None:
    methods = [method for method in METHODS if method in request["methods"]]
    work = {method: _work(method, request) for method in methods}
    refusals, work_done = [], 0.0
    for method in methods:
        start = CURVES + (1 - CURVES) * work_done / sum(work.values())
        share = (1 - CURVES) * work[method] / sum(work.values())
        try:
            front = _run_method(method, request, search_request, content, progress, (start, share))
        except EngineError as error:
            refusals.append(error)
            content["notes"][method] = error.code
        else:
            if front.cancelled:
                return
        work_done += work[method]
    if len(refusals) == len(methods):
        raise refusals[0]


def _run_method(
    method: str,
    request: Mapping[str, Any],
    search_request: SearchRequest,
    content: Content,
    progress: Progress,
    part: tuple[float, float],
) -> rr_engine.optimisation.Front:
    """Search by one method; the content has its current front at every step."""
    began = time.monotonic()

    def note(front: rr_engine.optimisation.Front) -> None:
        content["fronts"][method] = front_json(front, time.monotonic() - began)

    def report_front(share: float, front: rr_engine.optimisation.Front) -> bool:
        note(front)
        return progress(min(1.0, part[0] + part[1] * share), content) is not False

    front = rr_engine.optimisation.search_designs(
        search_request.prior,
        search_request.n,
        float(search_request.delta),
        method,
        generations=request["generations"],
        seed=request["seed"],
        epsilon=search_request.budget,
        progress=report_front,
        levels=_levels(method, request["levels"]),
    )
    note(front)
    return front


def _levels(method: str, levels: int) -> int:
    return round(levels * LOCAL_LEVELS) if method == "local" else levels


def _work(method: str, request: Mapping[str, Any]) -> float:
    """The approximate duration of a method for ten categories, in seconds."""
    seconds = {
        "certified": 0.05 * request["levels"],
        "local": request["levels"],
        "optrr": 0.0045 * request["generations"],
    }
    return seconds[method]
