"""Models by formula and data frame: exactly the fits of the matrices that stand behind them."""

import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rr_engine as rr
from rr_engine.errors import EngineError

COIN, OTHER = rr.warner(0.8), rr.warner(0.3)
RNG = np.random.default_rng(3)
N = 200
AGE, TRUE = RNG.normal(40, 10, N), RNG.integers(0, 2, N)
FRAME = pd.DataFrame({
    "reported": np.where(RNG.random(N) < 0.2, 1 - TRUE, TRUE),
    "age": AGE,
    "region": pd.Categorical(RNG.choice(["south", "north", "west"], N)),
    "member": pd.array(RNG.random(N) < 0.5, dtype="boolean"),
    "weight": RNG.uniform(1, 2, N),
    "school": RNG.choice(list("abcdefghijkl"), N),
    "half": np.arange(N) % 2,
    "anchor": RNG.integers(0, 2, N),
    "items": RNG.integers(0, 4, N),
    "income": RNG.normal(0, 1, N),
}, index=[f"p{row}" for row in range(N)])  # fmt: skip
TIMES = FRAME.assign(when=pd.Timestamp("2026-01-01"))[["reported", "when", "age"]]
NAMES = ("age", "C(region)[T.south]", "C(region)[T.west]")
X = np.column_stack([AGE, FRAME.region == "south", FRAME.region == "west"]).astype(float)
RIGHT = "age + C(region)"
LIKELY = rr.models.ReportLikelihoods(COIN, FRAME.anchor.to_numpy())


def arrays(*names):
    return [FRAME[name].to_numpy() for name in names]


def by_matrix(function, *more, outcome="reported", first=False, **named):
    data = {
        name: FRAME[value].to_numpy() if isinstance(value, str) else value
        for name, value in named.items()
    }
    start = (*arrays(outcome), X) if first else (X, *arrays(outcome))
    return function(*start, *more, names=NAMES, **data)


def by_formula(function, frame, *more, outcome="reported", first=False, **named):
    return function(f"{outcome} ~ {RIGHT}", frame, *more, **named)


MODELS = {
    "logit": (rr.RRLogit(COIN).fit, (), {}),
    "probit": (rr.RRLogit(COIN, "probit").fit, (), {}),
    "linear": (rr.RRLogit(COIN, "identity").fit, (), {}),
    "weights": (rr.RRLogit(COIN).fit, (), {"weights": "weight"}),
    "devices": (rr.RRLogit([COIN, OTHER]).fit, (), {"which": "half"}),
    "multilevel": (rr.models.RRMultilevelLogit(COIN).fit, (), {"groups": "school"}),
    "cheating": (rr.models.CheatingLogit([COIN, OTHER]).fit, (), {"which": "half"}),
    "attention": (rr.models.AttentionLogit(COIN, COIN).fit, (), {"anchor_reports": "anchor"}),
    "list": (rr.list_regression, (), {"outcome": "items", "treated": "half", "items": 3}),
    "predictors": (rr.RRRegression().fit, ([LIKELY],), {"outcome": "income", "first": True}),
    "moments": (rr.models.moment_regression, ([LIKELY],), {"outcome": "income", "first": True}),
    "inattentive predictors": (
        rr.models.AttentionRegression(COIN, COIN).fit, (),
        {"outcome": "income", "first": True, "reports": "reported", "anchor_reports": "anchor"}),
}  # fmt: skip


@pytest.mark.parametrize("model", MODELS)
def test_a_formula_gives_the_fit_of_its_matrix(model):
    function, more, named = MODELS[model]
    expected = by_matrix(function, *more, **named)
    for frame in (FRAME, pl.from_pandas(FRAME)):
        found = by_formula(function, frame, *more, **named)
        assert found.params.tolist() == expected.params.tolist()
        assert found.covariance.tolist() == expected.covariance.tolist()
        assert found.names == expected.names
        assert found.names[:4] == ("intercept", *NAMES)


def test_other_functions_of_a_model_take_formulas_too():
    bounds = rr.compliance.noncompliance_bounds(COIN, f"reported ~ {RIGHT}", FRAME, [0.0, 0.1])
    expected = by_matrix(
        lambda *args, **named: rr.compliance.noncompliance_bounds(COIN, *args, [0.0, 0.1], **named)
    )
    assert bounds.params.tolist() == expected.params.tolist()
    arms = rr.compliance.compare_arms([rr.designs.direct(2), COIN], "reported ~ age", FRAME, "half")
    plain = rr.compliance.compare_arms(
        [rr.designs.direct(2), COIN], AGE, *arrays("reported", "half"), names=["age"]
    )
    assert arms.differences.tolist() == plain.differences.tolist()
    share = rr.models.CheatingLogit([COIN, OTHER]).fit(
        "reported ~ 1", FRAME, which="half", share_X="~ member"
    )
    assert share.share_names == ("intercept", "member")
    assert rr.models.fit_bayesian(rr.RRLogit(COIN), "reported ~ age", FRAME).names == (
        "intercept",
        "age",
    )


def test_a_formula_may_leave_the_intercept_out():
    fit = rr.RRLogit(COIN).fit("reported ~ 0 + age", FRAME)
    expected = rr.RRLogit(COIN).fit(AGE, FRAME.reported.to_numpy(), intercept=False)
    assert fit.names == ("age",)
    assert fit.params.tolist() == expected.params.tolist()
    alone = rr.RRLogit(COIN).fit("reported ~ 1", FRAME)
    assert alone.params.tolist() == rr.RRLogit(COIN).fit(None, FRAME.reported).params.tolist()


def test_predictions_at_new_people_go_through_the_formula():
    """The levels are those of the people of the fit, whoever is asked about later."""
    fit = rr.RRLogit(COIN).fit(f"reported ~ {RIGHT}", FRAME)
    later = pd.DataFrame({"age": [30.0, 50.0], "region": ["west", "west"]})
    rows = [[30.0, 0, 1], [50.0, 0, 1]]
    expected = rr.models.predicted_probabilities(fit, rows).probabilities
    for frame in (later, pl.from_pandas(later)):
        assert (
            rr.models.predicted_probabilities(fit, frame).probabilities.tolist()
            == expected.tolist()
        )
    effects = rr.models.average_marginal_effects(fit, FRAME).effects
    assert effects == pytest.approx(rr.models.average_marginal_effects(fit).effects)
    grouped = rr.models.RRMultilevelLogit(COIN).fit(f"reported ~ {RIGHT}", FRAME, "school")
    there = rr.models.group_averaged_probabilities(grouped, later).probabilities
    assert (
        there.tolist()
        == rr.models.group_averaged_probabilities(grouped, rows).probabilities.tolist()
    )
    with pytest.raises(EngineError, match="respondent 1 out, whose region is missing"):
        rr.models.predicted_probabilities(fit, later.assign(region=["west", None]))


GAPS = FRAME.assign(
    age=FRAME.age.where(np.arange(N) != 7), region=FRAME.region.where(np.arange(N) != 9),
    reported=FRAME.reported.astype("Int64").mask(np.arange(N) == 5),
)  # fmt: skip


@pytest.mark.parametrize(("formula", "frame", "said"), [
    ("reported ~ age", GAPS.assign(reported=0),
     r"respondent 7 \(row 'p7'\) out, whose age is missing \(frame.dropna\(subset=\['age'\]\)\)"),
    # Of a missing category there would be zeros in all columns: the first category.
    ("reported ~ C(region)", GAPS, r"respondent 9 \(row 'p9'\).*whose region is missing"),
    ("reported ~ C(region)", pl.from_pandas(GAPS), r"frame.drop_nulls\('region'\)"),
    ("reported ~ half", GAPS, r"respondent 5 \(row 'p5'\) has none; leave them out \(frame.dropna"),
    ("reported ~ wealth", FRAME, "wealth"),
    ("wealth ~ age", FRAME, "have one column of the frame on its left side.*unlike 'wealth'"),
    ("reported ~ age", pl.LazyFrame({"age": AGE}), "collect.. the lazy frame first"),
    ("reported ~ age + when", TIMES, "unlike the times in when: give them as numbers"),
    ("reported ~ when", pl.from_pandas(TIMES.iloc[:, 0:2]), "unlike the times in when"),
    ("~ age", FRAME, "have the column of the reports on its left side"),
    ("reported ~ age +", FRAME, "be a formula of columns"),
    ("reported ~ age | half", FRAME, "have one right side"),
    ("reported ~ age", [0, 1], "come with a data frame of pandas or polars"),
])  # fmt: skip
def test_what_a_formula_cannot_mean_is_said(formula, frame, said):
    with pytest.raises(EngineError, match=said):
        rr.RRLogit(COIN).fit(formula, frame)


def test_what_a_formula_says_is_not_said_twice():
    with pytest.raises(EngineError, match="names must be left out beside a formula"):
        rr.RRLogit(COIN).fit("reported ~ age", FRAME, names=["years"])
    with pytest.raises(EngineError, match="weights must be the name of a column of the frame"):
        rr.RRLogit(COIN).fit("reported ~ age", FRAME, weights="wieght")


def test_the_extra_is_named_where_formulaic_is_not_installed():
    program = (
        "import sys; sys.modules['formulaic'] = None\n"
        "import pandas, rr_engine as rr\n"
        "frame = pandas.DataFrame({'y': [0, 1], 'x': [0, 1]})\n"
        "try: rr.RRLogit(rr.warner(0.8)).fit('y ~ x', frame)\n"
        "except ImportError as error: print(error)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout == "this needs the package formulaic: pip install 'rr-engine[frames]'\n"


def test_no_optional_package_is_imported_with_the_engine():
    names = "{'pandas', 'polars', 'formulaic', 'matplotlib', 'sklearn'}"
    program = f"import rr_engine, rr_engine.library, sys; sys.exit(len({names} & set(sys.modules)))"
    assert not subprocess.run([sys.executable, "-c", program], check=False).returncode
