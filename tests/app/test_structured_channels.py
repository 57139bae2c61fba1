"""Devices whose table is never written down, from a family of this file to published results."""

import json
import tracemalloc
from dataclasses import replace
from decimal import Decimal

import msgspec
import numpy as np
import pytest
from msgspec import structs

import rr_engine
from surveys.authoring.panel.words import panel_of
from surveys.authoring.planning.simulation import simulated_respondents, simulated_responses
from surveys.devices import FAMILIES, Family, family_of
from surveys.drafts import Draft
from surveys.kinds import KINDS, kind_of
from surveys.kinds.multiple_choice import option_design
from surveys.parameters import (
    Bits,
    Dense,
    Device,
    Product,
    Table,
    Uniform,
    check,
    document_types,
    to_json,
)
from surveys.parameters.budget import text_of
from surveys.parameters.exact import (
    MOST_WRITTEN_DOWN,
    channel_of,
    design_of,
    matrix_of,
    table_of,
)
from surveys.results.launch_strata import input_of
from tests.builders import launched
from tests.plain import results_document

VILLAGES, EPSILON = 5_000, Decimal(8)
NAMES = [f"Village {number}" for number in range(VILLAGES)]


class AnyVillage(Family):
    """Randomized response over thousands of answers."""

    name = "any_village"
    label = "Any village"
    needs = "It takes one answer."

    def fits(self, draft):
        return not kind_of(draft).several

    def build(self, labels, epsilon, settings):
        return rr_engine.channels.UniformChannel.from_epsilon(
            len(labels), text_of(epsilon), bits=52
        )


@pytest.fixture(autouse=True)
def registered():
    FAMILIES.add(AnyVillage())
    yield
    FAMILIES.remove(AnyVillage.name)


DRAFT = Draft(
    name="home",
    kind="single_choice",
    options=tuple(NAMES),
    randomized=True,
    epsilon=EPSILON,
    design=AnyVillage.name,
)


def frozen():
    (device,) = family_of(DRAFT).freeze(DRAFT)
    question = document_types().question(
        id="home",
        kind="single_choice",
        control="list",
        text="Where do you live?",
        help="",
        required=False,
        randomized=True,
        reason="So many villages need it.",
        prefer_not=False,
        categories=tuple(NAMES),
        scale=None,
        characters=None,
        directed=None,
        known=None,
    )
    return device, question


# --- a family that builds a uniform channel -------------------------------------------------------


def test_it_is_frozen_as_two_integers():
    device, question = frozen()
    channel = rr_engine.channels.UniformChannel.from_epsilon(VILLAGES, "8", bits=52)
    assert isinstance(device.table, Uniform)
    assert (device.table.kept, device.table.other) == (channel.kept, channel.other)
    assert channel_of(device, question) == rr_engine.channels.UniformChannel(
        VILLAGES, channel.kept, channel.other, 2**52
    )


def test_its_table_is_refused_and_so_are_figures_that_need_it():
    channel = channel_of(*frozen())
    for ask in (lambda: channel.matrix, lambda: matrix_of(channel)):
        with pytest.raises(rr_engine.errors.ArgumentError) as error:
            ask()
        assert error.value.code == "table_too_large"
    assert panel_of(draft=DRAFT, planned_n=1_000, language="en").error


def test_its_reports_are_drawn_from_its_integers():
    channel, people = channel_of(*frozen()), 20_000
    truths, source = np.zeros(people, dtype=int), np.random.default_rng(6).bytes
    reports = rr_engine.randomize(channel, truths, source)
    kept = channel.kept / channel.denominator
    assert abs((reports == 0).sum() - people * kept) < 5 * (people * kept * (1 - kept)) ** 0.5
    others = np.bincount(reports[reports > 0] // 500, minlength=10)
    assert others.min() > 0.9 * others.mean()


@pytest.mark.slow
@pytest.mark.django_db
def test_it_is_answered_and_published_without_its_table():
    """The table of 5,000 x 5,000 would take 200 MB as numbers of eight bytes."""
    small = launched().parameters
    tracemalloc.start()
    device, question = frozen()
    parameters = structs.replace(
        small,
        questions=(question,),
        devices=(device,),
        epsilon="8",
        reason="So many.",
    )
    assert check(parameters) == parameters
    shares = [0.2, *[0.8 / (VILLAGES - 1)] * (VILLAGES - 1)]
    respondents = simulated_respondents(parameters, {"home": shares}, 4_000, seed=8)
    responses = simulated_responses(
        parameters, respondents, random_bytes=np.random.default_rng(9).bytes
    )
    counts = np.bincount([row["reports"]["home"] for row in responses], minlength=VILLAGES)
    document = results_document(parameters, "digest", {device.key: counts.tolist()}, 4_000)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    (results,) = document["questions"]
    first = results["categories"][0]
    assert abs(first["estimate"] - 0.2) < 5 * first["standard_error"]
    assert len(results["categories"]) == VILLAGES
    assert results["devices"][0]["table"] == to_json(device.table)
    assert len(json.dumps(results["devices"])) < 100_000
    assert peak < 100e6


# --- tables, channels and back --------------------------------------------------------------------

COIN = rr_engine.DesignMatrix.from_integers([[3, 1], [1, 3]], 4)
UNEVEN = rr_engine.DesignMatrix.from_integers([[9, 2, 1], [4, 11, 3], [3, 3, 12]], 16)
ROUND_TRIPS = [
    (COIN, Uniform),
    (UNEVEN, Dense),
    (rr_engine.channels.UniformChannel.from_epsilon(MOST_WRITTEN_DOWN + 1, "4", bits=40), Uniform),
    (rr_engine.channels.ProductChannel([COIN, UNEVEN]), Product),
    (rr_engine.channels.BitChannel.from_epsilon(300, "3"), Bits),
]


def device_with(table):
    device, question = frozen()
    values = {name: getattr(device, name) for name in Device.__struct_fields__}
    return Device(**{**values, "table": table}), question


@pytest.mark.parametrize(("channel", "form"), ROUND_TRIPS)
def test_a_table_gives_its_channel_back(channel, form):
    table = table_of(channel)
    assert isinstance(table, form)
    assert msgspec.json.decode(json.dumps(to_json(table)), type=Table) == table
    again = channel_of(*device_with(table))
    assert type(again) is type(channel)
    assert table_of(again) == table
    assert again.likelihood_ratio_bound == channel.likelihood_ratio_bound


def test_a_small_uniform_channel_is_estimated_as_any_other_table():
    """So that the last digits of a number do not depend on what its family has built."""
    channel = rr_engine.channels.UniformChannel.from_epsilon(MOST_WRITTEN_DOWN, "4", bits=40)
    again = channel_of(*device_with(table_of(channel)))
    assert isinstance(again, rr_engine.DesignMatrix)
    assert matrix_of(channel) == design_of(table_of(channel))


@pytest.mark.parametrize(
    "channel",
    [
        rr_engine.channels.BitChannel.from_epsilon(4, "3", truths="set"),
        rr_engine.warner(0.7),
    ],
)
def test_what_no_form_of_table_holds_is_refused(channel):
    with pytest.raises(rr_engine.errors.ArgumentError) as error:
        table_of(channel)
    assert error.value.code == "not_storable"


def test_a_table_of_bits_is_refused():
    with pytest.raises(rr_engine.errors.ArgumentError) as error:
        matrix_of(rr_engine.channels.BitChannel.from_epsilon(4, "3"))
    assert error.value.code == "table_not_available"


def test_a_product_is_written_down_for_figures():
    product = rr_engine.channels.ProductChannel([COIN, UNEVEN])
    assert matrix_of(product).matrix.tolist() == np.kron(COIN.matrix, UNEVEN.matrix).tolist()


@pytest.mark.parametrize("refusal", [False, True])
@pytest.mark.parametrize("option", [0, 2])
def test_an_option_within_a_large_device_is_that_of_its_table(option, refusal):
    """9 options have 512 sets of ticks."""
    size = 2**9 + refusal
    channel = rr_engine.channels.UniformChannel.from_epsilon(size, "4", bits=40)
    found, groups = option_design(channel, option, refusal=refusal)
    expected, expected_groups = option_design(matrix_of(channel), option, refusal=refusal)
    assert found == expected
    assert groups == expected_groups


def test_trials_take_the_channel():
    device, question = frozen()
    shares = [1 / VILLAGES] * VILLAGES
    ((channel, *_),) = KINDS[question.kind].trials(
        question, [input_of(question, device, {})], shares
    )
    assert isinstance(channel, rr_engine.channels.UniformChannel)


def test_a_draft_of_few_answers_has_its_figures():
    few = replace(DRAFT, options=tuple(NAMES[:4]), epsilon=Decimal(2))
    assert not panel_of(draft=few, planned_n=1_000, language="en").error
