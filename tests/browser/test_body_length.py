"""All responses to one survey have bodies of one length (docs/protocol.md, section 5)."""

import itertools
import json
import random
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from candor import respondent
from playwright.sync_api import Browser, Page

from surveys.features.option_orders.section import kept_counts
from surveys.features.return_codes.section import return_code
from surveys.features.roster.section import new_link
from surveys.models import Launch
from surveys.parameters import PAGE, Device
from surveys.responses.envelope import checked_content, parse_submission, response_schema
from surveys.responses.spaces import Filters, Numbered, TieBits, Tuples, space_of
from tests.arms import arms_launch
from tests.browser.rr_page import rr_page, run
from tests.builders import launched
from tests.rosters import small_network
from tests.tiers import tiered
from tests.waves import coded_launch

pytestmark = [pytest.mark.browser, pytest.mark.django_db, pytest.mark.any_database]
SEED = 20261125
# Random responses to each survey, beside those with the smallest and with the largest reports.
SAMPLES = 20

FREE = {"required": False}
OPTIONS = [f"Option {number}" for number in range(1, 13)]
CHOICE = {"kind": "single_choice", "options": OPTIONS, **FREE}
BOXES = {"kind": "multiple_choice", "options": OPTIONS[:3], **FREE}
RANGE = {"lower": "0", "upper": "60", "step": "0.5", "unit": "hours", "bins": [0, 20, 40, 90]}
LISTED = [
    {**CHOICE, "epsilon": "0.3"},
    {**CHOICE, "design": "cards", "epsilon": "0.3"},
    {**CHOICE, "randomized": False},
    {**BOXES, "design": "per_option", "epsilon": "0.3"},
    {**BOXES, "design": "whole_set", "epsilon": "0.3"},
    {"kind": "bounded_number", "scale": RANGE, "epsilon": "0.3", **FREE},
    {"kind": "short_text", "design": "rappor", "epsilon": "0.3", **FREE},
]
ORDER = {"option_order": "rotated", "option_order_last": 2, "option_order_kept": True}
KEPT = {
    "questions": [{**CHOICE, **ORDER, "epsilon": "0.3"}, {**BOXES, "design": "per_option"}],
    "linkage": "together",
    "planned_n": 100,
}
GROUPED = [{**CHOICE, "group": 1}, {"group": 1, **FREE}, {**CHOICE, "randomized": False}]

# Reports of one person as the page keeps them, sealed as it seals them.
SEALED = """
const { Session } = await import("/static/js/lib/session.js");
const { filledUp } = await import("/static/js/rr/body_length.js");
const { memoryStore } = await import("/static/js/lib/store.js");
const whole = await wire.checkParameters(given.served, load, sections);
const bodies = [];
for (const { reports, strata, code, link } of given.sent) {
  const chosen = (device) => (strata[device.id] ?? "page") === device.stratum;
  const asked = { ...whole, devices: whole.devices.filter(chosen) };
  const own = given.own && { key: { name: given.own, fits: () => true, of: () => code ?? link } };
  const beside = () => given.beside ?? {};
  const session = new Session(asked, memoryStore(), { own, beside });
  await session.update((stored) => ({ ...stored, reports }));
  bodies.push(filledUp(await session.seal(), whole));
}
return bodies;
"""


@pytest.fixture(scope="module")
def page(chromium: Browser) -> Iterator[Page]:
    with rr_page(chromium) as page:
        yield page


def extremes_of(device: Device) -> list[Any]:
    """The shortest and the longest report of a device."""
    space = space_of(device)
    if isinstance(space, Filters):
        return [[0, "0" * space.bits], [space.cohorts - 1, "1" * space.bits]]
    if isinstance(space, Tuples):
        return [[0] * len(space.shape), [size - 1 for size in space.shape]]
    if isinstance(space, Numbered):
        return [0, space.size - 1]
    return ["0" * space.bits, "1" * space.bits]


def responses(launch: Launch) -> Iterator[dict[str, Any]]:
    """Reports and strata of people of every arm who were asked all or a part of the questions."""
    rng = random.Random(SEED)
    drawn = [device for device in launch.parameters.devices if not device.instructions]
    needed = {question.id for question in launch.parameters.questions if question.required}
    arms = sorted({device.stratum for device in drawn})
    for arm, sample in itertools.product(arms, range(SAMPLES + 2)):
        own = {device.id: device for device in drawn if device.stratum == PAGE}
        own |= {device.id: device for device in drawn if device.stratum == arm}
        place = sample if sample < 2 else None
        questions = {device.questions for device in own.values()}
        kept = {q for q in questions if needed.intersection(q) or rng.random() < 0.6}
        kept = questions if place is not None or not kept else kept
        chosen = [device for device in own.values() if device.questions in kept]
        yield {
            "reports": {
                device.id: extremes_of(device)[rng.randrange(2) if place is None else place]
                for device in chosen
            },
            "strata": {d.id: d.stratum for d in own.values() if d.stratum != PAGE},
        }


@pytest.mark.parametrize(
    ("make", "own"),
    [
        (lambda: launched(questions=LISTED, budget=Decimal(6)), {}),
        (lambda: launched(questions=GROUPED), {}),
        (lambda: arms_launch(budget=Decimal(4)), {}),
        (lambda: tiered(budget=Decimal(9)), {}),
        (lambda: coded_launch(questions=LISTED[:4]), {"code": lambda: return_code("0" * 18)}),
        (lambda: small_network(12), {"link": new_link}),
        (lambda: launched(**KEPT), {}),
    ],
    ids=["kinds", "group", "arms", "tiers", "return code", "personal link", "orders"],
)
def test_every_response_has_the_length_of_its_survey(page, make, own):
    launch = make()
    sent = [{**each, **{name: new() for name, new in own.items()}} for each in responses(launch)]
    counts = kept_counts(launch.parameters)
    beside = {"orders": {name: count - 1 for name, count in counts.items()}} if counts else None
    key = next(iter(own), None)
    given = {"served": launch.document, "own": key, "sent": sent, "beside": beside}
    bodies = run(page, SEALED, given)
    # By a client that was written from docs/protocol.md alone.
    length = respondent.body_length(launch.document)
    assert {len(body.encode()) for body in bodies} == {length}
    assert len({len(body.rstrip()) for body in bodies}) > 1 or isinstance(
        space_of(launch.parameters.devices[0]), TieBits
    )
    schema = response_schema(launch.parameters)
    for body, each in zip(bodies, sent, strict=True):
        assert json.loads(body)["reports"] == each["reports"]
        assert checked_content(parse_submission(body.encode()), schema)["reports"]
