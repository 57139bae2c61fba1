"""How well the wait before sending hides how many questions somebody was asked.

People are simulated: each has a speed, and each of their answers takes longer or shorter than that
(both log-normal, as in W. J. van der Linden, "A Lognormal Model for Response Times on Test Items",
Journal of Educational and Behavioral Statistics 31, 2006). Whoever sees when a page was opened and
when its response came in guesses from the time between; AUC is the chance that of two people, of
whom one was asked two questions less, the guess is right. 0.5 is no better than a coin.
"""

from dataclasses import dataclass

import numpy as np
import pytest
from scipy.stats import rankdata

from tests.browser.rr_page import answer_of

pytestmark = pytest.mark.browser

SEED, PEOPLE = 30, 4000
# Standard deviations of the logarithm: between people, and between the answers of one person.
BETWEEN, WITHIN = 0.3, 0.4
# Seconds on the screen of a question that is passed.
A_SCREEN = 2.5
PAUSES = """
const {Pace} = await import("/static/js/features/filters/pace.js");
const {people, passed, lengths, draws} = JSON.parse(text);
const categories = ["a", "b", "c"];
const questions = lengths.map((words, id) =>
  ({id: String(id), text: "word ".repeat(words - 3), help: "", categories, randomized: true}));
let at = 0;
let used = 0;
const pace = () => new Pace(() => at, (count) => Math.floor(draws[used++ % draws.length] * count));
return people.map((times) => {
  const own = pace();
  at = 0;
  times.forEach((time, i) => {
    if (i < passed) own.pass(questions[i], 1);
    own.show(questions[i], 1);
    at += 1000 * time;
  });
  return own.pause() / 1000;
});
"""


@dataclass(frozen=True)
class Asked:
    """A survey, and how long its questions take on average."""

    # Words of each question; the first ones are passed.
    lengths: tuple[int, ...]
    # Seconds for each question, and for each of its words.
    a_question: float
    a_word: float
    passed: int = 2
    # Seconds to read how a draw is made, with the first that somebody makes.
    explained: float = 0
    # How far the AUC may be from a half. Its own standard error is below 0.007.
    off: float = 0.03


# Reads 200 words a minute, and needs as long for taps and wheel as for 16 words.
USUAL = {"a_question": 5, "a_word": 0.3}
SURVEYS = {
    "even": Asked((25,) * 10, a_question=0, a_word=0.4),
    "short": Asked((8,) * 10, **USUAL, passed=4, explained=30),
    "short ones passed": Asked((8, 8, *(30,) * 8), **USUAL),
    "long ones passed": Asked((30, 30, *(8,) * 8), **USUAL),
    # Quick taps and slow reading: the wait is somewhat too short.
    "quick taps": Asked((30, 30, *(8,) * 8), a_question=3, a_word=0.4, off=0.1),
}


def auc(shorter, longer):
    """The chance that one of the shorter times is below one of the longer, ties half."""
    ranks = rankdata(np.concatenate([longer, shorter]))[: len(longer)]
    return (ranks.sum() - len(longer) * (len(longer) + 1) / 2) / (len(longer) * len(shorter))


def simulated(page, survey):
    """Times until sending: of people asked everything, and of others without and with the wait."""
    rng = np.random.default_rng(SEED)
    usual = survey.a_question + survey.a_word * np.array(survey.lengths)
    means = np.array([usual, [*[A_SCREEN] * survey.passed, *usual[survey.passed :]]])
    means[0, 0] += survey.explained
    means[1, survey.passed] += survey.explained
    speeds = np.exp(rng.normal(0, BETWEEN, (2, PEOPLE, 1)))
    within = np.exp(rng.normal(0, WITHIN, (2, PEOPLE, len(usual))))
    asked, passing = means[:, None, :] * speeds * within
    given = {"people": passing.tolist(), "passed": survey.passed, "lengths": survey.lengths}
    pauses = answer_of(page, PAUSES, given | {"draws": rng.random(30_011).tolist()})
    return asked.sum(axis=1), passing.sum(axis=1), passing.sum(axis=1) + np.array(pauses)


@pytest.mark.parametrize("name", SURVEYS)
def test_the_wait_hides_most_of_what_the_time_tells(page, name):
    survey = SURVEYS[name]
    asked, without, waiting = simulated(page, survey)
    assert auc(without, asked) > 0.5 + survey.off
    assert abs(auc(waiting, asked) - 0.5) < survey.off


def test_nobody_waits_who_was_asked_everything_and_nobody_for_long(page):
    people = [[1.0, 1.0, *[10.0] * 6], [1.0, 1.0, *[1000.0] * 6]]
    for passed, bounds in ((0, (0, 0)), (2, (4, 90))):
        given = {"people": people, "passed": passed, "lengths": (25,) * 8, "draws": [0.5]}
        pauses = answer_of(page, PAUSES, given)
        assert all(bounds[0] <= pause <= bounds[1] for pause in pauses)
