"""The arm of a response: as many people in each as is declared, and no other arm is accepted."""

import hashlib
import hmac
import uuid
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise, product

import numpy as np
import numpy.typing as npt
import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext
from scipy import stats

from surveys.exceptions import InvalidSubmissionError
from surveys.features.arms.assignment import arm_at, assigned_arm
from surveys.features.arms.section import Arm
from surveys.models import Receipt, Submission
from surveys.responses.envelope import (
    ParsedSubmission,
    ResponseSchema,
    checked_content,
    response_schema,
)
from tests.arms import ARMS, SHARES, arms_launch, ask, response_in, seeded_id, send
from tests.audit.audit import SIGNIFICANCE, goodness_of_fit

DIGEST, OTHER = "sha256:" + "1" * 64, "sha256:" + "2" * 64
PEOPLE = 20_000
NAMES = list(SHARES)
EXPECTED = [share / 100 for share in SHARES.values()]
Assign = Callable[[str, uuid.UUID, Sequence[Arm]], str]


@cache
def arms_of(digest: str, people: int = PEOPLE, assign: Assign = assigned_arm) -> list[int]:
    """The place of the arm of each of a row of ids."""
    return [NAMES.index(assign(digest, seeded_id(each), ARMS)) for each in range(people)]


def crossed(first: Sequence[int], second: Sequence[int]) -> npt.NDArray[np.int64]:
    counts = Counter(zip(first, second, strict=True))
    return np.array([[counts[row, column] for column in range(3)] for row in range(3)])


def from_one_byte(_digest: str, submission: uuid.UUID, arms: Sequence[Arm]) -> str:
    """A mutant: a byte has no even remainder by a hundred."""
    return arm_at(submission.bytes[0] % 100, arms)


def test_the_numbers_below_a_hundred_are_dealt_out_exactly_by_the_shares() -> None:
    assert Counter(arm_at(number, ARMS) for number in range(100)) == SHARES
    uneven = (Arm(stratum="page", share=1), Arm(stratum="a", share=98), Arm(stratum="b", share=1))
    assert [arm_at(number, uneven) for number in (0, 1, 98, 99)] == ["page", "a", "a", "b"]


def test_as_many_people_are_in_each_arm_as_is_declared() -> None:
    counts = np.bincount(arms_of(DIGEST), minlength=3)
    shares = np.array(EXPECTED)
    errors = np.sqrt(shares * (1 - shares) / PEOPLE)
    assert (np.abs(counts / PEOPLE - shares) < 4 * errors).all()
    assert goodness_of_fit([counts], [EXPECTED]) > SIGNIFICANCE


def test_an_assignment_that_is_uneven_is_seen() -> None:
    counts = np.bincount(arms_of(DIGEST, assign=from_one_byte), minlength=3)
    assert goodness_of_fit([counts], [EXPECTED]) < SIGNIFICANCE


def test_the_arms_of_two_surveys_and_of_two_neighbours_have_nothing_to_do_with_each_other() -> None:
    first, second = arms_of(DIGEST), arms_of(OTHER)
    neighbours = list(pairwise(first))
    for counts in (crossed(first, second), crossed(*zip(*neighbours, strict=True))):
        assert stats.chi2_contingency(counts).pvalue > SIGNIFICANCE


def test_ids_that_differ_in_one_bit_have_arms_of_their_own() -> None:
    base = seeded_id(0).int
    # Bits of the version and of the variant are the same in every id.
    near = [uuid.UUID(int=base ^ (1 << bit), version=4) for bit in range(128)]
    arms = [assigned_arm(DIGEST, each, ARMS) for each in near]
    moved = sum(arm != assigned_arm(DIGEST, seeded_id(0), ARMS) for arm in arms)
    # About two thirds of 122 are moved: within 4 standard errors of at least 65.
    assert moved > 0.65 * 122 - 4 * 5.3


def test_the_arm_is_a_keyed_hash_by_another_route() -> None:
    """HMAC-SHA256 under SHA-256 of salt and secret, as Django documents `salted_hmac`."""
    key = hashlib.sha256(b"candor.arm" + settings.SECRET_KEY.encode()).digest()
    for each in range(50):
        text = f"{DIGEST} {seeded_id(each)}".encode()
        number = int.from_bytes(hmac.digest(key, text, "sha256"), "big") % 100
        expected = "page" if number < 35 else "split" if number < 70 else "direct"
        assert assigned_arm(DIGEST, seeded_id(each), ARMS) == expected


def refused(parsed: ParsedSubmission, schema: ResponseSchema, arm: str) -> list[str]:
    """The devices whose strata are refused in this arm, each once for each error."""
    try:
        content = checked_content(parsed, schema, (arm,))
    except InvalidSubmissionError as error:
        return sorted(each.field.split(".")[1] for each in error.fields)
    return [
        name for name, of in schema.by_stratum[arm].strata.items() if content["strata"][name] != of
    ]


@pytest.mark.django_db
def test_every_report_is_from_the_arm_or_nothing_is_taken() -> None:
    """All strata that could be sent, in each arm: taken is what its devices say, nothing else."""
    schema = response_schema(arms_launch().parameters)
    values = (None, "page", "split", "direct", "physical")
    taken = Counter[str]()
    for arm, drug, mood, region in product(SHARES, values, values, (None, "split", "direct")):
        named = {"drug": drug, "mood": mood, "region": region}
        strata = {name: stratum for name, stratum in named.items() if stratum}
        parsed = ParsedSubmission(seeded_id(0), DIGEST, dict.fromkeys(named, 0), strata)
        own = schema.by_stratum[arm].strata
        wrong = [name for name in sorted(named) if strata.get(name, "page") != own[name]]
        assert refused(parsed, schema, arm) == wrong
        taken[arm] += not wrong
    # The device of the page may be named or left out.
    assert taken == {"page": 4, "split": 1, "direct": 2}


@pytest.mark.django_db
def test_a_request_for_an_arm_writes_nothing_and_rows_have_no_place_for_it(client) -> None:
    launch = arms_launch()
    draw = {"digest": launch.digest, "submission": str(seeded_id(0))}
    with CaptureQueriesContext(connection) as queries:
        assert ask(client, launch, draw).status_code == 200
    # Finding the survey, and its parameters where this process has not read them yet.
    assert 1 <= len(queries) <= 2
    assert all(query["sql"].lstrip().startswith("SELECT") for query in queries)
    for arm in SHARES:
        assert send(client, launch, response_in(launch, arm)).status_code == 201
    # Only the stratum beside each report says in which arm somebody was.
    columns = {field.attname for field in Receipt._meta.concrete_fields}
    assert columns == {"id", "submission", "launch_id"}
    assert all(set(row.content) == {"reports", "strata"} for row in Submission.objects.all())
