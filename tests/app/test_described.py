"""The base of a release: any two sets of people that it describes differ by nobody, or not by few.

The people are listed one by one here and every set is made by its definition, so that nothing of
the code under test tells who is in which.
"""

from itertools import combinations, permutations

import numpy as np
import pytest

from surveys.responses.patterns import Patterns
from surveys.results.described import Base, base_of
from tests.builders import launched

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

DIRECT = {"randomized": False, "kind": "single_choice", "options": ["a", "b", "c"], "text": "Who?"}


def launch_of(rng, questions, **values):
    """A survey with so many questions, of which chance picks those that are direct and optional."""
    asked = [
        {
            **(DIRECT if rng.random() < 0.5 else {"epsilon": "0.3"}),
            "name": f"q{number}",
            "required": bool(rng.random() < 0.3),
        }
        for number in range(questions)
    ]
    names = [question["name"] for question in asked]
    tables = [list(pair) for pair in combinations(names, 2) if rng.random() < 0.5]
    return launched(questions=asked, linkage="together", cross_tables=tables, **values)


def people_of(rng, parameters, count):
    """Draw what so many people have reported to: some skip at random, some from a question on."""
    names = [device.id for device in parameters.devices]
    optional = [not question.required for question in parameters.questions]
    rate, leaving = rng.choice([0.005, 0.02, 0.1, 0.4]), rng.choice([0, 0.03, 0.2])
    people = []
    for _ in range(count):
        skips = rng.random(len(names)) < rate
        if rng.random() < leaving:
            skips[rng.integers(len(names)) :] = True
        kept = [
            name
            for name, skip, may in zip(names, skips, optional, strict=True)
            if not (skip and may)
        ]
        people.append(dict.fromkeys(kept, "page"))
    return people


def sets_of(names, people, base, threshold):
    """Every set of people that a release can describe: alone those of all, joint of the base."""
    alone = {name: {who for who, used in enumerate(people) if name in used} for name in names}
    names = [name for name in names if len(alone[name]) >= threshold]
    joint = [alone[name] & base for name in names]
    joint += [alone[one] & alone[other] & base for one, other in combinations(names, 2)]
    return alone, [each for each in joint if len(each) >= threshold]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(30))
def test_no_two_sets_differ_by_a_few(seed):
    rng = np.random.default_rng(seed)
    parameters = launch_of(rng, int(rng.integers(2, 6))).parameters
    names = [question.id for question in parameters.questions]
    patterns = Patterns(parameters)
    for threshold in (2, 5, 20):
        people = people_of(rng, parameters, int(rng.integers(threshold, 160)))
        waves, counted = [("", parameters)], {}
        for used in people:
            key = ("", patterns.of({"strata": used}))
            counted[key] = counted.get(key, 0) + 1
        base = base_of(counted, waves, threshold)
        marked = base.mark([{"strata": used} for used in people], waves)
        inside = {who for who, (_content, is_in) in enumerate(marked) if is_in}
        assert len(people) - len(inside) == base.people
        if base.withheld:
            assert not inside
            continue
        alone, joint = sets_of(names, people, inside, threshold)
        for one, other in permutations(joint, 2):
            assert not 0 < len(one - other) < threshold
        for name in names:
            if len(alone[name]) < threshold:
                continue
            for each in joint:
                # A fit of another outcome describes those who answered this question as well.
                assert not 0 < len(alone[name] - (each & alone[name])) < threshold


def test_where_nobody_skips_everybody_is_in(db):
    launch = launched(questions=[DIRECT | {"name": "sex"}, {"name": "drug"}], linkage="together")
    assert base_of({("", ""): 100}, [("", launch.parameters)], 20) == Base()
