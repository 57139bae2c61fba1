"""What the client computes of a device's integers is what the engine computes of them."""

import math
from fractions import Fraction

import pytest
from candor.verification.losses import logarithm, losses_of, rounded_up

from surveys.parameters.exact import channel_of, likelihood_ratio_bound
from surveys.parameters.tables import Bloom, Chain, Joint
from tests import arms, released, tiers
from tests.app.contract.cases import FITTING
from tests.app.contract.launches import frozen_of
from tests.builders import launched

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
# Of one cohort, of a step, and of several questions: the engine has their channels elsewhere.
MADE_ELSEWHERE = (Bloom, Chain, Joint)


def compare(launch):
    parameters = launch.parameters
    devices = [device for device in parameters.devices if device.epsilon is not None]
    losses = losses_of(launch.document)
    assert [loss.device for loss in losses] == [device.id for device in devices]
    questions = {question.id: question for question in parameters.questions}
    for device, loss in zip(devices, losses, strict=True):
        assert loss.ratio == likelihood_ratio_bound(device.table)
        if isinstance(device.table, MADE_ELSEWHERE):
            continue
        engine = channel_of(device, questions[device.questions[0]]).epsilon
        own = math.inf if loss.epsilon is None else float(loss.epsilon)
        assert own == pytest.approx(engine, rel=1e-12)
    return len(losses)


@pytest.mark.parametrize("case", FITTING, ids=str)
@pytest.mark.slow
def test_every_device_of_every_kind(case):
    compare(frozen_of(case))


def of_a_group():
    return launched(questions=released.WITH_GROUP, budget="7")


@pytest.mark.parametrize("make", [arms.arms_launch, tiers.tiered, of_a_group])
@pytest.mark.slow
def test_devices_of_arms_tiers_and_groups(make):
    assert compare(make()) >= 2


def test_an_epsilon_is_never_said_to_be_less_than_it_is():
    assert rounded_up(logarithm(Fraction(3)), 4) == "1.0987"
    assert logarithm(Fraction(3)) < 1.0987
    assert rounded_up(logarithm(Fraction(1)), 4) == "0"
