"""A family whose reports are strings of bits: what is right of it, and what needs codes.

tests/engine/test_bit_channel.py compares what a string tells with a table of all strings.
"""

from dataclasses import replace
from decimal import Decimal
from math import exp, sqrt

import numpy as np
import pytest
from playwright.sync_api import expect

import rr_engine
from surveys.authoring.analyses.declarations import may_be_analysed
from surveys.authoring.checks.physical_devices import physical_device_problem
from surveys.authoring.checks.survey import lint_survey
from surveys.authoring.planning.figures import epsilon_panel
from surveys.authoring.planning.simulation import simulated_respondents, simulated_responses
from surveys.authoring.workbench.points import SearchRequest, other_devices
from surveys.devices import FAMILIES, draft_channel
from surveys.devices.family import Family
from surveys.engine_words import refusal, refusal_words
from surveys.exceptions import NotReadyError
from surveys.features.arms.allowed import left_out_words
from surveys.features.return_codes.assignment import chain_of
from surveys.features.tables.reading import problems_of
from surveys.features.tiers.figures import chain_of as chain_of_tiers
from surveys.features.tiers.section import Tier
from surveys.models import Question
from surveys.parameters import CODES, Same
from surveys.parameters.exact import channel_of
from surveys.responses.spaces import space_of
from tests.app.contract.cases import EPSILON, FITTING, QUESTION, question_of
from tests.app.contract.launches import launch_of
from tests.app.contract.noisy_bits import NoisyBits
from tests.app.contract.worded import worded
from tests.app.search_cases import search_request
from tests.browser import comer
from tests.browser.axe import assert_well_in_sizes
from tests.browser.respondent import (
    address,
    arrive,
    choose,
    press,
    spin,
    to_questions,
    unfold_sent,
)
from tests.builders import make_survey
from tests.waves import coded_launch, next_wave

OURS = [case for case in FITTING if case.device.name == NoisyBits.name and not case.refusal]
CHOICE = next(case for case in OURS if case.kind.name == "single_choice")
N = 4_000


def question(**values):
    return Question(**{**question_of(CHOICE.draft()), **values})


# --- figures ------------------------------------------------------------------------------------


def test_the_panel_has_the_figures_of_unary_encoding():
    """Wang et al. 2017, section 4.3: p = 1/2, q = 1/(e**eps + 1), and Eq. 7 at a share of 0.1."""
    p, q = 0.5, 1 / (exp(float(EPSILON)) + 1)
    panel = epsilon_panel(CHOICE.draft(), 500)
    ones = q + (p - q) * 0.1
    error = sqrt(ones * (1 - ones) / 500) / (p - q)
    assert panel["margin_at_planned_n"] == pytest.approx(1.959964 * error, rel=1e-6)
    assert (panel["least_retained"], panel["most_retained"]) == pytest.approx((p, p))
    assert panel["likelihood_ratio"] == pytest.approx(exp(2), rel=1e-6)
    # The bit of the answer alone is set: e**eps times as likely as under any other answer.
    assert panel["posterior"] == pytest.approx(0.1 * exp(2) / (0.1 * exp(2) + 0.9), rel=1e-6)


@pytest.mark.slow
@pytest.mark.django_db
def test_simulated_respondents_send_strings_that_the_device_draws():
    """Each bit is 1 as often as the integers say, within 4 standard errors."""
    parameters = launch_of(CHOICE).parameters
    truth, (device,) = {QUESTION: [0.6, 0.3, 0.1]}, parameters.devices
    people = simulated_respondents(parameters, truth, N, 5)
    random_bytes = np.random.default_rng(6).bytes
    responses = simulated_responses(parameters, people, random_bytes=random_bytes)
    reports = [response["reports"][QUESTION] for response in responses]
    assert {space_of(device).check(report) for report in reports} == {None}
    shares = np.bincount(people.answers[QUESTION], minlength=3) / N
    expected = channel_of(device, parameters.questions[0]).apply(shares)[1::2]
    ones = np.array([[int(bit) for bit in report] for report in reports]).mean(axis=0)
    assert np.all(np.abs(ones - expected) <= 4 * np.sqrt(expected * (1 - expected) / N))


def test_the_workbench_compares_a_device_without_a_table():
    """Its error at the guess is the mean variance of a bit, whatever a search finds."""
    request = SearchRequest.read(search_request(epsilon="2"))
    (found,) = [each for each in other_devices(request) if each["name"] == NoisyBits.name]
    p, q = 0.5, 1 / (exp(2) + 1)
    ones = q + (p - q) * np.array(request.prior)
    assert found["mse"] == pytest.approx((ones * (1 - ones)).mean() / (p - q) ** 2 / 1000, rel=1e-6)
    assert 0 < found["privacy"] < 1


# --- what needs codes ---------------------------------------------------------------------------


def test_tiers_need_codes():
    tiers = (Tier(name="a", share="0.5"), Tier(name="b", share="1"))
    with pytest.raises(NotReadyError, match="cannot make a version for each tier"):
        chain_of_tiers(CHOICE.draft(), tiers)


def test_arms_analyses_and_cross_tables_need_codes():
    with_bits, without = question(), question(design="k_rr")
    assert (left_out_words(with_bits), left_out_words(without)) == (
        "its device sends no codes",
        "",
    )
    assert (may_be_analysed(with_bits), may_be_analysed(without)) == (False, True)
    questions = {"q1": with_bits, "q2": question(design="k_rr", name="q2")}
    (message,) = problems_of([("q1", "q2")], questions)
    assert "The device of “q1” sends no codes" in message


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"physical_device": "die", "epsilon": Decimal(3)}, "physical_device"),
        ({"kind": "yes_no", "options": [], "known_share": Decimal(0)}, "control_silent"),
    ],
)
def test_a_physical_randomizer_and_a_control_item_need_codes(values, code):
    survey = make_survey(questions=[{**question_of(CHOICE.draft()), **values}])
    assert code in {finding.code for finding in lint_survey(survey) if finding.blocks}
    if code == "physical_device":
        draft = replace(CHOICE.draft(), epsilon=Decimal(3))
        assert "sends codes" in physical_device_problem(draft, "die")
        assert not physical_device_problem(replace(draft, design="k_rr"), "die")


@pytest.mark.django_db
def test_in_the_next_wave_a_string_is_sent_again():
    bits, other = question_of(CHOICE.draft()), {"name": "q2", "epsilon": Decimal(1)}
    first = coded_launch(questions=[bits, other], budget=Decimal(9))
    second = next_wave(first, q2="2")
    before, device = first.parameters.devices[0], second.parameters.devices[0]
    assert device.table == before.table
    (earlier,) = device.earlier
    assert (earlier.table, earlier.degradation) == (before.table, Same())
    with pytest.raises(NotReadyError, match="can only be sent again"):
        next_wave(second, q1="3")


# --- what the page cannot ask for ---------------------------------------------------------------


class Unasked(Family):
    """Its reports are pairs of codes, for which the page has no look."""

    name = "unasked"
    label = needs = worded("Two halves of a code", "Zwei Hälften eines Codes")
    names_answers = False

    def fits(self, draft):
        return len(draft.options) == 4

    def build(self, labels, epsilon, settings):
        half = rr_engine.channels.UniformChannel((2,), 3, 1, 4)
        return rr_engine.channels.ProductChannel((half, half))


class BitsAsCodes(NoisyBits):
    """Bits without the look of bits."""

    name = "bits_as_codes"
    look = CODES


@pytest.mark.django_db
@pytest.mark.parametrize("family", [Unasked(), BitsAsCodes()], ids=["pairs", "bits"])
def test_a_device_that_the_page_cannot_ask_with_is_refused_before_the_launch(family):
    FAMILIES.add(family)
    try:
        draft = replace(CHOICE.draft(), options=("a", "b", "c", "d"), design=family.name)
        with pytest.raises(rr_engine.errors.ArgumentError) as error:
            draft_channel(draft)
        survey = make_survey(questions=[question_of(draft)])
        blocking = {finding.code for finding in lint_survey(survey) if finding.blocks}
    finally:
        FAMILIES.remove(family.name)
    assert error.value.code == "not_storable"
    assert "no way to ask with this device" in refusal_words(refusal(error.value))
    assert blocking == {"no_device"}


# --- on the page --------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.any_database
@pytest.mark.django_db(transaction=True)
def test_a_person_sends_a_string_and_sees_which_answers_it_marks(live_server, new_context):
    launch = launch_of(CHOICE, "en", release_batch=1)
    page = new_context(reduced_motion="reduce").new_page()
    arrive(page, address(live_server, launch))
    to_questions(page)
    choose(page, "Bahn")
    press(page, "Scramble")
    drawn = page.locator(".question[data-state=drawn] .drawn")
    expect(drawn).to_be_visible()
    shown = drawn.locator("li").all_inner_texts()
    with page.expect_request(lambda request: request.method == "POST") as sent:
        press(page, "Send")
    report = sent.value.post_data_json["reports"][QUESTION]
    expect(page.locator(".receipt__code")).to_be_visible()
    labels = launch.parameters.questions[0].categories
    marked = [label for label, bit in zip(labels, report, strict=True) if bit == "1"]
    assert shown == (marked or ["None of these"])
    unfold_sent(page)
    assert f"{len(marked)} of 3 answers as marked" in page.locator("main").inner_text()


SIZES = [(320, 800), (1280, 800)]


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.any_database
@pytest.mark.django_db(transaction=True)
def test_who_comes_back_sends_the_same_string_again(live_server, new_context):
    """The noise of bits is drawn once: a second draw would add to what the first one tells."""
    first = coded_launch(
        questions=[question_of(CHOICE.draft()), {"name": "more"}],
        budget=Decimal(9),
    )
    page = new_context(reduced_motion="reduce").new_page()
    arrive(page, address(live_server, first))
    to_questions(page)
    choose(page, "Bahn")
    assert_well_in_sizes(page, "bits before the draw", SIZES)
    press(page, "Scramble")
    expect(page.locator(".question[data-state=drawn] .drawn")).to_be_visible()
    assert_well_in_sizes(page, "bits after the draw", SIZES)
    press(page, "Next")
    choose(page, "Yes")
    spin(page)
    press(page, "Next")
    code = comer.shown_code(page)
    comer.keep_and_send(page)
    expect(page.locator(".receipt__code")).to_be_visible()
    before = chain_of(launch_id=first.pk, code=code).reports[QUESTION]

    later = next_wave(first, more="2")
    page = comer.come_back(
        new_context(reduced_motion="reduce").new_page(), live_server, later, code
    )
    marked = before.count("1")
    sent = page.locator(".fields").first
    expect(sent).to_contain_text(f"You sent: {marked} of 3 answers as marked")
    assert_well_in_sizes(page, "bits that were sent before", SIZES)
    choose(page, "Yes")
    spin(page)
    press(page, "Next")
    press(page, "Send")
    expect(page.locator(".receipt__code")).to_be_visible()
    assert chain_of(launch_id=later.pk, code=code).reports[QUESTION] == before
