"""Arms in the browser: the same survey in each as on the server."""

import pytest
from playwright.sync_api import Page

from surveys.parameters import in_stratum, read, to_json
from tests.browser.rr_page import run
from tests.vectors.broken_documents import signed
from tests.vectors.make_wire_vectors import in_arms, plainly_asked

pytestmark = pytest.mark.browser

# The page would ask this: of each device only what the document says of it.
ASKED = """const checked = await wire.checkParameters(given.document, load, sections);
const { inArm } = await import("/static/js/features/arms/rules.js");
const { used, ...asked } = inArm(checked, given.arm);
const served = new Map(checked.devices.map((device, i) => [device, given.document.devices[i]]));
return { ...asked, devices: asked.devices.map((device) => served.get(device)) };"""


def test_arms_are_not_checked_without_their_module(page: Page) -> None:
    body = """const without = async (name) => (name === "arms" ? undefined : load(name));
    return refusal(() => wire.checkParameters(given, without, sections));"""
    refused = run(page, body, signed(in_arms()))
    assert (refused["code"], refused["field"]) == ("not_loaded", "arms")


@pytest.mark.parametrize(
    ("document", "arm"),
    [
        *((in_arms, arm) for arm in ("page", "split", "direct")),
        *((plainly_asked, arm) for arm in ("page", "plainly_2")),
    ],
)
def test_both_sides_ask_the_same_in_an_arm(page: Page, document, arm) -> None:
    given = signed(document())
    asked = run(page, ASKED, {"document": given, "arm": arm})
    expected = to_json(in_stratum(read(given), arm))
    assert {**asked, "digest": None} == {**given, **expected, "digest": None}
