"""Cases of the contract: every family of devices with every kind, with and without a refusal.

The families and kinds of this folder are included: they are registered while cases are listed,
and while a test of the contract runs. What cannot even be listed with others is no case, but what
went wrong is kept by its name, so that one kind or family fails a test of its own
(test_cases.py) and stops no other.
"""

import functools
import json
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import combinations, product
from pathlib import Path
from typing import Any

import rr_engine
from surveys.devices import DIRECT, FAMILIES, Family
from surveys.devices.physical.device import PhysicalDevice
from surveys.devices.physical.registry import PHYSICAL_DEVICES
from surveys.devices.searched import BITS
from surveys.drafts import Draft
from surveys.kinds import KINDS, Kind, categories
from surveys.kinds.bounded_number import equal_starts
from surveys.parameters import scale_of_json, to_json
from tests.app.contract.age_in_bands import AgeInBands
from tests.app.contract.noisy_bits import NoisyBits
from tests.app.contract.not_sure import YesNoNotSure
from tests.app.contract.subset_selection import SubsetSelection
from tests.rosters import roster_rows

EPSILON = Decimal(2)
QUESTION = "q1"
# Numbers of options that are tried in turn; a refusal is one more answer.
SIZES = (3, 2, 4, 7, 8)
# A number in so many bins; in one it has none.
NUMBER_SIZES = (*SIZES, 1)
RANGE = {"lower": "-2", "upper": "12", "step": "0.5", "unit": "Stunden"}
STEPS = 28
# On the roster of a survey that has one.
MEMBERS = 12
OPTIONS = ("Bus", "Bahn", "Rad", "Auto", "Boot", "Taxi", "Roller", "Moped")
# Options that an author may write; a kind is tried with the first of these that it takes.
DATES = ("1990", "1995", "2000", "2001", "2002", "2003", "2004", "2010")
TYPED = (OPTIONS, ("18", "25", "30", "40", "50", "60", "65", "75"), DATES)
OUR_FAMILIES = (SubsetSelection, NoisyBits)
OUR_KINDS = (YesNoNotSure, AgeInBands)


@contextmanager
def register_for_cases() -> Iterator[None]:
    """Register the families and kinds of this folder within the block."""
    for family in OUR_FAMILIES:
        FAMILIES.add(family())
    for kind in OUR_KINDS:
        KINDS.add(kind())
    try:
        yield
    finally:
        for family in OUR_FAMILIES:
            FAMILIES.remove(family.name)
        for kind in OUR_KINDS:
            KINDS.remove(kind.name)


@dataclass(frozen=True)
class Case:
    """One case; `size` is the number of options that suits the device, or None."""

    device: Family | PhysicalDevice
    kind: Kind
    refusal: bool
    size: int | None = None

    def __str__(self) -> str:
        return "-".join([self.device.name, self.kind.name, *(["refusal"] if self.refusal else [])])

    @property
    def physical(self) -> bool:
        """Whether it is a physical randomizer."""
        return isinstance(self.device, PhysicalDevice)

    @property
    def family(self) -> Family:
        """The name of the family in the parameters."""
        return self.device.family if isinstance(self.device, PhysicalDevice) else self.device

    def fitted(self) -> "Case":
        """The case with a number of options that suits the device."""
        sizes = NUMBER_SIZES if self.kind.numeric and not self.physical else SIZES
        candidates = (replace(self, size=size) for size in sizes)
        return next((case for case in candidates if self.device.fits(case.draft())), self)

    def scale(self) -> dict[str, Any]:
        """The scale of a number, in bins if there are several."""
        size = self.size or SIZES[0]
        return {**RANGE, "bins": list(equal_starts(STEPS, size)) if size > 1 else []}

    def options(self) -> tuple[str, ...]:
        """Return what its author writes as options: the first of `TYPED` that the kind takes."""
        if not self.kind.with_options:
            return ()
        typed = [each[: self.size or SIZES[0]] for each in TYPED]
        return next((each for each in typed if not self.kind.options_problem(each)), typed[0])

    def draft(self) -> Draft:
        direct = self.device is DIRECT
        plain = Draft(
            name=QUESTION,
            kind=self.kind.name,
            options=self.options(),
            scale=scale_of_json(self.scale()) if self.kind.numeric else None,
            members=MEMBERS if self.kind.about_members else 0,
            prefer_not=self.refusal,
            randomized=not direct,
            epsilon=None if direct else EPSILON,
        )
        if direct:
            return plain
        if not self.physical:
            parameters = stored_parameters(self.device.name, tuple(categories(plain)))
            return replace(plain, design=self.device.name, settings=json.dumps(parameters))
        usual = next((family.name for family in FAMILIES.values() if family.fits(plain)), "")
        return replace(plain, design=usual, physical_device=self.device.name)


def survey_of(case: Case) -> dict[str, Any]:
    """The values of its survey beside those of any other, for `make_survey`."""
    if not case.kind.about_members:
        return {}
    return {"mode": "personal", "linkage": "together", "roster": roster_rows(MEMBERS)}


def question_of(draft: Draft) -> dict[str, Any]:
    """The values of a draft's question, for `make_survey`."""
    names = ("name", "kind", "prefer_not", "randomized", "epsilon", "design", "physical_device")
    values = {name: getattr(draft, name) for name in names}
    parameters = dict(draft.design_parameters)
    scale = to_json(draft.scale) if draft.scale else None
    return values | {
        "options": list(draft.options),
        "scale": scale,
        "design_parameters": parameters,
    }


def stored_parameters(family: str, labels: tuple[str, ...]) -> dict[str, Any]:
    """The parameters that a family expects to be stored with a question of these answers."""
    parameters = {
        "optimal_binary": {"delta": "0.01", "prevalence": "0.02"},
        "searched": _as_searched(labels if len(labels) > 1 else OPTIONS[:2]),
    }
    return parameters.get(family, {})


@functools.cache
def _as_searched(labels: tuple[str, ...]) -> dict[str, Any]:
    """A table with one uninformative report, which half of all people send."""
    answers = len(labels)
    half = rr_engine.k_rr(answers, "1").quantized(bits=BITS - 1)
    table = [*half.integers.tolist(), [2 ** (BITS - 1)] * answers]
    prior = [f"{share:.12f}" for share in _falling_shares(answers)]
    error = rr_engine.DesignMatrix.from_integers(table, 2**BITS).mse([*map(float, prior)], 1)
    search = {
        "prior": prior,
        "respondents": 1000,
        "privacy": "0.4",
        "worst_posterior": "0.75",
        "epsilon": "1",
        "method": "local",
        "least_error": f"{error / 1.05:.12f}",
    }
    return {"table": table, "search": search, "labels": list(labels), "run": 0, "certificate": {}}


def _falling_shares(answers: int) -> list[float]:
    """Distinct shares that add up to 1 in decimal digits."""
    total = answers * (answers + 1) / 2
    shares = [round((answers - index) / total, 12) for index in range(1, answers)]
    return [1 - sum(shares), *shares]


# By name of a kind, a family or a physical randomizer: what went wrong when cases were listed.
Troubles = dict[str, list[str]]


def list_cases() -> tuple[list[Case], Troubles]:
    """All cases of what is registered, and of those that could not be made the reason."""
    devices = [*FAMILIES.values(), DIRECT, *PHYSICAL_DEVICES.values()]
    cases, troubles = list[Case](), Troubles()
    for device, kind in product(devices, KINDS.values()):
        for refusal in (False, True)[: 1 + kind.refusable]:
            case = Case(device, kind, refusal)
            # Whatever a kind or a device raises is a failure of its own.
            try:
                fitted = case.fitted()
                fitted.draft()
            except Exception as error:
                _blame(troubles, case, error)
            else:
                cases.append(fitted)
    return cases, troubles


def _blame(troubles: Troubles, case: Case, error: Exception) -> None:
    """Keep an error under the names of the device and the kind, with the place that raised it."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    words = f"{case}: {type(error).__name__}: {error} ({Path(place.filename).name}, {place.name})"
    for name in (case.device.name, case.kind.name):
        troubles.setdefault(name, []).append(words)


def covering(cases: Iterable[Case]) -> list[Case]:
    """Few of these cases in which every two of device, kind and refusal that meet in one meet.

    For what depends on two of them at most: words, forms, findings, rows of the database.
    """
    pairs = {
        case: set(combinations((case.device.name, case.kind.name, case.refusal), 2))
        for case in cases
    }
    chosen, left = list[Case](), set().union(*pairs.values())
    while left:
        most = max(pairs, key=lambda case: len(pairs[case] & left))
        chosen.append(most)
        left -= pairs[most]
    return chosen


with register_for_cases():
    CASES, TROUBLES = list_cases()
    FITTING = [case for case in CASES if case.size is not None]
    # A report of the others is no code: tests/app/test_short_text.py and test_roster_ties.py have
    # their part.
    CODED = [case for case in FITTING if not (case.kind.free_text or case.kind.about_members)]
    REFUSED = [case for case in CASES if case.size is None]
    # One for each device and one for each kind, the only distinctions that some pages make.
    EACH = [*{case.device: case for case in FITTING}.values()]
    EACH += [*{case.kind: case for case in FITTING if case not in EACH}.values()]
    # These are made for a question and stay chosen; lint reports that they do not fit.
    STAYING = [case for case in REFUSED if not case.physical and case.device.stays(case.draft())]
