"""What pandas and polars hold and nobody can match is refused, by every function of the sweep:
labels that the design has not, labels and reports that are missing; and what to do is said.
"""

from functools import cache

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rr_engine as rr
from rr_engine.errors import EngineError
from rr_engine.models import (
    AttentionClassifier,
    AttentionRegressor,
    CheatingClassifier,
    LieDetectorClassifier,
    ListExperimentClassifier,
    RRLogitClassifier,
    RRMultilevelClassifier,
    RRRegressionClassifier,
    RRRegressor,
)
from tests.engine.frame_columns import COLUMNS, COUNTS, numbers_of, plain_column
from tests.engine.test_frame_sweep import (
    COIN,
    GROUPS,
    HALVES,
    LABELS,
    LONG,
    NUMBERS,
    REPORTS,
    TAKES_COUNTS,
    TAKES_REPORTS,
    TWO,
    X,
)

# A label of no design here, among texts and among numbers.
STRANGE = {str: "Strange", int: 99}


def relabelled(give, *last):
    """Give counts whose last label is another one."""
    return lambda counts, labels: give(counts, [*labels[:-1], *(each(labels) for each in last)])


@pytest.mark.parametrize("package", COUNTS)
@pytest.mark.parametrize("name", TAKES_COUNTS)
def test_a_label_of_another_design_is_refused_by_name(name, package):
    strange = relabelled(COUNTS[package], lambda labels: STRANGE[type(labels[0])])
    with pytest.raises(EngineError, match=r"Strange|99|at most \d+ entries"):
        TAKES_COUNTS[name](strange)


def missing_label(counts, labels, package):
    values = [*labels[:-1], None]
    if package == "polars":
        return pl.DataFrame({"report": values, "count": counts})
    series = pd.Series(np.asarray(counts), pd.Index(values, dtype=object))
    return series if package == "pandas" else series.rename_axis("r").reset_index(name="count")


@pytest.mark.parametrize("package", COUNTS)
@pytest.mark.parametrize("name", TAKES_COUNTS)
def test_a_missing_label_is_refused_and_said_what_to_do(name, package):
    with pytest.raises(EngineError, match=r"leave out|leave those out"):
        TAKES_COUNTS[name](lambda counts, labels: missing_label(counts, labels, package))


# Numbers of reports, of which those of one label are one number; shares and scores are not added.
ADDED = {
    "estimate", "estimate_strata", "goodness_of_fit", "homogeneity_test", "cheating_share",
    "mean_from_reports", "posterior", "sum_scores_of_totals", "margin_of",
}  # fmt: skip


@pytest.mark.parametrize("name", TAKES_COUNTS)
def test_a_label_that_is_there_twice_is_added_up_or_refused(name):
    twice = relabelled(COUNTS["polars"], lambda labels: labels[0])
    if name not in ADDED:
        with pytest.raises(EngineError, match="once"):
            TAKES_COUNTS[name](twice)
        return

    def summed(counts, labels):
        return [counts[0] + counts[-1], *counts[1:-1], 0]

    found = numbers_of(TAKES_COUNTS[name](twice))
    assert found == pytest.approx(numbers_of(TAKES_COUNTS[name](summed)), nan_ok=True)


def without(column, row):
    """Return a column in which somebody's entry is missing."""
    if isinstance(column, pl.Series):
        return column.scatter(row, None)
    return column.where(np.arange(len(column)) != row)


def with_missing(kind):
    def give(codes, labels=("No", "Yes")):
        return without(COLUMNS[kind](codes, labels), 7).rename("reported")

    return give


def kinds_of(name):
    """The kinds of columns that a function takes."""
    labelled = {kind for kind in COLUMNS if kind.split()[-1] in ("categorical", "texts", "enum")}
    return labelled if name in LABELS else set(COLUMNS) - (labelled if name in NUMBERS else set())


@pytest.mark.parametrize(
    ("name", "kind"), [(name, kind) for name in TAKES_REPORTS for kind in sorted(kinds_of(name))]
)
def test_a_missing_report_is_named_by_its_row_with_what_to_do(name, kind):
    with pytest.raises(EngineError) as caught:
        TAKES_REPORTS[name](with_missing(kind))
    assert "respondent 7" in caught.value.rule
    assert any(remedy in caught.value.rule for remedy in ("leave", "dropna", "drop_nulls"))


# --- estimators -----------------------------------------------------------------------------------

FRAME = pd.DataFrame(X, columns=["a", "b"])
NUMBER = X[:, 0] + HALVES
ESTIMATORS = {
    "RRLogitClassifier": lambda y: RRLogitClassifier(COIN).fit(X, y),
    "RRMultilevelClassifier": lambda y: RRMultilevelClassifier(COIN).fit(
        X[:, :1], y, groups=np.arange(60) % 6
    ),
    "CheatingClassifier": lambda y: CheatingClassifier(GROUPS).fit(X[:, :1], y, which=HALVES),
    "LieDetectorClassifier": lambda y: LieDetectorClassifier([rr.warner(0.8), rr.warner(0.3)]).fit(
        X[:, :1], y, which=HALVES
    ),
    "AttentionClassifier": lambda y: AttentionClassifier(COIN, COIN).fit(
        X[:, :1], y, anchor_reports=HALVES
    ),
    "AttentionRegressor": lambda y: AttentionRegressor(COIN, COIN).fit(
        X[:, :1], NUMBER, reports=y, anchor_reports=HALVES
    ),
    "RRRegressionClassifier of reports": lambda y: RRRegressionClassifier(
        {0: rr.designs.direct(2)}, COIN
    ).fit(np.column_stack([HALVES, X[:, 0]]), y),
}
IN_COLUMNS = {
    "RRRegressor": lambda frame: RRRegressor({"said": COIN}).fit(frame, NUMBER),
    "RRRegressionClassifier": lambda frame: RRRegressionClassifier({"said": COIN}).fit(
        frame, HALVES
    ),
}


@cache
def params_of_plain(name):
    """What an estimator finds in plain numbers, fitted once."""
    if name in ESTIMATORS:
        return ESTIMATORS[name](plain_column(REPORTS)).fit_.params
    return IN_COLUMNS[name](pd.DataFrame({"said": REPORTS, "a": X[:, 0]})).fit_.params


def frame_with(column):
    if isinstance(column, pl.Series):
        return pl.DataFrame({"said": column, "a": X[:, 0]})
    return pd.DataFrame({"said": column, "a": X[:, 0]})


# One way in for all of them; these take long to fit.
FEW = ("pandas categorical", "pandas nullable", "polars enum")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        (name, kind)
        for name in [*ESTIMATORS, *IN_COLUMNS]
        for kind in (FEW if name.startswith(LONG) else COLUMNS)
    ],
)
def test_estimators_take_reports_of_any_column_and_name_a_missing_one(name, kind):
    if name in ESTIMATORS:
        fit = ESTIMATORS[name]
    else:
        fit = lambda column: IN_COLUMNS[name](frame_with(column))  # noqa: E731
    found = fit(COLUMNS[kind](REPORTS, TWO))
    assert found.fit_.params == pytest.approx(params_of_plain(name))
    with pytest.raises(EngineError) as caught:
        fit(with_missing(kind)(REPORTS))
    assert "respondent 7" in caught.value.rule
    assert any(remedy in caught.value.rule for remedy in ("leave", "dropna", "drop_nulls"))


@pytest.mark.parametrize("kind", ["pandas nullable", "pandas boolean", "pandas float", "polars"])
def test_a_list_experiment_takes_counts_of_any_column(kind):
    counts = HALVES + REPORTS
    column = COLUMNS[kind](np.minimum(counts, 1), ("0", "1"))
    model = ListExperimentClassifier(2).fit(FRAME[["a"]].to_numpy(), column, treated=HALVES)
    expected = ListExperimentClassifier(2).fit(X[:, :1], np.minimum(counts, 1), treated=HALVES)
    assert model.fit_.params == pytest.approx(expected.fit_.params)
    with pytest.raises(EngineError, match="respondent 7 has none; leave them out"):
        ListExperimentClassifier(2).fit(X[:, :1], without(column, 7), treated=HALVES)
