"""A valid call of every public callable, and values that no argument of the kind may take."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from inspect import signature

import numpy as np

import rr_engine as rr
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
    library,
    warner,
)

NAN, INF = float("nan"), float("inf")
HUGE = 10**400  # no float holds it
ENDLESS = 10**5000  # and Python refuses to write this one out
COIN, DIE, CARD = warner(0.8), k_rr(3, 1), k_rr(["No", "Yes"], "1.1")
STRINGS = rr.Rappor(4, 1, 2, "0.5")
SURVEY = estimate(COIN, [70, 30])
ASKED = estimate(rr.direct(2), [70, 30])
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


@dataclass(frozen=True)
class Also:
    """The value of an argument in a valid call, and the kinds of BAD that it takes as well."""

    value: object
    kinds: str


# No bad values after all wherever an argument has this name.
ALWAYS = {"design": "a device", "rng": "None|huge|endless", "seed": "huge|endless"}


def also(value: object, kinds: str) -> Also:
    """Return an argument that takes these kinds of BAD, parted by bars."""
    return Also(value, kinds)


def optional(value: object) -> Also:
    """Return an argument that may be None."""
    return Also(value, "None")


def valid(function: Callable[..., object], /, *values: object, **named: object) -> Call:
    """Write a valid call down, each argument as its value or as `also` has it."""
    arguments = dict(zip(signature(function).parameters, values, strict=False)) | named
    for name, given in arguments.items():
        if not isinstance(given, Also):
            arguments[name] = Also(given, ALWAYS.get(name, ""))
    allowed = {name: frozenset(a.kinds.split("|")) - {""} for name, a in arguments.items()}
    return Call(function, {name: a.value for name, a in arguments.items()}, allowed)


def call(function: Callable[..., object], arguments: Mapping, **kinds: str) -> Call:
    """Write the same down with the kinds of BAD after the arguments."""
    given = {name: also(arguments[name], kinds[name]) for name in kinds if name in arguments}
    return valid(function, **{**arguments, **given})


def named_calls(*calls: Call) -> dict[str, Call]:
    """Return them by the name of the function, after that of its class where it has one."""
    named = {}
    for each in calls:
        owner = getattr(each.function, "__self__", None)
        bound = owner is not None and not isinstance(owner, type)
        name = each.function.__name__ if bound else each.function.__qualname__
        named[f"{type(owner).__name__}.{name}" if bound else name] = each
    assert len(named) == len(calls)
    return named


def whole_bytes(size: int) -> bytes:
    return bytes(size)


# Arguments of many calls.
PRIOR, COUNTS = [0.4, 0.6], also([70, 30], "empty dict")
A_PRIOR, LABELS, CATEGORY = optional(PRIOR), optional(["No", "Yes"]), optional(1)
A_SURVEY, A_TABLE = also(SURVEY, "an estimate"), also(TABLE, "a joint estimate")
ANSWERS = also([0, 1], "empty list|empty array|a hundred thousand|list of bool")
SCORES, SCORES_OR_NONE = also([0, 1], "list of minus"), also([0, 1], "None|list of minus")
ONE_OR_TWO = also([COIN, CARD], "a device")
PEOPLE = also([100, 120], "object array of numbers")
TWO_TABLES = [[[40, 20], [20, 20]], [[4, 2], [2, 2]]]
QUESTIONS, PAIR = [rr.BudgetQuestion(), rr.BudgetQuestion(3)], [rr.BudgetPair(0, 1)]
SOLVED = rr.solve_bound(PRIOR, 100, 0.2, 0.8)
BOUND = {"privacy": optional(0.2), "delta": optional(0.8), "epsilon": optional("2")}

# What is no bad value after all: None where an argument may be left out, and so on.
CALLS = named_calls(
    # designs
    valid(rr.direct, categories=3),
    valid(k_rr, categories=3, epsilon=1),
    valid(warner, p=0.7),
    valid(rr.generalized_binary, p00=0.9, p11=0.6),
    valid(rr.forced_response, p_truth=0.6, p_yes=0.2),
    valid(rr.unrelated_question, p=0.7, theta=0.2),
    valid(rr.two_stage, T=0.3, p=0.7),
    valid(rr.mangat, p=0.7),
    valid(rr.kuk, p1=0.7, p2=0.3, draws=2),
    valid(rr.crosswise, theta=0.2),
    valid(rr.triangular, theta=0.2),
    valid(library.disguised_response, p=0.7),
    valid(rr.uniform_perturbation, categories=3, q=0.5),
    valid(rr.frapp, categories=3, lam=2.0),
    valid(rr.laplace, categories=3, epsilon=1),
    valid(rr.optimal_binary, epsilon=1, delta=0.1, prevalence=0.2),
    valid(rr.optimal_warner, epsilon=1, delta=0.1),
    valid(rr.optimal_threshold, epsilon=1, delta=0.1),
    valid(rr.forced_choice, categories=2, outcomes=6, forced=1),
    valid(rr.crosswise_of, numerator=1, denominator=4, categories=LABELS),
    valid(rr.strongest_fit, categories=2, outcomes=6, epsilon=2),
    valid(rr.subset_selection, categories=4, epsilon=1, k=optional(2)),
    valid(rr.card_deck, 4, 1, optional(2), also(60, "huge|endless|None")),
    valid(rr.best_subset_size, categories=4, epsilon=1),
    valid(rr.minimax_value, categories=4, epsilon=1, k=optional(2)),
    # a design
    valid(
        DesignMatrix,
        [[0.75, 0.25], [0.25, 0.75]],
        LABELS,
        LABELS,
        "1.1",
        [[3, 1], [1, 3]],
        4,
        optional("0.1"),
    ),
    valid(
        DesignMatrix.from_integers,
        [[3, 1], [1, 3]],
        4,
        LABELS,
        LABELS,
        declared_epsilon="1.1",
        declared_delta=optional("0.1"),
    ),
    valid(COIN.epsilon_at_most, epsilon=1),
    valid(COIN.delta, epsilon=also(1, "inf")),
    valid(COIN.delta_at_most, epsilon=1, delta=0.1),
    valid(COIN.posterior, prior=PRIOR),
    valid(COIN.privacy, prior=PRIOR),
    valid(COIN.strongest_beliefs, prior=PRIOR),
    valid(COIN.worst_posterior, prior=PRIOR),
    valid(COIN.recovery_probability, prior=PRIOR),
    valid(COIN.mse, prior=PRIOR, n=10),
    valid(DIE.coarsened, report_groups=[[0], [1, 2]], truth_groups=[[0], [1, 2]]),
    valid(COIN.quantized, bits=16, accept_infinite_epsilon=also(False, "True")),
    # drawing
    valid(rr.draw_report, column_integers=[3, 1], denominator=4, random_bytes=whole_bytes),
    valid(library.uniform_below, n=also(6, "huge|endless"), random_bytes=whole_bytes),
    valid(rr.randomize, COIN, ANSWERS, whole_bytes),
    valid(rr.simulate_counts, COIN, PRIOR, 10, 1, "sample"),
    # estimation
    valid(estimate, COIN, COUNTS, "inversion", "fixed", A_PRIOR),
    valid(rr.compare_joint, [2, 3], "2", 100, optional([PRIOR, [0.2, 0.3, 0.5]]), 32),
    valid(
        rr.joint_design, also([2, 3], "object array of numbers"), 0.5, 16, "changes", optional(None)
    ),
    valid(
        library.margin_of,
        also({(0, 1): 5, 3: 2}, "empty dict"),
        also((2, 3), "object array of numbers"),
        [1],
    ),
    valid(rr.estimate_strata, [COIN, CARD], [[70, 30], [10, 5]], "mle", "fixed"),
    valid(rr.estimate_groups, [COIN, CARD], TWO_TABLES, "mle", "sample"),
    valid(estimate_joint, [COIN, CARD], also([[40, 20], [20, 20]], "empty dict"), "mle", "sample"),
    valid(rr.estimate_joint_strata, [[COIN, CARD], [CARD, COIN]], TWO_TABLES, "mle", "sample"),
    valid(rr.project_to_simplex, also([0.7, 0.4], "list of minus|too long|a hundred thousand")),
    valid(SURVEY.interval, level=0.9, method="bootstrap", seed=1),
    valid(SURVEY.possible_interval, level=0.9, method="bootstrap", seed=1),
    valid(SURVEY.covariance_of, also([1, 0], "list of minus"), also([1, -1], "list of minus")),
    valid(rr.Estimate.from_dict, stored=SURVEY.to_dict()),
    valid(library.simultaneous_intervals, A_SURVEY, 0.9, "bootstrap", seed=1),
    valid(rr.estimate_difference, A_SURVEY, also(estimate(CARD, [60, 50]), "an estimate")),
    valid(rr.estimate_difference(SURVEY, SURVEY).interval, level=0.9, method="bootstrap", seed=1),
    valid(rr.estimate_difference(SURVEY, SURVEY).score_test, alternative="less"),
    valid(TABLE.interval, level=0.9, method="wilson"),
    valid(TABLE.margin, axes=[1]),
    valid(TABLE.conditional, of_axis=1, given_axis=0),
    valid(TABLE.conditional(1, 0).interval, level=0.9, method="fieller"),
    valid(TABLE.conditional(1, 0).estimable, level=0.9),
    valid(TABLE.conditional_means, of_axis=1, given_axis=0, scores=SCORES),
    valid(TABLE.difference, of_axis=1, category=1, given_axis=0, groups=(0, 1)),
    valid(TABLE.covariance_of, contrast_a=[[1, 0], [0, 0]], contrast_b=[[1, 0], [0, 0]]),
    # association
    valid(rr.chi_square, joint=A_TABLE, correction="none"),
    valid(rr.g_squared, joint=A_TABLE, correction="none"),
    valid(rr.mutual_information, joint=A_TABLE, correction="none"),
    valid(rr.independence_test, joint=A_TABLE),
    valid(rr.cramers_v, joint=A_TABLE, correction="none"),
    valid(rr.entropy, estimate=also(SURVEY, "a joint estimate|an estimate"), correction="none"),
    valid(rr.mean_score, A_SURVEY, SCORES_OR_NONE),
    valid(rr.mean_of_answered, A_SURVEY, SCORES),
    valid(rr.mean_where_alike, estimate=ASKED, scores=SCORES, level=0.9),
    valid(rr.odds_ratio, joint=A_TABLE, rows=(0, 1), columns=(0, 1)),
    valid(rr.pearson_correlation, A_TABLE, SCORES_OR_NONE, SCORES_OR_NONE),
    valid(rr.entropy(SURVEY).interval, level=0.9),
    # bounded numbers
    valid(rr.MeanDevice, steps=1, low=1, rise=2, denominator=4),
    valid(rr.MeanDevice.from_epsilon, steps=10, epsilon=1, bits=optional(16)),
    valid(BIT.epsilon_at_most, epsilon=1),
    valid(BIT.chance, value=1, report=1),
    valid(BIT.column, value=1),
    valid(BIT.draw, ANSWERS, whole_bytes),
    valid(rr.mean_from_reports, BIT, COUNTS, also(-10, "-1|-0.5"), also(10.5, "-1|-0.5"), "fixed"),
    valid(rr.mean_from_reports(BIT, [70, 30]).interval, level=0.9, method="exact"),
    valid(rr.mean_from_reports(BIT, [70, 30]).possible_interval, level=0.9, method="exact"),
    valid(
        library.mean_margin_of_error, BIT, also(-5, "-1|-0.5"), 10, -20, also(10, "-1|-0.5"), 0.9
    ),
    valid(library.mean_sample_size, BIT, also(-5, "-1|-0.5"), 3, -20, also(10, "-1|-0.5"), 0.9),
    valid(rr.Bins, lower=also(-20, "-1|-0.5"), upper=also(10, "-1|-0.5"), steps=10, starts=(0, 5)),
    valid(rr.Bins.equal, lower=also(-20, "-1|-0.5"), upper=also(10, "-1|-0.5"), steps=10, count=3),
    valid(HALVES.bin_of, ANSWERS),
    valid(rr.mean_from_bins, estimate=A_SURVEY, bins=HALVES),
    valid(rr.mean_from_bins(SURVEY, HALVES).interval, level=0.9),
    valid(rr.distribution_from_bins, estimate=A_SURVEY, bins=HALVES),
    valid(rr.quantile_from_bins, estimate=A_SURVEY, bins=HALVES, chance=0.5),
    valid(rr.quantile_from_bins(SURVEY, HALVES).interval, level=0.9, method="even"),
    valid(rr.quantile_from_bins(SURVEY, HALVES).bin_interval, level=0.9),
    valid(
        rr.compare_number_devices,
        lower=also(-20, "-1|-0.5"),
        upper=also(10, "-1|-0.5"),
        epsilon=1,
        n=100,
        mean=optional(None),
        spread=optional(None),
        shares=also(None, "None|too long"),
        steps=10,
        bin_counts=[3, 5],
    ),
    valid(library.flip_chance, device_now=BIT, device_next=BIT),
    valid(library.relaxed_chance, previous=1, value=1, device_now=BIT, device_next=BIT),
    valid(library.relax_mean_report, 1, 1, BIT, MeanDevice(1, 1, 6, 8), whole_bytes),
    # search for designs
    valid(
        rr.search_designs,
        PRIOR,
        100,
        0.8,
        method="optrr",
        generations=2,
        seed=0,
        epsilon=optional("2"),
        progress=also(None, "None|class|function"),
        patience=also(1, "None|huge|endless"),
        levels=optional(2),
    ),
    valid(rr.mse_lower_bound, prior=PRIOR, n=100, **BOUND),
    valid(rr.solve_bound, prior=PRIOR, n=100, **BOUND),
    valid(rr.verify_certificate, certificate=SOLVED.certificate),
    valid(rr.optimal_mechanism, solution=SOLVED, reports=also(4, "None|huge|endless")),
    valid(
        rr.quantized_within,
        COIN,
        PRIOR,
        privacy=optional(0.1),
        delta=optional(0.9),
        epsilon=optional("2"),
        bits=16,
    ),
    # compliance
    valid(rr.anchor_check, COIN, COUNTS, 0.3, 0.9, optional([0.5, 0.5])),
    valid(rr.cheating_share, [COIN, warner(0.3)], [[70, 30], [40, 60]], 0.9, 0),
    valid(library.moors, p1=0.8, p2=0.3, counts1=[70, 30], counts2=[80, 20], level=0.9),
    valid(library.stochastic_lie_detector, 0.8, 0.3, [70, 30], [40, 60], 0.9),
    valid(library.bias_corrected_crosswise, 0.15, 0.2, [[20, 40], [30, 110]], 0.1, 0.9),
    valid(library.compare_with_direct, COIN, COUNTS, [90, 10], CATEGORY, "greater", 0.9),
    valid(rr.goodness_of_fit, [COIN, CARD], [[70, 30], [40, 20]], 10, 1),
    valid(rr.homogeneity_test, designs=[COIN, CARD], counts=[[70, 30], [40, 20]]),
    valid(rr.poisoning, estimate=A_SURVEY, level=0.9),
    # planning
    valid(rr.margin_of_error, COIN, 0.2, 100, 0.9, CATEGORY, "fixed", A_PRIOR),
    valid(rr.sample_size, COIN, 0.2, 0.1, 0.9, CATEGORY, "fixed", A_PRIOR),
    valid(rr.effective_sample_share, COIN, 0.2, CATEGORY, A_PRIOR),
    valid(rr.equivalent_n, estimate=A_SURVEY, category=CATEGORY),
    valid(rr.power, COIN, 0.3, 0.2, 100, 0.05, "greater", CATEGORY, "exact"),
    valid(
        library.solve_power,
        COIN,
        prevalence=0.3,
        null=0.2,
        n=100,
        power=optional(None),
        alpha=0.05,
        alternative="greater",
        category=CATEGORY,
        method="normal",
    ),
    valid(rr.solve_sample_size, COIN, 0.3, 0.2, 0.8, 0.05, "greater", CATEGORY, "normal"),
    valid(library.solve_effect, COIN, 0.2, 100, 0.8, 0.05, "greater", CATEGORY, "normal"),
    valid(library.solve_alpha, COIN, 0.3, 0.2, 100, 0.8, "greater", CATEGORY, "normal"),
    valid(library.solve_level, COIN, 0.2, 100, 0.1, CATEGORY, "fixed"),
    valid(library.solve_epsilon, 2, 0.2, 0.1, 1000, 0.9, CATEGORY, "fixed"),
    valid(
        rr.split_budget,
        QUESTIONS,
        2,
        100,
        "mean",
        also(PAIR, "empty list|empty array|generator|no rows"),
        0.9,
        "0.1",
    ),
    valid(rr.smallest_budget, QUESTIONS, 100, optional([0.3, 0.3, 0.4]), PAIR, 0.9, "0.1"),
    valid(
        rr.power_difference,
        ONE_OR_TWO,
        [0.2, 0.3],
        PEOPLE,
        0.05,
        "two-sided",
        CATEGORY,
        "normal",
        "null",
    ),
    valid(
        rr.solve_effect_difference, ONE_OR_TWO, 0.2, PEOPLE, 0.8, 0.05, "greater", CATEGORY, "null"
    ),
    valid(
        rr.solve_sample_size_difference,
        ONE_OR_TWO,
        [0.2, 0.3],
        0.8,
        1.0,
        0.05,
        "two-sided",
        CATEGORY,
        "null",
    ),
    valid(library.power_independence, [COIN, CARD], [[0.4, 0.1], [0.1, 0.4]], 100, 0.05),
    valid(
        library.solve_sample_size_independence, [COIN, CARD], [[0.4, 0.1], [0.1, 0.4]], 0.8, 0.05
    ),
    valid(
        rr.simulate_coverage, COIN, 0.2, 50, 10, 0.9, "normal", 1, "sample", "inversion", A_PRIOR
    ),
    # strings
    valid(rr.normalize_text, text=also("tea", "word"), argument=also("text", "|".join(BAD))),
    valid(
        rr.decode_strings,
        STRINGS,
        [[[3, 1]] * 4] * 2,
        ["tea", "wine"],
        0.05,
        "bonferroni",
        also(None, "None|word"),
    ),
    valid(rr.simulate_string_tallies, STRINGS, ["tea", "wine"], [0.5, 0.5], 10, 1, refusal=False),
    valid(library.draw_sample, "01", rr.BitChannel(2, 3, 1, 4, "set"), whole_bytes),
    valid(library.bit_kernel, now=STRINGS, later=STRINGS),
    valid(
        library.relax_response,
        "0101",
        also("tea", "word|None"),
        0,
        STRINGS,
        rr.Rappor(4, 1, 2, "0.25"),
        whole_bytes,
    ),
    valid(library.budget_after_samples, epsilon_permanent=1, epsilon_sample=1, samples=3),
    valid(library.relaxed_bit_variance, epsilon=1, n=10),
    valid(library.sampled_bit_variance, epsilon_permanent=1, epsilon_sample=1, samples=3, n=10),
    valid(library.detectable_share, STRINGS, 100, 3, 0.05, 0.8),
    valid(rr.suggest_rappor, epsilon=1, n=100, candidates=3, false_discovery_rate=0.05, power=0.8),
    # accounting
    valid(Randomized, epsilon=1),
    valid(Composition, events=also([EVENT], "empty list|empty array|no rows|generator")),
    valid(Relaxation, events=[Randomized(1), Randomized(2)]),
    valid(rr.total_epsilon, event=also(EVENT, "an event")),
    valid(library.randomized_epsilon, event=also(EVENT, "an event")),
    valid(library.within_budget, event=also(EVENT, "an event"), budget=2),
)
