"""How well the wait before sending hides how many questions somebody was asked.

People are simulated: each has a speed, and each of their answers takes longer or shorter than that
(both log-normal, as in W. J. van der Linden, "A Lognormal Model for Response Times on Test Items",
Journal of Educational and Behavioral Statistics 31, 2006). Whoever sees when a page was opened and
when its response came in guesses from the time between; AUC is the chance that of two people, of
whom one was asked two questions less, the guess is right. 0.5 is no better than a coin.
"""

import numpy as np
import pytest
from scipy.stats import rankdata

from tests.browser.rr_page import answer_of

pytestmark = pytest.mark.browser

SEED, PEOPLE = 30, 4000
QUESTIONS, PASSED, WORDS = 10, 2, 25
# Standard deviations of the logarithm: between people, and between the answers of one person.
BETWEEN, WITHIN = 0.3, 0.4
# Seconds for each word, and on the screen of a question that is passed.
A_WORD, A_SCREEN = 0.4, 2.5
PAUSES = """
const {Pace} = await import("/static/js/features/filters/pace.js");
const {people, passed, words, draws} = JSON.parse(text);
const categories = ["a", "b", "c"];
const question = (id) => ({id, text: "word ".repeat(words - 3), help: "", categories});
let at = 0;
let used = 0;
const pace = () => new Pace(() => at, (count) => Math.floor(draws[used++ % draws.length] * count));
return people.map((times) => {
  const own = pace();
  at = 0;
  times.forEach((time, i) => {
    const one = question(String(i));
    if (i < passed) own.pass(one);
    own.show(one);
    at += 1000 * time;
  });
  return own.pause() / 1000;
});
"""


def auc(shorter, longer):
    """The chance that one of the shorter times is below one of the longer, ties half."""
    ranks = rankdata(np.concatenate([longer, shorter]))[: len(longer)]
    return (ranks.sum() - len(longer) * (len(longer) + 1) / 2) / (len(longer) * len(shorter))


def simulated(page):
    """Times until sending: of people asked everything, and of others without and with the wait."""
    rng = np.random.default_rng(SEED)
    speeds = A_WORD * np.exp(rng.normal(0, BETWEEN, (2 * PEOPLE, 1)))
    times = WORDS * speeds * np.exp(rng.normal(0, WITHIN, (2 * PEOPLE, QUESTIONS)))
    asked, passing = times[:PEOPLE], times[PEOPLE:]
    passing[:, :PASSED] = A_SCREEN * np.exp(rng.normal(0, WITHIN, (PEOPLE, PASSED)))
    given = {"people": passing.tolist(), "passed": PASSED, "words": WORDS}
    pauses = answer_of(page, PAUSES, given | {"draws": rng.random(30_011).tolist()})
    return asked.sum(axis=1), passing.sum(axis=1), passing.sum(axis=1) + np.array(pauses)


def test_the_wait_hides_most_of_what_the_time_tells(page):
    asked, without, waiting = simulated(page)
    assert auc(without, asked) > 0.6
    # The standard error of an AUC of so many people is below 0.007.
    assert abs(auc(waiting, asked) - 0.5) < 0.03


def test_nobody_waits_who_was_asked_everything_and_nobody_for_long(page):
    people = [[1.0, 1.0, *[10.0] * 6], [1.0, 1.0, *[1000.0] * 6]]
    for passed, bounds in ((0, (0, 0)), (2, (4, 90))):
        given = {"people": people, "passed": passed, "words": WORDS, "draws": [0.5]}
        pauses = answer_of(page, PAUSES, given)
        assert all(bounds[0] <= pause <= bounds[1] for pause in pauses)
