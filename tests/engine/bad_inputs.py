"""A valid call of every public callable, and values that no argument of the kind may take."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from inspect import Parameter, signature

import numpy as np

import rr_engine as rr

NAN, INF = float("nan"), float("inf")
HUGE = 10**400  # no float holds it
ENDLESS = 10**5000  # and Python refuses to write this one out
COIN, DIE, CARD = rr.warner(0.8), rr.k_rr(3, 1), rr.k_rr(["No", "Yes"], "1.1")
STRINGS = rr.rappor.Rappor(4, 1, 2, "0.5")
SURVEY = rr.estimate(COIN, [70, 30])
ASKED = rr.estimate(rr.designs.direct(2), [70, 30])
TABLE = rr.estimate_joint([COIN, CARD], [[40, 20], [20, 20]])
BIT, HALVES = rr.bounded.MeanDevice(1, 1, 2, 4), rr.bounded.Bins(0, 10, 1, (0, 1))
EVENT = rr.privacy.Composition([rr.privacy.Randomized("1"), rr.privacy.Direct()])


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


EMPTY = Parameter.empty
# No bad values after all wherever an argument has this name.
ALWAYS = {
    "design": "a device",
    "directed": "True|numpy True",
    "intercept": "True|numpy True",
    "rng": "None|huge|endless",
    "seed": "huge|endless",
}
DEVICES = "devices|three devices"


def also(value: object, kinds: str) -> Also:
    """Return an argument that takes these kinds of BAD, parted by bars."""
    return Also(value, kinds)


def optional(value: object) -> Also:
    """Return an argument that may be None, though that is not what it is by default."""
    return Also(value, "None")


def required(value: object) -> Also:
    """Return an argument that is None by default, and then must not be None beside the others."""
    return Also(value, "")


def valid(function: Callable[..., object], /, *values: object, **named: object) -> Call:
    """Write a valid call down, each argument as its value or as `also` has it.

    What is left out has its default, and what is None by default may be None.
    """
    parameters = signature(function).parameters
    defaults = {name: part.default for name, part in parameters.items()}
    given = dict(zip(parameters, values, strict=False)) | named
    arguments = {
        name: default for name, default in defaults.items() if default is not EMPTY
    } | given
    for name, value in arguments.items():
        if not isinstance(value, Also):
            by_default = "None" if defaults[name] is None else ""
            arguments[name] = Also(value, ALWAYS.get(name, by_default))
    allowed = {name: frozenset(a.kinds.split("|")) - {""} for name, a in arguments.items()}
    return Call(function, {name: a.value for name, a in arguments.items()}, allowed)


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
LABELS = ["No", "Yes"]
A_SURVEY, A_TABLE = also(SURVEY, "an estimate"), also(TABLE, "a joint estimate")
ANSWERS = also([0, 1], "empty list|empty array|a hundred thousand|list of bool")
SCORES, SCORES_OR_NONE = also([0, 1], "list of minus"), also([0, 1], "None|list of minus")
ONE_OR_TWO = also([COIN, CARD], "a device")
PEOPLE = also([100, 120], "object array of numbers")
TWO_TABLES = [[[40, 20], [20, 20]], [[4, 2], [2, 2]]]
QUESTIONS, PAIR = (
    [rr.spending.BudgetQuestion(), rr.spending.BudgetQuestion(3)],
    [rr.spending.BudgetPair(0, 1)],
)
SOLVED = rr.optimisation.solve_bound(PRIOR, 100, 0.2, 0.8)
BOUND = {"privacy": 0.2, "delta": 0.8, "epsilon": "2"}
PLANNED = {"category": 1, "alternative": "greater"}
COMPARED = {"category": 1, "variance": "null"}
NOTHING = "empty list|empty array|generator|no rows"
A_SHAPE, A_TUPLE = (also(shape, "object array of numbers") for shape in ([2, 3], (2, 3)))
SWITCH = also(False, "True|numpy True")
BELOW, ABOVE = also(-20, "-1|-0.5"), also(10, "-1|-0.5")

# What is no bad value after all: None where an argument may be left out, and so on.
CALLS = named_calls(
    # designs
    valid(rr.designs.direct, categories=3),
    valid(rr.k_rr, categories=3, epsilon=1),
    valid(rr.warner, p=0.7),
    valid(rr.designs.generalized_binary, p00=0.9, p11=0.6),
    valid(rr.forced_response, p_truth=0.6, p_yes=0.2),
    valid(rr.unrelated_question, p=0.7, theta=0.2),
    valid(rr.designs.two_stage, T=0.3, p=0.7),
    valid(rr.designs.mangat, p=0.7),
    valid(rr.kuk, p1=0.7, p2=0.3, draws=2),
    valid(rr.crosswise, theta=0.2),
    valid(rr.triangular, theta=0.2),
    valid(rr.designs.disguised_response, p=0.7),
    valid(rr.designs.uniform_perturbation, categories=3, q=0.5),
    valid(rr.designs.frapp, categories=3, lam=2.0),
    valid(rr.designs.laplace, categories=3, epsilon=1),
    valid(rr.designs.optimal_binary, epsilon=1, delta=0.1, prevalence=0.2),
    valid(rr.designs.optimal_warner, epsilon=1, delta=0.1),
    valid(rr.designs.optimal_threshold, epsilon=1, delta=0.1),
    valid(rr.designs.forced_choice, categories=2, outcomes=6, forced=1),
    valid(rr.designs.crosswise_of, numerator=1, denominator=4, categories=optional(LABELS)),
    valid(rr.designs.strongest_fit, categories=2, outcomes=6, epsilon=2),
    valid(rr.designs.subset_selection, categories=4, epsilon=1, k=2),
    valid(rr.designs.near_orders, items=3, epsilon=1, radius=optional(1), refusal=SWITCH),
    valid(rr.designs.mallows, items=3, epsilon=1, refusal=SWITCH),
    valid(rr.designs.RankingDevice, items=2, weights=[3, 1], denominator=4),
    valid(rr.designs.card_deck, 4, 1, 2, also(60, "huge|endless|None")),
    valid(rr.designs.best_subset_size, categories=4, epsilon=1),
    valid(rr.designs.minimax_value, categories=4, epsilon=1, k=2),
    # a design: its integers, denominator and epsilon go together
    valid(
        rr.DesignMatrix,
        *([[0.75, 0.25], [0.25, 0.75]], LABELS, LABELS),
        *(required("1.1"), required([[3, 1], [1, 3]]), required(4), "0.1"),
    ),
    valid(
        rr.DesignMatrix.from_integers,
        *([[3, 1], [1, 3]], 4, LABELS, LABELS),
        declared_epsilon=required("1.1"),
        declared_delta="0.1",
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
    valid(rr.designs.draw_report, column_integers=[3, 1], denominator=4, random_bytes=whole_bytes),
    valid(rr.designs.uniform_below, n=also(6, "huge|endless"), random_bytes=whole_bytes),
    valid(rr.randomize, COIN, ANSWERS, whole_bytes),
    valid(rr.simulate_counts, COIN, PRIOR, 10, 1),
    # estimation
    valid(rr.estimate, COIN, COUNTS, population="fixed", prior=PRIOR),
    valid(rr.spending.compare_joint, [2, 3], "2", 100, [PRIOR, [0.2, 0.3, 0.5]]),
    valid(rr.channels.joint_design, A_SHAPE, required(0.5), 16),
    valid(rr.channels.margin_of, also({(0, 1): 5, 3: 2}, "empty dict"), A_TUPLE, [1]),
    valid(rr.estimate_strata, [COIN, CARD], [[70, 30], [10, 5]], "mle", "fixed"),
    valid(rr.estimation.estimate_groups, [COIN, CARD], TWO_TABLES, "mle"),
    valid(rr.estimate_joint, [COIN, CARD], also([[40, 20], [20, 20]], "empty dict"), "mle"),
    valid(rr.joint.estimate_joint_strata, [[COIN, CARD], [CARD, COIN]], TWO_TABLES, "mle"),
    valid(
        rr.estimation.project_to_simplex,
        also([0.7, 0.4], "list of minus|too long|a hundred thousand"),
    ),
    valid(SURVEY.interval, level=0.9, method="bootstrap", seed=1),
    valid(SURVEY.possible_interval, level=0.9, method="bootstrap", seed=1),
    valid(SURVEY.covariance_of, also([1, 0], "list of minus"), also([1, -1], "list of minus")),
    valid(rr.Estimate.from_dict, stored=SURVEY.to_dict()),
    valid(rr.estimation.simultaneous_intervals, A_SURVEY, 0.9, "bootstrap", seed=1),
    valid(rr.estimate_difference, A_SURVEY, also(rr.estimate(CARD, [60, 50]), "an estimate")),
    valid(rr.estimate_difference(SURVEY, SURVEY).interval, level=0.9, method="bootstrap", seed=1),
    valid(rr.estimate_difference(SURVEY, SURVEY).score_test, alternative="less"),
    valid(TABLE.interval, level=0.9, method="wilson"),
    valid(TABLE.margin, axes=[1]),
    valid(TABLE.conditional, of_axis=1, given_axis=0),
    valid(TABLE.conditional(1, 0).interval, level=0.9, method="fieller"),
    valid(TABLE.conditional(1, 0).estimable, level=0.9),
    valid(TABLE.conditional_means, of_axis=1, given_axis=0, scores=SCORES),
    valid(TABLE.difference, of_axis=1, category=1, given_axis=0),
    valid(TABLE.covariance_of, contrast_a=[[1, 0], [0, 0]], contrast_b=[[1, 0], [0, 0]]),
    # association
    valid(rr.association.chi_square, joint=A_TABLE, correction="none"),
    valid(rr.association.g_squared, joint=A_TABLE, correction="none"),
    valid(rr.association.mutual_information, joint=A_TABLE, correction="none"),
    valid(rr.independence_test, joint=A_TABLE),
    valid(rr.association.cramers_v, joint=A_TABLE, correction="none"),
    valid(
        rr.association.entropy,
        estimate=also(SURVEY, "a joint estimate|an estimate"),
        correction="none",
    ),
    valid(rr.association.mean_score, A_SURVEY, SCORES_OR_NONE),
    valid(rr.association.mean_of_answered, A_SURVEY, SCORES),
    valid(rr.association.subgroup_shares, A_SURVEY, 0),
    valid(rr.association.subgroup_shares(SURVEY, 0).interval, level=0.9, method="score"),
    valid(rr.association.mean_where_alike, estimate=ASKED, scores=SCORES, level=0.9),
    valid(rr.association.odds_ratio, joint=A_TABLE),
    valid(rr.association.pearson_correlation, A_TABLE, SCORES_OR_NONE, SCORES_OR_NONE),
    valid(rr.association.entropy(SURVEY).interval, level=0.9),
    # bounded numbers
    valid(rr.bounded.MeanDevice, steps=1, low=1, rise=2, denominator=4),
    valid(rr.bounded.MeanDevice.from_epsilon, steps=10, epsilon=1, bits=16),
    valid(BIT.epsilon_at_most, epsilon=1),
    valid(BIT.chance, value=1),
    valid(BIT.column, value=1),
    valid(BIT.draw, ANSWERS, whole_bytes),
    valid(
        rr.bounded.mean_from_reports,
        BIT,
        COUNTS,
        also(-10, "-1|-0.5"),
        also(10.5, "-1|-0.5"),
        "fixed",
    ),
    valid(rr.bounded.mean_from_reports(BIT, [70, 30]).interval, level=0.9, method="exact"),
    valid(rr.bounded.mean_from_reports(BIT, [70, 30]).possible_interval, level=0.9, method="exact"),
    valid(rr.bounded.mean_margin_of_error, BIT, also(-5, "-1|-0.5"), 10, -20, ABOVE, level=0.9),
    valid(rr.bounded.mean_sample_size, BIT, also(-5, "-1|-0.5"), 3, -20, ABOVE, level=0.9),
    valid(rr.bounded.Bins, lower=BELOW, upper=ABOVE, steps=10, starts=(0, 5)),
    valid(rr.bounded.Bins.equal, lower=BELOW, upper=ABOVE, steps=10, count=3),
    valid(HALVES.bin_of, ANSWERS),
    valid(rr.bounded.mean_from_bins, estimate=A_SURVEY, bins=HALVES),
    valid(rr.bounded.mean_from_bins(SURVEY, HALVES).interval, level=0.9),
    valid(rr.bounded.distribution_from_bins, estimate=A_SURVEY, bins=HALVES),
    valid(rr.bounded.quantile_from_bins, estimate=A_SURVEY, bins=HALVES),
    valid(rr.bounded.quantile_from_bins(SURVEY, HALVES).interval, level=0.9, method="even"),
    valid(rr.bounded.quantile_from_bins(SURVEY, HALVES).bin_interval, level=0.9),
    valid(
        rr.bounded.compare_number_devices,
        *(BELOW, ABOVE, 1, 100),
        shares=also(None, "None|too long"),
        steps=10,
        bin_counts=[3, 5],
    ),
    valid(rr.bounded.flip_chance, device_now=BIT, device_next=BIT),
    valid(rr.bounded.relaxed_chance, previous=1, value=1, device_now=BIT, device_next=BIT),
    valid(rr.bounded.relax_mean_report, 1, 1, BIT, rr.bounded.MeanDevice(1, 1, 6, 8), whole_bytes),
    # search for designs
    valid(
        rr.optimisation.search_designs,
        *(PRIOR, 100, 0.8),
        generations=2,
        epsilon="2",
        progress=also(None, "None|class|function"),
        patience=also(1, "None|huge|endless"),
        levels=2,
    ),
    valid(rr.optimisation.mse_lower_bound, prior=PRIOR, n=100, **BOUND),
    valid(rr.optimisation.solve_bound, prior=PRIOR, n=100, **BOUND),
    valid(rr.optimisation.verify_certificate, certificate=SOLVED.certificate),
    valid(rr.optimisation.optimal_mechanism, solution=SOLVED, reports=also(4, "None|huge|endless")),
    valid(
        rr.optimisation.quantized_within, COIN, PRIOR, privacy=0.1, delta=0.9, epsilon="2", bits=16
    ),
    # compliance
    valid(rr.compliance.anchor_check, COIN, COUNTS, 0.3, 0.9, [0.5, 0.5]),
    valid(rr.compliance.cheating_share, [COIN, rr.warner(0.3)], [[70, 30], [40, 60]], 0.9),
    valid(rr.compliance.moors, p1=0.8, p2=0.3, counts1=[70, 30], counts2=[80, 20], level=0.9),
    valid(rr.compliance.stochastic_lie_detector, 0.8, 0.3, [70, 30], [40, 60], 0.9),
    valid(rr.compliance.bias_corrected_crosswise, 0.15, 0.2, [[20, 40], [30, 110]], 0.1, 0.9),
    valid(rr.compare_with_direct, COIN, COUNTS, [90, 10], 1, "greater", 0.9),
    valid(rr.compliance.goodness_of_fit, [COIN, CARD], [[70, 30], [40, 20]], 10, 1),
    valid(rr.compliance.homogeneity_test, designs=[COIN, CARD], counts=[[70, 30], [40, 20]]),
    valid(rr.compliance.poisoning, estimate=A_SURVEY, level=0.9),
    # planning
    valid(rr.margin_of_error, COIN, 0.2, 100, 0.9, 1, "fixed", PRIOR),
    valid(rr.sample_size, COIN, 0.2, 0.1, 0.9, 1, "fixed", PRIOR),
    valid(rr.planning.effective_sample_share, COIN, 0.2, 1, PRIOR),
    valid(rr.planning.equivalent_n, estimate=A_SURVEY, category=1),
    valid(rr.power, COIN, 0.3, 0.2, 100, **PLANNED),
    valid(
        rr.planning.power_curve,
        COIN,
        0.3,
        0.2,
        also([100, 200], "a hundred thousand|object array of numbers"),
        method="normal",
        **PLANNED,
    ),
    valid(rr.planning.solve_power, COIN, 0.3, 0.2, 100, optional(None), method="normal", **PLANNED),
    valid(rr.solve_sample_size, COIN, 0.3, 0.2, method="normal", **PLANNED),
    valid(rr.planning.solve_effect, COIN, 0.2, 100, method="normal", category=1),
    valid(rr.planning.solve_alpha, COIN, 0.3, 0.2, 100, method="normal", **PLANNED),
    valid(rr.planning.solve_level, COIN, 0.2, 100, 0.1, 1, "fixed"),
    valid(rr.planning.solve_epsilon, 2, 0.2, 0.1, 1000, 0.9, 1, "fixed"),
    valid(rr.spending.split_budget, QUESTIONS, 2, 100, "mean", also(PAIR, NOTHING), 0.9, "0.1"),
    valid(rr.spending.smallest_budget, QUESTIONS, 100, optional([0.3, 0.3, 0.4]), PAIR, 0.9, "0.1"),
    valid(rr.planning.power_difference, ONE_OR_TWO, [0.2, 0.3], PEOPLE, **COMPARED),
    valid(rr.planning.solve_effect_difference, ONE_OR_TWO, 0.2, PEOPLE, **COMPARED),
    valid(rr.planning.solve_sample_size_difference, ONE_OR_TWO, [0.2, 0.3], **COMPARED),
    valid(rr.planning.power_independence, [COIN, CARD], [[0.4, 0.1], [0.1, 0.4]], 100),
    valid(rr.planning.solve_sample_size_independence, [COIN, CARD], [[0.4, 0.1], [0.1, 0.4]]),
    valid(rr.planning.simulate_coverage, COIN, 0.2, 50, 10, 0.9, "normal", 1, prior=PRIOR),
    # strings
    valid(rr.rappor.normalize_text, text=also("tea", "word"), argument=also("text", "|".join(BAD))),
    valid(
        rr.rappor.decode_strings,
        *(STRINGS, [[[3, 1]] * 4] * 2, ["tea", "wine"]),
        correction="bonferroni",
        refusal=also(None, "None|word"),
    ),
    valid(rr.rappor.simulate_string_tallies, STRINGS, ["tea", "wine"], [0.5, 0.5], 10, 1),
    valid(rr.rappor.draw_sample, "01", rr.channels.BitChannel(2, 3, 1, 4, "set"), whole_bytes),
    valid(rr.rappor.bit_kernel, now=STRINGS, later=STRINGS),
    valid(
        rr.rappor.relax_response,
        *("0101", also("tea", "word|None"), 0),
        *(STRINGS, rr.rappor.Rappor(4, 1, 2, "0.25"), whole_bytes),
    ),
    valid(rr.rappor.budget_after_samples, epsilon_permanent=1, epsilon_sample=1, samples=3),
    valid(rr.rappor.relaxed_bit_variance, epsilon=1, n=10),
    valid(rr.rappor.sampled_bit_variance, epsilon_permanent=1, epsilon_sample=1, samples=3, n=10),
    valid(rr.rappor.detectable_share, STRINGS, 100, 3, power=0.8),
    valid(rr.rappor.suggest_rappor, epsilon=1, n=100, candidates=3),
    # accounting
    valid(rr.privacy.Randomized, epsilon=1),
    valid(rr.privacy.Composition, events=also([EVENT], NOTHING)),
    valid(rr.privacy.Relaxation, events=[rr.privacy.Randomized(1), rr.privacy.Randomized(2)]),
    valid(rr.privacy.total_epsilon, event=also(EVENT, "an event")),
    valid(rr.privacy.randomized_epsilon, event=also(EVENT, "an event")),
    valid(rr.privacy.within_budget, event=also(EVENT, "an event"), budget=2),
)
