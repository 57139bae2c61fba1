"""Recompute every estimate of a survey from its downloads, and compare it with the published one.

Put into one folder what the section "Downloads" of the results offers: the frozen parameters and
the randomized reports, the estimated shares and, where there are some, the weighted results and the
combinations of answers; of a survey in several waves also the parameters of the earlier ones. Of a
survey in tiers take the files of one tier. Then run

    python recompute.py FOLDER

It writes FOLDER/recomputed.csv, prints the largest difference from each published file, and ends
with exit code 1 if a number differs or is missing. It needs Python 3.11 and NumPy.

Estimates and standard errors are computed here, from the integers of the devices' tables and the
reports alone; so are the intervals that follow from them by a formula: means of numbers in bins
and of scales, ranks, ratios (Fieller), counts of a network. Two things are long and come from
Candor's library, rr_engine: the intervals of shares and of quartiles, which invert a test, and the
shares of short texts. Without the library they are left out, and the program says so. NOT
recomputed are the intervals of weighted results and of the distribution of degrees. Which answers
to direct questions stand together ("a + b") is read off the published tables. `recompute.R` is the
same in R.
"""

import csv
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from importlib.util import find_spec
from itertools import combinations, permutations, product
from math import comb
from pathlib import Path
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]
Row = dict[str, str]
# Question, group_by, group, answer and share_of of a row of estimates.csv.
Key = tuple[str, ...]

HAS_ENGINE = find_spec("rr_engine") is not None
Z = NormalDist().inv_cdf(0.975)
QUARTILES = (0.25, 0.5, 0.75)
# Differences up to this are rounding: absolute, and relative to the published number.
ROUNDING, RELATIVE = 1e-9, 1e-6
# A standard error smaller than its interval by this factor is rounding: it is published as empty.
VANISHED = 1e-6
# Combinations of answers up to which the table of a whole group of questions is inverted.
MOST_COMBINATIONS = 1024
# The items of a ranking up to which the shares of whole orders are published.
MOST_WITH_ORDERS = 4


class Numbers(NamedTuple):
    """What stands in one row; None: not known, or not computed here."""

    n: int
    estimate: float | None
    error: float | None
    low: float | None = None
    high: float | None = None


# --- the files ----------------------------------------------------------------------------------


def file_of(folder: Path, name: str) -> Path | None:
    """The one file of this kind, under the name of the download or of the documentation."""
    pattern = re.compile(rf"(.*-)?{name}( ?\(\d+\))?\.csv")
    files = sorted(path for path in folder.glob("*.csv") if pattern.fullmatch(path.name))
    if len(files) > 1:
        sys.exit(f"Several files are {name}.csv: {', '.join(path.name for path in files)}")
    return files[0] if files else None


def rows_of(path: Path | None) -> list[Row]:
    if path is None:
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def waves_of(folder: Path) -> list[dict[str, Any]]:
    """The frozen parameters of all waves, the newest first."""
    documents = [json.loads(path.read_text(encoding="utf-8")) for path in folder.glob("*.json")]
    found = {d["wave"]: d for d in documents if isinstance(d, dict) and "devices" in d}
    newest = max(found, default=0)
    missing = [str(wave) for wave in range(1, newest + 1) if wave not in found]
    if not found or (missing and found[newest]["mode"] == "pseudonymous"):
        sys.exit(f"The parameters are missing{': wave ' + ', '.join(missing) if missing else ''}")
    return [found[wave] for wave in sorted(found, reverse=True)]


# --- devices ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Device:
    """How one question is sent: `table[u][v]` out of `denominator` is the chance of report u if v
    is the true answer. `place`: which of the questions of one report it is, and `sizes` of them.
    """

    id: str
    stratum: str
    wave: int
    questions: tuple[str, ...]
    option: int | None
    table: tuple[tuple[int, ...], ...]
    denominator: int
    guess: tuple[float, ...] | None = None
    sent_as: str = ""
    place: int | None = None
    sizes: tuple[int, ...] = ()

    @property
    def matrix(self) -> Floats:
        return np.array(self.table, dtype=float) / self.denominator


def uniform(size: int, kept: int, other: int) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(kept if u == v else other for v in range(size)) for u in range(size))


def table_of(table: dict[str, Any]) -> tuple[tuple[int, ...], ...]:
    """The integers of a device of one question."""
    if table["form"] == "uniform":
        return uniform(len(table["reports"]), table["kept"], table["other"])
    if table["form"] == "ranking":
        return ranking_table(table)
    if table["form"] == "linear":
        # The chance of the second report rises evenly with the number: two ends tell all of it.
        ends = (table["low"], table["low"] + table["rise"] * table["steps"])
        return (tuple(table["denominator"] - end for end in ends), ends)
    return tuple(zip(*table["columns"], strict=True))


def ranking_table(table: dict[str, Any]) -> tuple[tuple[int, ...], ...]:
    """The integers of all orders by their numbers: of the pairs that are the other way round."""
    orders = np.array(list(permutations(range(table["items"]))))
    places = np.argsort(orders, axis=1)
    first, second = np.triu_indices(table["items"], 1)
    signs = np.where(places[:, first] < places[:, second], 1, -1)
    weights = np.array(table["weights"])[(len(first) - signs @ signs.T) // 2]
    if table["refusal"] is not None:
        reported, kept, each = table["refusal"]
        weights = np.pad(weights, (0, 1), constant_values=reported)
        weights[:-1, -1], weights[-1, -1] = each, kept
    return tuple(map(tuple, weights.tolist()))


def joint_chance(weights: Sequence[int], others: Sequence[int], changed: int) -> int:
    """The chance, as an integer, that so many of some answers change, in any way the others do.

    `weights[m]` is that of one combination in which m answers have changed, `others` the numbers of
    answers to the questions that do not matter.
    """
    total = 0
    for moves in product((0, 1), repeat=len(others)):
        ways = 1
        for size, moved in zip(others, moves, strict=True):
            ways *= (size - 1) ** moved
        total += ways * weights[changed + sum(moves)]
    return total


def joint_table(table: dict[str, Any], places: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The integers for some of the questions that one report is about, their codes in a row."""
    sizes = [len(reports) for reports in table["parts"]]
    others = [size for place, size in enumerate(sizes) if place not in places]
    chances = [joint_chance(table["weights"], others, m) for m in range(len(places) + 1)]
    cells = list(product(*(range(sizes[place]) for place in places)))
    return tuple(
        tuple(chances[sum(a != b for a, b in zip(u, v, strict=True))] for v in cells) for u in cells
    )


def devices_in(parameters: dict[str, Any]) -> Iterator[Device]:
    """Every device that has a table; of questions that are sent together the part of each."""
    for device in parameters["devices"]:
        table = device["table"]
        if table["form"] in ("ties", "bloom"):
            continue
        about = (device["stratum"], parameters["wave"])
        if table["form"] != "joint":
            search = device.get("search")
            guess = tuple(map(float, search["prior"])) if search else None
            asked = (tuple(device["questions"]), device["option"])
            integers = table_of(table)
            yield Device(device["id"], *about, *asked, integers, table["denominator"], guess)
            continue
        sizes = tuple(len(reports) for reports in table["parts"])
        for place, name in enumerate(device["questions"]):
            integers = joint_table(table, [place])
            sent = {"sent_as": device["id"], "place": place, "sizes": sizes}
            yield Device(name, *about, (name,), None, integers, table["denominator"], **sent)


# --- the estimate -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Stratum:
    """The reports that came out of one device: its matrix, and how often each report came in."""

    matrix: Floats
    counts: Floats


# The table of questions that are sent together, and which of them are meant.
Joint = tuple[dict[str, Any], Sequence[int]]


@dataclass(frozen=True)
class Shares:
    """Shares and their covariance; None where one report tells no error."""

    strata: list[Stratum]
    population: str
    guess: tuple[float, ...] | None
    n: int
    values: Floats
    covariance: Floats | None
    joint: Joint | None = None

    @property
    def errors(self) -> list[float | None]:
        if self.covariance is None:
            return [None] * len(self.values)
        return np.sqrt(np.maximum(np.diag(self.covariance), 0)).tolist()

    def by_library(self) -> Any:
        """The same estimate by the library, for the intervals that invert a test."""
        import rr_engine

        counts = [stratum.counts.astype(int) for stratum in self.strata]
        if self.joint is not None:
            table, places = self.joint
            sizes = tuple(len(reports) for reports in table["parts"])
            whole = rr_engine.channels.JointChannel(sizes, table["weights"], table["denominator"])
            shape = [sizes[place] for place in places]
            sums = np.sum(counts, axis=0).reshape(shape)
            margin = whole.margin(places)
            return rr_engine.estimate_joint([margin], sums, population=self.population)
        designs = [rr_engine.DesignMatrix(stratum.matrix) for stratum in self.strata]
        if len(designs) > 1:
            return rr_engine.estimate_strata(designs, counts, population=self.population)
        return rr_engine.estimate(
            designs[0], counts[0], population=self.population, prior=self.guess
        )

    def numbers(self) -> list[Numbers]:
        ends = [[None, None]] * len(self.values)
        if HAS_ENGINE:
            ends = self.by_library().interval(0.95).reshape(-1, 2).tolist()
        rows = zip(self.values.tolist(), self.errors, ends, strict=True)
        return [Numbers(self.n, value, error, *pair) for value, error, pair in rows]

    def contrast(self, slopes: Floats) -> float | None:
        """The standard error of a weighted sum of the shares."""
        if self.covariance is None:
            return None
        return root(float(slopes @ self.covariance @ slopes))


def root(variance: float) -> float:
    """The square root of a variance, which rounding may have put below 0."""
    return float(np.sqrt(max(variance, 0.0)))


def left_inverse(matrix: Floats, guess: Floats | None = None) -> Floats:
    """G with G P = 1: the inverse or, of more reports than answers, weighted least squares, the
    weights being the reports expected under equal shares, or under the guess of before launch.
    """
    size = matrix.shape[1]
    expected = matrix @ (np.full(size, 1 / size) if guess is None else guess)
    weights = 1 / np.sqrt(np.maximum(expected, 1e-12))
    orthogonal, triangle = np.linalg.qr(matrix * weights[:, None])
    return np.linalg.solve(triangle, orthogonal.T) * weights


def projected(shares: Floats) -> Floats:
    """The nearest shares that can be."""
    descending = np.sort(shares)[::-1]
    excess = (np.cumsum(descending) - 1) / np.arange(1, len(shares) + 1)
    inside = np.maximum(shares - excess[np.flatnonzero(descending > excess)[-1]], 0)
    return np.asarray(inside / inside.sum())


def used_strata(strata: Sequence[Stratum]) -> list[Stratum]:
    """Those with reports, of which those with the same device are put together."""
    merged: list[Stratum] = []
    for stratum in strata:
        flat = Stratum(stratum.matrix, np.asarray(stratum.counts, dtype=float).ravel())
        same = [k for k, each in enumerate(merged) if np.array_equal(each.matrix, flat.matrix)]
        if same:
            flat = Stratum(flat.matrix, flat.counts + merged[same[0]].counts)
            merged[same[0]] = flat
        else:
            merged.append(flat)
    return [stratum for stratum in merged if stratum.counts.sum() > 0]


def estimate(
    strata: Sequence[Stratum],
    population: str,
    guess: tuple[float, ...] | None = None,
    joint: Joint | None = None,
) -> Shares:
    """Unbiased shares of the answers behind the reports of one or several devices.

    Several are stacked, each with its share of the reports: A = (n_s/n) P_s, pi = G lam. The
    covariance of a sample V solves V = G diag(A pi) G'/n - sum_s M_s (pi pi' - V) M_s'/n_s with
    M_s = G_s A_s; of one device that is (G diag(lam) G' - pi pi')/(n - 1). Of a fixed group only
    the device errs. docs/methods/estimation.md.
    """
    used = used_strata(strata)
    sizes = [float(stratum.counts.sum()) for stratum in used]
    n = sum(sizes)
    blocks = [size / n * stratum.matrix for size, stratum in zip(sizes, used, strict=True)]
    stacked, reported = np.vstack(blocks), np.concatenate([s.counts for s in used]) / n
    inverse = left_inverse(stacked, None if guess is None else np.array(guess))
    values = inverse @ reported
    parts, start = [], 0
    for block in blocks:
        parts.append(inverse[:, start : start + len(block)] @ block)
        start += len(block)
    square = stacked.shape[0] == stacked.shape[1]

    def covariance_at(shares: Floats, fitted: Floats) -> Floats:
        if len(used) == 1:
            spread = (inverse * fitted) @ inverse.T
            if population == "fixed":
                return np.asarray((spread - np.diag(shares)) / n)
            return np.asarray((spread - np.outer(shares, shares)) / (n - 1))
        found = first = (inverse * (stacked @ shares)) @ inverse.T / n - _mixed(
            np.outer(shares, shares), parts, sizes
        )
        for _ in range(1000):
            following = first + _mixed(found, parts, sizes)
            moved = np.abs(following - found).max()
            found = following
            if moved <= 1e-14 * np.abs(found).max():
                break
        if population == "fixed":
            found = found - (np.diag(shares) - np.outer(shares, shares) + found) / n
        return np.asarray(found)

    fitted = reported if square and len(used) == 1 else stacked @ values
    covariance = None
    if min(sizes) > 1 or (len(used) == 1 and population == "fixed"):
        covariance = covariance_at(values, fitted)
        shares_lead = len(used) > 1 or population == "fixed"
        if (values if shares_lead else fitted).min() < 0 and is_indefinite(covariance):
            nearest = projected(values)
            covariance = covariance_at(nearest, stacked @ nearest)
    return Shares(used, population, guess, int(n), values, covariance, joint)


def _mixed(square: Floats, parts: Sequence[Floats], sizes: Sequence[float]) -> Floats:
    terms = [part @ square @ part.T / size for part, size in zip(parts, sizes, strict=True)]
    return np.asarray(np.sum(terms, axis=0))


def is_indefinite(covariance: Floats) -> bool:
    """Whether shares outside of what can be have made some variance negative."""
    floor = 1e-12 * max(1.0, float(np.abs(covariance).max()))
    try:
        np.linalg.cholesky(covariance + floor * np.eye(len(covariance)))
    except np.linalg.LinAlgError:
        return True
    return False


def fieller(
    over: float, under: float, moments: tuple[float, float, float], factor: float
) -> tuple[float, float]:
    """The ratios that both estimates do not contradict; 0 to 1 where they allow anything.

    `moments`: the variance of the numerator, the covariance, the variance of the denominator.
    """
    first, both, second = moments
    square = under**2 - factor**2 * second
    if under <= 0 or square <= 0:
        return 0.0, 1.0
    middle = over * under - factor**2 * both
    reach = root(middle**2 - square * (over**2 - factor**2 * first))
    return (middle - reach) / square, (middle + reach) / square


# --- a survey -----------------------------------------------------------------------------------


@dataclass
class Survey:
    """The parameters of all waves, the newest first, and the rows of both files."""

    waves: list[dict[str, Any]]
    reports: list[Row]
    published: list[Row]
    found: dict[Key, Numbers] = field(default_factory=dict)
    left_out: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        newest = self.waves[0]
        self.together = newest["linkage"] == "together"
        # Only these reports say in which wave they were sent.
        self.returning = newest["mode"] == "pseudonymous"
        self.population = newest.get("population", "sample")
        self.threshold = max(newest.get("release_threshold", 1), 1)
        self.devices = [device for wave in self.waves for device in devices_in(wave)]
        uses = Counter(device.id for device in devices_in(newest))
        self.several = {name for name, count in uses.items() if count > 1}
        self.in_tables = np.array([row.get("in.tables", "1") == "1" for row in self.reports])
        self.codes_by_device = {device: self._codes(device) for device in self.devices}

    def _codes(self, device: Device) -> Codes:
        """The code of each row's report of a device; -1 without one."""
        read = self._code_of_person if self.together else self._code_of_report
        return np.array([read(row, device) for row in self.reports], dtype=np.int64)

    def _code_of_person(self, row: Row, device: Device) -> int:
        if self.returning and int(row["wave"]) != device.wave:
            return -1
        if device.id in self.several and row.get(f"{device.id}.stratum") != device.stratum:
            return -1
        # Empty or less than 0: no report, with the reason; no column: held back of everybody.
        return max(int(row.get(device.id) or -1), -1)

    def _code_of_report(self, row: Row, device: Device) -> int:
        if (row["variable"], row["stratum"]) != (device.sent_as or device.id, device.stratum):
            return -1
        code = int(row["code"])
        if device.place is None:
            return code
        # The code numbers combinations, the last question running fastest.
        return int(np.unravel_index(code, device.sizes)[device.place])

    def counts(self, *devices: Device, people: npt.NDArray[np.bool_] | None = None) -> Floats:
        """How often each combination of codes of these devices was sent by a person."""
        columns = [self.codes_by_device[device] for device in devices]
        both = np.all([column >= 0 for column in columns], axis=0)
        both &= True if people is None else people
        shape = tuple(len(device.table) for device in devices)
        places = np.ravel_multi_index([column[both] for column in columns], shape)
        return np.bincount(places, minlength=int(np.prod(shape))).reshape(shape).astype(float)

    def of(self, question: str) -> list[Device]:
        return [device for device in self.devices if question in device.questions]

    def is_direct(self, question: str) -> bool:
        return all(device.denominator == 1 for device in self.of(question))

    def enter(self, name: str, answer: str, of: str, numbers: Numbers) -> None:
        self.found[name, "", "", answer, of] = numbers


def single_questions(survey: Survey) -> None:
    for question in survey.waves[0]["questions"]:
        if question["control"] == "text":
            texts_of(survey, question)
        elif question["control"] == "roster":
            network_of(survey, question)
        elif question["control"] == "ranking":
            ranking_of(survey, question)
        else:
            question_of(survey, question)


def question_of(survey: Survey, question: dict[str, Any]) -> None:
    """The shares of a question, and the mean and the quartiles of a number."""
    name, labels = question["id"], question["categories"]
    counted = [(device, survey.counts(device)) for device in survey.of(name)]
    used = [(device, counts) for device, counts in counted if counts.sum() >= survey.threshold]
    if not used:
        return
    if question["kind"] == "multiple_choice":
        for option, label in enumerate(labels):
            strata = list(option_strata(used, option, question["prefer_not"]))
            if strata:
                numbers = estimate(strata, survey.population).numbers()[1]
                survey.enter(name, label, "everybody", numbers)
        return
    guess = used[0][0].guess if len(used) == 1 else None
    strata = [Stratum(device.matrix, counts) for device, counts in used]
    shares = estimate(strata, survey.population, guess)
    if question["kind"] == "bounded_number" and not question["scale"]["bins"]:
        survey.enter(name, "mean", "number", mean_of_bit(question["scale"], shares))
        return
    for label, numbers in zip(labels, shares.numbers(), strict=True):
        survey.enter(name, label, "everybody", numbers)
    if question.get("not_applicable"):
        shares_of_asked(survey, question, shares)
    if question["kind"] == "bounded_number":
        number_in_bins(survey, question, shares)
    elif question["kind"] == "scale":
        answers = answers_of(question)
        mean = mean_of(shares, np.arange(1.0, answers + 1))
        if mean is not None:
            survey.enter(name, "mean", "number", mean_if_told(survey, name, mean))


def answers_of(question: dict[str, Any]) -> int:
    """How many categories are answers: “does not apply” and a refusal follow them."""
    others = int(question["prefer_not"]) + int(question.get("not_applicable", False))
    return len(question["categories"]) - others


def shares_of_asked(survey: Survey, question: dict[str, Any], shares: Shares) -> None:
    """The shares among those whom a question is for: all but whoever it does not apply to."""
    outside = answers_of(question)
    share = 1 - float(shares.values[outside])
    whole = shares.contrast((np.arange(len(shares.values)) != outside).astype(float))
    if whole is None or share <= Z * whole:
        # Any share of a group that may be empty fits the reports.
        for place, label in enumerate(question["categories"]):
            if place != outside:
                nothing = Numbers(shares.n, None, None, 0.0, 1.0)
                survey.enter(question["id"], label, "asked", nothing)
        return
    ends = {}
    if HAS_ENGINE:
        import rr_engine

        found = (
            rr_engine.association.subgroup_shares(shares.by_library(), outside).interval().tolist()
        )
        inside = [place for place in range(len(shares.values)) if place != outside]
        ends = dict(zip(inside, found, strict=True))
    for place, label in enumerate(question["categories"]):
        if place == outside:
            continue
        value = float(shares.values[place]) / share
        slopes = np.full(len(shares.values), -value)
        slopes[outside] = 0.0
        slopes[place] += 1.0
        error = shares.contrast(slopes / share)
        numbers = Numbers(shares.n, value, error, *ends.get(place, (None, None)))
        survey.enter(question["id"], label, "asked", numbers)


def ranking_of(survey: Survey, question: dict[str, Any]) -> None:
    """Mean ranks, shares of ranks, of pairs and of up to four items of whole orders.

    The reported ranks of one or two items depend on their true ranks alone.
    """
    name, labels, refusal = question["id"], question["categories"], question["prefer_not"]
    items = len(labels) - refusal
    counted = [(device, survey.counts(device)) for device in survey.of(name)]
    used = [(device, counts) for device, counts in counted if counts.sum() >= survey.threshold]
    if not used:
        return
    orders = list(permutations(range(items)))
    ranks = np.argsort(np.array(orders), axis=1)

    def shares_of(cells: Sequence[Any]) -> Shares:
        """The shares of groups of orders that a device takes for one each."""
        known = sorted(set(cells))
        groups = np.array([*map(known.index, cells), *[len(known)] * refusal])
        firsts = [int(np.flatnonzero(groups == group)[0]) for group in range(groups.max() + 1)]
        strata = []
        for device, counts in used:
            columns = device.matrix[:, firsts]
            matrix = np.zeros((len(firsts), len(firsts)))
            np.add.at(matrix, groups, columns)
            strata.append(Stratum(matrix, np.bincount(groups, counts, minlength=len(firsts))))
        return estimate(strata, survey.population)

    def enter_mean(group: str, answer: str, of: str, shares: Shares, scores: Floats) -> None:
        mean = mean_of(shares, scores)
        if mean is not None:
            survey.found[name, "", group, answer, of] = mean_if_told(survey, name, mean)

    for item in range(items):
        shares = shares_of(ranks[:, item].tolist())
        rows = shares.numbers()
        enter_mean(labels[item], "mean rank", "number", shares, np.arange(1.0, items + 1))
        for rank in range(items):
            survey.found[name, "", labels[item], f"rank {rank + 1}", "everybody"] = rows[rank]
        if refusal:
            survey.enter(name, labels[-1], "everybody", rows[items])
    for first, second in combinations(range(items), 2):
        cells = [*map(tuple, ranks[:, [first, second]].tolist())]
        before = np.array([float(a < b) for a, b in sorted(set(cells))])
        answer = f"before {labels[second]}"
        enter_mean(labels[first], answer, "ranking", shares_of(cells), before)
    if items <= MOST_WITH_ORDERS:
        rows = shares_of(orders).numbers()
        for order, numbers in zip(orders, rows, strict=False):
            survey.enter(name, " > ".join(labels[item] for item in order), "everybody", numbers)


def mean_if_told(survey: Survey, question: str, mean: Numbers) -> Numbers:
    """The mean of a scale; where all reports are the same, its error would come out as 0.

    Then scrambled reports do not tell it, and the interval of direct answers inverts a test.
    """
    if survey.population == "fixed" or mean.error is None or mean.error >= VANISHED:
        return mean
    if survey.is_direct(question):
        return mean._replace(low=None, high=None)
    return Numbers(mean.n, None, None)


def option_device(device: Device, option: int, prefer_not: bool) -> tuple[Floats, Codes]:
    """The chances of one option, not ticked or ticked, and which of the two each code stands for.

    A code is a set of ticks, bit by bit; the last one is the refusal, which ticks nothing else.
    """
    size = len(device.table)
    if device.option is not None:
        return device.matrix, np.arange(size)
    codes = np.arange(size)
    refusal = size - 1 if prefer_not else size
    of_code = np.where(codes == refusal, 0, codes >> option & 1)
    if 2**option == refusal:
        of_code = (codes == refusal).astype(int)
    groups = [np.flatnonzero(of_code == tick) for tick in (0, 1)]
    # To the device all sets with the tick are alike in what it makes of the tick.
    matrix = [[device.matrix[rows, columns[0]].sum() for columns in groups] for rows in groups]
    return np.array(matrix), of_code


def option_strata(
    used: Sequence[tuple[Device, Floats]], option: int, prefer_not: bool
) -> Iterator[Stratum]:
    for device, counts in used:
        if device.option in (None, option):
            matrix, of_code = option_device(device, option, prefer_not)
            yield Stratum(matrix, np.bincount(of_code, counts, minlength=2).astype(float))


def mean_of_bit(scale: dict[str, Any], shares: Shares) -> Numbers:
    """The mean of a number of which one bit was sent: its place between both ends of the range."""
    lower, width = float(scale["lower"]), float(scale["upper"]) - float(scale["lower"])
    _, found = shares.numbers()
    value, error, low, high = found[1:]
    return Numbers(
        found.n,
        None if value is None else lower + width * value,
        None if error is None else width * error,
        None if low is None else lower + width * low,
        None if high is None else lower + width * high,
    )


def mean_of(shares: Shares, scores: Floats) -> Numbers | None:
    """The mean score of the first answers, as a ratio; others have preferred not to say."""
    values = shares.values[: len(scores)]
    answering = float(values.sum())
    if answering <= 0:
        return None
    mean = float(scores @ values) / answering
    slopes = np.zeros(len(shares.values))
    slopes[: len(scores)] = scores if len(scores) == len(slopes) else (scores - mean) / answering
    if len(scores) == len(slopes):
        mean = float(scores @ values)
    error = shares.contrast(slopes)
    if error is None:
        return Numbers(shares.n, mean, None)
    return Numbers(shares.n, mean, error, mean - Z * error, mean + Z * error)


def bins_of(scale: dict[str, Any]) -> tuple[Floats, Floats]:
    """The bounds of the bins of a number, one more than there are bins, and their middles.

    Two bins meet half-way between the last number of the one and the first of the other.
    """
    lower, upper = float(scale["lower"]), float(scale["upper"])
    steps = round((upper - lower) / float(scale["step"]))
    starts = np.array(scale["bins"], dtype=float)
    lasts = np.append(starts[1:], steps + 1) - 1
    bounds = np.concatenate([[0.0], (starts[1:] + lasts[:-1]) / 2, [steps]])
    unit = (upper - lower) / steps
    return lower + unit * bounds, lower + unit * (starts + lasts) / 2


def number_in_bins(survey: Survey, question: dict[str, Any], shares: Shares) -> None:
    """The mean by the middles of the bins, and the quartiles by a line within each."""
    bounds, middles = bins_of(question["scale"])
    name, count = question["id"], len(middles)
    mean = mean_of(shares, middles)
    if mean is not None:
        survey.enter(name, "mean", "number", mean)
    inside = projected(shares.values)[:count]
    inside = inside / inside.sum() if inside.sum() > 0 else np.full(count, 1 / count)
    below = np.concatenate([[0.0], np.cumsum(inside)[:-1], [1.0]])
    ends = quartile_intervals(question, shares)
    for chance in QUARTILES:
        # Where a range of numbers fits, half-way.
        places = []
        for side in ("left", "right"):
            above = int(np.searchsorted(below, chance, side=side))
            rise = below[above] - below[above - 1]
            places.append(above - 1 + (chance - below[above - 1]) / rise)
        value = float(np.interp(sum(places) / 2, np.arange(count + 1), bounds))
        label = f"p{round(100 * chance)}"
        survey.enter(name, label, "number", Numbers(shares.n, value, None, *ends[chance]))


def quartile_intervals(
    question: dict[str, Any], shares: Shares
) -> dict[float, tuple[float | None, ...]]:
    """By the library: they invert a test at every number of the range."""
    if not HAS_ENGINE:
        return dict.fromkeys(QUARTILES, (None, None))
    import rr_engine

    scale = question["scale"]
    lower, upper = float(scale["lower"]), float(scale["upper"])
    bins = rr_engine.bounded.Bins(
        lower, upper, round((upper - lower) / float(scale["step"])), scale["bins"]
    )
    found = shares.by_library()
    quartiles = {
        chance: rr_engine.bounded.quantile_from_bins(found, bins, chance) for chance in QUARTILES
    }
    return {chance: tuple(each.interval(0.95).tolist()) for chance, each in quartiles.items()}


# --- tables -------------------------------------------------------------------------------------


def answers_behind(label: str, categories: Sequence[str]) -> list[int] | None:
    """The answers that a label of a table stands for: one, or several that stand together."""
    for index, category in enumerate(categories):
        if label == category:
            return [index]
        if label.startswith(f"{category} + "):
            rest = answers_behind(label[len(category) + 3 :], categories)
            if rest is not None:
                return [index, *rest]
    return None


def recoding(survey: Survey, question: str, labels: Sequence[str]) -> list[list[int]]:
    """The answers of each row or column of a table, as its labels say."""
    (asked,) = [each for each in survey.waves[0]["questions"] if each["id"] == question]
    found = [answers_behind(label, asked["categories"]) for label in labels]
    return [answers for answers in found if answers is not None]


def tables(survey: Survey, published: Sequence[Row]) -> None:
    """The declared tables, and those of every two questions that were sent together."""
    labels: dict[tuple[str, str], tuple[list[str], list[str]]] = {}
    for row in published:
        if row["group_by"]:
            groups, answers = labels.setdefault((row["question"], row["group_by"]), ([], []))
            groups += [row["group"]] * (row["group"] not in groups)
            answers += [row["answer"]] * (row["answer"] not in answers)
    for (outcome, group), (groups, answers) in labels.items():
        asked = ((outcome, group), (answers, groups))
        together = list(joint_crossings(survey, outcome, group))
        for joint, strata in together:
            table_numbers(survey, *asked, strata, joint)
        if not together:
            strata = crossed_strata(survey, outcome, group, answers, groups)
            table_numbers(survey, *asked, strata)


@dataclass(frozen=True)
class Crossing:
    """Reports to two questions: the chances of both, how many sent each two codes, and of a device
    for each question the chances of the outcome's.
    """

    matrix: Floats
    counts: Floats
    outcome: Floats | None = None


def crossed_strata(
    survey: Survey, outcome: str, group: str, answers: Sequence[str], groups: Sequence[str]
) -> list[Crossing]:
    """What the people sent who answered both, through each pair of devices."""
    strata: list[Crossing] = []
    for one, other in product(survey.of(outcome), survey.of(group)):
        counts = survey.counts(one, other, people=survey.in_tables)
        if one.wave != other.wave or counts.sum() < survey.threshold:
            continue
        matrices = [one.matrix, other.matrix]
        for axis, (name, labels) in enumerate(((outcome, answers), (group, groups))):
            if survey.is_direct(name):
                shown = recoding(survey, name, labels)
                parts = [counts.take(codes, axis=axis).sum(axis=axis) for codes in shown]
                counts = np.stack(parts, axis=axis)
                matrices[axis] = np.eye(len(shown))
        strata.append(Crossing(np.asarray(np.kron(*matrices), dtype=float), counts, matrices[0]))
    return strata


def joint_crossings(
    survey: Survey, outcome: str, group: str
) -> Iterator[tuple[Joint, list[Crossing]]]:
    """The same of two questions that one report is about: it has one device for both."""
    for device in survey.waves[0]["devices"]:
        names = device["questions"]
        if device["table"]["form"] == "joint" and {outcome, group} <= set(names):
            joint = (device["table"], [names.index(outcome), names.index(group)])
            matrix = np.array(joint_table(*joint), dtype=float) / device["table"]["denominator"]
            counts = joint_counts(survey, device, (outcome, group))
            yield joint, [Crossing(matrix, of_wave) for of_wave in counts]


def joint_counts(
    survey: Survey, device: dict[str, Any], questions: Sequence[str]
) -> Iterator[Floats]:
    """How many sent each combination of codes for some of its questions, in each wave."""
    sent = (device["id"], device["stratum"])
    for wave in survey.waves:
        own = [
            each
            for name in questions
            for each in survey.of(name)
            if (each.sent_as, each.stratum) == sent and each.wave == wave["wave"]
        ]
        counts = survey.counts(*own) if own else np.zeros(1)
        if counts.sum() >= survey.threshold:
            yield counts


def table_numbers(
    survey: Survey,
    pair: tuple[str, str],
    labels: tuple[Sequence[str], Sequence[str]],
    strata: Sequence[Crossing],
    device: Joint | None = None,
) -> None:
    if not strata:
        return
    (outcome, group), (answers, groups) = pair, labels
    shape = (len(answers), len(groups))
    both = [Stratum(stratum.matrix, stratum.counts) for stratum in strata]
    joint = estimate(both, survey.population, joint=device)
    cells = joint.numbers()
    for index, (answer, name) in enumerate(product(answers, groups)):
        known = cells[index] if cells[index].error is not None else Numbers(joint.n, None, None)
        survey.found[outcome, group, name, answer, "everybody"] = known
    if survey.is_direct(group):
        # Everybody's group is known: each is estimated by itself.
        for index, name in enumerate(groups):
            own = [
                Stratum(stratum.outcome, stratum.counts[:, index])
                for stratum in strata
                if stratum.outcome is not None
            ]
            if sum(stratum.counts.sum() for stratum in own) > 0:
                within = estimate(own, survey.population).numbers()
                for answer, numbers in zip(answers, within, strict=True):
                    lone = numbers.error is None
                    share = Numbers(joint.n, None, None) if lone else numbers._replace(n=joint.n)
                    survey.found[outcome, group, name, answer, "group"] = share
        return
    for index, name in enumerate(groups):
        places = np.arange(shape[0]) * shape[1] + index
        ratios = ratios_of(joint.values, joint.covariance, places, Z)
        for answer, (value, error, low, high) in zip(answers, ratios, strict=True):
            anything = (low, high) == (0.0, 1.0)
            vanished = survey.population == "sample" and error is not None and error < VANISHED
            if anything or vanished or error is None:
                value, error, low, high = None, None, 0.0, 1.0
            numbers = Numbers(joint.n, value, error, low, high)
            survey.found[outcome, group, name, answer, "group"] = numbers


Ratio = tuple[float | None, float | None, float, float]


def ratios_of(
    values: Floats, covariance: Floats | None, places: Codes, factor: float
) -> list[Ratio]:
    """The share of each of some cells of all of them, by linearisation, with Fieller's interval."""
    cells = values[places]
    whole = float(cells.sum())
    if whole <= 0 or covariance is None:
        return [(None, None, 0.0, 1.0)] * len(places)
    own = covariance[np.ix_(places, places)]
    with_whole, spread = own.sum(axis=1), float(own.sum())
    found: list[Ratio] = []
    for cell, variance, both in zip(cells, np.diag(own), with_whole, strict=True):
        ratio = float(cell) / whole
        error = np.sqrt(max(variance - 2 * ratio * both + ratio**2 * spread, 0)) / whole
        moments = (float(variance), float(both), spread)
        found.append((ratio, float(error), *fieller(float(cell), whole, moments, factor)))
    return found


def combined_answers(survey: Survey) -> dict[Key, Numbers]:
    """Every combination of answers to questions that were sent together, by group and codes."""
    found: dict[Key, Numbers] = {}
    for device in survey.waves[0]["devices"]:
        table = device["table"]
        if table["form"] != "joint":
            continue
        sizes = [len(reports) for reports in table["parts"]]
        if int(np.prod(sizes)) > MOST_COMBINATIONS:
            survey.left_out.add(f"groups of more than {MOST_COMBINATIONS} combinations")
            continue
        whole = (table, range(len(sizes)))
        matrix = np.array(joint_table(*whole), dtype=float) / table["denominator"]
        counts = joint_counts(survey, device, device["questions"])
        strata = [Stratum(matrix, of_wave) for of_wave in counts]
        if strata:
            shares = estimate(strata, survey.population, joint=whole)
            name = device["id"] if device["stratum"] == "page" else device["stratum"]
            codes = product(*map(range, sizes))
            for code, numbers in zip(codes, shares.numbers(), strict=True):
                found[name, " ".join(map(str, code))] = numbers
    return found


# --- weighted -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Weighted:
    """The people of the release, their weights, and what the margins say of each."""

    people: npt.NDArray[np.bool_]
    weights: Floats
    columns: Floats

    def mean(self, scores: Floats, reported: npt.NDArray[np.bool_]) -> tuple[Floats, Floats]:
        """Hajek's mean of the scores of those who reported, and its covariance.

        Linearised; what the margins predict of a contribution does not vary.
        """
        weights = np.where(reported, self.weights, 0.0)
        values = weights @ scores / weights.sum()
        units = np.where(reported[:, None], scores - values, 0.0) / weights.sum()
        columns = self.columns
        information = columns.T @ columns
        slopes = np.linalg.pinv(information, rcond=1e-10, hermitian=True) @ (columns.T @ units)
        residuals = (units - columns @ slopes) * self.weights[:, None]
        centred = residuals - residuals.mean(axis=0)
        n = len(self.weights)
        return values, n / (n - 1) * centred.T @ centred


def raked(survey: Survey, published: Sequence[Row]) -> Weighted:
    """Weights that meet the declared margins, each in turn, from equal weights."""
    columns, people = [], survey.in_tables
    known: list[tuple[Codes, Floats]] = []
    for margin in survey.waves[0]["weighting"]["margins"]:
        name = margin["question"]
        shown = [row["answer"] for row in published if is_share(row, name)]
        groups = recoding(survey, name, shown)
        codes = direct_codes(survey, name)[people]
        level = np.full(codes.max(initial=0) + 2, -1)
        for number, answers in enumerate(groups):
            level[[answer for answer in answers if answer < len(level) - 1]] = number
        shares = np.array([sum(float(margin["shares"][a]) for a in group) for group in groups])
        known.append((level[codes], shares))
    weights = np.ones(int(people.sum()))
    for codes, shares in known:
        indicators = (codes[:, None] == np.arange(len(shares))).astype(float)
        columns.append(indicators - (codes >= 0)[:, None] * shares)
    for _ in range(1000):
        for codes, shares in known:
            there = codes >= 0
            sums = np.bincount(codes[there], weights[there], minlength=len(shares))
            factors = shares * sums.sum() / sums
            weights[there] *= factors[codes[there]]
        now = [np.bincount(c[c >= 0], weights[c >= 0]) / weights[c >= 0].sum() for c, _ in known]
        if max(np.abs(a - s).max() for a, (_, s) in zip(now, known, strict=True)) <= 1e-10:
            break
    return Weighted(people, weights, np.hstack(columns))


def is_share(row: Row, question: str) -> bool:
    return row["question"] == question and row["group_by"] == "" and row["share_of"] == "everybody"


def direct_codes(survey: Survey, question: str) -> Codes:
    """The answer of each person to a direct question; -1 without one."""
    return np.max([survey.codes_by_device[device] for device in survey.of(question)], axis=0)


Scores = tuple[Floats, npt.NDArray[np.bool_]]


def scores_of(survey: Survey, question: str, labels: Sequence[str], option: int = -1) -> Scores:
    """The score of each person's report for each answer, by the person's device; who has one."""
    asked = next(each for each in survey.waves[0]["questions"] if each["id"] == question)
    size = 2 if option >= 0 else len(asked["categories"])
    scores, reported = np.zeros((len(survey.reports), size)), survey.in_tables & False
    for device in survey.of(question):
        if device.option not in (None, option if option >= 0 else None):
            continue
        if survey.counts(device).sum() < survey.threshold:
            continue
        codes = survey.codes_by_device[device]
        there = codes >= 0
        if option >= 0:
            matrix, of_code = option_device(device, option, asked["prefer_not"])
            scores[there] = left_inverse(matrix).T[of_code[codes[there]]]
        else:
            scores[there] = left_inverse(device.matrix).T[codes[there]]
        reported |= there
    if option < 0 and survey.is_direct(question):
        shown = recoding(survey, question, labels)
        if shown:
            scores = np.column_stack([scores[:, answers].sum(axis=1) for answers in shown])
    people = survey.in_tables
    return scores[people], reported[people]


def weighted_numbers(survey: Survey, published: Sequence[Row]) -> dict[Key, Numbers]:
    """The weighted shares and means, and the declared tables."""
    found: dict[Key, Numbers] = {}
    sample = raked(survey, published)
    fixed = {margin["question"] for margin in survey.waves[0]["weighting"]["margins"]}
    for question in survey.waves[0]["questions"]:
        name = question["id"]
        labels = [row["answer"] for row in published if is_share(row, name)]
        means = [row for row in published if row["question"] == name and row["answer"] == "mean"]
        if question["kind"] == "multiple_choice":
            for option, label in enumerate(question["categories"]):
                scores, there = scores_of(survey, name, labels, option)
                if there.any():
                    values, covariance = sample.mean(scores, there)
                    numbers = _entered(values, covariance, int(there.sum()))[1]
                    found[name, "", "", label, "everybody"] = numbers
            continue
        if not labels and not means:
            continue
        scores, there = scores_of(survey, name, labels)
        n = int(there.sum())
        values, covariance = sample.mean(scores, there)
        for label, numbers in zip(labels, _entered(values, covariance, n), strict=False):
            known = Numbers(n, numbers.estimate, None) if name in fixed else numbers
            found[name, "", "", label, "everybody"] = known
        if means:
            mean = weighted_mean(question, values, covariance, n)
            known = Numbers(n, mean.estimate, None) if name in fixed else mean
            found[name, "", "", "mean", "number"] = known
    found |= weighted_tables(survey, sample, published)
    return found


def _entered(values: Floats, covariance: Floats, n: int) -> list[Numbers]:
    errors = np.sqrt(np.maximum(np.diag(covariance), 0))
    return [Numbers(n, *row) for row in zip(values.tolist(), errors.tolist(), strict=True)]


def weighted_mean(question: dict[str, Any], values: Floats, covariance: Floats, n: int) -> Numbers:
    """Of a number, or of the scores of a scale among those who did not refuse."""
    scale = question["scale"]
    if scale and not scale["bins"]:
        lower, width = float(scale["lower"]), float(scale["upper"]) - float(scale["lower"])
        error = float(np.sqrt(covariance[1, 1]))
        return Numbers(n, lower + width * float(values[1]), width * error)
    size = answers_of(question)
    scores = np.arange(1.0, size + 1)
    if scale:
        scores = bins_of(scale)[1]
    answering = float(values[:size].sum())
    mean = float(scores @ values[:size]) / answering
    slopes = (scores - mean) / answering
    return Numbers(n, mean, root(float(slopes @ covariance[:size, :size] @ slopes)))


def weighted_tables(
    survey: Survey, sample: Weighted, published: Sequence[Row]
) -> dict[Key, Numbers]:
    """The share of each cell, the product of both scores, and of each answer within the group."""
    found: dict[Key, Numbers] = {}
    labels: dict[tuple[str, str], tuple[list[str], list[str]]] = {}
    for row in published:
        if row["group_by"]:
            groups, answers = labels.setdefault((row["question"], row["group_by"]), ([], []))
            groups += [row["group"]] * (row["group"] not in groups)
            answers += [row["answer"]] * (row["answer"] not in answers)
    for (outcome, group), (groups, answers) in labels.items():
        first, first_there = scores_of(survey, group, groups)
        second, second_there = scores_of(survey, outcome, answers)
        there = first_there & second_there
        cells = (first[:, :, None] * second[:, None, :]).reshape(len(first), -1)
        values, covariance = sample.mean(cells, there)
        n, size = int(there.sum()), len(answers)
        entered = _entered(values, covariance, n)
        for index, (name, answer) in enumerate(product(groups, answers)):
            found[outcome, group, name, answer, "everybody"] = entered[index]
        for index, name in enumerate(groups):
            places = np.arange(index * size, (index + 1) * size)
            ratios = ratios_of(values, covariance, places, Z)
            for answer, (value, error, _, _) in zip(answers, ratios, strict=True):
                found[outcome, group, name, answer, "group"] = Numbers(n, value, error)
    return found


# --- networks -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ties:
    """One bit of each member about each other: who was asked about whom, and what was sent.

    `p`, `q`: the chances of a one where there is a tie, and where there is none.
    """

    asked: Floats
    bits: Floats
    p: float
    q: float
    groups: Codes | None

    @property
    def n(self) -> int:
        return len(self.bits)


def network_of(survey: Survey, question: dict[str, Any]) -> None:
    """The statistics of a network, the densities of groups, and the distribution of degrees."""
    name, roster = question["id"], survey.waves[0]["roster"]
    codes = roster["codes"]
    (device,) = [each for each in survey.waves[0]["devices"] if each["id"] == name]
    table = device["table"]
    asked, bits = np.zeros((len(codes),) * 2), np.zeros((len(codes),) * 2)
    for row in survey.reports:
        # Empty or less than 0: no report, with the reason; so is the cell of the sender.
        sent = [int(row[f"{name}.{code}"] or -1) for code in codes]
        if max(sent) >= 0:
            place = codes.index(row["member"])
            bits[place] = [float(bit == 1) for bit in sent]
            asked[place] = 1.0
            asked[place, place] = 0.0
    reporters = int(asked.any(axis=1).sum())
    if reporters < max(5, survey.threshold):
        return
    groups = np.array(roster["group_of"]) if roster["groups"] else None
    p, q = (table[each] / table["denominator"] for each in ("one", "zero"))
    ties = Ties(asked, bits, p, q, groups)
    statistics = directed_statistics(ties) if question["directed"] else undirected_statistics(ties)
    for label, numbers in statistics.items():
        survey.enter(name, label, "network", numbers._replace(n=reporters))
    for (first, second), numbers in densities(ties, roster, question["directed"]).items():
        survey.found[name, "", first, second, "pairs"] = numbers._replace(n=reporters)
    degree_shares(survey, question, ties)


def count_of(
    value: float, variance: float, highest: float, slope: float = 0.0, least: float = 0.0
) -> Numbers:
    """A count with its error and its interval, all true values x that differ from it by less than z
    of their own errors: (x - value)^2 <= z^2 (variance + slope (x - value)), cut to what can be.
    """
    variance = max(variance, least)
    bend = Z**2 * slope / 2
    reach = np.sqrt(max(bend**2 + Z**2 * variance, 0))
    low, high = (min(max(value + bend + side * reach, 0.0), highest) for side in (-1, 1))
    return Numbers(0, value, float(np.sqrt(max(variance, 0))), float(low), float(high))


def scaled(count: Numbers, factor: float) -> Numbers:
    return Numbers(count.n, *(None if each is None else factor * each for each in count[1:]))


def ratio_numbers(over: float, under: float, moments: tuple[float, float, float]) -> Numbers:
    """A ratio of two counts, cut to 0 to 1."""
    first, both, second = moments
    low, high = fieller(over, under, (max(first, 0.0), both, max(second, 0.0)), Z)
    ends = (min(max(low, 0.0), 1.0), min(max(high, 0.0), 1.0))
    if under <= 0:
        return Numbers(0, None, None, *ends)
    ratio = over / under
    error = np.sqrt(max(first - 2 * ratio * both + ratio**2 * second, 0.0)) / under
    return Numbers(0, min(max(ratio, 0.0), 1.0), float(error), *ends)


def degree_variance(degrees: Floats, noise: Floats, asked: Floats, ends: float) -> Numbers:
    """The variance of degrees without that of the noise. `ends`: in how many degrees a tie is."""
    n, mean = len(degrees), degrees.mean()
    found = float(((degrees - mean) ** 2 - noise).mean() + ends * noise.sum() / n**2)
    slope, squares = 4 * float(noise.mean()) / n, 2 * float((noise**2).mean()) / n
    return count_of(found, slope * found + squares, asked.max() ** 2 / 4, slope, squares)


def undirected_statistics(ties: Ties) -> dict[str, Numbers]:
    """What both ends say of a tie counts by its mean: a score with mean 1 of a tie, 0 of none."""
    n, gap = ties.n, ties.p - ties.q
    times, ones = ties.asked + ties.asked.T, ties.bits + ties.bits.T
    there = (times > 0).astype(float)
    safe = np.maximum(times, 1)
    base = there * ties.q * (1 - ties.q) / gap**2 / safe
    slope = there * ties.p * (1 - ties.p) / gap**2 / safe - base
    w = there * (ones / safe - ties.q) / gap
    v = base + slope * w
    asked_pairs, value, variance = there.sum() / 2, w.sum() / 2, v.sum() / 2
    tie_count = count_of(value, variance, asked_pairs, slope.sum() / there.sum())
    pairs = n * (n - 1) / 2
    found = {"ties": tie_count, "density": scaled(tie_count, 1 / asked_pairs)}
    found["mean_degree"] = scaled(tie_count, 2 / n)
    if asked_pairs < pairs:
        found["ties_of_everybody"] = scaled(tie_count, pairs / asked_pairs)
        found["mean_degree_of_everybody"] = scaled(tie_count, (n - 1) / asked_pairs)
    degrees, noise, asked = w.sum(axis=1), v.sum(axis=1), there.sum(axis=1)
    found["degree_variance"] = degree_variance(degrees, noise, asked, 2.0)

    def paths(a: Floats, b: Floats) -> Floats:
        product = (a @ b) * there
        return np.asarray(product + product.T)

    # Of each pair the sums over third people: products of the other two scores, and squares.
    squares = w * w
    closing, closing_squares = paths(w, w) / 2, paths(squares, squares) / 2
    products = w * closing
    triangles = products.sum() / 6
    triangle_variance = (squares * closing_squares - products).sum() / 6
    triangle_variance += (v * (closing**2 - closing_squares)).sum() / 2
    adjacent, adjacent_squares = paths(w, there), paths(squares, there)
    two_paths = (w * adjacent).sum() / 4
    path_variance = (squares * adjacent_squares - w * adjacent).sum() / 4
    path_variance += (v * (adjacent**2 - adjacent_squares)).sum() / 2
    both = (w * (closing_squares - closing)).sum() / 2
    both += (v * (closing * adjacent - paths(squares, w))).sum() / 2
    third = paths(there, there)
    path_slope = 2 * (v * third**2).sum() / 2 / max(third.sum() / 2, 1.0)
    most = n * (n - 1) * (n - 2) / 6
    found["two_paths"] = count_of(two_paths, path_variance, 3 * most, path_slope)
    # The variance of triangles is not below what is expected if ties are as probable as reported.
    density = min(max(value, 1.0), asked_pairs - 0.5) / asked_pairs
    a = there * chance_of_tie(ties, density, ones, times)
    expected = expected_variance(a, there * (base + slope * a), paths)
    found["triangles"] = count_of(triangles, triangle_variance, most, 0.0, expected)
    moments = (9 * triangle_variance, 3 * both, path_variance)
    found["clustering"] = ratio_numbers(3 * triangles, two_paths, moments)
    return found


def chance_of_tie(ties: Ties, density: float, ones: Floats, times: Floats) -> Floats:
    """That of a tie given what both ends say, by Bayes' rule."""
    tie = density * ties.p**ones * (1 - ties.p) ** (times - ones)
    none = (1 - density) * ties.q**ones * (1 - ties.q) ** (times - ones)
    return np.asarray(tie / (tie + none))


def expected_variance(a: Floats, v: Floats, paths: Any) -> float:
    """The variance of triangles if ties are independent, with the chances `a`."""
    closing = paths(a, a) / 2
    shared = (closing**2 - paths(a * a, a * a) / 2) * v
    moment = a + v
    own = moment * paths(moment, moment) / 2 - a * closing
    return float(own.sum() / 6 + shared.sum() / 2)


def directed_statistics(ties: Ties) -> dict[str, Numbers]:
    n, gap, asked = ties.n, ties.p - ties.q, ties.asked
    base = asked * ties.q * (1 - ties.q) / gap**2
    slope = asked * ties.p * (1 - ties.p) / gap**2 - base
    z = asked * (ties.bits - ties.q) / gap
    v = base + slope * z
    asked_pairs = asked.sum()
    tie_count = count_of(z.sum(), v.sum(), asked_pairs, slope.sum() / asked_pairs)
    found = {"ties": tie_count, "density": scaled(tie_count, 1 / asked_pairs)}
    found["mean_degree"] = scaled(tie_count, 1 / n)
    if asked_pairs < n * (n - 1):
        found["ties_of_everybody"] = scaled(tie_count, n * (n - 1) / asked_pairs)
        found["mean_degree_of_everybody"] = scaled(tie_count, (n - 1) / asked_pairs)
    both = asked * asked.T
    mine, noise, back = z * both, v * both, (z * both).T
    mutual, returned = (mine * back).sum() / 2, mine.sum()
    variance = ((mine**2 * back**2) - mine * back).sum() / 2
    found["mutual_ties"] = count_of(mutual, variance, both.sum() / 2)
    moments = (4 * variance, 2 * (noise * back).sum(), noise.sum())
    found["reciprocity"] = ratio_numbers(2 * mutual, returned, moments)
    for axis, name in ((1, "out"), (0, "in")):
        degrees, chance, others = (each.sum(axis=axis) for each in (z, v, asked))
        found[f"{name}_degree_variance"] = degree_variance(degrees, chance, others, 1.0)
    return found | directed_triads(ties, z, v)


def directed_triads(ties: Ties, z: Floats, v: Floats) -> dict[str, Numbers]:
    """Ties i to j to k, those with i to k, and cycles: docs/methods/networks.md."""
    asked, back = ties.asked, z.T
    pattern = ((ties.asked + ties.asked.T) > 0).astype(float)

    def paths(a: Floats, b: Floats) -> Floats:
        return np.asarray((a @ b) * pattern)

    def total(a: Floats, b: Floats) -> float:
        return float((a * b).sum())

    product = paths(v, v)
    own, paths_own, both_own = total(z + v, product), total(asked, product), total(z, product)
    around = z + z * back
    own += total(paths(v.T, v), around) + total(paths(v, v.T), around)
    slope = paths(z, z)
    triples, two_paths = total(z, slope), total(asked, slope)
    slope = slope + paths(z, back) + paths(back, z)
    square, mutual = z * z, z * back
    twice = ((square, square), (square, square.T), (square.T, square))
    repeated = sum(total(v, paths(*each)) for each in twice)
    less = square - z
    repeated += 2 * sum(total(v, paths(*each)) for each in ((less, mutual), (mutual, less)))
    variance = own + total(v, slope**2 + slope) - repeated
    steps = paths(asked, back) + paths(back, asked)
    path_variance = paths_own + total(v, steps**2 + steps)
    covariance = both_own + total(v, slope * steps)
    path_variance -= total(v, paths(asked, square.T)) + total(v, paths(square.T, asked))
    change = back - square.T
    covariance += total(v, paths(z, change)) + total(v, paths(change, z))
    through, through_square = paths(z, z), paths(square, square)
    cycles = total(back, through) / 3
    cycle_variance = total(square.T, through_square) / 3 - cycles
    cycle_variance += total(v.T, through**2 - through_square)
    third = paths(asked, asked.T) + paths(asked.T, asked)
    path_slope = 2 * total(v, third**2) / max(total(asked, third), 1.0)
    most = ties.n * (ties.n - 1) * (ties.n - 2) / 6
    return {
        "two_paths": count_of(two_paths, path_variance, 6 * most, path_slope),
        "transitive_triples": count_of(triples, variance, 6 * most),
        "cycles": count_of(cycles, cycle_variance, 2 * most),
        "transitivity": ratio_numbers(triples, two_paths, (variance, covariance, path_variance)),
    }


def densities(ties: Ties, roster: dict[str, Any], directed: bool) -> dict[tuple[str, str], Numbers]:
    """The share of the pairs of each two groups that are tied."""
    if ties.groups is None:
        return {}
    gap, found = ties.p - ties.q, {}
    times, ones = ties.asked, ties.bits
    if not directed:
        times, ones = np.triu(times + times.T), np.triu(ones + ones.T)
    there, safe = (times > 0).astype(float), np.maximum(times, 1)
    base = there * ties.q * (1 - ties.q) / gap**2 / safe
    slope = there * ties.p * (1 - ties.p) / gap**2 / safe - base
    scores = there * (ones / safe - ties.q) / gap
    for first, one in enumerate(roster["groups"]):
        for second, other in enumerate(roster["groups"]):
            place = np.outer(ties.groups == first, ties.groups == second)
            if not directed:
                place = place | place.T
            asked = there[place].sum()
            if asked > 0:
                variance = (base + slope * scores)[place].sum()
                steep = slope[place].sum() / asked
                count = count_of(scores[place].sum(), variance, asked, steep)
                found[one, other] = scaled(count, 1 / asked)
    return found


def degree_shares(survey: Survey, question: dict[str, Any], ties: Ties) -> None:
    """The shares of members by number of ties, of the published classes, such as "out 3-5"."""
    kinds = ("out", "in") if question["directed"] else ("undirected",)
    pattern = re.compile(r"(undirected|out|in) (\d+)-(\d*)")
    for row in survey.published:
        match = pattern.fullmatch(row["answer"])
        if row["question"] != question["id"] or row["share_of"] != "members" or not match:
            continue
        kind, lowest, highest = match.groups()
        shares = likeliest_degrees(ties, kind) if kind in kinds else np.zeros(0)
        end = int(highest) + 1 if highest else len(shares)
        value = float(shares[int(lowest) : end].sum())
        reporters = int(ties.asked.any(axis=1).sum())
        survey.enter(question["id"], row["answer"], "members", Numbers(reporters, value, None))


def likeliest_degrees(ties: Ties, kind: str) -> Floats:
    """The shares of members by number of ties under which the ones are most likely.

    Of a member with d ties among `once` others on whom one report came and `twice` on whom two did,
    any d of them are equally likely to be the ties.
    """
    if kind == "undirected":
        times, ones = ties.asked + ties.asked.T, (ties.bits + ties.bits.T).sum(axis=1)
        once, twice = ((times == m).sum(axis=1) for m in (1, 2))
    else:
        axis = 1 if kind == "out" else 0
        once, ones = ties.asked.sum(axis=axis).astype(int), ties.bits.sum(axis=axis)
        twice = np.zeros_like(once)
    some = once + twice > 0
    most = int((once + twice).max())
    tables = {
        (o, t): chances_of_ones(o, t, most, ties)
        for o, t in set(zip(once[some].tolist(), twice[some].tolist(), strict=True))
    }
    patterns = zip(once[some].tolist(), twice[some].tolist(), ones[some].tolist(), strict=True)
    rows = np.array([tables[o, t][int(sent)] for o, t, sent in patterns])
    return likeliest_mixture(rows / rows.max(axis=1, keepdims=True))


def chances_of_ones(once: int, twice: int, most: int, ties: Ties) -> Floats:
    """The chance of each number of ones, in rows, by the number of ties, in columns."""
    reports = once + 2 * twice
    of_true = [binomial(k, ties.p) for k in range(reports + 1)]
    of_false = [binomial(k, ties.q) for k in range(reports + 1)]
    chances = np.zeros((reports + 1, most + 1))
    for degree in range(min(most, once + twice) + 1):
        for among in range(max(0, degree - once), min(twice, degree) + 1):
            share = comb(twice, among) * comb(once, degree - among) / comb(once + twice, degree)
            true = degree + among
            chances[:, degree] += share * np.convolve(of_true[true], of_false[reports - true])
    return chances


def binomial(n: int, chance: float) -> Floats:
    return np.array([comb(n, k) * chance**k * (1 - chance) ** (n - k) for k in range(n + 1)])


def likeliest_mixture(rows: Floats) -> Floats:
    """The shares of the columns under which the rows are most likely (Wang 2007).

    Each step is the least-squares problem that the likelihood looks like nearby; it ends where no
    other shares can gain more than a tiny log-likelihood.
    """
    count, size = rows.shape
    shares = np.full(size, 1 / size)
    for _ in range(500):
        slopes = rows / (rows @ shares)[:, None]
        if slopes.mean(axis=0).max() - 1 < 1e-11:
            break
        # Shares that sum to one and come nearest to slopes @ shares = 2 (Dax 1990).
        table = np.vstack([slopes - 2, np.ones(size)])
        aim = nonnegative(table, np.append(np.zeros(count), 1.0))
        step = aim / aim.sum() - shares
        length, before = 1.0, np.log(rows @ shares).sum()
        while length > 1e-12 and np.log(rows @ (shares + length * step)).sum() < before:
            length /= 2
        shares = np.maximum(shares + length * step, 0)
        shares /= shares.sum()
    return shares


def nonnegative(table: Floats, target: Floats) -> Floats:
    """Least squares without negative unknowns (Lawson and Hanson 1974, chapter 23)."""
    size = table.shape[1]
    found, free = np.zeros(size), np.zeros(size, dtype=bool)
    for _ in range(10 * size):
        slope = np.where(free, -np.inf, table.T @ (target - table @ found))
        if slope.max() <= 1e-13:
            break
        free[int(slope.argmax())] = True
        while True:
            trial = np.zeros(size)
            trial[free] = np.linalg.lstsq(table[:, free], target, rcond=None)[0]
            negative = free & (trial <= 0)
            if not negative.any():
                break
            reach = found[negative] / (found[negative] - trial[negative])
            found = found + reach.min() * (trial - found)
            free &= found > 1e-15
            found[~free] = 0
        found = trial
    return found


# --- texts --------------------------------------------------------------------------------------


def texts_of(survey: Survey, question: dict[str, Any]) -> None:
    """The shares of the published candidates of a short text: by the library."""
    name = question["id"]
    labels = [row["answer"] for row in survey.published if row["question"] == name]
    if not labels:
        return
    if not HAS_ENGINE:
        survey.left_out.add("shares of short texts")
        return
    import rr_engine

    (device,) = [each for each in survey.waves[0]["devices"] if each["id"] == name]
    table = device["table"]
    counts = np.zeros((table["cohorts"], table["bits"], 2), dtype=int)
    n = 0
    for row in survey.reports:
        if survey.together:
            cohort, bits = int(row[f"{name}_cohort"] or -1), row[name]
        elif row["variable"] == name:
            first, bits = row["report"].split()
            cohort = int(first)
        else:
            cohort, bits = -1, ""
        if cohort >= 0:
            ones = np.array(list(bits)) == "1"
            counts[cohort] += np.stack([~ones, ones], axis=1)
            n += 1
    chance = Fraction(2 * table["zero"], table["denominator"])
    rappor = rr_engine.rappor.Rappor(table["bits"], table["hashes"], table["cohorts"], chance)
    refusal = labels.pop() if question["prefer_not"] else None
    found = rr_engine.rappor.decode_strings(rappor, list(counts), labels, refusal=refusal)
    ends = found.interval(0.95).tolist()
    rows = zip(found.candidates, found.unbiased, found.standard_errors, ends, strict=True)
    for label, value, error, (low, high) in rows:
        numbers = Numbers(n, float(value), float(error), low, high)
        survey.enter(name, label, "everybody", numbers)


# --- comparing ----------------------------------------------------------------------------------

NAMES = ("question", "group_by", "group", "answer", "share_of")
NUMBERS = ("n", "estimate", "standard_error", "low", "high")


def number_of(text: str) -> float | None:
    return float(text) if text else None


def difference(name: str, ours: float | None, row: Row) -> float | None:
    """How far a number is from the published one, None if that is not compared; inf if it is there
    on one side only.
    """
    theirs = number_of(row[name])
    low, high = number_of(row["low"]), number_of(row["high"])
    if name == "standard_error" and theirs is None and low is not None and high is not None:
        # Where the formula gives nothing beside an interval, nothing is published.
        return 0.0 if ours is None or ours <= VANISHED * max(high - low, 1.0) else float("inf")
    if ours is None and theirs is None:
        return 0.0
    if name in ("low", "high") and ours is None:
        return None
    if ours is None or theirs is None:
        return float("inf")
    return abs(ours - theirs)


def compare(
    label: str, names: Sequence[str], published: Sequence[Row], found: dict[Key, Numbers], file: Any
) -> bool:
    """Write a line for each published row; whether all that was computed is the same."""
    largest = dict.fromkeys(NUMBERS, 0.0)
    wrong, intervals = [], 0
    for row in published:
        key = tuple(row[name] for name in names)
        ours = found.get(key)
        about = " / ".join(part for part in key if part)
        if ours is None:
            wrong.append(f"  not recomputed: {about}")
            continue
        intervals += ours.low is not None
        values = dict(zip(NUMBERS, ours, strict=True))
        file.writerow([label, " | ".join(key), *("" if v is None else repr(v) for v in ours)])
        for name, value in values.items():
            apart = difference(name, value, row)
            if apart is None:
                continue
            allowed = ROUNDING + RELATIVE * abs(number_of(row[name]) or 0)
            if apart > allowed:
                wrong.append(f"  {about}: {name} is {value}, published {row[name] or 'empty'}")
            else:
                largest[name] = max(largest[name], apart)
    good = len(published) - len({line.split(":")[0] for line in wrong})
    print(f"{label}: {good} of {len(published)} rows are the same, {intervals} with an interval")
    print("  largest differences: " + ", ".join(f"{k} {v:.1e}" for k, v in largest.items()))
    print("\n".join(wrong), end="\n" if wrong else "")
    return not wrong


def main() -> int:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    reports, estimates = file_of(folder, "reports"), file_of(folder, "estimates")
    if reports is None or estimates is None:
        sys.exit(f"reports.csv and estimates.csv are not both in {folder}")
    survey = Survey(waves_of(folder), rows_of(reports), rows_of(estimates))
    single_questions(survey)
    tables(survey, survey.published)
    with (folder / "recomputed.csv").open("w", encoding="utf-8", newline="") as output:
        file = csv.writer(output)
        file.writerow(["file", "row", *NUMBERS])
        same = compare("estimates", NAMES, survey.published, survey.found, file)
        weighted = rows_of(file_of(folder, "weighted"))
        if weighted:
            found = weighted_numbers(survey, weighted)
            same &= compare("weighted", NAMES, weighted, found, file)
        combined = rows_of(file_of(folder, "combinations"))
        if combined:
            found = combined_answers(survey)
            same &= compare("combinations", ("group", "codes"), combined, found, file)
    for what in sorted(survey.left_out):
        print(f"Not recomputed: {what}")
    if not HAS_ENGINE:
        print("Without rr_engine the intervals of shares and quartiles are not recomputed.")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
