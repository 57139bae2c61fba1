"""The sum of all waves: the page counts as the server does (surveys/parameters/budget.py)."""

import json
from itertools import product
from typing import Any

import pytest
from playwright.sync_api import expect

from surveys.features.return_codes.assignment import chain_of
from surveys.models import Launch
from surveys.parameters import to_json
from surveys.parameters.budget import Answered, spent_over, text_of
from tests.browser import comer
from tests.browser.respondent import choose, press, receipt, spin
from tests.waves import coded_launch, new_code, next_wave, post

pytestmark = [pytest.mark.browser, pytest.mark.django_db]

SCRAMBLED = ("drug", "absence")
# The parts of a wave that somebody reports to: some of its devices; None: they miss it.
PARTS = [None, ("drug",), ("absence",), SCRAMBLED]
LEDGER = """async (text) => {
  const { ledgerWithNow } = await import("/static/js/features/return_codes/ledger.js");
  return JSON.parse(text).map(([parameters, earlier, reports]) =>
    ledgerWithNow(parameters, earlier ?? undefined, reports ?? undefined).at(-1));
}"""


def three_waves() -> list[Launch]:
    first = coded_launch(budget=6)
    second = next_wave(first, drug="1.5")
    return [first, second, next_wave(second, drug="2", absence="1.25")]


def known(waves: list[Answered]) -> dict[str, Any] | None:
    """Return what the page knows of somebody who answered these waves."""
    if not waves:
        return None
    totals = [spent_over(waves[: count + 1]) for count in range(len(waves))]
    last = waves[-1]
    return {
        "wave": last.parameters.wave,
        "reports": dict.fromkeys(last.devices, 0),
        "ledger": [
            {"wave": answered.parameters.wave, "epsilon": text_of(total)}
            for answered, total in zip(waves, totals, strict=True)
        ],
        "epsilons": {
            device.id: device.epsilon
            for device in last.parameters.devices
            if device.id in last.devices
        },
    }


def test_the_page_adds_up_as_the_server_does_whatever_was_left_out(page):
    launches = three_waves()
    cases, expected = [], []
    for parts in product(PARTS, PARTS, PARTS):
        *before, now = [
            Answered(launch.parameters, devices)
            for launch, devices in zip(launches, parts, strict=True)
            if devices is not None
        ] or [None]
        if now is None:
            continue
        reports = dict.fromkeys(now.devices, 0)
        cases.append([to_json(now.parameters), known(before), reports])
        everything = Answered(now.parameters, SCRAMBLED)
        cases.append([to_json(now.parameters), known(before), None])
        for last in (now, everything):
            total = text_of(spent_over([*before, last]))
            expected.append({"wave": now.parameters.wave, "epsilon": total})
    assert len(cases) == 126
    assert page.evaluate(LEDGER, json.dumps(cases)) == expected
    # Some are above the sum of the last wave alone.
    assert {"wave": 3, "epsilon": "3.75"} in expected


@pytest.mark.django_db(transaction=True)
def test_what_was_left_out_in_between_adds_on_the_page_too(live_server, new_context, client):
    questions = [
        {"name": "drug", "required": False},
        {"name": "theft", "text": "Did you ever take something home?", "required": False},
    ]
    first, code = coded_launch(slug="work", questions=questions, budget=6), new_code()
    assert post(client, first, code, {"drug": 1, "theft": 1}).status_code == 201
    second = next_wave(first, drug="1.5")
    assert post(client, second, code, {"drug": 1}).status_code == 201
    third = next_wave(second, drug="2")
    page = new_context().new_page()
    comer.come_back(page, live_server, third, code)
    page.get_by_text("What it adds up to").click()
    rows = page.locator("details table.outcomes tbody tr")
    assert rows.all_inner_texts() == ["Wave 1\t2\t2", "Wave 2\t0.5\t2.5", "Wave 3\t1.5\t4"]
    for _question in questions:
        choose(page.locator(".question").last, "Yes")
        spin(page)
        press(page, "Next")
    expect(page.locator(".return-code")).to_be_visible()
    press(page, "Send")
    receipt(page)
    assert page.locator("table.outcomes tbody tr").last.inner_text() == "Wave 3\t1.5\t4"
    ledger = chain_of(launch_id=third.pk, code=code).ledger
    assert (ledger[-1].wave, ledger[-1].epsilon) == (3, "4")
