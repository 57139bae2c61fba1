"""Every public function that takes counts or reports takes them from pandas and from polars."""

import inspect

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rr_engine as rr
from rr_engine.errors import EngineError
from tests.engine.frame_columns import COLUMNS, COUNTS, numbers_of, plain_column, plain_counts
from tests.engine.public import PUBLIC

COIN, DIRECT = rr.warner(0.75), rr.designs.direct(["No", "Yes"])
CARDS = rr.k_rr(["Never", "Once", "Often"], "1")
TWO, THREE, ITEMS = ("No", "Yes"), ("Never", "Once", "Often"), (0, 1, 2, 3, 4)
OTHER = rr.designs.generalized_binary(0.2, 0.9)
SHARES = [0.2, 0.5, 0.3]
FORCED = [rr.forced_response(0.5, 0.4), rr.forced_response(0.5, 0.1)]
PERCENT = rr.bounded.MeanDevice.from_epsilon(100, "1")
LIST = [8, 132, 222, 227], [19, 123, 229, 219, 34]


def lists(function, **more):
    return lambda give: function(give(LIST[0], ITEMS[:4]), give(LIST[1], ITEMS), **more)


# What takes counts or shares: each is called with those of every package.
TAKES_COUNTS = {
    "estimate": lambda give: rr.estimate(CARDS, give([30, 90, 60], THREE)),
    "estimate_strata": lambda give: rr.estimate_strata([COIN, DIRECT], [give([40, 60], TWO)] * 2),
    "goodness_of_fit": lambda give: rr.compliance.goodness_of_fit(CARDS, give([30, 90, 60], THREE)),
    "homogeneity_test": lambda give: rr.compliance.homogeneity_test(
        [COIN, DIRECT], [give([40, 60], TWO), give([70, 30], TWO)]
    ),
    "anchor_check": lambda give: rr.compliance.anchor_check(
        COIN, give([70, 30], TWO), give([0.9, 0.1], TWO)
    ),
    "inattention_bounds": lambda give: rr.compliance.inattention_bounds(
        COIN, give([40, 60], TWO), [0.0, 0.1], give([0.4, 0.6], TWO)
    ),
    "cheating_share": lambda give: rr.compliance.cheating_share(
        FORCED,
        [give([40, 60], TWO), give([70, 30], TWO)],
    ),
    "mean_from_reports": lambda give: rr.bounded.mean_from_reports(
        PERCENT, give([420, 580], (0, 1))
    ),
    "margin_of_error": lambda give: rr.margin_of_error(
        CARDS, 0.5, 90, category=1, prior=give(SHARES, THREE)
    ),
    "sample_size": lambda give: rr.sample_size(
        CARDS, 0.5, 0.1, category=1, prior=give(SHARES, THREE)
    ),
    "effective_sample_share": lambda give: rr.planning.effective_sample_share(
        CARDS, 0.5, category=1, prior=give(SHARES, THREE)
    ),
    "simulate_counts": lambda give: rr.simulate_counts(CARDS, give(SHARES, THREE), 90, 1),
    "simulate_coverage": lambda give: rr.planning.simulate_coverage(
        CARDS, 0.3, 90, prior=give(SHARES, THREE), repetitions=10, rng=1
    ),
    "mean_score": lambda give: rr.association.mean_score(
        rr.estimate(CARDS, [30, 90, 60]), give([3, 1, 2], THREE)
    ),
    "mean_of_answered": lambda give: rr.association.mean_of_answered(
        rr.estimate(CARDS, [30, 90, 60]), give([3, 1, 2], THREE)
    ),
    "compare_with_direct": lambda give: rr.compare_with_direct(
        COIN, give([40, 60], TWO), give([70, 30], TWO)
    ),
    "moors": lambda give: rr.compliance.moors(0.7, 0.3, give([40, 60], TWO), give([70, 30], TWO)),
    "stochastic_lie_detector": lambda give: rr.compliance.stochastic_lie_detector(
        0.7, 0.3, give([40, 60], TWO), give([70, 30], TWO)
    ),
    "posterior": lambda give: rr.estimation.posterior(CARDS, give([30, 90, 60], THREE)),
    "repeated_item": lambda give: rr.item_count.repeated_item(
        rr.warner(0.75), give([30, 90, 60], (0, 1, 2))
    ),
    "sum_scores_of_totals": lambda give: rr.item_count.sum_scores_of_totals(
        [COIN, COIN], give([30, 90, 60], (0, 1, 2))
    ),
    "list_experiment": lists(rr.list_experiment),
    "list_bounds": lists(rr.item_count.list_bounds),
    "design_effect_test": lists(rr.item_count.design_effect_test),
    "list_privacy": lambda give: rr.item_count.list_privacy(
        3, None, give([0.1, 0.2, 0.4, 0.3], ITEMS[:4])
    ),
    "power_list_experiment": lambda give: rr.item_count.power_list_experiment(
        give([0.1, 0.2, 0.4, 0.3], ITEMS[:4]), 0.2, 900
    ),
    "mean_where_alike": lambda give: rr.association.mean_where_alike(
        rr.estimate(rr.designs.direct(list(THREE)), [0, 12, 0]), give([3, 1, 2], THREE)
    ),
    "pearson_correlation": lambda give: rr.association.pearson_correlation(
        rr.estimate_joint([CARDS, COIN], [[50, 40], [30, 30], [20, 70]]), give([3, 1, 2], THREE)
    ),
    "quantized_within": lambda give: rr.optimisation.quantized_within(
        CARDS, give(SHARES, THREE), delta=0.9
    ),
    "plan_multinomial": lambda give: rr.planning.plan_multinomial(
        CARDS, [[0.0], [1.0]], [[0.5], [0.8]], give(SHARES, THREE), n=900
    ),
    "power_cheating": lambda give: rr.planning.power_cheating(
        FORCED, give([0.9, 0.1], TWO), [0.1], 900
    ),
    "power_noncompliance": lambda give: rr.planning.power_noncompliance(
        COIN, 0.2, 0.1, 900, 0.1, give([0.9, 0.1], TWO)
    ),
    "solve_sample_size_cheating": lambda give: rr.planning.solve_sample_size_cheating(
        FORCED, give([0.9, 0.1], TWO), 0.2
    ),
    "solve_sample_size_list_experiment": lambda give: (
        rr.item_count.solve_sample_size_list_experiment(give([0.1, 0.2, 0.4, 0.3], ITEMS[:4]), 0.2)
    ),
    "margin_of": lambda give: rr.channels.margin_of(give([30, 90, 60], (0, 1, 2)), (3,), [0]),
}


@pytest.mark.parametrize("package", COUNTS)
@pytest.mark.parametrize("name", TAKES_COUNTS)
def test_counts_are_matched_by_label(name, package):
    call = TAKES_COUNTS[name]
    assert numbers_of(call(COUNTS[package])) == pytest.approx(
        numbers_of(call(plain_counts)), nan_ok=True
    )


RNG = np.random.default_rng(11)
X = RNG.normal(size=(60, 2))
REPORTS = ((X[:, 0] + RNG.normal(size=60)) > 0).astype(int)
HALVES = np.arange(60) % 2
GROUPS = (rr.designs.generalized_binary(0.8, 0.9), rr.designs.generalized_binary(0.3, 0.9))
SAMPLE = rr.SurveySample(n=60)


def fitted(model, **more):
    return lambda give: model.fit(X, give(REPORTS, TWO), **more)


# What takes a report or a group of each respondent.
TAKES_REPORTS = {
    "RRLogit.fit": fitted(rr.RRLogit(COIN)),
    "RRLogit.fit which": lambda give: rr.RRLogit([DIRECT, COIN]).fit(
        X, REPORTS, which=give(HALVES, (0, 1))
    ),
    "RRLogit.fit weights": lambda give: rr.RRLogit(COIN).fit(X, REPORTS, give(HALVES, (0, 1))),
    "ReportLikelihoods": lambda give: rr.models.ReportLikelihoods(COIN, give(REPORTS, TWO)).row_of,
    "report_scores": lambda give: rr.sampling.report_scores(COIN, give(REPORTS, TWO)),
    "estimate_weighted": lambda give: rr.estimate_weighted(COIN, give(REPORTS, TWO), SAMPLE).values,
    "randomize": lambda give: rr.randomize(DIRECT, give(REPORTS, TWO)),
    "CheatingLogit.fit": fitted(rr.models.CheatingLogit(GROUPS), which=HALVES),
    "LieDetectorLogit.fit": fitted(
        rr.models.LieDetectorLogit([rr.warner(0.8), rr.warner(0.3)]), which=HALVES
    ),
    "AttentionLogit.fit": lambda give: rr.models.AttentionLogit(COIN, COIN).fit(
        X[:, :1], give(REPORTS, TWO), give(HALVES, TWO)
    ),
    "RRMultilevelLogit.fit": lambda give: rr.models.RRMultilevelLogit(COIN).fit(
        X[:, :1], give(REPORTS, TWO), np.arange(60) % 6
    ),
    "RRMultilevelLogit.fit groups": lambda give: (
        rr.models.RRMultilevelLogit(COIN)
        .fit(None, REPORTS, give(HALVES, ("north", "south")))
        .params
    ),
    "noncompliance_bounds": lambda give: rr.compliance.noncompliance_bounds(
        COIN, X, give(REPORTS, TWO), [0.0, 0.1]
    ),
    "fit_bayesian": lambda give: rr.models.fit_bayesian(
        rr.RRLogit(COIN), X[:, :1], give(REPORTS, TWO)
    ),
    "compare_arms": lambda give: rr.compliance.compare_arms(
        [DIRECT, COIN], X[:, :1], REPORTS, give(HALVES, (0, 1))
    ),
    "list_regression": lambda give: rr.list_regression(X[:, :1], give(REPORTS, (0, 1)), HALVES, 2),
    "SurveySample": lambda give: (
        rr.estimate_weighted(
            COIN, REPORTS, rr.SurveySample(strata=give(HALVES, TWO))
        ).standard_errors
    ),
    "rake": lambda give: (
        rr.sampling.rake(SAMPLE, [give(HALVES, TWO)], [{"No": 0.6, "Yes": 0.4}]).weights
        if give is not plain_column
        else rr.sampling.rake(SAMPLE, [HALVES], [[0.6, 0.4]]).weights
    ),
}


# These have no labels, or only labels.
NUMBERS = {
    "RRLogit.fit which", "RRLogit.fit weights", "compare_arms", "list_regression",
}  # fmt: skip
LABELS = {"rake"}
LONG = ("Attention", "Cheating", "LieDetector", "fit_bayesian", "noncompliance", "RRMultilevel")


@pytest.mark.parametrize("name", TAKES_REPORTS)
def test_reports_of_any_column_are_the_same_reports(name):
    call = TAKES_REPORTS[name]
    expected = numbers_of(call(plain_column))
    assert expected
    texts = {kind for kind in COLUMNS if kind.split()[-1] in ("categorical", "texts", "enum")}
    kinds = texts if name in LABELS else set(COLUMNS) - (texts if name in NUMBERS else set())
    if name.endswith("weights"):
        kinds -= {"pandas boolean", "polars boolean"}
    if name.startswith(LONG):
        # One way in for all of them; these take long to fit.
        kinds &= {"pandas categorical", "pandas nullable", "polars enum"}
    for kind in sorted(kinds):
        column = COLUMNS[kind]
        try:
            found = numbers_of(call(column))
        except EngineError as error:
            raise AssertionError(f"{kind}: {error}") from error
        assert found == pytest.approx(expected, nan_ok=True), kind


# Counts, shares and reports that no other public function takes under such a name.
NAMED = {
    "counts", "counts1", "counts2", "direct_counts", "control", "treatment", "prior", "proportions",
    "scores", "table", "honest", "reports", "answers", "truths",
}  # fmt: skip
# Why the others are not in the sweep.
OTHERWISE = {
    "estimate_groups": "tables: below", "estimate_joint": "tables: below",
    "estimate_joint_strata": "tables: below", "power_independence": "tables: below",
    "solve_sample_size_independence": "tables: below", "bias_corrected_crosswise": "tables: below",
    "combine_with_direct": "tables: below",
    "compare_joint": "a list of shares for each of several questions without labels",
    "mse_lower_bound": "a prior of categories without labels",
    "search_designs": "a prior of categories without labels",
    "solve_bound": "a prior of categories without labels",
    "sum_scores": "a table of bits: test_labelled_input.py",
    "weighted_crosswise": "a table of bits: test_labelled_input.py",
    "correlation_matrix": "columns of answers as ReportLikelihoods",
    "guess_last": "rounds of reports, whole numbers of any origin",
    "guess_most_frequent": "rounds of reports, whole numbers of any origin",
    "guess_most_likely": "rounds of reports, whole numbers of any origin",
    "moment_regression": "scores for each predictor, by position of predictors",
    "estimate_degrees": "NetworkReports", "estimate_mixing": "NetworkReports",
    "estimate_network": "NetworkReports", "network_errors": "a number of reports",
    "plan_network": "a number of reports", "solve_tie_epsilon": "a number of reports",
    "roster_privacy": "a number of reports", "reconstruct_network": "NetworkReports",
    "estimate_mean": "ReportScores", "estimate_total": "ReportScores",
    "optimal_mechanism": "a number of reports",
}  # fmt: skip


def test_no_public_function_of_counts_or_reports_is_forgotten():
    """A new one joins the sweep, or says why not."""
    swept = {name.split(".")[0].split()[0] for name in {**TAKES_COUNTS, **TAKES_REPORTS}}
    taking = {
        name
        for name, member in PUBLIC.items()
        if inspect.isfunction(member) and NAMED & set(inspect.signature(member).parameters)
    }
    assert taking - swept - set(OTHERWISE) == set()
    assert set(OTHERWISE) - taking == set()


PEOPLE = pd.DataFrame({
    "coin": ["Yes", "No", "Yes", "Yes", "No", "Yes"] * 20,
    "card": ["Often", "Once", "Never", "Once", "Once", "Often"] * 20,
    "region": ["south", "north", "north"] * 40,
})  # fmt: skip
TABLE = pd.crosstab(PEOPLE.coin, PEOPLE.card).loc[list(TWO), list(THREE)].to_numpy()


@pytest.mark.parametrize("table", [
    pd.crosstab(PEOPLE.coin, PEOPLE.card),
    PEOPLE[["coin", "card"]].value_counts(),
    PEOPLE[["coin", "card"]].value_counts().reset_index(),
    pl.from_pandas(PEOPLE).group_by("coin", "card", maintain_order=True).len(),
    pl.from_pandas(PEOPLE).pivot("card", index="coin", values="region", aggregate_function="len")
    .fill_null(0),
], ids=["crosstab", "value_counts", "long", "polars long", "polars pivot"])  # fmt: skip
def test_tables_are_matched_by_the_labels_of_rows_and_columns(table):
    expected = rr.estimate_joint([COIN, CARDS], TABLE).proportions
    assert rr.estimate_joint([COIN, CARDS], table).proportions == pytest.approx(expected)
    strata = rr.joint.estimate_joint_strata([[COIN, CARDS]], [table]).proportions
    assert strata == pytest.approx(expected)


def test_tables_of_groups_shares_and_anchors_are_matched():
    groups = pd.crosstab(PEOPLE.coin, PEOPLE.region)
    polars_groups = pl.from_pandas(groups.sort_index(ascending=False).reset_index())
    for given in (groups, polars_groups):
        found = rr.estimation.estimate_groups([COIN], [given])
        assert found[0].counts.tolist() == groups.loc[list(TWO), "north"].tolist()
    shares = pd.crosstab(PEOPLE.coin, PEOPLE.card, normalize=True)
    plain = shares.loc[list(TWO), list(THREE)].to_numpy()
    power = rr.planning.power_independence([COIN, CARDS], plain, 400)
    for given in (shares, pl.from_pandas(shares.reset_index())):
        assert rr.planning.power_independence([COIN, CARDS], given, 400) == pytest.approx(power)
    size = rr.planning.solve_sample_size_independence([COIN, CARDS], plain, 0.8)
    assert rr.planning.solve_sample_size_independence([COIN, CARDS], shares, 0.8) == size
    square = pd.DataFrame([[1116, 311], [425, 148]], index=[1, 0], columns=[1, 0])
    corrected = rr.compliance.bias_corrected_crosswise(
        0.15, 0.15, [[148, 425], [311, 1116]]
    ).prevalence
    assert rr.compliance.bias_corrected_crosswise(0.15, 0.15, square).prevalence == corrected
    lists = [pd.DataFrame(np.arange(1, 2 * size + 1).reshape(2, size)) for size in (4, 5)]
    turned = [table.iloc[::-1, ::-1] for table in lists]
    plain = rr.item_count.combine_with_direct(*(table.to_numpy() for table in lists)).prevalence
    assert rr.item_count.combine_with_direct(*turned).prevalence == plain


def test_people_of_a_network_and_tables_of_bits_come_from_both_packages():
    people, bits = ["a", "b", "c"], [[0, 1, 0], [1, 0, 1], [0, 0, 0]]
    frame = pd.DataFrame(bits, people, people)
    expected = rr.networks.NetworkReports.from_matrix(bits).bits.tolist()
    for given in (frame, pl.from_pandas(frame.reset_index())):
        assert rr.networks.NetworkReports.from_matrix(given).bits.tolist() == expected
    table = pd.DataFrame({"first": REPORTS, "second": HALVES})
    plain = rr.item_count.sum_scores([COIN, COIN], table.to_numpy()).proportions.tolist()
    for given in (table, table.astype("boolean"), table.astype("Int64"), pl.from_pandas(table)):
        assert rr.item_count.sum_scores([COIN, COIN], given).proportions.tolist() == plain


def test_what_nobody_can_match_is_refused_with_what_to_do():
    missing = pd.Series(["Yes", None, "No"]).value_counts(dropna=False)
    with pytest.raises(EngineError, match="leave out those whose label is missing"):
        rr.estimate(COIN, missing)
    with pytest.raises(EngineError, match=r"counts must be .*collect\(\) the lazy frame first"):
        rr.estimate(COIN, pl.LazyFrame({"a": ["Yes"], "count": [1]}))
    reports = pd.Series(["Yes", "No"])
    for uncounted in (pl.Series(reports.tolist()), reports, reports == "Yes", reports.tolist()):
        with pytest.raises(EngineError, match=r"count the reports first, as value_counts\(\)"):
            rr.estimate(COIN, uncounted)
    with pytest.raises(EngineError, match=r"no shares \(value_counts\(\) without normalize=True"):
        rr.estimate(COIN, reports.value_counts(normalize=True))
    weights = pd.Series([1.0] * 59 + [None], [f"p{row}" for row in range(60)], dtype="Float64")
    with pytest.raises(EngineError, match=r"weights .* leave respondent 59 \(row 'p59'\) out"):
        rr.SurveySample(weights)
    with pytest.raises(EngineError, match="name a report to each of the 2 questions"):
        rr.estimate_joint([COIN, CARDS], PEOPLE.coin.value_counts())
    people = [f"p{row}" for row in range(60)]
    age = pd.Series(np.where(np.arange(60) == 7, np.nan, X[:, 0]), people)
    said = pd.Series(np.where(np.arange(60) == 7, None, REPORTS), age.index, name="said")
    with pytest.raises(
        EngineError, match=r"7 \(row 'p7'\) has none; .*dropna\(subset=\['said'\]\)"
    ):
        rr.RRLogit(COIN).fit(None, said)
    with pytest.raises(
        EngineError, match=r"respondent 7 \(row 'p7'\) out .*dropna\(subset=\['age'\]"
    ):
        rr.RRLogit(COIN).fit(age.to_frame("age"), REPORTS)
    with pytest.raises(EngineError, match=r"respondent 7 has none.*frame.drop_nulls\('said'\)"):
        rr.RRLogit(COIN).fit(None, pl.Series("said", said.tolist()))
    with pytest.raises(EngineError, match=r"region hold other things; a formula .* C\(region\)"):
        rr.RRLogit(COIN).fit(PEOPLE[["region"]].head(60), REPORTS)
    assert rr.RRLogit(COIN).fit(pd.Series(X[:, 0], name="age"), REPORTS).names[1] == "age"
    assert rr.RRLogit(COIN).fit(pl.DataFrame({"age": X[:, 0]}), REPORTS).names[1] == "age"
