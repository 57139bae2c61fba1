"""Every estimate of a release, by the block of the page that shows it, from the downloads."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

from rr_engine.crowd import ComputedStatistic

Plain = dict[str, Any]
# What a number is about: the part of the page, and then the words of its rows and columns.
Key = tuple[str, ...]
NORMAL_QUANTILE = 1.959964
SHARE = (0.0, 1.0)
# What an estimate is called.
VALUES = ("estimate", "value", "difference")


@dataclass(frozen=True)
class Quantity:
    """`unit`: "%" of a share, "points" of a difference of shares, else that of a number.

    `possible`: the range of what can be, where it has one. `fixed`: said by a margin.
    `exact`: of answers that were sent as they are, whose shares cannot be beyond it.
    """

    value: float | None
    error: float | None
    interval: tuple[float | None, float | None]
    unit: str
    n: int
    possible: tuple[float, float] | None = None
    likeliest: float | None = None
    notes: tuple[str, ...] = ()
    fixed: bool = False
    exact: bool = False

    @property
    def numbers(self) -> list[float | None]:
        return [self.value, self.error, *self.interval]

    @property
    def scale(self) -> int:
        """What a page multiplies it by."""
        return 100 if self.unit in ("%", "points") else 1

    @property
    def tells_nothing(self) -> bool:
        """Whether its interval is as wide as all that can be, or would be, were it not cut."""
        low, high = self.interval
        if self.value is None or low is None or high is None or self.possible is None:
            return False
        reach = self.possible[1] - self.possible[0]
        by_error = self.unit == "%" and 2 * NORMAL_QUANTILE * (self.error or 0) >= reach
        return high - low >= reach or by_error

    @property
    def is_hidden(self) -> bool:
        """Whether there is nothing of it to show."""
        return self.value is None or self.tells_nothing

    @property
    def is_outside(self) -> bool:
        """Whether the estimate is beyond what can be."""
        if self.value is None or self.possible is None:
            return False
        return not self.possible[0] <= self.value <= self.possible[1]


def quantities(content: Plain) -> dict[Key, Quantity]:
    """Return those of a results document, as it is downloaded."""
    return dict(_all(content))


def estimates_in(content: Any, path: str = "") -> Iterator[tuple[Key, Quantity]]:
    """Yield all in a document that has an interval, but what says elsewhere how far it can go."""
    if isinstance(content, dict):
        if {"interval", "standard_error"} <= content.keys():
            value = next(content[name] for name in VALUES if name in content)
            notes = tuple(content.get("notes", ()))
            ends = tuple(content["interval"])
            yield (path,), Quantity(value, content["standard_error"], ends, "", 0, notes=notes)
        for name, part in content.items():
            if name not in ("control", "cheating", "texts", "network"):
                yield from estimates_in(part, f"{path}.{name}")
    elif isinstance(content, list):
        for place, part in enumerate(content):
            yield from estimates_in(part, f"{path}.{place}")


def _share(row: Plain, n: int, unit: str = "%", **more: Any) -> Quantity:
    return Quantity(
        value=row["estimate"] if "estimate" in row else row["value"],
        error=row.get("standard_error"),
        interval=tuple(row["interval"]),
        unit=unit,
        n=n,
        possible=SHARE if unit == "%" else None,
        likeliest=row.get("maximum_likelihood"),
        notes=tuple(row.get("notes", ())),
        fixed=bool(row.get("fixed")),
        **more,
    )


def _number(
    row: Plain, n: int, unit: str, possible: tuple[float, float] | None, *, exact: bool = False
) -> Quantity:
    value = row["estimate"] if "estimate" in row else row["value"]
    ends = tuple(row["interval"])
    notes, fixed = tuple(row.get("notes", ())), bool(row.get("fixed"))
    error = row.get("standard_error")
    return Quantity(value, error, ends, unit, n, possible, notes=notes, fixed=fixed, exact=exact)


def _all(content: Plain) -> Iterator[tuple[Key, Quantity]]:
    for question in content["questions"]:
        yield from _of_question(question)
    scales = {question["id"]: question.get("mean") for question in content["questions"]}
    tables = [*content["tables"], *(pair for each in content["groups"] for pair in each["pairs"])]
    for table in tables:
        yield from _of_table(table, scales.get(table["outcome"]))
    for joint in content["groups"]:
        for row in joint["cells"]:
            answers = " · ".join(
                labels[code] for labels, code in zip(joint["labels"], row["codes"], strict=True)
            )
            yield ("joint", joint["id"], answers), _share(row, joint["n"])


def _of_question(question: Plain) -> Iterator[tuple[Key, Quantity]]:
    name, n, exact = question["id"], question["n"], not question["randomized"]
    for row in question.get("categories", ()):
        yield ("share", name, row["label"]), _share(row, n, exact=exact)
    asked = question.get("of_asked")
    if asked:
        yield ("asked of all", name), _share(asked["asked"], n)
        for row in asked["categories"]:
            yield ("asked", name, row["label"]), _share(row, n)
    if question.get("mean"):
        mean = question["mean"]
        possible = (mean["lowest"], mean["highest"])
        yield ("score", name), _number(mean, n, "", possible, exact=exact)
    number = question.get("number")
    if number:
        possible = (number["lower"], number["upper"])
        for place, row in enumerate([number["mean"], *number["quantiles"]]):
            of = _number(row, n, number["unit"], possible, exact=exact)
            yield ("number", name, str(place)), of
    for row in (question.get("texts") or {}).get("candidates", ()):
        yield ("share", name, row["label"]), _share(row, n)
    yield from _of_ranking(name, n, question.get("ranking") or {}, question["labels"])
    yield from _of_network(name, n, question.get("network") or {})
    yield from _of_arms(question)


def _of_arms(question: Plain) -> Iterator[tuple[Key, Quantity]]:
    name = question["id"]
    for arm in question.get("arms", ()):
        for label, row in zip(
            question["labels"], arm["categories"], strict=bool(arm["categories"])
        ):
            yield ("arm", name, arm["stratum"], label), _share(row, arm["n"])
        differences = (arm["comparison"] or {}).get("differences", ())
        for label, row in zip(question["labels"], differences, strict=bool(differences)):
            own = {**row, "estimate": row["difference"]}
            yield (
                ("arm difference", name, arm["stratum"], label),
                _share(own, arm["n"], "points"),
            )


def _of_ranking(
    name: str, n: int, ranking: Plain, labels: list[str]
) -> Iterator[tuple[Key, Quantity]]:
    for row in ranking.get("means", ()):
        possible = (1, len(ranking["means"]))
        yield ("mean rank", name, row["label"]), _number(row, n, "", possible)
    for row in ranking.get("shares", ()):
        yield ("rank", name, labels[row["item"]], f"Rank {row['rank']}"), _share(row, n)
    for row in ranking.get("pairs", ()):
        first, second = labels[row["first"]], labels[row["second"]]
        yield ("before", name, first, second), _share(row, n)
    for row in ranking.get("orders", ()):
        order = " › ".join(labels[item] for item in row["order"])
        yield ("order", name, order), _share(row, n)
    if ranking.get("refusal"):
        yield ("share", name, labels[-1]), _share(ranking["refusal"], n)


def _of_network(name: str, n: int, network: Plain) -> Iterator[tuple[Key, Quantity]]:
    for row in network.get("statistics", ()):
        is_share = row["name"] in ("density", "reciprocity", "clustering", "transitivity")
        yield ("network", name, row["name"]), _share(row, n, "%" if is_share else "")
    for degrees in network.get("degrees", ()):
        for place, row in enumerate(degrees["shares"]):
            yield ("degrees", name, degrees["kind"], str(place)), _share(row, n)
    mixing = network.get("mixing") or {}
    for row in mixing.get("cells", ()):
        first, second = (mixing["groups"][row[end]]["label"] for end in ("from", "to"))
        yield ("mixing", name, first, second), _share(row, n)
        if not network["directed"]:
            yield ("mixing", name, second, first), _share(row, n)


def _of_table(table: Plain, scale: Plain | None) -> Iterator[tuple[Key, Quantity]]:
    name, n = table["id"].replace(",", "-by-"), table["n"]
    outcomes, groups = table["outcome_labels"], table["group_labels"]
    if not table.get("cells"):
        return
    for part, rows in (("within", table["conditional"]), ("cells", table["cells"])):
        for group, shares in zip(groups, rows, strict=True):
            for outcome, row in zip(outcomes, shares, strict=True):
                own = {**row, "notes": table["notes"]}
                yield (part, name, group, outcome), _share(own, n)
    for group, row in zip(groups, table["margins"]["group"], strict=True):
        yield ("size", name, group), _share(row, n)
    for outcome, row in zip(outcomes, table["margins"]["outcome"], strict=True):
        yield ("total", name, outcome), _share(row, n)
    for group, row in zip(groups, table.get("means") or [None] * len(groups), strict=True):
        if row is not None:
            assert scale is not None
            possible = (scale["lowest"], scale["highest"])
            yield ("mean", name, group), _number(row, n, "", possible)
    for place, row in enumerate(table["differences"]):
        yield ("difference", name, str(place)), _share(row, n, "points")
    for measure, row in table["association"].items():
        if row:
            yield ("measure", name, measure), _number(row, n, "", None)


def weighted_quantities(weighted: Plain, content: Plain) -> dict[Key, Quantity]:
    """Return those of the weighted results, as they are stored."""
    asked = {question["id"]: question for question in content["questions"]}
    labels = {name: question["labels"] for name, question in asked.items()}
    found: dict[Key, Quantity] = {}
    for name, question in weighted["questions"].items():
        answers = _labels(question["answers"], labels[name])
        for label, row in zip(answers, question["categories"], strict=True):
            found["share", name, label] = _share(row, question["n"])
        if question["mean"]:
            number, scale = asked[name].get("number"), asked[name].get("mean")
            key: Key = ("number", name, "0") if number else ("score", name)
            possible = (number["lower"], number["upper"]) if number else None
            if scale:
                possible = (scale["lowest"], scale["highest"])
            unit = number["unit"] if number else ""
            found[key] = _number(question["mean"], question["n"], unit, possible)
    for table in content["tables"]:
        own, name = weighted["tables"].get(table["id"]), table["id"].replace(",", "-by-")
        if own is None:
            continue
        groups = _labels(own["groups"], labels[table["group"]])
        outcomes = _labels(own["outcomes"], labels[table["outcome"]])
        for part, rows in (("within", own["conditional"]), ("cells", own["cells"])):
            for group, shares in zip(groups, rows, strict=True):
                for outcome, row in zip(outcomes, shares, strict=True):
                    found[part, name, group, outcome] = _share(row, own["n"])
    return found


def _labels(recoding: Mapping[str, Any] | list[list[int]], labels: list[str]) -> list[str]:
    return [" + ".join(labels[code] for code in codes) for codes in recoding]


# --- analyses and the crowd ---------------------------------------------------------------------


def fitted_quantities(fit: Plain) -> dict[Key, Quantity]:
    """Return those of an analysis with two outcomes, as its file has them."""
    found: dict[Key, Quantity] = {}
    for row in fit["coefficients"]:
        found["coefficient", row["question"] or "", row["name"]] = _number(row, fit["n"], "", None)
    for row in fit["effects"]:
        key = ("effect", row["question"], str(row["label"]), row["category"])
        found[key] = _share(row, fit["n"], "points")
    for row in fit["predictions"]:
        key = ("prediction", row["question"], str(row["label"]), row["category"])
        found[key] = _share({**row, "estimate": row["probability"]}, fit["n"])
    return found


def crowd_quantities(
    computed: ComputedStatistic, unit: str, columns: int = 1
) -> dict[Key, Quantity]:
    """Return the values of a statistic, by row and column; `unit`: "%" of shares."""
    rows = zip(computed.values, computed.standard_errors, computed.interval(), strict=True)
    return {
        (f"{place // columns:03}", f"{place % columns:03}"): Quantity(
            _known(value),
            # The page of a share has no error, and does not judge by it.
            None if unit == "%" else _known(error),
            (_known(ends[0]), _known(ends[1])),
            unit,
            computed.n,
            SHARE if unit == "%" else None,
        )
        for place, (value, error, ends) in enumerate(rows)
    }


def _known(value: float) -> float | None:
    return float(value) if isfinite(value) else None
