"""An arm that scrambles leaves no trace of the true answer; the direct one sends it, only then."""

import json

import pytest

from tests.arms import id_in
from tests.browser.armed import DRUG, REGION, armed_survey, drawing, kept, page_in, question
from tests.browser.respondent import address, choose, press, receipt, spin, to_questions
from tests.browser.test_respond_truth import LATE, STORES, observe, watch

pytestmark = pytest.mark.browser

# The bytes of a draw are 0x10101010, as in the other records; those of an id put it into an arm.
FIXED = """
window.taken = [];
Crypto.prototype.getRandomValues = function (array) {
  window.taken.push(array.byteLength);
  return array.byteLength === 16 ? (array.set(%s), array) : array.fill(0x10);
};
"""


def record_of(new_context, url: str, script: str, label: str) -> dict:
    """All that happens while somebody answers."""
    page, record = watch(new_context, script)
    page.goto(url)
    to_questions(page)
    choose(page, label)
    spin(page)
    page.wait_for_function(LATE)
    record["drawn"] = observe(page)
    press(page, "Send")
    receipt(page)
    record["sent"] = observe(page)
    record["requests"].sort(key=repr)
    return record


def test_the_record_of_the_split_sample_is_the_same_for_every_answer(live_server, new_context):
    """In the page's arm only the strata differ from a survey without: test_respond_truth.py."""
    launch = armed_survey([{**DRUG, "prefer_not": True}])
    url, script = address(live_server, launch), drawing(id_in(launch, "split"), FIXED)
    first, *others = [
        record_of(new_context, url, script, label) for label in ("No", "Yes", "Prefer not to say")
    ]
    for other in others:
        assert other == first
    posts = [json.loads(body) for method, _, body, _ in first["requests"] if method == "POST"]
    assert {"reports": {"drug": 0}} in [{"reports": each.get("reports")} for each in posts]
    assert len(posts) == 2
    # One byte to see that there is a source, the id, and one draw.
    assert first["drawn"]["taken"] == [1, 16, 4]


def test_a_direct_answer_is_in_no_store_and_no_request_before_it_is_sent(live_server, new_context):
    launch = armed_survey([DRUG, REGION])
    page, posts = page_in(new_context, launch, "direct")
    page.goto(address(live_server, launch))
    press(page, "I agree")
    choose(question(page, REGION), "N")
    before = (page.evaluate(STORES), kept(page))
    for label in ("Yes", "No", "Yes"):
        choose(question(page, DRUG), label)
        assert (page.evaluate(STORES) | {"checked": 1}, kept(page)) == before
    assert [name for name, _ in posts] == ["arm"]
    press(page, "Send")
    assert receipt(page)
    assert posts[-1][1]["reports"] == {"drug": 1, "region": 0}
    assert set(kept(page)) == {"reports", "submission", "receipt"}
