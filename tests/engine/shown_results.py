"""An instance of every public result class, from the examples of the functions that return them."""

import contextlib
import dataclasses
import doctest
import importlib
import inspect
import io
import pkgutil
import re

import rr_engine as rr
from rr_engine.display.shown import Shown
from tests.engine.public import PUBLIC

# What is given to functions, or passed between them, and shows itself as what it was made from.
GIVEN = {
    "Attribute", "Bins", "BitChannel", "BudgetPair", "BudgetQuestion", "ClusterReports",
    "Composition", "CrowdAttribute", "DesignMatrix", "DeviceOfEpsilon", "Direct", "JointChannel",
    "MarginCurve", "MeanDevice", "NetworkReports", "Note", "ProductChannel", "Randomized",
    "Rappor", "Relaxation", "ReportScores", "SubsetDesign", "SurveySample", "UniformChannel",
    "CoefficientPrior", "Scrambling", "BarLev", "ChaudhuriChristofides", "DianaPerri1",
    "DianaPerri2", "EichhornHayre", "Eriksson", "LinearScrambling", "Saha", "ScrambledDesign",
    "ProbabilitySample", "RankingDevice", "TwoCards", "PermanentResponses", "Chain",
    "BitDegradation", "DenseDegradation", "JointDegradation", "ProductDegradation",
    "UniformDegradation",
}  # fmt: skip


def public_results():
    """Return every public dataclass that is a result."""
    return {
        member.__name__: member
        for member in PUBLIC.values()
        if inspect.isclass(member)
        and dataclasses.is_dataclass(member)
        and member.__name__ not in GIVEN
    }


def examples_making(names):
    """Return the docstring examples in the modules that speak of these classes."""
    finder = doctest.DocTestFinder(exclude_empty=True)
    for module in pkgutil.walk_packages(rr.__path__, "rr_engine."):
        loaded = importlib.import_module(module.name)
        source = inspect.getsource(loaded)
        if re.search(rf"\b({'|'.join(names)})\b", source):
            yield from (test for test in finder.find(loaded) if test.examples)


def instances():
    """Run the examples and return the last instance of each public result class that they make."""
    wanted, found = public_results(), {}
    kept = {kind: kind.__init__ for kind in wanted.values()}

    def recording(kind, own):
        def made(self, *args, **kwargs):
            own(self, *args, **kwargs)
            if type(self) is kind:
                found[kind.__name__] = self

        return made

    with contextlib.ExitStack() as back:
        for kind, own in kept.items():
            back.callback(setattr, kind, "__init__", own)
            kind.__init__ = recording(kind, own)
        for test in examples_making(wanted):
            with contextlib.redirect_stdout(io.StringIO()):
                doctest.DocTestRunner(verbose=False).run(test)
    return {name: one for name, one in found.items() if isinstance(one, Shown)}
