"""Estimators with reports among their columns, and scores of models of who follows the device.

Scikit-learn's checks give columns of any numbers, which are no reports. For them, and for nothing
else here, every number stands for yes or no.
"""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.special import expit
from sklearn.base import clone
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score

import rr_engine as rr
from rr_engine.errors import EngineError
from rr_engine.estimators.noncompliance import NoncomplianceModel
from rr_engine.models import (
    AttentionClassifier,
    AttentionRegression,
    AttentionRegressor,
    CheatingClassifier,
    LieDetectorClassifier,
    LieDetectorLogit,
    ListExperimentClassifier,
    ReportLikelihoods,
    RRLogitClassifier,
    RRRegression,
    RRRegressionClassifier,
    RRRegressor,
)
from tests.engine.test_estimators import EXPECTED, checks

COIN, DIRECT = rr.warner(0.8), rr.designs.direct(["No", "Yes"])
CARDS = rr.k_rr(["Never", "Once", "Often"], "2")
CROSSWISE = rr.crosswise(0.1)
MANGAT = [rr.designs.mangat(0.2), rr.designs.mangat(0.8)]
FORCED = [rr.designs.generalized_binary(0.8, 1), rr.designs.generalized_binary(0.2, 1)]
RNG = np.random.default_rng(12)
N = 900
AGE = RNG.normal(size=N)
DRUG = (RNG.random(N) < expit(AGE - 0.5)).astype(int)
OFTEN = RNG.integers(0, 3, N)
REPORTED = np.where(RNG.random(N) < 0.2, 1 - DRUG, DRUG)
CARD = (RNG.random((N, 1)) > np.cumsum(CARDS.matrix[:, OFTEN].T, axis=1)).sum(axis=1)
INCOME = 2 + AGE - 3 * DRUG + OFTEN + RNG.normal(size=N)
ILL = (RNG.random(N) < expit(AGE + 2 * DRUG - 1)).astype(int)
X = np.column_stack([REPORTED, AGE, CARD])
GROUP = np.arange(N) % 2
FRAME = pd.DataFrame(
    {
        "drug": pd.Categorical(np.array(["No", "Yes"])[REPORTED], ["Yes", "No"]),
        "age": AGE,
        "often": np.array(["Never", "Once", "Often"])[CARD],
        "income": INCOME,
        "ill": np.array(["ill", "well"])[1 - ILL],
        "half": GROUP,
    }
)
LIKELY = [ReportLikelihoods(COIN, REPORTED), ReportLikelihoods(CARDS, CARD)]
BY_PLACE, BY_NAME = {0: COIN, 2: CARDS}, {"drug": COIN, "often": CARDS}


class OfNumbers:
    """Every number is a yes or a no, for scikit-learn's checks."""

    def _table(self, X):
        table = super()._table(X).copy()
        table[:, 0] = np.floor(8 * table[:, 0]) % 2
        return table


class NumberOfNumbers(OfNumbers, RRRegressor):
    pass


class ClassOfNumbers(OfNumbers, RRRegressionClassifier):
    pass


OF_BOTH = {
    name: EXPECTED[name]
    for name in (
        "check_sample_weight_equivalence_on_dense_data",
        "check_dtype_object",
        "check_supervised_y_2d",
        "check_array_api_input",
    )
}
OF_NUMBERS = {"check_fit2d_1sample": "one number is refused as all alike"}
OF_CLASSES = {"check_classifiers_one_label_sample_weights": "answers all alike are refused as such"}


@pytest.mark.filterwarnings("ignore:Estimator .* does not inherit from")
@pytest.mark.parametrize(
    ("estimator", "check", "fails"),
    [
        *checks(NumberOfNumbers({0: DIRECT}), OF_BOTH | OF_NUMBERS),
        *checks(ClassOfNumbers({0: DIRECT}), OF_BOTH | OF_CLASSES),
    ],
)
def test_scikit_learn_finds_what_it_asks_for(estimator, check, fails):
    if not fails:
        check(estimator)
        return
    # What is expected to fail still does.
    with pytest.raises(BaseException):  # noqa: B017  SkipTest is no Exception of any kind
        check(estimator)


# --- reports among the columns --------------------------------------------------------------------


def test_a_regressor_is_the_regression_behind_it():
    model = RRRegressor(BY_PLACE).fit(X, INCOME)
    expected = RRRegression().fit(INCOME, AGE, LIKELY, names=["x2"], predictor_names=["x1", "x3"])
    assert model.fit_.params.tolist() == expected.params.tolist()
    assert model.fit_.names == ("intercept", "x2", "x1[1]", "x3[1]", "x3[2]")
    assert model.intercept_ == expected.params[0]
    assert model.coef_.tolist() == expected.params[1:].tolist()
    assert model.n_features_in_ == 3
    assert model.summary() == expected.summary()
    assert len(model.to_frame()) == 5
    assert "x3[2]" in model._repr_html_()
    again = pickle.loads(pickle.dumps(model))
    assert again.predict(X).tolist() == model.predict(X).tolist()
    weighted = RRRegressor(BY_PLACE, independent=True, fit_intercept=True)
    weighted = weighted.fit(X, INCOME, sample_weight=1 + GROUP)
    expected = RRRegression().fit(INCOME, AGE, LIKELY, 1 + GROUP, independent=True)
    assert weighted.fit_.params.tolist() == expected.params.tolist()


def brute_force(fit, device, reports, ages, outcome):
    """Return the mean outcome of each person, by the sum over the true answers that is in Bayes'
    theorem: the device's own chances times the model's of the true answer.
    """
    means = []
    for report, age in zip(reports, ages, strict=True):
        odds = np.exp(fit.predictor_params[0] @ [1, age])
        chances = np.array([1, odds]) / (1 + odds) * (device.matrix[report] if report >= 0 else 1)
        each = [outcome(fit.params @ [1, age, truth]) for truth in (0, 1)]
        means.append(chances @ each / chances.sum())
    return means


def test_predictions_are_means_over_the_true_answers():
    reports = np.where(np.arange(N) % 5, REPORTED, -1)
    columns = np.column_stack([reports, AGE])
    number = RRRegressor({0: COIN}).fit(columns, INCOME)
    expected = brute_force(number.fit_, COIN, reports[:40], AGE[:40], lambda mean: mean)
    assert number.predict(columns[:40]) == pytest.approx(expected, rel=1e-12)
    ill = RRRegressionClassifier({0: COIN}).fit(columns, ILL)
    expected = brute_force(ill.fit_, COIN, reports[:40], AGE[:40], expit)
    assert ill.predict_proba(columns[:40])[:, 1] == pytest.approx(expected, rel=1e-12)
    assert ill.predict(columns[:40]).tolist() == [int(chance > 0.5) for chance in expected]
    answers = np.where(ILL[:40] == 1, expected, 1 - np.array(expected))
    assert ill.score(columns[:40], ILL[:40]) == pytest.approx(np.log(answers).mean())


def test_direct_answers_are_the_regressions_of_scikit_learn():
    columns, dummies = np.column_stack([DRUG, AGE]), np.column_stack([AGE, DRUG])
    own, theirs = RRRegressor({0: DIRECT}).fit(columns, INCOME), LinearRegression()
    theirs.fit(dummies, INCOME)
    assert own.coef_ == pytest.approx(theirs.coef_, abs=1e-6)
    assert own.intercept_ == pytest.approx(theirs.intercept_, abs=1e-6)
    assert own.predict(columns) == pytest.approx(theirs.predict(dummies), abs=1e-6)
    assert own.score(columns, INCOME) == pytest.approx(theirs.score(dummies, INCOME))
    weights = 1.0 + GROUP
    assert own.score(columns, INCOME, weights) == pytest.approx(
        theirs.score(dummies, INCOME, weights)
    )
    words = np.array(["no", "yes"])[ILL]
    ill = RRRegressionClassifier({0: DIRECT}).fit(columns, words)
    logistic = LogisticRegression(C=np.inf, tol=1e-10, max_iter=10_000).fit(dummies, words)
    assert ill.classes_.tolist() == logistic.classes_.tolist()
    assert ill.predict_proba(columns) == pytest.approx(logistic.predict_proba(dummies), abs=1e-5)
    scored = RRRegressor({0: rr.k_rr(["Never", "Once", "Often"], "20")}, {0: [0, 1, 2]})
    straight = LinearRegression().fit(np.column_stack([AGE, OFTEN]), INCOME)
    found = scored.fit(np.column_stack([OFTEN, AGE]), INCOME)
    assert found.coef_ == pytest.approx(straight.coef_, abs=1e-5)


def test_the_outcome_may_be_scrambled_too():
    said = np.where(RNG.random(N) < 0.2, 1 - ILL, ILL)
    model = RRRegressionClassifier({0: COIN}, COIN, "probit").fit(X[:, :2], said)
    expected = RRRegression("probit").fit(ReportLikelihoods(COIN, said), AGE, LIKELY[:1])
    assert model.fit_.params.tolist() == expected.params.tolist()
    chances = model.predict_proba(X[:, :2])
    assert model.score(X[:, :2], said) == pytest.approx(
        np.log((chances * COIN.matrix[said]).sum(axis=1)).mean()
    )


@pytest.mark.parametrize("package", ["pandas", "polars"])
def test_columns_of_frames_are_reports_by_name_and_label(package):
    frame = FRAME if package == "pandas" else pl.from_pandas(FRAME)
    names = ["drug", "age", "often"]
    model = RRRegressor(BY_NAME).fit(frame[names], frame["income"])
    plain = RRRegressor(BY_PLACE).fit(X, INCOME)
    assert model.fit_.params.tolist() == plain.fit_.params.tolist()
    assert model.fit_.names == ("intercept", "age", "drug[1]", "often[1]", "often[2]")
    assert model.feature_names_in_.tolist() == names
    assert model.predict(frame[names]).tolist() == plain.predict(X).tolist()
    by_formula = RRRegressor(BY_NAME).fit("income ~ age", frame)
    assert by_formula.fit_.params.tolist() == plain.fit_.params.tolist()
    assert by_formula.predict(frame).tolist() == plain.predict(X).tolist()
    assert by_formula.n_features_in_ == 3
    ill = RRRegressionClassifier(BY_NAME).fit("ill ~ age", frame)
    assert ill.classes_.tolist() == ["ill", "well"]
    assert set(ill.predict(frame)) == {"ill", "well"}
    assert ill.score(frame, frame["ill"]) < 0
    logit = RRLogitClassifier("direct").fit("ill ~ age", frame)
    assert logit.classes_.tolist() == ["ill", "well"]
    matrix = RRLogitClassifier("direct").fit(frame[["age"]], frame["ill"])
    assert logit.fit_.params.tolist() == matrix.fit_.params.tolist()


@pytest.mark.filterwarnings("ignore:Estimator .* does not inherit from")
def test_cross_validation_and_searches_take_them():
    assert (cross_val_score(RRRegressor(BY_PLACE), X, INCOME, cv=3) > 0.1).all()
    settings = {"predictors": [{0: COIN}, {0: DIRECT}], "independent": [True, False]}
    search = GridSearchCV(RRRegressionClassifier({0: COIN}), settings, cv=2)
    assert set(search.fit(X[:, :2], ILL).best_params_) == set(settings)
    model = clone(RRRegressor(BY_PLACE, {2: [0, 1, 2]}))
    assert repr(model).startswith("RRRegressor(predictors={0: ")


@pytest.mark.parametrize(
    ("settings", "data", "words"),
    [
        ({"predictors": {}}, (X, INCOME), "predictors must be a device for each column"),
        ({"predictors": [COIN]}, (X, INCOME), "predictors must be a device for each column"),
        ({"predictors": {7: COIN}}, (X, INCOME), "name columns of X.*3 columns"),
        ({"predictors": {"smoke": COIN}}, (FRAME[["drug", "age"]], INCOME), "columns drug, age"),
        ({"predictors": {0: COIN}, "scores": {1: [0, 1]}}, (X, INCOME), "scores must be about"),
        ({"predictors": {1: COIN}}, (X, INCOME), "x2 must be a list of whole numbers"),
        ({"predictors": {2: COIN}}, (X, INCOME), "x3 must hold numbers of reports"),
        ({"predictors": {"drug": COIN}}, ("income ~ age + drug", FRAME), "leave drug out"),
        ({"predictors": {"drug": COIN}}, ("~ age", FRAME), "left side"),
        ({"predictors": {0: COIN}}, (X, np.where(GROUP, np.nan, 1.0)), "y .*NaN in row 1"),
        ({"predictors": {0: COIN}}, (X, INCOME[:-1]), "one entry for each of the 900 rows"),
        ({"predictors": {0: COIN}}, (X, None), "requires y"),
    ],
)
def test_what_is_no_report_or_no_column_is_named(settings, data, words):
    with pytest.raises(EngineError, match=words):
        RRRegressor(**settings).fit(*data)


def test_a_missing_report_of_a_frame_is_named_by_its_row():
    missing = FRAME.assign(often=FRAME.often.where(FRAME.index != 7))
    with pytest.raises(EngineError, match=r"often .*respondent 7.* has none.*dropna"):
        RRRegressor(BY_NAME).fit(missing[["drug", "age", "often"]], INCOME)


# --- who follows the device -----------------------------------------------------------------------

LIARS = (DRUG == 1) & (RNG.random(N) < 0.3)
ARMS = np.array([design.matrix[1] for design in MANGAT])
SAID = np.where(LIARS, 0, RNG.random(N) < ARMS[GROUP, DRUG]).astype(int)
ANCHOR = (RNG.random(N) < CROSSWISE.matrix[1, 0]).astype(int)
CROSSED = (RNG.random(N) < CROSSWISE.matrix[1, DRUG]).astype(int)
COUNTS = RNG.binomial(3, 0.4, N) + GROUP * DRUG
AGES = AGE[:, None]
SCORED = {
    "lies": (LieDetectorClassifier(MANGAT), SAID, {"which": GROUP}),
    "lies, otherwise": (
        LieDetectorClassifier(MANGAT, otherwise=[0.9, 0.1]), SAID, {"which": GROUP}),
    "lies by age": (LieDetectorClassifier(MANGAT), SAID, {"which": GROUP, "share_X": AGES}),
    "cheating": (CheatingClassifier(FORCED), SAID, {"which": GROUP}),
    "cheating by age": (CheatingClassifier(FORCED), SAID, {"which": GROUP, "share_X": AGES}),
    "attention": (
        AttentionClassifier(CROSSWISE, CROSSWISE), CROSSED, {"anchor_reports": ANCHOR}),
    "attention by age": (
        AttentionClassifier(CROSSWISE, CROSSWISE), CROSSED,
        {"anchor_reports": ANCHOR, "share_X": AGES}),
    "list": (ListExperimentClassifier(3), COUNTS, {"treated": GROUP}),
}  # fmt: skip


@pytest.mark.parametrize("name", SCORED)
def test_the_score_of_the_fitted_people_is_their_mean_log_likelihood(name):
    estimator, reports, columns = SCORED[name]
    model = clone(estimator).fit(AGES, reports, **columns)
    assert model.score(AGES, reports, **columns) == pytest.approx(
        model.fit_.log_likelihood / N, rel=1e-9
    )
    weights = np.where(np.arange(N) < 100, 1.0, 0.0)
    first = {key: value[:100] for key, value in columns.items()}
    assert model.score(AGES, reports, weights, **columns) == pytest.approx(
        model.score(AGES[:100], reports[:100], **first)
    )


def test_the_lie_detector_is_the_logit_behind_it():
    model = clone(LieDetectorClassifier(MANGAT)).fit(AGES, SAID, which=GROUP)
    expected = LieDetectorLogit(MANGAT).fit(AGES, SAID, which=GROUP)
    assert model.fit_.params.tolist() == expected.params.tolist()
    assert model.fit_.share == expected.share
    assert model.summary() == expected.summary()
    chances = model.predict_proba(AGES)
    assert chances[:, 1] == pytest.approx(expit(expected.params[0] + AGE * expected.params[1]))
    assert model.predict(AGES).tolist() == (chances[:, 1] > 0.5).astype(int).tolist()
    # Every report, enumerated: carriers who lie, carriers who do not, and the others.
    for person in range(20):
        carrier, lie = chances[person, 1], expected.share
        by_truth = MANGAT[GROUP[person]].matrix[:, [0, 1]]
        reports = carrier * ((1 - lie) * by_truth[:, 1] + lie * np.array([1, 0]))
        reports = reports + (1 - carrier) * by_truth[:, 0]
        assert reports.sum() == pytest.approx(1)
        row = slice(person, person + 1)
        for report in (0, 1):
            assert model.score(AGES[row], [report], which=GROUP[row]) == pytest.approx(
                np.log(reports[report])
            )
    frame = pd.DataFrame({"said": np.array(["No", "Yes"])[SAID], "age": AGE, "half": GROUP})
    formula = LieDetectorClassifier(MANGAT).fit("said ~ age", frame, which="half")
    assert formula.fit_.params.tolist() == expected.params.tolist()
    by_age = LieDetectorClassifier(MANGAT).fit(AGES, SAID, which=GROUP, share_X=AGES)
    with pytest.raises(EngineError, match="share_X must have 900 rows of the 1 columns"):
        by_age.score(AGES, SAID, which=GROUP)


def test_a_regressor_of_a_trait_with_an_anchor_is_the_regression_behind_it():
    columns = {"reports": CROSSED, "anchor_reports": ANCHOR}
    model = clone(AttentionRegressor(CROSSWISE, CROSSWISE)).fit(AGES, INCOME, **columns)
    expected = AttentionRegression(CROSSWISE, CROSSWISE).fit(INCOME, AGES, **columns)
    assert model.fit_.params.tolist() == expected.params.tolist()
    trait = expit(expected.trait_params[0] + AGE * expected.trait_params[1])
    means = expected.params[0] + AGE * expected.params[1] + trait * expected.params[2]
    assert model.predict(AGES) == pytest.approx(means)
    assert model.score(AGES, INCOME) == pytest.approx(
        1 - ((INCOME - means) ** 2).sum() / ((INCOME - INCOME.mean()) ** 2).sum()
    )
    frame = FRAME.assign(said=CROSSED, anchor=ANCHOR)
    formula = AttentionRegressor(CROSSWISE, CROSSWISE)
    formula.fit("income ~ age", frame, reports="said", anchor_reports="anchor")
    assert formula.fit_.params.tolist() == expected.params.tolist()
    assert formula.n_features_in_ == model.n_features_in_ == 1
    assert formula.predict(frame).tolist() == model.predict(AGES).tolist()


def test_an_estimator_without_its_model_cannot_be_made():
    class WithoutReports(NoncomplianceModel):
        def _model(self):
            return rr.models.CheatingLogit(COIN)

    with pytest.raises(TypeError, match="_answers"):
        WithoutReports()
