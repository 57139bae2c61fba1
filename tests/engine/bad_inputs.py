"""A valid call of every public callable, and values that no argument of the kind may take."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np

import rr_engine
from rr_engine import (
    Bins,
    Composition,
    DesignMatrix,
    Direct,
    MeanDevice,
    Randomized,
    Relaxation,
    estimate,
    estimate_joint,
    k_rr,
    warner,
)

NAN, INF = float("nan"), float("inf")
HUGE = 10**400  # no float holds it
ENDLESS = 10**5000  # and Python refuses to write this one out
COIN, DIE, CARD = warner(0.8), k_rr(3, 1), k_rr(["No", "Yes"], "1.1")
STRINGS = rr_engine.Rappor(4, 1, 2, "0.5")
SURVEY = estimate(COIN, [70, 30])
ASKED = estimate(rr_engine.direct(2), [70, 30])
TABLE = estimate_joint([COIN, CARD], [[40, 20], [20, 20]])
BIT, HALVES = MeanDevice(1, 1, 2, 4), Bins(0, 10, 1, (0, 1))
EVENT = Composition([Randomized("1"), Direct()])


class Unprintable:
    """A value that cannot even be shown."""

    def __repr__(self):
        raise RuntimeError("no repr")


BAD = {
    "nan": NAN,
    "inf": INF,
    "-inf": -INF,
    "-1": -1,
    "-0.5": -0.5,
    "True": True,
    "numpy True": np.True_,
    "word": "x",
    "empty word": "",
    "bytes": b"\x01",
    "complex": 1j,
    "None": None,
    "huge": HUGE,
    "-huge": -HUGE,
    "endless": ENDLESS,
    "endless fraction": Fraction(ENDLESS, 3),
    "decimal nan": Decimal("NaN"),
    "decimal snan": Decimal("sNaN"),
    "numpy nan": np.float64(NAN),
    "0-d nan": np.array(NAN),
    "not a time": np.datetime64("NaT"),
    "object": object(),
    "unprintable": Unprintable(),
    "class": float,
    "function": lambda *given: given,
    "empty list": [],
    "empty array": np.array([]),
    "empty dict": {},
    "set": {1, 2},
    "generator": (x for x in ()),
    "list of nan": [NAN, NAN],
    "list of inf": [INF, 1.0],
    "list of minus": [-1, 2],
    "list of bool": [True, False],
    "list of words": ["0.5", "0.5"],
    "list of None": [None, None],
    "list of complex": [0.5 + 0j, 0.5],
    "list of huge": [HUGE, 1],
    "list of lists": [[0.5], [0.5]],
    "ragged": [[1], [1, 2]],
    "deep": [[[[1]]]],
    "too long": [0.01] * 100,
    "a hundred thousand": [1] * 100_000,
    "object array": np.array([object(), object()]),
    "object array of numbers": np.array([70, 30], dtype=object),
    "array of dates": np.array(["2020-01-01", "2020-01-02"], dtype="M8[D]"),
    "structured array": np.zeros(2, dtype=[("a", int)]),
    "array of nan": np.full((2, 2), NAN),
    "masked array": np.ma.array([1, 2], mask=[False, True]),
    "no rows": np.zeros((0, 2)),
    "list of objects": [object(), object()],
    "a device": COIN,
    "devices": [COIN],
    "three devices": [COIN] * 3,
    "devices of two sizes": [COIN, DIE],
    "an estimate": SURVEY,
    "a joint estimate": TABLE,
    "an event": EVENT,
}


@dataclass(frozen=True)
class Call:
    """A valid call, and the bad values that one of its arguments takes on purpose."""

    function: Callable[..., object]
    arguments: Mapping[str, object]
    allowed: Mapping[str, frozenset[str]]


# No bad values after all wherever an argument has this name.
ALWAYS = {"design": "a device", "rng": "None|huge|endless", "seed": "huge|endless"}


def call(function: Callable[..., object], arguments: Mapping, **allowed: str) -> Call:
    """Write a call down; `allowed` names kinds of BAD, parted by bars, for each argument."""
    given = {**{name: ALWAYS[name] for name in arguments if name in ALWAYS}, **allowed}
    kinds = {name: frozenset(names.split("|")) - {""} for name, names in given.items()}
    return Call(function, arguments, kinds)


def whole_bytes(size: int) -> bytes:
    return bytes(size)


# The values that are not bad after all: None where an argument may be left out, and so on.
CALLS = {
    # designs
    "direct": call(rr_engine.direct, {"categories": 3}),
    "k_rr": call(k_rr, {"categories": 3, "epsilon": 1}),
    "warner": call(warner, {"p": 0.7}),
    "generalized_binary": call(rr_engine.generalized_binary, {"p00": 0.9, "p11": 0.6}),
    "forced_response": call(rr_engine.forced_response, {"p_truth": 0.6, "p_yes": 0.2}),
    "unrelated_question": call(rr_engine.unrelated_question, {"p": 0.7, "theta": 0.2}),
    "two_stage": call(rr_engine.two_stage, {"T": 0.3, "p": 0.7}),
    "mangat": call(rr_engine.mangat, {"p": 0.7}),
    "kuk": call(rr_engine.kuk, {"p1": 0.7, "p2": 0.3, "draws": 2}),
    "crosswise": call(rr_engine.crosswise, {"theta": 0.2}),
    "triangular": call(rr_engine.triangular, {"theta": 0.2}),
    "disguised_response": call(rr_engine.disguised_response, {"p": 0.7}),
    "uniform_perturbation": call(rr_engine.uniform_perturbation, {"categories": 3, "q": 0.5}),
    "frapp": call(rr_engine.frapp, {"categories": 3, "lam": 2.0}),
    "laplace": call(rr_engine.laplace, {"categories": 3, "epsilon": 1}),
    "optimal_binary": call(
        rr_engine.optimal_binary, {"epsilon": 1, "delta": 0.1, "prevalence": 0.2}
    ),
    "optimal_warner": call(rr_engine.optimal_warner, {"epsilon": 1, "delta": 0.1}),
    "optimal_threshold": call(rr_engine.optimal_threshold, {"epsilon": 1, "delta": 0.1}),
    "forced_choice": call(rr_engine.forced_choice, {"categories": 2, "outcomes": 6, "forced": 1}),
    "crosswise_of": call(
        rr_engine.crosswise_of,
        {"numerator": 1, "denominator": 4, "categories": ["No", "Yes"]},
        categories="None",
    ),
    "strongest_fit": call(rr_engine.strongest_fit, {"categories": 2, "outcomes": 6, "epsilon": 2}),
    "subset_selection": call(
        rr_engine.subset_selection, {"categories": 4, "epsilon": 1, "k": 2}, k="None"
    ),
    "card_deck": call(
        rr_engine.card_deck,
        {"categories": 4, "epsilon": 1, "k": 2, "most_cards": 60},
        k="None",
        most_cards="huge|endless|None",
    ),
    "best_subset_size": call(rr_engine.best_subset_size, {"categories": 4, "epsilon": 1}),
    "minimax_value": call(
        rr_engine.minimax_value, {"categories": 4, "epsilon": 1, "k": 2}, k="None"
    ),
    # a design
    "DesignMatrix": call(
        DesignMatrix,
        {
            "matrix": [[0.75, 0.25], [0.25, 0.75]],
            "categories": ["No", "Yes"],
            "reports": ["No", "Yes"],
            "declared_epsilon": "1.1",
            "integers": [[3, 1], [1, 3]],
            "denominator": 4,
            "declared_delta": "0.1",
        },
        categories="None",
        reports="None",
        declared_delta="None",
    ),
    "DesignMatrix.from_integers": call(
        DesignMatrix.from_integers,
        {
            "integers": [[3, 1], [1, 3]],
            "denominator": 4,
            "categories": ["No", "Yes"],
            "reports": ["No", "Yes"],
            "declared_epsilon": "1.1",
            "declared_delta": "0.1",
        },
        categories="None",
        reports="None",
        declared_delta="None",
    ),
    "DesignMatrix.epsilon_at_most": call(COIN.epsilon_at_most, {"epsilon": 1}),
    "DesignMatrix.delta": call(COIN.delta, {"epsilon": 1}, epsilon="inf"),
    "DesignMatrix.delta_at_most": call(COIN.delta_at_most, {"epsilon": 1, "delta": 0.1}),
    "DesignMatrix.posterior": call(COIN.posterior, {"prior": [0.4, 0.6]}),
    "DesignMatrix.privacy": call(COIN.privacy, {"prior": [0.4, 0.6]}),
    "DesignMatrix.strongest_beliefs": call(COIN.strongest_beliefs, {"prior": [0.4, 0.6]}),
    "DesignMatrix.worst_posterior": call(COIN.worst_posterior, {"prior": [0.4, 0.6]}),
    "DesignMatrix.recovery_probability": call(COIN.recovery_probability, {"prior": [0.4, 0.6]}),
    "DesignMatrix.mse": call(COIN.mse, {"prior": [0.4, 0.6], "n": 10}),
    "DesignMatrix.coarsened": call(
        DIE.coarsened, {"report_groups": [[0], [1, 2]], "truth_groups": [[0], [1, 2]]}
    ),
    "DesignMatrix.quantized": call(
        COIN.quantized,
        {"bits": 16, "accept_infinite_epsilon": False},
        accept_infinite_epsilon="True",
    ),
    # drawing
    "draw_report": call(
        rr_engine.draw_report,
        {"column_integers": [3, 1], "denominator": 4, "random_bytes": whole_bytes},
    ),
    "uniform_below": call(
        rr_engine.uniform_below, {"n": 6, "random_bytes": whole_bytes}, n="huge|endless"
    ),
    "randomize": call(
        rr_engine.randomize,
        {"design": COIN, "truths": [0, 1], "random_bytes": whole_bytes},
        truths="empty list|empty array|a hundred thousand|list of bool",
    ),
    "simulate_counts": call(
        rr_engine.simulate_counts,
        {"design": COIN, "proportions": [0.4, 0.6], "n": 10, "rng": 1, "population": "sample"},
    ),
    # estimation
    "estimate": call(
        estimate,
        {
            "design": COIN,
            "counts": [70, 30],
            "method": "inversion",
            "population": "fixed",
            "prior": [0.4, 0.6],
        },
        counts="empty dict",
        prior="None",
    ),
    "compare_joint": call(
        rr_engine.compare_joint,
        {
            "sizes": [2, 3],
            "epsilon": "2",
            "n": 100,
            "proportions": [[0.4, 0.6], [0.2, 0.3, 0.5]],
            "bits": 32,
        },
        proportions="None",
    ),
    "joint_design": call(
        rr_engine.joint_design,
        {"sizes": [2, 3], "p": 0.5, "bits": 16, "form": "changes", "epsilon": None},
        sizes="object array of numbers",
        epsilon="None",
    ),
    "margin_of": call(
        rr_engine.margin_of,
        {"counts": {(0, 1): 5, 3: 2}, "shape": (2, 3), "axes": [1]},
        counts="empty dict",
        shape="object array of numbers",
    ),
    "estimate_strata": call(
        rr_engine.estimate_strata,
        {
            "designs": [COIN, CARD],
            "counts": [[70, 30], [10, 5]],
            "method": "mle",
            "population": "fixed",
        },
    ),
    "estimate_groups": call(
        rr_engine.estimate_groups,
        {
            "designs": [COIN, CARD],
            "counts": [[[40, 20], [20, 20]], [[4, 2], [2, 2]]],
            "method": "mle",
            "population": "sample",
        },
    ),
    "estimate_joint": call(
        estimate_joint,
        {
            "designs": [COIN, CARD],
            "counts": [[40, 20], [20, 20]],
            "method": "mle",
            "population": "sample",
        },
        counts="empty dict",
    ),
    "estimate_joint_strata": call(
        rr_engine.estimate_joint_strata,
        {
            "designs": [[COIN, CARD], [CARD, COIN]],
            "counts": [[[40, 20], [20, 20]], [[4, 2], [2, 2]]],
            "method": "mle",
            "population": "sample",
        },
    ),
    "project_to_simplex": call(
        rr_engine.project_to_simplex,
        {"values": [0.7, 0.4]},
        values="list of minus|too long|a hundred thousand",
    ),
    "Estimate.interval": call(SURVEY.interval, {"level": 0.9, "method": "bootstrap", "seed": 1}),
    "Estimate.possible_interval": call(
        SURVEY.possible_interval, {"level": 0.9, "method": "bootstrap", "seed": 1}
    ),
    "Estimate.covariance_of": call(
        SURVEY.covariance_of,
        {"contrast_a": [1, 0], "contrast_b": [1, -1]},
        contrast_a="list of minus",
        contrast_b="list of minus",
    ),
    "Estimate.from_dict": call(rr_engine.Estimate.from_dict, {"stored": SURVEY.to_dict()}),
    "simultaneous_intervals": call(
        rr_engine.simultaneous_intervals,
        {"estimate": SURVEY, "level": 0.9, "method": "bootstrap", "seed": 1},
        estimate="an estimate",
    ),
    "estimate_difference": call(
        rr_engine.estimate_difference,
        {"first": SURVEY, "second": estimate(CARD, [60, 50])},
        first="an estimate",
        second="an estimate",
    ),
    "Difference.interval": call(
        rr_engine.estimate_difference(SURVEY, SURVEY).interval,
        {"level": 0.9, "method": "bootstrap", "seed": 1},
    ),
    "Difference.score_test": call(
        rr_engine.estimate_difference(SURVEY, SURVEY).score_test, {"alternative": "less"}
    ),
    "JointEstimate.interval": call(TABLE.interval, {"level": 0.9, "method": "wilson"}),
    "JointEstimate.margin": call(TABLE.margin, {"axes": [1]}),
    "JointEstimate.conditional": call(TABLE.conditional, {"of_axis": 1, "given_axis": 0}),
    "Conditional.interval": call(
        TABLE.conditional(1, 0).interval, {"level": 0.9, "method": "fieller"}
    ),
    "Conditional.estimable": call(TABLE.conditional(1, 0).estimable, {"level": 0.9}),
    "JointEstimate.conditional_means": call(
        TABLE.conditional_means,
        {"of_axis": 1, "given_axis": 0, "scores": [0, 1]},
        scores="list of minus",
    ),
    "JointEstimate.difference": call(
        TABLE.difference, {"of_axis": 1, "category": 1, "given_axis": 0, "groups": (0, 1)}
    ),
    "JointEstimate.covariance_of": call(
        TABLE.covariance_of, {"contrast_a": [[1, 0], [0, 0]], "contrast_b": [[1, 0], [0, 0]]}
    ),
    # association
    "chi_square": call(
        rr_engine.chi_square, {"joint": TABLE, "correction": "none"}, joint="a joint estimate"
    ),
    "g_squared": call(
        rr_engine.g_squared, {"joint": TABLE, "correction": "none"}, joint="a joint estimate"
    ),
    "mutual_information": call(
        rr_engine.mutual_information,
        {"joint": TABLE, "correction": "none"},
        joint="a joint estimate",
    ),
    "independence_test": call(
        rr_engine.independence_test, {"joint": TABLE}, joint="a joint estimate"
    ),
    "cramers_v": call(
        rr_engine.cramers_v, {"joint": TABLE, "correction": "none"}, joint="a joint estimate"
    ),
    "entropy": call(
        rr_engine.entropy,
        {"estimate": SURVEY, "correction": "none"},
        estimate="a joint estimate|an estimate",
    ),
    "mean_score": call(
        rr_engine.mean_score,
        {"estimate": SURVEY, "scores": [0, 1]},
        estimate="an estimate",
        scores="None|list of minus",
    ),
    "mean_of_answered": call(
        rr_engine.mean_of_answered,
        {"estimate": SURVEY, "scores": [0, 1]},
        estimate="an estimate",
        scores="list of minus",
    ),
    "mean_where_alike": call(
        rr_engine.mean_where_alike,
        {"estimate": ASKED, "scores": [0, 1], "level": 0.9},
        scores="list of minus",
    ),
    "odds_ratio": call(
        rr_engine.odds_ratio,
        {"joint": TABLE, "rows": (0, 1), "columns": (0, 1)},
        joint="a joint estimate",
    ),
    "pearson_correlation": call(
        rr_engine.pearson_correlation,
        {"joint": TABLE, "row_scores": [0, 1], "column_scores": [0, 1]},
        joint="a joint estimate",
        row_scores="None|list of minus",
        column_scores="None|list of minus",
    ),
    "Derived.interval": call(rr_engine.entropy(SURVEY).interval, {"level": 0.9}),
    # bounded numbers
    "MeanDevice": call(rr_engine.MeanDevice, {"steps": 1, "low": 1, "rise": 2, "denominator": 4}),
    "MeanDevice.from_epsilon": call(
        rr_engine.MeanDevice.from_epsilon, {"steps": 10, "epsilon": 1, "bits": 16}, bits="None"
    ),
    "MeanDevice.epsilon_at_most": call(BIT.epsilon_at_most, {"epsilon": 1}),
    "MeanDevice.chance": call(BIT.chance, {"value": 1, "report": 1}),
    "MeanDevice.column": call(BIT.column, {"value": 1}),
    "MeanDevice.draw": call(
        BIT.draw,
        {"values": [0, 1], "random_bytes": whole_bytes},
        values="empty list|empty array|a hundred thousand|list of bool",
    ),
    "mean_from_reports": call(
        rr_engine.mean_from_reports,
        {
            "device": BIT,
            "counts": [70, 30],
            "lower": -10,
            "upper": 10.5,
            "population": "fixed",
        },
        counts="empty dict",
        lower="-1|-0.5",
        upper="-1|-0.5",
    ),
    "MeanEstimate.interval": call(
        rr_engine.mean_from_reports(BIT, [70, 30]).interval, {"level": 0.9, "method": "exact"}
    ),
    "MeanEstimate.possible_interval": call(
        rr_engine.mean_from_reports(BIT, [70, 30]).possible_interval,
        {"level": 0.9, "method": "exact"},
    ),
    "mean_margin_of_error": call(
        rr_engine.mean_margin_of_error,
        {"device": BIT, "mean": -5, "n": 10, "lower": -20, "upper": 10, "level": 0.9},
        mean="-1|-0.5",
        upper="-1|-0.5",
    ),
    "mean_sample_size": call(
        rr_engine.mean_sample_size,
        {"device": BIT, "mean": -5, "margin": 3, "lower": -20, "upper": 10, "level": 0.9},
        mean="-1|-0.5",
        upper="-1|-0.5",
    ),
    "Bins": call(
        rr_engine.Bins,
        {"lower": -20, "upper": 10, "steps": 10, "starts": (0, 5)},
        lower="-1|-0.5",
        upper="-1|-0.5",
    ),
    "Bins.equal": call(
        rr_engine.Bins.equal,
        {"lower": -20, "upper": 10, "steps": 10, "count": 3},
        lower="-1|-0.5",
        upper="-1|-0.5",
    ),
    "Bins.bin_of": call(
        HALVES.bin_of,
        {"values": [0, 1]},
        values="empty list|empty array|a hundred thousand|list of bool",
    ),
    "mean_from_bins": call(
        rr_engine.mean_from_bins, {"estimate": SURVEY, "bins": HALVES}, estimate="an estimate"
    ),
    "BinnedMean.interval": call(rr_engine.mean_from_bins(SURVEY, HALVES).interval, {"level": 0.9}),
    "distribution_from_bins": call(
        rr_engine.distribution_from_bins,
        {"estimate": SURVEY, "bins": HALVES},
        estimate="an estimate",
    ),
    "quantile_from_bins": call(
        rr_engine.quantile_from_bins,
        {"estimate": SURVEY, "bins": HALVES, "chance": 0.5},
        estimate="an estimate",
    ),
    "Quantile.interval": call(
        rr_engine.quantile_from_bins(SURVEY, HALVES).interval, {"level": 0.9, "method": "even"}
    ),
    "Quantile.bin_interval": call(
        rr_engine.quantile_from_bins(SURVEY, HALVES).bin_interval, {"level": 0.9}
    ),
    "compare_number_devices": call(
        rr_engine.compare_number_devices,
        {
            "lower": -20,
            "upper": 10,
            "epsilon": 1,
            "n": 100,
            "mean": None,
            "spread": None,
            "shares": None,
            "steps": 10,
            "bin_counts": [3, 5],
        },
        lower="-1|-0.5",
        upper="-1|-0.5",
        mean="None",
        spread="None",
        shares="None|too long",
    ),
    "flip_chance": call(rr_engine.flip_chance, {"device_now": BIT, "device_next": BIT}),
    "relaxed_chance": call(
        rr_engine.relaxed_chance,
        {"previous": 1, "value": 1, "device_now": BIT, "device_next": BIT},
    ),
    "relax_mean_report": call(
        rr_engine.relax_mean_report,
        {
            "previous": 1,
            "value": 1,
            "device_now": BIT,
            "device_next": MeanDevice(1, 1, 6, 8),
            "random_bytes": whole_bytes,
        },
    ),
    # compliance
    "anchor_check": call(
        rr_engine.anchor_check,
        {"design": COIN, "counts": [70, 30], "known": 0.3, "level": 0.9, "otherwise": [0.5, 0.5]},
        counts="empty dict",
        otherwise="None",
    ),
    "cheating_share": call(
        rr_engine.cheating_share,
        {"designs": [COIN, warner(0.3)], "counts": [[70, 30], [40, 60]], "level": 0.9, "safe": 0},
    ),
    "moors": call(
        rr_engine.moors,
        {"p1": 0.8, "p2": 0.3, "counts1": [70, 30], "counts2": [80, 20], "level": 0.9},
    ),
    "stochastic_lie_detector": call(
        rr_engine.stochastic_lie_detector,
        {"p1": 0.8, "p2": 0.3, "counts1": [70, 30], "counts2": [40, 60], "level": 0.9},
    ),
    "bias_corrected_crosswise": call(
        rr_engine.bias_corrected_crosswise,
        {
            "theta": 0.15,
            "anchor_theta": 0.2,
            "counts": [[20, 40], [30, 110]],
            "known": 0.1,
            "level": 0.9,
        },
    ),
    "compare_with_direct": call(
        rr_engine.compare_with_direct,
        {
            "design": COIN,
            "counts": [70, 30],
            "direct_counts": [90, 10],
            "category": 1,
            "alternative": "greater",
            "level": 0.9,
        },
        counts="empty dict",
        category="None",
    ),
    "goodness_of_fit": call(
        rr_engine.goodness_of_fit,
        {
            "designs": [COIN, CARD],
            "counts": [[70, 30], [40, 20]],
            "resamples": 10,
            "rng": 1,
        },
    ),
    "homogeneity_test": call(
        rr_engine.homogeneity_test,
        {"designs": [COIN, CARD], "counts": [[70, 30], [40, 20]]},
    ),
    "poisoning": call(
        rr_engine.poisoning, {"estimate": SURVEY, "level": 0.9}, estimate="an estimate"
    ),
    # planning
    "margin_of_error": call(
        rr_engine.margin_of_error,
        {
            "design": COIN,
            "prevalence": 0.2,
            "n": 100,
            "level": 0.9,
            "category": 1,
            "population": "fixed",
            "prior": [0.4, 0.6],
        },
        category="None",
        prior="None",
    ),
    "sample_size": call(
        rr_engine.sample_size,
        {
            "design": COIN,
            "prevalence": 0.2,
            "margin": 0.1,
            "level": 0.9,
            "category": 1,
            "population": "fixed",
            "prior": [0.4, 0.6],
        },
        category="None",
        prior="None",
    ),
    "effective_sample_share": call(
        rr_engine.effective_sample_share,
        {"design": COIN, "prevalence": 0.2, "category": 1, "prior": [0.4, 0.6]},
        category="None",
        prior="None",
    ),
    "equivalent_n": call(
        rr_engine.equivalent_n,
        {"estimate": SURVEY, "category": 1},
        estimate="an estimate",
        category="None",
    ),
    "power": call(
        rr_engine.power,
        {
            "design": COIN,
            "prevalence": 0.3,
            "null": 0.2,
            "n": 100,
            "alpha": 0.05,
            "alternative": "greater",
            "category": 1,
            "method": "exact",
        },
        category="None",
    ),
    "solve_power": call(
        rr_engine.solve_power,
        {
            "design": COIN,
            "prevalence": 0.3,
            "null": 0.2,
            "n": 100,
            "power": None,
            "alpha": 0.05,
            "alternative": "greater",
            "category": 1,
            "method": "normal",
        },
        category="None",
        power="None",
    ),
    "solve_sample_size": call(
        rr_engine.solve_sample_size,
        {
            "design": COIN,
            "prevalence": 0.3,
            "null": 0.2,
            "power": 0.8,
            "alpha": 0.05,
            "alternative": "greater",
            "category": 1,
            "method": "normal",
        },
        category="None",
    ),
    "solve_effect": call(
        rr_engine.solve_effect,
        {
            "design": COIN,
            "null": 0.2,
            "n": 100,
            "power": 0.8,
            "alpha": 0.05,
            "alternative": "greater",
            "category": 1,
            "method": "normal",
        },
        category="None",
    ),
    "solve_alpha": call(
        rr_engine.solve_alpha,
        {
            "design": COIN,
            "prevalence": 0.3,
            "null": 0.2,
            "n": 100,
            "power": 0.8,
            "alternative": "greater",
            "category": 1,
            "method": "normal",
        },
        category="None",
    ),
    "solve_level": call(
        rr_engine.solve_level,
        {
            "design": COIN,
            "prevalence": 0.2,
            "n": 100,
            "margin": 0.1,
            "category": 1,
            "population": "fixed",
        },
        category="None",
    ),
    "solve_epsilon": call(
        rr_engine.solve_epsilon,
        {
            "categories": 2,
            "prevalence": 0.2,
            "margin": 0.1,
            "n": 1000,
            "level": 0.9,
            "category": 1,
            "population": "fixed",
        },
        category="None",
    ),
    "split_budget": call(
        rr_engine.split_budget,
        {
            "questions": [rr_engine.BudgetQuestion(), rr_engine.BudgetQuestion(3)],
            "epsilon": 2,
            "n": 100,
            "objective": "mean",
            "pairs": [rr_engine.BudgetPair(0, 1)],
            "level": 0.9,
            "step": "0.1",
        },
        pairs="empty list|empty array|generator|no rows",
    ),
    "smallest_budget": call(
        rr_engine.smallest_budget,
        {
            "questions": [rr_engine.BudgetQuestion(), rr_engine.BudgetQuestion(3)],
            "n": 100,
            "margins": [0.3, 0.3, 0.4],
            "pairs": [rr_engine.BudgetPair(0, 1)],
            "level": 0.9,
            "step": "0.1",
        },
        margins="None",
    ),
    "power_difference": call(
        rr_engine.power_difference,
        {
            "designs": [COIN, CARD],
            "prevalences": [0.2, 0.3],
            "ns": [100, 120],
            "alpha": 0.05,
            "alternative": "two-sided",
            "category": 1,
            "method": "normal",
            "variance": "null",
        },
        designs="a device",
        ns="object array of numbers",
        category="None",
    ),
    "solve_effect_difference": call(
        rr_engine.solve_effect_difference,
        {
            "designs": [COIN, CARD],
            "baseline": 0.2,
            "ns": [100, 120],
            "power": 0.8,
            "alpha": 0.05,
            "alternative": "greater",
            "category": 1,
            "variance": "null",
        },
        designs="a device",
        ns="object array of numbers",
        category="None",
    ),
    "solve_sample_size_difference": call(
        rr_engine.solve_sample_size_difference,
        {
            "designs": [COIN, CARD],
            "prevalences": [0.2, 0.3],
            "power": 0.8,
            "ratio": 1.0,
            "alpha": 0.05,
            "alternative": "two-sided",
            "category": 1,
            "variance": "null",
        },
        designs="a device",
        category="None",
    ),
    "power_independence": call(
        rr_engine.power_independence,
        {"designs": [COIN, CARD], "table": [[0.4, 0.1], [0.1, 0.4]], "n": 100, "alpha": 0.05},
    ),
    "solve_sample_size_independence": call(
        rr_engine.solve_sample_size_independence,
        {
            "designs": [COIN, CARD],
            "table": [[0.4, 0.1], [0.1, 0.4]],
            "power": 0.8,
            "alpha": 0.05,
        },
    ),
    "simulate_coverage": call(
        rr_engine.simulate_coverage,
        {
            "design": COIN,
            "prevalence": 0.2,
            "n": 50,
            "repetitions": 10,
            "level": 0.9,
            "method": "normal",
            "rng": 1,
            "population": "sample",
            "estimator": "inversion",
            "prior": [0.4, 0.6],
        },
        prior="None",
    ),
    # strings
    "normalize_text": call(
        rr_engine.normalize_text,
        {"text": "tea", "argument": "text"},
        text="word",
        argument="|".join(BAD),
    ),
    "decode_strings": call(
        rr_engine.decode_strings,
        {
            "device": STRINGS,
            "tallies": [[[3, 1]] * 4] * 2,
            "candidates": ["tea", "wine"],
            "false_discovery_rate": 0.05,
            "correction": "bonferroni",
            "refusal": None,
        },
        refusal="None|word",
    ),
    "simulate_string_tallies": call(
        rr_engine.simulate_string_tallies,
        {
            "device": STRINGS,
            "strings": ["tea", "wine"],
            "shares": [0.5, 0.5],
            "n": 10,
            "rng": 1,
            "refusal": False,
        },
    ),
    "draw_sample": call(
        rr_engine.draw_sample,
        {
            "permanent": "01",
            "sampler": rr_engine.BitChannel(2, 3, 1, 4, "set"),
            "random_bytes": whole_bytes,
        },
    ),
    "bit_kernel": call(rr_engine.bit_kernel, {"now": STRINGS, "later": STRINGS}),
    "relax_response": call(
        rr_engine.relax_response,
        {
            "previous": "0101",
            "text": "tea",
            "cohort": 0,
            "now": STRINGS,
            "later": rr_engine.Rappor(4, 1, 2, "0.25"),
            "random_bytes": whole_bytes,
        },
        text="word|None",
    ),
    "budget_after_samples": call(
        rr_engine.budget_after_samples,
        {"epsilon_permanent": 1, "epsilon_sample": 1, "samples": 3},
    ),
    "relaxed_bit_variance": call(rr_engine.relaxed_bit_variance, {"epsilon": 1, "n": 10}),
    "sampled_bit_variance": call(
        rr_engine.sampled_bit_variance,
        {"epsilon_permanent": 1, "epsilon_sample": 1, "samples": 3, "n": 10},
    ),
    "detectable_share": call(
        rr_engine.detectable_share,
        {
            "device": STRINGS,
            "n": 100,
            "candidates": 3,
            "false_discovery_rate": 0.05,
            "power": 0.8,
        },
    ),
    "suggest_rappor": call(
        rr_engine.suggest_rappor,
        {
            "epsilon": 1,
            "n": 100,
            "candidates": 3,
            "false_discovery_rate": 0.05,
            "power": 0.8,
        },
    ),
    # accounting
    "Randomized": call(Randomized, {"epsilon": 1}),
    "Composition": call(
        Composition, {"events": [EVENT]}, events="empty list|empty array|no rows|generator"
    ),
    "Relaxation": call(Relaxation, {"events": [Randomized(1), Randomized(2)]}),
    "total_epsilon": call(rr_engine.total_epsilon, {"event": EVENT}, event="an event"),
    "randomized_epsilon": call(rr_engine.randomized_epsilon, {"event": EVENT}, event="an event"),
    "within_budget": call(rr_engine.within_budget, {"event": EVENT, "budget": 2}, event="an event"),
}
