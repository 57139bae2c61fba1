"""Reports on a roster, audited whole: a short one over all its bits together, a long one bit by bit
and by neighbours.

What is ticked goes through the page's own list, so that names, places and bits are audited with the
device. Bytes are those of a fixed key: a run counts what every other run counts, and the bounds in
standard errors are far from it.
"""

import json
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from surveys.models import Submission
from tests.audit.audit import (
    BEYOND_DOUBT,
    SIGNIFICANCE,
    epsilon_lower_bound,
    goodness_of_fit,
    replays,
)
from tests.browser.respondent import address, arrive, press, tick, to_questions
from tests.browser.rr_page import answer_of, rr_page
from tests.devices import Json
from tests.rosters import TIES, launched_network, links_of, roster_rows, small_network
from tests.vectors.case_lines import read_vectors

pytestmark = pytest.mark.browser

MILLION = 1_000_000
VECTORS = read_vectors("tie_draws.json")
SETUP = """
const {checkDevice, drawReport} = await import("/static/js/rr/device.js");
const ties = await import("/static/js/rr/ties.js");
const harness = await import("/tests/audit/harness.js");
const clients = await import("/tests/audit/mutants/ties.js");
const {raw, raws, roster, name, sets, answers, member, draws, label, cases} = JSON.parse(text);
const device = raw && checkDevice(raw, new Map([["ties", ties]]));
const client = clients[name];
const names = roster?.codes.map((code) => `Name ${code}`);
const person = {member, place: roster?.codes.indexOf(member), names, answered: false};
const bytesOf = (one) => Math.ceil(Math.log2(one.table.denominator) / 8) * one.bits;
"""
COUNT = """
const counts = [];
for (const codes of sets) {
  const source = await harness.seededSource(`${label} ${codes}`, draws * bytesOf(device));
  const truth = client.choose(roster, person, codes);
  counts.push(harness[count](client.draw, device, truth, draws, source));
}
return counts;
"""
SEQUENCE = """
const source = harness.chunkedSource();
const truth = client.choose(roster, person, sets[0]);
return Array.from({length: draws}, () => client.draw(device, truth, source));
"""
# The bytes asked for and the places of the answer looked at, in order.
TRACE = """
return sets.map((codes) => {
  const trace = [];
  const truth = client.choose(roster, person, codes);
  const watched = new Proxy(truth.ties, {
    get: (target, key) => (trace.push(String(key)), Reflect.get(target, key)),
  });
  const source = (count) => (trace.push(count), new Uint8Array(count).fill(16));
  client.draw(device, {ties: watched}, source);
  return trace;
});
"""
KEEP = """
const truths = sets.map((codes) => client.choose(roster, person, codes));
window.drawOf = (number) => client.draw(device, truths[number], (count) => new Uint8Array(count));
"""
FROM_BYTES = """
return cases.map(({member, ties, bytes}) => {
  const place = roster.codes.indexOf(member);
  let used = 0;
  const source = (count) => Uint8Array.from(bytes.slice(used, used += count));
  const truth = client.choose(roster, {...person, member, place}, ties);
  return [client.draw(device, truth, source), used];
});
"""
TWICE = """
const counts = [];
for (const codes of sets) {
  const truth = clients.shipping.choose(roster, person, codes);
  const cells = new Array(4 ** device.bits).fill(0);
  for (let i = 0; i < draws; i += 1) {
    cells[parseInt((await clients[name](device, truth)).join(""), 2)] += 1;
  }
  counts.push(cells);
}
return counts;
"""


RESPONSES = """
const devices = raws.map((one) => checkDevice(one, new Map([["ties", ties]])));
const draw = (_device, truths, source) => JSON.stringify(clients[name](devices, truths, source));
const counts = [];
for (const truths of answers) {
  const source = await harness.seededSource(`${label} ${JSON.stringify(truths)}`, draws * 64);
  counts.push(harness.countTexts(draw, null, truths, draws, source));
}
return counts;
"""


def run(page: Page, body: str, **given: Any) -> Any:
    return answer_of(page, SETUP + body, given)


@pytest.fixture
def served(db: None) -> Json:
    """A roster of five in two groups by turns, and the device of one question, as served."""
    return served_with(5)


def served_with(members: int, question: str = "lends") -> Json:
    document = small_network(members).document
    device = next(each for each in document["devices"] if each["id"] == question)
    return {"raw": device, "roster": document["roster"]}


def others(served: Json, member: str) -> list[str]:
    return [code for code in served["roster"]["codes"] if code != member]


def bits_of(served: Json, member: str, codes: Sequence[str]) -> list[int]:
    """Return what each bit is about, from docs/protocol.md."""
    return [int(code in codes) for code in others(served, member)]


def sets_of(served: Json, member: str) -> list[list[str]]:
    """None, one more each time up to all, and one alone at either end."""
    names = others(served, member)
    return [*(names[:size] for size in range(len(names) + 1)), names[1:2], names[-1:]]


def exact_laws(served: Json, member: str, sets: Sequence[Sequence[str]]) -> npt.NDArray[np.float64]:
    """The chance of every report under each set of ties, the last bit fastest."""
    table = served["raw"]["table"]
    rows = []
    for codes in sets:
        law = np.ones(1)
        for tie in bits_of(served, member, codes):
            one = table["one" if tie else "zero"] / table["denominator"]
            law = np.outer(law, [1 - one, one]).ravel()
        rows.append(law)
    return np.array(rows)


def counted(
    page: Page, served: Json, member: str, name: str = "shipping", draws: int = MILLION // 10
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64], list[list[str]]]:
    """Counts of whole reports, their exact law, and the sets of ties."""
    sets = sets_of(served, member)
    given = {**served, "name": name, "sets": sets, "member": member, "draws": draws}
    counts = run(page, f"const count = 'countTies'; {COUNT}", **given, label="whole")
    return np.array(counts), exact_laws(served, member, sets), sets


def edges_of(served: Json, member: str, sets: Sequence[Sequence[str]]) -> list[tuple[int, int]]:
    """The pairs of sets that differ in one tie."""
    bits = [np.array(bits_of(served, member, codes)) for codes in sets]
    pairs = [(i, j) for i in range(len(bits)) for j in range(i)]
    return [(i, j) for i, j in pairs if (bits[i] != bits[j]).sum() == 1]


def largest_bound(counts: npt.NDArray[np.int64], pairs: Sequence[tuple[int, int]]) -> float:
    return max(epsilon_lower_bound(counts[list(pair)], BEYOND_DOUBT) for pair in pairs)


def places(page: Page, served: Json, member: str, name: str, draws: int) -> dict[str, float]:
    """The largest distances from what is declared, in standard errors: of a bit, of a bit and the
    next one, and of all bits with a tie and all without, over a set of every third name.
    """
    codes = others(served, member)[::3]
    given = {**served, "name": name, "sets": [codes], "member": member, "draws": draws}
    found = run(page, f"const count = 'countNeighbours'; {COUNT}", **given, label="places")
    ones, both = (np.array(each) for each in found[0])
    table = served["raw"]["table"]
    ties = np.array(bits_of(served, member, codes))
    chances = np.where(ties, table["one"], table["zero"]) / table["denominator"]
    alike = [
        (ones[ties == tie].sum(), (ties == tie).sum(), chances[ties == tie][0]) for tie in (0, 1)
    ]
    return {
        "one bit": standard_errors(ones, chances, draws),
        "neighbours": standard_errors(both, chances[:-1] * chances[1:], draws),
        "all alike": max(standard_errors(sent, one, bits * draws) for sent, bits, one in alike),
    }


def standard_errors(ones: Any, chances: Any, draws: int) -> float:
    return float(np.abs((ones - draws * chances) / np.sqrt(draws * chances * (1 - chances))).max())


# --- what ships -----------------------------------------------------------------------------------


def test_a_million_whole_reports_reveal_what_is_declared(
    page: Page, served: Json, record_property: Any
) -> None:
    """About one tie epsilon, about all of them as many epsilons as there are names."""
    counts, laws, sets = counted(page, served, "m002", draws=MILLION)
    assert counts.shape == (len(sets), 2**4)
    assert counts.sum(axis=1).tolist() == [MILLION] * len(sets)
    epsilon = float(served["raw"]["epsilon"])
    assert epsilon == 1
    edge = largest_bound(counts, edges_of(served, "m002", sets))
    person = epsilon_lower_bound(counts, BEYOND_DOUBT)
    p_value = goodness_of_fit(counts, laws)
    record_property("edge_lower_bound", edge)
    record_property("person_lower_bound", person)
    record_property("goodness_of_fit", p_value)
    # Far below, the audit would see nothing.
    assert 0.9 < edge <= epsilon
    assert 3.7 < person <= 4 * epsilon
    assert p_value > SIGNIFICANCE


@pytest.mark.parametrize("member", ["m001", "m003", "m005"])
def test_each_members_own_place_is_the_one_left_out(page: Page, served: Json, member: str) -> None:
    counts, laws, _sets = counted(page, served, member)
    assert goodness_of_fit(counts, laws) > SIGNIFICANCE


def test_every_bit_of_a_long_roster_is_drawn_as_declared_and_by_itself(
    page: Page, db: None, record_property: Any
) -> None:
    """A million reports; everything within 4.5 standard errors."""
    found = places(page, served_with(30, "friends"), "m017", "shipping", MILLION)
    record_property("standard_errors", found)
    assert max(found.values()) < 4.5, found


@pytest.mark.parametrize("name", VECTORS["tables"])
def test_the_page_draws_what_the_shared_vectors_say(page: Page, served: Json, name: str) -> None:
    """From names that are ticked to bits that are sent."""
    codes, table = (VECTORS["tables"][name][key] for key in ("codes", "table"))
    raw = {**served["raw"], "table": table, "epsilon": "8"}
    roster = {"codes": codes, "groups": [], "group_of": []}
    cases = [case for case in VECTORS["draws"] if case["table"] == name]
    given = [{**case, "bytes": list(bytes.fromhex(case["bytes"]))} for case in cases]
    drawn = run(page, FROM_BYTES, raw=raw, roster=roster, name="shipping", cases=given)
    assert drawn == [[case["report"], len(case["bytes"]) // 2] for case in cases]


def all_sets(served: Json, member: str) -> list[list[str]]:
    names = others(served, member)
    return [
        [name for name, tie in zip(names, ties, strict=True) if tie]
        for ties in product((0, 1), repeat=len(names))
    ]


def traces(page: Page, served: Json, name: str) -> list[list[Any]]:
    given = {**served, "name": name, "sets": all_sets(served, "m002"), "member": "m002"}
    return run(page, TRACE, **given)


def test_bytes_are_taken_and_the_answer_is_looked_at_alike_for_every_set(
    page: Page, served: Json
) -> None:
    found = traces(page, served, "shipping")
    assert len(found) == 2**4
    assert [step for step in found[0] if isinstance(step, int)] == [4] * 4
    assert found == [found[0]] * len(found)


@pytest.mark.parametrize("name", ["onlyTicksDrawn", "tickedDrawnFirst"])
def test_the_same_traces_see_a_draw_that_depends_on_what_is_ticked(
    page: Page, served: Json, name: str
) -> None:
    found = traces(page, served, name)
    assert found != [found[0]] * len(found)


def blocks_run(chromium: Browser, served: Json, name: str) -> list[dict[tuple[Any, ...], int]]:
    """For every set of ties how often each block of the scripts ran while the report was drawn."""
    with rr_page(chromium) as opened:
        session = opened.context.new_cdp_session(opened)
        session.send("Profiler.enable")
        session.send("Profiler.startPreciseCoverage", {"callCount": True, "detailed": True})
        given = {**served, "name": name, "sets": all_sets(served, "m002"), "member": "m002"}
        run(opened, KEEP, **given)
        found = []
        for number in range(len(given["sets"])):
            session.send("Profiler.takePreciseCoverage")
            opened.evaluate("(number) => { window.drawn = window.drawOf(number); }", number)
            found.append(dict(_counts_of(session.send("Profiler.takePreciseCoverage")["result"])))
    return found


def _counts_of(scripts: list[Json]) -> Iterator[tuple[tuple[Any, ...], int]]:
    """By block, of the device and of mutants."""
    for script in scripts:
        path = script["url"].partition("//")[2].partition("/")[2]
        if path.startswith(("static/js/rr/", "tests/audit/mutants/")):
            for function in script["functions"]:
                for block in function["ranges"]:
                    place = (block["startOffset"], block["endOffset"])
                    yield (path, function["functionName"], *place), block["count"]


def test_every_set_takes_the_same_steps(chromium: Browser, served: Json) -> None:
    """The browser counts how often each block of the device ran: no branch knows an answer."""
    found = blocks_run(chromium, served, "shipping")
    draws = [count for (_, name, *_), count in found[0].items() if name == "uniformBelow"]
    assert 4 in draws
    assert found == [found[0]] * len(found)


def test_the_same_counts_see_a_branch(chromium: Browser, served: Json) -> None:
    """A mutant with the law and the bytes of the device, which asks whether a name is ticked."""
    found = blocks_run(chromium, served, "alike")
    assert found != [found[0]] * len(found)


def test_two_fresh_pages_send_different_reports(chromium: Browser, served: Json) -> None:
    """With the system's generator."""
    sequences = []
    for _ in range(2):
        with rr_page(chromium) as opened:
            given = {**served, "name": "shipping", "sets": [[]], "member": "m002", "draws": 200}
            sequences.append(run(opened, SEQUENCE, **given))
    assert not replays(*sequences)


# --- the whole page -------------------------------------------------------------------------------

# A number between the two chances: every bit that is sent is the true one. Ids stay random.
TRUTHFUL_BYTES = """
window.drawn = 0;
const real = Crypto.prototype.getRandomValues;
Crypto.prototype.getRandomValues = function (array) {
  if (array.byteLength !== 4) return real.call(this, array);
  window.drawn += 1;
  return array.fill(0x80);
};
"""


@pytest.mark.parametrize("member", ["m001", "m004"])
def test_what_is_sent_is_about_the_names_that_were_ticked_and_the_same_at_every_attempt(
    live_server: Any, new_context: Any, member: str
) -> None:
    """In a roster of two groups; requests are lost, the page is reloaded, a tab is opened."""
    launch = launched_network(roster_rows(7), questions=TIES[:1])
    (device,) = launch.document["devices"]
    assert device["table"]["zero"] < 0x80808080 < device["table"]["one"]
    codes = launch.document["roster"]["codes"]
    named = [code for code in codes if code != member][::2]
    names = dict(launch.survey.members.values_list("code", "name"))
    bodies: list[str] = []

    def lose(route: Route) -> None:
        bodies.append(route.request.post_data or "")
        if len(bodies) < 4:
            route.abort()
        else:
            route.continue_()

    context = new_context()
    context.add_init_script(TRUTHFUL_BYTES)
    context.route("**/responses/", lose)
    url = f"{address(live_server, launch)}#{links_of(launch.survey)[member]}"
    opened = arrive(context.new_page(), url)
    to_questions(opened)
    for code in reversed(named):
        tick(opened, names[code])
    press(opened, "Scramble")
    expect(opened.locator(".question[data-state=drawn]")).to_be_visible()
    bits = [int(code in named) for code in codes if code != member]
    assert opened.evaluate("drawn") == len(bits)
    press(opened, "Send")
    expect(opened.locator("body")).to_contain_text("tries again")
    opened.reload()
    other = context.new_page()
    other.goto(url)
    expect(opened.locator(".receipt__code")).to_be_visible()
    assert opened.evaluate("drawn") == other.evaluate("drawn") == 0
    assert len(bodies) >= 4
    assert len(set(bodies)) == 1
    sent = json.loads(bodies[0])
    assert sent["reports"]["friends"] == "".join(map(str, bits))
    assert Submission.objects.get().content["member"] == member


# --- mutants --------------------------------------------------------------------------------------


def test_what_stands_for_the_device_is_faithful(page: Page, served: Json) -> None:
    """The mutants are made of it, so that what is seen of them is their defect."""
    counts, laws, sets = counted(page, served, "m002", "alike")
    assert goodness_of_fit(counts, laws) > SIGNIFICANCE
    assert largest_bound(counts, edges_of(served, "m002", sets)) <= 1


@pytest.mark.parametrize(
    ("name", "least"),
    [("oneLeftAsItIs", 7), ("oneDrawForTwo", 7), ("onlyTicksDrawn", 7)],
)
def test_a_report_that_reveals_more_about_one_tie_is_seen(
    page: Page, served: Json, name: str, least: float
) -> None:
    counts, laws, sets = counted(page, served, "m002", name)
    assert largest_bound(counts, edges_of(served, "m002", sets)) > least
    assert goodness_of_fit(counts, laws) < SIGNIFICANCE


def texts_counted(page: Page, served: Json, name: str) -> npt.NDArray[np.int64]:
    """Counts of all that is sent, character for character, of none, one and both of two names."""
    first, second = others(served, "m002")
    sets = [[], [first], [second], [first, second]]
    given = {**served, "name": name, "sets": sets, "member": "m002", "draws": MILLION // 10}
    counts = run(page, f"const count = 'countTexts'; {COUNT}", **given, label="texts")
    texts = sorted({text for each in counts for text in each})
    return np.array([[each.get(text, 0) for text in texts] for each in counts])


def test_the_text_that_is_sent_has_the_bits_and_nothing_more(page: Page, db: None) -> None:
    served = served_with(3)
    counts = texts_counted(page, served, "shipping")
    pairs = [(0, 1), (0, 2), (1, 3), (2, 3)]
    assert counts.shape == (4, 4)
    assert largest_bound(counts, pairs) <= 1
    assert epsilon_lower_bound(counts, BEYOND_DOUBT) <= 2


def test_an_order_of_bits_that_tells_what_was_ticked_is_seen(page: Page, db: None) -> None:
    """Each bit alone has its law, under the place that it is about."""
    counts = texts_counted(page, served_with(3), "tickedSentFirst")
    assert epsilon_lower_bound(counts[[0, 2]]) > 7


# Two questions about the ties to two others, and one beside them: none, and one answer changed.
ANSWERS = [
    [{"ties": [0, 0]}, {"ties": [0, 0]}, 0],
    [{"ties": [1, 0]}, {"ties": [0, 0]}, 0],
    [{"ties": [1, 0]}, {"ties": [1, 0]}, 0],
    [{"ties": [1, 0]}, {"ties": [1, 0]}, 1],
]


def responses_counted(page: Page, name: str) -> tuple[npt.NDArray[np.int64], list[str]]:
    """Counts of whole responses under each of these answers, and what was sent."""
    devices = small_network(3).document["devices"]
    assert [(each["id"], each["epsilon"]) for each in devices] == [
        ("friends", "2"),
        ("lends", "1"),
        ("smokes", "1"),
    ]
    given = {"raws": devices, "name": name, "answers": ANSWERS, "draws": MILLION // 5}
    counts = run(page, RESPONSES, **given, label="responses")
    texts = sorted({text for each in counts for text in each})
    return np.array([[each.get(text, 0) for text in texts] for each in counts]), texts


def test_a_whole_response_reveals_of_one_answer_what_its_question_says(
    page: Page, db: None
) -> None:
    """Two questions may have the same tie: then both are said to reveal it, and it adds up."""
    counts, texts = responses_counted(page, "answering")
    assert len(texts) == 2 ** (2 + 2 + 1)
    for first, second, epsilon in ((0, 1, 2), (1, 2, 1), (2, 3, 1), (0, 2, 3), (0, 3, 4)):
        bound = epsilon_lower_bound(counts[[first, second]], BEYOND_DOUBT)
        assert 0.8 * epsilon < bound <= epsilon, (first, second)


@pytest.mark.parametrize("name", ["sameBytesForAll", "leftOutWithoutTicks"])
def test_a_response_that_reveals_more_than_its_questions_is_seen(
    page: Page, db: None, name: str
) -> None:
    """Two sets that differ in one tie of a question with an epsilon of 1."""
    counts, _texts = responses_counted(page, name)
    assert epsilon_lower_bound(counts[[1, 2]]) > 4


def test_one_draw_for_two_ties_is_seen_in_neighbours_and_not_in_single_bits(
    page: Page, db: None
) -> None:
    found = places(page, served_with(30, "friends"), "m017", "oneDrawForTwo", MILLION // 10)
    assert found["one bit"] < 4.5
    assert found["neighbours"] > 50


@pytest.mark.parametrize(
    "name",
    [
        "belowOneForAll",
        "inTheOrderOfThePage",
        "ticksMovedUp",
        "ownPlaceLeftIn",
        "ownPlaceOfAnother",
    ],
)
def test_bits_about_other_names_than_declared_are_seen(page: Page, served: Json, name: str) -> None:
    counts, laws, _sets = counted(page, served, "m003", name)
    assert goodness_of_fit(counts, laws) < SIGNIFICANCE


def test_chances_off_by_a_thousandth_are_seen_over_all_bits(page: Page, db: None) -> None:
    found = places(page, served_with(30, "friends"), "m017", "thousandthOff", 3 * MILLION // 10)
    assert found["all alike"] > 5


def counted_twice(page: Page, served: Json, name: str) -> npt.NDArray[np.int64]:
    """Counts of all that is sent of one answer where it is asked for twice: none, one tie, both."""
    first, second = others(served, "m002")
    given = {**served, "name": name, "member": "m002", "sets": [[], [first], [first, second]]}
    return np.array(run(page, TWICE, **given, draws=MILLION // 50))


def test_a_report_is_kept_when_it_is_sent_or_shown_again(page: Page, db: None) -> None:
    counts = counted_twice(page, served_with(3), "sending")
    same = [4 * report + report for report in range(4)]
    assert counts[:, same].sum() == counts.sum()
    assert epsilon_lower_bound(counts[:2], BEYOND_DOUBT) <= 1


def test_a_report_that_is_drawn_again_after_a_reload_is_seen(page: Page, db: None) -> None:
    """Each report alone is what it declares; both of them reveal twice as much."""
    counts = counted_twice(page, served_with(3), "drawnAgain")
    assert epsilon_lower_bound(counts[:2]) > 1.5
    alone = counts.reshape(3, 4, 4).sum(axis=1)
    assert epsilon_lower_bound(alone[:2], BEYOND_DOUBT) <= 1
