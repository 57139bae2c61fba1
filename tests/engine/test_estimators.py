"""Models as scikit-learn's estimators: its own checks, and the fits that stand behind them.

The checks give X and y alone, so that they run on the logit only: the others need one more column
of each respondent (`groups`, `which`, `anchor_reports`, `treated`). These share its base, and are
compared with their fits.
"""

import pickle
import subprocess
import sys
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import estimator_checks_generator

import rr_engine as rr
from rr_engine.errors import EngineError
from rr_engine.models import (
    AttentionClassifier,
    AttentionLogit,
    CheatingClassifier,
    CheatingLogit,
    ListExperimentClassifier,
    RRLogitClassifier,
    RRMultilevelClassifier,
    RRMultilevelLogit,
    group_averaged_probabilities,
    predicted_probabilities,
)

COIN, OTHER = rr.warner(0.8), rr.warner(0.3)
# What scikit-learn asks that does not fit, and why.
EXPECTED = {
    "check_sample_weight_equivalence_on_dense_data": "it has as many columns as people, and "
    "columns that follow from others are refused",
    "check_dtype_object": "errors about arguments are ValueErrors here, never TypeErrors",
    "check_classifiers_one_label_sample_weights": "reports that are all alike are refused as such",
    "check_supervised_y_2d": "the warning that it wants is a class of scikit-learn",
    "check_array_api_input": "runs only where SciPy was started with SCIPY_ARRAY_API",
}
# With a device: y are reports, and there are no others than the device's.
NOT_REPORTS = "its y are 1 and 2, or words, which the device does not report"
OF_DEVICE = {
    "check_estimators_dtypes": NOT_REPORTS,
    "check_sample_weights_pandas_series": NOT_REPORTS,
    "check_sample_weights_not_an_array": NOT_REPORTS,
    "check_sample_weights_shape": NOT_REPORTS,
    "check_sample_weights_not_overwritten": NOT_REPORTS,
    "check_classifier_data_not_an_array": NOT_REPORTS,
    "check_classifiers_classes": NOT_REPORTS,
    "check_fit2d_1feature": NOT_REPORTS,
    "check_classifiers_one_label": "reports that are all alike are refused",
    "check_classifiers_regression_target": "numbers that are no reports are refused as such",
    "check_classifier_not_supporting_multiclass": "a third report is refused as unknown",
    "check_fit2d_1sample": "one report is refused as all alike",
}


def checks(estimator, expected):
    """Return the checks with whether each is expected to fail."""
    with warnings.catch_warnings():
        # None of rr_engine inherits from a class of scikit-learn.
        warnings.filterwarnings("ignore", "Estimator .* does not inherit from")
        found = list(estimator_checks_generator(estimator, legacy=True))
    names = [getattr(check, "func", check).__name__ for _, check in found]
    assert set(expected) <= set(names)
    return [
        pytest.param(one, check, name in expected, id=f"{name}-{place}")
        for place, ((one, check), name) in enumerate(zip(found, names, strict=True))
    ]


@pytest.mark.filterwarnings("ignore:Estimator .* does not inherit from")
@pytest.mark.slow
@pytest.mark.parametrize(
    ("estimator", "check", "fails"),
    [
        *checks(RRLogitClassifier("direct"), EXPECTED),
        *checks(RRLogitClassifier(COIN), EXPECTED | OF_DEVICE),
    ],
)
def test_scikit_learn_finds_what_it_asks_for(estimator, check, fails):
    if not fails:
        check(estimator)
        return
    # What is expected to fail still does.
    with pytest.raises(BaseException):  # noqa: B017  SkipTest is no Exception of any kind
        check(estimator)


RNG = np.random.default_rng(8)
N = 600
X = RNG.normal(size=(N, 2))
TRUE = (X[:, 0] + RNG.logistic(size=N) > 0).astype(int)
REPORTS = np.where(RNG.random(N) < 0.2, 1 - TRUE, TRUE)
HALF, GROUPS = np.arange(N) % 2, np.arange(N) % 12
FRAME = pd.DataFrame(
    {"reported": REPORTS, "a": X[:, 0], "b": X[:, 1], "group": GROUPS, "half": HALF}
)


def test_direct_answers_are_the_logistic_regression_of_scikit_learn():
    own = RRLogitClassifier("direct").fit(X, TRUE)
    theirs = LogisticRegression(C=np.inf, tol=1e-10, max_iter=10_000).fit(X, TRUE)
    assert own.coef_ == pytest.approx(theirs.coef_, abs=1e-5)
    assert own.intercept_ == pytest.approx(theirs.intercept_, abs=1e-5)
    assert own.predict_proba(X) == pytest.approx(theirs.predict_proba(X), abs=1e-5)
    three = np.digitize(X[:, 0] + RNG.logistic(size=N), [-1, 1])
    several = RRLogitClassifier("direct").fit(X, three)
    symmetric = LogisticRegression(C=np.inf, tol=1e-10, max_iter=10_000).fit(X, three)
    assert several.coef_.shape == (2, 2)
    assert several.predict_proba(X) == pytest.approx(symmetric.predict_proba(X), abs=1e-5)
    with pytest.raises(EngineError, match="design must be one of direct"):
        RRLogitClassifier("none").fit(X, TRUE)


FITS = {
    "logit": (
        RRLogitClassifier(COIN), {}, lambda: rr.RRLogit(COIN).fit(X, REPORTS),
        lambda fit: predicted_probabilities(fit, X).probabilities),
    "probit": (
        RRLogitClassifier(COIN, "probit"), {}, lambda: rr.RRLogit(COIN, "probit").fit(X, REPORTS),
        lambda fit: predicted_probabilities(fit, X).probabilities),
    "devices": (
        RRLogitClassifier([COIN, OTHER]), {"which": HALF},
        lambda: rr.RRLogit([COIN, OTHER]).fit(X, REPORTS, which=HALF),
        lambda fit: predicted_probabilities(fit, X).probabilities),
    "multilevel": (
        RRMultilevelClassifier(COIN), {"groups": GROUPS},
        lambda: RRMultilevelLogit(COIN).fit(X, REPORTS, GROUPS),
        lambda fit: group_averaged_probabilities(fit, X).probabilities),
    "cheating": (
        CheatingClassifier([COIN, OTHER]), {"which": HALF},
        lambda: CheatingLogit([COIN, OTHER]).fit(X, REPORTS, which=HALF), None),
    "attention": (
        AttentionClassifier(COIN, COIN), {"anchor_reports": HALF},
        lambda: AttentionLogit(COIN, COIN).fit(X, REPORTS, HALF), None),
    "list": (
        ListExperimentClassifier(3), {"treated": HALF},
        lambda: rr.item_count.list_regression(X, REPORTS, HALF, 3), None),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", FITS)
def test_an_estimator_is_the_fit_behind_it(name):
    estimator, columns, fit, probabilities = FITS[name]
    model, expected = clone(estimator).fit(X, REPORTS, **columns), fit()
    assert model.fit_.params.tolist() == expected.params.tolist()
    assert model.coef_.tolist() == [expected.params[1:].tolist()]
    assert model.intercept_.tolist() == [expected.params[0]]
    chances = model.predict_proba(X)
    if probabilities is not None:
        assert chances.tolist() == probabilities(expected).tolist()
    if name in ("cheating", "attention", "list"):
        odds = expected.params[0] + X @ expected.params[1:]
        assert chances[:, 1] == pytest.approx(expit(odds))
    assert model.predict(X).tolist() == (chances[:, 1] > 0.5).astype(int).tolist()
    assert model.summary() == expected.summary()
    assert len(model.to_frame()) == 3
    again = pickle.loads(pickle.dumps(model))
    assert again.predict_proba(X).tolist() == chances.tolist()


def test_columns_of_a_data_frame_and_formulas_are_taken():
    model = RRLogitClassifier(COIN).fit(FRAME[["a", "b"]], FRAME.reported)
    assert model.feature_names_in_.tolist() == ["a", "b"]
    assert model.fit_.names == ("intercept", "a", "b")
    formula = RRMultilevelClassifier(COIN).fit("reported ~ a + C(half)", FRAME, groups="group")
    assert formula.fit_.names == ("intercept", "a", "C(half)[T.1]")
    assert formula.n_features_in_ == 2
    assert formula.predict_proba(FRAME.head(3)).shape == (3, 2)
    with pytest.raises(EngineError, match="in their order"):
        RRLogitClassifier(COIN).fit(FRAME[["a", "b"]], FRAME.reported[::-1])
    with pytest.raises(EngineError, match="in the same order"):
        model.predict(FRAME[["b", "a"]])
    words = np.array(["No", "Yes"])[REPORTS]
    assert set(RRLogitClassifier(COIN).fit(X, words).predict(X)) == {"No", "Yes"}


def test_the_score_is_the_mean_log_likelihood_of_reports():
    model = RRLogitClassifier(COIN).fit(X, REPORTS)
    assert model.score(X, REPORTS) == pytest.approx(model.fit_.log_likelihood / N)
    # Scrambled reports decide by it for the model that is right of the truth.
    constant = RRLogitClassifier(COIN).fit(np.zeros((N, 1)) + X[:, 1:], REPORTS)
    assert model.score(X, REPORTS) > constant.score(X[:, 1:], REPORTS)


@pytest.mark.filterwarnings("ignore:Estimator .* does not inherit from")
def test_pipelines_and_searches_take_an_estimator():
    pipe = make_pipeline(StandardScaler(), RRLogitClassifier(COIN)).fit(X, REPORTS)
    assert pipe.predict_proba(X) == pytest.approx(
        RRLogitClassifier(COIN).fit(X, REPORTS).predict_proba(X), abs=1e-6
    )
    assert len(cross_val_score(RRLogitClassifier(COIN), X, REPORTS, cv=3)) == 3
    search = GridSearchCV(RRLogitClassifier(COIN), {"link": ["logit", "probit"]}, cv=2)
    assert search.fit(X, REPORTS).best_params_["link"] in ("logit", "probit")


def test_parameters_are_named_kept_and_shown():
    model = RRLogitClassifier(COIN, link="probit")
    assert model.get_params() == {"design": COIN, "link": "probit", "fit_intercept": True}
    assert clone(model).design == COIN
    assert repr(model) == "RRLogitClassifier(design=DesignMatrix, link='probit')"
    assert model.set_params(link="logit").link == "logit"
    with pytest.raises(EngineError, match="params must be named among design, link"):
        model.set_params(penalty="l2")
    with pytest.raises(NotFittedError, match="not fitted yet"):
        model.predict(X)


def test_estimators_need_no_scikit_learn():
    program = (
        "import sys; sys.modules['sklearn'] = None\n"
        "import numpy, rr_engine as rr\n"
        "model = rr.models.RRLogitClassifier(rr.warner(0.8))\n"
        "try: model.predict([[1.0]])\n"
        "except ValueError as error: print(type(error).__name__)\n"
        "x, y = numpy.arange(8.0)[:, None], [0, 1, 0, 0, 1, 0, 1, 1]\n"
        "print(model.fit(x, y).predict(x).shape)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout == "NotFittedError\n(8,)\n"
