"""Input as files and data frames hold it: labels, floats, truth values, missing entries.

A series or table of a data frame is anything with an `index` (and `columns`): a few lines stand for
the package, so that it need not be installed.
"""

import numpy as np
import pytest

import rr_engine as rr
from rr_engine.errors import ArgumentError, CountsError, DesignError, EngineError
from tests.engine.engine_cases import refusal

COIN = rr.warner(0.75)
CARDS = rr.k_rr(["Never", "Once", "Often"], "1")
NAN = float("nan")
RNG = np.random.default_rng(5)
X = RNG.normal(size=(60, 2))
REPORTS = (X[:, 0] + RNG.normal(size=60) > 0).astype(int)
WHICH = np.arange(60) % 2


class Missing:
    """Neither equal nor unequal to anything, as the missing value of data frames."""

    def __eq__(self, other):
        return self

    __ne__ = __eq__
    __hash__ = None

    def __bool__(self):
        raise TypeError


class Series:
    """Entries with labels."""

    def __init__(self, entries, index, columns=None):
        self.entries, self.index = np.asarray(entries), list(index)
        if columns is not None:
            self.columns = list(columns)

    def __array__(self, dtype=None, copy=None):
        return self.entries.astype(dtype) if dtype else self.entries

    def __len__(self):
        return len(self.entries)


def shares(counts, design=COIN):
    return rr.estimate(design, counts).proportions.tolist()


@pytest.mark.parametrize(
    "counts",
    [
        Series([700, 300], ["Yes", "No"]), Series([700, 300], [1, 0]),
        Series([700, 300], [1.0, 0.0]), Series([700, 300], [True, False]),
        Series([700.0, 300.0], [np.int64(1), np.int64(0)]), {"Yes": 700, "No": 300},
        {1: 700, 0: 300}, {True: 700, False: 300},
    ],
)  # fmt: skip
def test_counts_go_to_the_reports_that_their_labels_name(counts):
    # The order of `value_counts` is that of the sizes: by position it would be 10 and 90 %.
    assert shares(counts) == pytest.approx([0.1, 0.9])


def test_a_report_that_is_not_counted_was_not_sent():
    assert shares(Series([40], ["Yes"])) == shares([0, 40])
    assert shares({"Often": 5, "Never": 7}, CARDS) == shares([7, 0, 5], CARDS)
    assert shares({2: 5, 0: 7}, rr.channels.UniformChannel.from_epsilon(3, "1")) == pytest.approx(
        shares([7, 0, 5], rr.channels.UniformChannel.from_epsilon(3, "1"))
    )


@pytest.mark.parametrize(
    ("counts", "named"),
    [
        (Series([1, 2], ["Yes", "Perhaps"]), "Perhaps"),
        ({"yes": 5}, "yes"),
        (Series([1, 2, 3], [0, 1, 2]), "2"),
        (Series([1, 2], [0.5, 1.0]), "0.5"),
        (Series([1, 2], [None, 1]), "None"),
    ],
)
def test_labels_that_are_none_of_the_reports_are_refused_by_name(counts, named):
    with pytest.raises(CountsError, match=f"counts must name 'No', 'Yes'.*got .*{named}"):
        rr.estimate(COIN, counts)


def test_a_number_that_is_a_label_as_well_as_a_place_is_refused():
    years = rr.k_rr(["1", "2", "3"], "1")
    with pytest.raises(CountsError, match="give labels as texts"):
        rr.estimate(years, Series([4, 5], [1, 2]))
    assert shares(Series([4, 5], ["1", "2"]), years) == shares([4, 5, 0], years)


def test_tables_are_matched_on_both_sides():
    table = np.array([[50, 20, 10], [5, 30, 40]])
    shuffled = Series(table[::-1, [2, 0, 1]], ["Yes", "No"], ["Often", "Never", "Once"])
    expected = rr.estimate_joint([COIN, CARDS], table).proportions
    assert rr.estimate_joint([COIN, CARDS], shuffled).proportions == pytest.approx(expected)
    numbered = Series(table[::-1], [1, 0], [0, 1, 2])
    assert rr.estimate_joint([COIN, CARDS], numbered).proportions == pytest.approx(expected)
    groups = Series(table[::-1], ["Yes", "No"], ["a", "b", "c"])
    found = rr.estimation.estimate_groups([COIN], [groups])[1].proportions
    assert found == pytest.approx(rr.estimate(COIN, [20, 30]).proportions)
    other = Series(table, ["No", "Yes"], ["b", "a", "c"])
    with pytest.raises(CountsError, match="in one order"):
        rr.estimation.estimate_groups([COIN, COIN], [groups, other])
    square = np.array([[148, 425], [311, 1116]])
    crossed = Series(square[::-1, ::-1], [1, 0], [1, 0])
    plain = rr.compliance.bias_corrected_crosswise(0.15, 0.15, square)
    assert (
        rr.compliance.bias_corrected_crosswise(0.15, 0.15, crossed).prevalence == plain.prevalence
    )


def test_shares_and_scores_are_matched_as_well():
    prior = COIN.posterior([0.8, 0.2])
    for given in (Series([0.2, 0.8], ["Yes", "No"]), {"Yes": 0.2, "No": 0.8}, {1: 0.2, 0: 0.8}):
        assert COIN.posterior(given) == pytest.approx(prior)
    with pytest.raises(EngineError, match="prior must have an entry for each"):
        COIN.posterior({"Yes": 1.0})
    found = rr.estimate(CARDS, [30, 40, 50])
    scores = Series([2.0, 0.0, 7.0], ["Once", "Never", "Often"])
    assert (
        rr.association.mean_score(found, scores).value
        == rr.association.mean_score(found, [0, 2, 7]).value
    )


def test_known_shares_are_matched_with_the_answers_that_they_are_about():
    sample, sexes = rr.SurveySample(n=60), np.array(["man", "woman"], dtype=object)[WHICH]
    expected = rr.sampling.rake(sample, [WHICH], [[0.4, 0.6]]).weights
    for given in ({"woman": 0.6, "man": 0.4}, Series([0.6, 0.4], ["woman", "man"])):
        assert rr.sampling.rake(sample, [sexes], [given]).weights == pytest.approx(expected)
    assert rr.sampling.rake(sample, [WHICH], [Series([0.6, 0.4], [1, 0])]).weights == pytest.approx(
        expected
    )
    with pytest.raises(ArgumentError, match="be labels, as the shares have them"):
        rr.sampling.rake(sample, [WHICH], [{"woman": 0.6, "man": 0.4}])
    with pytest.raises(ArgumentError, match=r"'other'.*of respondent 3"):
        rr.sampling.rake(
            sample, [np.where(np.arange(60) == 3, "other", sexes)], [{"woman": 0.6, "man": 0.4}]
        )


def test_people_of_a_network_are_the_same_in_rows_and_columns():
    bits, people = [[0, 1, 0], [1, 0, 1], [0, 0, 0]], ["a", "b", "c"]
    given = rr.networks.NetworkReports.from_matrix(Series(bits, people, people))
    assert given.bits.tolist() == rr.networks.NetworkReports.from_matrix(bits).bits.tolist()
    with pytest.raises(ArgumentError, match="in one order"):
        rr.networks.NetworkReports.from_matrix(Series(bits, people, people[::-1]))


def test_lists_of_people_in_different_orders_are_refused():
    rows, turned = list(range(100, 160)), list(range(159, 99, -1))
    model = rr.RRLogit(COIN)
    same = model.fit(Series(X, rows, ["age", "income"]), Series(REPORTS, rows))
    assert same.params.tolist() == model.fit(X, REPORTS).params.tolist()
    assert same.names == ("intercept", "age", "income")
    frame, reports = Series(X, rows), Series(REPORTS, turned)
    anchor, groups = Series(WHICH, turned), Series(np.arange(60) % 6, turned)
    calls = [
        lambda: model.fit(frame, reports),
        lambda: model.fit(X, Series(REPORTS, rows), Series(np.ones(60), turned)),
        lambda: rr.RRLogit([COIN, rr.designs.direct(2)]).fit(
            X, Series(REPORTS, rows), which=anchor
        ),
        lambda: rr.models.CheatingLogit([COIN, rr.warner(0.3)]).fit(frame, reports, which=WHICH),
        lambda: rr.models.AttentionLogit(COIN, COIN).fit(X, Series(REPORTS, rows), anchor),
        lambda: rr.models.RRMultilevelLogit(COIN).fit(frame, REPORTS, groups),
        lambda: rr.list_regression(frame, REPORTS, anchor, 2),
        lambda: rr.compliance.compare_arms([rr.designs.direct(2), COIN], frame, REPORTS, anchor),
        lambda: rr.compliance.noncompliance_bounds(COIN, frame, reports, [0.0, 0.1]),
        lambda: rr.models.fit_bayesian(model, frame, reports),
        lambda: rr.models.ReportLikelihoods([COIN, COIN], Series(REPORTS, rows), anchor),
        lambda: rr.sampling.report_scores([COIN, COIN], Series(REPORTS, rows), anchor),
        lambda: rr.SurveySample(Series(np.ones(60), rows), strata=groups),
        lambda: rr.sampling.rake(
            rr.SurveySample(n=60), [Series(WHICH, rows), anchor], [[0.5, 0.5], [0.4, 0.6]]
        ),
    ]
    for number, call in enumerate(calls):
        error = refusal(call)
        assert "in their order" in str(error)
        assert error.code == "rows_differ", number


def test_columns_of_a_table_are_matched_with_those_of_the_model():
    rows = list(range(60))
    fit = rr.RRLogit(COIN).fit(Series(X, rows, ["age", "income"]), REPORTS)
    places = np.array([[0.0, 1.0], [2.0, -1.0]])
    expected = rr.models.predicted_probabilities(fit, places).probabilities
    turned = Series(places[:, ::-1], [0, 1], ["income", "age"])
    assert np.allclose(rr.models.predicted_probabilities(fit, turned).probabilities, expected)
    with pytest.raises(ArgumentError, match="have the columns of the model: age, income"):
        rr.models.predicted_probabilities(fit, Series(places, [0, 1], ["age", "wealth"]))
    with pytest.raises(ArgumentError, match="in the order of the columns of the table"):
        rr.RRLogit(COIN).fit(Series(X, rows, ["age", "income"]), REPORTS, names=["income", "age"])


COLUMNS = {
    "floats": REPORTS.astype(float),
    "single": REPORTS.astype(np.float32),
    "truth values": REPORTS == 1,
    "objects": np.array(REPORTS.tolist(), dtype=object),
    "labels": np.where(REPORTS == 1, "Yes", "No"),
    "labels as objects": np.array(["No", "Yes"], dtype=object)[REPORTS],
    "unsigned": REPORTS.astype(np.uint8),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", COLUMNS)
def test_reports_of_any_column_are_the_same_reports(kind):
    reports = COLUMNS[kind]
    expected = rr.RRLogit(COIN).fit(X, REPORTS).params.tolist()
    assert rr.RRLogit(COIN).fit(X, reports).params.tolist() == expected
    devices = WHICH.astype(reports.dtype) if reports.dtype.kind in "fu" else WHICH
    likelihoods = rr.models.ReportLikelihoods(
        [COIN, rr.designs.direct(["No", "Yes"])], reports, devices
    )
    assert likelihoods.row_of.tolist() == (2 * WHICH + REPORTS).tolist()
    own = rr.estimate_weighted(COIN, reports, rr.SurveySample(n=60)).proportions
    assert own == pytest.approx(rr.estimate(COIN, np.bincount(REPORTS)).proportions)
    assert rr.randomize(rr.designs.direct(["No", "Yes"]), reports).tolist() == REPORTS.tolist()


@pytest.mark.parametrize("missing", [NAN, None, Missing()], ids=["nan", "None", "missing"])
def test_a_missing_report_is_refused_by_its_row_with_what_to_do(missing):
    reports = np.array(REPORTS.tolist(), dtype=object)
    reports[7] = missing
    rule = "respondent 7 has none; leave them out, or give -1 where somebody gave no report"
    groups = rr.designs.generalized_binary(0.8, 1), rr.designs.generalized_binary(0.2, 1)
    calls = [
        lambda: rr.RRLogit(COIN).fit(X, reports),
        lambda: rr.models.CheatingLogit(groups).fit(X, reports, which=WHICH),
        lambda: rr.models.AttentionLogit(COIN, COIN).fit(X, REPORTS, reports),
        lambda: rr.sampling.report_scores(COIN, reports),
        lambda: rr.models.ReportLikelihoods(COIN, reports),
    ]
    for call in calls:
        with pytest.raises(EngineError, match=rule):
            call()
    hidden = np.ma.array(REPORTS, mask=np.arange(60) == 7)
    with pytest.raises(EngineError, match=rule):
        rr.RRLogit(COIN).fit(X, hidden)
    if isinstance(missing, float):
        with pytest.raises(EngineError, match=rule):
            rr.RRLogit(COIN).fit(X, reports.astype(float))
    answered = np.where(np.arange(60) == 7, -1.0, REPORTS)
    assert rr.RRLogit(COIN).fit(X, answered).n == 59


@pytest.mark.parametrize(("entry", "said"), [(0.5, "0.5"), ("Perhaps", "'Perhaps'"), (1e300, "1e")])
def test_what_is_no_report_is_refused_with_its_row(entry, said):
    reports = np.array(REPORTS.tolist(), dtype=object)
    reports[11] = entry
    with pytest.raises(CountsError, match=f"unlike {said}.*of respondent 11"):
        rr.RRLogit(COIN).fit(X, reports)


def test_tables_of_bits_are_taken_as_floats_and_truth_values():
    designs = [rr.forced_response(0.7, 0.15)] * 2
    table = np.column_stack([REPORTS, WHICH])
    expected = rr.item_count.sum_scores(designs, table).proportions.tolist()
    for given in (table.astype(float), table == 1, table.astype(object)):
        assert rr.item_count.sum_scores(designs, given).proportions.tolist() == expected
    gap = table.astype(float)
    gap[3, 1] = NAN
    with pytest.raises(EngineError, match="row 3 has a missing value"):
        rr.item_count.sum_scores(designs, gap)


@pytest.mark.parametrize(
    "column",
    [
        np.array(["north", "south"], dtype=object)[WHICH],
        Series(np.array(["north", "south"], dtype=object)[WHICH], range(60)),
        WHICH.astype(float),
        WHICH == 1,
        np.array(WHICH.tolist(), dtype=object),
    ],
)
def test_strata_clusters_and_groups_are_taken_as_categories(column):
    scores = rr.sampling.report_scores(COIN, REPORTS)
    plain = rr.SurveySample(strata=WHICH, clusters=np.arange(60) // 4)
    expected = rr.sampling.estimate_mean(scores, plain).standard_errors
    given = rr.SurveySample(strata=column, clusters=(np.arange(60) // 4).astype(object))
    assert rr.sampling.estimate_mean(scores, given).standard_errors.tolist() == expected.tolist()
    few = rr.models.RRMultilevelLogit(COIN).fit(None, REPORTS, column)
    assert few.group_sizes.tolist() == [30, 30]


def test_a_respondent_without_a_stratum_is_named():
    strata = np.array(["north", "south"], dtype=object)[WHICH]
    strata[4] = None
    with pytest.raises(ArgumentError, match="respondent 4 has none"):
        rr.SurveySample(strata=strata)
    with pytest.raises(ArgumentError, match="strata must be a list of 60 whole numbers or texts"):
        rr.SurveySample(strata=np.where(WHICH == 1, 0.5, 1.0))


def test_covariates_of_several_types_are_numbers():
    mixed = np.array(list(zip(X[:, 0].tolist(), (WHICH == 1).tolist(), strict=True)), dtype=object)
    expected = rr.RRLogit(COIN).fit(np.column_stack([X[:, 0], WHICH]), REPORTS).params
    assert rr.RRLogit(COIN).fit(mixed, REPORTS).params == pytest.approx(expected)
    mixed[9, 1] = Missing()
    with pytest.raises(ArgumentError, match="leave respondent 9 out"):
        rr.RRLogit(COIN).fit(mixed, REPORTS)


def test_a_matrix_in_single_precision_is_taken_to_its_last_digit():
    for size in (2, 7, 40):
        table = np.full((size, size), 0.3 / (size - 1))
        np.fill_diagonal(table, 0.7)
        design = rr.DesignMatrix(table.astype(np.float32))
        assert np.abs(design.matrix.sum(axis=0) - 1).max() < 1e-12
        assert design.matrix == pytest.approx(table, rel=1e-6)
    assert COIN.posterior(np.array([0.9, 0.1], np.float32)) == pytest.approx(
        COIN.posterior([0.9, 0.1]), rel=1e-6
    )
    wrong = np.array([[0.7, 0.3], [0.31, 0.7]], np.float32)
    with pytest.raises(DesignError, match="columns that sum to 1"):
        rr.DesignMatrix(wrong)
    with pytest.raises(DesignError, match="columns that sum to 1"):
        rr.DesignMatrix([[0.7000001, 0.3], [0.3, 0.7]])


def test_the_device_of_a_respondent_has_one_name():
    expected = rr.RRLogit([COIN, rr.designs.direct(2)]).fit(X, REPORTS, which=WHICH).params.tolist()
    # The name before is taken as well.
    model = rr.RRLogit([COIN, rr.designs.direct(2)])
    assert model.fit(X, REPORTS, designs=WHICH).params.tolist() == expected
    with pytest.raises(ArgumentError, match=r"^designs must name a device for each"):
        rr.RRLogit([COIN, rr.designs.direct(2)]).fit(X, REPORTS, designs=[0, 1])
    assert (
        rr.designs.two_stage(p_truth=0.3, p=0.7)
        == rr.designs.two_stage(0.3, 0.7)
        == rr.designs.two_stage(T=0.3, p=0.7)
    )
    with pytest.raises(ArgumentError, match="which must name a device for each of the 60 reports"):
        rr.RRLogit([COIN, rr.designs.direct(2)]).fit(X, REPORTS, which=[0, 1])
